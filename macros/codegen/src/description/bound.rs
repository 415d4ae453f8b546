//! What the numbers of a description must satisfy.

use crate::diagnostic::Location;
use crate::scalar::Scalar;

/// A bound that a quantity of the description must satisfy.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// What the quantity is called, such as "the mass of link `upper`".
    pub quantity: String,
    /// Name of the variant of the runtime's `Bound`.
    pub bound: Bound,
    /// The numbers that it bounds.
    pub values: Vec<Scalar>,
    /// Where they stand.
    pub at: Location,
    /// What a violation is.
    pub severity: Severity,
}

/// What the violation of a bound is. Numbers with fields are checked at run time, where each is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    /// The description is no robot.
    #[default]
    Error,
    /// The description is taken as it is.
    Warning,
}

/// What the numbers of a requirement must satisfy; the runtime has the same enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Finite.
    Finite,
    /// Finite and greater than zero.
    Positive,
    /// Finite and at least zero.
    NonNegative,
    /// From 0 to 1.
    Fraction,
    /// Two numbers, the first below the second; infinities are allowed.
    Interval,
    /// Three numbers that are not all zero.
    Direction,
    /// Six numbers of an inertia about the centre of mass: no principal moment negative, none above the
    /// sum of the two others.
    Inertia,
}

impl Bound {
    /// Whether the numbers satisfy it; of an inertia only whether it is finite.
    pub fn admits(self, x: &[f64]) -> bool {
        let finite = x.iter().all(|x| x.is_finite());
        match (self, x) {
            (Bound::Finite | Bound::Inertia, _) => finite,
            (Bound::Positive, [x]) => finite && *x > 0.0,
            (Bound::NonNegative, [x]) => finite && *x >= 0.0,
            (Bound::Fraction, [x]) => (0.0..=1.0).contains(x),
            (Bound::Interval, [a, b]) => a < b,
            (Bound::Direction, _) => x.iter().map(|x| x * x).sum::<f64>().is_normal(),
            _ => false,
        }
    }
}
