//! Modes of four contacts, and how far they are from a solution.
//!
//! > open    T = 0, C = s,  ρ = −s λ
//! > stick   T = 1, C = ε s,  ρ = −w
//! > slide   wₙ = 0,  gᵀ wₜ + κ gᵀ λₜ = 0,  eᵀ λₜ = μ λₙ,  κ = s (‖zₜ‖ − μ ℓₙ) / μ ℓₙ
//!
//! as in [`modes`](super::super::modes), where the direction e of slip and what is across, g, come from. Under the
//! convex law the normal equation of what slides is wₙ + μ eᵀ wₜ = 0, see [`projected`](super::projected).

use super::super::Law;
use super::super::modes::LIMIT;
use super::contacts::Friction;
use super::four::Four;
use super::matrix::Given;
use super::polygons;
use super::quads::{Quads, load, store};
use super::slip::{Modes, Slide, radius};
use crate::arithmetic::{Lanes, Ordered};
use crate::cone::view::Measure;
use crate::kernel::Real;
use crate::slices::larger;

/// tr B by 3 s, above which a contact is of a limb.
const LIMB: f64 = 0.01;

/// ρ, and T and C, row by row, of four contacts.
pub(super) struct Linear<A: Real> {
    pub(super) pull: Quads<A>,
    pub(super) test: [Quads<A>; 3],
    pub(super) compliance: [Quads<A>; 3],
}

/// Those where nothing slides: T is a number of each contact times one, and C diagonal.
pub(super) struct Diagonal<A: Real> {
    pub(super) pull: Quads<A>,
    pub(super) test: A::Quad,
    pub(super) compliance: Quads<A>,
}

/// In each lane the largest |e|, ∑ e² / s and the largest s λₙ.
pub(super) struct Errors<A: Real>([A::Quad; 3]);

impl<A: Real> Errors<A> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self([A::Quad::splat(0.0); 3])
    }

    /// Adds e of four contacts, with 1 / s and s λₙ.
    #[inline(always)]
    fn add(&mut self, e: &Quads<A>, inertia: A::Quad, pressed: A::Quad) {
        let [largest, merit, size] = &mut self.0;
        *largest = e[0].abs().maximum(e[1].abs().maximum(e[2].abs().maximum(*largest)));
        *merit = e[0].mul_add(e[0], squares::<A>(e[1], e[2])).mul_add(inertia, *merit);
        *size = pressed.abs().maximum(*size);
    }

    /// The errors of all lanes together.
    #[inline(always)]
    pub(super) fn measure(&self) -> Measure {
        let [largest, merit, size] = self.0;
        let ([a, b, c, d], merit) = (largest.unpack(), merit.sum());
        let largest = larger(larger(a, b), larger(c, d));
        let [a, b, c, d] = size.unpack();
        let largest = if merit.is_nan() { f64::NAN } else { largest };
        Measure { largest, merit, size: larger(larger(a, b), larger(c, d)) }
    }
}

/// x², y² in sum.
#[inline(always)]
fn squares<A: Real>(x: A::Quad, y: A::Quad) -> A::Quad {
    x.mul_add(x, y * y)
}

impl Four {
    /// Finds z = s λ − w with ‖zₜ‖² and ℓₙ of its projection, and makes the errors worse by how far this is from a
    /// solution.
    #[inline(always)]
    pub(super) fn measure<A: Real>(&mut self, friction: Friction<'_>, errors: &mut Errors<A>) {
        let none = A::Quad::splat(0.0);
        let (s, mu) = (A::Quad::pack(self.mobility), A::Quad::pack(self.friction));
        let (lambda, w) = (load::<A>(&self.lambda), load::<A>(&self.w));
        let l = [s * lambda[0], s * lambda[1], s * lambda[2]];
        let z = [l[0] - w[0], l[1] - w[1], l[2] - w[2]];
        let Friction { law, .. } = friction;
        let squares = squares::<A>(z[1], z[2]);
        let polygons = friction.of(self.polygons);
        let normal = match polygons {
            None => project::<A>(law, (z[0], squares), mu),
            Some(sides) => polygons::project::<A>(law, &z, mu, sides),
        };
        let (first, pressed) = match law {
            Law::Coulomb => (z[0].select_at_most(none, l[0], w[0]), l[0]),
            Law::Convex => (l[0] - normal, normal),
        };
        let radius = radius::<A>(mu, pressed);
        // What is within its disc is there as it is, and needs no root and no quotient.
        let mut e = [first, w[1], w[2]];
        if let Some(sides) = polygons {
            let [x, y] = sides.nearest([z[1], z[2]], radius);
            e = [first, l[1] - x, l[2] - y];
            self.are_held = (z[1] - x).abs().maximum((z[2] - y).abs()).are_at_most(none);
        } else if squares.are_at_most(radius * radius) {
            self.are_held = true;
        } else {
            self.are_held = false;
            let kept = radius / squares.sqrt();
            let kept = squares.select_at_most(radius * radius, A::Quad::splat(-1.0), -kept);
            e = [first, kept.mul_add(z[1], l[1]), kept.mul_add(z[2], l[2])];
        }
        store::<A>(&mut self.z, z);
        (self.squares, self.normal) = (squares.unpack(), normal.unpack());
        errors.add(&e, A::Quad::pack(self.inertia), l[0]);
    }

    /// Finds the modes now; whether they are the last ones.
    #[inline(always)]
    pub(super) fn find_modes<A: Real>(&mut self, friction: Friction<'_>) -> bool {
        if let Some(sides) = friction.of(self.polygons) {
            return self.find_modes_on::<A>(sides);
        }
        let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
        let (squares, normal) = (A::Quad::pack(self.squares), A::Quad::pack(self.normal));
        let radius = radius::<A>(A::Quad::pack(self.friction), normal);
        let open = normal.select_at_most(none, one, none);
        let stick = squares.select_at_most(radius * radius, one - open, none);
        self.change_modes::<A>(open, stick).are_at_most(none)
    }

    /// Takes the modes; by how much they change.
    #[inline(always)]
    pub(super) fn change_modes<A: Real>(&mut self, open: A::Quad, stick: A::Quad) -> A::Quad {
        let slide = A::Quad::splat(1.0) - open - stick;
        // After other steps than those of modes no contact has any.
        let Modes { open: opened, stick: stuck, slide: slid } = self.modes;
        let [opened, stuck, slid] =
            [A::Quad::pack(opened), A::Quad::pack(stuck), A::Quad::pack(slid)];
        let change = (open - opened).abs().maximum((stick - stuck).abs());
        self.modes = Modes { open: open.unpack(), stick: stick.unpack(), slide: slide.unpack() };
        change.maximum((slide - slid).abs())
    }

    /// Lets contacts with friction that press go on as they slip, or stick, if they are of limbs.
    #[inline(always)]
    pub(super) fn hold_limbs<A: Real>(&mut self, given: Given<'_>) {
        let least = A::Quad::splat(3.0 * LIMB) * A::Quad::pack(self.mobility);
        let (none, friction) = (A::Quad::splat(0.0), A::Quad::pack(self.friction));
        let friction = given.own_trace::<A>().select_at_most(least, none, friction);
        self.expect_slip::<A>(friction);
    }

    /// Lets contacts with friction that press go on as they slip, or stick.
    #[inline(always)]
    pub(super) fn hold<A: Real>(&mut self) {
        self.expect_slip::<A>(A::Quad::pack(self.friction));
    }

    /// Takes zₜ from how contacts slip before the impulses, where there is this friction.
    #[inline(always)]
    fn expect_slip<A: Real>(&mut self, friction: A::Quad) {
        let (none, squares) = (A::Quad::splat(0.0), A::Quad::pack(self.squares));
        let [x, y] = self.slip.map(A::Quad::pack);
        let slip = self::squares::<A>(x, y);
        self.squares = friction.select_at_most(none, squares, slip).unpack();
        for (z, slip) in self.z[1..].iter_mut().zip([x, y]) {
            *z = friction.select_at_most(none, A::Quad::pack(*z), none - slip).unpack();
        }
    }

    /// The equations of what does not slide.
    #[inline(always)]
    pub(super) fn diagonal<A: Real>(&self) -> Diagonal<A> {
        let none = A::Quad::splat(0.0);
        let (s, proximal) = (A::Quad::pack(self.mobility), load::<A>(&self.proximal));
        let (lambda, w) = (load::<A>(&self.lambda), load::<A>(&self.w));
        let (open, stick) = (A::Quad::pack(self.modes.open), A::Quad::pack(self.modes.stick));
        let open = open * s;
        let (mut pull, mut compliance) = ([none; 3], proximal);
        for i in 0..3 {
            pull[i] = none - open.mul_add(lambda[i], stick * w[i]);
            compliance[i] = stick.mul_add(proximal[i], open);
        }
        Diagonal { pull, test: stick, compliance }
    }

    /// The equations of the modes, where what slides does so by Coulomb's law.
    #[inline(always)]
    pub(super) fn linearize<A: Real>(&self) -> Linear<A> {
        let none = A::Quad::splat(0.0);
        let Diagonal { pull, test, compliance: [x, y, z] } = self.diagonal::<A>();
        let mut linear = Linear::<A> {
            pull,
            test: [[test, none, none], [none, test, none], [none, none, test]],
            compliance: [[x, none, none], [none, y, none], [none, none, z]],
        };
        if self.slides() {
            self.slide::<A>(&mut linear);
        }
        linear
    }

    /// How the contacts slide.
    #[inline(always)]
    pub(super) fn sliding<A: Real>(&self) -> Slide<A> {
        let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
        let (s, slides) = (A::Quad::pack(self.mobility), A::Quad::pack(self.modes.slide));
        if let Some(facing) = &self.facing {
            return facing.sliding::<A>(slides, s);
        }
        let mu = A::Quad::pack(self.friction);
        let radius = radius::<A>(mu, A::Quad::pack(self.normal));
        let slip = A::Quad::pack(self.squares).sqrt();
        let scale = slides.select_at_most(none, none, one / slip);
        let across = radius.select_at_most(none, none, slides);
        let (share, limit) = ((slip - radius) / radius, A::Quad::splat(LIMIT));
        let share = share.select_at_most(limit, share, limit);
        Slide {
            slides,
            friction: mu,
            across,
            direction: [A::Quad::pack(self.z[1]) * scale, A::Quad::pack(self.z[2]) * scale],
            kappa: across.select_at_most(none, slides, share) * s,
        }
    }

    /// Adds the equations of what slides.
    #[inline(always)]
    fn slide<A: Real>(&self, linear: &mut Linear<A>) {
        let none = A::Quad::splat(0.0);
        let Slide { slides, friction: mu, across, direction: [x, y], kappa } = self.sliding::<A>();
        let [proximal, first, second] = load::<A>(&self.proximal);
        let (proximal, stiff) = (proximal * slides, first.maximum(second).mul_add(across, kappa));
        let along = A::Quad::pack(self.mobility) * slides;
        let (lambda, w) = (load::<A>(&self.lambda), load::<A>(&self.w));
        let Linear { pull, test, compliance } = linear;
        let add = |to: &mut A::Quad, x: A::Quad| *to = *to + x;
        add(&mut test[0][0], slides);
        add(&mut test[1][1], none - across * y);
        add(&mut test[1][2], across * x);
        add(&mut compliance[0][0], proximal);
        add(&mut compliance[1][1], none - stiff * y);
        add(&mut compliance[1][2], stiff * x);
        add(&mut compliance[2][0], none - along * mu);
        add(&mut compliance[2][1], along * x);
        add(&mut compliance[2][2], along * y);
        let turned = x.mul_add(w[2], none - y * w[1]);
        let bent = x.mul_add(lambda[2], none - y * lambda[1]);
        let held = x.mul_add(lambda[1], y * lambda[2]);
        add(&mut pull[0], none - slides * w[0]);
        add(&mut pull[1], none - across.mul_add(turned, kappa * bent));
        add(&mut pull[2], along * (mu * lambda[0] - held));
    }
}

/// ℓₙ of the projection of z, by zₙ and ‖zₜ‖²: zₙ⁺, or what of it and of what slides is nearest.
#[inline(always)]
fn project<A: Real>(law: Law, (normal, squares): (A::Quad, A::Quad), mu: A::Quad) -> A::Quad {
    let none = A::Quad::splat(0.0);
    let bound = radius::<A>(mu, normal);
    if law == Law::Coulomb || squares.are_at_most(bound * bound) {
        return normal.maximum(none);
    }
    let nearest = mu.mul_add(squares.sqrt(), normal) / mu.mul_add(mu, A::Quad::splat(1.0));
    squares.select_at_most(bound * bound, normal, nearest).maximum(none)
}

#[cfg(test)]
mod tests;
