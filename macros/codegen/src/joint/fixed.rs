//! The fixed joint: no coordinates. The links that it joins become one body.

use super::{Family, Geometry, Motion};
use crate::expr::{Expr, Rotation, Vector3};

/// No motion.
#[derive(Debug)]
pub(super) struct Fixed;

impl Family for Fixed {
    fn keyword(&self) -> &'static str {
        "fixed"
    }

    fn nv(&self) -> usize {
        0
    }

    fn axes(&self) -> usize {
        0
    }

    fn reversible(&self) -> bool {
        true
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion::new(Rotation::identity(), Vector3::zero(geometry.graph), Vec::new())
    }
}
