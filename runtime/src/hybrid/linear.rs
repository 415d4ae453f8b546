//! A motion together with its derivatives by the phase at which it begins.
//!
//! > δ̇ = δv − v × δ,  (δv̇, δż) = ∂(v̇, ż)/∂(δ, v, z) δx  in a mode,  δx⁺ = S δx⁻  at its end
//!
//! in the tangent space of the motion; × is zero for lines, and the bracket of SO(3) or SE(3) for quaternions and poses.
//! So the derivatives Φ move as further states of an automaton, which has the same modes, guards and transitions. With Φ of
//! no columns it is the automaton itself.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::DMatrix;

use super::saltation::NOT_SMOOTH;
use super::tangent::{self, dimension};
use super::{Automaton, Saltation, Stretch};
use crate::integrate::{self, At, Phase, Space};
use crate::manifold;

/// An automaton whose further states are \[z | Φ | dt\]: Φ, (n, k) column by column, the derivatives of (δ, v, z) at a
/// given time, and dt, (k), those of the time of the last transition.
pub(super) struct Linear<'a, A> {
    automaton: &'a mut A,
    space: &'a Space,
    /// Whether k = n, or zero.
    is_linearised: bool,
    jacobian: Vec<f64>,
    /// The largest estimate of the error of a derivative so far, at ends of steps and transitions.
    pub(super) error: f64,
    /// Whether differences served for any derivative of rates.
    has_differences: bool,
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
    /// What moves in a mode has no derivative, as at a kink.
    #[error(
        "at {time} s: differences of the rates of mode {mode} find a derivative to {error:e}, expected a smooth function"
    )]
    NotDifferentiable {
        /// The mode, by name.
        mode: String,
        /// An estimate of the derivative's error, by 1 + its size.
        error: f64,
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
    /// With derivatives by all coordinates, or by none.
    pub(super) fn new(automaton: &'a mut A, space: &'a Space, is_linearised: bool) -> Self {
        let (n, (_, nv, _)) = (dimension(space), space.dimensions());
        Self {
            automaton,
            space,
            is_linearised,
            jacobian: vec![0.0; (n - nv) * (n + 1)],
            error: 0.0,
            has_differences: false,
            is_timed: false,
        }
    }

    /// The space of its phases.
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

    /// Notes how good derivatives of rates are where a step ends: within it they are asked for at phases too that the
    /// motion does not come to.
    ///
    /// # Errors
    ///
    /// [`LinearError::NotDifferentiable`].
    pub(super) fn judge(
        &mut self,
        mode: &A::Mode,
        stretch: &Stretch<'_>,
    ) -> Result<(), LinearError<A::Error>> {
        if !self.has_differences {
            return Ok(());
        }
        let (end, ..) = self.split(&stretch.at(stretch.end()));
        let Self { automaton, space, jacobian, .. } = self;
        let error = tangent::rate_derivatives(*automaton, (mode, space), &end, jacobian);
        if error > NOT_SMOOTH {
            let (mode, time) = (automaton.mode_name(mode), end.time);
            return Err(LinearError::NotDifferentiable { mode, error, time });
        }
        self.error = f64::max(self.error, error);
        Ok(())
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
        let (n, k) = (dimension(self.space), self.columns());
        let (z_dot, rest) = z_dot.split_at_mut(nz);
        let inner = self.inner(at);
        self.automaton.rates(mode, inner, v_dot, z_dot);
        if !self.is_linearised {
            return;
        }
        let (phi_dot, time_dot) = rest.split_at_mut(n * k);
        let Self { automaton, space, jacobian, has_differences, is_timed, .. } = self;
        let phase = tangent::phase(inner);
        let wrong = tangent::rate_derivatives(*automaton, (mode, space), &phase, jacobian);
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
        if !self.is_linearised {
            return self.automaton.transit(mode, fired, phase).map_err(LinearError::Automaton);
        }
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

    /// A sequence without end has no derivatives.
    fn complete(
        &mut self,
        mode: &A::Mode,
        accumulating: &[usize],
        lost: &mut Phase,
    ) -> Result<Option<A::Mode>, Self::Error> {
        if self.is_linearised {
            return Ok(None);
        }
        self.automaton.complete(mode, accumulating, lost).map_err(LinearError::Automaton)
    }

    fn check(&mut self, mode: &A::Mode, at: At<'_>) -> Result<(), Self::Error> {
        let inner = self.inner(at);
        self.automaton.check(mode, inner).map_err(LinearError::Automaton)
    }

    fn mode_name(&self, mode: &A::Mode) -> String {
        self.automaton.mode_name(mode)
    }

    fn guard_name(&self, guard: usize) -> String {
        self.automaton.guard_name(guard)
    }

    fn scale(&self, mode: &A::Mode) -> f64 {
        self.automaton.scale(mode)
    }

    /// Derivatives by Φ are zero, which spares their differences.
    fn guard_derivatives(
        &mut self,
        mode: &A::Mode,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        let n = dimension(self.space);
        let inner = tangent::phase(self.inner(at));
        let mut slopes = vec![0.0; n + 1];
        let Self { automaton, space, .. } = self;
        let error =
            tangent::guard_derivatives(*automaton, (mode, space), guard, &inner, &mut slopes);
        derivatives.fill(0.0);
        derivatives[..n].copy_from_slice(&slopes[..n]);
        if let Some(by_time) = derivatives.last_mut() {
            *by_time = slopes[n];
        }
        Some(error)
    }
}
