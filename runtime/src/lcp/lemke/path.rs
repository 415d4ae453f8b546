//! Lemke's path: from basis to basis until z₀ is zero, along a ray, or no further.

use alloc::vec::Vec;

use super::basis::Side;
use super::{Error, Workspace, largest};
use crate::lcp::residual;

/// z₀ is gone below this times the largest entry of q.
const GONE: f64 = 1e-12;
/// Solves of the last basis: one, and two corrections by what it left over.
const REFINEMENTS: usize = 3;

impl Workspace {
    /// Pivots until z₀ is zero, leaves the end point in `z` and returns the number of pivots.
    pub(super) fn follow_path(
        &mut self,
        m: &[f64],
        q: &[f64],
        thresholds: [f64; 2],
    ) -> Result<usize, Error> {
        let (mut missing, mut entering) = (self.basis.start(q), Side::Z);
        let gone = GONE * largest(q);
        for pivots in 1..=self.max_pivots {
            if !self.basis.factor(m) {
                return Err(self.unsolved(m, q, pivots));
            }
            self.basis.solve(m, |i| q[i], &mut self.x);
            if self.x[missing] <= gone {
                self.extract(0.0);
                return Ok(pivots);
            }
            match entering {
                Side::W => self.basis.solve(m, |i| unit(i, missing), &mut self.y),
                Side::Z => self.basis.solve(m, |i| -m[missing * q.len() + i], &mut self.y),
            }
            if self.x.iter().chain(&self.y).any(|x| !x.is_finite()) {
                return Err(self.unsolved(m, q, pivots));
            }
            let Some(leaving) = self.leaving(m, missing, thresholds) else {
                return Err(self.ray(missing, entering, pivots));
            };
            if leaving == missing {
                self.finish(missing, entering);
                return Ok(pivots + 1);
            }
            entering = self.basis.exchange(entering, leaving);
            missing = leaving;
        }
        Err(self.unsolved(m, q, self.max_pivots))
    }

    /// The pair of the lexicographically least ratio; `None` if no variable blocks. z₀, which
    /// stands at the missing pair, comes first among equals, for then the path is at its end.
    fn leaving(&mut self, m: &[f64], missing: usize, [pivot, tie]: [f64; 2]) -> Option<usize> {
        let (x, y) = (&self.x, &self.y);
        let (least_pivot, slack) = (pivot * largest(y), tie * largest(x));
        let blocking = || (0..y.len()).filter(|&i| y[i] > least_pivot);
        let step = blocking().map(|i| x[i].max(0.0) / y[i]).reduce(f64::min)?;
        self.ties.clear();
        self.ties.extend(blocking().filter(|&i| x[i].max(0.0) - step * y[i] <= slack));
        if self.ties.contains(&missing) {
            return Some(missing);
        }
        for j in 0..y.len() {
            if self.ties.len() <= 1 {
                break;
            }
            self.basis.solve(m, |i| unit(i, j), &mut self.column);
            let ratio = |i: usize| self.column[i] / y[i];
            let least = self.ties.iter().map(|&i| ratio(i)).fold(f64::INFINITY, f64::min);
            self.ties.retain(|&i| ratio(i) <= least + tie * least.abs().max(1.0));
        }
        self.ties.first().copied()
    }

    /// Writes z at the distance `step` along the current edge.
    fn extract(&mut self, step: f64) {
        for (i, z) in self.z.iter_mut().enumerate() {
            *z = if self.basis.has_z(i) { (self.x[i] - step * self.y[i]).max(0.0) } else { 0.0 };
        }
    }

    /// Goes to the end of the last edge, where z₀ is zero and the missing pair complete.
    fn finish(&mut self, missing: usize, entering: Side) {
        let step = self.x[missing] / self.y[missing];
        self.extract(step);
        self.z[missing] = if entering == Side::Z { step } else { 0.0 };
        self.basis.complete(entering);
    }

    fn ray(&mut self, missing: usize, entering: Side, pivots: usize) -> Error {
        self.extract(0.0);
        let along = |i| if self.basis.has_z(i) { -self.y[i] } else { 0.0 };
        let mut direction: Vec<f64> = (0..self.y.len()).map(along).collect();
        direction[missing] = if entering == Side::Z { 1.0 } else { 0.0 };
        Error::Ray { z: self.z.clone(), direction, pivots }
    }

    fn unsolved(&mut self, m: &[f64], q: &[f64], pivots: usize) -> Error {
        self.extract(0.0);
        Error::Unsolved { z: self.z.clone(), residual: residual(m, q, &self.z), pivots }
    }

    /// Solves w = 0 for the basic z once more from the data, and keeps that if it is better.
    pub(super) fn polish(&mut self, m: &[f64], q: &[f64]) {
        self.basis.complete(Side::W);
        if !self.basis.factor(m) {
            return;
        }
        let (refined, left_over) = (&mut self.x, &mut self.y);
        refined.fill(0.0);
        for _ in 0..REFINEMENTS {
            affine(m, q, refined, left_over);
            self.basis.solve(m, |i| left_over[i], &mut self.column);
            let basic = (0..q.len()).filter(|&i| self.basis.has_z(i));
            basic.for_each(|i| refined[i] += self.column[i]);
        }
        refined.iter_mut().for_each(|z| *z = z.max(0.0));
        if residual(m, q, refined) <= residual(m, q, &self.z) {
            core::mem::swap(&mut self.x, &mut self.z);
        }
    }
}

/// w = M z + q.
fn affine(m: &[f64], q: &[f64], z: &[f64], w: &mut [f64]) {
    w.copy_from_slice(q);
    for (column, &z) in m.chunks_exact(q.len().max(1)).zip(z) {
        w.iter_mut().zip(column).for_each(|(w, m)| *w += m * z);
    }
}

fn unit(i: usize, j: usize) -> f64 {
    if i == j { 1.0 } else { 0.0 }
}
