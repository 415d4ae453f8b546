//! Steps in which a pose's origin moves along a straight line, with a velocity in axes that stand still.

use super::rotation::{exponential, unit};
use super::{part, part_mut, pose, quaternion, rotate, turned, twist, vector, write_quaternion};
use crate::description::{Chart, Joint};

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
                if let Some((pose, linear)) = moved(time, q, v) {
                    q.copy_from_slice(&pose);
                    v[..3].copy_from_slice(&linear);
                }
            }
            Chart::Quaternion => {
                if let (Some(rotation), Some(w)) = (quaternion(q), vector(v)) {
                    write_quaternion(&turned(&rotation, &(time * w)), q);
                }
            }
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
                if let Some((pose, linear)) = moved(time, q, v) {
                    q_end.copy_from_slice(&pose);
                    v_end[..3].copy_from_slice(&linear);
                    v_end[3..].copy_from_slice(&v[3..]);
                }
            }
            Chart::Quaternion => {
                if let (Some(rotation), Some(w)) = (quaternion(q), vector(v)) {
                    write_quaternion(&turned(&rotation, &(time * w)), q_end);
                    v_end.copy_from_slice(v);
                }
            }
        }
    }
}

/// A pose at the end, and the linear velocity in its axes.
#[inline(always)]
fn moved(time: f64, q: &[f64], v: &[f64]) -> Option<([f64; 7], [f64; 3])> {
    let ((position, rotation), (u, w)) = (pose(q)?, twist(v)?);
    let rotation = unit(&rotation);
    let [x, y, z] = (position + rotate(&rotation, &(time * u))).into();
    let turn = exponential(&(time * w));
    let [i, j, k, real] = unit(&(rotation * turn)).coords.into();
    Some(([x, y, z, i, j, k, real], rotate(&turn.conjugate(), &u).into()))
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
