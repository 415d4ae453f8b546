//! Bodies in maximal coordinates: every row against differences, motions with known answers, and robots both ways.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/numbers.rs"]
mod numbers;

mod bodies;
mod correction;
mod declared;
mod described;
mod known;
mod limits;
mod overlaps;
mod refusals;
mod robots;
mod rows;
mod springs;
mod trees;

use jourdain::Pose;
use jourdain::maximal::Body;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3, Vector6};
use numbers::Numbers;

/// The frame at `position` whose z axis is `axis`.
fn frame(position: Vector3<f64>, axis: Vector3<f64>) -> Pose {
    let rotation = Rotation3::rotation_between(&Vector3::z(), &axis)
        .unwrap_or(Rotation3::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI));
    Pose { rotation: rotation.into_inner(), position }
}

fn vector(numbers: &mut Numbers) -> Vector3<f64> {
    Vector3::from_fn(|_, _| numbers.next())
}

/// A body of any mass, place and motion.
fn body(numbers: &mut Numbers) -> Body {
    let shape = Matrix3::from_fn(|_, _| numbers.next());
    let second = shape * shape.transpose() + Matrix3::identity() * 0.2;
    let mut body = Body::new(1.5 + numbers.next(), Matrix3::identity() * second.trace() - second);
    body.position = vector(numbers);
    body.rotation = UnitQuaternion::from_scaled_axis(3.0 * vector(numbers));
    (body.linear, body.angular) = (vector(numbers), vector(numbers));
    body
}

/// Σ (f, r × f + τ) about the world's origin of forces and moments at bodies.
fn resultant<'a>(parts: impl IntoIterator<Item = (&'a Body, Vector6<f64>)>) -> Vector6<f64> {
    let mut sum = Vector6::zeros();
    for (body, part) in parts {
        let force: Vector3<f64> = part.fixed_rows::<3>(0).into_owned();
        let moment = part.fixed_rows::<3>(3) + body.position.cross(&force);
        sum += Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z);
    }
    sum
}
