//! Products of blocks of registers, some rows and registers at a time, so that sums stay in registers of the processor.

use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES};
use crate::kernel::Real;

/// Rows of registers, of so many each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'a> {
    pub(super) data: &'a [Each],
    pub(super) width: usize,
}

/// Adds `by` Aᵀ B to C of so many rows, where A and B have `inner` rows.
#[inline(always)]
pub(super) fn add_product<A: Real>(
    c: (&mut [Each], usize),
    by: f64,
    (a, b): (Rows<'_>, Rows<'_>),
    inner: usize,
) {
    let ((c, rows), mut row) = (c, 0);
    while row + 3 <= rows {
        add_to_rows::<A, 3>(c, row, by, (a, b), inner);
        row += 3;
    }
    while row < rows {
        add_to_rows::<A, 1>(c, row, by, (a, b), inner);
        row += 1;
    }
}

/// The same of some rows of C, from `row` on.
#[inline(always)]
fn add_to_rows<A: Real, const R: usize>(
    c: &mut [Each],
    row: usize,
    by: f64,
    of: (Rows<'_>, Rows<'_>),
    inner: usize,
) {
    let (width, mut first) = (of.1.width, 0);
    while first + 2 <= width {
        add_to_tile::<A, R, 2>(c, [row, first], by, of, inner);
        first += 2;
    }
    if first < width {
        add_to_tile::<A, R, 1>(c, [row, first], by, of, inner);
    }
}

/// The same of some rows and registers of C.
#[inline(always)]
fn add_to_tile<A: Real, const R: usize, const W: usize>(
    c: &mut [Each],
    [row, first]: [usize; 2],
    by: f64,
    (a, b): (Rows<'_>, Rows<'_>),
    inner: usize,
) {
    let place = |r: usize| b.width * (row + r) + first;
    let mut sums = [[A::Quad::splat(0.0); W]; R];
    for (r, sums) in sums.iter_mut().enumerate() {
        let of = &c[place(r)..][..W];
        for (sum, of) in sums.iter_mut().zip(of) {
            *sum = A::Quad::pack(*of);
        }
    }
    for k in 0..inner {
        let entries = &a.data.as_flattened()[LANES * a.width * k + row..][..R];
        let mut of = [A::Quad::splat(0.0); W];
        for (to, of) in of.iter_mut().zip(&b.data[b.width * k + first..][..W]) {
            *to = A::Quad::pack(*of);
        }
        for (sums, entry) in sums.iter_mut().zip(entries) {
            let entry = A::Quad::splat(by * entry);
            for (sum, of) in sums.iter_mut().zip(of) {
                *sum = entry.mul_add(of, *sum);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        let to = &mut c[place(r)..][..W];
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = sum.unpack();
        }
    }
}

/// Adds `by` Σ aₖ xₖ to y for so many rows xₖ.
#[inline(always)]
pub(super) fn add_rows<A: Real>(
    y: &mut [Each],
    by: f64,
    x: &[Each],
    count: usize,
    a: impl Fn(usize) -> f64,
) {
    let (width, mut first) = (y.len(), 0);
    while first + 2 <= width {
        let [mut left, mut right] = [A::Quad::pack(y[first]), A::Quad::pack(y[first + 1])];
        for k in 0..count {
            let entry = A::Quad::splat(by * a(k));
            let of = &x[width * k + first..][..2];
            left = entry.mul_add(A::Quad::pack(of[0]), left);
            right = entry.mul_add(A::Quad::pack(of[1]), right);
        }
        [y[first], y[first + 1]] = [left.unpack(), right.unpack()];
        first += 2;
    }
    if first < width {
        let mut sum = A::Quad::pack(y[first]);
        for k in 0..count {
            sum = A::Quad::splat(by * a(k)).mul_add(A::Quad::pack(x[width * k + first]), sum);
        }
        y[first] = sum.unpack();
    }
}

/// xᵀ y of so many rows x.
#[inline(always)]
pub(super) fn dot_rows<A: Real, const N: usize>(x: &[Each], y: &[Each]) -> [f64; N] {
    let mut sums = [A::Quad::splat(0.0); N];
    for (w, of) in y.iter().enumerate() {
        let of = A::Quad::pack(*of);
        for (k, sum) in sums.iter_mut().enumerate() {
            *sum = A::Quad::pack(x[y.len() * k + w]).mul_add(of, *sum);
        }
    }
    let mut products = [0.0; N];
    for (to, sum) in products.iter_mut().zip(sums) {
        *to = sum.sum();
    }
    products
}
