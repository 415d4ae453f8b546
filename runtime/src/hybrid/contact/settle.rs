//! Where gaps could not be resolved: what bounces lower than is told from rest comes to rest.

use alloc::vec::Vec;

use super::automaton::InContact;
use super::decide::Fired;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::Mode;
use crate::control::Controller;
use crate::integrate::Phase;
use crate::model::Model;
use crate::slices::norm;
use crate::space::Storage;

impl<M: Model> Machine<M> {
    /// Holds what touches and leaves so slowly that it would come back without having been resolved: else two edges
    /// on which a block rocks would lift each other for ever. What does not slip before does not after.
    fn hold_slow(&mut self, touching: &[bool]) {
        let v = self.state.v.as_slice();
        let held = |(part, touches): (usize, &bool)| {
            let speed = self.parts.velocity(part, 0, v);
            if !touches || speed > self.slowest_flight(part) {
                return 0;
            }
            let has_friction = self.friction.get(part).is_some_and(|mu| *mu > 0.0);
            let sticks = has_friction && norm(&self.parts.slip(part, v)) <= self.still();
            if sticks { 3 } else { 1 }
        };
        let rows: Vec<usize> = touching.iter().enumerate().map(held).collect();
        self.stop_rows(&rows);
    }
}

impl<M: Model, C: Controller<M>> InContact<'_, M, C> {
    /// The mode at the end of infinitely many impacts, or of one that is too small to be told from them: after another
    /// one without rebound.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn settle(
        &mut self,
        mode: &Mode,
        fired: &Fired,
        phase: &mut Phase,
    ) -> Result<Mode, ContactError> {
        self.restore(mode, phase)?;
        let touching = self.machine.touching(mode);
        self.strike(&touching, false, phase)?;
        self.machine.hold_slow(&touching);
        self.go_on((mode, fired), (&touching, true), phase)
    }
}
