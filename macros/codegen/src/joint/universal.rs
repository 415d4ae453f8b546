//! The universal joint: two angles, the first about an axis of the parent, the second about one of
//! the child. R = R(a₁, q₁) R(a₂, q₂), S = [(R(a₂, q₂)ᵀ a₁, 0), (a₂, 0)].

use super::{Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation, Vector3};

/// Two angles.
#[derive(Debug)]
pub(super) struct Universal;

impl Family for Universal {
    fn facts(&self) -> Facts {
        Facts {
            axes: 2,
            reversible: false,
            turns_freely: false,
            ..Facts::about_axis("universal", 2)
        }
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], v: &[Expr<'g>]) -> Motion<'g> {
        let (outer, inner) = (geometry.axes[0], geometry.axes[1]);
        let second = Rotation::about(inner, q[1]);
        let first_axis = second.transposed_times(outer);
        let rate = first_axis.cross(inner * v[1]);
        Motion {
            rotation: Rotation::about(outer, q[0]).then(second),
            translation: Vector3::zero(geometry.graph),
            subspace: vec![Twist::turning(first_axis), Twist::turning(inner)],
            subspace_rate: vec![Twist::turning(rate), Twist::zero(geometry.graph)],
        }
    }

    fn still<'g>(&self, _: &Geometry<'g>) -> Still<'g> {
        Still::origin()
    }
}
