//! The configuration manifold: a product of lines, unit quaternions and poses.
//!
//! > q ⊕ t v,  q₁ ⊖ q₀ with q₀ ⊕ (q₁ ⊖ q₀) = q₁,  q̇ = N(q) v
//!
//! A joint's [`Chart`] says which group its coordinates form:
//!
//! - `Vector`: q ⊕ t v = q + t v.
//! - `Quaternion`, v = ω in the child's frame: q ⊕ t v = q ⊗ exp(t ω/2).
//! - `Pose`, v = \[u | ω\] in the body's frame: with θ = |t ω|, the exponential of SE(3) moves
//!   the position by R(q) V t u, V = 1 + a \[tω\] + b \[tω\]², a = (1 − cos θ)/θ²,
//!   b = (θ − sin θ)/θ³, and the quaternion as above.
//!
//! The difference takes the rotation of at most half a turn. A joint whose coordinates lie outside
//! the given slices is left alone.
//!
//! # Source
//!
//! Murray, Li, Sastry: A Mathematical Introduction to Robotic Manipulation (1994), section 2.3;
//! V⁻¹ from Barfoot: State Estimation for Robotics (2017), equation 7.37.

pub(crate) mod chord;
mod local;
mod rotation;
mod slope;
mod straight;

use alloc::vec::Vec;

use nalgebra::{Quaternion, Vector3};

use crate::description::{Chart, Joint};
use crate::error::ModelError;

use self::rotation::{advance, exponential, unit};

pub(crate) use self::local::{fastest_turn, local_derivatives, local_rate, place};
pub(crate) use self::rotation::{
    excess_of_tangent, logarithm, retreat, rotate_by_any, turn, vector_of,
};
pub use self::slope::pull_back;
pub(crate) use self::straight::{
    carry, move_ahead, move_from, move_on, turn_back, turn_back_ahead,
};

/// Allowed deviation of a quaternion's length from one.
const UNIT_TOLERANCE: f64 = 1e-6;

/// The joints, with those side by side whose coordinates are numbers as one, so that fewer are to be gone through.
pub(crate) fn merge(joints: &[Joint]) -> Vec<Joint> {
    let mut merged: Vec<Joint> = Vec::new();
    for joint in joints {
        match merged.last_mut() {
            Some(last)
                if [last.chart, joint.chart] == [Chart::Vector; 2]
                    && [last.q + last.nq, last.v + last.nv] == [joint.q, joint.v] =>
            {
                last.nq += joint.nq;
                last.nv += joint.nv;
            }
            _ => merged.push(*joint),
        }
    }
    merged
}

/// q ⊕ t v, in place; quaternions come out with unit length.
///
/// `v` holds nv numbers, `time` is in seconds and `q` holds nq numbers.
pub fn integrate(joints: &[Joint], v: &[f64], time: f64, q: &mut [f64]) {
    for joint in joints {
        let (Some(v), Some(q)) = (part(v, joint.v, joint.nv), part_mut(q, joint.q, joint.nq))
        else {
            continue;
        };
        match joint.chart {
            Chart::Vector => q.iter_mut().zip(v).for_each(|(q, v)| *q += time * v),
            Chart::Quaternion => {
                if let (Some(rotation), Some(w)) = (quaternion(q), vector(v)) {
                    write_quaternion(&turned(&rotation, &(time * w)), q);
                }
            }
            Chart::Pose => {
                if let (Some((mut position, rotation)), Some((u, w))) = (pose(q), twist(v)) {
                    let rotation = unit(&rotation);
                    let w = time * w;
                    position += rotate(&rotation, &advance(&w, &(time * u)));
                    q[..3].copy_from_slice(position.as_slice());
                    write_quaternion(&turned(&rotation, &w), &mut q[3..]);
                }
            }
        }
    }
}

/// q₁ ⊖ q₀: the velocity that leads from `q0` to `q1` (nq numbers each) in one second, written to
/// `v` (nv). Angular velocities are at most π long.
pub fn difference(joints: &[Joint], q0: &[f64], q1: &[f64], v: &mut [f64]) {
    for joint in joints {
        let (Some(q0), Some(q1), Some(v)) = (
            part(q0, joint.q, joint.nq),
            part(q1, joint.q, joint.nq),
            part_mut(v, joint.v, joint.nv),
        ) else {
            continue;
        };
        match joint.chart {
            Chart::Vector => {
                v.iter_mut().zip(q0.iter().zip(q1)).for_each(|(v, (q0, q1))| *v = q1 - q0);
            }
            Chart::Quaternion => {
                if let (Some(r0), Some(r1), 3) = (quaternion(q0), quaternion(q1), v.len()) {
                    v.copy_from_slice(logarithm(&(r0.conjugate() * r1)).as_slice());
                }
            }
            Chart::Pose => {
                if let (Some((p0, r0)), Some((p1, r1)), 6) = (pose(q0), pose(q1), v.len()) {
                    let w = logarithm(&(r0.conjugate() * r1));
                    let moved = rotate(&r0.normalize().conjugate(), &(p1 - p0));
                    v[..3].copy_from_slice(retreat(&w, &moved).as_slice());
                    v[3..].copy_from_slice(w.as_slice());
                }
            }
        }
    }
}

/// rate −= v × δ, with × the bracket of each joint's group: zero for lines, ω × δ for quaternions, and
/// \[ω × a + u × b | ω × b\] of (u, ω) and (a, b) for poses. So q ⊕ δ moves with the velocity v + δv if δ̇ = δv − v × δ.
pub(crate) fn subtract_bracket(joints: &[Joint], v: &[f64], delta: &[f64], rate: &mut [f64]) {
    for joint in joints {
        let (Some(v), Some(delta), Some(rate)) = (
            part(v, joint.v, joint.nv),
            part(delta, joint.v, joint.nv),
            part_mut(rate, joint.v, joint.nv),
        ) else {
            continue;
        };
        let bracket = match joint.chart {
            Chart::Vector => continue,
            Chart::Quaternion => vector(v).zip(vector(delta)).map(|(w, delta)| w.cross(&delta)),
            Chart::Pose => twist(v).zip(twist(delta)).map(|((u, w), (a, b))| {
                let turn = w.cross(&b);
                rate[3..].iter_mut().zip(&turn).for_each(|(rate, turn)| *rate -= turn);
                w.cross(&a) + u.cross(&b)
            }),
        };
        let bracket = bracket.unwrap_or_default();
        rate.iter_mut().zip(&bracket).for_each(|(rate, bracket)| *rate -= bracket);
    }
}

/// Zeros and unit quaternions, written to `q` (nq).
pub fn neutral(joints: &[Joint], q: &mut [f64]) {
    for joint in joints {
        let Some(q) = part_mut(q, joint.q, joint.nq) else { continue };
        q.fill(0.0);
        if let (Chart::Quaternion | Chart::Pose, Some(scalar)) = (joint.chart, q.last_mut()) {
            *scalar = 1.0;
        }
    }
}

/// q̇ = N(q) v, written to `rate` (nq).
pub fn rate(joints: &[Joint], q: &[f64], v: &[f64], rate: &mut [f64]) {
    for joint in joints {
        let (Some(q), Some(v), Some(rate)) = (
            part(q, joint.q, joint.nq),
            part(v, joint.v, joint.nv),
            part_mut(rate, joint.q, joint.nq),
        ) else {
            continue;
        };
        match joint.chart {
            Chart::Vector => rate.iter_mut().zip(v).for_each(|(rate, v)| *rate = *v),
            Chart::Quaternion => {
                if let (Some(rotation), Some(w)) = (quaternion(q), vector(v)) {
                    write_quaternion(&spin(&rotation, &w), rate);
                }
            }
            Chart::Pose => {
                if let (Some((_, rotation)), Some((u, w))) = (pose(q), twist(v)) {
                    rate[..3].copy_from_slice(rotate(&rotation, &u).as_slice());
                    write_quaternion(&spin(&rotation, &w), &mut rate[3..]);
                }
            }
        }
    }
}

/// Whether the quaternions in `q` have unit length.
///
/// # Errors
///
/// Names the joint whose quaternion is not of unit length, to 1e-6.
pub fn check_quaternions(joints: &[Joint], q: &[f64]) -> Result<(), ModelError> {
    for joint in joints {
        let Some(q) = part(q, joint.q, joint.nq) else { continue };
        let rotation = match joint.chart {
            Chart::Vector => None,
            Chart::Quaternion => quaternion(q),
            Chart::Pose => pose(q).map(|(_, rotation)| rotation),
        };
        let Some(norm) = rotation.map(|rotation| rotation.norm()) else { continue };
        let is_unit = (norm - 1.0).abs() <= UNIT_TOLERANCE;
        if !is_unit {
            return Err(ModelError::NotUnitQuaternion { joint: joint.name, norm });
        }
    }
    Ok(())
}

/// q ⊗ exp(w/2), normalised.
#[inline(always)]
fn turned(rotation: &Quaternion<f64>, w: &Vector3<f64>) -> Quaternion<f64> {
    unit(&(rotation * exponential(w)))
}

/// ½ q ⊗ (w, 0).
fn spin(rotation: &Quaternion<f64>, w: &Vector3<f64>) -> Quaternion<f64> {
    rotation * Quaternion::from_parts(0.0, 0.5 * w)
}

/// R(q) x for a unit quaternion.
#[inline(always)]
fn rotate(rotation: &Quaternion<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let imaginary = rotation.imag();
    let turn = 2.0 * imaginary.cross(x);
    x + rotation.w * turn + imaginary.cross(&turn)
}

#[inline(always)]
fn part(x: &[f64], start: usize, count: usize) -> Option<&[f64]> {
    x.get(start..start.checked_add(count)?)
}

#[inline(always)]
fn part_mut(x: &mut [f64], start: usize, count: usize) -> Option<&mut [f64]> {
    x.get_mut(start..start.checked_add(count)?)
}

#[inline(always)]
fn vector(x: &[f64]) -> Option<Vector3<f64>> {
    <[f64; 3]>::try_from(x).ok().map(Vector3::from)
}

#[inline(always)]
fn quaternion(x: &[f64]) -> Option<Quaternion<f64>> {
    <[f64; 4]>::try_from(x).ok().map(Quaternion::from)
}

#[inline(always)]
fn pose(q: &[f64]) -> Option<(Vector3<f64>, Quaternion<f64>)> {
    let (position, rotation) = q.split_at_checked(3)?;
    Some((vector(position)?, quaternion(rotation)?))
}

#[inline(always)]
fn twist(v: &[f64]) -> Option<(Vector3<f64>, Vector3<f64>)> {
    let (linear, angular) = v.split_at_checked(3)?;
    Some((vector(linear)?, vector(angular)?))
}

/// In the order qx, qy, qz, qw, in which nalgebra stores them too.
#[inline(always)]
fn write_quaternion(rotation: &Quaternion<f64>, out: &mut [f64]) {
    out.iter_mut().zip(rotation.coords.iter()).for_each(|(out, x)| *out = *x);
}
