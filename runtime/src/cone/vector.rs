//! Vectors, four numbers at a time in the registers of an arithmetic.

use crate::arithmetic::Lanes;
use crate::kernel::Real;
use crate::slices::larger;

/// y += a x.
#[inline(always)]
pub(super) fn add<A: Real>(y: &mut [f64], a: f64, x: &[f64]) {
    let n = y.len().min(x.len());
    let (y_fours, y_rest) = y[..n].as_chunks_mut::<4>();
    let (x_fours, x_rest) = x[..n].as_chunks::<4>();
    let factor = A::Quad::splat(a);
    for (y, x) in y_fours.iter_mut().zip(x_fours) {
        *y = factor.mul_add(A::Quad::pack(*x), A::Quad::pack(*y)).unpack();
    }
    for (y, x) in y_rest.iter_mut().zip(x_rest) {
        *y = A::mul_add(a, *x, *y);
    }
}

/// xᵀ y, in a sum for each of four numbers.
#[inline(always)]
pub(super) fn dot<A: Real>(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let (x_fours, x_rest) = x[..n].as_chunks::<4>();
    let (y_fours, y_rest) = y[..n].as_chunks::<4>();
    let mut sums = A::Quad::splat(0.0);
    for (x, y) in x_fours.iter().zip(y_fours) {
        sums = A::Quad::pack(*x).mul_add(A::Quad::pack(*y), sums);
    }
    let mut sum = sums.sum();
    for (x, y) in x_rest.iter().zip(y_rest) {
        sum = A::mul_add(*x, *y, sum);
    }
    sum
}

/// y += a₀ x₀ + a₁ x₁ + …
#[inline(always)]
pub(super) fn add_all<A: Real, const K: usize>(y: &mut [f64], a: [f64; K], x: [&[f64]; K]) {
    let n = x.iter().fold(y.len(), |n, x| n.min(x.len()));
    let x = x.map(|x| x[..n].as_chunks::<4>());
    let (fours, rest) = y[..n].as_chunks_mut::<4>();
    let factors = a.map(A::Quad::splat);
    for (i, y) in fours.iter_mut().enumerate() {
        let mut sum = A::Quad::pack(*y);
        for k in 0..K {
            sum = factors[k].mul_add(A::Quad::pack(x[k].0[i]), sum);
        }
        *y = sum.unpack();
    }
    for (i, y) in rest.iter_mut().enumerate() {
        for k in 0..K {
            *y = A::mul_add(a[k], x[k].1[i], *y);
        }
    }
}

/// The largest |xᵢ|, passing over NaN.
#[inline(always)]
pub(super) fn largest(x: &[f64]) -> f64 {
    let (fours, rest) = x.as_chunks::<4>();
    let mut most = [0.0_f64; 4];
    for four in fours {
        for k in 0..4 {
            most[k] = larger(four[k].abs(), most[k]);
        }
    }
    rest.iter().chain(&most).fold(0.0, |most, x| larger(x.abs(), most))
}

/// w = A λ + b for A (n, n) column by column.
#[inline(always)]
pub(super) fn affine<A: Real>(a: &[f64], lambda: &[f64], b: &[f64], w: &mut [f64]) {
    let n = w.len();
    let wide = n / 16 * 16;
    for row in (0..wide).step_by(16) {
        strip::<A, 4>(a, lambda, b, w, row);
    }
    let rest = (n - wide) / 4 * 4;
    match rest {
        4 => strip::<A, 1>(a, lambda, b, w, wide),
        8 => strip::<A, 2>(a, lambda, b, w, wide),
        12 => strip::<A, 3>(a, lambda, b, w, wide),
        _ => {}
    }
    for i in wide + rest..n {
        w[i] = (0..n).fold(b[i], |sum, j| A::mul_add(a[j * n + i], lambda[j], sum));
    }
}

/// Rows of w whose sums stay in K registers.
#[inline(always)]
fn strip<A: Real, const K: usize>(
    a: &[f64],
    lambda: &[f64],
    b: &[f64],
    w: &mut [f64],
    first: usize,
) {
    let n = w.len();
    let fours = |x: &[f64], at: usize| -> [A::Quad; K] {
        let (fours, _) = x[at..at + 4 * K].as_chunks::<4>();
        core::array::from_fn(|k| A::Quad::pack(fours[k]))
    };
    let mut sums = fours(b, first);
    for (j, &x) in lambda.iter().enumerate() {
        let (column, x) = (fours(a, j * n + first), A::Quad::splat(x));
        for k in 0..K {
            sums[k] = x.mul_add(column[k], sums[k]);
        }
    }
    let (strip, _) = w[first..first + 4 * K].as_chunks_mut::<4>();
    for k in 0..K {
        strip[k] = sums[k].unpack();
    }
}

/// The length of (x, y).
#[inline(always)]
pub(super) fn length<A: Real>(x: f64, y: f64) -> f64 {
    A::sqrt(A::mul_add(x, x, y * y))
}
