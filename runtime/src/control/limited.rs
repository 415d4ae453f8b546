//! Inputs within the effort limits that a description states.

use alloc::vec::Vec;

use super::{Controller, Entry, Servos, entries};
use crate::error::ModelError;
use crate::model::Model;
use crate::space::Storage;
use crate::state::State;

/// A controller whose inputs are made so much smaller that the force of no joint is beyond its effort limit: |(B u)ᵢ| ≤ effort
/// of coordinate i. An input that is not finite stays, and is an error where it acts. [`Servos`] of the controller act within the
/// effort that they state themselves.
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
    /// Of each driven coordinate the effort, and the entries of B.
    driven: Vec<(f64, Vec<Entry>)>,
}

impl<C> Limited<C> {
    /// Within the effort limits of `model`.
    pub fn new<M: Model>(model: &M, controller: C) -> Self
    where
        C: Controller<M>,
    {
        let (entries, limits) =
            (entries(model.input_matrix().as_slice(), M::NV), model.coordinate_parameters());
        let of = |v: usize| entries.iter().filter(|(own, ..)| *own == v).copied().collect();
        let efforts = limits.iter().enumerate().filter(|(_, limit)| limit.effort.is_finite());
        let driven = efforts.map(|(v, limit)| (limit.effort, of(v))).collect();
        Self { controller, driven }
    }
}

impl<M: Model, C: Controller<M>> Controller<M> for Limited<C> {
    fn input(&mut self, state: &State<M>) -> M::U {
        let mut u = self.controller.input(state);
        for (effort, entries) in &self.driven {
            let force: f64 = entries.iter().map(|&(_, input, b)| b * u[input]).sum();
            if force.is_finite() && force.abs() > *effort {
                entries.iter().for_each(|&(_, input, _)| u[input] *= effort / force.abs());
            }
        }
        u
    }

    fn servos(&mut self, state: &State<M>) -> Option<&Servos<M>> {
        self.controller.servos(state)
    }

    fn check(&self) -> Result<(), ModelError> {
        self.controller.check()
    }
}
