//! Singular positions of declared constraints, where branches of a motion meet.
//!
//! Beside one the motion goes [straight](crate::constrained::Straight) on along the branch that it is on. What has massless
//! parts cannot be followed so. Nor can what has redundant rows: steps then become so short that a run does not end. Both end
//! with an error.

use alloc::vec;

use super::Error;
use super::system::Sprung;
use crate::constrained::{BESIDE, Singular, comes_through, is_redundant, nearest_singular};
use crate::control::Controller;
use crate::failure::SimulationError;
use crate::integrate::{Phase, System};
use crate::model::Model;
use crate::slices::sqrt;
use crate::space::Storage;
use crate::state::State;

/// From where on a motion goes straight on, in m or rad.
const FARTHEST: f64 = 5e-2;
/// How near one that cannot may come, by the root of the tolerance, and in m or rad: errors bend branches that cross into
/// hyperbolas, as near to their centre as their root.
const BEND: f64 = 10.0;
const NEAREST: f64 = 1e-3;
const TOO_NEAR: f64 = 3e-2;

impl<M: Model, C: Controller<M>> Sprung<'_, M, C> {
    /// Begins where a velocity must say along which branch the motion goes on, with an error of so much in its coordinates.
    ///
    /// # Errors
    ///
    /// [`SimulationError::SingularPosition`] where it does not.
    pub(super) fn enter(&mut self, phase: &Phase, allowed: f64) -> Result<(), Error> {
        if M::NC == 0 {
            return Ok(());
        }
        self.set(phase.at());
        let (model, State { time, q, v }) = (self.robot.prepared(), &self.state);
        if model.check_mass_matrix(q).is_err()
            || is_redundant(model.as_data(), (q.as_slice(), v.as_slice()), *time)
        {
            self.straight = None;
        }
        self.least = (BEND * sqrt(allowed)).clamp(NEAREST, TOO_NEAR);
        self.look_beside()?;
        if self.is_beside {
            self.accelerate_at(phase);
            let Self { robot, straight, state: State { time, q, v }, .. } = self;
            let at = (&*q, &*v, *time);
            let lost = straight.as_ref().and_then(|way| way.lost_at_start(robot.prepared(), at));
            lost.map_or(Ok(()), |near| Err(singular(&near, *time)))?;
        }
        Ok(())
    }

    /// Whether a step that was not made as one beside a singular position has come through one.
    pub(super) fn has_come_through(&self, from: &Phase, to: &Phase) -> bool {
        if M::NC == 0 || self.is_beside {
            return false;
        }
        let [from, to] = [from, to].map(State::<M>::of);
        let way = (from.q.as_slice(), to.q.as_slice(), to.v.as_slice());
        comes_through(self.robot.prepared().as_data(), way, to.time)
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
        let state = State::<M>::of(phase);
        let (near, time) = (self.nearest(&state), state.time);
        let first = M::CONSTRAINTS.first().map_or("", |first| first.name);
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
        if M::NC == 0 {
            return Ok(());
        }
        if self.is_beside {
            self.accelerate_at(phase);
            let Self { robot, straight, state: State { time, q, v }, .. } = self;
            let at = (&*q, &*v, *time);
            let lost = straight.as_ref().and_then(|way| way.lost(robot.prepared(), at));
            lost.map_or(Ok(()), |near| Err(singular(&near, *time)))?;
        }
        self.set(phase.at());
        self.look_beside()
    }

    /// What a failure is called at a phase beside a singular position.
    pub(super) fn lost_branch(&self, phase: &Phase) -> Option<Error> {
        if M::NC == 0 || !self.is_beside {
            return None;
        }
        let state = State::<M>::of(phase);
        let (near, time) = (self.nearest(&state), state.time);
        near.filter(|near| near.distance < BESIDE).map(|near| singular(&near, time))
    }

    /// Decides how the motion goes on from the state that is looked at.
    fn look_beside(&mut self) -> Result<(), Error> {
        let near = self.nearest(&self.state);
        let distance = near.as_ref().map_or(f64::INFINITY, |near| near.distance);
        self.is_beside = self.straight.is_some() && distance < FARTHEST;
        match near.filter(|_| self.straight.is_none() && distance < self.least) {
            Some(near) => Err(singular(&near, self.state.time)),
            None => Ok(()),
        }
    }

    /// The singular position that is next to a state.
    fn nearest(&self, State { time, q, v }: &State<M>) -> Option<Singular> {
        let robot = self.robot.prepared().as_data();
        nearest_singular(robot, (q.as_slice(), v.as_slice()), *time)
    }

    fn accelerate_at(&mut self, phase: &Phase) {
        let (mut v_dot, mut z_dot) = (M::V::zeros(), vec![0.0; phase.z.len()]);
        self.rates(phase.at(), v_dot.as_mut_slice(), &mut z_dot);
    }
}

fn singular(near: &Singular, time: f64) -> Error {
    let Singular { constraint, distance, .. } = *near;
    SimulationError::SingularPosition { time, constraint, distance }.into()
}
