//! What rows are for, and which of them are near.

use super::World;

/// Limits and contacts that are further off are looked at only if they approach, in rad or m.
pub(super) const REACH: f64 = 1e-3;

pub(super) const UNBOUNDED: [f64; 2] = [0.0, f64::INFINITY];

/// What the rows are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Aim {
    /// Velocities after `h` seconds.
    Velocity {
        /// h.
        h: f64,
    },
    /// The displacement that puts errors right.
    Position,
}

/// Whether a gap may close in the step. Impulses of the same step may close others, by less than its length at their
/// speed; these are put right with the errors. What is NaN is not passed over: no impulses are found for it.
pub(super) fn is_near(gap: f64, rate: f64, aim: Aim) -> bool {
    let reach = match aim {
        Aim::Velocity { h } => REACH + 2.0 * h * rate.abs(),
        Aim::Position => REACH,
    };
    gap <= reach || gap.is_nan()
}

/// What the rate of a gap, or its change, is at least.
pub(super) fn target(world: &World, gap: f64, aim: Aim) -> f64 {
    match aim {
        Aim::Velocity { .. } if gap <= 0.0 => 0.0,
        Aim::Velocity { h } => -gap / h,
        Aim::Position if gap < 0.0 => -world.settings.reduction * gap,
        Aim::Position => -gap,
    }
}
