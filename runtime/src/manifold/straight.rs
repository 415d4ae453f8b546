//! Steps in which a pose's origin moves along a straight line, with a velocity in axes that stand still.

use nalgebra::{Matrix3, Quaternion, Vector3};

use super::rotation::{advance, exponential, unit};
use super::{part, part_mut, pose, quaternion, rotate, turned, twist, vector, write_quaternion};
use crate::description::{Chart, Joint};

/// Iterations for the axes of the beginning.
const ITERATIONS: usize = 20;
/// What rounding may leave of them, relative to the velocity and the angle.
const ROUNDING: f64 = 1e-13;

/// v in axes that do not turn: v + t (ω × u) for the linear part of a pose, written to `carried`.
///
/// The acceleration v̇ of a pose is that of components in turning axes. In axes that stand still as
/// the body's do at the beginning of a step, it is v̇ + ω × u; so a velocity after t seconds of
/// acceleration v̇ is `carried` + t v̇ there, and free flight keeps its velocity exactly.
#[inline(always)]
pub(crate) fn carry(joints: &[Joint], v: &[f64], time: f64, carried: &mut [f64]) {
    carried.copy_from_slice(v);
    for joint in joints.iter().filter(|joint| joint.chart == Chart::Pose) {
        if let (Some(part), Some((u, w))) =
            (part_mut(carried, joint.v, joint.nv), part(v, joint.v, joint.nv).and_then(twist))
        {
            part[..3].copy_from_slice((u + time * w.cross(&u)).as_slice());
        }
    }
}

/// Moves `q` for `time` seconds with the velocity `v`, given in the axes of the beginning, and turns
/// `v` to the axes of the end. A pose's origin moves along a straight line.
#[inline(always)]
pub(crate) fn move_on(joints: &[Joint], time: f64, q: &mut [f64], v: &mut [f64]) {
    for joint in joints {
        let (Some(q), Some(v)) = (part_mut(q, joint.q, joint.nq), part_mut(v, joint.v, joint.nv))
        else {
            continue;
        };
        match joint.chart {
            Chart::Vector => q.iter_mut().zip(v).for_each(|(q, v)| *q += time * *v),
            Chart::Pose => {
                if let Some((pose, velocity)) = moved_pose(time, q, v) {
                    q.copy_from_slice(&pose);
                    v.copy_from_slice(&velocity);
                }
            }
            Chart::Quaternion => move_rotation(time, (quaternion(q), v), q),
        }
    }
}

/// As [`move_on`], from `q` and `v` to `q_end` and `v_end`: nothing is read there that was just written.
#[inline(always)]
pub(crate) fn move_from(
    joints: &[Joint],
    time: f64,
    (q, v): (&[f64], &[f64]),
    (q_end, v_end): (&mut [f64], &mut [f64]),
) {
    for joint in joints {
        let from = (part(q, joint.q, joint.nq), part(v, joint.v, joint.nv));
        let to = (part_mut(q_end, joint.q, joint.nq), part_mut(v_end, joint.v, joint.nv));
        let ((Some(q), Some(v)), (Some(q_end), Some(v_end))) = (from, to) else { continue };
        match joint.chart {
            Chart::Vector => {
                q_end.iter_mut().zip(q.iter().zip(v)).for_each(|(to, (q, v))| *to = q + time * v);
                v_end.copy_from_slice(v);
            }
            Chart::Pose => {
                if let Some((pose, velocity)) = moved_pose(time, q, v) {
                    q_end.copy_from_slice(&pose);
                    v_end.copy_from_slice(&velocity);
                }
            }
            Chart::Quaternion => {
                move_rotation(time, (quaternion(q), v), q_end);
                v_end.copy_from_slice(v);
            }
        }
    }
}

/// As [`move_from`] for one joint that turns, which moves with the velocity v + `ahead` and ends with v.
#[inline(always)]
pub(crate) fn move_ahead(
    chart: Chart,
    time: f64,
    (q, v, ahead): (&[f64], &[f64], &[f64]),
    (q_end, v_end): (&mut [f64], &mut [f64]),
) {
    let by = |at: usize| Vector3::from_fn(|i, _| v[at + i] + ahead[at + i]);
    let turn = exponential(&(time * by(v.len() - 3)));
    let turned = |rotation: &Quaternion<f64>| unit(&(unit(rotation) * turn));
    match chart {
        Chart::Pose => {
            if let Some((position, rotation)) = pose(q) {
                let end = position + rotate(&unit(&rotation), &(time * by(0)));
                q_end[..3].copy_from_slice(end.as_slice());
                write_quaternion(&turned(&rotation), &mut q_end[3..]);
            }
        }
        _ => {
            if let Some(rotation) = quaternion(q) {
                write_quaternion(&turned(&rotation), q_end);
            }
        }
    }
    turn_each(&turn.conjugate(), v, v_end);
    // What turns about its own axis keeps its components.
    let first = v.len() - 3;
    if ahead[first..].iter().all(|ahead| *ahead == 0.0) {
        v_end[first..].copy_from_slice(&v[first..]);
    }
}

/// The inverse of what [`move_ahead`] does to `v`: x = exp(h (x + d)) v; whether it was found. Turns of less than a radian lead to one
/// x, by a fixed point and then by Newton's method. Of more they lead to several, of which the one near a `guess` of its turn is taken.
#[must_use]
pub(crate) fn turn_back_ahead(
    time: f64,
    (ahead, guess): (&[f64], &Vector3<f64>),
    v: &mut [f64],
) -> bool {
    let first = v.len() - 3;
    let of = |x: &[f64]| Vector3::from_column_slice(&x[first..]);
    let (end, ahead, length) = (of(v), of(ahead), guess.norm());
    let speed = end.norm();
    let mut x = if length > 0.0 { speed / length * guess } else { end };
    let image = |x: &Vector3<f64>| rotate(&exponential(&(time * (x + ahead))), &end);
    if time * speed < 1.0 {
        (0..ITERATIONS).for_each(|_| x = image(&x));
    }
    for _ in 0..ITERATIONS {
        let (by, turned) = (time * (x + ahead), image(&x));
        let columns = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| advance(&by, &axis));
        let slope = time * turned.cross_matrix() * Matrix3::from_columns(&columns);
        let Some(inverse) = (Matrix3::identity() + slope).try_inverse() else { break };
        x -= inverse * (x - turned);
    }
    let left = (x - image(&x)).norm();
    let from = v.to_vec();
    turn_each(&exponential(&(time * (x + ahead))), &from, v);
    left <= ROUNDING * (1.0 + time * speed) * speed
}

/// Writes vectors, three numbers each, turned by a rotation.
#[inline(always)]
fn turn_each(turn: &Quaternion<f64>, from: &[f64], to: &mut [f64]) {
    for (to, from) in to.chunks_exact_mut(3).zip(from.chunks_exact(3)) {
        to.copy_from_slice(rotate(turn, &Vector3::from_column_slice(from)).as_slice());
    }
}

/// A pose at the end, and its velocity in the axes that it has there.
#[inline(always)]
fn moved_pose(time: f64, q: &[f64], v: &[f64]) -> Option<([f64; 7], [f64; 6])> {
    let ((position, rotation), (u, w)) = (pose(q)?, twist(v)?);
    let rotation = unit(&rotation);
    let [x, y, z] = (position + rotate(&rotation, &(time * u))).into();
    let turn = exponential(&(time * w));
    let [i, j, k, real] = unit(&(rotation * turn)).coords.into();
    let [a, b, c] = rotate(&turn.conjugate(), &u).into();
    Some(([x, y, z, i, j, k, real], [a, b, c, w[0], w[1], w[2]]))
}

/// Writes where a rotation is at the end.
#[inline(always)]
fn move_rotation(time: f64, (q, v): (Option<Quaternion<f64>>, &[f64]), end: &mut [f64]) {
    if let (Some(rotation), Some(w)) = (q, vector(v)) {
        write_quaternion(&turned(&rotation, &(time * w)), end);
    }
}

/// The inverse of what [`move_on`] does to `v`: from the axes of the end to those of the beginning.
pub(crate) fn turn_back(joints: &[Joint], time: f64, v: &mut [f64]) {
    for joint in joints.iter().filter(|joint| joint.chart == Chart::Pose) {
        if let Some(v) = part_mut(v, joint.v, joint.nv)
            && let Some((u, w)) = twist(v)
        {
            let turn = exponential(&(time * w));
            v[..3].copy_from_slice(rotate(&turn, &u).as_slice());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One joint of each chart, one after the other.
    fn joints() -> Vec<Joint> {
        let mut at = (0, 0);
        let charts = [(Chart::Pose, 7, 6), (Chart::Vector, 2, 2), (Chart::Quaternion, 4, 3)];
        let joint = |(chart, nq, nv)| {
            let (q, v) = at;
            at = (q + nq, v + nv);
            Joint { name: "", family: "", q, nq, v, nv, chart }
        };
        charts.map(joint).into()
    }

    /// In place or from one state to another, and back to the axes of the beginning.
    #[test]
    fn both_ways_lead_to_the_same_bits() {
        let joints = joints();
        let q: Vec<f64> = (0..13).map(|k| f64::from(k).sin()).collect();
        let v: Vec<f64> = (0..11).map(|k| f64::from(k).cos()).collect();
        let (mut q_end, mut v_end) = ([f64::NAN; 13], [f64::NAN; 11]);
        move_from(&joints, 0.3, (&q, &v), (&mut q_end, &mut v_end));
        let (mut q_moved, mut v_moved) = (q, v.clone());
        move_on(&joints, 0.3, &mut q_moved, &mut v_moved);
        assert_eq!((&q_moved[..], &v_moved[..]), (&q_end[..], &v_end[..]));
        turn_back(&joints, 0.3, &mut v_moved);
        assert!(v_moved.iter().zip(&v).all(|(back, v)| (back - v).abs() < 1e-15), "{v_moved:?}");
        let lengths = [3..7, 9..13].map(|of| q_end[of].iter().map(|x| x * x).sum::<f64>());
        assert!(lengths.iter().all(|square| (square - 1.0).abs() < 1e-15), "{lengths:?}");
    }
}
