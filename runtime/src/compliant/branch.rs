//! Singular positions of declared constraints, where branches of a motion meet.
//!
//! Beside one the motion goes [straight](crate::constrained::Straight) on along the branch that it is on. What has massless
//! parts cannot be followed so. Nor can what has redundant rows: steps then become so short that a run does not end. Both end
//! with an error.

use alloc::vec;

use super::Error;
use super::system::Sprung;
use crate::constrained::{BESIDE, Singular, comes_through, is_redundant, nearest_singular};
use crate::failure::SimulationError;
use crate::integrate::{Phase, System};
use crate::slices::sqrt;

/// From where on a motion goes straight on, in m or rad.
const FARTHEST: f64 = 5e-2;
/// How near one that cannot may come, by the root of the tolerance, and in m or rad: errors bend branches that cross into
/// hyperbolas, as near to their centre as their root.
const BEND: f64 = 10.0;
const NEAREST: f64 = 1e-3;
const TOO_NEAR: f64 = 3e-2;

impl Sprung<'_> {
    /// Begins where a velocity must say along which branch the motion goes on, with an error of so much in its coordinates.
    ///
    /// # Errors
    ///
    /// [`SimulationError::SingularPosition`] where it does not.
    pub(super) fn enter(&mut self, phase: &Phase, allowed: f64) -> Result<(), Error> {
        let robot = self.robot;
        if robot.nc == 0 {
            return Ok(());
        }
        self.set(phase.at());
        if robot.check_mass_matrix(&self.q).is_err()
            || is_redundant(robot, (&self.q, &self.v), self.time)
        {
            self.straight = None;
        }
        self.least = (BEND * sqrt(allowed)).clamp(NEAREST, TOO_NEAR);
        self.look_beside()?;
        if self.is_beside {
            self.accelerate_at(phase);
            let at = (&self.q[..], &self.v[..], self.time);
            let lost = self.straight.as_ref().and_then(|way| way.lost_at_start(robot, at));
            lost.map_or(Ok(()), |near| Err(singular(&near, self.time)))?;
        }
        Ok(())
    }

    /// Whether a step that was not made as one beside a singular position has come through one.
    pub(super) fn has_come_through(&self, from: &Phase, to: &Phase) -> bool {
        if self.robot.nc == 0 || self.is_beside {
            return false;
        }
        comes_through(self.robot, (&from.q, &to.q, &to.v), to.time)
    }

    /// Goes straight on from a phase.
    ///
    /// # Errors
    ///
    /// [`SimulationError::SingularPosition`] of what cannot.
    pub(super) fn go_straight(&mut self, phase: &Phase) -> Result<(), Error> {
        self.is_beside = self.straight.is_some();
        if self.is_beside {
            return Ok(());
        }
        let (near, time) = (self.nearest(phase), phase.time);
        let first = self.robot.constraints.first().map_or("", |first| first.name);
        let (constraint, distance) =
            near.map_or((first, 0.0), |near| (near.constraint, near.distance));
        Err(SimulationError::SingularPosition { time, constraint, distance }.into())
    }

    /// Takes into account where a step has led.
    ///
    /// # Errors
    ///
    /// [`SimulationError::SingularPosition`] where it has turned into another branch, or perhaps has.
    pub(super) fn follow(&mut self, phase: &Phase) -> Result<(), Error> {
        if self.robot.nc == 0 {
            return Ok(());
        }
        if self.is_beside {
            self.accelerate_at(phase);
            let at = (&self.q[..], &self.v[..], self.time);
            let lost = self.straight.as_ref().and_then(|way| way.lost(self.robot, at));
            lost.map_or(Ok(()), |near| Err(singular(&near, self.time)))?;
        }
        self.set(phase.at());
        self.look_beside()
    }

    /// What a failure is called at a phase beside a singular position.
    pub(super) fn lost_branch(&self, phase: &Phase) -> Option<Error> {
        if self.robot.nc == 0 || !self.is_beside {
            return None;
        }
        let near = self.nearest(phase).filter(|near| near.distance < BESIDE);
        near.map(|near| singular(&near, phase.time))
    }

    /// Decides how the motion goes on from the state that is looked at.
    fn look_beside(&mut self) -> Result<(), Error> {
        let near = nearest_singular(self.robot, (&self.q, &self.v), self.time);
        let distance = near.as_ref().map_or(f64::INFINITY, |near| near.distance);
        self.is_beside = self.straight.is_some() && distance < FARTHEST;
        match near.filter(|_| self.straight.is_none() && distance < self.least) {
            Some(near) => Err(singular(&near, self.time)),
            None => Ok(()),
        }
    }

    /// The singular position that is next to a phase.
    fn nearest(&self, phase: &Phase) -> Option<Singular> {
        nearest_singular(self.robot, (&phase.q, &phase.v), phase.time)
    }

    /// Finds accelerations and forces of a phase.
    pub(super) fn accelerate_at(&mut self, phase: &Phase) {
        let (mut v_dot, mut z_dot) = (vec![0.0; phase.v.len()], vec![0.0; phase.z.len()]);
        self.rates(phase.at(), &mut v_dot, &mut z_dot);
    }
}

fn singular(near: &Singular, time: f64) -> Error {
    let Singular { constraint, distance, .. } = *near;
    SimulationError::SingularPosition { time, constraint, distance }.into()
}
