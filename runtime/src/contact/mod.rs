//! One step of time stepping with contact, friction, limits and motors.
//!
//! > M(q) (v⁺ − ṽ) = h (f − b(q, v)) + Gᵀ Λ
//!
//! ṽ is v, but for the linear velocity u of a floating joint, which is u + h ω × u: v⁺ is in the
//! axes that the joint's child has at the beginning of the step, so that free flight is straight.
//!
//! f is the applied generalised force, b = C v − τ_g the bias force and G holds one row for each
//! impulse of Λ. With w = G v⁺ − target + σ Λ:
//!
//! - a **unilateral** constraint, a contact, a joint's limit or a declared C(q) ≥ 0, has a gap φ and a row n:
//!   0 ≤ λ ⟂ w ≥ 0, where the [`Formulation`] says which target it demands, if any;
//! - points where declared [pairs](crate::Model::PAIRS) of solids touch, or shapes and a [`Ground`], are contacts too;
//! - **friction** of a contact acts along two more rows, its tangents, by the law of the formulation;
//! - **torsional friction** of a contact resists spinning about its normal, and **rolling resistance** turning about its tangents, under
//!   Coulomb's law;
//! - **motors** and **dry friction** of joints are rows with bounds, [`Motor`]; that of a ball joint is three rows in a ball,
//!   ‖Λ‖ ≤ h c, Λ = −h c ω⁺/‖ω⁺‖ where it turns, or in a zonotope where friction is by [polygons](Formulation);
//! - **dampers** of joints are h d beside M; dampers between points, and what is too stiff of springs for the step, are rows
//!   that give way. f has the forces of springs and dampers at the beginning, to which these add what changes until the end;
//! - a declared **constraint**: impulses of either sign along its rows H(q, v, t) such that rows of positions
//!   have no error at the end of the step, h(q⁺, t⁺) = 0, nor those of velocities, h_v(q, v⁺, t⁺) = 0; one that
//!   gives way, [`Softness`], is a spring and damper in both senses.
//!
//! | formulation | friction | problem and solver of rows | what rests and sticks | what slides |
//! |---|---|---|---|---|
//! | [`Coulomb`](Formulation::Coulomb), the default | round cone, maximum dissipation | second-order cones, semismooth Newton ([`cone`]) | exact | exact |
//! | [`StewartTrinkle`](Formulation::StewartTrinkle) | polygon, maximum dissipation | complementarity, Lemke ([`lcp`]) | exact | on the polygon |
//! | [`AnitescuPotra`] | polygon, maximum dissipation | complementarity, Lemke | exact, but within its margin | on the polygon |
//! | [`Anitescu`] | pyramid, relaxed | quadratic program, principal pivoting | exact | hovers, by h μ s at the speed s |
//! | [`Todorov`] | round cone or pyramid, regularised | convex, [`cone`] or principal pivoting | sinks and creeps | hovers, by 2 κ μ s within its margin |
//! | [`Frictionless`](Formulation::Frictionless) | none | quadratic program | | exact |
//! | [`Sticking`](Formulation::Sticking) | infinite | that of Coulomb's law with large coefficients, quadratic programs | exact | nothing, wherever that is possible; else friction of 100 Λ_n |
//!
//! A **margin** is the gap from which on a law acts at all: 0 of those that look at φ + h n v⁺, which see what closes in
//! a step from any distance. Their types state parameters with units, bounds and advice. Which demands what of a gap is
//! [`Normal`]'s for those that leave it open. Convex laws ([`Anitescu`], [`Todorov`]) always have a solution, a unique
//! v⁺, and no restitution by Poisson's law; torsional friction and rolling resistance are Coulomb's law's alone.
//! What hits springs back by Newton's law or by Poisson's, see [`Restitution`].
//! Everything below is an impulse in N s (or N m s) over the step; a force is that divided by h.
//!
//! # What overlaps
//!
//! Penetrations that a step's curved motion made, and no others, are put right by its velocities: these leave at most as
//! fast as they came, as by Newton's law with e up to 1. All that is deeper, as a start that overlaps, is displaced by the
//! smallest motion in the metric of M, and has no velocity of it: with h = 1 ms a body 1 mm deep is lifted by 1 mm in one
//! step, and rests. What is said to be a spring, [`Softness`] or [`Todorov`], pushes as one.
//!
//! Gaps are linear in a step. On ground of the curvature κ what slides at v is off it by up to h² κ v²/2 and keeps its energy to
//! the order of h; it leaves a crest where v² κ > g. Beyond an edge of the ground into which a point runs at an angle α it
//! is seen up to a step too late, and hops at up to v sin α, without gain.
//!
//! A step with several solutions, as Coulomb's law can have, is solved from the impulses of the last one; the same
//! calls give the same bits.
//!
//! # Energy
//!
//! Without input a step of hard rows takes energy and gives none, but for what springs and weight do: to rounding,
//!
//! > ½ v⁺ᵀ M v⁺ − ½ ṽᵀ M ṽ ≤ h v⁺ᵀ (f − b) + Σ λ φ⁻/h + Λᵀ H v⁺
//!
//! where f are springs at the beginning, all contacts have e = 0, and what bodies alone, and chains by the leapfrog, turn by is
//! part of b. φ⁻ is by how much gaps are negative at the beginning, as far as they came within a step: what is deeper is put
//! right by a displacement without a velocity, and with no more potential energy than lifting takes. Rows of constraints turn
//! in a step, so that its end satisfies them if H v⁺ is of the order h: so what goes round keeps its speed.
//!
//! Over a run T + U, with what springs store, rises by at most c h above its start, and half of that with half the step:
//!
//! | what moves | c, J/s | of scenes without loss, 1/s of the energy |
//! |---|---|---|
//! | a body alone, where nothing acts | 0 | 0 |
//! | a body alone, or where M is constant, under weight and springs that steps resolve | half the range of their power | link on a hinge 5.3, slides on springs of 100 N/m 3.6, body on a tether 3.0 |
//! | the same with declared constraints | the same | pendulums of rods 1.6, round bodies on a rod and a ball joint 2.5 |
//! | dampers, dry friction, ends and ground beside | no more than without | 0, where no springs are |
//! | chains, and what rigid constraints of positions tie, by the [leapfrog](Conditions::symplectic) | half the range of the power of weight and springs, without trend: 300 random mechanisms for 10 s | double pendulum 4.8 |
//! | the same without it, if it is not round | grows with time, by about h v² of the fastest coordinate, or the stated [drift](Conditions::energy_drift) | double pendulum 106 and flat bodies on a rod and a ball joint 58, after a second |
//! | what comes so near a singular position that its rows turn by much in a step | of higher order in h | loop of five joints 13 at 10 ms, less than its springs give at 1 ms |
//!
//! # Source
//!
//! Stewart, Trinkle: An Implicit Time-Stepping Scheme for Rigid Body Dynamics with Inelastic
//! Collisions and Coulomb Friction, IJNME 39 (1996). Anitescu, Potra: Formulating Dynamic
//! Multi-Rigid-Body Contact Problems with Friction as Solvable Linear Complementarity Problems,
//! Nonlinear Dynamics 14 (1997). The formulations' own files for the others.

mod advance;
mod anitescu;
mod anitescu_potra;
mod arrange;
mod beginning;
mod bilateral;
mod candidate;
mod chains;
mod check;
mod conditions;
mod coordinates;
mod correction;
#[cfg(feature = "std")]
mod coupled;
mod declared;
mod driven;
mod dynamics;
mod formulation;
mod free_bodies;
mod ground;
mod implicit;
mod impulse;
mod least_norm;
mod limit;
mod motor;
mod newton;
mod overlap;
mod pairs;
mod parameter;
mod passive;
mod problem;
mod pyramid;
mod raised;
mod residual;
mod rest;
mod restitution;
mod rounding;
mod rows;
mod softness;
mod solid_motion;
mod solver;
mod solvers;
mod springs;
mod star;
mod stepper;
mod stewart_trinkle;
mod sticking;
mod todorov;
mod together;
mod touching;
mod turning;
mod typed;
mod undetermined;
mod yielding;

pub use anitescu::Anitescu;
pub use anitescu_potra::AnitescuPotra;
pub(crate) use chains::LITTLE;
pub use conditions::Conditions;
pub use formulation::{Approach, Demand, Formulation, Normal};
pub use ground::Ground;
pub use impulse::{Impulse, direction};
pub use least_norm::least_norm;
pub(crate) use least_norm::least_norm_by;
pub use motor::Motor;
pub use parameter::Range;
pub(crate) use parameter::check as check_parameter;
pub use residual::{Residual, Transition, residual};
pub use restitution::Restitution;
pub use softness::Softness;
pub use solver::Solver;
pub(crate) use stepper::Core;
pub use stepper::Outcome;
pub(crate) use stepper::TOLERANCE;
pub use todorov::{Cone, Todorov};
pub use touching::{PairImpulse, Touching};
pub use typed::Stepper;

// An impact is a step's problem without finite forces.
#[cfg(feature = "std")]
pub(crate) use coupled::{Between, Contacts, Coupled, Failure, Part, ROWS, Side, Solution, Why};
pub(crate) use declared::Declared;
pub(crate) use limit::{Dry, Spans, dry_friction, motor_place};
pub(crate) use motor::Row as MotorRow;
pub(crate) use overlap::separate;
pub(crate) use pairs::Pairs;
pub(crate) use problem::Problem;
pub(crate) use residual::{Contact, Line, Motion, Sum, Turn, lines};
pub(crate) use rounding::{Hidden, allowed};
#[cfg(feature = "std")]
pub(crate) use solid_motion::SolidMotion;
pub(crate) use solvers::Solvers;
pub(crate) use turning::Turning;

use alloc::format;
use alloc::string::String;

use crate::cone;
use crate::digits::{figure, given};
use crate::geometry;
use crate::kkt;
use crate::lcp;

/// Why a step has no impulses to return.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The mass matrix is not positive definite, or not finite.
    #[error("the mass matrix is not positive definite")]
    MassMatrix,
    /// The gap of a contact is NaN: nobody knows whether it is open.
    #[error("the gap of contact {contact} is NaN")]
    Gap {
        /// Its place among the contacts.
        contact: usize,
    },
    /// A shape is no solid.
    #[error("shape `{shape}`: {error}")]
    Shape {
        /// Its name.
        shape: &'static str,
        /// Why.
        error: geometry::Error,
    },
    /// Ground is given to a robot without shapes, whose contacts touch the ground of its description.
    #[error(
        "nothing of the robot would touch this ground: expected `shape` in its description, which touches the grounds \
         that a simulation is given; `contact` touches the `ground` of the description alone"
    )]
    NoShape,
    /// A shape is nowhere: its pose is not finite.
    #[error("the pose of shape `{shape}` is not finite")]
    Pose {
        /// Its name.
        shape: &'static str,
    },
    /// Two shapes cannot be compared.
    #[error("pair `{pair}`: {error}")]
    Pair {
        /// Its name.
        pair: &'static str,
        /// Why.
        error: geometry::Error,
    },
    /// A declared constraint does not hold at the beginning of a step, further than a step may be wrong.
    #[error("constraint `{constraint}` is violated by {} m or rad", figure(*error))]
    Violated {
        /// Its name.
        constraint: &'static str,
        /// The largest |h| of its rows by the length of the longest one, ‖Hᵢ‖: how far coordinates have to
        /// move at least, m or rad.
        error: f64,
    },
    /// The declared constraints admit no solution of theirs.
    #[error("the bilateral constraints: {0}")]
    Bilateral(kkt::Error),
    /// Impulses are given that are not those of this robot.
    #[error(
        "the impulses have other numbers of entries than the robot: expected those of a step of its own"
    )]
    Impulse,
    /// The complementarity problem has no solution, or none was found.
    #[error("the problem of contacts, limits, friction and motors: {0}")]
    Complementarity(#[from] lcp::Error),
    /// The problem of friction cones has no solution, or none was found.
    #[error("the problem of contacts, limits, friction and motors: {0}")]
    Cone(#[from] cone::Error),
    /// With infinite friction contacts jam: none of the choices that were tried lets each stick, slide in the limit of
    /// large coefficients or with less friction, or open.
    #[error(
        "contacts with infinite friction jam: they neither stick, nor slide in the limit, nor open in {tried} attempts"
    )]
    Jammed {
        /// How many choices were tried.
        tried: usize,
    },
    /// Polygons of friction have more directions, all together, than there is room for.
    #[error(
        "polygons of friction make {variables} variables, expected at most {most}: state fewer `directions`, or use \
         `Formulation::coulomb()`, which has none"
    )]
    TooLarge {
        /// How many it has.
        variables: usize,
        /// How many it may have.
        most: usize,
    },
    /// Robots that push each other have more rows than methods with a matrix of rows have room for, and Newton's method, which needs none,
    /// found no solution, or does not know what resists turning and bilateral constraints.
    #[error(
        "a problem of {rows} rows was not solved: Newton's method for velocities found nothing, or does not suit what resists turning \
         and bilateral constraints, and other methods take no more than {most} rows: take shorter steps, or a convex law"
    )]
    Unsolved {
        /// How many rows it has.
        rows: usize,
        /// How many it may have.
        most: usize,
    },
    /// A formulation has no law for what was asked of it.
    #[error("{formulation} has no {what}{}", as_of(*by))]
    NotOffered {
        /// Its name.
        formulation: &'static str,
        /// What it lacks.
        what: &'static str,
        /// The contact or pair that has it, if one has.
        by: Option<&'static str>,
    },
    /// The time constant of Todorov's form is too short for the step: what penetrates would be thrown out ever faster.
    #[error(
        "the time constant of Todorov's form is {} s, expected more than {least} s for a step so long", given(*value))]
    TimeConstant {
        /// κ, s.
        value: f64,
        /// What it must be above, s.
        least: f64,
    },
    /// In a step of this length a chain of bodies turns too far for the [leapfrog](Conditions::symplectic) to follow: by about
    /// half a radian, or less where bodies turn about axes of little inertia: slender rods on ball joints by 0.03 rad. Or a body alone
    /// turns too far: by some thousand radians, or by about one if it has a damper or touches something. `most` holds for the state
    /// where the step began. [`Variational`](crate::Variational) often follows chains in longer steps.
    #[error(
        "a step of {step_size} s is too long for how fast the robot turns: expected at most {} s here; `Variational` may take \
         longer ones, and `symplectic(false)` makes chains gain energy",
        figure(*most)
    )]
    TooLong {
        /// h, s.
        step_size: f64,
        /// One that would do, s.
        most: f64,
    },
    /// A parameter of a formulation, a motor or a soft row lies outside its range.
    #[error("{parameter} is {}, expected {expected}", given(*value))]
    Parameter {
        /// Which.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        expected: Range,
    },
}

/// Who has what is not offered.
pub(crate) fn as_of(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(", as `{name}` has"))
}
