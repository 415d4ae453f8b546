//! Singular positions of closures, where branches of a motion meet: which of them a step goes along.
//!
//! From step to step impulses along the rows of one end make those of the other hold, so that a singular position between
//! them is passed along the branch that the motion is on. In one, to rounding, rows hold nothing: the step goes where its
//! velocity leads, if that is faster than forces could make it in the step, and is held by the rows half a step ahead.

use super::arrival::Arrival;
use super::motion::{Motion, Start};
use crate::constrained::{Singular, nearest_singular, singular_at};
use crate::failure::SimulationError;
use crate::model::{Model, Prepared};
use crate::slices::{dot, largest, multiply, sqrt};
use crate::space::Storage;

/// One from which steps may fail because of it, besides what they go.
const NEAR: f64 = 1e-3;
/// The cosine of the angle by which no velocity turns in a step, by M, but at a bend or an impact.
const TURN: f64 = 0.5;

/// Lets the rows ahead hold where those of the start lose rank.
///
/// # Errors
///
/// [`SimulationError::SingularPosition`] of a start at rest there.
pub(super) fn choose<M: Model>(
    model: &Prepared<M>,
    start: &Start<'_, Prepared<M>>,
    motion: &mut Motion<Prepared<M>>,
) -> Result<(), SimulationError> {
    let Start { q, v, time, h, .. } = *start;
    let gained = || h * largest(start.acceleration(model).as_slice());
    match singular_at(model.as_data(), (q.as_slice(), v.as_slice()), time, gained) {
        Some((Singular { constraint, distance, .. }, false)) => {
            Err(SimulationError::SingularPosition { time, constraint, distance })
        }
        Some(_) => {
            motion.begin_ahead(model, start);
            Ok(())
        }
        None => Ok(()),
    }
}

/// Whether the velocity at the end goes on where that of the start led, unless forces or what touches have turned it.
pub(super) fn goes_on<M: Model>(
    model: &Prepared<M>,
    start: &Start<'_, Prepared<M>>,
    motion: &Motion<Prepared<M>>,
    arrival: &Arrival<Prepared<M>>,
) -> bool {
    let is_struck = motion.phase.impulses.iter().any(|impulse| *impulse != 0.0);
    if M::NC == 0 || is_struck {
        return true;
    }
    let gained = start.h * largest(start.acceleration(model).as_slice());
    if largest(start.v.as_slice()) < 10.0 * gained {
        return true;
    }
    let mass = model.mass_matrix(&motion.chord.end);
    let along = |x: &M::V, y: &M::V| {
        let mut momentum = M::V::zeros();
        multiply(momentum.as_mut_slice(), mass.as_slice(), x.as_slice());
        dot(momentum.as_slice(), y.as_slice())
    };
    let (v, end) = (start.v, &arrival.velocity);
    along(v, end) >= TURN * sqrt(along(v, v) * along(end, end))
}

/// The singular position by which a step failed, if one is near.
pub(super) fn lost<M: Model>(
    model: &Prepared<M>,
    start: &Start<'_, Prepared<M>>,
) -> Option<SimulationError> {
    let Start { q, v, time, h, .. } = *start;
    if M::NC == 0 {
        return None;
    }
    let within = NEAR + 2.0 * h * largest(v.as_slice());
    let near = nearest_singular(model.as_data(), (q.as_slice(), v.as_slice()), time);
    let near = near.filter(|near| near.distance < within)?;
    let (constraint, distance) = (near.constraint, near.distance);
    Some(SimulationError::SingularPosition { time, constraint, distance })
}
