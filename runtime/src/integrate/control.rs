//! How long the next step is: proportional and integral control of the error.
//!
//! > h⁺ = h · 0.9 ε⁻ᵅ ε₋ᵝ,  α = 1/k − ¾ β
//!
//! ε is the error of the step by its tolerance, ε₋ that of the step before, and k the order of its estimate.
//!
//! # Source
//!
//! Hairer, Wanner: Solving Ordinary Differential Equations II (second edition, 1996), section IV.2.

use super::Error;
use super::tolerance::ratio;

/// Steps at the edge of stability, more or less on end, by which forces are called stiff.
const STIFF: u64 = 4000;
/// As many that are not, one after the other, say that they are not.
const SMOOTH: u64 = 6;
/// Steps that would still be taken if they were as long as the last one.
const FAR: f64 = 20_000.0;

/// Whether steps are as short as they are since they would be unstable otherwise, by Hairer and Wanner's test.
///
/// # Source
///
/// Hairer, Wanner: Solving Ordinary Differential Equations II (second edition, 1996), section IV.2.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stiffness {
    stiff: u64,
    smooth: u64,
    step: f64,
    rate: f64,
}

impl Stiffness {
    /// Takes a step of `h` with the rate |λ| with which it would not be stable, if it is at that edge.
    pub(super) fn note(&mut self, h: f64, rate: Option<f64>) {
        self.step = h;
        match rate {
            Some(rate) => (self.stiff, self.smooth, self.rate) = (self.stiff + 1, 0, rate),
            None => self.smooth += 1,
        }
        if self.smooth >= SMOOTH {
            self.stiff = 0;
        }
    }

    /// # Errors
    ///
    /// [`Error::Stiff`] if steps have been at the edge of stability for long, and would be for so many seconds.
    pub(super) fn check(&self, time: f64, ahead: f64) -> Result<(), Error> {
        let Self { stiff, step, rate, .. } = *self;
        if stiff < STIFF || ahead <= FAR * step {
            return Ok(());
        }
        Err(Error::Stiff { time, step, rate })
    }
}

/// What a step's length is decided from.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// k.
    order: f64,
    last_error: f64,
    was_rejected: bool,
}

/// β: a third fewer steps are rejected than without, for one step in twenty more.
const INTEGRAL: f64 = 0.03;
const SAFETY: f64 = 0.9;
const SHORTEST: f64 = 1.0 / 3.0;
const LONGEST: f64 = 6.0;
/// Errors below are no reason to expect such small ones again.
const LEAST_ERROR: f64 = 1e-4;

impl Control {
    pub(super) fn new(order: f64) -> Self {
        Self { order, last_error: LEAST_ERROR, was_rejected: false }
    }

    /// Forgets the steps before.
    pub(super) fn restart(&mut self) {
        (self.last_error, self.was_rejected) = (LEAST_ERROR, false);
    }

    /// The length to try after a step of `h` whose error by its tolerance is more than one, or NaN.
    pub(super) fn shorter(&mut self, h: f64, error: f64) -> f64 {
        self.was_rejected = true;
        let factor = SAFETY * libm::pow(error, -1.0 / self.order);
        h * if factor > SHORTEST { factor } else { SHORTEST }
    }

    /// The length to try after a step of `h` that is accepted.
    pub(super) fn next(&mut self, h: f64, error: f64) -> f64 {
        let exponent = 1.0 / self.order - 0.75 * INTEGRAL;
        let pull = libm::pow(error, -exponent) * libm::pow(self.last_error, INTEGRAL);
        let longest = if self.was_rejected { 1.0 } else { LONGEST };
        self.last_error = f64::max(error, LEAST_ERROR);
        self.was_rejected = false;
        h * (SAFETY * pull).clamp(SHORTEST, longest)
    }
}

/// The first length, from sizes ‖x‖, ‖ẋ‖ and ‖ẍ‖ by what is allowed.
///
/// # Source
///
/// Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, section II.4.
pub(super) fn first_length(first_guess: f64, speed: f64, curvature: f64, order: f64) -> f64 {
    let fastest = f64::max(speed, curvature);
    let length = if fastest <= 1e-15 {
        f64::max(1e-6, 1e-3 * first_guess)
    } else {
        libm::pow(0.01 / fastest, 1.0 / order)
    };
    f64::min(100.0 * first_guess, length)
}

/// A length in which a first step of Euler's method goes a hundredth of ‖x‖.
pub(super) fn guess(size: f64, rate: &[f64], scale: &[f64]) -> (f64, f64) {
    let speed = ratio(rate, scale);
    let first = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    (first, speed)
}
