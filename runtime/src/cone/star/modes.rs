//! Modes of four contacts, and how far they are from a solution.
//!
//! > open    T = 0, C = s,  ρ = −s λ
//! > stick   T = 1, C = ε s,  ρ = −w
//! > slide   wₙ = 0,  gᵀ wₜ + κ gᵀ λₜ = 0,  eᵀ λₜ = μ λₙ,  κ = s (‖zₜ‖ − μ zₙ) / μ zₙ
//!
//! as in [`modes`](super::super::modes), where the direction e of slip and what is across, g, come from. Under the
//! convex law the normal equation of what slides is wₙ + μ eᵀ wₜ = 0.

use super::super::Law;
use super::super::natural::positive;
use super::LANES;
use super::four::{Each, Four, Given, Quads, load, store};
use crate::arithmetic::Lanes;
use crate::kernel::Real;
use crate::slices::larger;

/// The largest compliance of what slides, by s.
const LIMIT: f64 = 1e12;
/// tr B by 3 s, above which a contact is of a limb.
const LIMB: f64 = 0.01;

/// What four contacts do: a number of each says whether, 1 or 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Modes {
    open: Each,
    stick: Each,
    slide: Each,
}

impl Modes {
    /// Whether linear problems of both are the same: what slides has another direction each time.
    pub(super) fn are(&self, others: &Self) -> bool {
        self == others && self.slide == [0.0; LANES]
    }
}

/// ρ, and T and C, row by row, of four contacts.
pub(super) struct Linear<A: Real> {
    pub(super) pull: Quads<A>,
    pub(super) test: [Quads<A>; 3],
    pub(super) compliance: [Quads<A>; 3],
}

/// One number for each lane.
#[inline(always)]
fn each(of: impl Fn(usize) -> f64) -> Each {
    [of(0), of(1), of(2), of(3)]
}

impl Four {
    /// Finds z = s λ − w with ‖zₜ‖, and how far this is from a solution: the largest |e|, ∑ e² / s, the largest s λₙ.
    #[inline(always)]
    pub(super) fn measure<A: Real>(&mut self, law: Law) -> [f64; 3] {
        let s = A::Quad::pack(self.mobility);
        let (lambda, w) = (load::<A>(&self.lambda), load::<A>(&self.w));
        let l = [s * lambda[0], s * lambda[1], s * lambda[2]];
        let z = [l[0] - w[0], l[1] - w[1], l[2] - w[2]];
        store::<A>(&mut self.z, z);
        self.slip = z[1].mul_add(z[1], z[2] * z[2]).sqrt().unpack();
        let (pressed, free) = (l[0].unpack(), self.z[0]);
        self.normal = self.normals(law);
        let first = match law {
            Law::Coulomb => each(|k| if free[k] <= 0.0 { pressed[k] } else { self.w[0][k] }),
            Law::Convex => each(|k| pressed[k] - self.normal[k]),
        };
        let kept = each(|k| {
            let normal = if law == Law::Coulomb { positive(pressed[k]) } else { self.normal[k] };
            let radius = self.friction[k] * normal;
            if self.slip[k] > radius { radius / self.slip[k] } else { 1.0 }
        });
        let (first, kept) = (A::Quad::pack(first), A::Quad::splat(0.0) - A::Quad::pack(kept));
        let e = [first, kept.mul_add(z[1], l[1]), kept.mul_add(z[2], l[2])];
        let squares = e[0].mul_add(e[0], e[1].mul_add(e[1], e[2] * e[2])) / s;
        let [mut largest, mut size] = [0.0; 2];
        for pressed in pressed {
            size = larger(pressed.abs(), size);
        }
        for row in e {
            for error in row.unpack() {
                largest = larger(error.abs(), largest);
            }
        }
        [largest, squares.sum(), size]
    }

    /// ℓₙ of the projection of z: zₙ⁺, or what of it and of what slides is nearest.
    #[inline(always)]
    fn normals(&self, law: Law) -> Each {
        let ([normal, ..], slip, mu) = (&self.z, &self.slip, &self.friction);
        match law {
            Law::Coulomb => each(|k| positive(normal[k])),
            Law::Convex => each(|k| {
                let (n, t, mu) = (normal[k], slip[k], mu[k]);
                positive(if t <= mu * n { n } else { (n + mu * t) / (1.0 + mu * mu) })
            }),
        }
    }

    #[inline(always)]
    pub(super) fn modes(&self) -> Modes {
        let radius = each(|k| self.friction[k] * self.normal[k]);
        let flag = |is: bool| if is { 1.0 } else { 0.0 };
        // What is no number is open.
        let presses = |k: usize| self.normal[k] > 0.0;
        Modes {
            open: each(|k| flag(!presses(k))),
            stick: each(|k| flag(presses(k) & (self.slip[k] <= radius[k]))),
            slide: each(|k| flag(presses(k) & (self.slip[k] > radius[k]))),
        }
    }

    /// Which contacts have much of their own.
    pub(super) fn are_of_limbs(&self, Given { own, .. }: Given<'_>) -> [bool; LANES] {
        let [xx, _, _, yy, _, zz] = own;
        core::array::from_fn(|k| xx[k] + yy[k] + zz[k] > 3.0 * LIMB * self.mobility[k])
    }

    /// Lets contacts with friction stick that would slide without impulses.
    pub(super) fn hold(&mut self, held: [bool; LANES]) {
        for ((slip, friction), is_held) in self.slip.iter_mut().zip(self.friction).zip(held) {
            *slip = if is_held & (friction > 0.0) { 0.0 } else { *slip };
        }
    }

    /// The equations of the modes that contacts are in now.
    #[inline(always)]
    pub(super) fn linearize<A: Real>(&mut self, law: Law) -> Linear<A> {
        self.modes = self.modes();
        let modes = &self.modes;
        let none = A::Quad::splat(0.0);
        let (s, proximal) = (A::Quad::pack(self.mobility), load::<A>(&self.proximal));
        let (lambda, w) = (load::<A>(&self.lambda), load::<A>(&self.w));
        let (open, stick) = (A::Quad::pack(modes.open), A::Quad::pack(modes.stick));
        let mut pull = [none; 3];
        for i in 0..3 {
            pull[i] = none - open.mul_add(s * lambda[i], stick * w[i]);
        }
        let mut alone = proximal;
        for entry in &mut alone {
            *entry = open.mul_add(s, stick * *entry);
        }
        let mut linear = Linear::<A> {
            pull,
            test: [[stick, none, none], [none, stick, none], [none, none, stick]],
            compliance: [[alone[0], none, none], [none, alone[1], none], [none, none, alone[2]]],
        };
        if modes.slide != [0.0; LANES] {
            self.slide::<A>(law, modes, &mut linear);
        }
        linear
    }

    /// Adds the equations of what slides.
    #[inline(always)]
    fn slide<A: Real>(&self, law: Law, modes: &Modes, linear: &mut Linear<A>) {
        let none = A::Quad::splat(0.0);
        let slides = |k: usize| modes.slide[k] > 0.0;
        let scale = each(|k| if slides(k) { 1.0 / self.slip[k] } else { 0.0 });
        let radius = each(|k| self.friction[k] * self.normal[k]);
        let rough = |k: usize| slides(k) && radius[k] > 0.0;
        // Without friction there is no across: what is left of λₜ is undone.
        let across = each(|k| if rough(k) { 1.0 } else { 0.0 });
        let kappa = each(|k| {
            let share = if rough(k) { (self.slip[k] - radius[k]) / radius[k] } else { 1.0 };
            if share < LIMIT { share } else { LIMIT }
        });
        let (s, slide) = (A::Quad::pack(self.mobility), A::Quad::pack(modes.slide));
        let mu = A::Quad::pack(self.friction);
        let (scale, across, kappa) =
            (A::Quad::pack(scale), A::Quad::pack(across), A::Quad::pack(kappa));
        let (x, y) = (A::Quad::pack(self.z[1]) * scale, A::Quad::pack(self.z[2]) * scale);
        let lift = if law == Law::Convex { mu } else { none };
        let kappa = kappa * s;
        let [proximal, first, second] = &self.proximal;
        let weaker = each(|k| larger(first[k], second[k]));
        let (proximal, stiff) =
            (A::Quad::pack(*proximal) * slide, kappa + A::Quad::pack(weaker) * slide);
        let along = s * slide;
        let (lambda, w) = (load::<A>(&self.lambda), load::<A>(&self.w));
        let Linear { pull, test, compliance } = linear;
        let add = |to: &mut A::Quad, x: A::Quad| *to = *to + x;
        add(&mut test[0][0], slide);
        add(&mut test[0][1], lift * x);
        add(&mut test[0][2], lift * y);
        add(&mut test[1][1], none - across * y);
        add(&mut test[1][2], across * x);
        add(&mut compliance[0][0], proximal);
        add(&mut compliance[1][1], none - stiff * y);
        add(&mut compliance[1][2], stiff * x);
        add(&mut compliance[2][0], none - along * mu);
        add(&mut compliance[2][1], along * x);
        add(&mut compliance[2][2], along * y);
        let slip = x.mul_add(w[1], y * w[2]);
        let turned = x.mul_add(w[2], none - y * w[1]);
        let bent = x.mul_add(lambda[2], none - y * lambda[1]);
        let held = x.mul_add(lambda[1], y * lambda[2]);
        add(&mut pull[0], none - slide * lift.mul_add(slip, w[0]));
        add(&mut pull[1], none - across.mul_add(turned, kappa * bent));
        add(&mut pull[2], along * (mu * lambda[0] - held));
    }
}
