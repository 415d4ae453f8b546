//! Convex problems over polyhedral cones, as boxed problems.
//!
//! > min ½ xᵀ WᵀA W x + xᵀ Wᵀb  over lo ≤ x ≤ hi,  Λ = W x
//!
//! W has an edge n + μ d_k of each contact's pyramid with 0 ≤ x, and every bounded row as it is. Without
//! friction this is the dual of Gauss' principle,
//!
//! > min ½ (v⁺ − v_free)ᵀ M (v⁺ − v_free)  subject to  n v⁺ ≥ l.
//!
//! A is positive semidefinite, so that the problem is convex: v⁺ is unique, x need not be.
//!
//! # Source
//!
//! Anitescu (2006); Tedrake: Underactuated Robotics, on Gauss' principle (with the sign of its dual put
//! right).

use alloc::vec::Vec;

use super::problem::Problem;
use super::solver::Solved;
use super::solvers::NEGLIGIBLE;
use super::{Error, direction};
use crate::cone::Block;
use crate::cone::columns::{self, Column};
use crate::lcp::{self, boxed, dantzig};

/// Room for the problem, and its solver's.
#[derive(Clone, Debug, Default)]
pub(super) struct Pyramid {
    columns: Vec<Column>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    solver: dantzig::Workspace,
    /// What is asked where that one finds nothing.
    others: lcp::Workspace,
}

impl Pyramid {
    /// Writes Λ.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        impulses: &mut [f64],
    ) -> Result<Solved, Error> {
        self.clear();
        for (first, block, directions) in problem.each() {
            match *block {
                Block::Contact { friction, .. } => (0..directions).for_each(|k| {
                    let tangent = direction(k, directions).map(|x| friction * x);
                    let edge = Column::edge(first, 1.0, tangent);
                    self.push(edge, [0.0, f64::INFINITY]);
                }),
                Block::Planar { friction } => [friction, -friction].into_iter().for_each(|tangent| {
                    self.push(Column::planar(first, 1.0, tangent), [0.0, f64::INFINITY]);
                }),
                Block::Row { lower, upper } => self.push(Column::row(first, 1.0), [lower, upper]),
            }
        }
        self.solve_columns(problem, impulses)
    }

    /// Forgets the last solution.
    pub(super) fn forget(&mut self) {
        self.solver.forget();
    }

    fn clear(&mut self) {
        self.columns.clear();
        self.lo.clear();
        self.hi.clear();
    }

    fn push(&mut self, column: Column, [lo, hi]: [f64; 2]) {
        self.columns.push(column);
        self.lo.push(lo);
        self.hi.push(hi);
    }

    fn solve_columns(&mut self, problem: &Problem, impulses: &mut [f64]) -> Result<Solved, Error> {
        let Self { columns, lo, hi, a, b, solver, others } = self;
        columns::matrix((&problem.a, problem.rows()), columns, columns.len(), a);
        b.clear();
        b.extend(columns.iter().map(|column| column.times(&problem.b)));
        let problem = boxed::Problem { a, b, lo, hi };
        let mut write = |z: &[f64]| {
            impulses.fill(0.0);
            columns.iter().zip(z).for_each(|(column, x)| column.add(*x, impulses));
        };
        let found = match lcp::accept(dantzig::resume(&problem, solver), NEGLIGIBLE, &mut write) {
            // Many contacts that are almost the same one can make pivots go round in circles.
            Err(lcp::Error::Unsolved { .. }) => {
                lcp::accept(lcp::solve_boxed(&problem, others), NEGLIGIBLE, write)
            }
            found => found,
        };
        Ok(found?.into())
    }
}
