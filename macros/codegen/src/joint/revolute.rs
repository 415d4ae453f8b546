//! The revolute joint: q is an angle about an axis that is fixed in both links, S = (a, 0).
//!
//! A continuous joint is the same without limits: one unbounded angle.

use super::{Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation, Vector3};

/// An angle with limits.
#[derive(Debug)]
pub(super) struct Revolute;

/// An angle without limits.
#[derive(Debug)]
pub(super) struct Continuous;

impl Family for Revolute {
    fn facts(&self) -> Facts {
        Facts::about_axis("revolute", 1)
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        turn(geometry, q[0])
    }

    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g> {
        Still::along(geometry.axes[0], true)
    }
}

impl Family for Continuous {
    fn facts(&self) -> Facts {
        Facts { has_limits: false, ..Facts::about_axis("continuous", 1) }
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], _: &[Expr<'g>]) -> Motion<'g> {
        turn(geometry, q[0])
    }

    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g> {
        Still::along(geometry.axes[0], true)
    }
}

fn turn<'g>(geometry: &Geometry<'g>, angle: Expr<'g>) -> Motion<'g> {
    let axis = geometry.axes[0];
    let origin = Vector3::zero(geometry.graph);
    Motion::new(Rotation::about(axis, angle), origin, vec![Twist::turning(axis)])
}
