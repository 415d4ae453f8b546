//! Any two convex cores, by their support functions alone: GJK where they are apart, EPA where they overlap.

use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;

use super::core_shape::Core;
use super::placed::Placed;

impl SupportMap for Core {
    fn local_support_point(&self, d: Vector) -> Vector {
        to_theirs(&self.support(&from_theirs(d)))
    }
}

/// The points that are nearest, or the deepest in each other, and the unit vector from the second core to the first;
/// `None` where the methods find none.
pub(super) fn points(
    first: &Placed<'_>,
    second: &Placed<'_>,
) -> Option<([Vector3<f64>; 2], Vector3<f64>)> {
    // Their methods panic where squares overflow.
    (second.position - first.position).norm_squared().is_finite().then_some(())?;
    let turn = first.rotation.tr_mul(&second.rotation);
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    let [x, y, z, w] = rotation.coords.into();
    let translation = to_theirs(&first.local(&second.position));
    let pose = Pose::from_parts(translation, parry3d_f64::math::Rotation::from_xyzw(x, y, z, w));
    let mut simplex = VoronoiSimplex::new();
    let found = contact_support_map_support_map_with_params(
        &pose,
        first.core(),
        second.core(),
        f64::MAX,
        &mut simplex,
        None,
    );
    let GJKResult::ClosestPoints(a, b, away) = found else { return None };
    let [a, b] = [a, b].map(|x| first.world(&from_theirs(x)));
    let normal = (-(first.rotation * from_theirs(away))).try_normalize(0.0)?;
    normal.iter().chain(&a).chain(&b).all(|x| x.is_finite()).then_some(([a, b], normal))
}

fn to_theirs(x: &Vector3<f64>) -> Vector {
    Vector::new(x.x, x.y, x.z)
}

fn from_theirs(x: Vector) -> Vector3<f64> {
    Vector3::new(x.x, x.y, x.z)
}
