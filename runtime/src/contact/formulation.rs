//! The laws of contact, side by side.
//!
//! A formulation says three things of a step: what velocity a unilateral constraint demands ([`Demand`]), whether no
//! impulse at all is an answer, and which problem the impulses solve. Newton's law of impact is the same for all:
//! where a constraint closes and e > 0, n v⁺ ≥ −e n v is demanded as well; [`Restitution`](super::Restitution) has
//! Poisson's too. A constraint closes in a step if its velocity at the beginning takes it to φ + h n v ≤ 0 with n v <
//! 0: gravity's part of a step throws nothing up. Restitution is of the normal row alone. Todorov's form, in which
//! contacts rest at a depth, says itself what springs back.

use super::Error;
use super::anitescu::Anitescu;
use super::anitescu_potra::AnitescuPotra;
use super::demand::{Approach, Demand};
use super::stewart_trinkle;
use super::todorov::{Cone, Todorov};
use crate::cone::{Coefficients, Law};
use crate::slices::sqrt;

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

/// What a unilateral constraint demands along its normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Normal {
    /// No gap is negative at the end of the step, as Stewart and Trinkle have it.
    #[default]
    Gap,
    /// What touches does not approach, as Anitescu and Potra have it.
    Velocity(AnitescuPotra),
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

impl Normal {
    /// As [`Formulation::margin`].
    #[inline]
    fn margin(&self) -> f64 {
        match self {
            Self::Gap => 0.0,
            Self::Velocity(law) => law.margin,
        }
    }

    /// The least n v⁺.
    #[inline]
    fn least_velocity(&self, gap: f64, step_size: f64) -> f64 {
        match self {
            Self::Gap => stewart_trinkle::rate_to_close(gap, step_size),
            Self::Velocity(law) => law.least_velocity(gap, step_size),
        }
    }
}

impl Formulation {
    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::StewartTrinkle => "Stewart and Trinkle's formulation",
            Self::AnitescuPotra(_) => "Anitescu and Potra's formulation",
            Self::Anitescu(_) => "Anitescu's relaxation",
            Self::Todorov(_) => "Todorov's form",
            Self::Coulomb(_) => "Coulomb's law",
            Self::Frictionless(_) => "contact without friction",
            Self::Sticking(_) => "contact with infinite friction",
        }
    }

    /// # Errors
    ///
    /// [`Error::TimeConstant`] of one that is too short for steps of `h` seconds.
    #[inline]
    pub(super) fn check(&self, h: f64) -> Result<(), Error> {
        match self {
            Self::Todorov(law) => law.check(h),
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => Ok(()),
            Self::Coulomb(_) | Self::Frictionless(_) | Self::Sticking(_) => Ok(()),
        }
    }

    /// What a constraint demands, or `None` where it is not active.
    ///
    /// # Source
    ///
    /// The headers of the formulations' files, and Newton's law.
    #[inline]
    pub fn demand(&self, approach: &Approach) -> Option<Demand> {
        let Approach { gap, velocity, restitution, step_size } = *approach;
        let normal = Demand::of_normal;
        let mut demand = match self {
            Self::StewartTrinkle => normal(stewart_trinkle::rate_to_close(gap, step_size)),
            Self::AnitescuPotra(law) => normal(law.least_velocity(gap, step_size)),
            Self::Anitescu(law) => law.demand(approach),
            Self::Todorov(law) => return law.demand(approach),
            Self::Coulomb(law) | Self::Frictionless(law) | Self::Sticking(law) => {
                normal(law.least_velocity(gap, step_size))
            }
        };
        let rebound = -restitution * velocity[0];
        if restitution > 0.0 && approach.closes() && rebound > demand.target[0] {
            // An impact is rigid along the tangents too: what would let slip be kept there would feed it.
            demand.target = [rebound, 0.0, 0.0];
        }
        Some(demand)
    }

    /// The law on the round cone that it is, if it is one; its solver takes factors of A, and stars.
    #[inline]
    pub(super) fn law(&self) -> Option<Law> {
        match self {
            Self::Coulomb(_) => Some(Law::Coulomb),
            Self::Todorov(law) => (law.cone == Cone::Round).then_some(Law::Convex),
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => None,
            Self::Frictionless(_) | Self::Sticking(_) => None,
        }
    }

    /// The law of contacts side by side, and whether their friction is by polygons, or there is none.
    #[inline]
    pub(super) fn law_side_by_side(&self) -> (Law, bool) {
        match self {
            Self::Coulomb(_) | Self::Sticking(_) => (Law::Coulomb, false),
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Frictionless(_) => {
                (Law::Coulomb, true)
            }
            Self::Anitescu(_) => (Law::Convex, true),
            Self::Todorov(law) => (Law::Convex, law.cone != Cone::Round),
        }
    }

    /// Whether it can have other solutions than one that was found, as [`rest`](super::rest) has it.
    #[inline]
    pub(super) fn asks_for_rest(&self, all_slide: impl Fn() -> bool) -> bool {
        match self {
            Self::Coulomb(_) | Self::Sticking(_) => !all_slide(),
            Self::StewartTrinkle | Self::AnitescuPotra(_) => true,
            // There is no other solution.
            Self::Anitescu(_) | Self::Todorov(_) | Self::Frictionless(_) => false,
        }
    }

    /// Whether there is a convex law with the same cones, which tells of such a solution.
    #[inline]
    pub(super) fn has_convex_law(&self) -> bool {
        match self {
            Self::Sticking(_) => false,
            Self::Coulomb(_) | Self::StewartTrinkle | Self::AnitescuPotra(_) => true,
            Self::Anitescu(_) | Self::Todorov(_) | Self::Frictionless(_) => true,
        }
    }

    /// Whether dry friction of ball joints is by the ball itself, and not by a zonotope about it.
    #[inline]
    pub(super) fn is_round(&self) -> bool {
        match self {
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => false,
            Self::Todorov(law) => law.cone == Cone::Round,
            Self::Coulomb(_) | Self::Frictionless(_) | Self::Sticking(_) => true,
        }
    }

    /// The coefficient of friction that it makes of μ.
    #[inline]
    pub(super) fn friction(&self, friction: f64) -> f64 {
        match self {
            Self::Frictionless(_) => 0.0,
            Self::Sticking(_) => f64::INFINITY,
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => friction,
            Self::Todorov(_) | Self::Coulomb(_) => friction,
        }
    }

    /// What it makes of the coefficient ν of torsional friction, or of ϱ, that of rolling.
    #[inline]
    pub(super) fn lever(&self, lever: f64) -> f64 {
        match self {
            Self::Coulomb(_) => lever,
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => 0.0,
            Self::Todorov(_) | Self::Frictionless(_) | Self::Sticking(_) => 0.0,
        }
    }

    /// What it makes of ν and ϱ, without friction.
    pub(super) fn turning(&self, levers: [f64; 2]) -> Coefficients {
        let [torsion, rolling] = levers.map(|lever| self.lever(lever));
        Coefficients { torsion, rolling, ..Coefficients::default() }
    }

    /// Whether it takes what resists spinning or rolling: by a law of it, or because it has no friction at all.
    #[inline]
    pub(crate) fn takes_levers(&self) -> bool {
        match self {
            Self::Coulomb(_) | Self::Frictionless(_) => true,
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => false,
            Self::Todorov(_) | Self::Sticking(_) => false,
        }
    }

    /// The gap from which on no constraint demands anything of what does not close it.
    #[inline]
    pub(super) fn margin(&self) -> f64 {
        match self {
            Self::StewartTrinkle => 0.0,
            Self::AnitescuPotra(law) => law.margin,
            Self::Anitescu(law) => law.margin,
            Self::Todorov(law) => law.margin,
            Self::Coulomb(law) | Self::Frictionless(law) | Self::Sticking(law) => law.margin(),
        }
    }

    /// The share of a depth that a step puts right.
    pub(super) fn stabilization(&self) -> f64 {
        match self {
            Self::AnitescuPotra(law)
            | Self::Coulomb(Normal::Velocity(law))
            | Self::Frictionless(Normal::Velocity(law))
            | Self::Sticking(Normal::Velocity(law)) => law.stabilization,
            Self::Coulomb(Normal::Gap)
            | Self::Frictionless(Normal::Gap)
            | Self::Sticking(Normal::Gap) => 1.0,
            Self::StewartTrinkle | Self::Anitescu(_) | Self::Todorov(_) => 1.0,
        }
    }

    /// Whether what penetrates is put right within one step, whatever its depth.
    pub(crate) fn recovers_at_once(&self) -> bool {
        match self {
            Self::StewartTrinkle | Self::Anitescu(_) => true,
            Self::AnitescuPotra(law) => law.recovers_at_once(),
            Self::Todorov(_) => false,
            Self::Coulomb(law) | Self::Frictionless(law) | Self::Sticking(law) => match law {
                Normal::Gap => true,
                Normal::Velocity(law) => law.recovers_at_once(),
            },
        }
    }

    /// Whether a constraint may have no impulse with this w, to a tolerance.
    #[inline]
    pub(super) fn is_open(&self, w: [f64; 3], friction: f64, tolerance: f64) -> bool {
        let lift = if self.is_convex() { friction * norm([w[1], w[2]]) } else { 0.0 };
        w[0] - lift >= -tolerance
    }

    /// Whether w without impulse is in the dual of the friction cone, and not only positive along the normal.
    #[inline]
    pub(super) fn is_convex(&self) -> bool {
        match self {
            Self::Anitescu(_) | Self::Todorov(_) => true,
            Self::StewartTrinkle | Self::AnitescuPotra(_) => false,
            Self::Coulomb(_) | Self::Frictionless(_) | Self::Sticking(_) => false,
        }
    }

    /// Whether its regularisation is in proportion to A.
    #[inline]
    pub(super) fn is_relative(&self) -> bool {
        match self {
            Self::Todorov(law) => law.regularization > 0.0,
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => false,
            Self::Coulomb(_) | Self::Frictionless(_) | Self::Sticking(_) => false,
        }
    }

    /// Inertia in kg or kg m² and damping in N s/m or N m s/rad that the formulation adds to each coordinate.
    #[inline]
    pub(super) fn implicit(&self) -> [f64; 2] {
        match self {
            Self::Todorov(law) => [law.inertia, law.damping],
            Self::StewartTrinkle | Self::AnitescuPotra(_) | Self::Anitescu(_) => [0.0; 2],
            Self::Coulomb(_) | Self::Frictionless(_) | Self::Sticking(_) => [0.0; 2],
        }
    }
}

/// ‖x‖₂.
#[inline]
pub(super) fn norm(x: [f64; 2]) -> f64 {
    sqrt(x[0] * x[0] + x[1] * x[1])
}
