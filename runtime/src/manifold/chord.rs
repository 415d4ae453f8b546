//! The way from one configuration to the next, and momenta along it.
//!
//! A chord d leads from q₀ to q₁, and at the share c of it is q(c), with the velocity ξ(c) if it takes h seconds:
//!
//! | chart | d | q(c) | ξ(c) |
//! |---|---|---|---|
//! | `Vector` | d | q₀ + c d | d / h |
//! | `Quaternion` | w | R₀ exp(c w) | w / h |
//! | `Pose` | Δ in the parent's axes, w | x₀ + c Δ, R₀ exp(c w) | \[R(c)ᵀ Δ \| w\] / h |
//!
//! The origin of a pose so moves along a straight line while the body turns steadily, and whatever does not depend on
//! where the world's axes are is the same for a chord that is moved and turned as a whole. The way back is −d.
//!
//! Where a velocity coordinate moves what turns, momenta have the components that velocities have: those in the axes of
//! the configuration that they belong to.
//!
//! # Source
//!
//! Bou-Rabee, Marsden: Hamilton–Pontryagin Integrators on Lie Groups (2009), section 4, for the exponential map; the
//! slopes of that map are those of [`slope`](super::slope).

use nalgebra::{Quaternion, Vector3};

use super::rotation::{advance, retreat};
use super::{Chart, Joint, write_quaternion};
use super::{integrate, part, part_mut, pose, quaternion, rotate, turned, twist, vector};

/// Writes q(c), (nq), of a chord d, (nv), from `q0`.
pub(crate) fn along(joints: &[Joint], (q0, d): (&[f64], &[f64]), share: f64, q: &mut [f64]) {
    q.copy_from_slice(q0);
    for joint in joints {
        match joint.chart {
            Chart::Vector | Chart::Quaternion => integrate(&[*joint], d, share, q),
            Chart::Pose => {
                if let Some(q) = part_mut(q, joint.q, joint.nq)
                    && let (Some((x, rotation)), Some((way, w))) =
                        (pose(q), part(d, joint.v, joint.nv).and_then(twist))
                {
                    q[..3].copy_from_slice((x + share * way).as_slice());
                    write_quaternion(&turned(&rotation, &(share * w)), &mut q[3..]);
                }
            }
        }
    }
}

/// Writes ξ(c), (nv), at the configuration `q` of a chord that takes h seconds.
pub(crate) fn velocity(joints: &[Joint], (q, d): (&[f64], &[f64]), h: f64, v: &mut [f64]) {
    v.iter_mut().zip(d).for_each(|(v, d)| *v = d / h);
    turn_poses(joints, v, |joint| Some(rotation(joint, q)?.conjugate()));
}

/// Writes the chord, (nv), that begins at `q` with the velocity `v` and takes h seconds.
pub(crate) fn beginning(joints: &[Joint], (q, v): (&[f64], &[f64]), h: f64, d: &mut [f64]) {
    d.iter_mut().zip(v).for_each(|(d, v)| *d = h * v);
    turn_poses(joints, d, |joint| rotation(joint, q));
}

/// Changes a chord so that it ends at q₁ ⊕ δ instead of q₁, to the first order.
pub(crate) fn vary(joints: &[Joint], (q1, delta): (&[f64], &[f64]), d: &mut [f64]) {
    for joint in joints {
        let (Some(d), Some(delta)) =
            (part_mut(d, joint.v, joint.nv), part(delta, joint.v, joint.nv))
        else {
            continue;
        };
        match joint.chart {
            Chart::Vector => d.iter_mut().zip(delta).for_each(|(d, delta)| *d += delta),
            Chart::Quaternion => {
                if let (Some(w), Some(delta)) = (vector(d), vector(delta)) {
                    d.copy_from_slice((w + retreat(&-w, &delta)).as_slice());
                }
            }
            Chart::Pose => {
                if let (Some((way, w)), Some((moved, delta)), Some(rotation)) =
                    (twist(d), twist(delta), rotation(joint, q1))
                {
                    d[..3].copy_from_slice((way + rotate(&rotation, &moved)).as_slice());
                    d[3..].copy_from_slice((w + retreat(&-w, &delta)).as_slice());
                }
            }
        }
    }
}

/// What acts at a place of a chord.
pub(crate) struct Place<'a> {
    /// q(c), (nq).
    pub(crate) q: &'a [f64],
    /// c.
    pub(crate) share: f64,
    /// ∂L/∂v, (nv), in the axes of q(c).
    pub(crate) momentum: &'a [f64],
    /// Impulse of what changes momentum, (nv), in these axes.
    pub(crate) impulse: &'a [f64],
}

/// Adds to `p`, (nv), `weight` times the momentum at q₀ with which the chord is gone along,
///
/// > pₓ − (1 − c) f  of coordinates and of origins,  J(−w)⁻¹ (p − (1 − c) J(−(1 − c) w) f)  of rotations
///
/// with the momentum p and the impulse f at a place, and the left Jacobian J of the exponential map.
pub(crate) fn add_departure(
    joints: &[Joint],
    (q0, d): (&[f64], &[f64]),
    place: &Place<'_>,
    weight: f64,
    p: &mut [f64],
) {
    let rest = 1.0 - place.share;
    let departure = |w: &Vector3<f64>, p: Vector3<f64>, f: Vector3<f64>| {
        weight * retreat(&-w, &(p - rest * advance(&(-rest * w), &f)))
    };
    for joint in joints {
        let (Some(p), Some(d)) = (part_mut(p, joint.v, joint.nv), part(d, joint.v, joint.nv))
        else {
            continue;
        };
        let (Some(momentum), Some(impulse)) =
            (part(place.momentum, joint.v, joint.nv), part(place.impulse, joint.v, joint.nv))
        else {
            continue;
        };
        match joint.chart {
            Chart::Vector => {
                let both = momentum.iter().zip(impulse);
                p.iter_mut().zip(both).for_each(|(p, (m, f))| *p += weight * (m - rest * f));
            }
            Chart::Quaternion => {
                if let (Some(w), Some(m), Some(f)) = (vector(d), vector(momentum), vector(impulse))
                {
                    add(p, &departure(&w, m, f));
                }
            }
            Chart::Pose => {
                if let (Some((_, w)), Some((mx, m)), Some((fx, f))) =
                    (twist(d), twist(momentum), twist(impulse))
                    && let (Some(from), Some(to)) = (rotation(joint, place.q), rotation(joint, q0))
                {
                    let moved = rotate(&(to.conjugate() * from), &(mx - rest * fx));
                    add(&mut p[..3], &(weight * moved));
                    add(&mut p[3..], &departure(&w, m, f));
                }
            }
        }
    }
}

/// Turns a momentum or a velocity, (nv), in place, from the axes of one configuration to those of another.
pub(crate) fn turn(joints: &[Joint], from: &[f64], to: &[f64], p: &mut [f64]) {
    for joint in joints {
        let (Some(from), Some(to)) = (rotation(joint, from), rotation(joint, to)) else { continue };
        let turn = to.conjugate() * from;
        for three in part_mut(p, joint.v, joint.nv).into_iter().flat_map(|p| p.chunks_exact_mut(3))
        {
            if let Some(x) = vector(three) {
                three.copy_from_slice(rotate(&turn, &x).as_slice());
            }
        }
    }
}

/// Moves the origins about which poses have momenta, (nv), in the axes of `q`: each by its arm, in the world.
pub(crate) fn displace(joints: &[Joint], arms: &[Vector3<f64>], q: &[f64], p: &mut [f64]) {
    let poses = joints.iter().filter(|joint| joint.chart == Chart::Pose);
    for (joint, arm) in poses.zip(arms) {
        if let (Some(p), Some(turn)) = (part_mut(p, joint.v, joint.nv), rotation(joint, q))
            && let Some((linear, _)) = twist(p)
        {
            add(&mut p[3..], &linear.cross(&rotate(&turn.conjugate(), arm)));
        }
    }
}

/// In the world, what is x in the axes of a joint's child.
pub(crate) fn in_world(joint: &Joint, q: &[f64], x: &Vector3<f64>) -> Vector3<f64> {
    rotation(joint, q).map_or(*x, |turn| rotate(&turn, x))
}

/// Adds ω × p to `out`, (nv), of what turns with the velocity `v`: the rate of the components of p, (nv), in axes that
/// turn, where p itself does not change, with its sign reversed.
pub(crate) fn add_turning(joints: &[Joint], v: &[f64], p: &[f64], out: &mut [f64]) {
    for joint in joints.iter().filter(|joint| joint.chart != Chart::Vector) {
        let Some(w) = part(v, joint.v + joint.nv - 3, 3).and_then(vector) else { continue };
        for first in (joint.v..joint.v + joint.nv).step_by(3) {
            if let (Some(p), Some(out)) =
                (part(p, first, 3).and_then(vector), part_mut(out, first, 3))
            {
                add(out, &w.cross(&p));
            }
        }
    }
}

/// Turns the linear part of each pose.
fn turn_poses(joints: &[Joint], x: &mut [f64], turn: impl Fn(&Joint) -> Option<Quaternion<f64>>) {
    for joint in joints.iter().filter(|joint| joint.chart == Chart::Pose) {
        if let (Some(x), Some(turn)) = (part_mut(x, joint.v, 3), turn(joint))
            && let Some(linear) = vector(x)
        {
            x.copy_from_slice(rotate(&turn, &linear).as_slice());
        }
    }
}

/// R of what turns.
fn rotation(joint: &Joint, q: &[f64]) -> Option<Quaternion<f64>> {
    let q = part(q, joint.q, joint.nq)?;
    match joint.chart {
        Chart::Vector => None,
        Chart::Quaternion => quaternion(q),
        Chart::Pose => pose(q).map(|(_, rotation)| rotation),
    }
}

fn add(to: &mut [f64], x: &Vector3<f64>) {
    to.iter_mut().zip(x.iter()).for_each(|(to, x)| *to += x);
}
