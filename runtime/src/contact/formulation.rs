//! The laws of contact, side by side.
//!
//! A formulation says three things of a step: what velocity a unilateral constraint demands ([`Demand`]), whether no
//! impulse at all is an answer, and which problem the impulses solve. Newton's law of impact is the same for all:
//! where a constraint closes and e > 0, n v⁺ ≥ −e n v is demanded as well; [`Restitution`](super::Restitution) has
//! Poisson's too. A constraint closes in a step if its velocity at the beginning takes it to φ + h n v ≤ 0 with n v <
//! 0: gravity's part of a step throws nothing up. Restitution is of the normal row alone. Todorov's form, in which
//! contacts rest at a depth, says itself what springs back.

use super::anitescu::Anitescu;
use super::anitescu_potra::AnitescuPotra;
use super::demand::{Approach, Demand};
use super::friction::FrictionLaw;
use super::normal::{AnyNormalLaw, Normal};
use super::todorov::{Cone, Todorov};

/// What contact is: the law of a step, with its parameters. [`coulomb`](Self::coulomb) is the default; the others by
/// default are [`stewart_trinkle`](Self::stewart_trinkle), [`anitescu_potra`](Self::anitescu_potra) and so on, and the
/// [module](super) compares them.
///
/// Where friction is by a polygon, that is the one whose corners are the η `directions` of a contact, inside of the
/// round cone: along a direction friction is up to μ times the normal force, halfway between two up to μ cos(π/η),
/// which is 71 % for η = 4 and 92 % for η = 8. Dry friction of ball joints, ‖τ‖ ≤ c in the direction of −ω, is by a
/// zonotope there, about that ball: c along the axes of the joint and the face and space diagonals of a cube along them, and
/// up to 9.4 % more in between.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Formulation {
    /// No gap is negative at the end of the step, φ + h n v⁺ ≥ 0, and friction by a polygon resists slip as much as it
    /// can: a linear complementarity problem, which Lemke's method solves.
    ///
    /// What is open closes exactly, and what penetrates is out after one step. Several solutions are
    /// possible: what friction can hold at rest stays at rest, and of those that move Lemke's method takes one.
    StewartTrinkle,
    /// What touches does not approach; friction by a polygon, as a linear complementarity problem.
    AnitescuPotra(AnitescuPotra),
    /// The convex relaxation by a polyhedral cone, a quadratic program.
    Anitescu(Anitescu),
    /// The regularised convex form.
    Todorov(Todorov),
    /// Coulomb's law with the round cone and maximum dissipation, without relaxation:
    ///
    /// > ‖Λ_t‖ ≤ μ Λ_n,  Λ_t = −μ Λ_n v_t⁺/‖v_t⁺‖ where it slides
    ///
    /// What sticks does not creep, what slides does not lift, and friction is the same in all directions. It has no
    /// parameter but [`Normal`]. Several solutions are possible: what friction can hold at rest stays at rest, and of those
    /// that move the one nearest to the last step's is looked for. The only formulation with torsional friction
    /// and rolling resistance.
    Coulomb(Normal),
    /// No friction: Gauss' principle of least constraint, a quadratic program. It has none of turning either,
    /// whatever a contact's coefficients are.
    Frictionless(Normal),
    /// Infinite friction: what presses sticks, whatever a contact's coefficient is; where contacts cannot all stick or open,
    /// some slide with a hundred times their normal force, or ten times or once where Coulomb's law has no solution so.
    Sticking(Normal),
}

impl Default for Formulation {
    /// Coulomb's law, no gap negative at the end of the step.
    #[inline]
    fn default() -> Self {
        Self::coulomb()
    }
}

/// Each formulation with its parameters as they are by default.
impl Formulation {
    /// Coulomb's law on the round cone; the default.
    #[inline]
    pub const fn coulomb() -> Self {
        Self::Coulomb(Normal::Gap)
    }

    /// Stewart and Trinkle's.
    #[inline]
    pub const fn stewart_trinkle() -> Self {
        Self::StewartTrinkle
    }

    /// Anitescu and Potra's: γ = 1, ε = 10 µm.
    #[inline]
    pub const fn anitescu_potra() -> Self {
        Self::AnitescuPotra(AnitescuPotra::DEFAULT)
    }

    /// Anitescu's relaxation: ε = 1 cm.
    #[inline]
    pub const fn anitescu() -> Self {
        Self::Anitescu(Anitescu::DEFAULT)
    }

    /// Todorov's form: ε = 10⁻³, κ = 20 ms, no margin, the round cone.
    #[inline]
    pub const fn todorov() -> Self {
        Self::Todorov(Todorov::DEFAULT)
    }

    /// No friction.
    #[inline]
    pub const fn frictionless() -> Self {
        Self::Frictionless(Normal::Gap)
    }

    /// Infinite friction.
    #[inline]
    pub const fn sticking() -> Self {
        Self::Sticking(Normal::Gap)
    }
}

impl Formulation {
    /// Its name, what it demands along normals, and its friction.
    #[inline(always)]
    fn parts(&self) -> (&'static str, AnyNormalLaw<'_>, FrictionLaw) {
        use AnyNormalLaw::Gap;
        use Cone::{Pyramid, Round};
        use FrictionLaw::{Convex, Dissipating, Frictionless, Infinite};
        match self {
            Self::StewartTrinkle => {
                ("Stewart and Trinkle's formulation", Gap, Dissipating(Pyramid))
            }
            Self::AnitescuPotra(law) => (
                "Anitescu and Potra's formulation",
                AnyNormalLaw::AnitescuPotra(law),
                Dissipating(Pyramid),
            ),
            Self::Anitescu(law) => {
                ("Anitescu's relaxation", AnyNormalLaw::Anitescu(law), Convex(Pyramid))
            }
            Self::Todorov(law) => ("Todorov's form", AnyNormalLaw::Todorov(law), Convex(law.cone)),
            Self::Coulomb(normal) => ("Coulomb's law", normal.law(), Dissipating(Round)),
            Self::Frictionless(normal) => ("contact without friction", normal.law(), Frictionless),
            Self::Sticking(normal) => ("contact with infinite friction", normal.law(), Infinite),
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        self.parts().0
    }

    /// What it demands along normals.
    #[inline(always)]
    pub(crate) fn normal(&self) -> AnyNormalLaw<'_> {
        self.parts().1
    }

    /// Its friction.
    #[inline(always)]
    pub(crate) fn friction(&self) -> FrictionLaw {
        self.parts().2
    }

    /// What a constraint demands, or `None` where it is not active, as beyond the margin of [`Todorov`]'s form. What
    /// [`is_apart`](Demand::is_apart) has no friction.
    ///
    /// # Source
    ///
    /// The headers of the formulations' files, and Newton's law.
    #[inline]
    pub fn demand(&self, approach: &Approach) -> Option<Demand> {
        self.normal().demand(approach)
    }
}
