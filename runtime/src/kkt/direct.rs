//! The direct method.
//!
//! > \[M Jᵀ; J 0\] (x, −λ) = (f, g)
//!
//! as one symmetric indefinite system, (n + m, n + m), scaled to entries of at most 1. Where rows depend on
//! one another, its rank is n + rank J.
//!
//! Class: M positive definite on the null space of J, with M itself positive definite for
//! [`Dense::Cholesky`]; J of full rank with [`Dense::Lu`] and [`Dense::Cholesky`], of any rank with the
//! others.
//!
//! # Source
//!
//! Featherstone: Rigid Body Dynamics Algorithms (2008), section 8.2. Ruiz: A Scaling Algorithm to
//! Equilibrate Both Rows and Columns Norms in Matrices (2001).

use alloc::vec::Vec;

use super::dense::{Dense, Linear, Orthogonal};
use super::factorisation::{Factorisation, Pivots, SINGULAR};
use super::null_space::NullSpace;
use super::{Error, Problem};
use crate::slices::{columns, largest, sqrt, zeros};

/// Each halves the orders of magnitude by which the largest entries of rows differ from 1.
const SCALINGS: usize = 6;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    dense: Dense,
    matrix: Vec<f64>,
    scales: Vec<f64>,
    linear: Linear,
    side: Vec<f64>,
    /// Names what has no inertia.
    null_space: NullSpace,
}

impl Direct {
    pub(super) fn choose(&mut self, dense: Dense) -> &mut Self {
        self.dense = dense;
        self
    }

    fn assemble(&mut self, problem: &Problem<'_>) {
        let (n, m) = (problem.coordinates(), problem.rows());
        let size = n + m;
        let matrix = zeros(&mut self.matrix, size * size);
        for (j, column) in columns(problem.mass, n).enumerate() {
            matrix[j * size..][..n].copy_from_slice(column);
        }
        for (j, column) in columns(problem.jacobian, m).enumerate() {
            matrix[j * size + n..][..m].copy_from_slice(column);
            for (i, &entry) in column.iter().enumerate() {
                matrix[(n + i) * size + j] = entry;
            }
        }
    }

    /// K ← E K E, until the largest entry of each column is near 1.
    fn equilibrate(&mut self, size: usize) {
        self.scales.clear();
        self.scales.resize(size, 1.0);
        for _ in 0..SCALINGS {
            let of = |column| match largest(column) {
                0.0 => 1.0,
                largest => 1.0 / sqrt(largest),
            };
            self.side.clear();
            self.side.extend(columns(&self.matrix, size).map(of));
            for (column, scale) in self.matrix.chunks_exact_mut(size.max(1)).zip(&self.side) {
                column.iter_mut().zip(&self.side).for_each(|(x, other)| *x *= other * scale);
            }
            self.scales.iter_mut().zip(&self.side).for_each(|(x, scale)| *x *= scale);
        }
    }
}

impl Factorisation for Direct {
    fn factor(&mut self, problem: &Problem<'_>, rows: &Orthogonal) -> Result<Pivots, Error> {
        let (n, m, rank) = (problem.coordinates(), problem.rows(), rows.rank());
        if rank < m && !self.dense.takes_singular() {
            return Err(Error::RankDeficient { rank, rows: m });
        }
        self.assemble(problem);
        self.equilibrate(n + m);
        let shape = (n + m, n, n + rank);
        match self.linear.factor(self.dense, shape, &self.matrix, SINGULAR.0) {
            Ok(_) => Ok(Pivots { rank, condition: super::rows::condition(rows) }),
            Err(coordinate) if coordinate < n => Err(Error::SingularMass { coordinate }),
            Err(_) => {
                self.null_space.factor(problem, rows)?;
                Err(Error::IllConditioned { condition: 1.0 / SINGULAR.0 })
            }
        }
    }

    fn solve(
        &mut self,
        problem: &Problem<'_>,
        _: &mut Orthogonal,
        (force, target): (&[f64], &[f64]),
        (x, lambda): (&mut [f64], &mut [f64]),
    ) -> Result<(), Error> {
        let n = problem.coordinates();
        self.side.clear();
        self.side.extend(force.iter().chain(target).zip(&self.scales).map(|(b, scale)| b * scale));
        self.linear.solve(&mut self.side);
        self.side.iter_mut().zip(&self.scales).for_each(|(x, scale)| *x *= scale);
        x.copy_from_slice(&self.side[..n]);
        lambda.iter_mut().zip(&self.side[n..]).for_each(|(lambda, side)| *lambda = -side);
        Ok(())
    }
}
