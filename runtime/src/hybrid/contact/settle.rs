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
use crate::space::Storage;

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
        self.go_on((mode, fired), (&touching, true), phase)
    }
}
