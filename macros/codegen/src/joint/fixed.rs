//! The fixed joint.

use super::{Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
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

    fn motion<'g>(&self, _: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion(std::marker::PhantomData)
    }
}
