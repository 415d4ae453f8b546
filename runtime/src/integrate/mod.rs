//! Smooth motion: differential equations on the configuration manifold.
//!
//! > q̇ = N(q) v,  v̇ = a(t, q, v, z),  ż = g(t, q, v, z)
//!
//! z are further states, such as the deflection of bristles or an integral in a controller. A [`System`] is the
//! right-hand side, a [`Phase`] a point of its [`Space`]; [`Adaptive`] moves it on.
//!
//! # On the manifold
//!
//! About the configuration q₀ at which a step begins, q = q₀ ⊞ θ has local coordinates θ: differences for lines and the
//! positions of poses, a rotation vector for quaternions. In y = \[θ | v | z\] the problem is an ordinary differential
//! equation of a vector, so that a method of whatever kind has its full order, error estimate and dense output, and
//! quaternions are of unit length at every time (Munthe-Kaas). Positions of poses are differences in the world's axes,
//! and not part of an exponential of SE(3): they cost nothing, their errors are metres, and free flight is straight.
//!
//! # Methods
//!
//! | | order | evaluations a step | for |
//! |---|---|---|---|
//! | [`Adaptive::new`], by [`Dop853`] | 8 | 15, dense output of order 7 among them | motion that is not stiff |
//! | [`Adaptive::stiff`], by [`Rodas5P`] | 5 | 8, and derivatives; dense output of order 4 | stiff springs and dampers, compliant contact |
//! | [`RungeKutta4`] | 4 | 4 | steps of a given length |
//! | [`SemiImplicitEuler`] | 1 | 1 | what a time-stepping simulation does where nothing touches |
//!
//! [`SmoothSimulation`] runs and records a robot by either of the first two.
//!
//! # Adaptive steps
//!
//! A step is accepted if its error and that of its [`Dense`] output are within the [`Tolerance`] for every coordinate. The
//! latter is estimated by the last term of the output, which is its difference from the one of a degree less. The
//! estimate by embedded methods alone lets the output be wrong by tens of tolerances in one step of fifty, where it
//! passes through zero. Lengths of steps follow by proportional and integral
//! control.
//!
//! So an event is located without another evaluation: [`Dense::first_crossing`] finds where a guard first falls through
//! zero. After it, [`Adaptive::restart`] goes on from the phase that the event leads to, with whatever forces act then.
//!
//! ```
//! use jourdain::integrate::{Adaptive, At, Phase, Space, Tolerance};
//!
//! // A pendulum of one metre, released level.
//! let mut pendulum = |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| v_dot[0] = -9.81 * at.q[0].sin();
//! let space = Space::flat(1, 0);
//! let start = Phase { q: vec![-std::f64::consts::FRAC_PI_2], ..Phase::neutral(&space) };
//! let mut motion = Adaptive::new(&space, start, Tolerance::new(1e-11, 1e-11)?)?;
//! motion.run_to(&mut pendulum, 10.0, 10_000)?;
//! assert!((motion.phase().q[0].sin() + 0.275087462577).abs() < 1e-9);
//! # Ok::<(), jourdain::integrate::Error>(())
//! ```
//!
//! # Source
//!
//! Munthe-Kaas: High order Runge–Kutta methods on manifolds, Applied Numerical Mathematics 29 (1999); Hairer, Lubich,
//! Wanner: Geometric Numerical Integration (second edition, 2006), section IV.8; Hairer, Nørsett, Wanner: Solving
//! Ordinary Differential Equations I (second edition, 1993), sections II.4 to II.10; Hairer, Wanner: Solving Ordinary
//! Differential Equations II (second edition, 1996), sections IV.2 and IV.7; the pendulum's reference from the IFToMM
//! collection of benchmarks, simple pendulum.

mod adaptive;
mod control;
mod dense;
mod dop853;
mod error;
mod fixed;
mod local;
mod method;
mod robot;
mod rodas5p;
mod root;
mod smooth;
mod space;
mod system;
mod tolerance;

pub use adaptive::{Adaptive, Effort};
pub use dense::Dense;
pub use dop853::Dop853;
pub use error::Error;
pub use fixed::{RungeKutta4, SemiImplicitEuler};
pub use method::Method;
pub use robot::Driven;
pub use rodas5p::Rodas5P;
pub use root::{Crossing, CrossingKind, first_crossing};
pub use smooth::SmoothSimulation;
pub use space::{Phase, Space};
pub use system::{At, System};
pub use tolerance::Tolerance;

pub(crate) use error::positive;

use method::Step;
pub(crate) use root::{SAMPLES, ulp};
