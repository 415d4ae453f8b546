//! The solids by which links touch, as shapes of their bodies.

use nalgebra::{Matrix3, Vector3};

use super::{Body, Color, Geometry, Shape};
use crate::description::ShapeKind;
use crate::frame::Pose;
use crate::geometry::{Narrow, Solid};
use crate::model::Model;

/// Of mechanisms that hang on the world each for itself.
const COLORS: [Color; 5] = [Color::CHALK, Color::BLUE, Color::ORANGE, Color::GREEN, Color::STEEL];

/// How far outside of a solid a point is still on its surface, m.
const ON_SURFACE: f64 = 1e-6;

/// Gives bodies, which are those of the links, their links' solids in place of what lies within these.
pub(super) fn dress<M: Model>(model: &M, (q, links): (&M::Q, &[Pose]), bodies: &mut [Body]) {
    let shapes = M::SHAPES.iter().zip(model.shape_parameters());
    let declared = shapes.map(|(shape, of)| (shape.link, shape.kind, of.pose, of.sizes));
    for (link, kind, pose, sizes) in declared.chain(balls(model, q, links)) {
        let Some(geometry) = geometry(kind, &sizes) else { continue };
        let (Some(body), Ok(solid)) = (bodies.get_mut(link), Solid::new(kind, &sizes)) else {
            continue;
        };
        body.shapes.retain(|shape| !is_hidden(shape, (&solid, &pose)));
        body.shapes.push(Shape { geometry, pose, color: color::<M>(link) });
    }
}

/// The spheres of contacts.
fn balls<M: Model>(
    model: &M,
    q: &M::Q,
    links: &[Pose],
) -> impl Iterator<Item = (usize, ShapeKind, Pose, Vec<f64>)> {
    let radii = model.contact_parameters().into_iter().map(|of| of.radius);
    let contacts = M::CONTACTS.iter().zip(radii).zip(centers(model, q));
    let balls = contacts.filter(|((_, radius), _)| *radius > 0.0);
    balls.map(|((contact, radius), center)| {
        let position = relative(&links[contact.link], &center);
        let pose = Pose { rotation: Matrix3::identity(), position };
        (contact.link, ShapeKind::Sphere, pose, vec![radius])
    })
}

/// The centre of each contact's ball, or its point, in the world.
pub(super) fn centers<M: Model>(model: &M, q: &M::Q) -> Vec<Vector3<f64>> {
    let mut points = vec![f64::NAN; 3 * M::CONTACTS.len()];
    model.contact_points_into(q, &mut points);
    let points = points.chunks_exact(3).map(Vector3::from_column_slice);
    let contacts = points.zip(model.contact_parameters_at(q));
    contacts.map(|(point, of)| point + of.normal * of.radius).collect()
}

/// A point has none.
pub(crate) fn geometry(kind: ShapeKind, sizes: &[f64]) -> Option<Geometry> {
    let vectors = || sizes.as_chunks::<3>().0.iter().map(|&x| Vector3::from(x));
    match (kind, sizes) {
        (ShapeKind::Sphere, &[radius]) => Some(Geometry::Sphere { radius }),
        (ShapeKind::Capsule, &[radius, length]) => Some(Geometry::Capsule { radius, length }),
        (ShapeKind::Cylinder, &[radius, length]) => Some(Geometry::Cylinder { radius, length }),
        (ShapeKind::Box, _) => vectors().next().map(|x| Geometry::Box { half_extents: 0.5 * x }),
        (ShapeKind::Hull { .. }, _) => Some(Geometry::Hull { points: vectors().collect() }),
        _ => None,
    }
}

/// A point of the world in local coordinates.
pub(super) fn relative(pose: &Pose, point: &Vector3<f64>) -> Vector3<f64> {
    pose.rotation.tr_mul(&(point - pose.position))
}

/// Whether a ball has its centre, or a stick both ends, within a solid.
fn is_hidden(shape: &Shape, solid: (&Solid, &Pose)) -> bool {
    let half = match shape.geometry {
        Geometry::Sphere { .. } => 0.0,
        Geometry::Capsule { length, .. } => 0.5 * length,
        _ => return false,
    };
    let Ok(point) = Solid::new(ShapeKind::Point, &[]) else { return false };
    [-half, half].into_iter().all(|z| {
        let at = Pose { position: shape.pose.point(&Vector3::new(0.0, 0.0, z)), ..shape.pose };
        !Narrow::default().touches((&point, &at), solid, ON_SURFACE).is_empty()
    })
}

/// All links of a mechanism have one.
fn color<M: Model>(link: usize) -> Color {
    let root = |mut link: usize| {
        while let Some(parent) = M::LINKS.get(link).and_then(|link| link.parent) {
            link = parent;
        }
        link
    };
    let before = (0..root(link)).filter(|&link| root(link) == link).count();
    COLORS[before % COLORS.len()]
}
