//! The stepper with the types of a model.

use core::marker::PhantomData;

use super::stepper::Core;
use super::{Conditions, Error, Impulse, Outcome, Residual};
use crate::model::{Model, with_data};
use crate::space::Storage;

/// Solves steps of a model in storage that is allocated once.
#[derive(Clone, Debug)]
pub struct Stepper<M: Model> {
    pub(super) core: Core,
    velocity: M::V,
    model: PhantomData<fn() -> M>,
}

impl<M: Model> Stepper<M> {
    /// Reads friction, restitution, limits and shapes from the model, once.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] and [`Error::Pair`] name a shape that is no solid, or a pair that cannot touch.
    pub fn new(model: &M) -> Result<Self, Error> {
        let core = with_data(model, Core::new)?;
        Ok(Self { core, velocity: M::V::zeros(), model: PhantomData })
    }

    /// Has solvers of cones aim at steps of another [`Residual::max`](super::Residual::max), which is 1e-9 unless stated.
    /// Those of polygons and pyramids end with what rounding leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless it is finite and greater than zero.
    pub fn tolerance(&mut self, tolerance: f64) -> Result<(), Error> {
        self.core.tolerance(tolerance)
    }

    /// v⁺ of the last step; that of a floating joint in the axes that its child has at the beginning. Where
    /// [chains](Conditions::symplectic) move by the leapfrog, it is the velocity that impulses led to, in the middle of the step.
    pub fn velocity(&self) -> &M::V {
        &self.velocity
    }

    /// Where the last step leads, which began at `q` and was of `step_size` seconds, and v⁺ there, in the axes of its end: what
    /// a [`Simulation`](crate::Simulation) takes for its next state. What overlapped is displaced, bodies that turn freely turn by
    /// their own law, and [chains](Conditions::symplectic) end their leapfrog.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] of chains.
    ///
    /// ```
    /// use jourdain::contact::{Conditions, Stepper};
    /// use jourdain::prelude::*;
    /// use nalgebra::vector;
    ///
    /// /// A ball that falls.
    /// #[derive(Robot, Clone, Copy, Debug)]
    /// #[robot(
    ///     link(ball, mass = 2),
    ///     joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
    ///     contact(foot, on = ball, sphere = 0.1),
    /// )]
    /// struct Ball;
    ///
    /// let (mut stepper, conditions, h) = (Stepper::new(&Ball)?, Conditions::default(), 1e-3);
    /// let (mut q, mut v) = (vector![0.3], vector![0.0]);
    /// for k in 0..1000 {
    ///     let force = Ball.passive_force(&q, &v);
    ///     stepper.step(&Ball, (&q, &v), &force, (f64::from(k) * h, h), &conditions)?;
    ///     assert!(stepper.residual(h, &conditions).max() < 1e-9);
    ///     (q, v) = stepper.end(&Ball, &q, h)?;
    /// }
    /// assert!((q[0] - 0.1).abs() < 1e-6 && v[0].abs() < 1e-9);
    /// # Ok::<(), jourdain::contact::Error>(())
    /// ```
    pub fn end(&mut self, model: &M, q: &M::Q, step_size: f64) -> Result<(M::Q, M::V), Error> {
        let (mut q_end, mut v_end) = (q.clone(), M::V::zeros());
        let to = (q_end.as_mut_slice(), v_end.as_mut_slice());
        with_data(model, |robot| self.core.write_end(robot, q.as_slice(), step_size, to))?;
        Ok((q_end, v_end))
    }

    /// Λ of the last step; the axes of contacts are those of
    /// [`contact_parameters_at`](Model::contact_parameters_at) where it began.
    pub fn impulse(&self) -> &Impulse {
        self.core.impulse()
    }

    /// φ of the contacts at the beginning of the last step.
    pub fn gaps(&self) -> &[f64] {
        self.core.gaps()
    }

    /// The residual of the last step, which was of `step_size` seconds.
    pub fn residual(&mut self, step_size: f64, conditions: &Conditions) -> Residual {
        self.core.residual(step_size, conditions)
    }

    /// Forgets the last step, from whose impulses and bases the next one would start.
    pub fn forget(&mut self) {
        self.core.forget();
    }

    /// Whether steps start from the impulses of the last one, as they do if nothing is said.
    #[inline]
    pub fn warm_start(&mut self, is_warm: bool) {
        self.core.warm_start(is_warm);
    }

    /// Finds v⁺ and Λ of a step of `step_size` seconds from `state` = (q, v) at `time` under the
    /// generalised force `force` (inputs, springs, dampers, wrenches; the bias force is not among
    /// it). What it finds is to be judged by its [`residual`](super::residual), and leads to its [`end`](Self::end).
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] of a motor, the margin or the recovery; [`Error::TimeConstant`] of the formulation;
    /// [`Error::TooLong`] of a step in which chains turn too far;
    /// [`Error::MassMatrix`], [`Error::Gap`], [`Error::Pose`] and [`Error::Violated`] of the state;
    /// [`Error::Bilateral`], [`Error::Complementarity`], [`Error::Cone`], [`Error::Jammed`] and
    /// [`Error::TooLarge`] of the problem. `velocity` and `impulse` then hold nothing of use.
    pub fn step(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        force: &M::V,
        during: (f64, f64),
        conditions: &Conditions,
    ) -> Result<Outcome, Error> {
        let state = (state.0.as_slice(), state.1.as_slice());
        let outcome = with_data(model, |robot| {
            self.core.step(robot, state, force.as_slice(), during, conditions)
        })?;
        self.velocity.as_mut_slice().copy_from_slice(self.core.velocity());
        Ok(outcome)
    }
}
