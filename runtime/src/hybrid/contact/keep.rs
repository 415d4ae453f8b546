//! Constraints are kept from step to step, and the motion is followed through their singular positions.
//!
//! Beside a singular position a row u of the closure, which vanishes there, is h = ½ xᵀ B x: branches cross. What integration
//! leaves of h makes hyperbolas of them, which a motion with small steps would follow round their corner into another
//! branch. So after each step errors of places and velocities are put right to rounding, except along rows that nearly
//! vanish; where these are so short that rounding counts, they hold nothing, and the motion goes straight on.
//!
//! That it does is watched: no force that acts makes accelerations there such as turning round a corner takes.

use alloc::boxed::Box;

use super::automaton::InContact;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::constrained::{Singular, nearest_singular};
use crate::control::Controller;
use crate::integrate::Phase;
use crate::manifold;
use crate::model::Model;
use crate::slices::{add, largest};
use crate::space::Storage;
use crate::state::State;

/// What S must show of a row for its error to be put right: rows of a thousandth of their size.
const NEAR: f64 = 1e-10;
/// Newton's steps after which an error is what rounding leaves.
const STEPS: usize = 4;
/// A motion that is rounding, in m or rad.
const ROUNDING: f64 = 1e-15;
/// Accelerations beside a singular position by those of forces and of the velocity that are no smooth motion.
const SUDDEN: f64 = 100.0;
/// A distance to a singular position from which on motions may turn into another branch, in m or rad.
const BESIDE: f64 = 1e-2;
/// A distance at which rows that vanish hold nothing, in m or rad.
const WINDOW: f64 = 1e-5;
/// The square of a speed by free accelerations and that distance with which a motion is through before these have led it
/// aside by a tenth of the distance.
const SLOW: f64 = 20.0;
/// A speed that is none, in m/s or rad/s.
const REST: f64 = 1e-6;

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
            parts.push_constraint(row, &mut held.rows);
            held.target.push(-parts.constraint_error(row).0);
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
            parts.push_constraint(row, &mut held.rows);
            held.target.push(-parts.constraint_error(row).1);
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
        let (fastest, free) = (largest(&phase.v), largest(self.free.as_slice()));
        let slow = SLOW * free * WINDOW;
        if !self.held.is_regular() && fastest * fastest < slow {
            self.check_branch(phase)?;
        }
        let sudden =
            |curvature: f64| largest(v_dot) > SUDDEN * (free + curvature * fastest * fastest);
        if !sudden(0.1) {
            return Ok(());
        }
        match self.singular() {
            Some(near) if near.distance < BESIDE && sudden(near.curvature) => {
                Err(singular(&near, phase))
            }
            _ => Ok(()),
        }
    }

    /// # Errors
    ///
    /// [`ContactError::SingularPosition`] where a motion is to begin in a singular position, with a velocity that leads along
    /// no branch.
    pub(super) fn check_branch(&self, phase: &Phase) -> Result<(), ContactError> {
        let slow = SLOW * largest(self.free.as_slice()) * WINDOW;
        let is_slow = |speed: f64| speed < REST || speed * speed < slow;
        match self.singular() {
            Some(near) if near.distance < WINDOW && is_slow(near.speed) => {
                Err(singular(&near, phase))
            }
            _ => Ok(()),
        }
    }

    /// What a failure is called at a phase beside a singular position.
    pub(super) fn lost_branch(&self, phase: &Phase) -> Option<ContactError> {
        let near = self.singular().filter(|near| near.distance < BESIDE)?;
        Some(singular(&near, phase))
    }

    /// The singular position that is next to the state that was looked at last.
    fn singular(&self) -> Option<Singular> {
        let State { time, q, v } = &self.state;
        if M::NC == 0 { None } else { nearest_singular(&self.model, (q, v), *time) }
    }
}

fn singular(near: &Singular, phase: &Phase) -> ContactError {
    let Singular { constraint, distance, .. } = *near;
    ContactError::SingularPosition { constraint, distance, phase: Box::new(phase.clone()) }
}
