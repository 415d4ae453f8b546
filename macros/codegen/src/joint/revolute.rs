//! The revolute joint.

use super::{Family, Geometry, Motion};
use crate::expr::Expr;

/// See the module.
#[derive(Debug)]
pub(super) struct Revolute;

impl Family for Revolute {
    fn keyword(&self) -> &'static str {
        "revolute"
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

/// See the module.
#[derive(Debug)]
pub(super) struct Continuous;

impl Family for Continuous {
    fn keyword(&self) -> &'static str {
        "continuous"
    }

    fn nv(&self) -> usize {
        1
    }

    fn axes(&self) -> usize {
        1
    }

    fn has_limits(&self) -> bool {
        false
    }

    fn reversible(&self) -> bool {
        true
    }

    fn motion<'g>(&self, _: &Geometry<'g>, _: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        Motion(std::marker::PhantomData)
    }
}
