//! A contact as a function of where it is.
//!
//! With the place r of one centre relative to another, in world axes, a contact has a gap φ(r), a normal
//! n(r) and tangents t₁(r), t₂(r). Each of its rows is a force d(r) that acts at the arm A(r) from the first
//! centre, on the one body, and its reverse at the same point on the other.
//!
//! Over the ground z = f(x, y), whose foot is below the point or the sphere's centre,
//!
//! > φ = (z − f) n_z − ρ,  n = (−∂f/∂x, −∂f/∂y, 1) n_z,  n_z = (1 + |∇f|²)^(−½).
//!
//! That is the distance where the ground is flat, and of a point wherever it touches; elsewhere it is
//! smaller or larger by a part of the order of the curvature. The row along the normal has d = ∂φ/∂r at the
//! centre, which is n where a point touches, so that no contact gives or takes what φ does not say; those
//! along the tangents act at −ρ n.
//!
//! Of two spheres about r and the origin,
//!
//! > φ = |r| − ρ₁ − ρ₂,  n = r / |r|,
//!
//! and all rows act halfway between them, so that the forces on both have no moment together.

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
    /// d of each row.
    pub(super) forces: [Vector3<'g>; 3],
    /// A of each row.
    pub(super) arms: [Vector3<'g>; 3],
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
        let arm = normal * -radius;
        Self {
            gap,
            axes: [normal, first, second],
            forces: [slope(graph, gap), first, second],
            arms: [Vector3::zero(graph), arm, arm],
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
        let reach = 0.5 * (distance + one - other);
        Self { gap: distance - one - other, axes, forces: axes, arms: [normal * -reach; 3] }
    }

    /// All numbers one after the other.
    pub(super) fn flat(&self) -> Vec<Expr<'g>> {
        let vectors = [self.axes, self.forces, self.arms].concat();
        [self.gap].into_iter().chain(vectors.into_iter().flat_map(|x| x.0)).collect()
    }

    /// What [`flat`](Self::flat) made, in its order.
    pub(super) fn from_flat(flat: &[Expr<'g>]) -> Self {
        let at = |k: usize| Vector3([flat[3 * k + 1], flat[3 * k + 2], flat[3 * k + 3]]);
        let three = |k: usize| [at(k), at(k + 1), at(k + 2)];
        Self { gap: flat[0], axes: three(0), forces: three(3), arms: three(6) }
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
