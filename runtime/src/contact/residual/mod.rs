//! How well a step satisfies its equations, computed from its result alone.
//!
//! > r = M(q) (v⁺ − ṽ) − h (f − b(q, v)) − Gᵀ Λ,  min(λ, n v⁺ − l),  min(β_k, d_k v⁺ + σ) and
//! > min(σ, μ λ − Σβ) with σ = max(0, maxₖ(−d_k v⁺)),  p − mid(−h τ_f, p − v_j⁺, h τ_f),  h(q⁺, t⁺) / ρ,  h_v(q, v⁺, t⁺) / ρ
//!
//! The multiplier σ of friction is the speed that maximum dissipation gives it, so that nothing
//! of a solver but the impulses enters; min(λ, …) and p − mid(…) are natural residuals, the latter of a dry
//! friction p.
//! Each sum is divided by its largest term, if that is above one; the velocity of a single row is one of its velocity at
//! the beginning and what impulses change, so that the former is among its terms, as what is brought from 30 rad/s to rest
//! is at rest to rounding of 30 rad/s. The slack of a cone is divided by the strongest one: for robots of human size the numbers are N s and m/s. Those of declared constraints do not
//! depend on the units of their rows: ρ is the length of the longest row of H of the same constraint.

mod ball;
mod ends;
mod law;
mod leapfrog;
mod lines;
mod pairs;
mod parts;
mod phase;
mod polygon;
mod response;
mod rows;
mod sum;

pub(super) use self::ball::ball;
pub(super) use self::ends::Ends;
pub(crate) use self::law::{Contact, Spin};
pub(crate) use self::lines::{Line, lines};
pub use self::parts::Residual;
use self::phase::Phase;
use self::response::Response;
use self::rows::{dry_friction, limits, motors, soft_constraints, springs};
pub(crate) use self::sum::Sum;

use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::bilateral::missed;
use super::chains::Chains;
use super::conditions::Conditions;
use super::declared::Declared;
use super::free_bodies::FreeBodies;
use super::pairs::Pairs;
use super::spin::Spins;
use super::springs::Springs;
use super::yielding::Yielding;
use super::{Approach, Demand, Error, Impulse};
use crate::constrained::{Rows, reaches};
use crate::manifold;
use crate::model::Model;
use crate::slices::worse;
use crate::space::Storage;

/// A step: where it starts, what acts, and what a solver says it leads to.
#[derive(Debug)]
pub struct Transition<'a, M: Model> {
    /// The law of contact and what is set at run time.
    pub conditions: &'a Conditions,
    /// t at the beginning, in seconds.
    pub time: f64,
    /// h, in seconds.
    pub step_size: f64,
    /// Configuration at the beginning, (nq).
    pub q: &'a M::Q,
    /// Velocity at the beginning, (nv).
    pub v: &'a M::V,
    /// Generalised force without the bias force, (nv).
    pub force: &'a M::V,
    /// Velocity at the end, (nv), as the state at the end has it: that of a floating joint in the axes
    /// that its child has then.
    pub v_next: &'a M::V,
    /// Λ.
    pub impulse: &'a Impulse,
}

/// The residual of a step of `model`, from the definition of its formulation and nothing of its
/// solver; NaN where a number of it is, and all NaN for impulses of another model's shape.
///
/// # Source
///
/// The definitions in the header of the module [`contact`](super).
pub fn residual<M: Model>(model: &M, step: &Transition<'_, M>) -> Residual {
    if !step.impulse.fits::<M>() {
        return Residual::UNKNOWN;
    }
    let Ok(mut given) = Given::new(model, step) else { return Residual::UNKNOWN };
    let Some(back) = turned_back(model, step, &given.springs) else { return Residual::UNKNOWN };
    given.offset = back.offset;
    let step = &Transition { v_next: &back.velocity, ..*step };
    let last = given.residual(model, step, &Phase::last(step));
    let compression = Phase::compression(model, step, &given);
    let others = compression.map(|phase| given.residual(model, step, &phase));
    let all = others.map_or(last, |others| last.worse(&others));
    let rows = given.rows.as_ref().map(|rows| (rows, &given.yielding));
    let rigid = rows.map_or(0.0, |rows| constraints(model, step, rows, back.end));
    Residual {
        momentum: momentum(model, step, &given, &back.turning),
        constraints: worse(all.constraints, rigid),
        ..all
    }
}

/// What a step is made of, from where it leads.
pub(super) struct Back<M: Model> {
    /// The velocity that impulses led to, in the axes of the beginning.
    pub(super) velocity: M::V,
    /// What the mean velocity of a step of chains has beside that, (nv).
    pub(super) offset: Vec<f64>,
    /// The force of what turns freely and of chains.
    turning: M::V,
    /// Where chains are at the end.
    end: Option<M::Q>,
}

/// Nothing where chains did not come to this end by the leapfrog, nor bodies alone by their free turn.
pub(super) fn turned_back<M: Model>(
    model: &M,
    step: &Transition<'_, M>,
    springs: &Springs,
) -> Option<Back<M>> {
    let mut v_next = step.v_next.clone();
    let (mut free_bodies, mut turning) = (FreeBodies::new(model), M::V::zeros());
    let known = (step.force, springs, step.step_size);
    if step.conditions.free_rotation {
        free_bodies.add_force(model, (step.q, step.v), known, &mut turning);
    }
    let others = free_bodies.others(M::JOINTS);
    manifold::turn_back(&others, step.step_size, v_next.as_mut_slice());
    if !free_bodies.turn_back(step.step_size, v_next.as_mut_slice()) {
        return None;
    }
    let (mut chains, mut carried) = (Chains::new(), M::V::zeros());
    manifold::carry(M::JOINTS, step.v.as_slice(), step.step_size, carried.as_mut_slice());
    let (drift, state) = (step.conditions.allowed_drift(), (step.q, step.v, &carried));
    chains.add_force(model, drift, state, known, &mut turning).ok()?;
    if !chains.is_used() {
        let offset = vec![0.0; M::NV];
        return Some(Back { velocity: v_next, offset, turning, end: None });
    }
    let (h, from) = (step.step_size, displaced(step));
    let (of, to) = ((step.q, &from), (step.v_next, &v_next));
    let (velocity, offset, end) = leapfrog::middle(model, h, of, to, chains.belongs())?;
    chains.renew(model, h, (step.q, &velocity), &mut turning);
    Some(Back { velocity, offset, turning, end: Some(end) })
}

/// Where the step moves from: q ⊕ h c.
fn displaced<M: Model>(step: &Transition<'_, M>) -> M::Q {
    let mut q = step.q.clone();
    manifold::integrate(M::JOINTS, &step.impulse.displacement, 1.0, q.as_mut_slice());
    q
}

/// Rows of what acts.
pub(in crate::contact) struct Given<M: Model> {
    /// Of the contacts, column by column.
    pub(in crate::contact) jacobian: Vec<f64>,
    pub(in crate::contact) spins: Spins<M>,
    pub(in crate::contact) declared: Declared,
    pub(in crate::contact) pairs: Pairs<M>,
    pub(in crate::contact) rows: Option<Rows<M>>,
    pub(in crate::contact) springs: Springs,
    pub(in crate::contact) yielding: Yielding,
    /// What the velocity of which the laws of motors and of dry friction are has beside v⁺, (nv).
    pub(in crate::contact) offset: Vec<f64>,
    /// Found when it is asked for, as it is where regularisation is in proportion to A.
    response: OnceCell<Response>,
}

impl<M: Model> Given<M> {
    /// Those of the step's beginning.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`], [`Error::Pair`] and [`Error::Pose`] of shapes that are no solids, or nowhere.
    pub(in crate::contact) fn new(model: &M, step: &Transition<'_, M>) -> Result<Self, Error> {
        let (state, during) = ((step.q, step.v), (step.time, step.step_size));
        let mut pairs = Pairs::new(model)?;
        pairs.evaluate(model, state, (step.step_size, step.conditions))?;
        let mut jacobian = vec![f64::NAN; 3 * M::CONTACTS.len() * M::NV];
        model.contact_jacobian_into(step.q, &mut jacobian);
        let mut declared = Declared::new::<M>();
        declared.evaluate(model, step.q);
        let rows = (M::NC > 0).then(|| {
            let mut rows = Rows::new(model);
            rows.evaluate(model, step.q, step.v, step.time);
            rows
        });
        let mut spins = Spins::new(model);
        spins.evaluate(model, step.q);
        let mut yielding = Yielding::new::<M>();
        if M::NC > 0 {
            yielding.evaluate(model, state, during, step.conditions);
        }
        let mut springs = Springs::new(model);
        if !springs.are_none() {
            springs.evaluate(model, state);
            let response = Response::new(model, step, (rows.as_ref(), &yielding));
            let column = |row: &[f64]| response.to(|i| row[i]).as_slice()[..M::NV].to_vec();
            springs.limit_by(step.step_size, column);
        }
        let (response, offset) = (OnceCell::new(), vec![0.0; M::NV]);
        Ok(Self { offset, jacobian, spins, declared, pairs, rows, springs, yielding, response })
    }

    /// How well impulses satisfy their laws, in a step of one phase to a velocity in the axes of its beginning.
    pub(in crate::contact) fn laws(&self, model: &M, step: &Transition<'_, M>) -> f64 {
        self.residual(model, step, &Phase::last(step)).max()
    }

    /// How well the impulses of a phase satisfy their laws.
    fn residual(&self, model: &M, step: &Transition<'_, M>, phase: &Phase<M>) -> Residual {
        let of_contacts = contacts(model, step, phase, self);
        let of_pairs = self::pairs::residual(model, step, phase, self);
        Residual {
            normal: worse(of_contacts[0], of_pairs[0]),
            friction: worse(of_contacts[1], of_pairs[1]),
            limits: limits(model, step, phase, self),
            dry_friction: dry_friction(model, step, phase, &self.offset),
            springs: springs(step, phase, &self.springs),
            motors: motors::<M>(step, phase, &self.offset),
            constraints: soft_constraints(step, phase, &self.yielding),
            ..Residual::default()
        }
    }

    /// What impulses of the step change of velocities.
    fn response(&self, model: &M, step: &Transition<'_, M>) -> &Response {
        let rows = (self.rows.as_ref(), &self.yielding);
        self.response.get_or_init(|| Response::new(model, step, rows))
    }

    /// By how much a row, (nv), of this regularisation gives way under an impulse of one.
    fn compliance(
        &self,
        model: &M,
        step: &Transition<'_, M>,
        demand: &Demand,
        row: impl Fn(usize) -> f64,
    ) -> f64 {
        match demand.regularization {
            0.0 => 0.0,
            regularization => regularization * self.response(model, step).along(row),
        }
    }

    /// Hands on the terms of the generalised impulse at a coordinate.
    pub(in crate::contact) fn forces(&self, impulse: &Impulse, i: usize, mut add: impl FnMut(f64)) {
        let count = 3 * M::CONTACTS.len();
        for (k, row) in self.jacobian[count * i..count * (i + 1)].iter().enumerate() {
            add(row * impulse.local(k / 3)[k % 3]);
        }
        for (contact, impulse) in impulse.torsion.iter().enumerate() {
            self.spins.row(contact).iter().skip(i).take(1).for_each(|row| add(row * impulse));
        }
        if let Some(rows) = &self.rows {
            let column = &rows.held.jacobian[M::NC * i..M::NC * (i + 1)];
            column.iter().zip(&impulse.constraints).for_each(|(row, impulse)| add(row * impulse));
        }
        self::pairs::forces(&self.pairs, &impulse.pairs, i, &mut add);
        for (k, impulse) in impulse.declared.iter().enumerate() {
            self.declared.row(k).skip(i).take(1).for_each(|row| add(row * impulse));
        }
        for line in 0..self.springs.lines() {
            let impulse = impulse.springs[self.springs.place(line)];
            self.springs.row(line).skip(i).take(1).for_each(|row| add(row * impulse));
        }
        let [lower, upper] = impulse.limits[i];
        [lower, -upper, impulse.dry_friction[i], impulse.motors[i]].into_iter().for_each(add);
    }
}

fn momentum<M: Model>(
    model: &M,
    step: &Transition<'_, M>,
    given: &Given<M>,
    turning: &M::V,
) -> f64 {
    let (mut mass, bias) = (model.mass_matrix(step.q), model.bias_force(step.q, step.v));
    let [inertia, damping] = step.conditions.formulation.implicit();
    (0..M::NV).for_each(|i| mass[(i, i)] += inertia);
    let mut carried = M::V::zeros();
    manifold::carry(M::JOINTS, step.v.as_slice(), step.step_size, carried.as_mut_slice());
    let h = step.step_size;
    let mut passive = vec![0.0; M::NV];
    for (i, &damping) in given.springs.damping().iter().enumerate() {
        mass[(i, i)] += h * damping;
        passive[i] = damping * (carried[i] - step.v[i]);
    }
    let mut largest = 0.0;
    for i in 0..M::NV {
        let mut sum = Sum::of((0..M::NV).map(|j| mass[(i, j)] * (step.v_next[j] - carried[j])));
        sum.add(-h * (step.force[i] - bias[i] - damping * step.v[i] - passive[i] + turning[i]));
        given.forces(step.impulse, i, |term| sum.add(-term));
        largest = worse(largest, sum.relative().abs());
    }
    largest
}

/// The largest |h(q⁺, t⁺)| / ρ and |h_v(q, v⁺, t⁺)| / ρ of what does not give way.
fn constraints<M: Model>(
    model: &M,
    step: &Transition<'_, M>,
    (rows, yielding): (&Rows<M>, &Yielding),
    end: Option<M::Q>,
) -> f64 {
    let end = end.unwrap_or_else(|| {
        let (mut end, mut turned) = (displaced(step), step.v_next.clone());
        manifold::move_on(M::JOINTS, step.step_size, end.as_mut_slice(), turned.as_mut_slice());
        end
    });
    let (mut errors, mut rates) = (vec![f64::NAN; M::NC], vec![f64::NAN; M::NC]);
    let mut by = Vec::new();
    let counts = M::CONSTRAINTS.iter().map(|constraint| constraint.levels.len());
    reaches(counts, (M::NC, &rows.held.jacobian), &mut by);
    let time = step.time + step.step_size;
    let rows = (&by[..], |k| yielding.gives_way(k));
    missed(model, (step.q, &end, step.v_next), time, rows, (&mut errors, &mut rates))
}

/// Residuals of the contacts' normals and of their friction.
fn contacts<M: Model>(
    model: &M,
    step: &Transition<'_, M>,
    phase: &Phase<M>,
    given: &Given<M>,
) -> [f64; 2] {
    let Given { jacobian, spins, .. } = given;
    let (conditions, rows) = (step.conditions, 3 * M::CONTACTS.len());
    let mut gap = vec![f64::NAN; M::CONTACTS.len()];
    model.gap_into(step.q, &mut gap);
    let times = |row: usize, v: &M::V| Sum::of((0..M::NV).map(|j| jacobian[j * rows + row] * v[j]));
    let strongest = phase.whole.strongest();
    let (mut normal, mut friction) = (0.0, 0.0);
    for (i, parameters) in model.contact_parameters().iter().enumerate() {
        let (impulse, whole) = (phase.impulse.local(i), phase.whole.local(i));
        let velocity = [0, 1, 2].map(|k| times(3 * i + k, step.v).value);
        let (gap, restitution, h) = (gap[i], parameters.restitution, step.step_size);
        let approach = Approach { gap, velocity, restitution, step_size: h };
        let Some((demand, softness)) = conditions.demand_of_contact(i, &approach) else {
            normal = worse(normal, impulse.amax());
            friction = worse(friction, phase.impulse.torsion[i].abs());
            continue;
        };
        let demand = phase.demand(demand, &approach);
        let w = [0, 1, 2].map(|k| {
            let row = |j: usize| jacobian[j * rows + 3 * i + k];
            let mut w = times(3 * i + k, &phase.end);
            w.add(-demand.target[k]);
            w.add((softness + given.compliance(model, step, &demand, row)) * whole[k]);
            w
        });
        let contact = Contact {
            impulse: impulse.into(),
            floor: phase.floor(i, restitution),
            w,
            friction: conditions.formulation.friction(parameters.friction),
            directions: M::CONTACTS[i].directions,
            strongest,
        };
        let [n, t] = contact.residual(&conditions.formulation);
        let bound = conditions.formulation.torsion(parameters.torsion) * impulse.x;
        let (end, spinning) = (phase.end.as_slice(), phase.impulse.torsion[i]);
        let spin = Spin { impulse: spinning, w: spins.end(i, end, end) }.residual(bound);
        (normal, friction) = (worse(normal, n), worse(friction, worse(t, spin)));
    }
    [normal, friction]
}

/// |p − mid(lo, p − w, hi)|, relative to p if that is above one.
pub(super) fn bounded(p: f64, w: f64, [lo, hi]: [f64; 2]) -> f64 {
    Sum::of([p, -(p - w).max(lo).min(hi)].into_iter()).relative().abs()
}
