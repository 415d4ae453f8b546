//! The momenta of a step are the slopes of its discrete action.
//!
//! > L_d(q₀, q₁) = h Σ bₖ (T − U)(q(cₖ), ξ(cₖ)),  pₙ = −D₁L_d,  pₙ₊₁ = D₂L_d
//!
//! with chords of the test's own, and slopes by differences of the sixth order.

use jourdain::description::Chart;
use jourdain::space::Storage;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::robots::{Balls, Chain, Floater};
use super::*;

/// The configuration at a share of the way from one to another, and the velocity there.
fn chord<M: Model>(model: &M, (q0, q1): (&M::Q, &M::Q), share: f64, h: f64) -> (M::Q, M::V) {
    let (mut q, mut v) = (q0.clone(), model.difference(q0, q0));
    for joint in M::JOINTS {
        let turned = |first: usize| {
            let at = |q: &M::Q| {
                UnitQuaternion::new_unchecked(Quaternion::new(
                    q[first + 3],
                    q[first],
                    q[first + 1],
                    q[first + 2],
                ))
            };
            let w = (at(q0).inverse() * at(q1)).scaled_axis();
            (at(q0) * UnitQuaternion::from_scaled_axis(share * w), w)
        };
        let turn = match joint.chart {
            Chart::Vector => None,
            Chart::Quaternion => Some((joint.q, joint.v)),
            Chart::Pose => Some((joint.q + 3, joint.v + 3)),
        };
        let straight = if joint.chart == Chart::Quaternion { 0 } else { joint.nv.min(joint.nq) };
        let straight = if joint.chart == Chart::Pose { 3 } else { straight };
        for k in 0..straight {
            let way = q1[joint.q + k] - q0[joint.q + k];
            q[joint.q + k] = q0[joint.q + k] + share * way;
            v[joint.v + k] = way / h;
        }
        let Some((place, rate)) = turn else { continue };
        let (rotation, w) = turned(place);
        (0..3).for_each(|k| v[rate + k] = w[k] / h);
        (0..3).for_each(|k| q[place + k] = rotation.imag()[k]);
        q[place + 3] = rotation.w;
        if joint.chart == Chart::Pose {
            let way = Vector3::new(v[joint.v], v[joint.v + 1], v[joint.v + 2]);
            let inside = rotation.inverse() * way;
            (0..3).for_each(|k| v[joint.v + k] = inside[k]);
        }
    }
    (q, v)
}

fn action<M: Model>(model: &M, rule: Rule, ends: (&M::Q, &M::Q), h: f64) -> f64 {
    let lagrangian = |share: f64| {
        let (q, v) = chord(model, ends, share, h);
        model.kinetic_energy(&q, &v) - model.potential_energy(&q)
    };
    match rule {
        Rule::Midpoint => h * lagrangian(0.5),
        Rule::Trapezoidal => 0.5 * h * (lagrangian(0.0) + lagrangian(1.0)),
    }
}

/// The slope of a function along a velocity coordinate.
fn slope<M: Model>(model: &M, q: &M::Q, k: usize, f: impl Fn(&M::Q) -> f64) -> f64 {
    let at = |x: f64| {
        let mut delta = model.difference(q, q);
        delta[k] = x;
        f(&model.integrate(q, &delta))
    };
    let e = 1e-3;
    let pair = |n: f64| at(n * e) - at(-n * e);
    (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * e)
}

fn momenta_are_slopes<M: Model<U = Vector0> + Copy>(model: M) {
    for rule in RULES {
        for seed in 0..5 {
            let (q0, v) = anywhere(&model, seed, 2.0);
            let h = 0.05;
            let start = Variational::new(model).unwrap().state(q0.clone(), v.clone()).unwrap();
            let p0 = start.momentum().clone();
            let end = stepped(model, rule, h, (&q0, &v));
            let q1 = &end.current().q;
            for k in 0..M::NV {
                let departs = -slope(&model, &q0, k, |q| action(&model, rule, (q, q1), h));
                let arrives = slope(&model, q1, k, |q| action(&model, rule, (&q0, q), h));
                let found = [p0[k], end.momentum()[k]];
                for (found, expected) in found.iter().zip([departs, arrives]) {
                    assert!(
                        (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                        "{rule:?} {seed} {k}: {found} instead of {expected}"
                    );
                }
            }
            let back = velocity(&model, q1, end.momentum().as_slice());
            assert!((0..M::NV).all(|k| (back[k] - end.current().v[k]).abs() < 1e-12));
        }
    }
}

#[test]
fn of_coordinates() {
    momenta_are_slopes(Chain);
}

#[test]
fn of_ball_joints() {
    momenta_are_slopes(Balls);
}

#[test]
fn of_a_body_that_floats() {
    momenta_are_slopes(Floater { g: 9.81 });
}
