//! Momenta and velocities of joints that turn freely, from the axes of one place to those of another.

use alloc::vec::Vec;

use nalgebra::Vector3;

use crate::description::{Chart, Joint};
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

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
/// a displacement gives no body spin, wherever it puts all of them.
pub(in crate::contact) fn arms<M: Model>(
    model: &M,
    turning: &[Joint],
    (q, from): (&M::Q, &M::Q),
) -> Vec<Vector3<f64>> {
    let [before, after] = [q, from].map(|q| centers(model, turning, q));
    before.into_iter().zip(after).map(|(before, after)| before - after).collect()
}

/// From the origin of each pose to the centre of mass of what it carries, in the world.
fn centers<M: Model>(model: &M, turning: &[Joint], q: &M::Q) -> Vec<Vector3<f64>> {
    let mass = model.mass_matrix(q);
    let entry = |i: usize, j: usize| mass.as_slice()[i + M::NV * j];
    let poses = turning.iter().filter(|joint| joint.chart == Chart::Pose);
    let center = |joint: &Joint| {
        let moment = |i: usize, j: usize| entry(joint.v + 3 + i, joint.v + j);
        let moments = Vector3::new(moment(2, 1), moment(0, 2), moment(1, 0));
        manifold::chord::in_world(joint, q.as_slice(), &(moments / entry(joint.v, joint.v)))
    };
    poses.map(center).collect()
}
