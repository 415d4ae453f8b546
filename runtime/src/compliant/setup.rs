//! How a compliant simulation is set up.

use super::accuracy::Accuracy;
use super::moving::Core;
use super::{CompliantSimulation, Error, Friction, Spring};
use crate::contact;
use crate::integrate::Tolerance;
use crate::model::{HeldTable, Model};
use crate::simulate::place;
use crate::space::Storage;
use crate::state::State;
use crate::unilateral::Unilateral;

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
    /// robot with what compliant contact has not: pairs of solids other than spheres, and what resists turning.
    pub fn new(model: M) -> Result<Self, Error> {
        model.check_fields()?;
        let model = model.prepare();
        let core = Core::new(model.as_data(), HeldTable::of_constraints::<M>())?;
        let state = State { time: 0.0, q: model.neutral(), v: M::V::zeros() };
        Ok(Self { model, core, state })
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
        self.core.set_friction(self.model.as_data(), None, friction.into())?;
        Ok(self)
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
        let contact = declared::<M>(contact)?;
        self.core.set_friction(self.model.as_data(), Some(contact), friction.into())?;
        Ok(self)
    }

    /// With dry friction of joints that is smooth below this speed, in rad/s or m/s: below its bound a joint creeps
    /// so fast.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] unless it is finite and greater than zero.
    pub fn dry_friction_speed(mut self, speed: f64) -> Result<Self, Error> {
        let range = contact::Range::Positive;
        self.core.contacts.dry_speed = super::error::check("speed of dry friction", speed, range)?;
        Ok(self)
    }

    /// With another tolerance, absolute and relative; absolute of deflections of bristles it is this share of the
    /// shortest [`Bristles::longest`](super::Bristles::longest).
    ///
    /// # Errors
    ///
    /// [`Error::Motion`] unless it is from 10⁻¹⁴ to 0.1.
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self, Error> {
        self.core.accuracy = Accuracy::Share(tolerance);
        let tolerance = self.core.accuracy.of(&self.core.contacts)?;
        self.core.motion = self.core.motion.tolerance(tolerance);
        Ok(self)
    }

    /// With other tolerances, which may be any.
    #[must_use]
    pub fn tolerances(mut self, tolerance: Tolerance) -> Self {
        self.core.accuracy = Accuracy::Whole(tolerance);
        self.core.motion = self.core.motion.tolerance(tolerance);
        self
    }

    /// With no step longer than so many seconds.
    ///
    /// # Errors
    ///
    /// [`Error::Motion`] unless it is finite and greater than zero.
    pub fn longest_step(mut self, h: f64) -> Result<Self, Error> {
        self.core.motion = self.core.motion.longest_step(h)?;
        self.core.longest = Some(h);
        Ok(self)
    }

    /// With no more than so many steps in a run, a hundred thousand if not given.
    #[must_use]
    pub fn most_steps(mut self, most: u64) -> Self {
        self.core.most_steps = most;
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
        self.model.check(&q, &v)?;
        let result = self.core.reset(self.model.as_data(), (q.as_slice(), v.as_slice()));
        (self.state.q, self.state.v) = (q, v);
        result
    }

    fn set_springs(&mut self, spring: Spring, of: impl Fn(&Unilateral) -> bool) {
        self.core.set_springs(self.model.as_data(), spring, &of);
    }
}

fn declared<M: Model>(contact: &str) -> Result<usize, Error> {
    Ok(place("contact", contact, M::CONTACTS.iter().map(|declared| declared.name))?)
}
