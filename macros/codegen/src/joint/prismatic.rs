//! The prismatic joint: q is a displacement along an axis, S = (0, a).

use super::{Family, Geometry, Motion, Twist};
use crate::expr::{Expr, Rotation};

/// A displacement.
#[derive(Debug)]
pub(super) struct Prismatic;

impl Family for Prismatic {
    fn keyword(&self) -> &'static str {
        "prismatic"
    }

    fn nv(&self) -> usize {
        1
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
        Motion::new(Rotation::identity(), axis * q[0], vec![Twist::sliding(axis)])
    }
}
