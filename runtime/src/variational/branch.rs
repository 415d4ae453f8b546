//! Singular positions of closures, where branches of a motion meet: which of them a step goes along.
//!
//! From step to step impulses along the rows of one end make those of the other hold, so that a singular position between
//! them is passed along the branch that the motion is on. In one, to rounding, rows hold nothing: the step goes where its
//! velocity leads, if that is faster than forces could make it in the step, and is held by the rows half a step ahead.

use super::arrival::Arrival;
use super::motion::{Motion, Start};
use crate::constrained::{Singular, nearest_singular, singular_at};
use crate::failure::SimulationError;
use crate::model::Robot;
use crate::slices::largest;

/// One from which steps may fail because of it, besides what they go.
const NEAR: f64 = 1e-3;
/// The cosine of the angle by which no velocity turns in a step, by M, but at a bend or an impact.
const TURN: f64 = 0.5;

/// Lets the rows ahead hold where those of the start lose rank.
///
/// # Errors
///
/// [`SimulationError::SingularPosition`] of a start at rest there.
pub(super) fn choose(
    robot: Robot<'_>,
    start: &Start<'_>,
    motion: &mut Motion,
) -> Result<(), SimulationError> {
    let Start { q, v, time, h, .. } = *start;
    let gained = || {
        motion.accelerate(robot, start);
        h * largest(&motion.acceleration)
    };
    match singular_at(robot, (q, v), time, gained) {
        Some((Singular { constraint, distance, .. }, false)) => {
            Err(SimulationError::SingularPosition { time, constraint, distance })
        }
        Some(_) => {
            motion.begin_ahead(robot, start);
            Ok(())
        }
        None => Ok(()),
    }
}

/// Whether the velocity at the end goes on where that of the start led, unless forces or what touches have turned it.
pub(super) fn goes_on(
    robot: Robot<'_>,
    start: &Start<'_>,
    motion: &Motion,
    arrival: &mut Arrival,
) -> bool {
    let is_struck = motion.phase.impulses.iter().any(|impulse| *impulse != 0.0);
    if robot.nc == 0 || is_struck {
        return true;
    }
    let gained = start.h * largest(&motion.acceleration);
    if largest(start.v) < 10.0 * gained {
        return true;
    }
    arrival.goes_along(robot, (&motion.chord.end, start.v), TURN)
}

/// The singular position by which a step failed, if one is near.
pub(super) fn lost(robot: Robot<'_>, start: &Start<'_>) -> Option<SimulationError> {
    let Start { q, v, time, h, .. } = *start;
    if robot.nc == 0 {
        return None;
    }
    let within = NEAR + 2.0 * h * largest(v);
    let near = nearest_singular(robot, (q, v), time);
    let near = near.filter(|near| near.distance < within)?;
    let (constraint, distance) = (near.constraint, near.distance);
    Some(SimulationError::SingularPosition { time, constraint, distance })
}
