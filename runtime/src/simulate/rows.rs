//! What is set by name on the rows of a simulation: motors, and what gives way.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::{Simulation, SimulationError};
use crate::contact::{Motor, Softness};
use crate::description::{Chart, Joint};
use crate::model::{Model, Table};
use crate::nearest::nearest;

impl<M: Model> Simulation<M> {
    /// Lets a motor drive a joint of one coordinate from now on, in the place of the one before; `None`
    /// takes it away. It acts beside the inputs of actuators, with a force that the step finds, up to its own largest one:
    /// the effort that a description states does not bound it.
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotDeclared`] for a joint that there is not, [`SimulationError::Coordinates`] for one that has
    /// not one coordinate with q̇ = v; [`SimulationError::Motor`] names a parameter of the motor that is out of its range.
    pub fn set_motor(&mut self, joint: &str, motor: Option<Motor>) -> Result<(), SimulationError> {
        let Joint { v, name, .. } = *coordinate(self.core.table, joint)?;
        if let Some(motor) = motor {
            motor.check().map_err(|error| SimulationError::Motor { joint: name, error })?;
        }
        self.core.alter();
        self.core.withdraw();
        put(&mut self.core.conditions.motors, v, motor);
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
        let i = place("contact", contact, M::CONTACTS.iter().map(|declared| declared.name))?;
        put(&mut self.core.alter().soft_contacts, i, softness);
        Ok(())
    }

    /// Lets the limits of a joint of one coordinate give way from now on; `None` makes them rigid again.
    ///
    /// # Errors
    ///
    /// [`SimulationError::NotDeclared`] for a joint that there is not, [`SimulationError::Coordinates`] for one that has
    /// not one coordinate with q̇ = v.
    pub fn soften_limits(
        &mut self,
        joint: &str,
        softness: Option<Softness>,
    ) -> Result<(), SimulationError> {
        let v = coordinate(self.core.table, joint)?.v;
        put(&mut self.core.alter().soft_limits, v, softness);
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
        let names = M::CONSTRAINTS.iter().map(|declared| declared.name);
        let i = place("constraint", constraint, names)?;
        put(&mut self.core.alter().soft_constraints, i, softness);
        Ok(())
    }
}

/// A joint that has one coordinate with q̇ = v.
fn coordinate(table: &Table, name: &str) -> Result<&'static Joint, SimulationError> {
    let joint = &table.joints[place("joint", name, table.joints.iter().map(|joint| joint.name))?];
    if joint.nv == 1 && joint.chart == Chart::Vector {
        Ok(joint)
    } else {
        Err(SimulationError::Coordinates { joint: joint.name, count: joint.nv })
    }
}

/// Which of `names` it is.
///
/// # Errors
///
/// [`SimulationError::NotDeclared`] if it is none, with the one that it is nearest to.
pub(crate) fn place(
    kind: &'static str,
    name: &str,
    names: impl Iterator<Item = &'static str> + Clone,
) -> Result<usize, SimulationError> {
    names.clone().position(|declared| declared == name).ok_or_else(|| {
        let suggestion = nearest(name, names);
        SimulationError::NotDeclared { kind, name: name.to_string(), suggestion }
    })
}

/// Sets, replaces or removes the entry at `i`.
fn put<T>(list: &mut Vec<(usize, T)>, i: usize, value: Option<T>) {
    list.retain(|(at, _)| *at != i);
    list.extend(value.map(|value| (i, value)));
}
