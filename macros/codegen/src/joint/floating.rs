//! The floating joint.

use super::{Chart, Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Floating;

impl Family for Floating {
    fn keyword(&self) -> &'static str {
        "floating"
    }

    fn chart(&self) -> Chart {
        Chart::Pose
    }

    fn nv(&self) -> usize {
        6
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
