//! Whether values are such that motion can be computed from them.

use alloc::vec;

use crate::description::Requirement;
use crate::error::ModelError;
use crate::fours;
use crate::kernel::Real;
use crate::slices::all_finite;

/// What a state that is given may miss of what it must satisfy, in m or rad: more than numbers in a file are rounded by.
pub(crate) const ROUNDING: f64 = 1e-6;

/// # Errors
///
/// Names the first entry of `values` that is NaN or infinite.
#[inline]
pub(crate) fn finite(quantity: &'static str, values: &[f64]) -> Result<(), ModelError> {
    if all_finite(values) { Ok(()) } else { Err(not_finite(quantity, values)) }
}

/// Whether all are finite for sure, where it is inlined: the bound of finite numbers can be infinite.
#[inline(always)]
pub(crate) fn are_finite<A: Real>(values: &[f64]) -> bool {
    fours::bound::<A>(values) < f64::INFINITY
}

#[cold]
fn not_finite(quantity: &'static str, values: &[f64]) -> ModelError {
    let index = values.iter().position(|x| !x.is_finite()).unwrap_or(0);
    ModelError::NotFinite { quantity, index, value: values.get(index).copied().unwrap_or(f64::NAN) }
}

/// Checks so many numbers, which `evaluate` writes, one requirement after the other.
///
/// # Errors
///
/// The first requirement that is not met.
pub(crate) fn requirements(
    requirements: &'static [Requirement],
    count: usize,
    evaluate: impl FnOnce(&mut [f64]),
) -> Result<(), ModelError> {
    if requirements.is_empty() {
        return Ok(());
    }
    let mut all = vec![f64::NAN; count];
    evaluate(&mut all);
    let mut values = &all[..];
    for requirement in requirements {
        let (bounded, rest) = values.split_at(requirement.bound.arity());
        requirement.check(bounded)?;
        values = rest;
    }
    Ok(())
}

/// Factors the symmetric (n, n) matrix as LᵀDL in place, from the last row to the first, so that
/// leaves of a mechanism come before their ancestors. `see` is given each row, its pivot, and the row whose elimination reduced
/// that pivot most, if one did. It returns whether to go on.
///
/// # Source
///
/// Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5.
pub(crate) fn factor(
    matrix: &mut [f64],
    n: usize,
    mut see: impl FnMut(usize, f64, Option<usize>) -> bool,
) {
    let mut taken = vec![(None, 0.0); n];
    for k in (0..n).rev() {
        let pivot = matrix[k * n + k];
        if !see(k, pivot, taken[k].0) {
            return;
        }
        for i in 0..k {
            let factor = matrix[k * n + i] / pivot;
            let share = factor * matrix[k * n + i];
            if share > taken[i].1 {
                taken[i] = (Some(k), share);
            }
            for j in 0..=i {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
        }
    }
}
