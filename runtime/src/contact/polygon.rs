//! Friction by a polygon, with maximum dissipation, as a linear complementarity problem.
//!
//! > z = (λ, β, x, σ),  Λ = W (λ, β, x) + λ₀
//!
//! ```text
//! 0 ≤ λ, x  ⟂  w                    ≥ 0   normals, and rows with one bound
//! 0 ≤ β_k   ⟂  d_k w + σ            ≥ 0   the directions of a contact
//! 0 ≤ σ     ⟂  μ λ − Σ β            ≥ 0
//! 0 ≤ x     ⟂  w + σ ≥ 0,  0 ≤ σ ⟂ hi − lo − x ≥ 0   rows with two bounds, Λ = lo + x
//! ```
//!
//! For z ≥ 0, zᵀ M z = Λᵀ A Λ + σᵀ μ λ ≥ 0: the matrix is copositive, which is the class of Lemke's method.
//! η is even and at least four.
//!
//! # Source
//!
//! Stewart, Trinkle (1996); Anitescu, Potra (1997); for rows with bounds as well Baraff: Fast Contact
//! Force Computation for Nonpenetrating Rigid Bodies (1994).

use alloc::vec::Vec;

use super::Error;
use super::columns::{self, Column};
use super::problem::Problem;
use crate::cone::Block;
use crate::lcp::lemke;
use crate::slices;

/// Room for the problem, and Lemke's.
#[derive(Clone, Debug, Default)]
pub(super) struct Polygon {
    columns: Vec<Column>,
    /// For each σ, the range of its columns and where its bound comes from.
    slacks: Vec<(core::ops::Range<usize>, Bound)>,
    /// λ₀ along the rows.
    offset: Vec<f64>,
    m: Vec<f64>,
    q: Vec<f64>,
    lemke: lemke::Workspace,
}

/// How much the impulses of a σ may be in sum.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    /// μ times the impulse of the column `normal` and its floor.
    Coulomb { normal: usize, friction: f64, floor: f64 },
    /// An impulse of its own.
    Constant(f64),
}

impl Polygon {
    /// Forgets the last basis.
    pub(super) fn forget(&mut self) {
        self.lemke.forget();
    }

    /// Writes Λ; returns the number of pivots.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Result<usize, Error> {
        self.list(problem);
        let mass = problem.mass();
        self.assemble(problem, mass);
        let solution = lemke::resume(&self.m, &self.q, &mut self.lemke)?;
        impulses.copy_from_slice(&self.offset);
        let parts = self.columns.iter().zip(solution.z);
        parts.for_each(|(column, z)| column.add(mass * z, impulses));
        Ok(solution.pivots)
    }

    /// Lists the columns and the slacks.
    fn list(&mut self, problem: &Problem) {
        let Self { columns, slacks, offset, .. } = self;
        columns.clear();
        slacks.clear();
        slices::zeros(offset, problem.rows());
        for (i, block, directions) in problem.each() {
            let start = columns.len();
            match *block {
                Block::Contact { friction, .. } => {
                    columns.push(Column::row(i, 1.0));
                    columns
                        .extend((0..directions).map(|k| Column::edge(i, 0.0, 1.0, k, directions)));
                    offset[i] = problem.floor(i);
                    let bound = Bound::Coulomb { normal: start, friction, floor: offset[i] };
                    slacks.push((start + 1..columns.len(), bound));
                }
                Block::Row { lower: lo, upper: hi } => {
                    if lo.is_finite() {
                        columns.push(Column::row(i, 1.0));
                        offset[i] = lo;
                    }
                    if lo.is_finite() && hi.is_finite() {
                        slacks.push((start..start + 1, Bound::Constant(hi - lo)));
                    } else if hi.is_finite() {
                        columns.push(Column::row(i, -1.0));
                        offset[i] = hi;
                    } else if lo.is_infinite() {
                        columns.extend([1.0, -1.0].map(|sign| Column::row(i, sign)));
                    }
                }
            }
        }
    }

    fn assemble(&mut self, problem: &Problem, mass: f64) {
        let Self { columns, slacks, offset, m, q, .. } = self;
        let n = columns.len() + slacks.len();
        columns::matrix(problem, columns, mass, n, m);
        q.clear();
        q.extend(columns.iter().map(|column| column.times(&problem.b)));
        let rows = problem.rows();
        for (j, &offset) in offset.iter().enumerate().filter(|(_, offset)| **offset != 0.0) {
            let shift = &problem.a[j * rows..(j + 1) * rows];
            q.iter_mut().zip(&*columns).for_each(|(q, column)| *q += offset * column.times(shift));
        }
        for (slack, (of, bound)) in (columns.len()..).zip(&*slacks) {
            for column in of.clone() {
                m[slack * n + column] = 1.0;
                m[column * n + slack] = -1.0;
            }
            q.push(match *bound {
                Bound::Constant(bound) => bound / mass,
                Bound::Coulomb { normal, friction, floor } => {
                    m[normal * n + slack] = friction;
                    friction * floor / mass
                }
            });
        }
    }
}
