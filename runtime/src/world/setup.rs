//! The settings of a world.

use nalgebra::Vector3;

use super::shapes::Mover;
use super::{World, WorldError, surface};
use crate::bound::Bound;
use crate::contact::{self, Formulation, Ground, Restitution};

impl World {
    /// With this gravity, m/s², before anything is added that moves: free bodies take it as they are added, and robots must have it.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite, [`WorldError::Gravity`] of what has another one already.
    pub fn gravity(mut self, gravity: Vector3<f64>) -> Result<Self, WorldError> {
        for &entry in gravity.iter() {
            surface::check("gravity", entry, Bound::Finite)?;
        }
        self.gravity = gravity;
        for Mover { thing, member, kinematics, .. } in &self.movers {
            if member.core().table().nv > 0 {
                self.check_gravity(&thing.name, &member.gravity(), &kinematics.place)?;
            }
        }
        Ok(self)
    }

    /// With another formulation of contact, before anything is added. What a robot has that it has no law for is refused as the robot is
    /// added.
    #[must_use]
    pub fn formulation(mut self, formulation: Formulation) -> Self {
        self.conditions.formulation = formulation;
        self.impose();
        self
    }

    /// With contacts that spring back by Newton's law, or that do not: laws of impulses have no step of several robots.
    ///
    /// # Errors
    ///
    /// [`WorldError::Refused`] of Poisson's and of Stronge's.
    pub fn restitution(mut self, law: Restitution) -> Result<Self, WorldError> {
        if matches!(law, Restitution::Poisson | Restitution::Stronge) {
            let (formulation, what) = ("a world", "restitution by a law of impulses");
            let error = contact::Error::NotOffered { formulation, what, by: None };
            return Err(WorldError::Refused { name: "restitution".into(), error });
        }
        self.conditions.restitution = law;
        self.impose();
        Ok(self)
    }

    /// With steps of `h` seconds.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and greater than zero.
    pub fn step_size(mut self, h: f64) -> Result<Self, WorldError> {
        self.step_size = surface::check("step_size", h, Bound::Positive)?;
        self.impose();
        Ok(self)
    }

    /// With another largest residual of a step.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and greater than zero.
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self, WorldError> {
        self.tolerance = surface::check("tolerance", tolerance, Bound::Positive)?;
        self.impose();
        Ok(self)
    }

    /// With ground that shapes and bodies touch; its coefficients hold for all of them.
    #[must_use]
    pub fn ground(mut self, ground: Ground) -> Self {
        self.conditions.ground = Some(ground);
        self
    }

    /// With points that are looked for this many metres, 0.01 if not given, before they could touch in a step at the velocities they have.
    /// What impulses lead further within the step is looked for again: more saves doing so, less saves points that do not act.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and not negative.
    pub fn margin(mut self, margin: f64) -> Result<Self, WorldError> {
        self.conditions.margin = surface::check("margin", margin, Bound::NonNegative)?;
        self.impose();
        Ok(self)
    }

    /// Where each step puts right this share of what overlaps, as [`Simulation::recovery`](crate::Simulation::recovery) says, and a start with such is no error.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is from 0 to 1.
    pub fn recovery(mut self, share: f64) -> Result<Self, WorldError> {
        self.conditions.recovery = surface::check("recovery", share, Bound::Fraction)?;
        self.accepts_overlap = true;
        self.impose();
        Ok(self)
    }

    /// Has everything move by the law of the world.
    fn impose(&mut self) {
        let mut movers = core::mem::take(&mut self.movers);
        for Mover { thing, member, .. } in &mut movers {
            member.enter(self.law_of(thing));
        }
        self.movers = movers;
    }
}
