//! What moves in a world: without its types, and with them.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use nalgebra::Vector3;

use crate::control::Controller;
use crate::failure::SimulationError;
use crate::model::{Model, Robot};
use crate::playback::{Body, Scene};
use crate::record::Recording;
use crate::simulate::{self, Law, Simulation, Start};
use crate::space::Storage;

/// A robot or a body in a world.
pub(super) trait Member: Send {
    /// Decides what drives it in the next step.
    ///
    /// # Errors
    ///
    /// Those of its controller's servos.
    fn drive(&mut self) -> Result<(), SimulationError>;

    fn core(&self) -> &simulate::Core;

    /// What its fields are to kernels.
    fn numbers(&self) -> &[f64];

    /// Moves by the law of a world from now on.
    fn enter(&mut self, law: Law<'_>);

    /// What steps it, the robot, and the input of the step.
    fn parts(&mut self) -> (&mut simulate::Core, Robot<'_>, &[f64]);

    /// Takes its state from what stepped it.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Unstable`] if its controller makes velocities alternate and grow.
    fn show(&mut self) -> Result<(), SimulationError>;

    /// Why a step failed, if what drives it is to blame.
    fn blame(&mut self, error: SimulationError) -> SimulationError;

    /// Goes back to the state before the last step, which began so.
    fn undo(&mut self, start: Start);

    /// Its acceleration of gravity in its own world, m/s².
    fn gravity(&self) -> Vector3<f64>;

    /// T + U in J.
    fn energy(&self) -> f64;

    /// Its links as they are drawn.
    fn bodies(&self) -> Vec<Body>;

    /// Its simulation, to be kept.
    fn save(&self) -> Box<dyn Any + Send>;

    /// Goes back to what was kept; whether that was of this type.
    fn restore(&mut self, saved: &dyn Any) -> bool;

    fn as_any(&self) -> &dyn Any;

    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// A robot with what drives it.
pub(super) struct Controlled<M: Model> {
    pub(super) simulation: Simulation<M>,
    pub(super) controller: Option<Box<dyn Controller<M> + Send>>,
    u: M::U,
}

impl<M: Model> Controlled<M> {
    /// Driven by nothing.
    pub(super) fn new(simulation: Simulation<M>) -> Self {
        Self { simulation, controller: None, u: M::U::zeros() }
    }
}

impl<M: Model + Clone + Send + 'static> Member for Controlled<M> {
    fn drive(&mut self) -> Result<(), SimulationError> {
        let controller = self.controller.as_deref_mut().map(|of| of as &mut dyn Controller<M>);
        self.u = self.simulation.prepare(controller)?;
        Ok(())
    }

    fn core(&self) -> &simulate::Core {
        self.simulation.core()
    }

    fn numbers(&self) -> &[f64] {
        self.simulation.numbers()
    }

    fn parts(&mut self) -> (&mut simulate::Core, Robot<'_>, &[f64]) {
        let (core, robot) = self.simulation.parts();
        (core, robot, self.u.as_slice())
    }

    fn enter(&mut self, law: Law<'_>) {
        self.simulation.enter(law);
    }

    fn show(&mut self) -> Result<(), SimulationError> {
        self.simulation.conclude(&self.u)
    }

    fn blame(&mut self, error: SimulationError) -> SimulationError {
        let controller = self.controller.as_deref().map(|of| of as &dyn Controller<M>);
        self.simulation.explain(controller, &self.u, error)
    }

    fn undo(&mut self, start: Start) {
        self.simulation.go_back(start);
    }

    fn gravity(&self) -> Vector3<f64> {
        self.simulation.model().gravity()
    }

    fn energy(&self) -> f64 {
        self.simulation.energy()
    }

    fn bodies(&self) -> Vec<Body> {
        // At any rate nothing is recorded.
        let Ok(nothing) = Recording::new(1.0) else { return Vec::new() };
        let mut bodies = Scene::film(self.simulation.model(), &nothing).bodies;
        bodies.truncate(M::LINKS.len());
        bodies
    }

    fn save(&self) -> Box<dyn Any + Send> {
        Box::new(self.simulation.clone())
    }

    fn restore(&mut self, saved: &dyn Any) -> bool {
        let saved = saved.downcast_ref::<Simulation<M>>();
        saved.is_some_and(|saved| {
            self.simulation.clone_from(saved);
            true
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
