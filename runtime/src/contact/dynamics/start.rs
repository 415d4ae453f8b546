//! Where a step starts, and what its momentum is compared with.

use crate::contact::error::Error;
use crate::contact::yielding::Yielding;

/// Where a step starts.
#[derive(Debug)]
pub(in crate::contact) struct Start<'a> {
    pub(in crate::contact) q: &'a [f64],
    pub(in crate::contact) v: &'a [f64],
    /// ṽ, v in axes that stand still during the step, (nv).
    pub(in crate::contact) carried: &'a [f64],
    /// The generalised force without the bias force, (nv).
    pub(in crate::contact) force: &'a [f64],
    /// δ, what is added to the inertia of each coordinate, (nv).
    pub(in crate::contact) added: &'a [f64],
    pub(in crate::contact) time: f64,
    pub(in crate::contact) step_size: f64,
    /// The constraints that are rows of the step's problem.
    pub(in crate::contact) yielding: &'a Yielding,
}

/// What a step's momentum is compared with; as of [`Start`].
#[derive(Debug)]
pub(in crate::contact) struct Given<'a> {
    pub(in crate::contact) carried: &'a [f64],
    pub(in crate::contact) force: &'a [f64],
    /// The generalised impulse of what acts, (nv), where that has no rows; else empty.
    pub(in crate::contact) pushed: &'a [f64],
    /// What of δ stands for impulses that the force has, (nv), if anything does.
    pub(in crate::contact) slopes: Option<&'a [f64]>,
    pub(in crate::contact) step_size: f64,
}

/// # Errors
///
/// [`Error::Gap`] of the first that is NaN.
pub(super) fn check_gaps(gaps: &[f64]) -> Result<(), Error> {
    match gaps.iter().position(|gap| gap.is_nan()) {
        Some(contact) => Err(Error::Gap { contact }),
        None => Ok(()),
    }
}
