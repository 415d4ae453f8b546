//! How a compliant simulation is set up.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use super::contacts::Contacts;
use super::{Bristles, CompliantSimulation, Error, Friction, Spring, Stribeck};
use crate::constrained::{Constrained, Straight};
use crate::contact::{self, Impulse};
use crate::integrate::{Adaptive, Effort, Phase, Rodas5P, Space, Tolerance};
use crate::model::{Model, Prepared};
use crate::simulate::{Inputs, check_offered, place, somewhere};
use crate::space::Storage;
use crate::state::State;
use crate::unilateral::Unilateral;

/// Seconds of computing for a robot with legs, and minutes of its motion.
const MOST_STEPS: u64 = 100_000;
const TOLERANCE: f64 = 1e-9;
/// N/m and s/m.
const CONTACT: [f64; 2] = [1e5, 20.0];
/// N m/rad and s/rad, or N/m and s/m.
const STOP: [f64; 2] = [1e4, 20.0];
/// 1/m and s/m: critically damped under weight.
const BRISTLES: [f64; 2] = [1e4, 60.0];
/// m/s or rad/s.
const DRY_SPEED: f64 = 1e-3;

/// How the tolerance is stated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Accuracy {
    /// By one number, that of deflections by the longest that they can be.
    Share(f64),
    Whole(Tolerance),
}

impl Accuracy {
    pub(super) fn of(self, contacts: &Contacts) -> Result<Tolerance, Error> {
        match self {
            Self::Whole(tolerance) => Ok(tolerance),
            Self::Share(share) => {
                let longest = contacts.friction.iter().map(Friction::longest);
                let shortest = longest.fold(1.0, f64::min);
                Ok(Tolerance::of_robots(share)?.further(share * shortest)?)
            }
        }
    }
}

impl<M: Model> CompliantSimulation<M> {
    /// At rest in the neutral configuration at time zero.
    ///
    /// Contacts have Hunt and Crossley's law with k = 10⁵ N/m, n = 1 and a = 20 s/m, and bristles with the described
    /// coefficient of friction, σ₀ = 10⁴ 1/m and σ₁ = 60 s/m; ends of joints and declared limits the same law with
    /// k = 10⁴ N m/rad and a = 20 s/rad. Dry friction of joints is smooth below 10⁻³ rad/s. The tolerance is 10⁻⁹.
    /// What is described as restitution is a law of rigid impacts and has no meaning here.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] if a field has an impossible value, or a joint moves no inertia in general. [`Error::Setup`] of a
    /// robot with what compliant contact has not: pairs of solids other than spheres, and torsional friction.
    pub fn new(model: M) -> Result<Self, Error> {
        model.check_fields()?;
        let robot = Constrained::new(model);
        let model = robot.prepared();
        if M::NC == 0 {
            model.check_mass_matrix(&somewhere(model))?;
        }
        let parameters = model.contact_parameters();
        check_offered::<M>("compliant contact", &parameters)?;
        let friction = parameters.iter().map(|contact| bristles(contact.friction));
        let friction = friction.collect::<Result<Vec<_>, Error>>()?;
        let spring = |[k, a]: [f64; 2]| Spring::hunt_crossley(k, 1.0, a);
        let contacts = Contacts::new(model, (spring(CONTACT)?, spring(STOP)?), friction, DRY_SPEED);
        let state = State { time: 0.0, q: model.neutral(), v: M::V::zeros() };
        let accuracy = Accuracy::Share(TOLERANCE);
        let motion = motion::<M>(&contacts, &state, accuracy, None)?;
        let inputs = Inputs::new(model.as_data());
        let mut simulation = Self {
            motion,
            effort: Effort::default(),
            accuracy,
            longest: None,
            most_steps: MOST_STEPS,
            inputs,
            events: 0,
            impulse: Impulse::zeros::<M>(),
            state,
            contacts,
            straight: (M::NC > 0).then(|| Box::new(straight(robot.prepared()))),
            robot,
        };
        simulation.enter();
        Ok(simulation)
    }

    /// With the same spring at all contacts.
    #[must_use]
    pub fn springs(mut self, spring: Spring) -> Self {
        self.set_springs(spring, |what| matches!(what, Unilateral::Contact(_)));
        self
    }

    /// With another spring at one contact.
    ///
    /// # Errors
    ///
    /// [`Error::Simulation`] for a contact that there is not.
    pub fn spring(mut self, contact: &str, spring: Spring) -> Result<Self, Error> {
        let k = declared::<M>(contact)?;
        self.set_springs(spring, |what| *what == Unilateral::Contact(k));
        Ok(self)
    }

    /// With this spring at all ends of joints and declared limits; of n > 1 in the units of the coordinate.
    #[must_use]
    pub fn stops(mut self, spring: Spring) -> Self {
        self.set_springs(spring, |what| !matches!(what, Unilateral::Contact(_)));
        self
    }

    /// With the same friction at all contacts, whatever coefficients are described. Deflections of bristles begin at zero.
    ///
    /// # Errors
    ///
    /// None that the simulation has not had before.
    pub fn friction(mut self, friction: impl Into<Friction>) -> Result<Self, Error> {
        let friction = friction.into();
        self.contacts.friction.iter_mut().for_each(|own| *own = friction);
        self.renewed()
    }

    /// With another friction at one contact. Deflections of bristles, at all contacts, begin at zero.
    ///
    /// # Errors
    ///
    /// [`Error::Simulation`] for a contact that there is not.
    pub fn friction_at(
        mut self,
        contact: &str,
        friction: impl Into<Friction>,
    ) -> Result<Self, Error> {
        self.contacts.friction[declared::<M>(contact)?] = friction.into();
        self.renewed()
    }

    /// With dry friction of joints that is smooth below this speed, in rad/s or m/s: below its bound a joint creeps
    /// so fast.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] unless it is finite and greater than zero.
    pub fn dry_friction_speed(mut self, speed: f64) -> Result<Self, Error> {
        let range = contact::Range::Positive;
        self.contacts.dry_speed = super::error::check("speed of dry friction", speed, range)?;
        Ok(self)
    }

    /// With another tolerance, absolute and relative; absolute of deflections of bristles it is this share of the
    /// shortest [`Bristles::longest`].
    ///
    /// # Errors
    ///
    /// [`Error::Motion`] unless it is from 10⁻¹⁴ to 0.1.
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self, Error> {
        self.accuracy = Accuracy::Share(tolerance);
        self.motion = self.motion.tolerance(self.accuracy.of(&self.contacts)?);
        Ok(self)
    }

    /// With other tolerances, which may be any.
    #[must_use]
    pub fn tolerances(mut self, tolerance: Tolerance) -> Self {
        self.accuracy = Accuracy::Whole(tolerance);
        self.motion = self.motion.tolerance(tolerance);
        self
    }

    /// With no step longer than so many seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Motion`] unless it is finite and greater than zero.
    pub fn longest_step(mut self, h: f64) -> Result<Self, Error> {
        self.motion = self.motion.longest_step(h)?;
        self.longest = Some(h);
        Ok(self)
    }

    /// With no more than so many steps in a run, a hundred thousand if not given.
    #[must_use]
    pub fn most_steps(mut self, most: u64) -> Self {
        self.most_steps = most;
        self
    }

    /// From the configuration `q`, (nq), and the velocity `v`, (nv), at the time that it is, with bristles that are not
    /// deflected. What penetrates presses, or leaves, as its velocity says.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] if they are not finite, or a quaternion is not of unit length.
    pub fn state(mut self, q: M::Q, v: M::V) -> Result<Self, Error> {
        self.reset(q, v)?;
        Ok(self)
    }

    /// Goes to another state at the current time.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state); nothing is then changed.
    pub fn reset(&mut self, q: M::Q, v: M::V) -> Result<(), Error> {
        self.robot.prepared().check(&q, &v)?;
        (self.state.q, self.state.v) = (q, v);
        self.enter();
        self.impulse.clear();
        self.renew()
    }

    fn set_springs(&mut self, spring: Spring, of: impl Fn(&Unilateral) -> bool) {
        let all = self.contacts.elements.iter_mut().filter(|element| of(&element.what));
        all.for_each(|element| element.spring = spring);
        self.enter();
    }

    /// Gives each element the mode of the state.
    fn enter(&mut self) {
        let State { q, v, .. } = &self.state;
        self.contacts.enter(self.robot.prepared(), q, v);
    }

    fn renewed(mut self) -> Result<Self, Error> {
        self.renew()?;
        Ok(self)
    }

    /// Takes steps from where it is, by the settings that it has.
    fn renew(&mut self) -> Result<(), Error> {
        let motion = motion::<M>(&self.contacts, &self.state, self.accuracy, self.longest)?;
        self.effort.add(mem::replace(&mut self.motion, motion).effort());
        Ok(())
    }
}

fn straight<M: Model>(model: &Prepared<M>) -> Straight<Prepared<M>> {
    Straight::new(model, &somewhere(model))
}

/// Steps from a state without deflections.
fn motion<M: Model>(
    contacts: &Contacts,
    state: &State<M>,
    accuracy: Accuracy,
    longest: Option<f64>,
) -> Result<Adaptive<Rodas5P>, Error> {
    let space = Space::of::<M>(contacts.states());
    let phase = Phase {
        time: state.time,
        q: state.q.as_slice().to_vec(),
        v: state.v.as_slice().to_vec(),
        ..Phase::neutral(&space)
    };
    let motion = Adaptive::stiff(&space, phase, accuracy.of(contacts)?)?;
    Ok(match longest {
        Some(h) => motion.longest_step(h)?,
        None => motion,
    })
}

/// Bristles with the described coefficient; none without friction.
fn bristles(friction: f64) -> Result<Friction, Error> {
    if friction == 0.0 {
        return Ok(Friction::None);
    }
    let [stiffness, damping] = BRISTLES;
    Ok(Bristles::new(Stribeck::constant(friction)?, stiffness, damping)?.into())
}

fn declared<M: Model>(contact: &str) -> Result<usize, Error> {
    Ok(place("contact", contact, M::CONTACTS.iter().map(|declared| declared.name))?)
}
