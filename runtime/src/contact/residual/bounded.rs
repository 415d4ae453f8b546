//! How well what acts between bounds satisfies its law.

use super::super::sum::Sum;

/// |p − mid(lo, p − w, hi)|, relative to p if that is above one.
pub(in crate::contact) fn bounded(p: f64, w: f64, [lo, hi]: [f64; 2]) -> f64 {
    Sum::of([p, -(p - w).max(lo).min(hi)].into_iter()).relative().abs()
}
