//! Why a contact problem has no solution to return.

use crate::digits::given;
use alloc::vec::Vec;

/// Why there is no solution to return.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What is given has not as many entries as b, of length n, asks for: the blocks n rows, a matrix n²
    /// entries or a multiple of n, damping n, a star as many arms as there are blocks; or the columns of an arm are not
    /// as many as the weights, of which there are six at most.
    #[error("{what} has {length} entries, expected {expected}")]
    Shape {
        /// `blocks`, `matrix`, `damping`, `arms`, `shared`, `weights` or `start`.
        what: &'static str,
        /// How many there are.
        length: usize,
        /// How many there must be.
        expected: usize,
    },
    /// An entry is NaN or infinite, or an impulse of the solution is beyond all numbers.
    #[error("{what}[{index}] is {}, expected a finite number", given(*value))]
    NotFinite {
        /// `matrix`, `damping`, `weights`, `arms`, `b` or `lambda`.
        what: &'static str,
        /// Which entry, or which arm has it.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A coefficient of friction is negative, NaN or infinite, or a bound NaN, above the other one or
    /// infinite on the wrong side.
    #[error("{what} of block {block} is {}, expected {}", given(*value), expected(what))]
    Parameter {
        /// `friction`, `torsion`, `rolling`, `lower` or `upper`.
        what: &'static str,
        /// Which block.
        block: usize,
        /// What it is.
        value: f64,
    },
    /// What is asked of a solution is no positive number, or for `negligible` negative; NaN, or but for `aim` infinite.
    #[error("settings: {what} is {}, expected {}", given(*value), at_least(what))]
    Setting {
        /// `tolerance`, `negligible` or `aim`.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// A weight of a star is zero, negative or NaN.
    #[error("weights[{index}] is {}, expected more than zero", given(*value))]
    Weight {
        /// Which one.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// The block of a star is no contact of three rows.
    #[error("block {block} of a star is no contact of three rows")]
    Star {
        /// Which block.
        block: usize,
    },
    /// Damping is negative.
    #[error("damping of row {row} is {}, expected none below zero", given(*value))]
    Damping {
        /// Which row.
        row: usize,
        /// What it is.
        value: f64,
    },
    /// No solution was found. There may be none: contacts may contradict one another.
    #[error("unsolved: the residual is {residual:.2e} m/s")]
    Unsolved {
        /// The best λ, (n).
        z: Vec<f64>,
        /// Its [`residual`](fn@super::residual).
        residual: f64,
    },
    /// No solution was found within [`max_iterations`](super::Settings::max_iterations). There may be one.
    #[error("unsolved within {iterations} iterations: the residual is {residual:.2e} m/s")]
    Limit {
        /// The best λ, (n).
        z: Vec<f64>,
        /// Its [`residual`](fn@super::residual).
        residual: f64,
        /// Iterations, sweeps and pivots altogether.
        iterations: usize,
    },
    /// The search was told to stop, by who [watches](crate::watch) it.
    #[error("stopped after {iterations} iterations: the residual is {residual:.2e} m/s")]
    Stopped {
        /// The best λ, (n).
        z: Vec<f64>,
        /// Its [`residual`](fn@super::residual).
        residual: f64,
        /// Iterations, sweeps and pivots altogether.
        iterations: usize,
    },
}

/// What a parameter of a block must be.
fn expected(what: &str) -> &'static str {
    match what {
        "lower" => "a number below infinity and not above `upper`",
        "upper" => "a number above minus infinity and not below `lower`",
        _ => "a finite number of at least 0",
    }
}

/// How large a setting must be.
fn at_least(what: &str) -> &'static str {
    match what {
        "tolerance" => "a finite number above zero",
        "aim" => "a number above zero",
        _ => "a finite number of at least 0",
    }
}
