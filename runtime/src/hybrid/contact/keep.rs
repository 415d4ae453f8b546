//! Constraints are kept from step to step, and the motion is followed through their singular positions.
//!
//! How these are passed says `constrained::Straight`; what has closed is kept closed likewise.

use alloc::boxed::Box;

use super::automaton::InContact;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::constrained::{BESIDE, NEAR, Pace, ROUNDING, STEPS, Singular, nearest_singular};
use crate::control::Controller;
use crate::integrate::Phase;
use crate::manifold;
use crate::model::Model;
use crate::slices::{add, largest};
use crate::space::Storage;
use crate::state::State;

impl<M: Model, C: Controller<M>> InContact<'_, M, C> {
    /// A phase with the errors of what a mode has closed put right.
    ///
    /// # Errors
    ///
    /// [`ContactError::SingularPosition`] where it turns into another branch, [`ContactError::Violated`] where errors cannot be
    /// put right, [`ContactError::MassMatrix`].
    pub(super) fn keep_closed(
        &mut self,
        mode: &Mode,
        phase: &Phase,
    ) -> Result<Phase, ContactError> {
        let mut kept = phase.clone();
        self.see(&kept)?;
        for _ in 0..STEPS {
            let way = self.machine.way_back(mode);
            if largest(way.as_slice()) <= ROUNDING {
                break;
            }
            manifold::integrate(M::JOINTS, way.as_slice(), 1.0, &mut kept.q);
            self.see(&kept)?;
        }
        let change = self.machine.velocity_back(mode);
        add(&mut kept.v, 1.0, change.as_slice());
        self.see(&kept)?;
        self.machine.check_constraints(&kept)?;
        if let Some(index) = self.known(mode, kept.at()) {
            let machine = &*self.machine;
            machine.check_smooth(&machine.memory.get(index).v_dot, &kept)?;
        }
        Ok(kept)
    }
}

impl<M: Model> Machine<M> {
    /// The least motion that closes what a mode has closed, where rows were evaluated last.
    fn way_back(&mut self, mode: &Mode) -> M::V {
        let Self { held, parts, gaps, .. } = self;
        held.clear(M::NV);
        for row in 0..M::NC {
            parts.closure.push_row(row, &mut held.rows);
            held.target.push(-parts.closure.error(row).0);
        }
        for (part, gap) in gaps.iter().enumerate().filter(|(part, _)| mode.is_closed(*part)) {
            parts.push_row::<M>(part, 0, &mut held.rows);
            held.target.push(-gap);
        }
        self.least_change()
    }

    /// The least change of velocity by which what a mode has closed stays so, and what sticks does not slip.
    fn velocity_back(&mut self, mode: &Mode) -> M::V {
        let Self { held, parts, state, .. } = self;
        held.clear(M::NV);
        for row in 0..M::NC {
            parts.closure.push_row(row, &mut held.rows);
            held.target.push(-parts.closure.error(row).1);
        }
        for part in (0..parts.count()).filter(|part| mode.is_closed(*part)) {
            let sticks = matches!(mode.contacts.get(part), Some(Touch::Stick));
            for row in 0..if sticks { 3 } else { 1 } {
                parts.push_row::<M>(part, row, &mut held.rows);
                held.target.push(-parts.velocity(part, row, state.v.as_slice()));
            }
        }
        self.least_change()
    }

    /// What fulfils the rows by the least motion in the metric of M, but for those that nearly vanish.
    fn least_change(&mut self) -> M::V {
        let Self { held, mass, .. } = self;
        held.leave(NEAR);
        let mut change = M::V::zeros();
        // Without friction there is no paradox.
        match held.solve(mass, change.as_mut_slice()) {
            Ok(()) => change,
            Err(_) => M::V::zeros(),
        }
    }

    /// # Errors
    ///
    /// [`ContactError::SingularPosition`] where accelerations `v_dot` are those of a motion that turns into another branch.
    fn check_smooth(&self, v_dot: &[f64], phase: &Phase) -> Result<(), ContactError> {
        let now = (v_dot, self.held.is_regular());
        let lost = self.pace(&phase.v).lost(now, || self.singular());
        lost.map_or(Ok(()), |near| Err(singular(&near, phase)))
    }

    /// # Errors
    ///
    /// [`ContactError::SingularPosition`] where a motion is to begin in a singular position, with a velocity that leads along
    /// no branch.
    pub(super) fn check_branch(&self, phase: &Phase) -> Result<(), ContactError> {
        let pace = self.pace(&phase.v);
        let lost = self.singular().filter(|near| pace.is_lost(near));
        lost.map_or(Ok(()), |near| Err(singular(&near, phase)))
    }

    fn pace(&self, v: &[f64]) -> Pace {
        Pace { fastest: largest(v), free: largest(self.free.as_slice()) }
    }

    /// What a failure is called at a phase beside a singular position.
    pub(super) fn lost_branch(&self, phase: &Phase) -> Option<ContactError> {
        let near = self.singular().filter(|near| near.distance < BESIDE)?;
        Some(singular(&near, phase))
    }

    /// The singular position that is next to the state that was looked at last.
    fn singular(&self) -> Option<Singular> {
        let State { time, q, v } = &self.state;
        if M::NC == 0 {
            return None;
        }
        nearest_singular(self.model.as_data(), (q.as_slice(), v.as_slice()), *time)
    }
}

fn singular(near: &Singular, phase: &Phase) -> ContactError {
    let Singular { constraint, distance, .. } = *near;
    ContactError::SingularPosition { constraint, distance, phase: Box::new(phase.clone()) }
}
