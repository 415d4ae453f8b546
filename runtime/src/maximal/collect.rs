//! What a step asks of all rows.
//!
//! | row | velocity: w = J u⁺ − target + (K/h) λ | displacement: w = J δ − target |
//! |---|---|---|
//! | hard row of a joint | target 0 | −γ Φ |
//! | soft row of a joint | −γ Φ/h | none: λ = 0 |
//! | limit, contact | −φ⁺/h; −e J u⁻ where that is positive and φ + h J u⁻ ≤ 0 | −φ where φ > 0, −γ φ where φ < 0 |
//! | motor | v* | none |
//!
//! Velocities thus keep what holds and do not undo errors: these are the displacement's, which gives no velocity, and
//! so no kinetic energy.

use alloc::vec::Vec;

use super::World;
use super::body::Body;
use super::contact;
use super::limit;
use super::problem::{Law, Problem, Source};
use super::row::Row;
use crate::contact::Softness;

/// Limits and contacts that are further off are looked at only if they approach, in rad or m.
const REACH: f64 = 1e-3;

const UNBOUNDED: [f64; 2] = [0.0, f64::INFINITY];

/// What the rows are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// Velocities after `h` seconds.
    Velocity {
        /// h.
        h: f64,
    },
    /// The displacement that puts errors right.
    Position,
}

/// Lists all rows at the state of `bodies`. Returns the largest error: |Φ| of a hard row, or −φ.
pub(super) fn collect(world: &World, bodies: &[Body], aim: Aim, problem: &mut Problem) -> f64 {
    problem.clear();
    problem.mass.extend(bodies.iter().map(Body::mass_matrix));
    let error = joints(world, bodies, aim, problem);
    let depth = limits(world, bodies, aim, problem);
    if let Aim::Velocity { h } = aim {
        motors(world, bodies, h, problem);
    }
    error.max(depth).max(contacts(world, bodies, aim, problem))
}

fn joints(world: &World, bodies: &[Body], aim: Aim, problem: &mut Problem) -> f64 {
    let (mut rows, mut error) = (Vec::new(), 0.0_f64);
    for (k, joint) in world.joints.iter().enumerate() {
        rows.clear();
        joint.rows_into(bodies, &mut rows);
        problem.begin(Source::Joint(k), Law::Holds);
        for (row, softness) in rows.iter().zip(&joint.softness) {
            let soft = softness.is_soft();
            if !soft {
                error = error.max(row.value.abs());
            }
            match aim {
                // A row of nothing has no impulse.
                Aim::Position if soft => problem.push((0.0, 1.0), []),
                _ => problem.push(demand(row, softness, aim), limit::entries(joint, row, 1.0)),
            }
        }
    }
    error
}

/// Target and σ of a row of a joint.
fn demand(row: &Row, softness: &Softness, aim: Aim) -> (f64, f64) {
    let error = -softness.reduction() * row.value;
    match aim {
        Aim::Velocity { h } if softness.is_soft() => (error / h, softness.mixing() / h),
        Aim::Velocity { .. } => (0.0, 0.0),
        Aim::Position => (error, 0.0),
    }
}

fn limits(world: &World, bodies: &[Body], aim: Aim, problem: &mut Problem) -> f64 {
    let mut depth = 0.0_f64;
    for (k, limit) in world.limits.iter().enumerate() {
        for (side, gap) in limit.gaps(&world.joints, bodies).into_iter().enumerate() {
            depth = depth.max(-gap.value);
            let rates = gap.entries.iter().map(|(body, part)| part.dot(&bodies[*body].velocity()));
            if is_near(gap.value, rates.sum(), aim) {
                problem.begin(Source::Limit(k, side), Law::Bounded(UNBOUNDED));
                problem.push((target(world, gap.value, aim), 0.0), gap.entries);
            }
        }
    }
    depth
}

fn motors(world: &World, bodies: &[Body], h: f64, problem: &mut Problem) {
    for (k, motor) in world.motors.iter().enumerate() {
        let Some((joint, row)) = limit::coordinate(motor.joint, &world.joints, bodies) else {
            continue;
        };
        let bound = h * motor.force;
        problem.begin(Source::Motor(k), Law::Bounded([-bound, bound]));
        problem.push((motor.velocity, 0.0), limit::entries(joint, &row, 1.0));
    }
}

fn contacts(world: &World, bodies: &[Body], aim: Aim, problem: &mut Problem) -> f64 {
    let reach = |body: Option<usize>| match aim {
        Aim::Velocity { h } => {
            0.5 * REACH + body.map_or(0.0, |body| 2.0 * h * speed(&bodies[body]))
        }
        Aim::Position => 0.5 * REACH,
    };
    let mut depth = 0.0_f64;
    for contact in contact::detect(&world.solids, bodies, reach) {
        depth = depth.max(-contact.gap());
        let parts = |row: &Row, of: [Option<usize>; 2]| {
            let parts = of.into_iter().zip(row.jacobian);
            parts.filter_map(|(body, part)| Some((body?, part))).collect::<Vec<_>>()
        };
        let normal = parts(&contact.rows[0], contact.bodies);
        let rate: f64 = normal.iter().map(|(body, part)| part.dot(&bodies[*body].velocity())).sum();
        if !is_near(contact.gap(), rate, aim) {
            continue;
        }
        let bounce = match aim {
            Aim::Velocity { h } if contact.gap() + h * rate <= 0.0 => -contact.restitution * rate,
            _ => 0.0,
        };
        let target = target(world, contact.gap(), aim);
        let target = if bounce > 0.0 { target.max(bounce) } else { target };
        let rubs = contact.friction > 0.0 && aim != Aim::Position;
        let law = if rubs { Law::Contact(contact.friction) } else { Law::Bounded(UNBOUNDED) };
        problem.begin(Source::Contact(contact.key), law);
        problem.push((target, 0.0), normal);
        if rubs {
            for row in &contact.rows[1..] {
                problem.push((0.0, 0.0), parts(row, contact.bodies));
            }
        }
    }
    depth
}

/// Whether a gap may close in the step. Impulses of the same step may close others, by less than its length at their
/// speed; these are put right with the errors. What is NaN is not passed over: no impulses are found for it.
fn is_near(gap: f64, rate: f64, aim: Aim) -> bool {
    let reach = match aim {
        Aim::Velocity { h } => REACH + 2.0 * h * rate.abs(),
        Aim::Position => REACH,
    };
    gap <= reach || gap.is_nan()
}

/// What the rate of a gap, or its change, is at least.
fn target(world: &World, gap: f64, aim: Aim) -> f64 {
    match aim {
        Aim::Velocity { .. } if gap <= 0.0 => 0.0,
        Aim::Velocity { h } => -gap / h,
        Aim::Position if gap < 0.0 => -world.settings.reduction * gap,
        Aim::Position => -gap,
    }
}

/// An upper bound of the speed of what is within a metre of the centre of mass.
fn speed(body: &Body) -> f64 {
    body.linear.norm() + body.angular.norm()
}
