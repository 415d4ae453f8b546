//! Why there is no return, or no periodic motion.

use core::fmt::Debug;

use alloc::string::String;

use super::{Automaton, Error, LinearError};
use crate::integrate::Phase;

/// Why a motion does not return, or no periodic one is found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReturnError<M: Debug, E: core::error::Error + 'static> {
    /// The motion does not go on, or has no derivatives.
    #[error(transparent)]
    Run(#[from] Error<M, LinearError<E>>),
    /// What moves has no derivatives.
    #[error(transparent)]
    Derivatives(LinearError<E>),
    /// The guard does not fire in time.
    #[error("the guard has fired {firings} times in {seconds} s, expected {expected}")]
    NoReturn {
        /// How often it did.
        firings: usize,
        /// How often it had to.
        expected: usize,
        /// How long it had.
        seconds: f64,
    },
    /// The motion returns in another mode.
    #[error("the motion returns in mode {found_name}, expected {expected_name}")]
    OtherMode {
        /// The mode of the map.
        expected: M,
        /// Its name.
        expected_name: String,
        /// The mode that it returns in.
        found: M,
        /// Its name.
        found_name: String,
    },
    /// There is no coordinate of this number to be left free.
    #[error("coordinate {coordinate} is left free, expected one of (δ, v, z), less than {count}")]
    Coordinate {
        /// Which.
        coordinate: usize,
        /// How many there are.
        count: usize,
    },
    /// A phase returns to itself, but what moves it depends on the time, and does not repeat itself with it. The phase of
    /// what drives it can be made a coordinate, or the map be that of one of its periods.
    #[error(
        "what returns after {duration} s returns differently from then on, by {change:e}: its rates depend on the time, \
         expected that they repeat themselves after each return"
    )]
    Timed {
        /// T(x), in seconds.
        duration: f64,
        /// By how much P(x) and T(x) differ when begun at the end of the first return, by 1 + |x|.
        change: f64,
    },
    /// Newton's matrix is singular: there is a family of periodic motions. Coordinates that may differ after a period can
    /// be [left free](super::ReturnMap::free).
    #[error("periodic motions near {phase:?} are not isolated")]
    Singular {
        /// Where.
        phase: Phase,
    },
    /// Newton's method finds no better phase.
    #[error("after {iterations} iterations P(x) differs from x by {residual:e}, and no step helps")]
    NotConverged {
        /// The best phase.
        phase: Phase,
        /// ‖P(x) − x‖ there.
        residual: f64,
        /// How many there were.
        iterations: usize,
    },
}

/// The [`ReturnError`] of an automaton.
pub type ReturnFailure<A> = ReturnError<<A as Automaton>::Mode, <A as Automaton>::Error>;
