//! The revolute joint: q is an angle about an axis that is fixed in both links, S = (a, 0).
//!
//! A continuous joint is the same without limits: one unbounded angle.

use super::{Family, Geometry, Motion, Twist};
use crate::expr::{Expr, Rotation, Vector3};

/// An angle with limits.
#[derive(Debug)]
pub(super) struct Revolute;

/// An angle without limits.
#[derive(Debug)]
pub(super) struct Continuous;

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

    fn turns_freely(&self) -> bool {
        true
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        turn(geometry, q[0])
    }
}

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

    fn turns_freely(&self) -> bool {
        true
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        turn(geometry, q[0])
    }
}

fn turn<'g>(geometry: &Geometry<'g>, angle: Expr<'g>) -> Motion<'g> {
    let axis = geometry.axes[0];
    let origin = Vector3::zero(geometry.graph);
    Motion::new(Rotation::about(axis, angle), origin, vec![Twist::turning(axis)])
}
