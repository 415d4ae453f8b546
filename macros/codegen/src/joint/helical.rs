//! The helical joint.

use super::{Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Helical;

impl Family for Helical {
    fn keyword(&self) -> &'static str {
        "helical"
    }

    fn nv(&self) -> usize {
        1
    }

    fn axes(&self) -> usize {
        1
    }

    fn has_pitch(&self) -> bool {
        true
    }

    fn reversible(&self) -> bool {
        true
    }

    fn motion<'g>(&self, _: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion(std::marker::PhantomData)
    }
}
