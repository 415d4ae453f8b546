//! Bounds on what a world is made of.

use super::Error;
pub(super) use crate::contact::Range;

/// # Errors
///
/// [`Error::Parameter`] if `value` is out of its range.
pub(super) fn check(what: &'static str, value: f64, expected: Range) -> Result<(), Error> {
    if expected.contains(value) { Ok(()) } else { Err(Error::Parameter { what, value, expected }) }
}
