//! What moves a robot on springs, without the robot's types.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use super::accuracy::Accuracy;
use super::contacts::Contacts;
use super::{Error, Friction, Spring};
use crate::constrained::{self, Straight};
use crate::contact::Impulse;
use crate::integrate::{Adaptive, Effort, Phase, Rodas5P, Space};
use crate::model::{HeldTable, Robot};
use crate::simulate::{Inputs, asymmetric_configuration, check_offered};
use crate::unilateral::Unilateral;

/// Seconds of computing for a robot with legs, and minutes of its motion.
const MOST_STEPS: u64 = 100_000;
const TOLERANCE: f64 = 1e-9;
/// N/m and s/m.
const CONTACT: [f64; 2] = [1e5, 20.0];
/// N m/rad and s/rad, or N/m and s/m.
const STOP: [f64; 2] = [1e4, 20.0];
/// m/s or rad/s.
const DRY_SPEED: f64 = 1e-3;

/// All of a [`CompliantSimulation`](super::CompliantSimulation) but the robot.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub(super) held: constrained::Core,
    /// What takes its place beside singular positions of declared constraints.
    pub(super) straight: Option<Box<Straight>>,
    pub(super) contacts: Contacts,
    pub(super) motion: Adaptive<Rodas5P>,
    /// What motions before this one took.
    effort: Effort,
    pub(super) accuracy: Accuracy,
    pub(super) longest: Option<f64>,
    pub(super) most_steps: u64,
    pub(super) inputs: Inputs,
    pub(super) events: u64,
    /// Forces at the end of the last run, as impulses in a second.
    pub(super) impulse: Impulse,
}

impl Core {
    /// At rest in the neutral configuration, for a robot whose fields were checked.
    ///
    /// # Errors
    ///
    /// As [`CompliantSimulation::new`](super::CompliantSimulation::new).
    pub(super) fn new(robot: Robot<'_>, held: &'static HeldTable) -> Result<Self, Error> {
        let held = constrained::Core::new(robot, held);
        let somewhere = asymmetric_configuration(&robot);
        if robot.nc == 0 {
            robot.check_mass_matrix(&somewhere)?;
        }
        let parameters = robot.contact_parameters();
        check_offered(&robot, "compliant contact", &parameters)?;
        let friction = parameters.iter().map(|contact| Friction::described(contact.friction));
        let friction = friction.collect::<Result<Vec<_>, Error>>()?;
        let spring = |[k, a]: [f64; 2]| Spring::hunt_crossley(k, 1.0, a);
        let contacts = Contacts::new(robot, (spring(CONTACT)?, spring(STOP)?), friction, DRY_SPEED);
        let accuracy = Accuracy::Share(TOLERANCE);
        let space = Space::new(robot.joints, contacts.states());
        let phase = Phase::neutral(&space);
        let motion = Adaptive::stiff(&space, phase, accuracy.of(&contacts)?)?;
        let mut core = Self {
            held,
            straight: (robot.nc > 0).then(|| Box::new(Straight::new(robot, &somewhere))),
            motion,
            effort: Effort::default(),
            accuracy,
            longest: None,
            most_steps: MOST_STEPS,
            inputs: Inputs::new(robot),
            events: 0,
            impulse: Impulse::zeros_of(&robot),
            contacts,
        };
        core.enter(robot);
        Ok(core)
    }

    /// What it took since it was set up.
    pub(super) fn effort(&self) -> Effort {
        let mut effort = self.effort;
        effort.add(self.motion.effort());
        effort
    }

    /// Has another spring where `of` says so.
    pub(super) fn set_springs(
        &mut self,
        robot: Robot<'_>,
        spring: Spring,
        of: &dyn Fn(&Unilateral) -> bool,
    ) {
        let all = self.contacts.elements.iter_mut().filter(|element| of(&element.what));
        all.for_each(|element| element.spring = spring);
        self.enter(robot);
    }

    /// Has another friction at one contact, or at all.
    pub(super) fn set_friction(
        &mut self,
        robot: Robot<'_>,
        contact: Option<usize>,
        friction: Friction,
    ) -> Result<(), Error> {
        let all = self.contacts.friction.iter_mut().enumerate();
        let chosen = all.filter(|(k, _)| contact.is_none_or(|contact| contact == *k));
        chosen.for_each(|(_, own)| *own = friction);
        let Phase { q, v, .. } = self.motion.phase().clone();
        self.renew(robot, (&q, &v))
    }

    /// Goes to a state that was checked, at the current time.
    pub(super) fn reset(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
    ) -> Result<(), Error> {
        self.contacts.enter(robot, (q, v));
        self.impulse.clear();
        self.renew(robot, (q, v))
    }

    /// Gives each element the mode of the state.
    fn enter(&mut self, robot: Robot<'_>) {
        let Phase { q, v, .. } = self.motion.phase();
        self.contacts.enter(robot, (q, v));
    }

    /// Takes steps from a state without deflections at the current time, by the settings that it has.
    fn renew(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64])) -> Result<(), Error> {
        let space = Space::new(robot.joints, self.contacts.states());
        let time = self.motion.phase().time;
        let phase = Phase { time, q: q.to_vec(), v: v.to_vec(), ..Phase::neutral(&space) };
        let motion = Adaptive::stiff(&space, phase, self.accuracy.of(&self.contacts)?)?;
        let motion = match self.longest {
            Some(h) => motion.longest_step(h)?,
            None => motion,
        };
        self.effort.add(mem::replace(&mut self.motion, motion).effort());
        Ok(())
    }
}
