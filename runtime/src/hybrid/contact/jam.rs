//! Impacts without collision: what slides and has no acceleration.
//!
//! In Painlevé's paradox friction presses a contact into what it slides on, and no finite force obeys Coulomb's law. What
//! does is an impulse: that of the problem of a step,
//!
//! > w⁺ = w⁻ + h b + A Λ,
//!
//! with the accelerations b < 0 without what touches, as h tends to zero. Where accelerations exist Λ vanishes with h; where
//! they do not it tends to the impulse that brings the slip to an end, which takes energy as any friction does.
//!
//! # Source
//!
//! Moreau: Unilateral Contact and Dry Friction in Finite Freedom Dynamics (1988), section 12, frictional catching;
//! Stewart: Rigid-Body Dynamics with Friction and Impact, SIAM Review 42 (2000), for the limit of steps.

use super::automaton::InContact;
use super::decide::Fired;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::Mode;
use crate::control::Controller;
use crate::integrate::Phase;
use crate::model::Model;
use crate::slices::{add, largest};
use crate::space::Storage;

/// An approach along normals, by the speed of what touches, that impacts tell from none.
const APPROACH: f64 = 1e-8;

impl<M: Model> Machine<M> {
    /// Lets velocities move on freely for so short a time that normals do not move faster than is told from rest.
    fn press_on(&mut self, touching: &[bool]) {
        let Self { parts, free, state, .. } = self;
        let closed = || (0..touching.len()).filter(|part| touching[*part]);
        let v = state.v.as_slice();
        let fall = |part| parts.velocity(part, 0, free.as_slice()) + parts.bias(part, 0);
        let fastest = closed().map(fall).fold(0.0, |most: f64, fall| most.max(-fall));
        let slips = closed().filter(|part| *part < M::CONTACTS.len());
        let speed = slips.map(|part| largest(&parts.slip(part, v))).fold(0.0, f64::max);
        let approach = f64::max(0.5 * self.still(), APPROACH * speed);
        if fastest > 0.0 {
            add(self.state.v.as_mut_slice(), approach / fastest, self.free.as_slice());
        }
    }
}

impl<M: Model, C: Controller<M>> InContact<'_, M, C> {
    /// The mode after an impact without collision of what touches.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn jam(
        &mut self,
        (mode, touching): (&Mode, &[bool]),
        phase: &mut Phase,
    ) -> Result<Mode, ContactError> {
        self.see(phase)?;
        self.machine.press_on(touching);
        self.strike(touching, false, phase)?;
        self.has_jammed = true;
        let next = self.go_on((mode, &Fired::default()), (touching, true), phase);
        self.has_jammed = false;
        next
    }
}
