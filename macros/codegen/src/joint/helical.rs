//! The helical joint: q is an angle about an axis along which the child advances by the pitch h in
//! metres per radian, S = (a, h a).

use super::{Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation};

/// A screw.
#[derive(Debug)]
pub(super) struct Helical;

impl Family for Helical {
    fn facts(&self) -> Facts {
        Facts { has_pitch: true, ..Facts::about_axis("helical", 1) }
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        let axis = geometry.axes[0];
        let advance = axis * geometry.pitch;
        let twist = Twist { angular: axis, linear: advance };
        Motion::new(Rotation::about(axis, q[0]), advance * q[0], vec![twist])
    }

    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g> {
        Still::along(geometry.axes[0], false)
    }
}
