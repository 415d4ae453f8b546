//! The floating joint: q = [x y z | qx qy qz qw], v = [linear | angular] in the child's frame,
//! S = [(0, 1), (1, 0)].

use super::{Chart, Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation, Vector3};

/// A pose.
#[derive(Debug)]
pub(super) struct Floating;

impl Family for Floating {
    fn facts(&self) -> Facts {
        Facts::free("floating", Chart::Pose, 6)
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        let unit = |k| Vector3::unit(geometry.graph, k);
        let sliding = (0..3).map(|k| Twist::sliding(unit(k)));
        let turning = (0..3).map(|k| Twist::turning(unit(k)));
        Motion::new(
            Rotation::quaternion([q[3], q[4], q[5], q[6]]),
            Vector3([q[0], q[1], q[2]]),
            sliding.chain(turning).collect(),
        )
    }

    fn still<'g>(&self, _: &Geometry<'g>) -> Still<'g> {
        Still::nothing()
    }
}
