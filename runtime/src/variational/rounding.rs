//! Whether rounding leaves anything of the motion of a step.
//!
//! Where impulses hold a robot, ξ(½) is what these leave of v + ½ h v̇, and known to a share of that: of rounding, or of the
//! residual where that is more. Where forces, velocities or the step itself are so large that the share is more than
//! `contact/rounding.rs` allows of ξ(½), or of a place, nothing is known of the end of the step.

use super::motion::{Motion, Start};
use super::one_sided::OneSided;
use crate::contact::{Hidden, Residual, allowed};
use crate::slices::{larger, largest};

/// Whether the motion of a step is hidden. One without a residual that is accepted led to no motion that says how much may be.
pub(super) fn hidden(
    start: &Start<'_>,
    (motion, one_sided): (&Motion, &OneSided),
    residual: Option<&Residual>,
    tolerance: f64,
) -> Option<Hidden> {
    let free = &motion.free;
    let size = largest(free);
    let share = residual.map_or(0.0, |residual| {
        let Residual { momentum, .. } = *residual;
        let laws = Residual { momentum: 0.0, ..*residual }.max();
        // That of momentum is one of what the step began with.
        larger(laws, momentum * largest(start.v) / size)
    });
    let allowed = allowed(share, tolerance);
    if larger(1.0, start.h) * size <= allowed {
        return None;
    }
    let presses = || motion.phase.impulses.iter().any(|impulse| *impulse != 0.0);
    let is_held = motion.phase.table.nc > 0
        || if residual.is_some() { presses() } else { !one_sided.is_empty() };
    if !is_held {
        return None;
    }
    let fastest = residual.map_or(0.0, |_| largest(&motion.chord.middle.1));
    let moves = larger(fastest, f64::min(1.0, 1.0 / start.h));
    Hidden::find(free.iter().enumerate(), allowed * moves)
}
