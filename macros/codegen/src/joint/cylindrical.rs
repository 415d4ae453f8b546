//! The cylindrical joint: q is an angle about an axis and a displacement along it,
//! S = [(a, 0), (0, a)].

use super::{Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation};

/// An angle and a displacement.
#[derive(Debug)]
pub(super) struct Cylindrical;

impl Family for Cylindrical {
    fn facts(&self) -> Facts {
        Facts::about_axis("cylindrical", 2)
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        let axis = geometry.axes[0];
        let subspace = vec![Twist::turning(axis), Twist::sliding(axis)];
        Motion::new(Rotation::about(axis, q[0]), axis * q[1], subspace)
    }

    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g> {
        Still::along(geometry.axes[0], false)
    }
}
