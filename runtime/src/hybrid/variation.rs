//! Derivatives of a motion that move with it, whatever automaton it is of.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::DMatrix;

use super::flow::InMode;
use super::saltation::NOT_SMOOTH;
use super::tangent::{self, dimension};
use super::{Saltation, Stretch};
use crate::integrate::{At, Phase, Space};
use crate::manifold;

/// Φ, (n, k) column by column, the derivatives of (δ, v, z) at a given time, and dt, (k), those of the time of the last
/// transition, as further states behind z.
pub(super) struct Variation<'a> {
    pub(super) space: &'a Space,
    /// Whether k = n, or zero.
    pub(super) is_linearised: bool,
    jacobian: Vec<f64>,
    /// The largest estimate of the error of a derivative so far, at ends of steps and transitions.
    pub(super) error: f64,
    /// Whether differences served for any derivative of rates.
    has_differences: bool,
    /// Whether anything so far depended on the time itself.
    pub(super) is_timed: bool,
}

impl<'a> Variation<'a> {
    pub(super) fn new(space: &'a Space, is_linearised: bool) -> Self {
        let (n, (_, nv, _)) = (dimension(space), space.dimensions());
        Self {
            space,
            is_linearised,
            jacobian: vec![0.0; (n - nv) * (n + 1)],
            error: 0.0,
            has_differences: false,
            is_timed: false,
        }
    }

    /// The space of phases with these states.
    pub(super) fn space(&self) -> Space {
        self.space.extended((dimension(self.space) + 1) * self.columns())
    }

    /// k.
    fn columns(&self) -> usize {
        if self.is_linearised { dimension(self.space) } else { 0 }
    }

    /// A phase with Φ = 1.
    pub(super) fn begin(&self, phase: &Phase) -> Phase {
        let mut phase = phase.clone();
        let phi = DMatrix::<f64>::identity(dimension(self.space), self.columns());
        phase.z.extend_from_slice(phi.as_slice());
        phase.z.resize(phase.z.len() + self.columns(), 0.0);
        phase
    }

    /// The phase, Φ and dt.
    pub(super) fn split(&self, phase: &Phase) -> (Phase, DMatrix<f64>, Vec<f64>) {
        let (n, k) = (dimension(self.space), self.columns());
        let (_, _, nz) = self.space.dimensions();
        let (z, rest) = phase.z.split_at(nz);
        let (phi, time) = rest.split_at(n * k);
        let inner = Phase { z: z.into(), ..phase.clone() };
        (inner, DMatrix::from_column_slice(n, k, phi), time.into())
    }

    pub(super) fn inner<'b>(&self, at: At<'b>) -> At<'b> {
        let (_, _, nz) = self.space.dimensions();
        At { z: &at.z[..nz], ..at }
    }

    /// Writes rates of a phase and of Φ in a mode.
    pub(super) fn write_rates(
        &mut self,
        flow: &mut dyn InMode,
        at: At<'_>,
        v_dot: &mut [f64],
        z_dot: &mut [f64],
    ) {
        let (_, nv, nz) = self.space.dimensions();
        let (n, k) = (dimension(self.space), self.columns());
        let (z_dot, rest) = z_dot.split_at_mut(nz);
        let inner = self.inner(at);
        flow.rates(inner, v_dot, z_dot);
        if !self.is_linearised {
            return;
        }
        let (phi_dot, time_dot) = rest.split_at_mut(n * k);
        let Self { space, jacobian, has_differences, is_timed, .. } = self;
        let wrong = tangent::rate_derivatives(flow, space, &tangent::phase(inner), jacobian);
        *has_differences |= wrong > 0.0;
        *is_timed |= jacobian[n * (n - nv)..].iter().any(|by_time| *by_time != 0.0);
        for (x, x_dot) in at.z[nz..].chunks_exact(n.max(1)).zip(phi_dot.chunks_exact_mut(n.max(1)))
        {
            let (of_place, straight) = x_dot.split_at_mut(nv);
            of_place.copy_from_slice(&x[nv..2 * nv]);
            manifold::subtract_bracket(space.joints(), at.v, &x[..nv], of_place);
            straight.fill(0.0);
            crate::slices::multiply(straight, &jacobian[..n * (n - nv)], x);
        }
        time_dot.fill(0.0);
    }

    /// Notes how good derivatives of rates are at the end of a stretch in a mode, if there are differences among them; what
    /// is too bad, and when.
    pub(super) fn judge(
        &mut self,
        flow: &mut dyn InMode,
        stretch: &Stretch<'_>,
    ) -> Option<(f64, f64)> {
        if !self.has_differences {
            return None;
        }
        let (end, ..) = self.split(&stretch.at(stretch.end()));
        let Self { space, jacobian, .. } = self;
        let error = tangent::rate_derivatives(flow, space, &end, jacobian);
        if error > NOT_SMOOTH {
            return Some((error, end.time));
        }
        self.error = f64::max(self.error, error);
        None
    }

    /// Goes through a transition to the phase `after`, with Φ as it was before.
    pub(super) fn transit(&mut self, saltation: &Saltation, phi: &DMatrix<f64>, after: &mut Phase) {
        self.error = f64::max(self.error, saltation.error);
        self.is_timed |= saltation.is_timed;
        let (time, phi) = (&saltation.time * phi, &saltation.matrix * phi);
        after.z.extend_from_slice(phi.as_slice());
        after.z.extend_from_slice(time.as_slice());
    }

    /// Writes derivatives of a guard of a mode; those by Φ are zero, which spares their differences.
    pub(super) fn guard_derivatives(
        &self,
        flow: &mut dyn InMode,
        (guard, at): (usize, At<'_>),
        derivatives: &mut [f64],
    ) -> f64 {
        let n = dimension(self.space);
        let inner = tangent::phase(self.inner(at));
        let mut slopes = vec![0.0; n + 1];
        let error = tangent::guard_derivatives(flow, self.space, (guard, &inner), &mut slopes);
        derivatives.fill(0.0);
        derivatives[..n].copy_from_slice(&slopes[..n]);
        if let Some(by_time) = derivatives.last_mut() {
            *by_time = slopes[n];
        }
        error
    }
}
