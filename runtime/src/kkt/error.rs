//! Why a constrained motion is not found.

use crate::digits::given;

/// Why there is no solution to return; what was to be written is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// M has no inertia where the method needs some: along all coordinates for a method that inverts
    /// M, else along the motions that the constraint leaves free.
    #[error("M is singular: coordinate {coordinate} can move without inertia")]
    SingularMass {
        /// For M itself, the first coordinate, from the leaves, whose inertia is not independent of
        /// those before it; else the one that moves most in a free motion without inertia.
        coordinate: usize,
    },
    /// Rows of J depend on others, and the method is for independent rows.
    #[error("the constraint has {rows} rows, of which {rank} are independent")]
    RankDeficient {
        /// Rank of J.
        rank: usize,
        /// Its number of rows, m.
        rows: usize,
    },
    /// The equations have one solution, but are too badly conditioned for the method.
    #[error("too badly conditioned for the method: its condition is above {condition:e}")]
    IllConditioned {
        /// More than this; pivots below its inverse, relative to the largest, are not told from rounding.
        condition: f64,
    },
    /// An entry of the problem, or what its forward dynamics returned, is NaN or infinite.
    #[error("{what}[{index}] is {}, expected a finite number", given(*value))]
    NotFinite {
        /// `mass`, `jacobian`, `force`, `target` or `acceleration`.
        what: &'static str,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A slice has not the length that the lengths of `force`, n, and `target`, m, ask for.
    #[error("{what} has {length} entries, expected {expected}")]
    Length {
        /// The slice.
        what: &'static str,
        /// Its length.
        length: usize,
        /// What it must be.
        expected: usize,
    },
    /// A coordinate's parent does not come before it.
    #[error("the parent of coordinate {coordinate} does not come before it")]
    Parent {
        /// The coordinate.
        coordinate: usize,
    },
    /// The articulated method was chosen for a problem without forward dynamics.
    #[error("the articulated method needs the problem's forward dynamics")]
    NoForwardDynamics,
    /// What was found does not satisfy the equations: they are too badly conditioned for the method, or
    /// its iteration ended too early.
    #[error("unsolved after {iterations} iterations, with residual {residual:.2e}")]
    NotConverged {
        /// As in [`Report::residual`](super::Report::residual), of the last point.
        residual: f64,
        /// Number of solutions and refinements, or of proximal steps.
        iterations: usize,
    },
}
