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
//! | [`Coulomb`](Formulation::Coulomb), the default | round cone, maximum dissipation | second-order cones, semismooth Newton ([`cone`](crate::cone)) | exact | exact |
//! | [`StewartTrinkle`](Formulation::StewartTrinkle) | polygon, maximum dissipation | complementarity, Lemke ([`lcp`](crate::lcp)) | exact | on the polygon |
//! | [`AnitescuPotra`] | polygon, maximum dissipation | complementarity, Lemke | exact, but within its margin | on the polygon |
//! | [`Anitescu`] | pyramid, relaxed | quadratic program, principal pivoting | exact | hovers, by h μ s at the speed s |
//! | [`Todorov`] | round cone or pyramid, regularised | convex, [`cone`](crate::cone) or principal pivoting | sinks and creeps | hovers, by 2 κ μ s within its margin |
//! | [`Frictionless`](Formulation::Frictionless) | none | quadratic program | | exact |
//! | [`Sticking`](Formulation::Sticking) | infinite | that of Coulomb's law with large coefficients, quadratic programs | exact | nothing, wherever that is possible; else friction of 100 Λ_n |
//!
//! A **margin** is the gap from which on a law acts on what does not close: 0 of those that look at φ + h n v⁺, which see what closes
//! in a step from any distance. [`Anitescu`] sees that too, but has no friction beyond its margin. Their types state parameters with
//! units, bounds and advice. Which demands what of a gap is [`Normal`]'s for those that leave it open. Convex laws ([`Anitescu`],
//! [`Todorov`]) have a unique v⁺, unless constraints or motors without bounds contradict each other. They have no restitution by
//! Poisson's law. Torsional friction and rolling resistance are Coulomb's law's alone.
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
//! calls give the same bits. A [`Simulation`](crate::Simulation) solves it once more without them if no solution within its tolerance is
//! found so.
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
mod compression;
mod conditions;
mod cone_solver;
mod coordinates;
mod correction;
#[cfg(feature = "std")]
mod coupled;
mod declared;
mod demand;
mod depth;
mod displacement;
mod driven;
mod dynamics;
mod error;
mod formulation;
mod free_bodies;
mod friction;
mod ground;
mod implicit;
mod impulse;
mod least_norm;
mod limit;
mod motor;
mod newton;
mod normal;
mod overlap;
mod pairs;
mod parameter;
mod passive;
mod phase;
mod poisson;
mod problem;
mod pyramid;
mod raised;
mod range;
mod residual;
mod rest;
mod restitution;
mod rounding;
mod rows;
mod slip;
mod softness;
mod solid_motion;
mod solver;
mod solvers;
mod springs;
mod star;
mod stepper;
mod stewart_trinkle;
mod sticking;
mod sum;
mod todorov;
mod together;
mod touching;
mod turning;
mod typed;
mod undetermined;
mod yielding;

pub use self::solver::Outcome;
pub(crate) use self::solver::TOLERANCE;
pub use anitescu::Anitescu;
pub use anitescu_potra::AnitescuPotra;
pub(crate) use chains::LITTLE;
pub use conditions::Conditions;
pub use demand::{Approach, Demand};
pub use error::Error;
pub(crate) use error::as_of;
pub use formulation::Formulation;
pub use ground::Ground;
pub use impulse::{Impulse, direction};
pub use least_norm::least_norm;
pub(crate) use least_norm::least_norm_by;
pub use motor::Motor;
pub use normal::Normal;
pub(crate) use parameter::check as check_parameter;
pub use range::Range;
pub use residual::{Residual, Transition, residual};
pub use restitution::Restitution;
pub use softness::Softness;
pub use solver::Solver;
pub(crate) use stepper::Core;
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
pub(crate) use residual::{Contact, Line, Motion, Turn, lines};
pub(crate) use rounding::{Hidden, allowed};
#[cfg(feature = "std")]
pub(crate) use solid_motion::SolidMotion;
pub(crate) use solvers::Solvers;
pub(crate) use sum::Sum;
pub(crate) use turning::Turning;
