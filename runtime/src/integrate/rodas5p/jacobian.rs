//! ∂f/∂y and ∂f/∂t in local coordinates, at the beginning of a step.
//!
//! With derivatives D = ∂(v̇, ż)/∂(δ, v, z, t) of the system, where θ = 0,
//!
//! > ∂θ̇/∂θ = 1/2 \[−ω×\] and ∂θ̇/∂v = 1 for quaternions,  ∂ṗ/∂w = −R \[u×\], ∂ṗ/∂u = R, ∂/∂p = ∂/∂δ Rᵀ for positions
//!
//! of poses; else columns are differences over √(ε max(10⁻⁵, |xⱼ|)), or √(ε s) if the system has a scale s that is less.
//!
//! # Source
//!
//! Hairer, Wanner: Solving Ordinary Differential Equations II (second edition, 1996), section IV.8.

use alloc::vec;
use alloc::vec::Vec;

use super::super::local::Local;
use super::super::method::Step;
use super::super::{At, Space, System};
use crate::manifold;
use crate::slices::sqrt;

/// Derivatives of the right-hand side.
#[derive(Clone, Debug)]
pub(super) struct Jacobian {
    /// (n, n), column by column.
    by_state: Vec<f64>,
    by_time: Vec<f64>,
    /// D, (nv + nz, n + 1).
    derivatives: Vec<f64>,
}

impl Jacobian {
    pub(super) fn new(space: &Space) -> Self {
        let (n, (_, nv, nz)) = (space.local(), space.dimensions());
        Self {
            by_state: vec![0.0; n * n],
            by_time: vec![0.0; n],
            derivatives: vec![0.0; (n + 1) * (nv + nz)],
        }
    }

    /// ∂f/∂y, (n, n), column by column.
    pub(super) fn by_state(&self) -> &[f64] {
        &self.by_state
    }

    /// ∂f/∂t, (n).
    pub(super) fn by_time(&self) -> &[f64] {
        &self.by_time
    }

    /// At the beginning of a step; `y`, (n), is room.
    pub(super) fn evaluate<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        start: &Step<'_>,
        y: &mut [f64],
    ) {
        let (_, nv, _) = local.space.dimensions();
        let (v, z) = start.y[nv..].split_at(nv);
        let at = At { time: start.time, q: local.origin, v, z };
        if local.system.derivatives(at, &mut self.derivatives) {
            self.arrange(local.space, at);
        } else {
            self.take_differences(local, start, y);
        }
    }

    fn take_differences<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        start: &Step<'_>,
        y: &mut [f64],
    ) {
        let (n, time) = (y.len(), start.time + increment(start.time));
        local.evaluate(time, start.y, &mut self.by_time);
        by_difference(&mut self.by_time, start.rate, time - start.time);
        let longest = difference(local.system.scale());
        for (j, column) in self.by_state.chunks_exact_mut(n.max(1)).enumerate() {
            y.copy_from_slice(start.y);
            y[j] += increment(local.space.size(local.origin, start.y, j)).min(longest);
            local.evaluate(start.time, y, column);
            by_difference(column, start.rate, y[j] - start.y[j]);
        }
    }

    /// From the derivatives of the system.
    fn arrange(&mut self, space: &Space, at: At<'_>) {
        let (n, (_, nv, _)) = (space.local(), space.dimensions());
        let rows = n - nv;
        self.by_state.fill(0.0);
        let (by_state, by_time) = self.derivatives.split_at(n * rows);
        let columns = self.by_state.chunks_exact_mut(n.max(1));
        for (column, known) in columns.zip(by_state.chunks_exact(rows.max(1))) {
            column[nv..].copy_from_slice(known);
        }
        self.by_time[nv..].copy_from_slice(by_time);
        manifold::local_derivatives(space.joints(), at.q, at.v, n, &mut self.by_state);
    }
}

/// What to change a number of this size by.
fn increment(x: f64) -> f64 {
    difference(f64::max(1e-5, x.abs()))
}

/// Between what rounding leaves of a difference and what the next term of the series does, where rates change on a scale.
fn difference(scale: f64) -> f64 {
    sqrt(f64::EPSILON * scale)
}

/// (changed − rate) / δ, in the place of what changed.
fn by_difference(changed: &mut [f64], rate: &[f64], change: f64) {
    changed.iter_mut().zip(rate).for_each(|(x, rate)| *x = (*x - rate) / change);
}
