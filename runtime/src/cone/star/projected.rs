//! Four contacts of which some slide under the convex law.
//!
//! > F = s λ − P(s λ − w),  T = D,  C = s (1 − D)
//!
//! P projects onto the cone, and its derivative D is symmetric: so is E T = (D B + s (1 − D))⁻¹ D. In coordinates y of the ray
//! of the cone that is nearest, of the direction e of slip and of what is across, g, D is diagonal:
//!
//! > λ = Q y,  Q = [(1, μ e), (0, e), (0, g)],  w' = Qᵀ w,  B' = Qᵀ B Q
//! > slide   w'₁ = 0,  y₂ = 0,  w'₃ + κ y₃ = 0
//!
//! with κ = s (‖zₜ‖ − μ ℓₙ) / μ ℓₙ, by ℓₙ of the projection. What the second equation changes is known before the others, and
//! moves to their right side. Contacts that stick, w' = 0, or are open, y = 0, are in the same coordinates with μ = 0 and any e.
//!
//! # Source
//!
//! Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton Like Solution Methods (1991);
//! Todorov: Convex and Analytically-Invertible Dynamics with Contacts and Constraints (2014), for the law. The
//! coordinates follow from the derivative of the projection onto a second-order cone: Fukushima, Luo, Tseng: Smoothing
//! Functions for Second-Order-Cone Complementarity Problems (2002), section 3.

use super::four::Four;
use super::quads::{Quads, Sums, invert_symmetric, load};
use super::slip::Slide;
use super::ways::{Of, Way};
use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::Real;

/// Any of them may slide, by the convex law.
pub(super) struct Projected;

impl Way for Projected {
    const IS_SYMMETRIC: bool = true;
    const IS_KEPT: bool = false;

    #[inline(always)]
    fn set_up<A: Real>((four, given): Of<'_, '_>, is_known: bool, to: &mut Sums<A>) -> Quads<A> {
        let slide = four.sliding::<A>();
        let frame = Frame::<A>::new(&slide);
        let own = frame.of_matrix(&given.own::<A>());
        let free = four.free::<A>(&slide);
        if !is_known {
            let inverse = invert_symmetric::<A>(&four.tested::<A>(&slide, &own, &free));
            four.keep::<A>(&frame.to_contact(&inverse));
            four.couple::<A, true>(given, &frame.to_contacts(&inverse, &free), to);
        }
        four.pull::<A>(&slide, &frame, &own, &free)
    }
}

/// The coordinates y of four contacts: μ of what slides, else zero, and e.
struct Frame<A: Real> {
    friction: A::Quad,
    direction: [A::Quad; 2],
}

impl<A: Real> Frame<A> {
    #[inline(always)]
    fn new(&Slide { slides, friction, direction: [x, y], .. }: &Slide<A>) -> Self {
        let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
        // What sticks or is open has its normal along the first coordinate, whatever its friction.
        let friction = slides.select_at_most(none, none, friction);
        Self { friction, direction: [x + (one - slides), y] }
    }

    /// Qᵀ w.
    #[inline(always)]
    fn of_velocity(&self, &[n, x, y]: &Quads<A>) -> Quads<A> {
        let [along, across] = self.turned([x, y]);
        [self.friction.mul_add(along, n), along, across]
    }

    /// Q⁻¹ λ.
    #[inline(always)]
    fn of_impulse(&self, &[n, x, y]: &Quads<A>) -> Quads<A> {
        let [along, across] = self.turned([x, y]);
        [n, along - self.friction * n, across]
    }

    /// (e · x, g · x) of a tangential vector.
    #[inline(always)]
    fn turned(&self, [x, y]: [A::Quad; 2]) -> [A::Quad; 2] {
        let [e, f] = self.direction;
        [e.mul_add(x, f * y), e * y - f * x]
    }

    /// x e + y g.
    #[inline(always)]
    fn back(&self, [x, y]: [A::Quad; 2]) -> [A::Quad; 2] {
        let [e, f] = self.direction;
        [e * x - f * y, f.mul_add(x, e * y)]
    }

    /// Qᵀ B Q of symmetric matrices.
    #[inline(always)]
    fn of_matrix(&self, &[[nn, nx, ny], [_, xx, xy], [.., yy]]: &[Quads<A>; 3]) -> [Quads<A>; 3] {
        let mu = self.friction;
        let [to_x, to_y] = [self.turned([xx, xy]), self.turned([xy, yy])];
        let [ee, eg] = self.turned([to_x[0], to_y[0]]);
        let [_, gg] = self.turned([to_x[1], to_y[1]]);
        let [ne, ng] = self.turned([nx, ny]);
        let (pe, pg) = (mu.mul_add(ee, ne), mu.mul_add(eg, ng));
        let pp = mu.mul_add(ne + pe, nn);
        [[pp, pe, pg], [pe, ee, eg], [pg, eg, gg]]
    }

    /// Q M of symmetric matrices.
    #[inline(always)]
    fn to_contact(&self, [p, e, g]: &[Quads<A>; 3]) -> [Quads<A>; 3] {
        let (mut x, mut y) = (*p, *p);
        for i in 0..3 {
            [x[i], y[i]] = self.back([self.friction.mul_add(p[i], e[i]), g[i]]);
        }
        [*p, x, y]
    }

    /// Q T' M T' Qᵀ of symmetric matrices whose entries off the diagonal vanish where those of the diagonal T' do.
    #[inline(always)]
    fn to_contacts(&self, m: &[Quads<A>; 3], free: &Quads<A>) -> [Quads<A>; 3] {
        let (mu, [[pp, pe, pg], [_, ee, eg], [.., gg]]) = (self.friction, *m);
        let (pp, ee, gg) = (free[0] * pp, free[1] * ee, free[2] * gg);
        let (ne, eg) = (mu.mul_add(pp, pe), mu.mul_add(pg, eg));
        let ee = mu.mul_add(ne + pe, ee);
        let [nx, ny] = self.back([ne, pg]);
        let [to_e, to_g] = [self.back([ee, eg]), self.back([eg, gg])];
        let [xx, xy] = self.back([to_e[0], to_g[0]]);
        let [_, yy] = self.back([to_e[1], to_g[1]]);
        [[pp, nx, ny], [nx, xx, xy], [ny, xy, yy]]
    }
}

impl Four {
    /// The diagonal of T': 1 of each coordinate that has an equation of velocities, else 0.
    #[inline(always)]
    fn free<A: Real>(&self, slide: &Slide<A>) -> Quads<A> {
        let stick = A::Quad::pack(self.modes.stick);
        [stick + slide.slides, stick, stick + slide.across]
    }

    /// T' B' T' + C'.
    #[inline(always)]
    fn tested<A: Real>(
        &self,
        &Slide { slides, across: slipping, kappa, .. }: &Slide<A>,
        &[[pp, pe, pg], [_, ee, eg], [.., gg]]: &[Quads<A>; 3],
        free: &Quads<A>,
    ) -> [Quads<A>; 3] {
        let (s, open) = (A::Quad::pack(self.mobility), A::Quad::pack(self.modes.open));
        let stick = free[1];
        let [normal, first, second] = load::<A>(&self.proximal);
        let gone = open * s;
        let along = stick.mul_add(first, (open + slides) * s);
        let across = stick.mul_add(second, first.maximum(second).mul_add(slipping, kappa + gone));
        let (pe, pg, eg) = (stick * pe, free[2] * pg, stick * eg);
        [
            [free[0].mul_add(pp + normal, gone), pe, pg],
            [pe, stick.mul_add(ee, along), eg],
            [pg, eg, free[2].mul_add(gg, across)],
        ]
    }

    /// ρ in these coordinates, with what is known of δ on it.
    #[inline(always)]
    fn pull<A: Real>(
        &self,
        slide: &Slide<A>,
        frame: &Frame<A>,
        [[_, pe, pg], [_, _, eg], _]: &[Quads<A>; 3],
        free: &Quads<A>,
    ) -> Quads<A> {
        let &Slide { slides, across, kappa, .. } = slide;
        let none = A::Quad::splat(0.0);
        let (s, open) = (A::Quad::pack(self.mobility), A::Quad::pack(self.modes.open));
        let w = frame.of_velocity(&load::<A>(&self.w));
        let y = frame.of_impulse(&load::<A>(&self.lambda));
        let gone = open * s;
        let (undone, bent) = (slides * y[1], (slides - across) * y[2]);
        let by_ray = pe.mul_add(undone, *pg * bent);
        let by_across = *eg * across * undone;
        [
            by_ray - free[0].mul_add(w[0], gone * y[0]),
            none - free[1].mul_add(w[1], (open + slides) * s * y[1]),
            by_across - free[2].mul_add(w[2], (kappa + gone) * y[2]),
        ]
    }
}

#[cfg(test)]
mod tests;
