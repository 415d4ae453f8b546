//! Robot dynamics from a declarative description.
//!
//! Annotate a struct with [`macro@Robot`]; its equations of motion are derived symbolically while the
//! crate compiles and become ordinary, specialised Rust:
//!
//! > M(q) v̇ + C(q, v) v = τ_g(q) + B u + Jᵀ f,  q̇ = N(q) v
//!
//! [`Model`] is what every described robot can do, [`Simulation`] moves it by time stepping, [`Variational`] by discrete
//! mechanics, [`CompliantSimulation`] on springs, [`HybridSimulation`](hybrid::contact) from event to event, [`SmoothSimulation`](integrate) to a tolerance where
//! nothing touches, and [`playback`] draws what it did. [`hybrid`] is motion with events, of robots and of equations of one's own.
//! [`batch`] evaluates it for many states at once, and
//! [`kernel::evaluate_with`] over any arithmetic, such as dual numbers.
//!
//! ```
//! use jourdain::prelude::*;
//! use nalgebra::{SVector, vector};
//!
//! /// Two links, a motor at the elbow.
//! #[derive(Robot, Clone, Copy, Debug)]
//! #[robot(
//!     gravity = [0, 0, -9.81],
//!     link(upper, mass = m1, com = [0, 0, -l1]),
//!     joint(shoulder, revolute(world -> upper), axis = [0, 1, 0]),
//!     link(lower, mass = m2, com = [0, 0, -l2]),
//!     joint(elbow, revolute(upper -> lower), at = [0, 0, -l1], axis = [0, 1, 0], actuated),
//! )]
//! pub struct Acrobot { pub m1: f64, pub m2: f64, pub l1: f64, pub l2: f64 }
//!
//! let robot = Acrobot { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.7 };
//! let (q, v) = (vector![0.3, -0.2], vector![0.0, 1.0]);
//! let tau = robot.inverse_dynamics(&q, &v, &vector![0.5, 0.0]);
//! let v_dot = robot.forward_dynamics(&q, &v, &tau);
//! assert!((v_dot - vector![0.5, 0.0]).norm() < 1e-12);
//!
//! let mut simulation = Simulation::new(robot)?.step_size(1e-3)?.state(q, v)?;
//! simulation.run(1.0, |state: &State<Acrobot>| SVector::<f64, 1>::new(-state.v[1]))?;
//! # Ok::<(), SimulationError>(())
//! ```
//!
//! # One word changes the mechanics
//!
//! All simulations begin with `new(robot)?.tolerance(…)?.state(q, v)?` and have `model`, `current`, `energy` (T + U, without
//! what springs store), `gaps`, `reset`, `run` and `run_recorded`. What else they have, where it has a meaning:
//!
//! | | [`Simulation`] | [`Variational`] | [`HybridSimulation`] | [`CompliantSimulation`] | [`SmoothSimulation`] |
//! |---|---|---|---|---|---|
//! | moves by | steps of velocities and impulses | steps of discrete mechanics | smooth motion between events | stiff motion between events | smooth motion |
//! | contacts | all | points, spheres | points, spheres | points, spheres, by springs | none act |
//! | constraints, joint limits, declared limits | hold | hold | hold | constraints hold, limits are springs | refused; do not act |
//! | dry friction of joints | yes | yes | refused | smoothed | does not act |
//! | `contact_forces` | mean of the last step | mean of the last step | at the end of a run | at the end of a run | |
//! | `motor_force` | mean of the last step | mean of the last step | | | |
//! | `passive_force`, `spring_forces` | mean of the last step | | | | |
//! | `step_size`, `time_step`, `step`, `impulse`, `contacts` | yes | yes | | | |
//! | `warm_start` | yes | none keeps any | | | |
//! | energy of chains without trend | where nothing can touch, and with `symplectic(true)`; `energy_drift` elsewhere | always | to the tolerance | to the tolerance | to the tolerance |
//! | `longest_step`, `most_steps`, `effort`, `tolerances` | | | yes | yes | yes |
//! | `tolerance` is of | a step's residual | a step's residual | errors of integration | errors of integration | errors of integration |
//! | `stiff` | | | yes | always | yes |
//! | restitution | `restitution`: Newton, Poisson, none | Newton | `impact_law`: also Stronge | by [springs](compliant::Spring) | |
//! | gains at the end of a step, [`Pd::implicit`](control::Pd::implicit) | yes; `step_with` | yes; `step_with` | as those of the state | the same | the same |
//! | events | | | `events`, `modes`, `impacts`, `guard`, `export` | `event_count` | |
//! | a start that penetrates | refused, or `recovery`; Todorov's form pushes | refused, or `recovery` | refused | presses | |
//! | samples of a [`Recording`] | ends of steps, from that of the first | the same | at its rate, from the beginning | the same | the same |
//! | error | [`SimulationError`] | [`SimulationError`] | [`HybridError`] | [`CompliantError`] | [`SmoothError`] |
//! | `run` returns | [`simulate::RunReport`] | [`variational::RunReport`] | | | |
//!
//! # Describing a robot
//!
//! A struct field of type `f64` or `f32` is a symbolic parameter: it can change at run time. Every
//! number may be a Rust expression of fields, literals, `sin`, `cos`, `sqrt`, `PI`, `TAU` and
//! `FRAC_PI_2`. A name is an identifier or a string literal; link and joint names live apart.
//!
//! | entry | keys |
//! |---|---|
//! | `gravity = [x, y, z]` | m/s², `[0, 0, -9.81]` if not given |
//! | `urdf = "path"` | `base = floating` or `fixed` (default), `mimic = follow` (default) or `ignore`, `warnings = show` (default) or `ignore`; entries of the names in the file change what it says, and say what joints are whose type is none of a file |
//! | `root = link` | describes the mechanism from another link: it takes the base's place, and the joints in between run backwards |
//! | `kernels(name, …)` | adds heavy kernels, see [`kernels`]: `inverse_dynamics_derivatives`, `forward_dynamics_derivatives`, `inverse_mass_matrix`, `mass_matrix_rate`, `centroidal`, `joint_jacobians`, `regressor`, `field_derivatives`, or `all` |
//! | `crate = path` | path of this crate, if it was renamed |
//! | `link(name, …)` | `mass`, `com`, `inertia` (3 or 6 numbers ixx, iyy, izz, ixy, ixz, iyz about the centre of mass, or `at_origin`), or a solid with `mass` or `density`: `sphere(radius = …)`, `box(size = […])`, `cylinder(radius = …, length = …)`, `capsule(radius = …, length = …)`; `rpy` or `quaternion` turn it; `massless` |
//! | `joint(name, family(parent -> child), …)` | `at`, `rpy` or `quaternion` place its frame in the parent; `axis` (`axes` of a universal joint), `pitch` (helical, m/rad); `limits`, `velocity`, `effort`, `damping`, `stiffness` and `rest`, `friction` (dry; of a spherical joint the bound of the whole moment, which acts against its angular velocity), `armature`, `gear` and `rotor_inertia`; `actuated` or `passive`; [`Pd`](control::Pd), [`Servos`](control::Servos) and what is [`Limited`](control::Limited) keep to `effort`, N or N m at the coordinate, which bounds neither other inputs nor [motors](contact::Motor); `mimic(joint, multiplier = …, offset = …)`, whose follower brings its dampers, springs, friction and armature along but no limits |
//! | `contact(name, on = link, …)` | what touches the ground, at `at`, turned by `rpy` or `quaternion`: a point if nothing is given, `sphere = radius`, or several points or spheres named `name_0`, `name_1`, …: `box = [x, y, z]` (whole edges; eight vertices, of which x alternates fastest, from `name_0` at −x, −y, −z to `name_7`), `capsule = [radius, length]` (its lower and its upper end on the z axis, `length` apart), `hull = [[x, y, z], …]` (its points); `friction`, `restitution`, `directions` η of a polyhedral friction cone, an even number from 4 to 1000 and 4 if not given, where a [formulation](contact::Formulation) has polygons, `torsion` and `rolling` in m, the coefficients of torsional friction and rolling resistance; `plane(normal = […], offset = …)` or `height = …` (as in `ground`), if it is not the `ground` that it touches |
//! | `ground(…)` | what contacts touch: `normal = [x, y, z], offset = …` (z = 0, if there is no such entry), or `height = …`, an expression of `x`, `y` and fields |
//! | `frame(name, on = link, …)` | `at`, `rpy` or `quaternion`; `held` if feet are often held there, which then is generated; becomes a constant of type [`FrameId`] |
//! | `actuator(name, joint = name, …)` | `coordinate`, `gear` |
//! | `closure(name, a = link @ frame, b = link @ frame, …)` | two frames move together: `axes = [x, y, z, rx, ry, rz]` or some of them, or six numbers for a spatial axis of its own (linear first); a frame is a link, `link @ [x, y, z]`, `link @ [x, y, z, roll, pitch, yaw]` or `link @ name` of a declared one. h is where the origin of b is, then how b is turned, seen from a's frame in its axes; λ is the force or moment on b along or about these, at b's origin, and its reverse acts on a |
//! | `rod`, `point_on_line`, `point_on_plane` | `a` and `b` as in a closure; `length`; `direction` and `normal` in the axes of `a`, which carries the line or the plane. A rod's λ pushes its ends apart |
//! | `coupling(name, joint = name, to = name, …)` | `multiplier`, `offset`: q = multiplier · q of the other + offset |
//! | `rolling(name, on = link, radius = …, …)` | a ball, or a disc about `axis`, with its centre `at` rolls on the `plane` without slip; `tangential`, where joints keep its height already |
//! | `drive(name, joint = name, rate = …)` | the rate of a joint as an expression of joints, fields and time `t`; several of one joint, of which one at a time [is made to hold](constrained::Constrained::set_active), must have rates that fields could make equal. The angle itself is not held to anything: for that, `constraint(name, h = joint - …)` |
//! | `constraint(name, h = …)`, `constraint(name, h_v = …)` | an expression of joints (`joint`, `joint[k]`), `t` and fields is zero; in `h_v` also of `rate(joint)` |
//! | every constraint | errors die out at the rate `alpha` in 1/s (Baumgarte's), or with `time_constant` = 1/alpha (both 0, not at all, if not given), in accelerations; a [`simulation`](simulate) closes them in each step, and one [by events](HybridSimulation) lets them die out at a rate of its own where none is given; rows have the prescribed `acceleration`, and after an impact `velocity_after` less `restitution` times the velocity before |
//! | `shape(name, on = link, …)` | a solid that touches what it is paired with, and [ground](Simulation::ground) that is laid at run time: `at`, `rpy` or `quaternion`, and one of `sphere`, `capsule`, `box`, `hull` as a contact has them, and `cylinder = [radius, length]` along its z axis; `friction`, `restitution` |
//! | `pair(a, b, …)` | two shapes or contacts touch each other: `friction` and `restitution` (√(ab) of both, if not given), `torsion` and `rolling` (none), `directions` (4). Pairs of spheres, or a sphere and a point, become contacts named `a_b`, after those with the ground; the others are [`Model::PAIRS`], whose points a simulation finds in each step |
//! | `collide(all)` | pairs of all solids, those of contacts among them, on links that no joint joins but a floating one, fixed links being one with what they are fixed to |
//! | `limit(name, c = …)` | an expression of joints and fields that never becomes negative, C(q) ≥ 0 |
//! | `spring(name, a = link @ [x, y, z], b = world @ [x, y, z], …)` | `stiffness`, `damping`, `rest` |
//!
//! | family | q | v |
//! |---|---|---|
//! | `revolute`, `continuous` | angle | rate |
//! | `prismatic` | displacement | rate |
//! | `helical` | angle, advancing by `pitch` | rate |
//! | `cylindrical` | angle, displacement | rates |
//! | `universal` | two angles | rates |
//! | `planar` | two displacements and an angle in the plane normal to `axis`: along the projection of x (of y, if the axis is within 26° of x), and along axis × that | rates |
//! | `spherical` | unit quaternion x y z w | angular velocity in the child's frame |
//! | `floating` | x y z, unit quaternion x y z w | linear, then angular velocity in the child's frame |
//! | `fixed` | none | none |
//!
//! Only declared contacts and pairs touch anything; links do not collide by themselves. An entry such as `damping`
//! or `limits` that is given once is that of every coordinate of its joint. The dynamics of a robot are
//! without springs and dampers; `passive_force` is theirs, and a simulation applies it.
//!
//! Of a URDF (1.0 to 1.2), links, inertials, joints, limits, dynamics, `mimic` and `constraint` are read; an
//! origin is turned by `rpy` or, where the file states version 1.1 or later, by `quat_xyzw`, of any length but
//! zero. A joint may also be `spherical`, and Drake's `drake:joint` a `ball`, `screw` or `universal`; of a type that
//! is unknown, an entry such as `joint(name, helical(parent -> child), pitch = …)` says what it is. The
//! parent `world` is the world, where no link has that name. `constraint` is
//! what pull request 264 of ros/urdfdom proposes for closed loops: a `revolute`, `prismatic`, `universal`
//! or `spherical` joint, or a `link`, at which the loop was cut, with `parent`, `parent_origin`,
//! `parent_axis`, `child`, `child_origin` and `child_axis`; it becomes a closure. A limit whose two ends are
//! equal states no range, an effort or velocity of zero no limit, nor does an infinite one; `friction` is dry
//! friction; every joint of one coordinate that follows no other gets an actuator, unless an entry says `passive`.
//!
//! A file need not be XML to the letter: prefixes need no declaration, and a lone `&`, `--` in a comment, blanks in front
//! of the declaration and a NUL at the end are passed over. Latin-1 and UTF-16 are read. Numbers are as C reads
//! them, with a decimal point.
//!
//! A build warns, as of a deprecated item, with line and column of the file: of elements and attributes
//! that are unknown, of inertias that no body has, of links that move with a mass but no inertia, of a mass matrix
//! that is singular at q = 0, of lower limits above upper ones (no limits then), of an effort or velocity of
//! zero, and of dampers and efforts that explicit steps of 1 ms do not resolve. `warnings = ignore`
//! silences these, as does `#[allow(deprecated)]` on the module around the struct.
//!
//! Coordinates stand in the order of the joints' declaration; those of a URDF in depth-first order of
//! the file. A name becomes an identifier by writing `_` for every character that is no ASCII letter,
//! digit or `_`, and putting `_` before a leading digit and behind a keyword.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;
extern crate self as jourdain;

pub mod arithmetic;
pub mod batch;
mod bound;
mod check;
mod clock;
pub mod compliant;
pub mod cone;
pub mod constrained;
pub mod contact;
pub mod control;
#[cfg(feature = "std")]
pub mod csv;
pub mod description;
mod digits;
mod ends;
pub mod error;
mod failure;
mod fours;
pub mod frame;
pub mod geometry;
pub mod hybrid;
pub mod identification;
pub mod impact;
pub mod integrate;
pub mod kernel;
pub mod kernels;
pub mod kkt;
pub mod lcp;
mod lu;
pub mod manifold;
pub mod maximal;
pub mod model;
mod nearest;
mod numbers;
#[cfg(feature = "std")]
pub mod playback;
#[cfg(feature = "std")]
mod pressing;
#[doc(hidden)]
pub mod product;
pub mod qp;

pub mod quantities;
pub mod record;
pub mod simulate;
mod slices;
pub mod space;
mod state;
mod unilateral;
pub mod variational;
pub mod watch;
#[cfg(feature = "std")]
pub mod world;

pub use compliant::{CompliantSimulation, Error as CompliantError};
pub use control::Controller;
pub use description::FrameId;
pub use error::ModelError;
pub use frame::{Pose, ReferenceFrame};
pub use hybrid::contact::{ContactError as HybridError, HybridSimulation};
pub use integrate::{Error as SmoothError, SmoothSimulation};
pub use jourdain_macros::Robot;
pub use model::{Model, Prepared};
pub use nalgebra;
pub use record::Recording;
pub use simulate::{ContactForce, Simulation, SimulationError, State};
pub use variational::Variational;
#[cfg(feature = "std")]
pub use world::{World, WorldError};

/// What a program that uses a robot needs in scope.
pub mod prelude {
    pub use crate::contact::{
        Anitescu, AnitescuPotra, Cone, Formulation, Ground, Motor, Normal, Restitution, Softness,
        Todorov, Touching,
    };
    pub use crate::control::{Controller, Limited, Pd, Servos};
    pub use crate::geometry::Grid;
    pub use crate::impact::Law as ImpactLaw;
    #[cfg(feature = "std")]
    pub use crate::playback::Scene;
    #[cfg(feature = "std")]
    pub use crate::world::{Body, World, WorldContact, WorldError};
    pub use crate::{
        CompliantError, CompliantSimulation, ContactForce, FrameId, HybridError, HybridSimulation,
        Model, ModelError, Pose, Recording, ReferenceFrame, Robot, Simulation, SimulationError,
        SmoothError, SmoothSimulation, State, Variational,
    };
}
