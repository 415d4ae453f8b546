//! Why closures are no automaton.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

/// Why closures are no automaton; M is a mode.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClosuresError<M: Debug> {
    /// A reset leads to a mode that has not been declared, a guard or a limit is of one, or motion begins in one.
    #[error("mode {name} is not declared, expected one of {}", declared.join(", "))]
    UnknownMode {
        /// Which.
        mode: M,
        /// Its name.
        name: String,
        /// The modes that are, by name.
        declared: Vec<String>,
    },
    /// A mode is declared twice.
    #[error("mode {name} is declared more than once")]
    RepeatedMode {
        /// Which.
        mode: M,
        /// Its name.
        name: String,
    },
    /// A mode has two guards, or two limits, of one name.
    #[error("mode {name} has `{guard}` more than once, expected another name")]
    RepeatedGuard {
        /// The mode.
        mode: M,
        /// Its name.
        name: String,
        /// The guard or limit.
        guard: String,
    },
}
