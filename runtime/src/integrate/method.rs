//! What a method with error control and dense output does.

use core::fmt::Debug;

use super::local::Local;
use super::{Adaptive, Error, Space, System};

/// A method whose steps estimate their error, in local coordinates: [`Dop853`](super::Dop853) or
/// [`Rodas5P`](super::Rodas5P). [`Adaptive`] takes their steps.
pub trait Method: Clone + Debug {
    /// The estimate of a step's error is proportional to this power of its length.
    const ERROR_ORDER: f64;
    /// Number of terms of the dense output.
    const TERMS: usize;

    /// With room for the coordinates of a space.
    fn new(space: &Space) -> Self;

    /// Evaluates what all attempts from a phase have in common; the length of `start` means nothing.
    fn prepare<S: System + ?Sized>(&mut self, local: &mut Local<'_, S>, start: &Step<'_>);

    /// Tries a step, and writes by how much it changes y to `change`, (n).
    fn attempt<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        step: &Step<'_>,
        change: &mut [f64],
    );

    /// The error of the last step that was tried, by what is allowed; (n).
    fn error(&mut self, h: f64, scale: &[f64]) -> f64;

    /// |λ| of rates about the end `y` of the step of `h` that was just tried, where they are `rate`, as far as the step has
    /// met it, if h |λ| is beyond what the method is stable for; none of a method for stiff forces.
    fn unstable(&self, h: f64, y: &[f64], rate: &[f64]) -> Option<f64> {
        let _ = (h, y, rate);
        None
    }

    /// Completes the terms of the dense output of the last step that was tried, the first of which is the change.
    fn interpolate<S: System + ?Sized>(
        &mut self,
        local: &mut Local<'_, S>,
        step: &Step<'_>,
        end_rate: &[f64],
        terms: &mut [f64],
    );

    /// Moves on by one step, as [`Adaptive::step`] does. What calls this shares its code with all other systems.
    ///
    /// # Errors
    ///
    /// As [`Adaptive::step`].
    fn advance(motion: &mut Adaptive<Self>, system: &mut dyn System, end: f64)
    -> Result<(), Error>;
}

/// A step in local coordinates about its beginning.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// When it begins.
    pub(super) time: f64,
    /// Its length.
    pub(super) h: f64,
    /// y at its beginning, (n).
    pub(super) y: &'a [f64],
    /// ẏ at its beginning, (n).
    pub(super) rate: &'a [f64],
}
