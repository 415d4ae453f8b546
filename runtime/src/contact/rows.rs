//! The rows of a step's problem and their responses, coordinate by coordinate.
//!
//! > A = T W R,  s = W R Λ
//!
//! T holds rows and R their responses, W is diagonal with a weight for each coordinate. All are stored so that
//! what belongs to one coordinate lies side by side, row after row, filled up to whole registers. Most
//! coordinates move few rows; which registers of rows they move is known.

use alloc::vec::Vec;

use crate::arithmetic::Lanes;
use crate::cone::MANY;
use crate::kernel::{Computation, Real, compute};
use crate::slices::{dot, sqrt, zeros};

/// Numbers of a register.
const WIDTH: usize = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    nv: usize,
    count: usize,
    stride: usize,
    /// (stride, nv), column by column.
    rows: Vec<f64>,
    /// Empty where they are the rows.
    responses: Vec<f64>,
    /// W, (nv).
    weights: Vec<f64>,
    /// Of each coordinate, a bit for each register of rows that it moves; the last one stands for all beyond.
    moved: Vec<u64>,
    beside: Vec<usize>,
    /// The registers of the last rows.
    last: u64,
    /// The responses of all impulses in sum, (nv).
    response: Vec<f64>,
}

impl Rows {
    /// Room for so many rows of `nv` numbers, all zero.
    pub(super) fn clear(&mut self, nv: usize, capacity: usize) {
        (self.nv, self.count) = (nv, 0);
        self.beside.clear();
        self.stride = capacity.next_multiple_of(WIDTH);
        zeros(&mut self.rows, self.stride * nv);
        self.moved.clear();
        self.moved.resize(nv, 0);
    }

    /// The same, where as many rows will be written at the same coordinates as before.
    #[inline(always)]
    pub(super) fn rewind(&mut self) {
        self.count = 0;
        self.beside.clear();
    }

    /// Adds rows of zeros, one at least.
    #[inline(always)]
    pub(super) fn push(&mut self, count: usize) {
        self.last = registers(self.count, self.count + count - 1);
        self.count += count;
    }

    /// Adds a row of zeros that is of the contact before it, beside its normal and tangents.
    pub(super) fn push_beside(&mut self) {
        self.beside.push(self.count);
        self.push(1);
    }

    /// The rows that are of contacts beside normals and tangents.
    #[inline(always)]
    pub(super) fn beside(&self) -> &[usize] {
        &self.beside
    }

    /// Writes the entries of the last rows, which are as many as the values, at a coordinate.
    #[inline(always)]
    pub(super) fn write<const K: usize>(&mut self, coordinate: usize, values: [f64; K]) {
        let first = coordinate * self.stride + self.count - K;
        self.rows[first..first + K].copy_from_slice(&values);
        self.moved[coordinate] |= self.last;
    }

    /// Where responses are rows times the weight of each coordinate.
    #[inline]
    pub(super) fn respond_by(&mut self, weights: &[f64]) {
        self.responses.clear();
        self.weights.clear();
        self.weights.extend_from_slice(weights);
    }

    /// Where `respond` turns a row, (nv), into its response.
    pub(super) fn respond_with(&mut self, mut respond: impl FnMut(&mut [f64])) {
        self.weights.clear();
        self.weights.resize(self.nv, 1.0);
        self.responses.clone_from(&self.rows);
        let mut one = core::mem::take(&mut self.response);
        for i in 0..self.count {
            one.clear();
            one.extend((0..self.nv).map(|k| self.rows[k * self.stride + i]));
            respond(&mut one);
            one.iter().enumerate().for_each(|(k, &x)| self.responses[k * self.stride + i] = x);
        }
        self.response = one;
        // Coordinates respond to rows that do not move them.
        let all = registers(0, self.count.saturating_sub(1));
        self.moved.fill(all);
    }

    /// Whether there are so many rows that a factor of A is of use, and it can be had.
    #[inline(always)]
    pub(super) fn are_many(&self) -> bool {
        self.count > MANY * self.nv && self.responses.is_empty()
    }

    /// Writes Y of A = Y Yᵀ, (n, nv) row by row, where responses are weighted rows.
    pub(super) fn factor(&self, y: &mut Vec<f64>) {
        zeros(y, self.count * self.nv);
        let of_coordinates = self.rows.chunks_exact(self.stride).zip(&self.weights);
        for (k, (column, weight)) in of_coordinates.enumerate() {
            let (scale, entries) = (sqrt(*weight), y[k..].iter_mut().step_by(self.nv));
            entries.zip(column).for_each(|(y, entry)| *y = scale * entry);
        }
    }

    /// What an impulse of one along a row makes faster, its entry on the diagonal of A.
    pub(super) fn compliance(&self, row: usize) -> f64 {
        let responses = if self.responses.is_empty() { &self.rows } else { &self.responses };
        let entries = self.rows.iter().skip(row).step_by(self.stride.max(1));
        let responses = responses.iter().skip(row).step_by(self.stride.max(1));
        entries.zip(responses).zip(&self.weights).map(|((row, of), weight)| weight * row * of).sum()
    }

    /// Writes A, (n, n) column by column.
    #[inline]
    pub(super) fn delassus(&self, a: &mut Vec<f64>) {
        // All of it is written.
        a.resize(self.count * self.count, 0.0);
        compute(Product { rows: self, a });
    }

    /// The responses of these impulses along the rows in sum, (nv).
    pub(super) fn respond_to(&mut self, impulses: &[f64]) -> &mut [f64] {
        let responses = if self.responses.is_empty() { &self.rows } else { &self.responses };
        let all = responses.chunks_exact(self.stride.max(1)).zip(&self.weights);
        self.response.clear();
        self.response.extend(all.map(|(of, weight)| weight * dot(&of[..impulses.len()], impulses)));
        self.response.resize(self.nv, 0.0);
        &mut self.response
    }

    /// w = T x of all rows, for x of as many numbers as they have.
    pub(super) fn multiply(&self, x: &[f64], w: &mut [f64]) {
        w.fill(0.0);
        let all = self.rows.chunks_exact(self.stride.max(1)).zip(x);
        all.for_each(|(of, x)| w.iter_mut().zip(of).for_each(|(w, entry)| *w += entry * x));
    }

    /// p += Σ r Λ for impulses Λ along the rows r from the `first`th on.
    pub(super) fn add_force(&self, first: usize, impulses: &[f64], p: &mut [f64]) {
        let all = self.rows.chunks_exact(self.stride.max(1));
        let force = |of: &[f64]| dot(&of[first..][..impulses.len()], impulses);
        p.iter_mut().zip(all).for_each(|(p, of)| *p += force(of));
    }
}

/// The bits of the registers from that of one row to that of another.
#[inline(always)]
fn registers(first: usize, last: usize) -> u64 {
    let bits = |row: usize| u64::MAX >> (63 - (row / WIDTH).min(63));
    bits(last) & !(bits(first) >> 1)
}

/// A = T W R, symmetric: columns from the register of the diagonal on, four at a time, then mirrored.
struct Product<'a> {
    rows: &'a Rows,
    a: &'a mut [f64],
}

impl Computation for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Self { rows, a } = self;
        let count = rows.stride / WIDTH;
        for group in 0..count {
            let mut first = group;
            while first < count {
                match count - first {
                    1 => rows.tile::<A, 1>(a, group, first),
                    2 => rows.tile::<A, 2>(a, group, first),
                    _ => rows.tile::<A, 3>(a, group, first),
                }
                first += 3;
            }
        }
        let n = rows.count;
        for group in 1..n.div_ceil(WIDTH) {
            for row in 0..WIDTH * group {
                let rows = &a[row * n + WIDTH * group..(row + 1) * n];
                let count = rows.len().min(WIDTH);
                let mirrored: [f64; WIDTH] = match rows.first_chunk() {
                    Some(rows) => *rows,
                    None => core::array::from_fn(|k| rows[k.min(count - 1)]),
                };
                let to = &mut a[WIDTH * group * n + row..];
                (0..count).for_each(|k| to[k * n] = mirrored[k]);
            }
        }
    }
}

impl Rows {
    /// Four columns of A in K registers of rows each, all counted in registers.
    #[inline(always)]
    fn tile<A: Real, const K: usize>(&self, a: &mut [f64], group: usize, first: usize) {
        let mut sums = [[A::Quad::splat(0.0); K]; WIDTH];
        let responses = if self.responses.is_empty() { &self.rows } else { &self.responses };
        let row_of = registers(WIDTH * first, WIDTH * (first + K) - 1);
        let column_of = registers(WIDTH * group, WIDTH * group);
        let of_coordinates = self.rows.chunks_exact(self.stride);
        let of_coordinates = of_coordinates.zip(responses.chunks_exact(self.stride));
        let of_coordinates = of_coordinates.zip(self.weights.iter().zip(&self.moved));
        for ((row, response), (&weight, moved)) in of_coordinates {
            if moved & row_of == 0 || moved & column_of == 0 {
                continue;
            }
            let factors = response.as_chunks::<WIDTH>().0[group];
            let weight = A::Quad::splat(weight);
            let registers = &row.as_chunks::<WIDTH>().0[first..first + K];
            let registers: [A::Quad; K] =
                core::array::from_fn(|k| A::Quad::pack(registers[k]) * weight);
            for (sums, factor) in sums.iter_mut().zip(factors) {
                let factor = A::Quad::splat(factor);
                for (sum, register) in sums.iter_mut().zip(registers) {
                    *sum = factor.mul_add(register, *sum);
                }
            }
        }
        let n = self.count;
        for (c, sums) in sums.iter().enumerate() {
            let column = WIDTH * group + c;
            if column >= n {
                break;
            }
            for (k, sum) in sums.iter().enumerate() {
                let (row, sum) = (WIDTH * (first + k), sum.unpack());
                let rest = &mut a[column * n + row..(column + 1) * n];
                match rest.first_chunk_mut() {
                    Some(whole) => *whole = sum,
                    None => rest.iter_mut().zip(sum).for_each(|(a, x)| *a = x),
                }
            }
        }
    }
}
