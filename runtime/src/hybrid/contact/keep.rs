//! Constraints are kept from step to step, and the motion is followed through their singular positions.
//!
//! How these are passed says `constrained::Straight`; what has closed is kept closed likewise.

use alloc::boxed::Box;

use super::driven::Driven;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::constrained::{BESIDE, NEAR, Pace, ROUNDING, STEPS, Singular, nearest_singular};
use crate::integrate::Phase;
use crate::manifold;
use crate::model::Robot;
use crate::slices::{add, largest};

impl Driven<'_> {
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
            self.machine.find_way_back(mode);
            let way = &self.machine.change;
            if largest(way) <= ROUNDING {
                break;
            }
            manifold::integrate(self.robot.joints, way, 1.0, &mut kept.q);
            self.see(&kept)?;
        }
        self.machine.find_velocity_back(mode);
        add(&mut kept.v, 1.0, &self.machine.change);
        self.see(&kept)?;
        self.machine.check_constraints(&kept)?;
        if let Some(index) = self.known(mode, kept.at()) {
            let machine = &*self.machine;
            machine.check_smooth(self.robot, &machine.memory.get(index).v_dot, &kept)?;
        }
        Ok(kept)
    }
}

impl Machine {
    /// Finds the least motion that closes what a mode has closed, where rows were evaluated last.
    fn find_way_back(&mut self, mode: &Mode) {
        let Self { held, parts, gaps, .. } = self;
        held.clear(self.table.nv);
        for row in 0..self.table.nc {
            parts.closure.push_row(row, &mut held.rows);
            held.target.push(-parts.closure.error(row).0);
        }
        for (part, gap) in gaps.iter().enumerate().filter(|(part, _)| mode.is_closed(*part)) {
            parts.push_row(part, 0, &mut held.rows);
            held.target.push(-gap);
        }
        self.find_least_change();
    }

    /// Finds the least change of velocity by which what a mode has closed stays so, and what sticks does not slip.
    fn find_velocity_back(&mut self, mode: &Mode) {
        let Self { held, parts, state, .. } = self;
        held.clear(self.table.nv);
        for row in 0..self.table.nc {
            parts.closure.push_row(row, &mut held.rows);
            held.target.push(-parts.closure.error(row).1);
        }
        for part in (0..parts.count()).filter(|part| mode.is_closed(*part)) {
            let sticks = matches!(mode.contacts.get(part), Some(Touch::Stick));
            for row in 0..if sticks { 3 } else { 1 } {
                parts.push_row(part, row, &mut held.rows);
                held.target.push(-parts.velocity(part, row, &state.v));
            }
        }
        self.find_least_change();
    }

    /// Finds what fulfils the rows by the least motion in the metric of M, but for those that nearly vanish.
    fn find_least_change(&mut self) {
        let Self { held, mass, change, .. } = self;
        held.leave(NEAR);
        change.fill(0.0);
        // Without friction there is no paradox.
        if held.solve(mass, change).is_err() {
            change.fill(0.0);
        }
    }

    /// # Errors
    ///
    /// [`ContactError::SingularPosition`] where accelerations `v_dot` are those of a motion that turns into another branch.
    fn check_smooth(
        &self,
        robot: Robot<'_>,
        v_dot: &[f64],
        phase: &Phase,
    ) -> Result<(), ContactError> {
        let now = (v_dot, self.held.is_regular());
        let lost = self.pace(&phase.v).lost(now, || self.singular(robot));
        lost.map_or(Ok(()), |near| Err(singular(&near, phase)))
    }

    /// # Errors
    ///
    /// [`ContactError::SingularPosition`] where a motion is to begin in a singular position, with a velocity that leads along
    /// no branch.
    pub(super) fn check_branch(&self, robot: Robot<'_>, phase: &Phase) -> Result<(), ContactError> {
        let pace = self.pace(&phase.v);
        let lost = self.singular(robot).filter(|near| pace.is_lost(near));
        lost.map_or(Ok(()), |near| Err(singular(&near, phase)))
    }

    fn pace(&self, v: &[f64]) -> Pace {
        Pace { fastest: largest(v), free: largest(&self.free) }
    }

    /// What a failure is called at a phase beside a singular position.
    pub(super) fn lost_branch(&self, robot: Robot<'_>, phase: &Phase) -> Option<ContactError> {
        let near = self.singular(robot).filter(|near| near.distance < BESIDE)?;
        Some(singular(&near, phase))
    }

    /// The singular position that is next to the state that was looked at last.
    fn singular(&self, robot: Robot<'_>) -> Option<Singular> {
        let Phase { time, q, v, .. } = &self.state;
        if robot.nc == 0 {
            return None;
        }
        nearest_singular(robot, (q, v), *time)
    }
}

fn singular(near: &Singular, phase: &Phase) -> ContactError {
    let Singular { constraint, distance, .. } = *near;
    ContactError::SingularPosition { constraint, distance, phase: Box::new(phase.clone()) }
}
