//! Where guards could not be resolved: what the tolerance has let penetrate is put right, and comes to rest.

use super::automaton::InContact;
use super::decide::Fired;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::Mode;
use crate::control::Controller;
use crate::integrate::Phase;
use crate::manifold;
use crate::model::Model;
use crate::slices::add;
use crate::space::Storage;

/// A height in m that is not resolved, by the tolerance.
const UNRESOLVED: f64 = 10.0;

impl<M: Model> Machine<M> {
    /// Moves a configuration, the least by kinetic energy, to where no gap that was measured last is negative.
    fn put_right(&mut self, q: &mut [f64]) {
        let Self { held, parts, gaps, mass, .. } = self;
        held.clear(M::NV);
        for row in 0..M::NC {
            parts.push_constraint(row, &mut held.rows);
            held.target.push(-parts.constraint_error(row).0);
        }
        for (part, gap) in gaps.iter().enumerate().filter(|(_, gap)| **gap < 0.0) {
            parts.push_row::<M>(part, 0, &mut held.rows);
            held.target.push(-gap);
        }
        let mut way = M::V::zeros();
        // Without friction there is no paradox.
        if held.solve(mass, way.as_mut_slice()).is_ok() {
            manifold::integrate(M::JOINTS, way.as_slice(), 1.0, q);
        }
    }
}

impl<M: Model> Machine<M> {
    /// Holds what touches and moves apart so slowly that it would come back without having been resolved: else two edges
    /// on which a block rocks would lift each other for ever.
    fn hold_slow(&mut self, touching: &[bool]) {
        let Self { held, parts, mass, free, state, tolerance, .. } = self;
        held.clear(M::NV);
        for row in 0..M::NC {
            parts.push_constraint(row, &mut held.rows);
            held.target.push(0.0);
        }
        for part in (0..touching.len()).filter(|part| touching[*part]) {
            let speed = parts.velocity::<M>(part, 0, state.v.as_slice());
            let fall = parts.velocity::<M>(part, 0, free.as_slice()) + parts.bias::<M>(part, 0);
            if speed * speed <= 2.0 * UNRESOLVED * *tolerance * fall.abs() {
                parts.push_row::<M>(part, 0, &mut held.rows);
                held.target.push(-speed);
            }
        }
        let mut change = M::V::zeros();
        if held.solve(mass, change.as_mut_slice()).is_ok() {
            add(state.v.as_mut_slice(), 1.0, change.as_slice());
        }
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
        self.see(phase)?;
        self.machine.put_right(&mut phase.q);
        self.see(phase)?;
        let touching = self.machine.touching(mode, fired);
        self.strike(&touching, false, phase)?;
        self.machine.hold_slow(&touching);
        self.go_on((mode, fired), (&touching, true), phase)
    }
}
