//! Vectors and matrices as plain slices, column by column.

use alloc::vec::Vec;

/// The square root; NaN for a negative number.
#[inline]
pub(crate) fn sqrt(x: f64) -> f64 {
    nalgebra::ComplexField::sqrt(x)
}

/// Numbers that are computed with at once. Most vectors here are short: loops over blocks need no more than
/// the processor's smallest registers, and have no remainder where storage is filled up.
pub(crate) type Block = [f64; BLOCK];

/// Length of a block.
pub(crate) const BLOCK: usize = 4;

/// y + a x.
#[inline(always)]
pub(crate) fn sum(mut y: Block, a: f64, x: Block) -> Block {
    for k in 0..BLOCK {
        y[k] += a * x[k];
    }
    y
}

/// The length that is filled up to whole blocks.
#[inline]
pub(crate) fn filled(length: usize) -> usize {
    length.next_multiple_of(BLOCK)
}

/// y += a x.
#[inline]
pub(crate) fn add(y: &mut [f64], a: f64, x: &[f64]) {
    let (x_blocks, x_rest) = x.as_chunks::<BLOCK>();
    let (y_blocks, y_rest) = y.as_chunks_mut::<BLOCK>();
    for (y, x) in y_blocks.iter_mut().zip(x_blocks) {
        *y = sum(*y, a, *x);
    }
    y_rest.iter_mut().zip(x_rest).for_each(|(y, x)| *y += a * x);
}

/// yᵢ += aᵢ xᵢ.
#[inline(always)]
pub(crate) fn add_products(y: &mut [f64], a: &[f64], x: &[f64]) {
    let (x_blocks, x_rest) = x.as_chunks::<BLOCK>();
    let (a_blocks, a_rest) = a.as_chunks::<BLOCK>();
    let (y_blocks, y_rest) = y.as_chunks_mut::<BLOCK>();
    for (y, (a, x)) in y_blocks.iter_mut().zip(a_blocks.iter().zip(x_blocks)) {
        let mut sums = *y;
        for k in 0..BLOCK {
            sums[k] += a[k] * x[k];
        }
        *y = sums;
    }
    y_rest.iter_mut().zip(a_rest.iter().zip(x_rest)).for_each(|(y, (a, x))| *y += a * x);
}

/// y += Σ a x, four terms at a time so that y goes through memory less often.
#[inline]
pub(crate) fn combine<'a>(y: &mut [f64], mut terms: impl Iterator<Item = (f64, &'a [f64])>) {
    while let Some((a, first)) = terms.next() {
        match (terms.next(), terms.next(), terms.next()) {
            (Some((b, second)), Some((c, third)), Some((d, fourth))) => {
                add_four(y, [a, b, c, d], [first, second, third, fourth]);
            }
            (second, third, _) => {
                add(y, a, first);
                second.into_iter().chain(third).for_each(|(a, x)| add(y, a, x));
            }
        }
    }
}

fn add_four(y: &mut [f64], [a, b, c, d]: [f64; 4], x: [&[f64]; 4]) {
    let [first, second, third, fourth] = x;
    let terms = first.iter().zip(second).zip(third).zip(fourth);
    for (y, (((first, second), third), fourth)) in y.iter_mut().zip(terms) {
        *y += (a * first + b * second) + (c * third + d * fourth);
    }
}

/// y −= a x.
#[inline]
pub(crate) fn subtract(y: &mut [f64], a: f64, x: &[f64]) {
    add(y, -a, x);
}

/// y *= a.
#[inline]
pub(crate) fn scale(y: &mut [f64], a: f64) {
    y.iter_mut().for_each(|y| *y *= a);
}

/// xᵀ y, in a sum for each number of a block.
#[inline]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (x_blocks, x_rest) = x.as_chunks::<BLOCK>();
    let (y_blocks, y_rest) = y.as_chunks::<BLOCK>();
    let mut sums = [0.0; BLOCK];
    for (x, y) in x_blocks.iter().zip(y_blocks) {
        for k in 0..BLOCK {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

/// ‖x‖₂, safe from overflow and underflow.
pub(crate) fn norm(x: &[f64]) -> f64 {
    let largest = largest(x);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * sqrt(x.iter().map(|x| (x / largest) * (x / largest)).sum())
}

/// The largest |xᵢ|; NaN if one is.
#[inline(never)]
pub(crate) fn largest(x: &[f64]) -> f64 {
    let (blocks, rest) = x.as_chunks::<BLOCK>();
    let mut most = [0.0; BLOCK];
    for x in blocks {
        for k in 0..BLOCK {
            most[k] = larger(x[k].abs(), most[k]);
        }
    }
    most.iter_mut().zip(rest).for_each(|(most, x)| *most = larger(x.abs(), *most));
    let [a, b, c, d] = most;
    if all_finite(x) { larger(larger(a, b), larger(c, d)) } else { largest_infinite(x) }
}

/// The same of numbers that are not all finite.
#[cold]
fn largest_infinite(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| worse(x.abs(), most))
}

/// The larger of two numbers, as one instruction; b if one is NaN.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The larger of two numbers; NaN if one of them is.
#[inline]
pub(crate) fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Whether all numbers are finite; without a branch for each, since zero times all of them is zero.
#[inline(always)]
pub(crate) fn all_finite(x: &[f64]) -> bool {
    let (blocks, rest) = x.as_chunks::<BLOCK>();
    let mut sums = [0.0; BLOCK];
    for x in blocks {
        for k in 0..BLOCK {
            sums[k] += 0.0 * x[k];
        }
    }
    sums.iter_mut().zip(rest).for_each(|(sum, x)| *sum += 0.0 * x);
    let [a, b, c, d] = sums;
    (a + b) + (c + d) == 0.0
}

/// Factors a symmetric matrix, (n, n) column by column, as L Lᵀ in its lower triangle.
///
/// # Errors
///
/// The first column whose pivot is not positive, and the pivot.
pub(crate) fn cholesky(a: &mut [f64], n: usize) -> Result<(), (usize, f64)> {
    for k in 0..n {
        let (done, rest) = a.split_at_mut((k + 1) * n);
        let column = &mut done[k * n..];
        let pivot = column[k];
        if pivot.is_nan() || pivot <= 0.0 {
            return Err((k, pivot));
        }
        scale(&mut column[k..], 1.0 / sqrt(pivot));
        for (j, other) in (k + 1..).zip(rest.chunks_exact_mut(n)) {
            subtract(&mut other[j..], column[j], &column[j..]);
        }
    }
    Ok(())
}

/// y += A x for A (y.len(), x.len()).
#[inline]
pub(crate) fn multiply(y: &mut [f64], a: &[f64], x: &[f64]) {
    let rows = y.len();
    columns(a, rows).zip(x).for_each(|(column, &x)| add(y, x, column));
}

/// y += Aᵀ x for A (x.len(), y.len()).
#[inline]
pub(crate) fn multiply_transposed(y: &mut [f64], a: &[f64], x: &[f64]) {
    columns(a, x.len()).zip(y).for_each(|(column, y)| *y += dot(column, x));
}

/// The columns of a matrix with so many rows; none if it has no rows.
#[inline]
pub(crate) fn columns(a: &[f64], rows: usize) -> core::slice::ChunksExact<'_, f64> {
    a.chunks_exact(rows.max(1))
}

/// So many zeros, in storage that is kept.
#[inline]
pub(crate) fn zeros<T: Copy + Default>(storage: &mut Vec<T>, length: usize) -> &mut [T] {
    storage.clear();
    storage.resize(length, T::default());
    storage
}

/// A copy, in storage that is kept.
#[inline]
pub(crate) fn copy<'a>(storage: &'a mut Vec<f64>, of: &[f64]) -> &'a mut [f64] {
    storage.clear();
    storage.extend_from_slice(of);
    storage
}

/// # Panics
///
/// If the slice `name` that a function was given has fewer numbers than it needs, as `copy_from_slice` of the standard
/// library does: both lengths are in the message.
#[inline]
#[track_caller]
pub(crate) fn check(function: &str, name: &str, length: usize, needed: usize) {
    if length < needed {
        too_short(function, name, length, needed);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn too_short(function: &str, name: &str, length: usize, needed: usize) -> ! {
    panic!("{function}: `{name}` has {length} numbers, needed are {needed}")
}

/// # Panics
///
/// If an index that a function was given is not below the number of what there is.
#[inline]
#[track_caller]
pub(crate) fn check_index(function: &str, name: &str, index: usize, count: usize) {
    assert!(index < count, "{function}: `{name}` is {index}, of {count}");
}

/// # Panics
///
/// If the slice `name` that a function was given has not just so many numbers.
#[inline]
#[track_caller]
pub(crate) fn check_equal(function: &str, name: &str, length: usize, expected: usize) {
    assert!(length == expected, "{function}: `{name}` has {length} numbers, expected {expected}");
}
