//! The planar joint.

use super::{Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Planar;

impl Family for Planar {
    fn keyword(&self) -> &'static str {
        "planar"
    }

    fn nv(&self) -> usize {
        3
    }

    fn axes(&self) -> usize {
        1
    }

    fn reversible(&self) -> bool {
        false
    }

    fn motion<'g>(&self, _: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion(std::marker::PhantomData)
    }
}
