//! What the process that reduces is asked, and what it answers; each is a file.

use serde::{Deserialize, Serialize};

use crate::equations::formula::{Definition, Formula};

/// Formulas to be reduced, as a list of operations on earlier ones.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// The parameters' names.
    pub(super) fields: Vec<String>,
    /// Whether what parameters make together is given a name.
    pub(super) is_lumped: bool,
    /// Number of coordinates.
    pub(super) nq: usize,
    /// Of each velocity coordinate the coordinate of q that it is the rate of, if it is.
    pub(super) rates: Vec<Option<usize>>,
    /// The run of parallel axes that each coordinate of q turns about, as a number of the run.
    pub(super) runs: Vec<usize>,
    pub(super) operations: Vec<Operation>,
    /// The operations that are T, U and U_s.
    pub(super) energies: [usize; 3],
    pub(super) asked: Vec<Asked>,
}

/// An operation on earlier ones.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Operation {
    /// By its bits, since text has no infinity.
    Number(u64),
    Given(u8, u32),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
    Neg(usize),
    Sin(usize),
    Cos(usize),
    Sqrt(usize),
}

/// A quantity.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    /// How it follows.
    pub(super) way: Way,
    /// Its numbers as the recursion has them, row by row, by their operations.
    pub(super) outputs: Vec<usize>,
}

/// How a quantity follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Way {
    /// From T.
    Kinetic,
    /// From U.
    Potential,
    /// M = ∂²T/∂v².
    Mass,
    /// C from Christoffel's symbols of M, where every velocity is the rate of a coordinate.
    Coriolis,
    /// τ_g = −∂U/∂q, likewise.
    Gravity,
    /// By itself.
    Alone,
}

/// A quantity in reduced formulas.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reduced {
    pub(super) definitions: Vec<Definition>,
    pub(super) entries: Vec<Formula>,
}

/// All of them; `None` of those that take too many terms.
pub(super) type Answer = Vec<Option<Reduced>>;
