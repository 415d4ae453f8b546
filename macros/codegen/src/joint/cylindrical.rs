//! The cylindrical joint.

use super::{Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Cylindrical;

impl Family for Cylindrical {
    fn keyword(&self) -> &'static str {
        "cylindrical"
    }

    fn nv(&self) -> usize {
        2
    }

    fn axes(&self) -> usize {
        1
    }

    fn reversible(&self) -> bool {
        true
    }

    fn motion<'g>(&self, _: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion(std::marker::PhantomData)
    }
}
