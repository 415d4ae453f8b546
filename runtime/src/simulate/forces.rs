//! The forces of contact, of springs and of dampers in the last step, with their names.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use super::moving::{Core, Place};
use super::{Acting, Simulation, SimulationError, contact_points};
use crate::contact::{Impulse, Motion, PairImpulse, Touching, least_norm_by};
use crate::model::{Model, Robot, Table};
use crate::space::Storage;

/// A force that acted at a point of contact in a step: its impulse divided by h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// The contact, the pair, or the shape that touches the [ground](Simulation::ground) laid at run time.
    pub name: &'static str,
    /// The link on which it acts, and the one on which its reverse acts; `None` for the ground.
    pub links: (&'static str, Option<&'static str>),
    /// Where it acts, in the world, m.
    pub point: Vector3<f64>,
    /// Unit normal in the world, towards the first link.
    pub normal: Vector3<f64>,
    /// On the first link, normal force and friction, in world axes, N.
    pub force: Vector3<f64>,
    /// Moment of torsional friction on the first link about the normal, N m.
    pub torsion: f64,
    /// Moment of rolling resistance on the first link, in world axes, N m.
    pub rolling: Vector3<f64>,
}

/// A force of a declared spring between two points, in the mean of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringForce {
    /// The spring.
    pub name: &'static str,
    /// With how much spring and damper pull the points together, along the line between them where the step began, in N;
    /// negative where they push.
    pub tension: f64,
}

impl<M: Model> Simulation<M> {
    /// What all springs and dampers exerted in the last step, (nv), in the mean, as a generalised force in N or N m; zero
    /// before the first step, and after one that failed. With the forces f of inputs and wrenches, the bias force b and all impulses Λ but those of
    /// springs,
    ///
    /// > M (v⁺ − ṽ)/h = f + τ̄ − b + Gᵀ Λ/h
    ///
    /// as the [module](super) has it; v⁺ and τ̄ are in the axes of the step's beginning, and what keeps the energy of bodies
    /// that turn freely, and of chains, is beside b. [`Model::passive_force`] is the force at a state.
    pub fn passive_force(&self) -> M::V {
        let mut force = M::V::zeros();
        self.core.add_passive_force(self.model.as_data(), force.as_mut_slice());
        force
    }

    /// With how much each declared spring pulled in the last step; none before the first one, and after one that failed.
    pub fn spring_forces(&self) -> Vec<SpringForce> {
        self.core.spring_forces()
    }

    /// The forces at all points that pressed in the last step, contacts first, then pairs and shapes; none before the
    /// first step, and after one that failed. Their points are those of now for contacts, and those of the step's beginning
    /// for all others.
    ///
    /// Where more touches than motion determines, as under a table with four legs, these are some of many that lead to the same
    /// motion, and depend on the steps before; [`least_norm_forces`](Self::least_norm_forces) do not.
    pub fn contact_forces(&self) -> Vec<ContactForce> {
        self.core.contact_forces(self.model.as_data(), self.impulse())
    }

    /// As [`contact_forces`](Self::contact_forces), of [`least_norm_impulse`](Self::least_norm_impulse).
    ///
    /// # Errors
    ///
    /// As that.
    pub fn least_norm_forces(&self) -> Result<Vec<ContactForce>, SimulationError> {
        let impulse = self.least_norm_impulse()?;
        Ok(self.core.contact_forces(self.model.as_data(), &impulse))
    }

    /// Λ of least norm among all that lead to the velocity which the last step led to, by contacts, limits, dry friction, motors
    /// and constraints, as [`least_norm`](crate::contact::least_norm) defines it; zero before the first step. Computed when it is asked
    /// for, in a time that grows as the cube of the rows that press: not in each step of a loop that has to be fast. What was
    /// changed since the step, as a formulation or a motor, is no matter of it.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Contact`] if it is not found, or does not satisfy the laws as
    /// [`least_norm`](crate::contact::least_norm) has it.
    pub fn least_norm_impulse(&self) -> Result<Impulse, SimulationError> {
        self.core.least_norm_impulse(self.model.as_data())
    }
}

impl Core {
    /// What springs and dampers exerted in the last step.
    fn add_passive_force(&self, robot: Robot<'_>, force: &mut [f64]) {
        if let Some(h) = self.led_by {
            // The state before is where the next one will be written.
            let Place { q, v, .. } = &self.next;
            robot.passive_force_into(q, v, force);
            self.stepper.add_passive_change(v, h, force);
        }
    }

    fn spring_forces(&self) -> Vec<SpringForce> {
        let Some(h) = self.led_by else {
            return Vec::new();
        };
        let named = self.table.springs.iter().zip(self.stepper.tensions(h));
        named.map(|(spring, tension)| SpringForce { name: spring.name, tension }).collect()
    }

    fn least_norm_impulse(&self, robot: Robot<'_>) -> Result<Impulse, SimulationError> {
        let Some(step_size) = self.led_by else {
            return Ok(Impulse::zeros_of(self.table));
        };
        let (time, q, v) = self.next.at();
        let step = Motion {
            conditions: self.led_under.as_deref().unwrap_or(&self.conditions),
            time,
            step_size,
            q,
            v,
            force: &vec![0.0; self.table.nv],
            v_next: &self.state.v,
            impulse: self.impulse(),
        };
        let end = (self.stepper.velocity(), self.stepper.offset());
        let found = least_norm_by(robot, &step, (end, self.tolerance));
        found.map_err(|error| SimulationError::Contact { time: self.state.time, error })
    }

    /// Of these impulses in the last step.
    fn contact_forces(&self, robot: Robot<'_>, impulse: &Impulse) -> Vec<ContactForce> {
        let Some(h) = self.led_by else {
            return Vec::new();
        };
        let points = contact_points(robot, &self.state.q);
        let mut forces = pressing(self.table, (&self.contacts, impulse), &points, h);
        let points = impulse.pairs.iter().filter(|point| point.impulse[0] > 0.0);
        forces.extend(points.map(|point| at_point(self.table, point, h)));
        forces
    }
}

/// The force at a point where solids touch.
fn at_point(table: &Table, of: &PairImpulse, h: f64) -> ContactForce {
    let shape = |k: usize| table.shapes.get(k).map_or("", |shape| link(table, shape.link));
    let links = match of.of {
        Touching::Pair(k) => match table.pairs.get(k).map(|pair| pair.shapes) {
            Some([first, second]) => (shape(first), Some(shape(second))),
            None => ("", None),
        },
        Touching::Ground(k) => (shape(k), None),
    };
    ContactForce {
        name: of.name_in(table).unwrap_or_default(),
        links,
        point: of.point,
        normal: of.axes[0],
        force: of.world() / h,
        torsion: of.torsion / h,
        rolling: of.rolling_moment() / h,
    }
}

/// The forces of contacts at their points that pressed in a step of `h` seconds.
pub(crate) fn pressing(
    table: &Table,
    (contacts, impulse): Acting<'_>,
    points: &[Vector3<f64>],
    h: f64,
) -> Vec<ContactForce> {
    let all = table.contacts.iter().zip(contacts.iter().zip(points)).enumerate();
    let pressing = all.filter(|(i, _)| impulse.normal[*i] > 0.0);
    let force = pressing.map(|(i, (contact, (of, point)))| ContactForce {
        name: contact.name,
        links: (link(table, contact.link), contact.other.map(|other| link(table, other))),
        point: *point,
        normal: of.normal,
        force: impulse.world(i, of) / h,
        torsion: impulse.torsion[i] / h,
        rolling: impulse.rolling_moment(i, of) / h,
    });
    force.collect()
}

fn link(table: &Table, k: usize) -> &'static str {
    table.links.get(k).map_or("", |link| link.name)
}
