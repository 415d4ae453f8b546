//! The prismatic joint: q is a displacement along an axis, S = (0, a).

use super::{Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation};

/// A displacement.
#[derive(Debug)]
pub(super) struct Prismatic;

impl Family for Prismatic {
    fn facts(&self) -> Facts {
        Facts::about_axis("prismatic", 1)
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        let axis = geometry.axes[0];
        Motion::new(Rotation::identity(), axis * q[0], vec![Twist::sliding(axis)])
    }

    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g> {
        Still::directions(geometry.graph)
    }
}
