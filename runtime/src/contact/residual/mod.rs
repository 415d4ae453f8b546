//! How well a step satisfies its equations, computed from its result alone.
//!
//! > r = M(q) (v⁺ − ṽ) − h (f − b(q, v)) − Gᵀ Λ,  min(λ, n v⁺ − l),  min(β_k, d_k v⁺ + σ) and
//! > min(σ, μ λ − Σβ) with σ = max(0, maxₖ(−d_k v⁺)),  p − mid(−h τ_f, p − v_j⁺, h τ_f),  h(q⁺, t⁺) / ρ,  h_v(q, v⁺, t⁺) / ρ
//!
//! The multiplier σ of friction is the speed that maximum dissipation gives it, so that nothing
//! of a solver but the impulses enters; min(λ, …) and p − mid(…) are natural residuals, the latter of a dry
//! friction p.
//! Each sum is divided by its largest term, if that is above one, and the slack of a cone by the
//! strongest one: for robots of human size the numbers are N s and m/s. Those of declared constraints do not
//! depend on the units of their rows: ρ is the length of the longest row of H of the same constraint.

mod law;
mod pairs;
mod parts;
mod sum;

pub(super) use self::law::Contact;
pub use self::parts::Residual;
pub(super) use self::sum::Sum;

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{DMatrixView, DVector};

use super::bilateral::missed;
use super::conditions::Conditions;
use super::declared::Declared;
use super::limit::{self, Limit, Spans};
use super::pairs::Pairs;
use super::{Approach, Demand, Impulse, Motor};
use crate::constrained::{Rows, reaches};
use crate::lcp::natural;
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
    let mut v_next = step.v_next.clone();
    manifold::turn_back(M::JOINTS, step.step_size, v_next.as_mut_slice());
    let step = &Transition { v_next: &v_next, ..*step };
    let Ok(mut pairs) = Pairs::new(model) else { return Residual::UNKNOWN };
    if pairs.evaluate(model, (step.q, step.v), (step.step_size, step.conditions)).is_err() {
        return Residual::UNKNOWN;
    }
    let mut jacobian = vec![f64::NAN; 3 * M::CONTACTS.len() * M::NV];
    model.contact_jacobian_into(step.q, &mut jacobian);
    let of_contacts = contacts(model, step, &jacobian);
    let of_pairs = self::pairs::residual(model, step, &pairs);
    let mut declared = Declared::new::<M>();
    declared.evaluate(model, step.q);
    let rows = (M::NC > 0).then(|| {
        let mut rows = Rows::new(model);
        rows.evaluate(model, step.q, step.v, step.time);
        rows
    });
    Residual {
        momentum: momentum(model, step, (&jacobian, &declared, &pairs), rows.as_ref()),
        constraints: rows.as_ref().map_or(0.0, |rows| constraints(model, step, rows)),
        normal: worse(of_contacts[0], of_pairs[0]),
        friction: worse(of_contacts[1], of_pairs[1]),
        limits: limits(model, step, &declared),
        dry_friction: dry_friction(model, step),
        motors: motors::<M>(step),
    }
}

fn momentum<M: Model>(
    model: &M,
    step: &Transition<'_, M>,
    (jacobian, declared, pairs): (&[f64], &Declared, &Pairs<M>),
    rows: Option<&Rows<M>>,
) -> f64 {
    let (mut mass, bias) = (model.mass_matrix(step.q), model.bias_force(step.q, step.v));
    let [inertia, damping] = step.conditions.formulation.implicit();
    (0..M::NV).for_each(|i| mass[(i, i)] += inertia);
    let mut carried = M::V::zeros();
    manifold::carry(M::JOINTS, step.v.as_slice(), step.step_size, carried.as_mut_slice());
    let contacts = M::CONTACTS.len();
    let local: Vec<_> = (0..contacts).map(|i| step.impulse.local(i)).collect();
    let mut largest = 0.0;
    for i in 0..M::NV {
        let mut sum = Sum::of((0..M::NV).map(|j| mass[(i, j)] * (step.v_next[j] - carried[j])));
        sum.add(-step.step_size * (step.force[i] - bias[i] - damping * step.v[i]));
        let column = &jacobian[3 * contacts * i..3 * contacts * (i + 1)];
        for (rows, impulse) in column.chunks_exact(3).zip(&local) {
            rows.iter().zip(impulse.iter()).for_each(|(row, impulse)| sum.add(-row * impulse));
        }
        if let Some(rows) = rows {
            let column = &rows.held.jacobian[M::NC * i..M::NC * (i + 1)];
            let held = column.iter().zip(&step.impulse.constraints);
            held.for_each(|(row, impulse)| sum.add(-row * impulse));
        }
        self::pairs::add_force(pairs, &step.impulse.pairs, i, &mut sum);
        for (k, impulse) in step.impulse.declared.iter().enumerate() {
            declared.row(k).skip(i).take(1).for_each(|row| sum.add(-row * impulse));
        }
        let [lower, upper] = step.impulse.limits[i];
        let others = [step.impulse.dry_friction[i], step.impulse.motors[i]];
        [-lower, upper, -others[0], -others[1]].into_iter().for_each(|p| sum.add(p));
        largest = worse(largest, sum.relative().abs());
    }
    largest
}

/// The largest |h(q⁺, t⁺)| / ρ and |h_v(q, v⁺, t⁺)| / ρ.
fn constraints<M: Model>(model: &M, step: &Transition<'_, M>, rows: &Rows<M>) -> f64 {
    let (mut end, mut turned) = (step.q.clone(), step.v_next.clone());
    manifold::move_on(M::JOINTS, step.step_size, end.as_mut_slice(), turned.as_mut_slice());
    let (mut errors, mut rates) = (vec![f64::NAN; M::NC], vec![f64::NAN; M::NC]);
    let mut by = Vec::new();
    let counts = M::CONSTRAINTS.iter().map(|constraint| constraint.levels.len());
    reaches(counts, (M::NC, &rows.held.jacobian), &mut by);
    let time = step.time + step.step_size;
    missed(model, (step.q, &end, step.v_next), time, &by, (&mut errors, &mut rates))
}

/// Residuals of the contacts' normals and of their friction.
fn contacts<M: Model>(model: &M, step: &Transition<'_, M>, jacobian: &[f64]) -> [f64; 2] {
    let (conditions, rows) = (step.conditions, 3 * M::CONTACTS.len());
    let mut gap = vec![f64::NAN; M::CONTACTS.len()];
    model.gap_into(step.q, &mut gap);
    let times = |row: usize, v: &M::V| Sum::of((0..M::NV).map(|j| jacobian[j * rows + row] * v[j]));
    let strongest = step.impulse.strongest();
    let (mut normal, mut friction) = (0.0, 0.0);
    for (i, parameters) in model.contact_parameters().iter().enumerate() {
        let impulse = step.impulse.local(i);
        let velocity = [0, 1, 2].map(|k| times(3 * i + k, step.v).value);
        let (gap, restitution, h) = (gap[i], parameters.restitution, step.step_size);
        let approach = Approach { gap, velocity, restitution, step_size: h };
        let Some((demand, softness)) = conditions.demand_of_contact(i, &approach) else {
            normal = worse(normal, impulse.amax());
            continue;
        };
        let row = |k: usize, j: usize| jacobian[j * rows + 3 * i + k];
        let inverse_masses = inverse_masses(model, step, row, &demand);
        let w = [0, 1, 2].map(|k| {
            let mut w = times(3 * i + k, step.v_next);
            w.add(-demand.target[k]);
            w.add((softness + demand.regularization * inverse_masses[k]) * impulse[k]);
            w
        });
        let contact = Contact {
            impulse: impulse.into(),
            w,
            friction: conditions.formulation.friction(parameters.friction),
            directions: M::CONTACTS[i].directions,
            strongest,
        };
        let [n, t] = contact.residual(&conditions.formulation);
        (normal, friction) = (worse(normal, n), worse(friction, t));
    }
    [normal, friction]
}

/// Jᵢ M̂⁻¹ Jᵢᵀ of a contact's rows, where a regularisation is in proportion to it.
fn inverse_masses<M: Model>(
    model: &M,
    step: &Transition<'_, M>,
    row: impl Fn(usize, usize) -> f64,
    demand: &Demand,
) -> [f64; 3] {
    if demand.regularization == 0.0 {
        return [0.0; 3];
    }
    let mut mass = model.mass_matrix(step.q);
    let [inertia, _] = step.conditions.formulation.implicit();
    (0..M::NV).for_each(|i| mass[(i, i)] += inertia);
    let mass = DMatrixView::from_slice(mass.as_slice(), M::NV, M::NV);
    let Some(factor) = mass.clone_owned().cholesky() else { return [f64::NAN; 3] };
    [0, 1, 2].map(|k| {
        let row = DVector::from_fn(M::NV, |j, _| row(k, j));
        factor.solve(&row).dot(&row)
    })
}

fn limits<M: Model>(model: &M, step: &Transition<'_, M>, declared: &Declared) -> f64 {
    let one = |(i, &gap): (usize, &f64)| {
        let along = |v: &M::V| declared.velocity(i, v.as_slice());
        let (velocity, step_size) = ([along(step.v), 0.0, 0.0], step.step_size);
        let approach = Approach { gap, velocity, restitution: 0.0, step_size };
        let impulse = step.impulse.declared[i];
        match step.conditions.formulation.demand(&approach) {
            None => impulse.abs(),
            Some(demand) => {
                let terms = [along(step.v_next), -demand.target[0]];
                natural(impulse, Sum::of(terms.into_iter()).relative())
            }
        }
    };
    let of_declared = declared.value.iter().enumerate().map(one).fold(0.0, worse);
    let part = |limit: Limit| {
        let along = |v: &M::V| limit.sign() * v[limit.v];
        let (gap, velocity) = (limit.gap, [along(step.v), 0.0, 0.0]);
        let approach = Approach { gap, velocity, restitution: 0.0, step_size: step.step_size };
        let impulse = step.impulse.limits[limit.v][usize::from(limit.upper)];
        match step.conditions.demand_of_limit(limit.v, &approach) {
            None => impulse.abs(),
            Some((demand, softness)) => {
                let terms = [along(step.v_next), -demand.target[0], softness * impulse];
                natural(impulse, Sum::of(terms.into_iter()).relative())
            }
        }
    };
    let spans = Spans::new(M::JOINTS, &model.coordinate_parameters());
    let limits = spans.iter().flat_map(|span| span.limits(step.q.as_slice()));
    limits.map(part).fold(of_declared, worse)
}

fn motors<M: Model>(step: &Transition<'_, M>) -> f64 {
    let part = |&(v, motor): &(usize, Motor)| {
        let Some(&impulse) = step.impulse.motors.get(v) else { return 0.0 };
        let at = limit::configuration_index(M::JOINTS, v).map(|i| step.q[i]);
        let Some(row) = at.and_then(|q| motor.row(q, step.step_size)) else { return impulse.abs() };
        let terms = [step.v_next[v], -row.target, row.softness * impulse];
        bounded(impulse, Sum::of(terms.into_iter()).relative(), [-row.bound, row.bound])
    };
    step.conditions.motors.iter().map(part).fold(0.0, worse)
}

fn dry_friction<M: Model>(model: &M, step: &Transition<'_, M>) -> f64 {
    let bounds = model.coordinate_parameters().into_iter().map(|coordinate| coordinate.friction);
    let part = |(i, bound): (usize, f64)| {
        let bound = step.step_size * bound;
        bounded(step.impulse.dry_friction[i], step.v_next[i], [-bound, bound])
    };
    bounds.enumerate().map(part).fold(0.0, worse)
}

/// |p − mid(lo, p − w, hi)|, relative to p if that is above one.
pub(super) fn bounded(p: f64, w: f64, [lo, hi]: [f64; 2]) -> f64 {
    Sum::of([p, -(p - w).max(lo).min(hi)].into_iter()).relative().abs()
}
