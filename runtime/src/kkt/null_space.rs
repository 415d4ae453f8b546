//! The null-space method.
//!
//! > Jᵀ = Y Wᵀ,  \[Y Z\] orthogonal,  x = Y a + Z b
//! >
//! > W a = g,  Zᵀ M Z b = Zᵀ (f − M Y a),  Wᵀ λ = Yᵀ (M x − f)
//!
//! with Y and the rank from a factorisation of Jᵀ by reflections and column pivoting, W a = g in the
//! sense of least squares, and the smallest λ.
//!
//! Class: J of any rank, M positive definite on the null space of J; coordinates without inertia are
//! allowed where the constraint moves them. Masses that differ by more than 1e8 in motions that the
//! constraint leaves free are beyond it, since Z mixes coordinates.
//!
//! # Source
//!
//! Nocedal, Wright: Numerical Optimization (2nd edition), section 16.2. Benzi, Golub, Liesen: Numerical
//! Solution of Saddle Point Problems (2005), section 6.

use alloc::vec::Vec;

use super::dense::{Cholesky, Orthogonal};
use super::factorisation::{Factorisation, Pivots, SINGULAR};
use super::{Error, Problem};
use crate::slices::{columns, copy, multiply, multiply_transposed, scale, zeros};

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct NullSpace {
    /// Z, (n, n − r).
    z: Vec<f64>,
    /// Zᵀ M Z.
    reduced: Cholesky,
    room: Vec<f64>,
    free: Vec<f64>,
    particular: Vec<f64>,
}

impl NullSpace {
    /// Z, from the reflections.
    fn find_basis(&mut self, n: usize, rows: &Orthogonal) {
        let rank = rows.rank();
        let z = zeros(&mut self.z, n * (n - rank));
        for (k, column) in z.chunks_exact_mut(n.max(1)).enumerate() {
            column[rank + k] = 1.0;
            rows.apply(column);
        }
    }

    /// The lower triangle of Zᵀ M Z.
    fn reduce(&mut self, mass: &[f64], n: usize) {
        let size = self.z.len() / n.max(1);
        let (reduced, stride) = self.reduced.reset(size);
        for (k, column) in columns(&self.z, n).enumerate() {
            let product = zeros(&mut self.room, n);
            multiply(product, mass, column);
            let below = &mut reduced[k * stride + k..][..size - k];
            multiply_transposed(below, &self.z[k * n..], product);
        }
    }

    /// The coordinate that moves most in the motion on which the factorisation broke down.
    fn culprit(&mut self, pivot: usize, n: usize) -> usize {
        let share = zeros(&mut self.free, self.z.len() / n.max(1));
        self.reduced.null_vector(pivot, share);
        let motion = zeros(&mut self.room, n);
        multiply(motion, &self.z, share);
        (0..n).fold(0, |most, i| if motion[i].abs() > motion[most].abs() { i } else { most })
    }
}

impl Factorisation for NullSpace {
    fn factor(&mut self, problem: &Problem<'_>, rows: &Orthogonal) -> Result<Pivots, Error> {
        let n = problem.coordinates();
        self.find_basis(n, rows);
        self.reduce(problem.mass, n);
        match self.reduced.factor(SINGULAR.0) {
            Ok(_) => Ok(Pivots { rank: rows.rank(), condition: super::rows::condition(rows) }),
            Err(pivot) => Err(Error::SingularMass { coordinate: self.culprit(pivot, n) }),
        }
    }

    fn solve(
        &mut self,
        problem: &Problem<'_>,
        rows: &mut Orthogonal,
        (force, target): (&[f64], &[f64]),
        (x, lambda): (&mut [f64], &mut [f64]),
    ) -> Result<(), Error> {
        let (n, rank) = (problem.coordinates(), rows.rank());
        let particular = zeros(&mut self.particular, n);
        rows.nearest(copy(&mut self.room, target), &mut particular[..rank]);
        rows.apply(particular);
        // f − M Y a.
        let left = zeros(&mut self.room, n);
        multiply(left, problem.mass, particular);
        left.iter_mut().zip(force).for_each(|(left, force)| *left = force - *left);
        let free = zeros(&mut self.free, n - rank);
        multiply_transposed(free, &self.z, left);
        self.reduced.solve(free);
        x.copy_from_slice(particular);
        multiply(x, &self.z, free);
        // M x − f.
        let reaction = copy(&mut self.room, force);
        scale(reaction, -1.0);
        multiply(reaction, problem.mass, x);
        rows.apply_transposed(reaction);
        rows.smallest(&reaction[..rank], lambda);
        Ok(())
    }
}
