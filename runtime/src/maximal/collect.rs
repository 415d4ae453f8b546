//! What a step asks of all rows.
//!
//! | row | velocity: w = J u⁺ − target + (K/h) λ | displacement: w = J δ − target |
//! |---|---|---|
//! | hard row of a joint | target 0 | −γ Φ |
//! | soft row of a joint | −γ Φ/h | none: λ = 0 |
//! | coupling | target 0 | −Φ |
//! | rotor of inertia a | J⁻ u⁻, softness 1/a | none |
//! | constraint of a robot | −∂h/∂t | −h of positions, none of velocities |
//! | limit, contact | −φ⁺/h; −e J u⁻ where that is positive and φ + h J u⁻ ≤ 0 | −φ where φ > 0, −γ φ where φ < 0 |
//! | motor | v* | none |
//! | dry friction of a ball | 0 | none |
//! | damper d; spring with excess e and force f | h f/g, softness 1/g, g = h d + e | none |
//!
//! A rotor's row has λ = −a (J u⁺ − J⁻ u⁻): its momentum changes by what it gets. J⁻ is its row at s ⊖ h u⁻, along which u⁻ was
//! found; with J, the rotor would not notice that its axis turns.
//!
//! Velocities thus keep what holds and do not undo errors: these are the displacement's, which is no motion (`step`).

use alloc::vec::Vec;

use nalgebra::Vector6;

use super::World;
use super::aim::{Aim, REACH, UNBOUNDED, is_near, target};
use super::body::Body;
use super::contact;
use super::declared::{self, Touching};
use super::joint::{Joint, entries};
use super::limit::{self, Gap};
use super::orientation::Orientation;
use super::problem::{Law, Problem, Source};
use super::row::Row;
use crate::contact::Softness;
use crate::slices::worse;

/// Lists all rows at the state of `bodies`. Returns the largest error: |Φ| of a hard row, or −φ.
pub(super) fn collect(world: &World, bodies: &[Body], aim: Aim, problem: &mut Problem) -> f64 {
    problem.clear();
    problem.mass.extend(bodies.iter().map(Body::mass_matrix));
    let h = if let Aim::Velocity { h } = aim { Some(h) } else { None };
    let own = world.own_state(bodies, h);
    match aim {
        Aim::Velocity { h } => {
            let free = |body: &Body| body.free_momentum(&world.gravity, h);
            problem.momentum.extend(bodies.iter().map(free));
        }
        Aim::Position => problem.momentum.resize(bodies.len(), Vector6::zeros()),
    }
    let error = joints(world, bodies, aim, problem);
    let error = worse(couplings(world, bodies, aim, problem), error);
    let error = worse(declared::constraints(world, own.as_ref(), aim, problem), error);
    let depth = limits(world, bodies, aim, problem);
    let depth = worse(declared::limits(world, own.as_ref(), (bodies, aim), problem), depth);
    if let Aim::Velocity { h } = aim {
        motors(world, bodies, h, problem);
        frictions(world, bodies, h, problem);
        if let Some(own) = &own {
            own.add_elastic(h, &mut problem.momentum);
            declared::springs(own, problem);
        }
    }
    let depth = worse(contacts(world, bodies, aim, problem), depth);
    let depth = worse(declared::contacts(world, own.as_ref(), (bodies, aim), problem), depth);
    worse(error, depth)
}

fn joints(world: &World, bodies: &[Body], aim: Aim, problem: &mut Problem) -> f64 {
    let (mut rows, mut error) = (Vec::new(), 0.0_f64);
    let earlier = earlier(world, bodies, aim);
    for (k, joint) in world.joints.iter().enumerate() {
        rows.clear();
        joint.rows_into(bodies, &mut rows);
        problem.begin(Source::Joint(k), Law::Holds);
        for (row, softness) in rows.iter().zip(&joint.softness) {
            let soft = softness.is_soft();
            if !soft {
                error = worse(row.value.abs(), error);
            }
            match aim {
                // A row of nothing has no impulse.
                Aim::Position if soft => problem.push((0.0, 1.0), []),
                _ => problem.push(demand(row, softness, aim), entries(joint, row, 1.0)),
            }
        }
        if let Some(earlier) = &earlier {
            rotors(joint, [bodies, earlier], problem);
        }
    }
    error
}

/// The bodies a step ago, where a joint has a rotor.
fn earlier(world: &World, bodies: &[Body], aim: Aim) -> Option<Vec<Body>> {
    let Aim::Velocity { h } = aim else { return None };
    if world.joints.iter().all(|joint| joint.armature == [0.0; 3]) {
        return None;
    }
    let mut earlier = bodies.to_vec();
    for body in &mut earlier {
        body.displace(&(-h * body.velocity()), Orientation::Finite);
    }
    Some(earlier)
}

fn rotors(joint: &Joint, [now, earlier]: [&[Body]; 2], problem: &mut Problem) {
    for (axis, &inertia) in joint.armature.iter().enumerate().filter(|(_, a)| **a > 0.0) {
        let (Some(row), Some(before)) = (joint.rate(axis, now), joint.rate(axis, earlier)) else {
            continue;
        };
        let parts = entries(joint, &before, 1.0);
        let rate = parts.map(|(body, part)| part.dot(&now[body].velocity())).sum();
        problem.push((rate, 1.0 / inertia), entries(joint, &row, 1.0));
    }
}

fn couplings(world: &World, bodies: &[Body], aim: Aim, problem: &mut Problem) -> f64 {
    let mut error = 0.0_f64;
    for (k, coupling) in world.couplings.iter().enumerate() {
        let Some(Gap { value, entries }) = coupling.row(&world.joints, bodies) else { continue };
        error = worse(value.abs(), error);
        problem.begin(Source::Coupling(k), Law::Holds);
        problem.push((if aim == Aim::Position { -value } else { 0.0 }, 0.0), entries);
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
            depth = worse(-gap.value, depth);
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
        let Some((joint, row)) =
            limit::coordinate((motor.joint, motor.coordinate), &world.joints, bodies)
        else {
            continue;
        };
        let bound = h * motor.force;
        problem.begin(Source::Motor(k), Law::Bounded([-bound, bound]));
        problem.push((motor.velocity, 0.0), entries(joint, &row, 1.0));
    }
}

fn frictions(world: &World, bodies: &[Body], h: f64, problem: &mut Problem) {
    for (k, friction) in world.frictions.iter().enumerate() {
        problem.begin(Source::Friction(k), Law::Ball(h * friction.bound));
        let of =
            |coordinate| limit::coordinate((friction.joint, coordinate), &world.joints, bodies);
        for (joint, row) in (0..3).filter_map(of) {
            problem.push((0.0, 0.0), entries(joint, &row, 1.0));
        }
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
        depth = worse(-contact.gap(), depth);
        let parts = |row: &Row, of: [Option<usize>; 2]| {
            let parts = of.into_iter().zip(row.jacobian);
            parts.filter_map(|(body, part)| Some((body?, part))).collect::<Vec<_>>()
        };
        let normal = parts(&contact.rows[0], contact.bodies);
        let rate: f64 = normal.iter().map(|(body, part)| part.dot(&bodies[*body].velocity())).sum();
        if !is_near(contact.gap(), rate, aim) {
            continue;
        }
        let (gap, friction, restitution) = (contact.gap(), contact.friction, contact.restitution);
        let touching = Touching { gap, rate, friction, restitution };
        let [_, first, second] = &contact.rows;
        let tangents = || [first, second].map(|row| parts(row, contact.bodies));
        touching.push(world, (Source::Contact(contact.key), aim), normal, tangents, problem);
    }
    depth
}

/// An upper bound of the speed of what is within a metre of the centre of mass.
fn speed(body: &Body) -> f64 {
    body.linear.norm() + body.angular.norm()
}
