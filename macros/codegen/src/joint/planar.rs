//! The planar joint: q = [x y angle], a displacement in a plane of the parent and a turn about the
//! plane's normal n. With the plane's directions d₁, d₂ as [`tangents`] chooses them (x and y for
//! n = z), S = [(0, Rᵀ d₁), (0, Rᵀ d₂), (n, 0)] and q̇ = v.

use super::{Facts, Family, Geometry, Motion, Still, Twist};
use crate::expr::{Expr, Rotation, tangents};

/// Two displacements and an angle.
#[derive(Debug)]
pub(super) struct Planar;

impl Family for Planar {
    fn facts(&self) -> Facts {
        Facts { reversible: false, turns_freely: false, ..Facts::about_axis("planar", 3) }
    }

    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], v: &[Expr<'g>]) -> Motion<'g> {
        let normal = geometry.axes[0];
        let directions = tangents(normal);
        let rotation = Rotation::about(normal, q[2]);
        let local = directions.map(|d| rotation.transposed_times(d));
        let rates = local.map(|d| d.cross(normal * v[2]));
        Motion {
            rotation,
            translation: directions[0] * q[0] + directions[1] * q[1],
            subspace: vec![
                Twist::sliding(local[0]),
                Twist::sliding(local[1]),
                Twist::turning(normal),
            ],
            subspace_rate: vec![
                Twist::sliding(rates[0]),
                Twist::sliding(rates[1]),
                Twist::zero(geometry.graph),
            ],
        }
    }

    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g> {
        Still::along(geometry.axes[0], false)
    }
}
