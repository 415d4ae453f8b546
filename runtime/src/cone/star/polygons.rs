//! Modes of four contacts with friction by polygons.
//!
//! What slides on an edge has the friction ν = μ cos(π/η) along its normal e and does not move along it, which is κ = 0; what slides
//! at a corner e has the friction ν = μ towards it and none across, as where there is no friction. Under the convex law the
//! normal equation is wₙ + ν eᵀ wₜ = 0, as on round cones: the derivative of the projection onto a side
//! of a pyramid, or onto an edge of it, is diagonal in the [coordinates](super::projected) of these.
//!
//! # Source
//!
//! Derived here, from the projections onto a half space and onto a ray.

use super::super::Law;
use super::four::Four;
use super::quads::Quads;
use super::sides::{Edge, Sides};
use super::slip::{Facing, radius};
use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::Real;

impl Four {
    /// Finds the modes now; whether they are the last ones.
    #[inline(always)]
    pub(super) fn find_modes_on<A: Real>(&mut self, sides: &Sides) -> bool {
        let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
        let (normal, mu) = (A::Quad::pack(self.normal), A::Quad::pack(self.friction));
        let edge = sides.edge([A::Quad::pack(self.z[1]), A::Quad::pack(self.z[2])]);
        let [cosine, sine] = sides.half::<A::Quad>();
        let radius = radius::<A>(mu, normal);
        let open = normal.select_at_most(none, one, none);
        // Without friction nothing sticks, and there is nothing along an edge either.
        let rubs = mu.select_at_most(none, none, one);
        let stick = rubs * edge.out.select_at_most(radius * cosine, one - open, none);
        let slide = one - open - stick;
        let on_edge = rubs * edge.along.abs().select_at_most(radius * sine, one, none);
        let corner = none.select_at_most(edge.along, sine, -sine);
        let [x, y] = edge.point(on_edge + (one - on_edge) * cosine, (one - on_edge) * corner);
        let friction = mu * (on_edge * cosine + (one - on_edge));
        let facing = Facing {
            friction: (slide * friction).unpack(),
            direction: [(slide * x).unpack(), (slide * y).unpack()],
            across: (slide * on_edge).unpack(),
        };
        let change = self.change_modes::<A>(open, stick);
        let last = self.facing.replace(facing).unwrap_or_default();
        change.maximum(facing.change::<A>(&last)).are_at_most(none)
    }
}

/// ℓₙ of the projection of z: zₙ⁺, or that of the nearest point of the pyramid.
#[inline(always)]
pub(super) fn project<A: Real>(law: Law, z: &Quads<A>, mu: A::Quad, sides: &Sides) -> A::Quad {
    let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
    let normal = z[0];
    if law == Law::Coulomb {
        return normal.maximum(none);
    }
    let Edge { out, along, .. } = sides.edge([z[1], z[2]]);
    let [cosine, sine] = sides.half::<A::Quad>();
    let (inner, along) = (mu * cosine, along.abs());
    let on_side = inner.mul_add(out, normal) / inner.mul_add(inner, one);
    let reach = cosine.mul_add(out, sine * along);
    let on_ray = mu.mul_add(reach, normal) / mu.mul_add(mu, one);
    let outside = along.select_at_most(mu * sine * on_side, on_side, on_ray);
    out.select_at_most(inner * normal, normal, outside).maximum(none)
}

#[cfg(test)]
mod tests;
