//! The linear equations of one of Newton's steps, with the laws of what acts in one sense.
//!
//! > M x = r + Hᵀ Δλ + Jᵀ (Λ − Λ₀),  H x = g,  and the laws of [`cone`] between w + J x and Λ
//!
//! With the inertia Λ_c that the bilateral rows H meet and the projector N on what they leave,
//!
//! > x = N M⁻¹ (r + Jᵀ (Λ − Λ₀)) + M⁻¹ Hᵀ Λ_c g,  Δλ = Λ_c (g − H M⁻¹ (r + Jᵀ (Λ − Λ₀)))
//!
//! so that contacts meet N M⁻¹ in the place of M⁻¹, and redundant rows are the business of [`kkt`](crate::kkt).
//! Where nothing acts, M need not be symmetric.

use alloc::vec::Vec;

use crate::cone::{self, Block, Law, Matrix, Settings};
use crate::contact::Error;
use crate::kkt::{Problem, Solver};
use crate::lu::Lu;
use crate::slices::{add, columns, copy, dot, multiply, multiply_transposed, subtract, zeros};

/// By the largest velocity: what rounding leaves.
const TOLERANCE: f64 = 1e-14;

/// The bilateral rows of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bilateral<'a> {
    /// H, (nc, nv) column by column.
    pub(super) jacobian: &'a [f64],
    /// How many.
    pub(super) count: usize,
    /// The way from each coordinate to the root, where M has a tree.
    pub(super) parents: &'a [Option<usize>],
    /// What of a row must be its own for it to be independent.
    pub(super) rank_threshold: f64,
}

/// What acts in one sense.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unilateral<'a> {
    /// J, (rows, nv) row by row.
    pub(super) rows: &'a [f64],
    /// w, one number a row.
    pub(super) w: &'a [f64],
    /// The laws of the rows.
    pub(super) blocks: &'a [Block],
}

/// Room for the equations, and their solution.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    nv: usize,
    mass: Lu,
    solver: Solver,
    workspace: cone::Workspace,
    /// Λ_c and N.
    inertia: Vec<f64>,
    projector: Vec<f64>,
    /// x, (nv), and Δλ.
    pub(super) x: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    /// M⁻¹ of all that acts, (nv), and what the bilateral rows miss.
    unheld: Vec<f64>,
    missing: Vec<f64>,
    /// N M⁻¹ of each row, A = J N M⁻¹ Jᵀ and b.
    responses: Vec<f64>,
    delassus: Vec<f64>,
    b: Vec<f64>,
    room: Vec<f64>,
}

impl Linear {
    /// Takes a matrix of velocities, (nv, nv).
    ///
    /// # Errors
    ///
    /// [`Error::MassMatrix`] if it is singular.
    pub(super) fn factor(&mut self, nv: usize, mass: &[f64]) -> Result<(), Error> {
        self.nv = nv;
        let pivots = self.mass.factor(nv, mass.iter().copied());
        if pivots > 0.0 { Ok(()) } else { Err(Error::MassMatrix) }
    }

    /// Takes bilateral rows beside that matrix, which then must be symmetric.
    ///
    /// # Errors
    ///
    /// [`Error::Bilateral`].
    pub(super) fn hold(&mut self, mass: &[f64], held: &Bilateral<'_>) -> Result<(), Error> {
        let Bilateral { jacobian, count, parents, rank_threshold } = *held;
        let (inertia, projector) = (
            zeros(&mut self.inertia, count * count),
            zeros(&mut self.projector, self.nv * self.nv),
        );
        if count == 0 {
            return Ok(());
        }
        let (force, target) = (zeros(&mut self.unheld, self.nv), zeros(&mut self.missing, count));
        let problem = Problem::new(mass, jacobian, force, target).parents(parents);
        self.solver.set_rank_threshold(rank_threshold);
        let projected = self.solver.project(&problem, inertia, projector);
        projected.map(|_| ()).map_err(Error::Bilateral)
    }

    /// Takes rows of what acts in one sense, (rows, nv) row by row, beside these.
    pub(super) fn press(&mut self, held: usize, rows: &[f64]) {
        let responses = copy(&mut self.responses, rows);
        for response in responses.chunks_exact_mut(self.nv.max(1)) {
            self.mass.solve(response);
            if held > 0 {
                let projected = zeros(&mut self.room, self.nv);
                multiply(projected, &self.projector, response);
                response.copy_from_slice(projected);
            }
        }
        let n = rows.len() / self.nv.max(1);
        let delassus = zeros(&mut self.delassus, n * n);
        let (rows, responses) = (|i: usize| &rows[i * self.nv..][..self.nv], &self.responses);
        for (j, response) in columns(responses, self.nv).enumerate() {
            for i in 0..n {
                let half = 0.5 * dot(rows(i), response);
                delassus[j * n + i] += half;
                delassus[i * n + j] += half;
            }
        }
    }

    /// Solves with r, g and Λ₀ in the place of `impulses`, which becomes Λ.
    ///
    /// # Errors
    ///
    /// [`Error::Cone`].
    pub(super) fn solve(
        &mut self,
        r: &[f64],
        (held, g): (&Bilateral<'_>, &[f64]),
        acting: &Unilateral<'_>,
        impulses: &mut [f64],
    ) -> Result<(), Error> {
        self.mass.solve(copy(&mut self.unheld, r));
        self.respond(held, g);
        if !acting.blocks.is_empty() {
            self.find_impulses(held, g, acting, impulses)?;
        }
        // Δλ = Λ_c (g − H u).
        copy(&mut self.missing, g);
        for (column, u) in columns(held.jacobian, held.count).zip(&self.unheld) {
            subtract(&mut self.missing, *u, column);
        }
        multiply(zeros(&mut self.multipliers, held.count), &self.inertia, &self.missing);
        Ok(())
    }

    /// x of the velocity `unheld`.
    fn respond(&mut self, held: &Bilateral<'_>, g: &[f64]) {
        copy(&mut self.x, &self.unheld);
        if held.count == 0 {
            return;
        }
        let x = zeros(&mut self.x, self.nv);
        multiply(x, &self.projector, &self.unheld);
        let forces = zeros(&mut self.missing, held.count);
        multiply(forces, &self.inertia, g);
        let change = zeros(&mut self.room, self.nv);
        multiply_transposed(change, held.jacobian, forces);
        self.mass.solve(change);
        add(x, 1.0, change);
    }

    /// Λ, and what it changes.
    fn find_impulses(
        &mut self,
        held: &Bilateral<'_>,
        g: &[f64],
        acting: &Unilateral<'_>,
        impulses: &mut [f64],
    ) -> Result<(), Error> {
        let n = acting.w.len();
        copy(&mut self.b, acting.w);
        for (b, row) in self.b.iter_mut().zip(columns(acting.rows, self.nv)) {
            *b += dot(row, &self.x);
        }
        for (column, impulse) in columns(&self.delassus, n).zip(&*impulses) {
            subtract(&mut self.b, *impulse, column);
        }
        let problem = cone::Problem {
            matrix: Matrix::Delassus(&self.delassus),
            b: &self.b,
            blocks: acting.blocks,
            law: Law::Coulomb,
        };
        self.workspace.start(impulses);
        let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
        let solution = cone::solve(&problem, &settings, &mut self.workspace)?;
        let change = zeros(&mut self.room, self.nv);
        let all = impulses.iter_mut().zip(solution.z).zip(columns(acting.rows, self.nv));
        for ((impulse, z), row) in all {
            add(change, z - *impulse, row);
            *impulse = *z;
        }
        self.mass.solve(change);
        add(&mut self.unheld, 1.0, change);
        self.respond(held, g);
        Ok(())
    }
}
