//! A motion together with its derivatives by the phase at which it begins.
//!
//! > δ̇ = δv − v × δ,  (δv̇, δż) = ∂(v̇, ż)/∂(δ, v, z) δx  in a mode,  δx⁺ = S δx⁻  at its end
//!
//! in the tangent space of the motion; × is zero for lines, and the bracket of SO(3) or SE(3) for quaternions and poses.
//! So the derivatives Φ move as further states of an automaton, which has the same modes, guards and transitions. With Φ of
//! no columns it is the automaton itself.

use alloc::string::String;
use alloc::vec::Vec;

use super::flow::Flow;
use super::variation::Variation;
use super::{Automaton, Saltation, Stretch};
use crate::integrate::{self, At, Phase, Space};

/// An automaton whose further states are \[z | Φ | dt\].
pub(super) struct Linear<'a, A> {
    automaton: &'a mut A,
    pub(super) variation: Variation<'a>,
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
        Self { automaton, variation: Variation::new(space, is_linearised) }
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
        let Self { automaton, variation } = self;
        match variation.judge(&mut Flow { automaton: &mut **automaton, mode }, stretch) {
            None => Ok(()),
            Some((error, time)) => {
                let mode = automaton.mode_name(mode);
                Err(LinearError::NotDifferentiable { mode, error, time })
            }
        }
    }
}

impl<A: Automaton> Automaton for Linear<'_, A> {
    type Mode = A::Mode;
    type Error = LinearError<A::Error>;

    fn rates(&mut self, mode: &A::Mode, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        let Self { automaton, variation } = self;
        variation.write_rates(&mut Flow { automaton: &mut **automaton, mode }, at, v_dot, z_dot);
    }

    fn guards(&self, mode: &A::Mode, guards: &mut Vec<usize>) {
        self.automaton.guards(mode, guards);
    }

    fn guard(&mut self, mode: &A::Mode, guard: usize, at: At<'_>) -> f64 {
        let inner = self.variation.inner(at);
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
        let Self { automaton, variation } = self;
        if !variation.is_linearised {
            return automaton.transit(mode, fired, phase).map_err(LinearError::Automaton);
        }
        let &[guard] = fired else {
            let guards = fired.iter().map(|guard| automaton.guard_name(*guard)).collect();
            return Err(LinearError::Simultaneous { guards, time: phase.time });
        };
        let (before, phi, _) = variation.split(phase);
        let (saltation, next, after) =
            Saltation::of(*automaton, variation.space, mode, guard, &before)?;
        *phase = after;
        variation.transit(&saltation, &phi, phase);
        Ok(next)
    }

    /// A sequence without end has no derivatives.
    fn complete(
        &mut self,
        mode: &A::Mode,
        accumulating: &[usize],
        lost: &mut Phase,
    ) -> Result<Option<A::Mode>, Self::Error> {
        if self.variation.is_linearised {
            return Ok(None);
        }
        self.automaton.complete(mode, accumulating, lost).map_err(LinearError::Automaton)
    }

    fn check(&mut self, mode: &A::Mode, at: At<'_>) -> Result<(), Self::Error> {
        let inner = self.variation.inner(at);
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

    fn guard_derivatives(
        &mut self,
        mode: &A::Mode,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        let Self { automaton, variation } = self;
        let flow = &mut Flow { automaton: &mut **automaton, mode };
        Some(variation.guard_derivatives(flow, (guard, at), derivatives))
    }
}
