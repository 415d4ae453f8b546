//! Laws of friction: what the impulses of a contact obey, whatever velocity is demanded along its normal.

use super::slip::norm;
use super::todorov::Cone;
use crate::cone::{Coefficients, Law};

/// A law of friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrictionLaw {
    /// Within the disc or the polygon of the size μ Λ_n, against slip as much as it can.
    Dissipating(Cone),
    /// The convex one, K ∋ Λ ⟂ w ∈ K*.
    Convex(Cone),
    /// None.
    Frictionless,
    /// As large as it takes to hold what presses.
    Infinite,
}

impl FrictionLaw {
    /// The law on the round cone that it is, if it is one; its solver takes factors of A, and stars.
    #[inline]
    pub(super) fn on_cone(self) -> Option<Law> {
        match self {
            Self::Dissipating(Cone::Round) => Some(Law::Coulomb),
            Self::Convex(Cone::Round) => Some(Law::Convex),
            Self::Dissipating(Cone::Pyramid) | Self::Convex(Cone::Pyramid) => None,
            Self::Frictionless | Self::Infinite => None,
        }
    }

    /// The law of contacts side by side, and whether their friction is by polygons, or there is none.
    #[inline]
    pub(super) fn side_by_side(self) -> (Law, bool) {
        match self {
            Self::Dissipating(cone) => (Law::Coulomb, cone == Cone::Pyramid),
            Self::Convex(cone) => (Law::Convex, cone == Cone::Pyramid),
            Self::Frictionless => (Law::Coulomb, true),
            Self::Infinite => (Law::Coulomb, false),
        }
    }

    /// Whether it can have other solutions than one that was found, as [`rest`](super::rest) has it.
    #[inline]
    pub(super) fn asks_for_rest(self, all_slide: impl Fn() -> bool) -> bool {
        match self {
            Self::Dissipating(Cone::Round) | Self::Infinite => !all_slide(),
            Self::Dissipating(Cone::Pyramid) => true,
            // There is no other solution.
            Self::Convex(_) | Self::Frictionless => false,
        }
    }

    /// Whether there is a convex law with the same cones, which tells of such a solution.
    #[inline]
    pub(super) fn has_convex(self) -> bool {
        match self {
            Self::Infinite => false,
            Self::Dissipating(_) | Self::Convex(_) | Self::Frictionless => true,
        }
    }

    /// Whether that is another law than this one.
    #[inline]
    pub(super) fn has_another_convex(self) -> bool {
        match self {
            Self::Dissipating(_) => true,
            Self::Convex(_) | Self::Frictionless | Self::Infinite => false,
        }
    }

    /// Whether dry friction of ball joints is by the ball itself, and not by a zonotope about it.
    #[inline]
    pub(super) fn is_round(self) -> bool {
        match self {
            Self::Dissipating(cone) | Self::Convex(cone) => cone == Cone::Round,
            Self::Frictionless | Self::Infinite => true,
        }
    }

    /// Whether w without impulse is in the dual of the friction cone, and not only positive along the normal.
    #[inline]
    pub(super) fn is_convex(self) -> bool {
        matches!(self, Self::Convex(_))
    }

    /// Whether a contact may have no impulse with this w, to a tolerance.
    #[inline]
    pub(super) fn is_open(self, w: [f64; 3], friction: f64, tolerance: f64) -> bool {
        let lift = if self.is_convex() { friction * norm([w[1], w[2]]) } else { 0.0 };
        w[0] - lift >= -tolerance
    }

    /// The coefficient of friction that it makes of μ.
    #[inline]
    pub(super) fn coefficient(self, friction: f64) -> f64 {
        match self {
            Self::Frictionless => 0.0,
            Self::Infinite => f64::INFINITY,
            Self::Dissipating(_) | Self::Convex(_) => friction,
        }
    }

    /// What it makes of the coefficient ν of torsional friction, or of ϱ, that of rolling.
    #[inline]
    pub(super) fn lever(self, lever: f64) -> f64 {
        match self {
            Self::Dissipating(Cone::Round) => lever,
            Self::Dissipating(Cone::Pyramid)
            | Self::Convex(_)
            | Self::Frictionless
            | Self::Infinite => 0.0,
        }
    }

    /// What it makes of ν and ϱ, without friction.
    pub(super) fn turning(self, levers: [f64; 2]) -> Coefficients {
        let [torsion, rolling] = levers.map(|lever| self.lever(lever));
        Coefficients { torsion, rolling, ..Coefficients::default() }
    }

    /// Whether it takes what resists spinning or rolling: by a law of it, or because it has no friction at all.
    #[inline]
    pub(crate) fn takes_levers(self) -> bool {
        match self {
            Self::Dissipating(Cone::Round) | Self::Frictionless => true,
            Self::Dissipating(Cone::Pyramid) | Self::Convex(_) | Self::Infinite => false,
        }
    }
}
