//! Rods that tie two points, as bodies of their own.
//!
//! The z axis of such a body is along its rod, its origin in the middle.

use nalgebra::Vector3;

use super::shape::turn_z_to;
use super::{Body, Color, Shape};
use crate::frame::Pose;
use crate::model::Model;

/// Both points of each constraint that ties two, in the world.
pub(super) fn ends<M: Model>(model: &M, q: &M::Q) -> Vec<[Vector3<f64>; 2]> {
    let count = M::CONSTRAINTS.iter().filter(|constraint| constraint.links.is_some()).count();
    let mut flat = vec![f64::NAN; 6 * count];
    model.constraint_points_into(q, &mut flat);
    let point = |x: &[f64]| Vector3::from_column_slice(x);
    flat.chunks_exact(6).map(|both| [point(&both[..3]), point(&both[3..])]).collect()
}

/// A body for each rod, as long as it is between these points.
pub(super) fn bodies<M: Model>(ends: &[[Vector3<f64>; 2]], radius: f64) -> Vec<Body> {
    let draw = |(name, [a, b]): (&str, &[Vector3<f64>; 2])| {
        let half = Vector3::new(0.0, 0.0, 0.5 * (b - a).norm());
        let bar = Shape::capsule(-half, half, radius, Color::STEEL);
        let pin = |end| Shape::sphere(1.4 * radius, Color::GRAPHITE).at(end);
        Body { name: name.into(), shapes: vec![bar, pin(-half), pin(half)] }
    };
    rods::<M, _>(ends).map(draw).collect()
}

/// Where these bodies are.
pub(super) fn poses<M: Model>(ends: &[[Vector3<f64>; 2]]) -> impl Iterator<Item = Pose> {
    rods::<M, _>(ends)
        .map(|(_, [a, b])| Pose { rotation: turn_z_to(&(b - a)), position: (a + b) / 2.0 })
}

/// The names of rods, with what belongs to them of all constraints that tie two points.
fn rods<M: Model, T>(of_ties: &[T]) -> impl Iterator<Item = (&'static str, &T)> {
    let ties = M::CONSTRAINTS.iter().filter(|constraint| constraint.links.is_some());
    let rods = ties.zip(of_ties).filter(|(constraint, _)| constraint.kind == "rod");
    rods.map(|(constraint, of_tie)| (constraint.name, of_tie))
}
