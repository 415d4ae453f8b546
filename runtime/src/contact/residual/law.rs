//! How well the impulse of a contact and what it leads to satisfy a law.
//!
//! - normal: min(λ, w_n);
//! - a friction with maximum dissipation over a set C, disc or polygon of the size μ λ: p − P_C(p − w_t), P the
//!   projection, zero exactly where −w_t is in the normal cone of C at p;
//! - torsional friction: p − mid(−ν λ, p − ω_n, ν λ), and rolling: p − P(p − ω_t), P onto the disc of the radius ϱ λ;
//! - the convex forms, K ∋ Λ ⟂ w ∈ K*: what Λ lacks to be in K, what w lacks to be in K*, and Λᵀ w by the
//!   larger of both.

use super::super::sum::{Sum, relative};
use super::ball::ball;
use super::bounded::bounded;
use super::ends::Ends;
use super::polygon::{gauge, onto_polygon, support};
use crate::arithmetic::{Array, Lanes, Plain};
use crate::cone::Coefficients;
use crate::contact::friction::FrictionLaw;
use crate::contact::slip::norm;
use crate::contact::{Cone, Formulation, Normal, sticking};
use crate::lcp::natural;
use crate::slices::{larger, largest, worse};

/// What moves no more than this is held, whatever else it might be.
const ROUNDING: f64 = 1e-14;

/// A number of one contact.
type Alone = Array<Plain, 1>;

/// A contact at the end of a step.
pub(crate) struct Contact {
    /// Along normal and tangents, in the phase of the step that friction is one of.
    pub(crate) impulse: [f64; 3],
    /// The least normal impulse.
    pub(crate) floor: f64,
    /// J v⁺ − target + σ Λ.
    pub(crate) w: [Sum; 3],
    pub(crate) friction: f64,
    pub(crate) directions: usize,
    /// The strongest normal impulse of the step.
    pub(crate) strongest: f64,
}

/// How a contact turns at the end of a step.
pub(crate) struct Turn {
    /// About the normal and the tangents, in the phase of the step that friction is one of.
    pub(crate) impulse: [f64; 3],
    /// ω.
    pub(crate) w: [Sum; 3],
}

impl Turn {
    /// Of what is pressed by a normal impulse, which is not negative in a solution.
    pub(crate) fn residual(&self, pressed: f64, of: Coefficients) -> f64 {
        let Self { impulse: [torsion, x, y], w: [spin, p, q] } = *self;
        let [bound, radius] = [of.torsion, of.rolling].map(|lever| lever * pressed.max(0.0));
        let spinning = bounded(torsion, spin.relative(), [-bound, bound]);
        let round = Formulation::Coulomb(Normal::Gap);
        worse(spinning, ball([x, y, 0.0], [p, q, Sum::default()], radius, &round))
    }
}

impl Contact {
    /// Along the normal, and of friction.
    #[inline]
    pub(crate) fn residual(&self, formulation: &Formulation) -> [f64; 2] {
        let normal = natural(self.impulse[0] - self.floor, self.w[0].relative());
        match formulation.friction() {
            FrictionLaw::Dissipating(Cone::Pyramid) => [normal, self.dissipation(self.directions)],
            FrictionLaw::Dissipating(Cone::Round) | FrictionLaw::Frictionless => {
                self.side_by_side().coulomb(None)
            }
            FrictionLaw::Infinite => [normal, self.sticking()],
            FrictionLaw::Convex(Cone::Round) => self.side_by_side().convex(None),
            FrictionLaw::Convex(Cone::Pyramid) => self.within_polygon(),
        }
    }

    /// Alone.
    #[inline(always)]
    fn side_by_side(&self) -> Ends<Alone, 1> {
        Ends {
            impulse: self.impulse.map(Alone::splat),
            floor: Alone::splat(self.floor),
            w: self.w.map(|w| Alone::splat(w.value)),
            scale: self.w.map(|w| Alone::splat(w.scale)),
            friction: Alone::splat(self.friction),
            strongest: self.strongest,
        }
    }

    fn dissipation(&self, count: usize) -> f64 {
        let radius = larger(self.friction * self.impulse[0], 0.0);
        let (p, slip) = ([self.impulse[1], self.impulse[2]], self.relative_slip());
        let moved = [p[0] - slip[0], p[1] - slip[1]];
        let nearest = onto_polygon(moved, radius, count);
        // Scales below one do not matter, and the square of what is below one is so too.
        let square = p[0] * p[0] + p[1] * p[1];
        let length = if square > 1.0 { norm(p) } else { 1.0 };
        let scale = larger(self.friction * self.strongest, length);
        relative(worse((p[0] - nearest[0]).abs(), (p[1] - nearest[1]).abs()), scale)
    }

    /// What presses does not slip, or has friction against its slip that is as large as in the limit or where that jams;
    /// what does not press, or by rounding alone, is held entirely or has no friction.
    fn sticking(&self) -> f64 {
        let [normal, x, y] = self.impulse;
        let (friction, slip) = (norm([x, y]), self.relative_slip());
        // What its floor presses sticks while it parts.
        let apart = if self.floor > 0.0 { 0.0 } else { self.w[0].relative().abs() };
        let held = worse(norm(slip), apart);
        if held.is_nan() || friction.is_nan() || normal.is_nan() {
            return f64::NAN;
        }
        let open = larger(normal, friction);
        if normal <= 0.0 || friction == 0.0 || held <= ROUNDING {
            return held.min(open);
        }
        // As under Coulomb's law with the coefficient of the limit, or one of what jams with that.
        let moved = [x - slip[0], y - slip[1]];
        let slides = |coefficient: f64| {
            let kept = (coefficient * normal / norm(moved)).min(1.0);
            let scale = (coefficient * self.strongest).max(friction).max(1.0);
            norm([x - kept * moved[0], y - kept * moved[1]]) / scale
        };
        let [less, least] = sticking::JAMMED.map(slides);
        held.min(open).min(slides(sticking::LIMIT)).min(less).min(least)
    }

    /// By the convex law, with a polygon of friction.
    fn within_polygon(&self) -> [f64; 2] {
        let [n, p, q] = self.impulse;
        // All by one scale, since Λᵀ w is a sum.
        let common = self.w.iter().fold(0.0, |scale, w| worse(w.scale, scale));
        let w = self.w.map(|w| Sum { scale: common, ..w }.relative());
        let [_, x, y] = w;
        let scale = (self.friction * self.strongest).max(1.0);
        let count = self.directions;
        let outside = (gauge([p, q], count) - self.friction * n).max(-n).max(0.0) / scale;
        let missing = (self.friction * support([-x, -y], count) - w[0]).max(0.0);
        let sizes = [largest(&self.impulse), largest(&w)];
        let product: f64 = self.impulse.iter().zip(w).map(|(p, w)| p * w).sum();
        let product = product.abs() / sizes[0].max(sizes[1]).max(1.0);
        [worse(missing, product), outside]
    }

    /// w_t, by the larger of its parts.
    #[inline]
    fn relative_slip(&self) -> [f64; 2] {
        let scale = larger(self.w[1].scale, self.w[2].scale);
        [1, 2].map(|k| Sum { value: self.w[k].value, scale }.relative())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Anitescu, AnitescuPotra, Normal, Todorov};

    /// The larger residual of a contact with μ = 0.5, η = 4 and no floor, by an impulse and w.
    fn residual(formulation: Formulation, impulse: [f64; 3], w: [f64; 3]) -> f64 {
        let w = w.map(|value| Sum { value, scale: 0.0 });
        let friction = formulation.friction().coefficient(0.5);
        let contact = Contact { impulse, floor: 0.0, w, friction, directions: 4, strongest: 1.0 };
        let [normal, friction] = contact.residual(&formulation);
        worse(normal, friction)
    }

    /// What a law says of a contact: that it is one of its solutions, or that it is none.
    fn check(formulation: Formulation, cases: &[(bool, [f64; 3], [f64; 3])]) {
        for &(solves, impulse, w) in cases {
            let residual = residual(formulation, impulse, w);
            let is_right = if solves { residual < 1e-15 } else { residual > 1e-3 };
            assert!(is_right, "{formulation:?}: {impulse:?}, {w:?}: {residual:e}");
        }
    }

    const OPEN: (bool, [f64; 3], [f64; 3]) = (true, [0.0; 3], [0.2, 0.3, -0.4]);
    const STUCK: (bool, [f64; 3], [f64; 3]) = (true, [1.0, 0.1, 0.2], [0.0; 3]);
    const PULLED: (bool, [f64; 3], [f64; 3]) = (false, [-0.1, 0.0, 0.0], [0.0; 3]);
    const APPROACHING: (bool, [f64; 3], [f64; 3]) = (false, [0.0; 3], [-0.1, 0.0, 0.0]);
    const APART: (bool, [f64; 3], [f64; 3]) = (false, [1.0, 0.0, 0.0], [0.1, 0.0, 0.0]);
    const OUTSIDE: (bool, [f64; 3], [f64; 3]) = (false, [1.0, 0.6, 0.0], [0.0; 3]);
    const AGAINST_NOTHING: (bool, [f64; 3], [f64; 3]) = (false, [0.0, 0.3, 0.0], [0.2, 0.0, 0.0]);
    const ALL: [(bool, [f64; 3], [f64; 3]); 6] =
        [OPEN, STUCK, PULLED, APPROACHING, APART, AGAINST_NOTHING];

    #[test]
    fn friction_dissipates_as_much_as_it_can() {
        let round = [
            (true, [1.0, 0.3, 0.4], [0.0, -0.06, -0.08]),
            (false, [1.0, 0.3, 0.4], [0.0, 0.06, 0.08]),
            (false, [1.0, 0.3, 0.3], [0.0, -0.06, -0.06]),
        ];
        // All of an edge dissipates as much where the slip is across it.
        let on_edge = [
            (true, [1.0, 0.5, 0.0], [0.0, -0.1, 0.03]),
            (true, [1.0, 0.2, 0.3], [0.0, -0.1, -0.1]),
            (false, [1.0, 0.2, 0.3], [0.0, -0.1, 0.0]),
        ];
        let gap = Normal::Gap;
        for (law, slides) in [
            (Formulation::Coulomb(gap), round),
            (Formulation::StewartTrinkle, on_edge),
            (Formulation::AnitescuPotra(AnitescuPotra::default()), on_edge),
        ] {
            check(law, &ALL);
            check(law, &[OUTSIDE]);
            check(law, &slides);
        }
        let loose = [OPEN, PULLED, APPROACHING, APART, (true, [1.0, 0.0, 0.0], [0.0, 1.0, 2.0])];
        check(Formulation::Frictionless(gap), &loose);
    }

    /// With w_n = μ ‖w_t‖ what slides lifts; w of what is open is in the dual cone.
    #[test]
    fn relaxed_friction_lifts_what_slides() {
        let round = Formulation::Todorov(Todorov::default());
        let pyramid = Formulation::Anitescu(Anitescu::default());
        for law in [round, pyramid] {
            check(law, &[STUCK, PULLED, APPROACHING, APART, AGAINST_NOTHING, OUTSIDE]);
            check(law, &[(true, [0.0; 3], [0.4, 0.3, 0.4]), (false, [0.0; 3], [0.1, 0.3, -0.4])]);
        }
        let slides = ([1.0, 0.3, 0.4], [0.05, -0.06, -0.08]);
        check(round, &[(true, slides.0, slides.1), (false, slides.0, [0.0, -0.06, -0.08])]);
        check(pyramid, &[(true, [1.0, 0.5, 0.0], [0.05, -0.1, 0.03])]);
    }

    #[test]
    fn infinite_friction_holds_what_presses() {
        check(Formulation::Sticking(Normal::Gap), &ALL);
        let cases = [
            (true, [1.0, 7.0, -200.0], [0.0; 3]),
            (false, [1.0, 0.0, 0.0], [0.0, 0.1, 0.0]),
            // Held without being pressed, and in the limit.
            (true, [0.0, 3.0, 0.0], [0.0; 3]),
            (true, [0.01, 0.6, 0.8], [0.0, -0.3, -0.4]),
            (false, [0.01, 0.6, 0.8], [0.0, 0.3, 0.4]),
            (false, [0.02, 0.6, 0.8], [0.0, -0.3, -0.4]),
            // What hardly presses has no friction to speak of, and does not part.
            (false, [1e-18, 200.0, 0.0], [0.06, 0.0, 0.0]),
            (false, [0.0, 200.0, 0.0], [0.06, 0.0, 0.0]),
            (false, [1e-12, 1.0, 0.0], [0.0, -0.1, 0.0]),
            (true, [1e-16, 0.0, 0.0], [0.0, -0.1, 0.0]),
        ];
        check(Formulation::Sticking(Normal::Gap), &cases);
        let unknown = [[f64::NAN, 0.0, 0.0], [1.0, f64::NAN, 0.0], [0.0, 0.0, f64::NAN]];
        for impulse in unknown {
            let slipping = residual(Formulation::Sticking(Normal::Gap), impulse, [0.0, 1.0, 0.0]);
            assert!(slipping.is_nan(), "{impulse:?}");
        }
    }
}
