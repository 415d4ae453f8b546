//! The spherical joint: q is a unit quaternion [qx qy qz qw], v the angular velocity in the child's
//! frame, S = (1, 0).

use super::{Chart, Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation, Vector3};

/// An orientation.
#[derive(Debug)]
pub(super) struct Spherical;

impl Family for Spherical {
    fn facts(&self) -> Facts {
        Facts::free("spherical", Chart::Quaternion, 3)
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        let turning = |k| Twist::turning(Vector3::unit(geometry.graph, k));
        Motion::new(
            Rotation::quaternion([q[0], q[1], q[2], q[3]]),
            Vector3::zero(geometry.graph),
            (0..3).map(turning).collect(),
        )
    }

    fn still<'g>(&self, _: &Geometry<'g>) -> Still<'g> {
        Still::origin()
    }
}
