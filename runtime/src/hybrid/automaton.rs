//! What a hybrid automaton is: motion in modes, guards that end them, and what happens there.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt::Debug;

use crate::integrate::{At, Phase};

/// Modes, each with its own smooth motion, and transitions where guards fall through zero.
///
/// The phase space is the same in all modes. Guards have identifiers that keep their meaning from mode to mode, so that
/// the gap of a contact has the same one whatever else touches. Every method must follow from its arguments alone:
/// they are asked in whatever order, at phases that the motion never comes to, and again for derivatives.
///
/// A coordinate δ of a configuration is that of q ⊕ δ, as in [`manifold::integrate`](crate::manifold::integrate).
pub trait Automaton {
    /// What tells modes apart: which contacts hold, stick or slide, for example.
    type Mode: Clone + PartialEq + Debug;
    /// Why a transition is impossible; [`Infallible`](core::convert::Infallible) if none is.
    type Error: Error + 'static;

    /// Writes v̇, (nv), and ż, (nz), as [`System::rates`](crate::integrate::System::rates): smooth in each mode, also a
    /// little beyond where its guards are zero, since a step in which one fires goes on behind it.
    fn rates(&mut self, mode: &Self::Mode, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]);

    /// Writes the guards of a mode to `guards`, which is empty.
    fn guards(&self, mode: &Self::Mode, guards: &mut Vec<usize>);

    /// The value of a guard of the mode: smooth, and positive while the mode goes on. The guard fires where it falls
    /// through zero.
    fn guard(&mut self, mode: &Self::Mode, guard: usize, at: At<'_>) -> f64;

    /// Whether the mode is impossible where the guard is negative, as for a gap; so it is if nothing else is said. A
    /// guard for which it is not only marks a place, such as a section of the flow, and may be negative.
    fn is_bound(&self, mode: &Self::Mode, guard: usize) -> bool {
        let _ = (mode, guard);
        true
    }

    /// The mode that follows where guards of `mode` fire together, in ascending order. It may let `phase` jump, but not
    /// its time.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn transit(
        &mut self,
        mode: &Self::Mode,
        fired: &[usize],
        phase: &mut Phase,
    ) -> Result<Self::Mode, Self::Error>;

    /// The mode that follows where guards of `mode` fire faster than is resolved, mostly infinitely often in a finite
    /// time, and none if that is not known. `lost` is where the tolerance loses them: it may be put right, for example onto
    /// the ground and at rest, but for its time.
    ///
    /// # Errors
    ///
    /// Why there is none although it should be known.
    fn complete(
        &mut self,
        mode: &Self::Mode,
        accumulating: &[usize],
        lost: &mut Phase,
    ) -> Result<Option<Self::Mode>, Self::Error> {
        let _ = (mode, accumulating, lost);
        Ok(None)
    }

    /// The phase at the end of a step, put right by what integration leaves of what the mode holds, such as constraints;
    /// none where nothing has to be. What it changes is within the tolerance of the motion.
    ///
    /// # Errors
    ///
    /// Why the motion cannot go on from there as the mode has it.
    fn hold(&mut self, mode: &Self::Mode, phase: &Phase) -> Result<Option<Phase>, Self::Error> {
        let _ = (mode, phase);
        Ok(None)
    }

    /// A mode as people call it, for messages and graphs.
    fn mode_name(&self, mode: &Self::Mode) -> String {
        format!("{mode:?}")
    }

    /// A guard as people call it.
    fn guard_name(&self, guard: usize) -> String {
        format!("guard {guard}")
    }

    /// Writes ∂(v̇, ż)/∂(δ, v, z, t), (nv + nz, 2 nv + nz + 1) column by column, as
    /// [`System::derivatives`](crate::integrate::System::derivatives), and returns an estimate of their error, the largest
    /// by 1 + their size, zero if they are exact. Where an automaton returns none, differences serve.
    fn derivatives(
        &mut self,
        mode: &Self::Mode,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        let _ = (mode, at, derivatives);
        None
    }

    /// As [`System::scale`](crate::integrate::System::scale), of the rates in a mode.
    fn scale(&self, mode: &Self::Mode) -> f64 {
        let _ = mode;
        f64::INFINITY
    }

    /// Writes ∂g/∂(δ, v, z, t) of a guard, (2 nv + nz + 1), and returns an estimate of their error likewise.
    fn guard_derivatives(
        &mut self,
        mode: &Self::Mode,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        let _ = (mode, guard, at, derivatives);
        None
    }

    /// Writes ∂(δ⁺, v⁺, z⁺)/∂(δ, v, z, t) of [`transit`](Self::transit) at the phase before it, (2 nv + nz,
    /// 2 nv + nz + 1) column by column, and returns an estimate of their error likewise. δ⁺ is about the
    /// configuration after the transition. Where an automaton returns none, differences of the transition serve, which
    /// must then lead to the same mode nearby.
    fn reset_derivatives(
        &mut self,
        mode: &Self::Mode,
        fired: &[usize],
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        let _ = (mode, fired, at, derivatives);
        None
    }

    /// Whether what is declared is an automaton that can begin in a mode at a phase, which has what the mode asks of it but
    /// for its guards: that what it has closed is closed, for example. Asked for once before it moves.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    fn check(&mut self, mode: &Self::Mode, at: At<'_>) -> Result<(), Self::Error> {
        let _ = (mode, at);
        Ok(())
    }
}
