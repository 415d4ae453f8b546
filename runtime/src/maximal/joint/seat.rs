//! A joint's frame on a body, and what one such frame is relative to another.

use core::f64::consts::TAU;

use nalgebra::{Matrix3, Vector3};

use crate::frame::Pose;
use crate::maximal::body::Body;
use crate::maximal::row::Row;

/// A joint's frame on one body, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    /// The body's centre of mass.
    pub(super) center: Vector3<f64>,
    pub(super) anchor: Vector3<f64>,
    pub(super) axes: Matrix3<f64>,
}

impl Seat {
    pub(super) fn on_world(frame: &Pose) -> Self {
        Self { center: Vector3::zeros(), anchor: frame.position, axes: frame.rotation }
    }

    pub(super) fn on(body: &Body, frame: &Pose) -> Self {
        let pose = body.pose();
        Self {
            center: body.position,
            anchor: pose.point(&frame.position),
            axes: pose.rotation * frame.rotation,
        }
    }

    pub(super) fn axis(&self, k: usize) -> Vector3<f64> {
        self.axes.column(k).into_owned()
    }
}

/// The place of b's anchor along axis k of a: Φ = a_k · (x_b − x_a), where the force a_k at x_b.
///
/// > Φ̇ = a_k · (ẋ_b − ẋ_a) + (ω_a × a_k) · (x_b − x_a) = a_k · (ẋ_b − v_a − ω_a × (x_b − r_a))
pub(super) fn along(a: &Seat, b: &Seat, k: usize) -> Row {
    let direction = a.axis(k);
    let value = direction.dot(&(b.anchor - a.anchor));
    Row::along(value, &direction, &b.anchor, [&a.center, &b.center])
}

/// The cosine between axis i of a and axis j of b: Φ = a_i · b_j.
///
/// > Φ̇ = (ω_a × a_i) · b_j + a_i · (ω_b × b_j) = (ω_b − ω_a) · (b_j × a_i)
pub(super) fn cosine((a, i): (&Seat, usize), (b, j): (&Seat, usize)) -> Row {
    let (first, second) = (a.axis(i), b.axis(j));
    Row::about(first.dot(&second), &second.cross(&first))
}

/// The angle θ = atan2(s, c) of a direction d of b in the plane of two axes x and y of a, nearest to another,
///
/// > c = x · d,  s = y · d,  θ̇ = (c ṡ − s ċ)/(c² + s²) = (ω_b − ω_a) · (d × (c y − s x))/(c² + s²)
pub(super) fn angle((x, y): (&Vector3<f64>, &Vector3<f64>), d: &Vector3<f64>, near: f64) -> Row {
    let (c, s) = (x.dot(d), y.dot(d));
    let square = c * c + s * s;
    // Where the direction is at right angles to the plane there is no angle, and no motion changes it.
    let scale = if square > 0.0 { 1.0 / square } else { 0.0 };
    let value = near + libm::remainder(libm::atan2(s, c) - near, TAU);
    Row::about(value, &(scale * d.cross(&(c * y - s * x))))
}
