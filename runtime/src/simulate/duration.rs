//! How long a run is, in steps.

use crate::failure::SimulationError;

/// More cannot be counted one by one in the time's own precision.
const MOST_STEPS: f64 = 9e15;

/// How many steps of `h` seconds a run of `duration` seconds has.
///
/// # Errors
///
/// [`SimulationError::Setting`] unless the duration is finite and greater than zero, [`SimulationError::Duration`]
/// unless there is at least one step, and they can be counted.
pub(crate) fn steps_of(duration: f64, h: f64) -> Result<u64, SimulationError> {
    let steps = libm::round(positive("duration", duration)? / h);
    if (1.0..=MOST_STEPS).contains(&steps) {
        Ok(steps as u64)
    } else {
        let [least, most] = [0.5, MOST_STEPS].map(|steps| steps * h);
        Err(SimulationError::Duration { duration, least, most })
    }
}

/// # Errors
///
/// [`SimulationError::Setting`] unless `value` is finite and greater than zero, and its inverse finite.
pub(crate) fn positive(quantity: &'static str, value: f64) -> Result<f64, SimulationError> {
    if value > 0.0 && value.is_normal() {
        Ok(value)
    } else {
        Err(SimulationError::Setting { quantity, value })
    }
}
