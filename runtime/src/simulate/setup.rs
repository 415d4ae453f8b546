//! How a simulation is set up: settings and the state to start from.

use alloc::vec;
use alloc::vec::Vec;

use super::apart::Apart;
use super::duration::positive;
use super::moving::Core;
use super::{Simulation, SimulationError, State};
use crate::contact::{self, Conditions, Formulation, Ground, Restitution};
use crate::description::{ContactParameters, resistance};
use crate::manifold;
use crate::model::{Model, Table};
use crate::space::Storage;

impl<M: Model> Simulation<M> {
    /// At rest in the neutral configuration, with steps of 1 ms, a tolerance of 1e-9, and Coulomb's
    /// law.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if a field has an impossible value, or a joint moves no inertia in
    /// general. A step says so where one moves none in a particular configuration.
    /// [`SimulationError::Setup`] names a shape that is no solid, or a pair that cannot touch.
    pub fn new(model: M) -> Result<Self, SimulationError> {
        model.check_fields()?;
        let model = model.prepare();
        model.as_data().check_mass_matrix(&asymmetric_configuration(Table::of::<M>()))?;
        let core = Core::new(model.as_data())?;
        let state = State { time: 0.0, q: model.neutral(), v: M::V::zeros() };
        Ok(Self { model, core, state })
    }

    /// With another formulation of contact. What it has not, what resists turning or restitution by Poisson's law, the first
    /// step refuses with [`SimulationError::Setup`], or [`set_formulation`](Self::set_formulation) at once.
    #[must_use]
    pub fn formulation(mut self, formulation: Formulation) -> Self {
        self.core.alter().formulation = formulation;
        self
    }

    /// Goes on with another formulation of contact. What springs let penetrate, those that look at gaps put right at once, by a
    /// displacement; with a [`recovery`](Self::recovery) by and by.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] if it has not what is declared or set: what resists turning, which Coulomb's law has and
    /// contact without friction needs not, or restitution by Poisson's law. Nothing is then changed.
    pub fn set_formulation(&mut self, formulation: Formulation) -> Result<(), SimulationError> {
        let conditions = Conditions { formulation, ..self.core.conditions.clone() };
        self.core.stepper.check(&conditions).map_err(SimulationError::Setup)?;
        *self.core.alter() = conditions;
        Ok(())
    }

    /// With contacts that spring back by this law. The first step fails with [`SimulationError::Setup`] where the
    /// formulation has it not.
    #[must_use]
    pub fn restitution(mut self, law: Restitution) -> Self {
        self.core.alter().restitution = law;
        self
    }

    /// Whether steps start from the impulses of the last one, as they do if nothing is said. If they do not, many take longer,
    /// and where a step leads follows from state and input alone, also where several solutions satisfy its tolerance.
    #[must_use]
    pub fn warm_start(mut self, is_warm: bool) -> Self {
        self.core.stepper.warm_start(is_warm);
        self
    }

    /// Whether chains of bodies move by the generalised leapfrog. Their energy then has no trend, and their momentum is kept
    /// to rounding. If nothing is said, they do where the description has no contacts, pairs or shapes. What declared
    /// constraints of positions tie moves so too, but not beside a soft one or one of velocities, and not in a step that does
    /// not resolve a spring: where h² k j M⁻¹ jᵀ > 1 for its stiffness k and its row j; nor in one beside a singular position in
    /// which the leapfrog has no end. What overlaps is displaced and keeps its momentum. A joint that friction or a motor holds does
    /// not move in a step, but on a body that turns at ω it has a velocity of up to ½ h ω² at its end. A step in which bodies turn
    /// too far, by about half a radian, is refused with [`Error::TooLong`](crate::contact::Error::TooLong), which says which step
    /// would do; so is a shorter one where light links carry heavy ones on ball joints.
    ///
    /// Without it, the Coriolis force of a step is that at its beginning. The energy of a body that turns at ω rad/s then
    /// grows by about h ω² of itself in a second, and that of a linkage may shrink as fast; a step in which more than a tenth of the
    /// kinetic energy is given so ends a run with [`SimulationError::Diverged`]. A step of a robot that moves takes a quarter to a
    /// tenth of the time. [`energy_drift`](Self::energy_drift) has the leapfrog only in steps where that is too much; of the two, what
    /// is said last holds.
    #[must_use]
    pub fn symplectic(mut self, is_symplectic: bool) -> Self {
        let conditions = self.core.alter();
        conditions.move_explicitly();
        conditions.symplectic = is_symplectic;
        self
    }

    /// With the largest trend that the energy of chains may have, 1/s of itself, from zero to infinity. The trend is estimated: h v²
    /// of the fastest coordinate, in rad/s or m/s. How fast bodies float does not count. A step with a larger trend is one of the
    /// [leapfrog](Self::symplectic). This is for robots that can touch something: of others every step is one, if nothing is said.
    /// A quadruped that trots on the ground at steps of 1 ms takes nine times as long with `symplectic(true)`, and three times with
    /// a trend of 0.1. Where steps of the leapfrog and others follow one another, momentum changes by up to half a step of Coriolis
    /// forces each time: in a run of a leg that hops, by 3 % of the impulse of the ground. Steps of one kind lose less than 0.01 %.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] if it is negative or NaN.
    pub fn energy_drift(self, trend: f64) -> Result<Self, SimulationError> {
        self.with(|conditions| (conditions.symplectic, conditions.energy_drift) = (false, trend))
    }

    /// Whether bodies that turn freely and carry nothing keep energy and momentum to rounding, as they do if nothing is said.
    /// They may turn by some thousand radians in a step, and by about one if they have dampers or touch something; a step in which
    /// they turn further is refused with [`Error::TooLong`](crate::contact::Error::TooLong).
    ///
    /// The tilt of a top on the ground has an error of the first order in h. A top of 5 cm that turns at 300 rad/s leans by 0.38 rad
    /// after 2 s. Steps of 1 ms find 0.16 rad, steps of 0.02 ms find 0.37 rad, and [`Variational`](crate::Variational), of the second
    /// order, finds 0.39 rad at 1 ms.
    ///
    /// Without it, the gyroscopic moment of a step is that at its beginning: the energy of a body that turns at ω rad/s then
    /// grows by about h ω² of itself in a second. A step takes some 100 ns less for each that turns, which is half of the
    /// time of a body alone, and the same for what does not turn.
    #[must_use]
    pub fn free_rotation(mut self, is_kept: bool) -> Self {
        self.core.alter().free_rotation = is_kept;
        self
    }

    /// With steps of `h` seconds.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setting`] unless `h` is finite and greater than zero.
    pub fn step_size(mut self, h: f64) -> Result<Self, SimulationError> {
        self.core.step_size = positive("step_size", h)?;
        Ok(self)
    }

    /// With another largest [`Residual::max`](crate::contact::Residual::max) of a step, at which solvers aim, so that where
    /// steps lead depends on it to that accuracy.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setting`] unless it is finite and greater than zero.
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self, SimulationError> {
        self.core.tolerance = positive("tolerance", tolerance)?;
        self.core.stepper.tolerance(tolerance).map_err(SimulationError::Setup)?;
        Ok(self)
    }

    /// With ground of heights, which all shapes touch beside what else they touch. Contacts touch that of the description,
    /// `z = 0` if none is declared.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] of a robot without shapes.
    pub fn ground(mut self, ground: Ground) -> Result<Self, SimulationError> {
        if M::SHAPES.is_empty() {
            return Err(SimulationError::Setup(contact::Error::NoShape));
        }
        self.core.alter().ground = Some(ground);
        Ok(self)
    }

    /// With points of solids that are looked for `margin` metres, 0.01 if not given, before they could touch in a
    /// step at the velocities they have. What impulses lead further within the step is looked for again: more saves doing so.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] unless it is finite and not negative.
    pub fn margin(self, margin: f64) -> Result<Self, SimulationError> {
        self.with(|conditions| conditions.margin = margin)
    }

    /// Where each step puts right a `share` from 0 to 1 of what contacts penetrate and limits are passed by, and a
    /// start with such is no error. What is soft keeps a share of its own. States that a run led to are slightly
    /// within, by what turns in a step: to start from these, a share of 1 changes nothing but that they are accepted.
    /// What came in within a step goes out at most as fast as it came; the rest is put right by a displacement, which gives no
    /// velocity and so no kinetic energy, and of potential energy what lifting takes. Springs are no matter of it: contacts
    /// that [give way](Self::soften_contact), and Todorov's form.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Setup`] unless the share is from 0 to 1.
    pub fn recovery(mut self, share: f64) -> Result<Self, SimulationError> {
        self.core.apart = Apart::Never;
        self.with(|conditions| conditions.recovery = share)
    }

    fn with(mut self, set: impl FnOnce(&mut Conditions)) -> Result<Self, SimulationError> {
        self.core.set(set)?;
        Ok(self)
    }

    /// From this state. A velocity that declared constraints do not allow is made one that they do in the first step, by impulses, as
    /// if they had closed there.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if an entry is not finite or a quaternion not of unit length.
    pub fn state(mut self, q: M::Q, v: M::V) -> Result<Self, SimulationError> {
        self.reset(q, v)?;
        Ok(self)
    }

    /// Goes to another state at the current time.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] as [`state`](Self::state) has it; nothing is then changed.
    pub fn reset(&mut self, q: M::Q, v: M::V) -> Result<(), SimulationError> {
        self.model.check(&q, &v)?;
        self.core.enter(self.model.as_data(), (q.as_slice(), v.as_slice()));
        (self.state.q, self.state.v) = (q, v);
        Ok(())
    }
}

/// A configuration without symmetry: where even there a joint moves no inertia, it never does; (nq).
pub(crate) fn asymmetric_configuration(table: &Table) -> Vec<f64> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let part = |x: f64| x - libm::floor(x);
    let v: Vec<f64> = (0..table.nv).map(|k| 0.3 + 0.7 * part(GOLDEN * k as f64)).collect();
    let mut q = vec![0.0; table.nq];
    manifold::neutral(table.joints, &mut q);
    manifold::integrate(table.joints, &v, 1.0, &mut q);
    q
}

/// # Errors
///
/// [`contact::Error::NotOffered`] of a robot with what a way of contact has not that has points alone: pairs of solids
/// other than spheres, torsional friction and rolling resistance.
pub(crate) fn check_offered(
    table: &Table,
    formulation: &'static str,
    contacts: &[ContactParameters],
) -> Result<(), contact::Error> {
    let not = |what, name| Err(contact::Error::NotOffered { formulation, what, by: Some(name) });
    if let Some(pair) = table.pairs.first() {
        return not("pairs of solids other than spheres", pair.name);
    }
    let mut all = table.contacts.iter().zip(contacts);
    let found =
        all.find_map(|(contact, of)| Some((contact, resistance([of.torsion, of.rolling])?)));
    found.map_or(Ok(()), |(contact, what)| not(what, contact.name))
}
