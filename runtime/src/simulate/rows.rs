//! What is set by name on the rows of a simulation: motors, and what gives way.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Simulation, SimulationError};
use crate::contact::{self, Motor, Softness};
use crate::description::Chart;
use crate::model::Model;

impl<M: Model> Simulation<M> {
    /// Lets a motor drive a joint of one coordinate from now on, in the place of the one before; `None`
    /// takes it away. It acts beside the inputs of actuators, with a force that the step finds.
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotDeclared`] for a joint that there is not, or that has not one coordinate with
    /// q̇ = v; [`SimulationError::Contact`] names a parameter of the motor that is out of its range.
    pub fn set_motor(&mut self, joint: &str, motor: Option<Motor>) -> Result<(), SimulationError> {
        let v = coordinate::<M>(joint)?;
        if let Some(motor) = motor {
            motor.check().map_err(|error| self.contact_error(error))?;
        }
        put(&mut self.conditions.motors, v, motor);
        Ok(())
    }

    /// Lets a contact give way from now on; `None` makes it rigid again.
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotDeclared`] for a contact that there is not.
    pub fn soften_contact(
        &mut self,
        contact: &str,
        softness: Option<Softness>,
    ) -> Result<(), SimulationError> {
        let found = M::CONTACTS.iter().position(|declared| declared.name == contact);
        let i = found.ok_or_else(|| not_declared("contact", contact))?;
        put(&mut self.conditions.soft_contacts, i, softness);
        Ok(())
    }

    /// Lets the limits of a joint of one coordinate give way from now on; `None` makes them rigid again.
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotDeclared`] for a joint that there is not, or that has not one coordinate with
    /// q̇ = v.
    pub fn soften_limits(
        &mut self,
        joint: &str,
        softness: Option<Softness>,
    ) -> Result<(), SimulationError> {
        let v = coordinate::<M>(joint)?;
        put(&mut self.conditions.soft_limits, v, softness);
        Ok(())
    }

    /// Lets a declared constraint give way from now on, in all its rows; `None` makes it rigid again.
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotDeclared`] for a constraint that there is not.
    pub fn soften_constraint(
        &mut self,
        constraint: &str,
        softness: Option<Softness>,
    ) -> Result<(), SimulationError> {
        let found = M::CONSTRAINTS.iter().position(|declared| declared.name == constraint);
        let i = found.ok_or_else(|| not_declared("constraint", constraint))?;
        put(&mut self.conditions.soft_constraints, i, softness);
        Ok(())
    }

    fn contact_error(&self, error: contact::Error) -> SimulationError {
        SimulationError::Contact { time: self.state.time, error }
    }
}

/// The velocity coordinate of a joint that has one with q̇ = v.
fn coordinate<M: Model>(name: &str) -> Result<usize, SimulationError> {
    let found = M::JOINTS.iter().find(|joint| joint.name == name);
    let single = found.filter(|joint| joint.nv == 1 && joint.chart == Chart::Vector);
    single.map(|joint| joint.v).ok_or_else(|| not_declared("joint of one coordinate", name))
}

fn not_declared(kind: &'static str, name: &str) -> SimulationError {
    SimulationError::NotDeclared { kind, name: name.to_string() }
}

/// Sets, replaces or removes the entry at `i`.
fn put<T>(list: &mut Vec<(usize, T)>, i: usize, value: Option<T>) {
    list.retain(|(at, _)| *at != i);
    list.extend(value.map(|value| (i, value)));
}
