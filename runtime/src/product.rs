//! Products of small dense matrices within a kernel.
//!
//! Straight-line code for n³ products is as long as it is slow; these loops are a few instructions. The
//! columns x of −X x are taken by two and the rows of X by strips, whose sums stay in registers: of one
//! state as many rows as fill them with two columns; of several states, where each number is a
//! register, few rows of two columns, or all rows of one where they fit.

use core::ops::Range;

use crate::arithmetic::{Arithmetic, Lanes};

/// Two columns, row by row.
type Pair<A, const N: usize> = [[<A as Arithmetic>::Scalar; 2]; N];

/// Some rows of a matrix by four, column by column.
type Strip<A, const N: usize, const Q: usize> = [[<A as Arithmetic>::Quad; Q]; N];

/// Bytes of the widest register.
const REGISTER: usize = 64;

/// Sums, each a register, that a loop holds.
const SUMS: usize = 24;

/// Replaces every column x of `blocks`, but those of the last `N`, by −X x, where X is the matrix of
/// the last `N` columns: `S` strips of `Q` times four rows, or `T` of four. `support` has for each two
/// columns x where their entries can differ from zero.
#[doc(hidden)]
#[inline(always)]
pub fn negated_products<
    A: Arithmetic,
    const N: usize,
    const S: usize,
    const Q: usize,
    const T: usize,
>(
    blocks: &mut [A::Scalar],
    support: &[&[Range<usize>]],
) {
    let (columns, _) = blocks.as_chunks_mut::<N>();
    let Some(count) = columns.len().checked_sub(N) else { return };
    let (columns, matrix) = columns.split_at_mut(count);
    let (pairs, _) = columns.as_chunks_mut();
    let wide = const { size_of::<A::Quad>() > REGISTER };
    if !wide {
        by_strips::<A, N, S, Q>(pairs, matrix, support);
    } else if N > SUMS {
        by_strips::<A, N, T, 1>(pairs, matrix, support);
    } else {
        for (pair, ranges) in pairs.iter_mut().zip(support) {
            pair.iter_mut().for_each(|x| *x = by_columns::<A, N>(matrix, x, ranges));
        }
    }
}

/// Strip by strip, two columns at once.
#[inline(always)]
fn by_strips<A: Arithmetic, const N: usize, const S: usize, const Q: usize>(
    pairs: &mut [[[A::Scalar; N]; 2]],
    matrix: &[[A::Scalar; N]],
    support: &[&[Range<usize>]],
) {
    let strips = strips::<A, N, S, Q>(matrix);
    let mut x = [[A::literal(0.0); 2]; N];
    for (pair, ranges) in pairs.iter_mut().zip(support) {
        gather::<A, N>(pair, ranges, &mut x);
        for (s, strip) in strips.iter().enumerate() {
            for (column, sums) in pair.iter_mut().zip(&sums::<A, N, Q>(strip, &x, ranges)) {
                for (rows, &sum) in column.chunks_mut(4).skip(Q * s).zip(sums) {
                    write((-sum).unpack(), rows);
                }
            }
        }
    }
}

/// −X x, all rows at once.
#[inline(always)]
fn by_columns<A: Arithmetic, const N: usize>(
    matrix: &[[A::Scalar; N]],
    column: &[A::Scalar; N],
    ranges: &[Range<usize>],
) -> [A::Scalar; N] {
    let mut sums = [A::literal(0.0); N];
    for range in ranges {
        let (Some(matrix), Some(column)) = (matrix.get(range.clone()), column.get(range.clone()))
        else {
            break;
        };
        for (factors, &x) in matrix.iter().zip(column) {
            let x = -x;
            for (sum, &factor) in sums.iter_mut().zip(factors) {
                *sum = A::mul_add(factor, x, *sum);
            }
        }
    }
    sums
}

/// The products of a strip and two columns.
#[inline(always)]
fn sums<A: Arithmetic, const N: usize, const Q: usize>(
    strip: &Strip<A, N, Q>,
    x: &Pair<A, N>,
    ranges: &[Range<usize>],
) -> [[A::Quad; Q]; 2] {
    let mut sums = [[A::Quad::splat(A::literal(0.0)); Q]; 2];
    for range in ranges {
        let (Some(strip), Some(x)) = (strip.get(range.clone()), x.get(range.clone())) else {
            break;
        };
        for (factors, x) in strip.iter().zip(x) {
            for (sums, &x) in sums.iter_mut().zip(x) {
                let x = A::Quad::splat(x);
                for (sum, factor) in sums.iter_mut().zip(factors) {
                    *sum = factor.mul_add(x, *sum);
                }
            }
        }
    }
    sums
}

/// The rows of a matrix by strips, filled up with zeros.
#[inline(always)]
fn strips<A: Arithmetic, const N: usize, const S: usize, const Q: usize>(
    matrix: &[[A::Scalar; N]],
) -> [Strip<A, N, Q>; S] {
    let zero = A::literal(0.0);
    let mut strips = [[[A::Quad::splat(zero); Q]; N]; S];
    for (k, column) in matrix.iter().enumerate() {
        for (strip, rows) in strips.iter_mut().zip(column.chunks(4 * Q)) {
            let quads = strip.get_mut(k).into_iter().flatten();
            for (quad, rows) in quads.zip(rows.chunks(4)) {
                *quad = A::Quad::pack(four(rows, zero));
            }
        }
    }
    strips
}

/// Two columns row by row, where they can differ from zero.
#[inline(always)]
fn gather<A: Arithmetic, const N: usize>(
    [first, second]: &[[A::Scalar; N]; 2],
    ranges: &[Range<usize>],
    x: &mut Pair<A, N>,
) {
    for range in ranges {
        let parts = (x.get_mut(range.clone()), first.get(range.clone()), second.get(range.clone()));
        let (Some(x), Some(first), Some(second)) = parts else { return };
        for ((x, &first), &second) in x.iter_mut().zip(first).zip(second) {
            *x = [first, second];
        }
    }
}

/// Four numbers, the last ones `zero` where there are fewer.
#[inline(always)]
fn four<T: Copy>(numbers: &[T], zero: T) -> [T; 4] {
    numbers.first_chunk().copied().unwrap_or_else(|| {
        let mut four = [zero; 4];
        four.iter_mut().zip(numbers).for_each(|(x, &number)| *x = number);
        four
    })
}

/// As many numbers as there is room for.
#[inline(always)]
fn write<T: Copy>(numbers: [T; 4], room: &mut [T]) {
    match room.first_chunk_mut() {
        Some(room) => *room = numbers,
        None => room.iter_mut().zip(numbers).for_each(|(room, number)| *room = number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{F64x8, Input, Kernel, Number, evaluate};

    /// Products of `N` rows whose columns have entries in the first, and in the last two rows.
    enum Products<const N: usize, const S: usize, const Q: usize, const T: usize> {}

    impl<const N: usize, const S: usize, const Q: usize, const T: usize> Kernel
        for Products<N, S, Q, T>
    {
        #[inline(always)]
        fn run<A: Arithmetic>(_: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
            let both: &[Range<usize>] = &[0..1, N - 2..N];
            negated_products::<A, N, S, Q, T>(output, &[both, &[], both]);
        }
    }

    fn sparse<const N: usize>(column: usize, row: usize) -> f64 {
        let filled = column / 2 != 1 && (row == 0 || row + 2 >= N);
        if filled { 0.3 + column as f64 - 0.1 * row as f64 } else { 0.0 }
    }

    fn dense(column: usize, row: usize) -> f64 {
        (0.7 * column as f64 + 1.9 * row as f64).sin()
    }

    fn agree<const N: usize, const S: usize, const Q: usize, const T: usize>() {
        let given = (0..6).flat_map(|j| (0..N).map(move |i| sparse::<N>(j, i)));
        let matrix = (0..N).flat_map(|j| (0..N).map(move |i| dense(j, i)));
        let given: Vec<f64> = given.chain(matrix).collect();
        let product = |j, i| -(0..N).map(|k| dense(k, i) * sparse::<N>(j, k)).sum::<f64>();
        let expected = (0..6).flat_map(|j| (0..N).map(move |i| product(j, i)));
        let expected: Vec<f64> = expected.chain(given[6 * N..].iter().copied()).collect();
        let near = |found: &[f64]| {
            let errors = found.iter().zip(&expected).map(|(x, y)| (x - y).abs());
            assert!(errors.fold(0.0, f64::max) < 1e-13, "{N}: {found:?}, not {expected:?}");
        };
        let mut one = given.clone();
        let nothing = Input::default();
        evaluate::<Products<N, S, Q, T>>(&nothing, &mut one);
        near(&one);
        let mut eight: Vec<F64x8> = given.iter().map(|&x| F64x8::splat(x)).collect();
        let nothing = Input::default();
        F64x8::evaluate::<Products<N, S, Q, T>>(&nothing, &mut eight);
        (0..8).for_each(|lane| near(&eight.iter().map(|x| x[lane]).collect::<Vec<_>>()));
    }

    #[test]
    fn products_of_all_sizes_are_those_of_the_definition() {
        agree::<3, 1, 1, 1>();
        agree::<4, 1, 1, 1>();
        agree::<7, 1, 2, 2>();
        agree::<18, 1, 5, 5>();
        agree::<26, 2, 4, 7>();
        agree::<38, 2, 5, 10>();
    }
}
