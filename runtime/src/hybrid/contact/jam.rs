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
use super::blow::Blow;
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
    /// Lets normals approach in the ratio in which they fall, no faster than is told from rest, by the least change of the
    /// velocity: nothing else moves, and what it adds of energy is of the second order.
    fn press_on(&mut self, touching: &[bool]) {
        let still = self.still();
        let Self { parts, held, mass, free, state, .. } = self;
        let closed = || (0..touching.len()).filter(|part| touching[*part]);
        let v = state.v.as_slice();
        let fall = |part| parts.velocity::<M>(part, 0, free.as_slice()) + parts.bias::<M>(part, 0);
        let fastest = closed().map(fall).fold(0.0, |most: f64, fall| most.max(-fall));
        let slips = closed().filter(|part| *part < M::CONTACTS.len());
        let speed = slips.map(|part| largest(&parts.slip::<M>(part, v))).fold(0.0, f64::max);
        let approach = f64::max(0.5 * still, APPROACH * speed);
        held.clear(M::NV);
        for row in 0..M::NC {
            parts.push_constraint(row, &mut held.rows);
            held.target.push(0.0);
        }
        for part in closed() {
            parts.push_row::<M>(part, 0, &mut held.rows);
            held.target.push(approach * f64::min(fall(part) / fastest, 1.0));
        }
        let mut change = M::V::zeros();
        if fastest > 0.0 && held.solve(mass, change.as_mut_slice()).is_ok() {
            add(state.v.as_mut_slice(), 1.0, change.as_slice());
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
        self.strike(touching, Blow::Jam, phase)?;
        self.has_jammed = true;
        let next = self.go_on((mode, &Fired::default()), (touching, true), phase);
        self.has_jammed = false;
        next
    }
}
