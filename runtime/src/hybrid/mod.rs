//! Motion with events: smooth in each mode, with transitions where guards fall through zero.
//!
//! > ẋ = f(m, t, x) while g(m, t, x) > 0;  (m, x) → R(m, t, x) where a guard g falls through zero
//!
//! An [`Automaton`] says what flows and what jumps, [`Closures`] is one for few modes, and [`Hybrid`] moves it by the
//! steps of [`integrate`](crate::integrate).
//!
//! # Events
//!
//! A guard is located on the dense output of a step, to four units in the last place of the time: so it costs no
//! evaluation of the rates but the one with which the next step begins. The earliest guard fires first, and those within
//! four units of it fire together. Where a guard meets zero so flatly that rounding decides, the event says that it
//! [grazes](crate::integrate::CrossingKind).
//!
//! A guard is disarmed when it fires, and armed again when it is clearly positive: above Σ |∂g/∂xᵢ| (a + r |xᵢ|), by
//! which it changes at most if every coordinate and the time err by the tolerances a, absolute, and r, relative. The
//! run never moves a phase off a guard; an automaton may put right what is below the tolerance where a mode begins. A mode that begins where one of its guards is below zero by more than that is an
//! error.
//!
//! # Accumulations
//!
//! A guard that was disarmed and falls to the negative of that bound, without having been armed, is not resolved at this
//! tolerance. Mostly it ends one of Zeno's sequences, of which a point that bounces is the simplest; the time that the last
//! firings tend to is extrapolated, and the automaton is asked to [complete](Automaton::complete) the sequence from where it is
//! lost. Where it does not, and where guards fire too often without such an end, that is an error. Nothing that happened
//! before is lost.
//!
//! # Derivatives
//!
//! [`Saltation`] is the derivative of a transition, [`ReturnMap`] maps a phase to where it is after a guard has fired, takes
//! derivatives through all transitions on the way, and finds periodic motions by Newton's method, with their multipliers.
//!
//! ```
//! use jourdain::hybrid::{Closures, ReturnMap};
//! use jourdain::integrate::{Phase, Space, Tolerance};
//!
//! // A rimless wheel of eight spokes of one metre rolls down a slope of 0.08.
//! let (half, slope) = (std::f64::consts::FRAC_PI_8, 0.08);
//! let wheel = Closures::new().mode((), |at, v_dot, _| v_dot[0] = 9.81 * at.q[0].sin()).guard(
//!     (),
//!     "next spoke",
//!     move |at| slope + half - at.q[0],
//!     move |phase| {
//!         phase.q[0] -= 2.0 * half;
//!         phase.v[0] *= (2.0 * half).cos();
//!     },
//! );
//! let space = Space::flat(1, 0);
//! let guess = Phase { q: vec![slope - half], v: vec![1.0], ..Phase::neutral(&space) };
//! let mut map = ReturnMap::new(wheel, &space, (), 0, Tolerance::new(1e-13, 1e-13)?);
//! let cycle = map.cycle(&guess, 1e-12)?;
//! assert!((cycle.start.v[0] - 1.0954628396).abs() < 1e-10);
//! // Differences from it shrink by cos² 2α at every spoke.
//! assert!((cycle.period.eigenvalues()[0].re - 0.5).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Source
//!
//! Lygeros, Johansson, Simić, Zhang, Sastry: Dynamical properties of hybrid automata, IEEE Transactions on Automatic
//! Control 48 (2003); the rimless wheel from Tedrake: Underactuated Robotics, chapter on simple models of walking.

mod accumulation;
mod automaton;
mod closures;
pub mod contact;
mod cycle;
mod error;
mod flow;
mod history;
mod linear;
mod return_error;
mod return_map;
mod run;
mod saltation;
mod setup;
mod stretch;
mod tangent;
mod variation;
mod watch;

pub use accumulation::Accumulation;
pub use automaton::Automaton;
pub use closures::{Closures, ClosuresError};
pub use cycle::Cycle;
pub use error::{Error, Failure};
pub use history::{Cause, Event, Fired, History};
pub use linear::LinearError;
pub use return_error::{ReturnError, ReturnFailure};
pub use return_map::{LinearReturn, Return, ReturnMap};
pub use saltation::Saltation;
pub use setup::Hybrid;
pub use stretch::Stretch;

use watch::{Found, Watch};
