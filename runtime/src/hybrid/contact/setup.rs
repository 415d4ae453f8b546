//! How a run is set up: settings and the state to start from.

use super::blow::Blows;
use super::error::ContactError;
use super::mark::Mark;
use super::simulation::HybridSimulation;
use crate::impact::Law;
use crate::integrate::{self, Method, Tolerance};
use crate::model::Model;
use crate::space::Storage;
use crate::state::State;

impl<M: Model, I: Method> HybridSimulation<M, I> {
    /// With another tolerance, both absolute and relative.
    ///
    /// # Errors
    ///
    /// [`ContactError::Motion`] unless it is from 10⁻¹⁴ to 0.1.
    pub fn tolerance(self, tolerance: f64) -> Result<Self, ContactError> {
        Ok(self.tolerances(Tolerance::of_robots(tolerance)?))
    }

    /// With other tolerances.
    #[must_use]
    pub fn tolerances(mut self, tolerance: Tolerance) -> Self {
        self.run.core.tolerance = tolerance;
        self.run.core.machine.resolution.tolerance = tolerance;
        self
    }

    /// With another law of impact than Newton's and Coulomb's; it says what limits are left with, too. Stronge's with all
    /// impacts at once has none for several parts that touch together, what rests among them: it wants a sequence.
    ///
    /// With friction, and with limits whose e is another one than that of contacts, Newton's law may give energy. In 40 falls
    /// of two legs with limp joints, e = 0.6 and μ = 0.8, twelve impacts gave some, one of them 39 J; none did by Poisson's
    /// law. The [`work`](crate::impact::Outcome::work) of each is in [`impacts`](Self::impacts), and nothing else gives energy.
    ///
    /// # Errors
    ///
    /// [`ContactError::Law`] of a law that is not possible, or not for this robot.
    pub fn impact_law(mut self, law: Law) -> Result<Self, ContactError> {
        self.run.core.machine.blows = Blows::new(self.run.model.as_data(), law)?;
        Ok(self)
    }

    /// With no step longer than so many seconds.
    ///
    /// # Errors
    ///
    /// [`ContactError::Motion`] unless it is finite and greater than zero.
    pub fn longest_step(mut self, h: f64) -> Result<Self, ContactError> {
        self.run.core.longest = Some(integrate::positive("longest step", h)?);
        Ok(self)
    }

    /// With no more than so many steps of integration from event to event, a million if not given.
    #[must_use]
    pub fn most_steps(mut self, most: u64) -> Self {
        self.run.core.most_steps = most;
        self
    }

    /// From the configuration `q`, (nq), and the velocity `v`, (nv), at the time that it is. What touches and approaches
    /// there makes an impact when a run begins.
    ///
    /// # Errors
    ///
    /// [`ContactError::Model`] if they are not finite, or a quaternion is not of unit length.
    pub fn state(mut self, q: M::Q, v: M::V) -> Result<Self, ContactError> {
        self.reset(q, v)?;
        Ok(self)
    }

    /// Goes to another state at the current time; what happened before is forgotten.
    ///
    /// # Errors
    ///
    /// As [`state`](Self::state); nothing is then changed.
    pub fn reset(&mut self, q: M::Q, v: M::V) -> Result<(), ContactError> {
        self.run.model.check(&q, &v)?;
        self.run.core.enter(q.as_slice(), v.as_slice());
        (self.run.state.q, self.run.state.v) = (q, v);
        Ok(())
    }

    /// With a guard of one's own: an event where `guard` falls through zero, in the [`events`](Self::events) as
    /// [`Guard::Mark`](super::Guard::Mark), which changes nothing. One that is negative to begin with fires when it falls
    /// after having been positive.
    #[must_use]
    pub fn guard(
        mut self,
        name: &str,
        guard: impl Fn(&State<M>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        self.run.core.machine.marks.push(Mark::new(name, guard));
        self
    }

    /// The same where the state jumps to the (q, v) that `reset` says, which must be a state that a run can begin from; what
    /// touches there is decided anew.
    #[must_use]
    pub fn guard_with_reset(
        mut self,
        name: &str,
        guard: impl Fn(&State<M>) -> f64 + Send + Sync + 'static,
        reset: impl Fn(&State<M>) -> (M::Q, M::V) + Send + Sync + 'static,
    ) -> Self {
        self.run.core.machine.marks.push(Mark::new(name, guard).with_reset(reset));
        self
    }
}
