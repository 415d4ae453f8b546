//! The spherical joint.

use super::{Chart, Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Spherical;

impl Family for Spherical {
    fn keyword(&self) -> &'static str {
        "spherical"
    }

    fn chart(&self) -> Chart {
        Chart::Quaternion
    }

    fn nv(&self) -> usize {
        3
    }

    fn axes(&self) -> usize {
        0
    }

    fn reversible(&self) -> bool {
        false
    }

    fn motion<'g>(&self, _: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion(std::marker::PhantomData)
    }
}
