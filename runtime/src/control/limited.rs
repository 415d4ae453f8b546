//! Inputs within the effort limits that a description states.

use alloc::vec;
use alloc::vec::Vec;

use super::servos::entries;
use super::{Controller, Servos, clamped};
use crate::model::Model;
use crate::space::Storage;
use crate::state::State;

/// A controller whose inputs are clamped to the effort limits of the joints that they drive: |Bᵢⱼ uⱼ| ≤ effort of
/// coordinate i. What is NaN stays.
///
/// An input acts as it is, whatever a description states: a simulation clamps nothing by itself. [`Pd`](super::Pd) and
/// [`Servos`] keep to the limits by themselves; a [`Motor`](crate::contact::Motor) has a largest force of its own.
///
/// ```
/// use jourdain::control::Limited;
/// use jourdain::prelude::*;
/// use nalgebra::{SVector, vector};
///
/// /// A mass on a rail.
/// #[derive(Robot, Clone, Copy, Debug)]
/// #[robot(
///     link(cart, mass = 2),
///     joint(rail, prismatic(world -> cart), axis = [1, 0, 0], effort = 4, actuated),
/// )]
/// struct Cart;
///
/// let strong = |_: &State<Cart>| vector![100.0];
/// let mut simulation = Simulation::new(Cart)?;
/// simulation.run(1.0, Limited::new(&Cart, strong))?;
/// assert!((simulation.current().v[0] - 2.0).abs() < 1e-9);
/// # Ok::<(), SimulationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limited<C> {
    controller: C,
    /// The largest |u| of each input, (nu).
    most: Vec<f64>,
}

impl<C> Limited<C> {
    /// Within the effort limits of `model`.
    pub fn new<M: Model>(model: &M, controller: C) -> Self
    where
        C: Controller<M>,
    {
        let (mut most, limits) = (vec![f64::INFINITY; M::NU], model.coordinate_parameters());
        for (v, input, b) in entries::<M>(&model.input_matrix()) {
            most[input] = most[input].min(limits[v].effort / b.abs());
        }
        Self { controller, most }
    }
}

impl<M: Model, C: Controller<M>> Controller<M> for Limited<C> {
    fn input(&mut self, state: &State<M>) -> M::U {
        let mut u = self.controller.input(state);
        for (u, &most) in u.as_mut_slice().iter_mut().zip(&self.most) {
            *u = clamped(*u, most);
        }
        u
    }

    fn servos(&mut self, state: &State<M>) -> Option<&Servos<M>> {
        self.controller.servos(state)
    }
}
