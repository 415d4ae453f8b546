//! A motion together with its derivatives by the phase at which it begins.
//!
//! > δ̇ = δv − v × δ,  (δv̇, δż) = ∂(v̇, ż)/∂(δ, v, z) δx  in a mode,  δx⁺ = S δx⁻  at its end
//!
//! in the tangent space of the motion; × is zero for lines, and the bracket of SO(3) or SE(3) for quaternions and poses.
//! So the derivatives Φ move as further states of an automaton, which has the same modes, guards and transitions.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::DMatrix;

use super::tangent::{self, dimension};
use super::{Automaton, Saltation};
use crate::integrate::{self, At, Phase, Space};
use crate::manifold;

/// An automaton whose further states are \[z | Φ | dt\]: Φ, (n, n) column by column, the derivatives of (δ, v, z) at a
/// given time, and dt, (n), those of the time of the last transition.
pub(super) struct Linear<'a, A> {
    automaton: &'a mut A,
    space: &'a Space,
    jacobian: Vec<f64>,
    /// The largest estimate of the error of a derivative so far.
    pub(super) error: f64,
    /// Whether anything so far depended on the time itself.
    pub(super) is_timed: bool,
}

/// Why a motion has no derivatives; E is the reason of an impossible transition.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError<E: core::error::Error + 'static> {
    /// A phase is none of the space.
    #[error(transparent)]
    Phase(#[from] integrate::Error),
    /// There is no transition.
    #[error("no transition")]
    Automaton(#[source] E),
    /// A guard does not fall through zero with a slope.
    #[error("at {time} s: {guard} changes by {slope:e} per second, expected a fall")]
    Grazing {
        /// Its name.
        guard: String,
        /// Its rate.
        slope: f64,
        /// When, in seconds.
        time: f64,
    },
    /// Several guards fire at once; in which order they do nearby decides what follows.
    #[error("at {time} s: {} fire together, expected one", guards.join(" and "))]
    Simultaneous {
        /// Their names.
        guards: Vec<String>,
        /// When, in seconds.
        time: f64,
    },
    /// Guard or reset have no derivative, as at a kink.
    #[error(
        "at {time} s: differences of {guard} or its reset find a derivative to {error:e}, expected a smooth function"
    )]
    NotSmooth {
        /// The guard, by name.
        guard: String,
        /// An estimate of the derivative's error, by 1 + its size.
        error: f64,
        /// When, in seconds.
        time: f64,
    },
    /// The transition leads to another mode nearby.
    #[error("at {time} s: {guard} leads to another mode nearby")]
    Discontinuous {
        /// The guard, by name.
        guard: String,
        /// When, in seconds.
        time: f64,
    },
}

impl<'a, A: Automaton> Linear<'a, A> {
    pub(super) fn new(automaton: &'a mut A, space: &'a Space) -> Self {
        let n = dimension(space);
        let (_, nv, _) = space.dimensions();
        let jacobian = vec![0.0; (n - nv) * (n + 1)];
        Self { automaton, space, jacobian, error: 0.0, is_timed: false }
    }

    /// The space of its phases.
    pub(super) fn space(&self) -> Space {
        let n = dimension(self.space);
        self.space.extended(n * n + n)
    }

    /// A phase with Φ = 1.
    pub(super) fn begin(&self, phase: &Phase) -> Phase {
        let n = dimension(self.space);
        let mut phase = phase.clone();
        phase.z.extend_from_slice(DMatrix::<f64>::identity(n, n).as_slice());
        phase.z.resize(phase.z.len() + n, 0.0);
        phase
    }

    /// The phase, Φ and dt.
    pub(super) fn split(&self, phase: &Phase) -> (Phase, DMatrix<f64>, Vec<f64>) {
        let n = dimension(self.space);
        let (_, _, nz) = self.space.dimensions();
        let (z, rest) = phase.z.split_at(nz);
        let (phi, time) = rest.split_at(n * n);
        let inner = Phase { z: z.into(), ..phase.clone() };
        (inner, DMatrix::from_column_slice(n, n, phi), time.into())
    }

    fn inner<'b>(&self, at: At<'b>) -> At<'b> {
        let (_, _, nz) = self.space.dimensions();
        At { z: &at.z[..nz], ..at }
    }
}

impl<A: Automaton> Automaton for Linear<'_, A> {
    type Mode = A::Mode;
    type Error = LinearError<A::Error>;

    fn rates(&mut self, mode: &A::Mode, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        let (_, nv, nz) = self.space.dimensions();
        let n = dimension(self.space);
        let (z_dot, rest) = z_dot.split_at_mut(nz);
        let (phi_dot, time_dot) = rest.split_at_mut(n * n);
        let inner = self.inner(at);
        self.automaton.rates(mode, inner, v_dot, z_dot);
        let Self { automaton, space, jacobian, error, is_timed } = self;
        let phase = tangent::phase(inner);
        let wrong = tangent::rate_derivatives(*automaton, (mode, space), &phase, jacobian);
        *error = f64::max(*error, wrong);
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

    fn guards(&self, mode: &A::Mode, guards: &mut Vec<usize>) {
        self.automaton.guards(mode, guards);
    }

    fn guard(&mut self, mode: &A::Mode, guard: usize, at: At<'_>) -> f64 {
        let inner = self.inner(at);
        self.automaton.guard(mode, guard, inner)
    }

    fn is_bound(&self, mode: &A::Mode, guard: usize) -> bool {
        self.automaton.is_bound(mode, guard)
    }

    fn transit(
        &mut self,
        mode: &A::Mode,
        fired: &[usize],
        phase: &mut Phase,
    ) -> Result<A::Mode, Self::Error> {
        let &[guard] = fired else {
            let guards = fired.iter().map(|guard| self.automaton.guard_name(*guard)).collect();
            return Err(LinearError::Simultaneous { guards, time: phase.time });
        };
        let (before, phi, _) = self.split(phase);
        let (saltation, next, after) =
            Saltation::of(self.automaton, self.space, mode, guard, &before)?;
        self.error = f64::max(self.error, saltation.error);
        self.is_timed |= saltation.is_timed;
        let (time, phi) = (&saltation.time * &phi, &saltation.matrix * &phi);
        *phase = after;
        phase.z.extend_from_slice(phi.as_slice());
        phase.z.extend_from_slice(time.as_slice());
        Ok(next)
    }

    fn check(&self, mode: &A::Mode) -> Result<(), Self::Error> {
        self.automaton.check(mode).map_err(LinearError::Automaton)
    }

    fn mode_name(&self, mode: &A::Mode) -> String {
        self.automaton.mode_name(mode)
    }

    fn guard_name(&self, guard: usize) -> String {
        self.automaton.guard_name(guard)
    }

    /// Derivatives by Φ are zero, which spares their differences.
    fn guard_derivatives(
        &mut self,
        mode: &A::Mode,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> bool {
        let n = dimension(self.space);
        let inner = tangent::phase(self.inner(at));
        let mut slopes = vec![0.0; n + 1];
        let Self { automaton, space, .. } = self;
        tangent::guard_derivatives(*automaton, (mode, space), guard, &inner, &mut slopes);
        derivatives.fill(0.0);
        derivatives[..n].copy_from_slice(&slopes[..n]);
        if let Some(by_time) = derivatives.last_mut() {
            *by_time = slopes[n];
        }
        true
    }
}
