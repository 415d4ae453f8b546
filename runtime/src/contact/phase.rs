//! What a step solves at a time: all of it, or one phase of [Poisson's law](super::Restitution::Poisson).

use super::solver::{NEGLIGIBLE, TOLERANCE};
use crate::cone::Settings;

/// What Newton's method aims at, as a share of the residual that a step may have: it measures errors by another norm.
const SHARE: f64 = 0.1;

/// The largest residual of a solution, by b, in a step of the usual tolerance. Where weight presses, an impulse of m g h does
/// a work of m (g h)² times this in a step: with 10 ms less than 10⁻¹² of the energy of what fell by 2 cm.
const RELATIVE: f64 = 2e-11;

/// No residual that is less, relative to b, is asked of a solver: whether a step is good enough is said of its result.
const FINEST: f64 = 1e-14;

/// What the problem of a step is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// All of it, where nothing is compressed.
    Whole,
    Compression,
    Expansion,
}

impl Phase {
    /// What a solver of cones is asked for. What rests has velocities of rounding alone in a compression, relative to
    /// which nothing can be solved, and so may what rebounds in an expansion. Beside a motor, which asks for 1/h rad/s
    /// where it is a radian away, b is so large that a residual relative to it is too much for the step.
    pub(super) fn settings(self, tolerance: f64) -> Settings {
        let aim = f64::max(SHARE * tolerance, f64::MIN_POSITIVE);
        let negligible = if self == Self::Whole { 0.0 } else { NEGLIGIBLE.min(aim) };
        let tolerance = f64::max(RELATIVE * f64::min(tolerance / TOLERANCE, 1.0), FINEST);
        Settings { tolerance, negligible, aim, ..Settings::default() }
    }
}
