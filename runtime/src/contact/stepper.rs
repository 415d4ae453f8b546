//! The solution of one step.
//!
//! Constraints that the free motion does not violate are left out of the complementarity problem
//! at first. Those that its solution violates are added and the problem is solved again, so that
//! in the end nothing that was left out would have acted. Where declared constraints leave an error at the
//! end of the step, it is corrected and solved anew.

use alloc::vec::Vec;

use super::assembly::{Bound, Place, Polygon, Problem};
use super::constraint::{self, Limit};
use super::dynamics::Dynamics;
use super::rows::Rows;
use super::{Approach, Error, Formulation, Impulse, direction};
use crate::description::ContactParameters;
use crate::lcp::lemke;
use crate::model::Model;
use crate::space::Storage;

/// A violation below this, relative to the velocities it is computed from, adds no constraint.
const VIOLATION: f64 = 1e-13;
/// The error of a constraint at the end of a step that is not made less, as in
/// [`Residual::constraints`](super::Residual).
const CLOSED: f64 = 1e-12;
/// How often what a step asks of the constraints is corrected, and how often in vain.
const MAX_CORRECTIONS: usize = 20;
const MAX_MISSES: usize = 3;
/// The weights of a contact's rows that give its normal row.
const NORMAL: [f64; 3] = [1.0, 0.0, 0.0];

/// What solving a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Pivots of Lemke's method.
    pub pivots: usize,
    /// Complementarity problems solved.
    pub problems: usize,
}

/// Solves steps of a model in storage that is allocated once.
#[derive(Clone, Debug)]
pub struct Stepper<M: Model> {
    contacts: Vec<ContactParameters>,
    limits: Vec<Limit>,
    dry_friction: Vec<(usize, f64)>,
    dynamics: Dynamics<M>,
    demands: Vec<Demand>,
    rows: Rows,
    polygons: Vec<Polygon>,
    problem: Problem,
    lemke: lemke::Workspace,
    /// Along the rows.
    impulses: Vec<f64>,
    velocity: M::V,
    impulse: Impulse,
    /// Of the corrections of a step, those that left the least error.
    best: (M::V, Impulse),
}

/// What a unilateral constraint demands in this step.
#[derive(Clone, Copy, Debug)]
struct Demand {
    source: Source,
    least_velocity: f64,
    /// Whether it is part of the complementarity problem.
    included: bool,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Contact(usize),
    Limit(Limit),
}

impl<M: Model> Stepper<M> {
    /// Reads friction, restitution and limits from the model, once.
    pub fn new(model: &M) -> Self {
        let coordinates = model.coordinate_parameters();
        Self {
            contacts: model.contact_parameters(),
            limits: constraint::limits(M::JOINTS, &coordinates),
            dry_friction: constraint::dry_friction(&coordinates),
            dynamics: Dynamics::new(model),
            demands: Vec::new(),
            rows: Rows::default(),
            polygons: Vec::new(),
            problem: Problem::default(),
            lemke: lemke::Workspace::default(),
            impulses: Vec::new(),
            velocity: M::V::zeros(),
            impulse: Impulse::zeros(M::CONTACTS, M::NV, M::NC),
            best: (M::V::zeros(), Impulse::zeros(M::CONTACTS, M::NV, M::NC)),
        }
    }

    /// v⁺ of the last step; that of a floating joint in the axes that its child has at the beginning.
    pub fn velocity(&self) -> &M::V {
        &self.velocity
    }

    /// Λ of the last step.
    pub fn impulse(&self) -> &Impulse {
        &self.impulse
    }

    /// Friction, restitution and axes of the contacts.
    pub fn contacts(&self) -> &[ContactParameters] {
        &self.contacts
    }

    /// Finds v⁺ and Λ of a step of `step_size` seconds from `state` = (q, v) at `time` under the
    /// generalised force `force` (inputs, springs, dampers, wrenches; the bias force is not among
    /// it). What it finds is to be judged by its [`residual`](super::residual).
    ///
    /// # Errors
    ///
    /// [`Error::MassMatrix`], [`Error::Violated`], [`Error::Bilateral`] and [`Error::Complementarity`]. `velocity`
    /// and `impulse` then hold nothing of use.
    pub fn step(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        force: &M::V,
        (time, step_size): (f64, f64),
        formulation: Formulation,
    ) -> Result<Outcome, Error> {
        self.dynamics.evaluate(model, state, force, (time, step_size))?;
        self.list_demands(state, step_size, formulation);
        let mut outcome = Outcome::default();
        self.lemke.forget();
        self.solve(step_size, &mut outcome)?;
        self.correct(model, state.0, (time, step_size), &mut outcome);
        Ok(outcome)
    }

    /// Solves again, until the bilateral constraints are satisfied at the end of the step.
    fn correct(&mut self, model: &M, q: &M::Q, during: (f64, f64), outcome: &mut Outcome) {
        let (mut least, mut misses, mut is_best) = (f64::INFINITY, 0, true);
        for _ in 0..MAX_CORRECTIONS {
            let violation = self.dynamics.violation(model, (q, &self.velocity), during);
            is_best = violation < least;
            (least, misses) = if is_best { (violation, 0) } else { (least, misses + 1) };
            if least <= CLOSED || misses == MAX_MISSES {
                break;
            }
            if is_best {
                self.hold();
                self.best.0.clone_from(&self.velocity);
                self.best.1.clone_from(&self.impulse);
            }
            self.dynamics.correct(&self.velocity);
            is_best = false;
            // What was found before is good enough to go on with.
            if self.solve(during.1, outcome).is_err() {
                break;
            }
        }
        if is_best || least.is_infinite() {
            self.hold();
        } else {
            core::mem::swap(&mut self.velocity, &mut self.best.0);
            core::mem::swap(&mut self.impulse, &mut self.best.1);
        }
    }

    /// v⁺ and Λ of the unilateral constraints, from v_free.
    fn solve(&mut self, step_size: f64, outcome: &mut Outcome) -> Result<(), Error> {
        self.velocity.as_mut_slice().copy_from_slice(&self.dynamics.free);
        self.impulse.clear();
        self.impulses.clear();
        let acting = !self.dry_friction.is_empty() || included(&self.demands).next().is_some();
        let mut unfinished = self.include_violated() || acting;
        while unfinished {
            self.collect_rows(step_size);
            let least = included(&self.demands).map(|demand| demand.least_velocity);
            self.problem.assemble(&self.rows, &self.dynamics.free, least, &self.polygons);
            let solution = lemke::resume(&self.problem.m, &self.problem.q, &mut self.lemke)?;
            outcome.pivots += solution.pivots;
            outcome.problems += 1;
            self.impulses.clear();
            self.impulses.extend(solution.z.iter().map(|z| self.problem.mass * z));
            self.velocity.as_mut_slice().copy_from_slice(&self.dynamics.free);
            self.rows.accelerate(&self.impulses, self.velocity.as_mut_slice());
            write(&self.impulses, &self.demands, &self.polygons, &mut self.impulse);
            unfinished = self.include_violated();
        }
        Ok(())
    }

    /// Writes the impulses of bilateral constraints beside those of the rows.
    fn hold(&mut self) {
        if M::NC > 0 {
            let mut p = M::V::zeros();
            self.rows.add_force(&self.impulses, p.as_mut_slice());
            self.dynamics.bilateral_impulses(p.as_mut_slice(), &mut self.impulse.constraints);
        }
    }

    /// Asks the formulation about every contact and limit.
    fn list_demands(&mut self, (q, v): (&M::Q, &M::V), step_size: f64, formulation: Formulation) {
        let Self { contacts, limits, dynamics, demands, .. } = self;
        let contact = |(i, contact): (usize, &ContactParameters)| {
            let velocity = dot(dynamics.contact_row(i, NORMAL), v.as_slice());
            let (gap, restitution) = (dynamics.gap[i], contact.restitution);
            (Source::Contact(i), Approach { gap, velocity, restitution, step_size })
        };
        let limit = |limit: &Limit| {
            let (gap, velocity) = (limit.gap(q.as_slice()), limit.sign() * v[limit.v]);
            (Source::Limit(*limit), Approach { gap, velocity, restitution: 0.0, step_size })
        };
        let all = contacts.iter().enumerate().map(contact).chain(limits.iter().map(limit));
        demands.clear();
        demands.extend(all.filter_map(|(source, approach)| {
            let least_velocity = formulation.least_velocity(&approach)?;
            Some(Demand { source, least_velocity, included: false })
        }));
    }

    /// Includes the constraints that the current velocity violates; whether there are any.
    fn include_violated(&mut self) -> bool {
        let mut found = false;
        let v = self.velocity.as_slice();
        for demand in self.demands.iter_mut().filter(|demand| !demand.included) {
            let velocity = match demand.source {
                Source::Contact(i) => dot(self.dynamics.contact_row(i, NORMAL), v),
                Source::Limit(limit) => limit.sign() * v[limit.v],
            };
            let slack = VIOLATION * velocity.abs().max(1.0);
            demand.included = velocity < demand.least_velocity - slack;
            found |= demand.included;
        }
        found
    }

    /// Lists the rows of the included constraints, then those of friction.
    fn collect_rows(&mut self, step_size: f64) {
        let Self { contacts, dry_friction, dynamics, demands, rows, polygons, .. } = self;
        rows.clear(M::NV);
        polygons.clear();
        for demand in included(demands) {
            match demand.source {
                Source::Contact(i) => rows.push(dynamics.contact_row(i, NORMAL)),
                Source::Limit(limit) => rows.push_coordinate(limit.v, limit.sign()),
            };
        }
        for (normal, demand) in included(demands).enumerate() {
            let Source::Contact(i) = demand.source else { continue };
            let (friction, count, start) =
                (contacts[i].friction, M::CONTACTS[i].directions, rows.count());
            if friction != 0.0 {
                for k in 0..count {
                    let [first, second] = direction(k, count);
                    rows.push(dynamics.contact_row(i, [0.0, first, second]));
                }
                let (at, bound) = (Place::Contact(i), Bound::Coulomb { normal, friction });
                polygons.push(Polygon { at, rows: start..start + count, bound });
            }
        }
        for &(v, bound) in dry_friction.iter() {
            let start = rows.push_coordinate(v, 1.0);
            rows.push_coordinate(v, -1.0);
            let (at, bound) = (Place::Coordinate(v), Bound::Constant(step_size * bound));
            polygons.push(Polygon { at, rows: start..start + 2, bound });
        }
        rows.respond(dynamics);
    }
}

fn included(demands: &[Demand]) -> impl Iterator<Item = &Demand> {
    demands.iter().filter(|demand| demand.included)
}

/// Sorts the impulses along the rows by what they act on.
fn write(rows: &[f64], demands: &[Demand], polygons: &[Polygon], impulse: &mut Impulse) {
    for (demand, &lambda) in included(demands).zip(rows) {
        match demand.source {
            Source::Contact(i) => impulse.normal[i] = lambda,
            Source::Limit(limit) => impulse.limits[limit.v][usize::from(limit.upper)] = lambda,
        }
    }
    for polygon in polygons {
        let beta = &rows[polygon.rows.clone()];
        match polygon.at {
            Place::Contact(i) => impulse.friction[i].copy_from_slice(beta),
            Place::Coordinate(v) => impulse.dry_friction[v] = beta[0] - beta[1],
        }
    }
}

fn dot(row: impl Iterator<Item = f64>, v: &[f64]) -> f64 {
    row.zip(v).map(|(a, b)| a * b).sum()
}
