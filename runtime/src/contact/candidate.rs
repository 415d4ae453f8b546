//! What may act in a step, and what it demands.

use alloc::vec::Vec;

use super::Impulse;
use super::conditions::Conditions;
use super::declared::Declared;
use super::dynamics::Dynamics;
use super::formulation::{Approach, Demand, Formulation};
use super::limit::{self, Limit};
use super::problem::{Kind, Problem};
use super::rows::Rows;
use crate::description::ContactParameters;
use crate::model::Model;
use crate::slices::largest;

/// A violation below this, relative to the velocities it is computed from, includes no candidate.
const VIOLATION: f64 = 1e-13;

/// Something that may act in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) source: Source,
    pub(super) demand: Demand,
    /// σ.
    softness: f64,
    /// μ of a contact.
    pub(super) friction: f64,
    /// Whether it is part of the step's problem.
    pub(super) included: bool,
}

/// What it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Contact(usize),
    Limit(Limit),
    /// A declared limit.
    Declared(usize),
    /// On the velocity coordinate `v`, up to an impulse.
    Motor {
        v: usize,
        bound: f64,
    },
    DryFriction {
        v: usize,
        bound: f64,
    },
}

/// What a model can have of candidates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sources<'a> {
    pub(super) contacts: &'a [ContactParameters],
    pub(super) declared: &'a Declared,
    pub(super) dry_friction: &'a [(usize, f64)],
}

/// Lists what may act in a step of `h` seconds from (q, v), but for limits of coordinates.
pub(super) fn list<M: Model>(
    candidates: &mut Vec<Candidate>,
    sources: Sources<'_>,
    dynamics: &Dynamics<M>,
    (q, v): (&[f64], &[f64]),
    (h, conditions): (f64, &Conditions),
) {
    candidates.clear();
    for (i, contact) in sources.contacts.iter().enumerate() {
        let (velocity, gap) = (dynamics.contact_velocity(i), dynamics.gap()[i]);
        let restitution = contact.restitution;
        let approach = Approach { gap, velocity, restitution, step_size: h };
        let demand = conditions.demand_of_contact(i, &approach);
        let friction = conditions.formulation.friction(contact.friction);
        candidates.extend(demand.map(|of| Candidate::new(Source::Contact(i), of, friction)));
    }
    for (i, &gap) in sources.declared.value.iter().enumerate() {
        let velocity = [sources.declared.velocity(i, v), 0.0, 0.0];
        let approach = Approach { gap, velocity, restitution: 0.0, step_size: h };
        let demand = conditions.formulation.demand(&approach).map(|demand| (demand, 0.0));
        candidates.extend(demand.map(|of| Candidate::new(Source::Declared(i), of, 0.0)));
    }
    let demand = |velocity| Demand { target: [velocity, 0.0, 0.0], regularization: 0.0 };
    for &(v, motor) in &conditions.motors {
        let position = limit::configuration_index(M::JOINTS, v).map(|i| q[i]);
        let row = position.and_then(|position| motor.row(position, h));
        let Some(row) = row.filter(|row| !row.is_implicit()) else { continue };
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

/// Adds the limits that the velocity `end` violates, of those that are not yet there; whether there are any. `v`
/// is the velocity at the beginning.
pub(super) fn add_limits(
    candidates: &mut Vec<Candidate>,
    limits: &[Limit],
    (q, v, end): (&[f64], &[f64], &[f64]),
    (h, conditions): (f64, &Conditions),
) -> bool {
    let margin = conditions.formulation.margin();
    let before = candidates.len();
    for limit in limits {
        let (gap, sign) = (limit.gap(q), limit.sign());
        // What is apart, and stays so, is no matter in any formulation.
        if gap > margin && gap + h * sign * end[limit.v] > 0.0 {
            continue;
        }
        let velocity = [sign * v[limit.v], 0.0, 0.0];
        let approach = Approach { gap, velocity, restitution: 0.0, step_size: h };
        let Some(demand) = conditions.demand_of_limit(limit.v, &approach) else { continue };
        let candidate = Candidate::new(Source::Limit(*limit), demand, 0.0);
        let slack = [sign * end[limit.v] - demand.0.target[0], 0.0, 0.0];
        let known = || candidates.iter().any(|other| other.is_limit(limit));
        if candidate.lacks(&conditions.formulation, slack) && !known() {
            candidates.push(Candidate { included: true, ..candidate });
        }
    }
    candidates.len() > before
}

impl Candidate {
    fn new(source: Source, (demand, softness): (Demand, f64), friction: f64) -> Self {
        Self { source, demand, softness, friction, included: false }
    }

    fn is_limit(&self, limit: &Limit) -> bool {
        matches!(&self.source, Source::Limit(own) if own == limit)
    }

    /// Whether a contact or a declared limit is not as it may be without an impulse of its own, where others have
    /// made a response and a velocity.
    pub(super) fn is_violated<M: Model>(
        &self,
        formulation: &Formulation,
        declared: &Declared,
        dynamics: &Dynamics<M>,
        made: (&[f64], &[f64]),
    ) -> bool {
        let velocity = match self.source {
            Source::Contact(i) => dynamics.contact_end(i, made).map(|[velocity, _]| velocity),
            Source::Declared(i) => [declared.velocity(i, made.1), 0.0, 0.0],
            _ => return false,
        };
        self.lacks(formulation, core::array::from_fn(|k| velocity[k] - self.demand.target[k]))
    }

    /// Whether it must have an impulse with this w.
    fn lacks(&self, formulation: &Formulation, w: [f64; 3]) -> bool {
        let scale = largest(&self.demand.target).max(largest(&w));
        !formulation.is_open(w, self.friction, VIOLATION * scale.max(1.0))
    }

    /// How many rows it has.
    pub(super) fn rows(&self) -> usize {
        if self.friction > 0.0 { 3 } else { 1 }
    }

    /// Adds its rows to the problem.
    pub(super) fn push<M: Model>(
        &self,
        declared: &Declared,
        dynamics: &mut Dynamics<M>,
        directions: usize,
        rows: &mut Rows,
        problem: &mut Problem,
    ) {
        let softness = [self.softness, self.demand.regularization];
        let mut along = |v: usize, sign: f64| {
            rows.push(sign * dynamics.free()[v]);
            dynamics.write_coordinate(v, sign, rows);
        };
        let kind = match self.source {
            Source::Contact(i) => {
                let count = self.rows();
                dynamics.contact_free(i).into_iter().take(count).for_each(|free| rows.push(free));
                dynamics.write_contact(i, count, rows);
                match count {
                    3 => Kind::Contact { friction: self.friction, directions },
                    _ => Kind::Bounded([0.0, f64::INFINITY]),
                }
            }
            Source::Limit(limit) => {
                along(limit.v, limit.sign());
                Kind::Bounded([0.0, f64::INFINITY])
            }
            Source::Declared(i) => {
                rows.push(declared.velocity(i, dynamics.free()));
                dynamics.write_row(declared.row(i), rows);
                Kind::Bounded([0.0, f64::INFINITY])
            }
            Source::Motor { v, bound } | Source::DryFriction { v, bound } => {
                along(v, 1.0);
                Kind::Bounded([-bound, bound])
            }
        };
        problem.push(kind, self.demand.target, softness);
    }

    /// Its impulses, of which there are as many as rows, as they were.
    pub(super) fn read(&self, from: &Impulse, impulses: &mut [f64]) {
        match (self.source, impulses) {
            (Source::Contact(i), [normal, first, second]) => {
                (*normal, [*first, *second]) = (from.normal[i], from.friction[i]);
            }
            (Source::Contact(i), [normal, ..]) => *normal = from.normal[i],
            (Source::Limit(limit), [lambda, ..]) => {
                *lambda = from.limits[limit.v][usize::from(limit.upper)];
            }
            (Source::Declared(i), [lambda, ..]) => *lambda = from.declared[i],
            (Source::Motor { v, .. }, [lambda, ..]) => *lambda = from.motors[v],
            (Source::DryFriction { v, .. }, [lambda, ..]) => *lambda = from.dry_friction[v],
            (_, []) => {}
        }
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
            (Source::Declared(i), [lambda, ..]) => to.declared[i] = *lambda,
            (Source::Motor { v, .. }, [lambda, ..]) => to.motors[v] = *lambda,
            (Source::DryFriction { v, .. }, [lambda, ..]) => to.dry_friction[v] = *lambda,
            (_, []) => {}
        }
    }
}
