//! The cylindrical joint: q is an angle about an axis and a displacement along it,
//! S = [(a, 0), (0, a)].

use super::{Family, Geometry, Motion, Twist};
use crate::expr::{Expr, Rotation};

/// An angle and a displacement.
#[derive(Debug)]
pub(super) struct Cylindrical;

impl Family for Cylindrical {
    fn keyword(&self) -> &'static str {
        "cylindrical"
    }

    fn nv(&self) -> usize {
        2
    }

    fn axes(&self) -> usize {
        1
    }

    fn reversible(&self) -> bool {
        true
    }

    fn turns_freely(&self) -> bool {
        true
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        let axis = geometry.axes[0];
        let subspace = vec![Twist::turning(axis), Twist::sliding(axis)];
        Motion::new(Rotation::about(axis, q[0]), axis * q[1], subspace)
    }
}
