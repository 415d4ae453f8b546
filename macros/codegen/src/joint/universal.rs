//! The universal joint.

use super::{Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Universal;

impl Family for Universal {
    fn keyword(&self) -> &'static str {
        "universal"
    }

    fn nv(&self) -> usize {
        2
    }

    fn axes(&self) -> usize {
        2
    }

    fn reversible(&self) -> bool {
        false
    }

    fn motion<'g>(&self, _: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion(std::marker::PhantomData)
    }
}
