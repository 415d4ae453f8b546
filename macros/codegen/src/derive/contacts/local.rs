//! A contact as a function of where it is.
//!
//! With the place r of what touches, relative to what it touches, in world axes, a contact has a gap
//! φ(r), a normal n(r) and tangents t₁(r), t₂(r), and each of its rows a force d(r) on the one centre,
//! −d on the other, with moments about both, such that u = d · ṙ + Σ m · ω is the row's velocity.
//!
//! Over the ground z = f(x, y), of which the foot is below the point or the sphere's centre,
//!
//! > φ = (z − f) n_z − ρ,  n = (−∂f/∂x, −∂f/∂y, 1) n_z,  n_z = (1 + |∇f|²)^(−½).
//!
//! That is the distance where the ground is flat, and of a point wherever it touches; elsewhere it is
//! smaller or larger by a part of the order of the curvature. The row along the normal has d = ∂φ/∂r,
//! which is n where a point touches, so that no contact gives or takes what φ does not say; those along
//! the tangents are of the point of the sphere at −ρ n from its centre.
//!
//! Of two spheres about r and the origin,
//!
//! > φ = |r| − ρ₁ − ρ₂,  n = r / |r|,
//!
//! and all rows are of the point halfway between them, where the forces on both have no moment together.

use crate::expr::{Expr, Graph, Symbol, Vector3, tangents_of};
use crate::scalar::Scalar;

use super::super::lower;
use super::super::symbols;

/// As functions of the symbols [`symbols::PLACE`].
#[derive(Clone, Debug)]
pub(super) struct Local<'g> {
    pub(super) gap: Expr<'g>,
    /// Normal and tangents, right-handed.
    pub(super) axes: [Vector3<'g>; 3],
    /// From the first centre to the point where it touches.
    pub(super) arm: Vector3<'g>,
    /// d of each row.
    pub(super) forces: [Vector3<'g>; 3],
    /// The moments about both centres, of each row.
    pub(super) moments: [[Vector3<'g>; 3]; 2],
}

impl<'g> Local<'g> {
    /// Over the ground z = f(x, y).
    pub(super) fn over_ground(graph: &'g Graph, height: &Scalar, radius: Expr<'g>) -> Self {
        let place = place(graph);
        let height = lower::scalar(graph, height);
        let [along_x, along_y, _] = slope(graph, height).0;
        let one = graph.one();
        let upright = one / (one + along_x.squared() + along_y.squared()).sqrt();
        let gap = (place[2] - height) * upright - radius;
        let normal = Vector3([-(along_x * upright), -(along_y * upright), upright]);
        let [first, second] = tangents_of(normal, (one, upright));
        let axes = [normal, first, second];
        let still = [Vector3::zero(graph); 3];
        Self {
            gap,
            axes,
            arm: normal * -radius,
            forces: [slope(graph, gap), axes[1], axes[2]],
            moments: [moments(&axes, -radius), still],
        }
    }

    /// Between spheres.
    pub(super) fn of_spheres(graph: &'g Graph, [one, other]: [Expr<'g>; 2]) -> Self {
        let place = place(graph);
        let distance = place.dot(place).sqrt();
        let normal = place * (graph.one() / distance);
        // Horizontal normals are far from where the tangents change at once.
        let shifted = normal[2] + graph.constant(0.53);
        let sign = shifted / shifted.squared().sqrt();
        let [first, second] = tangents_of(normal, (sign, sign * normal[2]));
        let axes = [normal, first, second];
        let reach = [(distance + one) - other, (distance - one) + other].map(|x| 0.5 * x);
        Self {
            gap: distance - one - other,
            axes,
            arm: normal * -reach[0],
            forces: axes,
            moments: [moments(&axes, -reach[0]), moments(&axes, reach[1])],
        }
    }

    /// All numbers one after the other.
    pub(super) fn flat(&self) -> Vec<Expr<'g>> {
        let vectors = [&self.axes[..], &[self.arm], &self.forces, &self.moments.concat()].concat();
        [self.gap].into_iter().chain(vectors.into_iter().flat_map(|x| x.0)).collect()
    }

    /// What [`flat`](Self::flat) made, in its order.
    pub(super) fn from_flat(flat: &[Expr<'g>]) -> Self {
        let at = |k: usize| Vector3([flat[3 * k + 1], flat[3 * k + 2], flat[3 * k + 3]]);
        let three = |k: usize| [at(k), at(k + 1), at(k + 2)];
        Self {
            gap: flat[0],
            axes: three(0),
            arm: at(3),
            forces: three(4),
            moments: [three(7), three(10)],
        }
    }
}

/// r.
fn place(graph: &Graph) -> Vector3<'_> {
    Vector3([0, 1, 2].map(|k| graph.symbol(symbols::PLACE, k)))
}

/// ∂/∂r.
fn slope<'g>(graph: &'g Graph, function: Expr<'g>) -> Vector3<'g> {
    let symbol = |index| Symbol { set: symbols::PLACE, index };
    let slope = graph.gradient(function, &[0, 1, 2].map(symbol));
    Vector3([slope[0], slope[1], slope[2]])
}

/// Moments of unit forces along these axes at `reach` along the normal: n × t₁ = t₂, n × t₂ = −t₁.
fn moments<'g>([normal, first, second]: &[Vector3<'g>; 3], reach: Expr<'g>) -> [Vector3<'g>; 3] {
    [Vector3::zero(normal[0].graph()), *second * reach, *first * -reach]
}
