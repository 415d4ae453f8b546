//! The numbers of a description on the expression graph.

use crate::description::{About, Inertial, Placement, Rotation as Orientation, Triple};
use crate::expr::{Expr, Graph, Matrix3, Rotation, Vector3};
use crate::scalar::Scalar;

use super::inertia::Moments;
use super::symbols;

/// A scalar; fields, coordinates and time become symbols.
pub(super) fn scalar<'g>(graph: &'g Graph, x: &Scalar) -> Expr<'g> {
    let lower = |x: &Scalar| scalar(graph, x);
    match x {
        Scalar::Number(x) => graph.constant(*x),
        Scalar::Field(k) => graph.symbol(symbols::FIELD, *k),
        Scalar::Configuration(k) => graph.symbol(symbols::Q, *k),
        Scalar::Velocity(k) => graph.symbol(symbols::V, *k),
        Scalar::Time => graph.symbol(symbols::TIME, 0),
        Scalar::Ground(k) => graph.symbol(symbols::PLACE, *k),
        Scalar::Neg(a) => -lower(a),
        Scalar::Add(a, b) => lower(a) + lower(b),
        Scalar::Sub(a, b) => lower(a) - lower(b),
        Scalar::Mul(a, b) => lower(a) * lower(b),
        Scalar::Div(a, b) => lower(a) / lower(b),
        Scalar::Sin(a) => lower(a).sin(),
        Scalar::Cos(a) => lower(a).cos(),
        Scalar::Sqrt(a) => lower(a).sqrt(),
    }
}

pub(super) fn vector<'g>(graph: &'g Graph, x: &Triple) -> Vector3<'g> {
    Vector3([0, 1, 2].map(|k| scalar(graph, &x[k])))
}

/// A unit vector of the direction `x`. Where the length is a constant within rounding of 1, the
/// entries are left as they are.
pub(super) fn direction<'g>(graph: &'g Graph, x: &Triple) -> Vector3<'g> {
    let x = vector(graph, x);
    match x.dot(x).value() {
        Some(square) if (square - 1.0).abs() < 4.0 * f64::EPSILON => x,
        _ => x.normalized(),
    }
}

pub(super) fn rotation<'g>(graph: &'g Graph, x: &Orientation) -> Rotation<'g> {
    match x {
        Orientation::Identity => Rotation::identity(),
        Orientation::Rpy(angles) => Rotation::roll_pitch_yaw(graph, vector(graph, angles).0),
        Orientation::Quaternion(x) => {
            let x = [0, 1, 2, 3].map(|k| scalar(graph, &x[k]));
            let square = x[0] * x[0] + x[1] * x[1] + (x[2] * x[2] + x[3] * x[3]);
            let scale = graph.one() / square.sqrt();
            Rotation::quaternion(x.map(|x| x * scale))
        }
    }
}

pub(super) fn placement<'g>(graph: &'g Graph, x: &Placement) -> (Rotation<'g>, Vector3<'g>) {
    (rotation(graph, &x.rotation), vector(graph, &x.position))
}

/// The moments of a link about the origin of its frame.
pub(super) fn moments<'g>(graph: &'g Graph, x: &Inertial) -> Moments<'g> {
    let [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(|k| scalar(graph, &x.inertia[k]));
    let given = Matrix3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
    let inertia = rotation(graph, &x.axes).conjugate_symmetric(given);
    let (mass, com) = (scalar(graph, &x.mass), vector(graph, &x.com));
    match x.about {
        About::CenterOfMass => Moments::about_center(mass, com, inertia),
        About::Origin => Moments::about_origin(mass, com, inertia),
    }
}
