//! Momenta and velocities of joints that turn freely, from the axes of one place to those of another.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use crate::description::{Chart, Joint};
use crate::manifold;
use crate::model::Robot;

/// Three numbers from a place on.
pub(super) fn three(x: &[f64], at: usize) -> Vector3<f64> {
    Vector3::new(x[at], x[at + 1], x[at + 2])
}

/// Writes l + ½ x × l + c x × (x × l), x = `time` ω, in the place of each angular momentum l: what the joint has in the axes of
/// the beginning of a turn by x; with a negative `time`, in those of the end of the opposite turn.
pub(super) fn hand_on(turning: &[Joint], time: f64, v: &[f64], momentum: &mut [f64]) {
    for joint in turning {
        let at = joint.v + joint.nv - 3;
        let (x, l) = (time * three(v, at), three(momentum, at));
        momentum[at..at + 3].copy_from_slice(manifold::retreat(&-x, &l).as_slice());
    }
}

/// Turns the linear parts of poses by `time` ω.
pub(super) fn turn_linear(turning: &[Joint], time: f64, v: &[f64], x: &mut [f64]) {
    for joint in turning.iter().filter(|joint| joint.chart == Chart::Pose) {
        let turned = manifold::turn(&(time * three(v, joint.v + 3)), &three(x, joint.v));
        x[joint.v..joint.v + 3].copy_from_slice(turned.as_slice());
    }
}

/// By how much the origin of each pose is displaced from `q` to `from` beside the centre of mass of what it carries, in the world:
/// a displacement gives no body spin, wherever it puts all of them. To the first order, by which displacements without a force from
/// outside leave the centre of mass where it is.
pub(in crate::contact) fn arms(
    robot: Robot<'_>,
    turning: &[Joint],
    (q, from): (&[f64], &[f64]),
) -> Vec<Vector3<f64>> {
    let (mut displacement, mut momentum) = (vec![0.0; robot.nv], vec![0.0; 2 * robot.nv]);
    let mut mass = vec![f64::NAN; robot.nv * robot.nv];
    manifold::difference(robot.joints, q, from, &mut displacement);
    robot.generalized_momentum_into(q, &displacement, &mut momentum);
    robot.mass_matrix_into(q, &mut mass);
    let poses = turning.iter().filter(|joint| joint.chart == Chart::Pose);
    let arm = |joint: &Joint| {
        let mass = mass[(robot.nv + 1) * joint.v];
        let center = three(&momentum, joint.v) / mass;
        let origin = three(from, joint.q) - three(q, joint.q);
        origin - manifold::chord::in_world(joint, q, &center)
    };
    poses.map(arm).collect()
}
