//! What may act in a step, and what it demands.

use alloc::vec::Vec;

use super::conditions::Conditions;
use super::dynamics::Dynamics;
use super::formulation::{Approach, Demand, Formulation};
use super::limit::{self, Limit};
use super::problem::{Kind, Problem};
use super::rows::Rows;
use super::Impulse;
use crate::description::ContactParameters;
use crate::model::Model;

/// A violation below this, relative to the velocities it is computed from, includes no candidate.
const VIOLATION: f64 = 1e-13;
/// The weights of a contact's rows that give each of them.
const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Something that may act in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) source: Source,
    pub(super) demand: Demand,
    /// σ.
    softness: f64,
    /// μ of a contact.
    friction: f64,
    /// Whether it is part of the step's problem.
    pub(super) included: bool,
}

/// What it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Contact(usize),
    Limit(Limit),
    /// On the velocity coordinate `v`, up to an impulse.
    Motor { v: usize, bound: f64 },
    DryFriction { v: usize, bound: f64 },
}

/// What a model can have of candidates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources<'a> {
    pub(super) contacts: &'a [ContactParameters],
    pub(super) limits: &'a [Limit],
    pub(super) dry_friction: &'a [(usize, f64)],
}

/// Lists what may act in a step of `h` seconds from (q, v).
pub(super) fn list<M: Model>(
    candidates: &mut Vec<Candidate>,
    sources: Sources<'_>,
    dynamics: &Dynamics<M>,
    (q, v): (&[f64], &[f64]),
    (h, conditions): (f64, &Conditions),
) {
    candidates.clear();
    for (i, contact) in sources.contacts.iter().enumerate() {
        let velocity = AXES.map(|axis| dot(dynamics.contact_row(i, axis), v));
        let (gap, restitution) = (dynamics.gap[i], contact.restitution);
        let approach = Approach { gap, velocity, restitution, step_size: h };
        let demand = conditions.demand_of_contact(i, &approach);
        let friction = conditions.formulation.friction(contact.friction);
        candidates.extend(demand.map(|of| Candidate::new(Source::Contact(i), of, friction)));
    }
    for limit in sources.limits {
        let velocity = [limit.sign() * v[limit.v], 0.0, 0.0];
        let approach = Approach { gap: limit.gap(q), velocity, restitution: 0.0, step_size: h };
        let demand = conditions.demand_of_limit(limit.v, &approach);
        candidates.extend(demand.map(|of| Candidate::new(Source::Limit(*limit), of, 0.0)));
    }
    let demand = |velocity| Demand { target: [velocity, 0.0, 0.0], regularization: 0.0 };
    for &(v, motor) in &conditions.motors {
        let position = limit::configuration_index(M::JOINTS, v).map(|i| q[i]);
        let Some(row) = position.and_then(|position| motor.row(position, h)) else { continue };
        let of = Source::Motor { v, bound: row.bound };
        let motor = Candidate::new(of, (demand(row.target), row.softness), 0.0);
        candidates.push(Candidate { included: true, ..motor });
    }
    for &(v, bound) in sources.dry_friction {
        let of = Source::DryFriction { v, bound: h * bound };
        let friction = Candidate::new(of, (demand(0.0), 0.0), 0.0);
        candidates.push(Candidate { included: true, ..friction });
    }
}

impl Candidate {
    fn new(source: Source, (demand, softness): (Demand, f64), friction: f64) -> Self {
        Self { source, demand, softness, friction, included: false }
    }

    /// What is missing to its demand at a velocity: w without an impulse.
    fn slack<M: Model>(&self, dynamics: &Dynamics<M>, v: &[f64]) -> [f64; 3] {
        let velocity = match self.source {
            Source::Contact(i) => AXES.map(|axis| dot(dynamics.contact_row(i, axis), v)),
            Source::Limit(limit) => [limit.sign() * v[limit.v], 0.0, 0.0],
            Source::Motor { v: i, .. } | Source::DryFriction { v: i, .. } => [v[i], 0.0, 0.0],
        };
        core::array::from_fn(|k| velocity[k] - self.demand.target[k])
    }

    /// Whether the velocity is not what it may be without an impulse of this candidate.
    pub(super) fn is_violated<M: Model>(
        &self,
        formulation: &Formulation,
        dynamics: &Dynamics<M>,
        v: &[f64],
    ) -> bool {
        let slack = self.slack(dynamics, v);
        let scale = crate::slices::largest(&self.demand.target).max(crate::slices::largest(&slack));
        !formulation.is_open(slack, self.friction, VIOLATION * scale.max(1.0))
    }

    /// Adds its rows to the problem.
    pub(super) fn push<M: Model>(
        &self,
        dynamics: &Dynamics<M>,
        directions: usize,
        rows: &mut Rows,
        problem: &mut Problem,
    ) {
        let softness = [self.softness, self.demand.regularization];
        let kind = match self.source {
            Source::Contact(i) if self.friction > 0.0 => {
                AXES.iter().for_each(|&axis| {
                    rows.push(dynamics.contact_row(i, axis));
                });
                Kind::Contact { friction: self.friction, directions }
            }
            Source::Contact(i) => {
                rows.push(dynamics.contact_row(i, AXES[0]));
                Kind::Bounded([0.0, f64::INFINITY])
            }
            Source::Limit(limit) => {
                rows.push_coordinate(limit.v, limit.sign());
                Kind::Bounded([0.0, f64::INFINITY])
            }
            Source::Motor { v, bound } | Source::DryFriction { v, bound } => {
                rows.push_coordinate(v, 1.0);
                Kind::Bounded([-bound, bound])
            }
        };
        problem.push(kind, self.demand.target, softness);
    }

    /// Writes its impulses, of which there are as many as rows.
    pub(super) fn write(&self, impulses: &[f64], to: &mut Impulse) {
        match (self.source, impulses) {
            (Source::Contact(i), [normal, first, second]) => {
                (to.normal[i], to.friction[i]) = (*normal, [*first, *second]);
            }
            (Source::Contact(i), [normal, ..]) => to.normal[i] = *normal,
            (Source::Limit(limit), [lambda, ..]) => {
                to.limits[limit.v][usize::from(limit.upper)] = *lambda;
            }
            (Source::Motor { v, .. }, [lambda, ..]) => to.motors[v] = *lambda,
            (Source::DryFriction { v, .. }, [lambda, ..]) => to.dry_friction[v] = *lambda,
            (_, []) => {}
        }
    }
}

fn dot(row: impl Iterator<Item = f64>, v: &[f64]) -> f64 {
    row.zip(v).map(|(a, b)| a * b).sum()
}
