//! Bounds on the parameters of formulations.

use super::error::Error;
use super::range::Range;

/// # Errors
///
/// [`Error::Parameter`] if `value` is out of its range.
#[inline]
pub(crate) fn check(parameter: &'static str, value: f64, expected: Range) -> Result<f64, Error> {
    if expected.contains(value) {
        Ok(value)
    } else {
        Err(Error::Parameter { parameter, value, expected })
    }
}
