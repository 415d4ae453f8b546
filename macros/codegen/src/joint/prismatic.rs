//! The prismatic joint.

use super::{Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Prismatic;

impl Family for Prismatic {
    fn keyword(&self) -> &'static str {
        "prismatic"
    }

    fn nv(&self) -> usize {
        1
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
