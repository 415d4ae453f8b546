//! The fixed joint: no coordinates. The links that it joins become one body.

use super::{Chart, Facts, Family, Geometry, Motion, Still};
use crate::expr::{Expr, Rotation, Vector3};

/// No motion.
#[derive(Debug)]
pub(super) struct Fixed;

impl Family for Fixed {
    fn facts(&self) -> Facts {
        Facts { reversible: true, ..Facts::free("fixed", Chart::Vector, 0) }
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion::new(Rotation::identity(), Vector3::zero(geometry.graph), Vec::new())
    }

    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g> {
        Still { origin: true, ..Still::directions(geometry.graph) }
    }
}
