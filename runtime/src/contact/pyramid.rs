//! Convex problems over polyhedral cones, as boxed problems.
//!
//! > min ½ xᵀ WᵀA W x + xᵀ Wᵀb  over lo ≤ x ≤ hi,  Λ = W x
//!
//! W has an edge n + μ d_k of each contact's pyramid with 0 ≤ x, the zones of each ball, and every bounded row as it is. Without
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
use super::solver::NEGLIGIBLE;
use super::solver::Solved;
use super::{Error, direction};
use crate::cone::Block;
use crate::cone::columns::{self, Column, ZONES};
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
        self.list(problem);
        self.solve_columns(problem, impulses)
    }

    /// As [`solve`](Self::solve) by Dantzig's method alone; whether that finds something.
    pub(super) fn attempt(&mut self, problem: &Problem, impulses: &mut [f64]) -> bool {
        self.list(problem);
        self.assemble(problem);
        let Self { columns, lo, hi, a, b, solver, .. } = self;
        let found = dantzig::resume(&boxed::Problem { a, b, lo, hi }, solver);
        let write = |z: &[f64]| write(columns, z, impulses);
        lcp::accept(found, NEGLIGIBLE, write).is_ok()
    }

    fn list(&mut self, problem: &Problem) {
        self.clear();
        for (first, block, directions) in problem.each() {
            match *block {
                Block::Contact { friction, torsion } => {
                    for tangent in corners(friction, directions) {
                        self.push_edges(first, tangent, torsion);
                    }
                }
                Block::Rolling { friction, torsion, rolling } => {
                    for tangent in corners(friction, directions) {
                        for spin in [torsion, -torsion] {
                            for turning in corners(rolling, directions) {
                                let of = (tangent, spin, turning);
                                let edge = Column::rolling_edge(first, 1.0, of);
                                self.push(edge, [0.0, f64::INFINITY]);
                            }
                        }
                    }
                }
                Block::Planar { friction } => {
                    for tangent in [friction, -friction] {
                        self.push(Column::planar(first, 1.0, tangent), [0.0, f64::INFINITY]);
                    }
                }
                Block::Row { lower, upper } => self.push(Column::row(first, 1.0), [lower, upper]),
                Block::Ball { radius } => {
                    for (weight, direction) in &ZONES {
                        let bound = weight * radius;
                        self.push(Column::along(first, *direction), [-bound, bound]);
                    }
                }
            }
        }
    }

    /// The edges along one direction of friction: two with torsional friction, to either side.
    fn push_edges(&mut self, first: usize, tangent: [f64; 2], torsion: Option<f64>) {
        let bounds = [0.0, f64::INFINITY];
        match torsion {
            None => self.push(Column::edge(first, 1.0, tangent), bounds),
            Some(lever) => [lever, -lever].into_iter().for_each(|spin| {
                self.push(Column::spinning_edge(first, 1.0, tangent, spin), bounds);
            }),
        }
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

    fn assemble(&mut self, problem: &Problem) {
        let Self { columns, a, b, .. } = self;
        columns::matrix((&problem.a, problem.rows()), columns, columns.len(), a);
        b.clear();
        b.extend(columns.iter().map(|column| column.times(&problem.b)));
    }

    fn solve_columns(&mut self, problem: &Problem, impulses: &mut [f64]) -> Result<Solved, Error> {
        self.assemble(problem);
        let Self { columns, lo, hi, a, b, solver, others } = self;
        let problem = boxed::Problem { a, b, lo, hi };
        let mut write = |z: &[f64]| write(columns, z, impulses);
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

/// The corners of a polygon of this radius, in so many directions; all are the same without a radius.
fn corners(radius: f64, directions: usize) -> impl Iterator<Item = [f64; 2]> {
    let count = if radius > 0.0 { directions } else { 1 };
    (0..count).map(move |k| direction(k, directions).map(|x| radius * x))
}

/// Λ = W x.
fn write(columns: &[Column], x: &[f64], impulses: &mut [f64]) {
    impulses.fill(0.0);
    columns.iter().zip(x).for_each(|(column, x)| column.add(*x, impulses));
}
