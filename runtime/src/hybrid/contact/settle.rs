//! Where gaps could not be resolved: what bounces lower than is told from rest comes to rest.

use alloc::vec::Vec;

use super::blow::Blow;
use super::decide::Fired;
use super::driven::Driven;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::Mode;
use crate::integrate::Phase;
use crate::slices::norm;

impl Machine {
    /// Holds what touches and leaves so slowly that with these accelerations it would come back without having been
    /// resolved: else two edges on which a block rocks would lift each other for ever. What does not slip before does not
    /// after. Whether anything was held that left.
    fn hold_slow(&mut self, touching: &[bool], v_dot: &[f64]) -> bool {
        let (v, still) = (&self.state.v, self.still());
        let mut has_left = false;
        let held = |(part, touches): (usize, &bool)| {
            let speed = self.parts.velocity(part, 0, v);
            if !touches || speed > still.max(self.slowest_flight(part, v_dot)) {
                return 0;
            }
            has_left |= speed > still;
            let has_friction = self.friction.get(part).is_some_and(|mu| *mu > 0.0);
            let sticks = has_friction && norm(&self.parts.slip(part, v)) <= self.still();
            if sticks { 3 } else { 1 }
        };
        let rows: Vec<usize> = touching.iter().enumerate().map(held).collect();
        self.stop_rows(&rows);
        has_left
    }
}

impl Driven<'_> {
    /// The mode at the end of infinitely many impacts, or of one that is too small to be told from them: after another one,
    /// from which what is not resolved does not rebound.
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
        self.strike(&touching, Blow::Approach, phase)?;
        let free = self.machine.free.clone();
        self.machine.hold_slow(&touching, &free);
        let mut next = self.go_on((mode, fired), (&touching, true), phase)?;
        // What others hold may come back faster than it falls freely, as ends of joints do.
        for _ in 0..touching.len() {
            let v_dot = self.machine.v_dot.clone();
            if !self.machine.hold_slow(&touching, &v_dot) {
                break;
            }
            next = self.go_on((mode, fired), (&touching, true), phase)?;
        }
        Ok(next)
    }
}
