//! Products with rows of Y, and with a block of D⁻¹.

use crate::cone::natural::Rows;
use crate::cone::problem::BLOCK_ROWS;
use crate::cone::small::Small;
use crate::cone::vector::add;
use crate::kernel::Real;

/// The rows of Y from `first` on, combined.
#[inline(always)]
pub(super) fn combine<A: Real>(into: &mut [f64], rows: &[f64], first: usize, factors: &Rows) {
    into.fill(0.0);
    for (k, &factor) in factors.iter().enumerate() {
        if factor != 0.0 {
            add::<A>(into, factor, &rows[(first + k) * into.len()..][..into.len()]);
        }
    }
}

/// x = D⁻¹ x.
#[inline(always)]
pub(super) fn multiply(inverse: &Small, x: &mut [f64]) {
    let (mut of, count) = ([0.0; BLOCK_ROWS], x.len());
    of[..count].copy_from_slice(x);
    for (x, row) in x.iter_mut().zip(inverse) {
        *x = row.iter().zip(&of).take(count).map(|(a, x)| a * x).sum();
    }
}
