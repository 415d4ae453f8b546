//! Why a hybrid motion does not go on.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::{Accumulation, Automaton};
use crate::digits::given;
use crate::integrate::{self, Phase};

/// Why a hybrid motion cannot begin or does not go on; M is a mode, E the reason of an impossible transition. What
/// happened before stays, in the [`History`](super::History) too.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error<M: Debug, E: core::error::Error + 'static> {
    /// The smooth motion of a mode does not go on, or a setting is not possible.
    #[error(transparent)]
    Motion(#[from] integrate::Error),
    /// What is declared is no automaton, has no such mode, or cannot begin in it where it was to.
    #[error("mode {name} cannot begin")]
    Declaration {
        /// The mode that was to begin.
        mode: M,
        /// Its name.
        name: String,
        /// Why.
        #[source]
        reason: E,
    },
    /// A guard has no value.
    #[error("at {time} s: {guard} is {} in mode {name}, expected a number", given(*value))]
    Guard {
        /// The guard, by name.
        guard: String,
        /// What it is instead.
        value: f64,
        /// When, in seconds.
        time: f64,
        /// The mode.
        mode: M,
        /// Its name.
        name: String,
    },
    /// A mode begins where it is impossible.
    #[error(
        "at {} s: {guard} is {value:e} in mode {name}, expected no less than {:e}", phase.time, -margin
    )]
    Negative {
        /// The guard, by name.
        guard: String,
        /// Its value.
        value: f64,
        /// What it must exceed to be clearly positive.
        margin: f64,
        /// The mode that was to begin.
        mode: M,
        /// Its name.
        name: String,
        /// Where.
        phase: Box<Phase>,
    },
    /// A guard that has fired, or began at zero, falls clearly below zero without having been clearly positive, and the
    /// automaton completes nothing there.
    #[error(
        "at {} s: {guard} falls to {:e} in mode {name} without having been above {margin:e}",
        phase.time, -margin
    )]
    Unresolved {
        /// The guard, by name.
        guard: String,
        /// What it should have exceeded.
        margin: f64,
        /// The mode.
        mode: M,
        /// Its name.
        name: String,
        /// Where it falls.
        phase: Box<Phase>,
        /// What its firings tend to, if they tend to anything.
        accumulation: Option<Accumulation>,
    },
    /// There is no transition.
    #[error("at {} s: no transition from mode {name} at {guards:?}", phase.time)]
    Impossible {
        /// What fires, by name.
        guards: Vec<String>,
        /// The mode that ends.
        mode: M,
        /// Its name.
        name: String,
        /// Where it ends.
        phase: Box<Phase>,
        /// Why.
        #[source]
        reason: E,
    },
    /// Guards fire again and again, and their intervals do not shrink geometrically to an end that the automaton
    /// completes.
    #[error(
        "at {} s: {events} events since {since} s, the last of them of {guards:?} into mode {name}, and no end in sight",
        phase.time
    )]
    Storm {
        /// How many there were.
        events: usize,
        /// Since when, in seconds.
        since: f64,
        /// What fired last, by name.
        guards: Vec<String>,
        /// The mode now.
        mode: M,
        /// Its name.
        name: String,
        /// The phase now.
        phase: Box<Phase>,
    },
}

/// The [`Error`] of an automaton.
pub type Failure<A> = Error<<A as Automaton>::Mode, <A as Automaton>::Error>;
