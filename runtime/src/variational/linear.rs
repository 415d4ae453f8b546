//! The linear equations of one of Newton's steps, with the laws of what acts in one sense.
//!
//! > K x = r + Hᵀ Δλ + Jᵀ (Λ − Λ₀),  H′ x = g,  and the laws of [`cone`] between w + J′ x and Λ
//!
//! Forces act along the rows H and J of one end of a chord, while errors and gaps change with the configuration at the
//! other along H′ and J′; and K is not symmetric where bodies turn. Rows may depend on one another: with the orthogonal
//! projector E on ker Hᵀ, what no force of the rows is of, and m = |K|,
//!
//! > | K/m  −Hᵀ | | x    |   | r/m |
//! > | H′    E  | | Δλ/m | = | g   |
//!
//! is regular, and Δλ the smallest with its effect. Contacts meet x of their rows, A = J′ X + σ with X being that of Jᵀ.

use alloc::vec::Vec;

use nalgebra::DMatrix;

use crate::cone::{self, Block, Law, Matrix, Settings};
use crate::contact::Error;
use crate::lu::Lu;
use crate::slices::{add, all_finite, columns, copy, dot, larger, largest, subtract, zeros};

/// By the largest velocity: what rounding leaves.
const TOLERANCE: f64 = 1e-14;
/// That of a best point which is a step all the same: rounding of impulses in a singular problem is above the former.
const NEARLY: f64 = 1e-11;
/// A singular value of H, of which the longest rows have the length one, that is zero.
const DEPENDENT: f64 = 1e-8;

/// The bilateral rows of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bilateral<'a> {
    /// H, (nc, nv) column by column.
    pub(super) jacobian: &'a [f64],
    /// H′ likewise.
    pub(super) slopes: &'a [f64],
    /// ρ, (nc), by which errors are m or rad.
    pub(super) reaches: &'a [f64],
    /// An orthonormal basis of ker Hᵀ by these, (nc) each.
    pub(super) dependent: &'a [f64],
}

/// What acts in one sense.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unilateral<'a> {
    /// J, (rows, nv) row by row.
    pub(super) rows: &'a [f64],
    /// J′ likewise.
    pub(super) slopes: &'a [f64],
    /// w, one number a row.
    pub(super) w: &'a [f64],
    /// The laws of the rows.
    pub(super) blocks: &'a [Block],
    /// σ of the rows, by which w changes with their impulses besides.
    pub(super) softness: &'a [f64],
}

/// Room for the equations, and their solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    nv: usize,
    /// m.
    scale: f64,
    /// 1 / ρ, (nc).
    weights: Vec<f64>,
    saddle: Lu,
    workspace: cone::Workspace,
    /// x, (nv), and Δλ, (nc).
    pub(super) x: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    /// X, with Δλ/m below each column; A and b.
    responses: Vec<f64>,
    delassus: Vec<f64>,
    b: Vec<f64>,
    room: Vec<f64>,
}

impl Linear {
    /// Takes a matrix of velocities, (nv, nv), and bilateral rows beside it.
    ///
    /// # Errors
    ///
    /// [`Error::MassMatrix`] if the equations are singular, or have numbers that are none.
    pub(super) fn factor(
        &mut self,
        nv: usize,
        matrix: &[f64],
        held: &Bilateral<'_>,
    ) -> Result<(), Error> {
        let m = held.reaches.len();
        self.nv = nv;
        self.scale = larger(largest(matrix), f64::MIN_POSITIVE);
        self.weights.clear();
        self.weights.extend(held.reaches.iter().map(|reach| 1.0 / reach));
        if !(all_finite(matrix) && all_finite(held.jacobian) && all_finite(held.slopes)) {
            return Err(Error::MassMatrix);
        }
        let (n, mut entries) = (nv + m, core::mem::take(&mut self.room));
        let (left, right) = zeros(&mut entries, n * n).split_at_mut(n * nv);
        for (j, column) in left.chunks_exact_mut(n.max(1)).enumerate() {
            add(&mut column[..nv], 1.0 / self.scale, &matrix[j * nv..][..nv]);
            let slopes = held.slopes[j * m..][..m].iter().zip(&self.weights);
            column[nv..].iter_mut().zip(slopes).for_each(|(to, (slope, by))| *to = slope * by);
        }
        for (k, column) in right.chunks_exact_mut(n.max(1)).enumerate() {
            let row = held.jacobian.iter().skip(k).step_by(m);
            let (force, _) = column.split_at_mut(nv);
            force.iter_mut().zip(row).for_each(|(to, entry)| *to = -self.weights[k] * entry);
        }
        for unit in held.dependent.chunks_exact(m.max(1)) {
            for (column, part) in right.chunks_exact_mut(n).zip(unit) {
                add(&mut column[nv..], *part, unit);
            }
        }
        let pivots = self.saddle.factor(n, entries.iter().copied());
        self.room = entries;
        if pivots > 0.0 { Ok(()) } else { Err(Error::MassMatrix) }
    }

    /// Takes rows of what acts in one sense beside these.
    pub(super) fn press(&mut self, acting: &Unilateral<'_>) {
        let (nv, n) = (self.nv.max(1), self.nv + self.weights.len());
        self.responses.clear();
        for row in acting.rows.chunks_exact(nv) {
            let start = self.responses.len();
            self.responses.extend(row.iter().map(|entry| entry / self.scale));
            self.responses.resize(start + n, 0.0);
            self.saddle.solve(&mut self.responses[start..]);
        }
        let (responses, slopes) = (columns(&self.responses, n), || acting.slopes.chunks_exact(nv));
        self.delassus.clear();
        for response in responses {
            self.delassus.extend(slopes().map(|slope| dot(slope, &response[..self.nv])));
        }
        let diagonal = self.delassus.iter_mut().step_by(acting.softness.len() + 1);
        diagonal.zip(acting.softness).for_each(|(entry, sigma)| *entry += sigma);
    }

    /// Solves with r, g and Λ₀ in the place of `impulses`, which becomes Λ.
    ///
    /// # Errors
    ///
    /// [`Error::Cone`].
    pub(super) fn solve(
        &mut self,
        (r, g): (&[f64], &[f64]),
        acting: &Unilateral<'_>,
        impulses: &mut [f64],
    ) -> Result<(), Error> {
        let mut all = core::mem::take(&mut self.room);
        all.clear();
        all.extend(r.iter().map(|r| r / self.scale));
        all.extend(g.iter().zip(&self.weights).map(|(g, by)| g * by));
        self.saddle.solve(&mut all);
        let found = match acting.blocks {
            [] => Ok(()),
            _ => self.find_impulses(acting, &mut all, impulses),
        };
        let (x, multipliers) = all.split_at(self.nv);
        copy(&mut self.x, x);
        let multipliers = multipliers.iter().zip(&self.weights);
        self.multipliers.clear();
        self.multipliers.extend(multipliers.map(|(of, by)| self.scale * by * of));
        self.room = all;
        found
    }

    /// Λ, and what it changes of x and Δλ/m.
    fn find_impulses(
        &mut self,
        acting: &Unilateral<'_>,
        all: &mut [f64],
        impulses: &mut [f64],
    ) -> Result<(), Error> {
        let n = acting.w.len();
        copy(&mut self.b, acting.w);
        for (b, slope) in self.b.iter_mut().zip(columns(acting.slopes, self.nv)) {
            *b += dot(slope, &all[..self.nv]);
        }
        for (column, impulse) in columns(&self.delassus, n).zip(&*impulses) {
            subtract(&mut self.b, *impulse, column);
        }
        let changes = columns(&self.responses, all.len()).zip(&*impulses);
        changes.for_each(|(response, impulse)| subtract(all, *impulse, response));
        self.obey(acting.blocks, impulses)?;
        let changes = columns(&self.responses, all.len()).zip(&*impulses);
        changes.for_each(|(response, impulse)| add(all, *impulse, response));
        Ok(())
    }

    /// Λ of A and b by the laws of what acts. Where none is found of an A that is not symmetric, that of its symmetric part
    /// is a step too, if not Newton's.
    fn obey(&mut self, blocks: &[Block], impulses: &mut [f64]) -> Result<(), Error> {
        let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
        for symmetric in [false, true] {
            if symmetric {
                symmetrise(self.b.len(), &mut self.delassus);
            }
            let problem = cone::Problem {
                matrix: Matrix::Delassus(&self.delassus),
                b: &self.b,
                blocks,
                law: Law::Coulomb,
            };
            self.workspace.start(impulses);
            match cone::solve(&problem, &settings, &mut self.workspace) {
                Ok(solution) => {
                    impulses.copy_from_slice(solution.z);
                    return Ok(());
                }
                // The step's own residual judges where Newton's method leads.
                Err(cone::Error::Unsolved { z, residual })
                    if residual <= NEARLY * largest(&self.b) =>
                {
                    impulses.copy_from_slice(&z);
                    return Ok(());
                }
                Err(error) if symmetric => return Err(error.into()),
                Err(_) => {}
            }
        }
        Ok(())
    }
}

/// An orthonormal basis of ker Hᵀ, (m) each, of H, (m, nv) column by column, with the sizes of rows; what is less than
/// `least` of them is nothing.
pub(super) fn dependent(jacobian: &[f64], sizes: &[f64], least: f64) -> Vec<f64> {
    let m = sizes.len();
    let nv = jacobian.len() / m.max(1);
    let rows = DMatrix::from_fn(m, nv.max(m), |i, j| {
        jacobian.get(j * m + i).map_or(0.0, |entry| entry / sizes[i])
    });
    let is_known = m > 0 && rows.iter().all(|entry| entry.is_finite());
    let Some((u, values)) = is_known.then(|| rows.svd(true, false)).and_then(|of| {
        let values = of.singular_values;
        of.u.map(|u| (u, values))
    }) else {
        return Vec::new();
    };
    let none = u.column_iter().zip(values.iter());
    let none = none.filter(|(_, value)| **value <= larger(least, DEPENDENT));
    none.flat_map(|(unit, _)| unit.iter().copied().collect::<Vec<f64>>()).collect()
}

/// Takes the mean of a matrix, (n, n), and its transposed one.
fn symmetrise(n: usize, matrix: &mut [f64]) {
    for i in 0..n {
        for j in 0..i {
            let mean = 0.5 * (matrix[j * n + i] + matrix[i * n + j]);
            (matrix[j * n + i], matrix[i * n + j]) = (mean, mean);
        }
    }
}
