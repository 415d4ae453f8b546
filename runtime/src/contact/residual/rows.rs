//! How well what is one row each satisfies its law: limits, motors and dry friction.

use super::super::sum::Sum;
use super::ball::ball;
use super::bounded::bounded;
use super::given::Given;
use super::motion::Motion;
use super::phase::Phase;
use crate::contact::limit::{self, Dry, Limit, Spans};
use crate::contact::springs::Springs;
use crate::contact::yielding::Yielding;
use crate::contact::{Approach, Motor};
use crate::lcp::natural;
use crate::model::{Robot, Table};
use crate::slices::worse;

pub(super) fn limits(robot: Robot<'_>, step: &Motion<'_>, phase: &Phase, given: &Given) -> f64 {
    let (step_size, declared) = (step.step_size, &given.declared);
    let one = |(i, &gap): (usize, &f64)| {
        let along = |v: &[f64]| declared.velocity(i, v);
        let approach =
            Approach { gap, velocity: [along(step.v), 0.0, 0.0], restitution: 0.0, step_size };
        let [impulse, whole] = [&phase.impulse, &phase.whole].map(|impulse| impulse.declared[i]);
        match step.conditions.demand_of_rigid(&approach) {
            None => impulse.abs(),
            Some((demand, _)) => {
                let row = |j: usize| declared.row(i).nth(j).unwrap_or(f64::NAN);
                let soft = given.compliance(robot, step, &demand, row);
                let target = phase.demand(demand, &approach).target[0];
                let terms = [along(&phase.end), -target, soft * whole];
                let w = Sum::of(terms.into_iter()).from(approach.velocity[0]);
                natural(impulse, w.relative())
            }
        }
    };
    let of_declared = declared.value.iter().enumerate().map(one).fold(0.0, worse);
    let part = |limit: Limit| {
        let along = |v: &[f64]| limit.sign() * v[limit.v];
        let (gap, velocity) = (limit.gap, [along(step.v), 0.0, 0.0]);
        let approach = Approach { gap, velocity, restitution: 0.0, step_size };
        let [impulse, whole] = [&phase.impulse, &phase.whole]
            .map(|impulse| impulse.limits[limit.v][usize::from(limit.upper)]);
        match step.conditions.demand_of_limit(limit.v, &approach) {
            None => impulse.abs(),
            Some((demand, softness)) => {
                let row = |j: usize| if j == limit.v { 1.0 } else { 0.0 };
                let soft = softness + given.compliance(robot, step, &demand, row);
                let target = phase.demand(demand, &approach).target[0];
                let terms = [along(&phase.end), -target, soft * whole];
                let w = Sum::of(terms.into_iter()).from(velocity[0]);
                natural(impulse, w.relative())
            }
        }
    };
    let spans = Spans::new(robot.joints, &robot.coordinate_parameters());
    let limits = spans.iter().flat_map(|span| span.limits(step.q));
    limits.map(part).fold(of_declared, worse)
}

pub(super) fn motors(table: &Table, step: &Motion<'_>, phase: &Phase, offset: &[f64]) -> f64 {
    let part = |&(v, motor): &(usize, Motor)| {
        let Some(&impulse) = phase.whole.motors.get(v) else { return 0.0 };
        let at = limit::motor_place(table.joints, step.q, v);
        let Some(row) = at.and_then(|q| motor.row(q, step.step_size)) else { return impulse.abs() };
        let target = match phase.compresses {
            // What forces without bound hold is held, and other forces are none.
            true if row.bound == f64::INFINITY && !row.is_implicit() => step.v[v],
            true => return impulse.abs(),
            // What is implicit is a force of v⁺.
            false if row.is_implicit() => row.target,
            false => row.target - offset[v],
        };
        let terms = [phase.end[v], -target, row.softness * impulse];
        let w = Sum::of(terms.into_iter()).from(step.v[v]);
        bounded(impulse, w.relative(), [-row.bound, row.bound])
    };
    step.conditions.motors.iter().map(part).fold(0.0, worse)
}

pub(super) fn dry_friction(
    robot: Robot<'_>,
    step: &Motion<'_>,
    phase: &Phase,
    offset: &[f64],
) -> f64 {
    let impulses = &phase.whole.dry_friction;
    let without =
        |v: usize, all: &[Dry]| !all.iter().any(|of| (of.v..of.v + of.count()).contains(&v));
    let all = limit::dry_friction(robot.joints, &robot.coordinate_parameters());
    let none = (0..robot.nv).filter(|&v| phase.compresses || without(v, &all));
    let none = none.map(|v| impulses[v].abs()).fold(0.0, worse);
    if phase.compresses {
        return none;
    }
    let part = |&Dry { v, bound, is_ball }: &Dry| {
        let bound = step.step_size * bound;
        let w = |v: usize| Sum::of([phase.end[v], offset[v]].into_iter()).from(step.v[v]);
        if is_ball {
            let p = core::array::from_fn(|k| impulses[v + k]);
            let w = core::array::from_fn(|k| w(v + k));
            ball(p, w, bound, &step.conditions.formulation)
        } else {
            bounded(impulses[v], w(v).relative(), [-bound, bound])
        }
    };
    all.iter().map(part).fold(none, worse)
}

/// Of what is implicit along the lines of springs and dampers.
pub(super) fn springs(step: &Motion<'_>, phase: &Phase, springs: &Springs) -> f64 {
    let part = |line: usize| {
        let impulse = phase.whole.springs[springs.place(line)];
        if phase.compresses {
            return impulse.abs();
        }
        let (target, softness) = springs.demand(line, step.step_size);
        let [before, end] = [step.v, &phase.end[..]].map(|v| springs.velocity(line, v));
        let w = Sum::of([end, -target, softness * impulse].into_iter()).from(before);
        w.relative().abs()
    };
    springs.acting(step.step_size).map(part).fold(0.0, worse)
}

pub(super) fn soft_constraints(step: &Motion<'_>, phase: &Phase, yielding: &Yielding) -> f64 {
    let part = |k: usize| {
        let (impulse, (target, softness)) =
            (phase.whole.constraints[k], yielding.demand(k, step.step_size));
        let target = match phase.compresses {
            true if softness == 0.0 => yielding.velocity(k, step.v),
            true => return impulse.abs(),
            false => target,
        };
        let [before, end] = [step.v, &phase.end[..]].map(|v| yielding.velocity(k, v));
        let w = Sum::of([end, -target, softness * impulse].into_iter()).from(before);
        w.relative().abs()
    };
    yielding.rows().map(part).fold(0.0, worse)
}
