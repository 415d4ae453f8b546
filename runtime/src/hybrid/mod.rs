//! Motion with events: smooth in each mode, with transitions where guards fall through zero.
//!
//! > ẋ = f(m, t, x) while g(m, t, x) > 0;  (m, x) → R(m, t, x) where a guard g falls through zero
//!
//! An [`Automaton`] says what flows and what jumps; [`Hybrid`] moves it.

mod accumulation;
mod automaton;
mod closures;
pub mod contact;
mod cycle;
mod error;
mod flow;
mod history;
mod linear;
mod return_map;
mod run;
mod saltation;
mod setup;
mod stretch;
mod tangent;
mod watch;

pub use accumulation::Accumulation;
pub use automaton::Automaton;
pub use closures::{Closures, UnknownMode};
pub use cycle::Cycle;
pub use error::{Error, Failure};
pub use history::{Cause, Event, Fired, History};
pub use linear::LinearError;
pub use return_map::{Return, ReturnError, ReturnFailure, ReturnMap};
pub use saltation::Saltation;
pub use setup::Hybrid;
pub use stretch::Stretch;

use accumulation::Limit;
use watch::{Found, Watch};
