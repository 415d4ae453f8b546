//! The rows of a step's problem and their responses, coordinate by coordinate.
//!
//! > A = T R,  s = R Λ
//!
//! T holds rows and R their responses; both are stored so that what belongs to one coordinate lies side by
//! side, row after row, filled up to whole registers.

use alloc::vec::Vec;

use crate::arithmetic::Lanes;
use crate::kernel::{Computation, Real, compute};
use crate::slices::{dot, zeros};

/// Numbers of a register.
const WIDTH: usize = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    nv: usize,
    count: usize,
    stride: usize,
    /// (stride, nv), column by column.
    rows: Vec<f64>,
    responses: Vec<f64>,
    /// The velocity along each row that there would be without impulses.
    free: Vec<f64>,
    /// The responses of all impulses in sum, (nv).
    response: Vec<f64>,
}

impl Rows {
    /// Room for so many rows of `nv` numbers, all zero.
    pub(super) fn clear(&mut self, nv: usize, capacity: usize) {
        (self.nv, self.count) = (nv, 0);
        self.stride = capacity.next_multiple_of(WIDTH);
        zeros(&mut self.rows, self.stride * nv);
        self.free.clear();
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds a row of zeros with its velocity without impulses.
    pub(super) fn push(&mut self, free: f64) {
        self.free.push(free);
        self.count += 1;
    }

    /// Writes the entries of the last rows, as many as there are `values`, at a coordinate.
    pub(super) fn write(&mut self, coordinate: usize, values: &[f64]) {
        let first = coordinate * self.stride + self.count - values.len();
        self.rows[first..first + values.len()].copy_from_slice(values);
    }

    /// The velocity along row `i` without impulses.
    pub(super) fn free(&self, i: usize) -> f64 {
        self.free[i]
    }

    /// Where responses are rows divided by the pivot of each coordinate, whose inverses these are.
    pub(super) fn respond_by(&mut self, inverse_pivots: &[f64]) {
        self.responses.clone_from(&self.rows);
        let of_coordinates = self.responses.chunks_exact_mut(self.stride.max(1));
        for (response, &inverse) in of_coordinates.zip(inverse_pivots) {
            response.iter_mut().for_each(|x| *x *= inverse);
        }
    }

    /// Where `respond` turns a row, (nv), into its response.
    pub(super) fn respond_with(&mut self, mut respond: impl FnMut(&mut [f64])) {
        self.responses.clone_from(&self.rows);
        let mut one = core::mem::take(&mut self.response);
        for i in 0..self.count {
            one.clear();
            one.extend((0..self.nv).map(|k| self.rows[k * self.stride + i]));
            respond(&mut one);
            one.iter().enumerate().for_each(|(k, &x)| self.responses[k * self.stride + i] = x);
        }
        self.response = one;
    }

    /// Writes A, (n, n) column by column.
    pub(super) fn delassus(&self, a: &mut Vec<f64>) {
        let n = self.count;
        zeros(a, n * n);
        compute(Product { rows: self, a });
    }

    /// The responses of these impulses along the rows in sum, (nv).
    pub(super) fn respond_to(&mut self, impulses: &[f64]) -> &mut [f64] {
        self.response.clear();
        let all = self.responses.chunks_exact(self.stride.max(1)).take(self.nv);
        self.response.extend(all.map(|of| dot(&of[..impulses.len()], impulses)));
        self.response.resize(self.nv, 0.0);
        &mut self.response
    }

    /// p += Σ r Λ for impulses Λ along the rows r.
    pub(super) fn add_force(&self, impulses: &[f64], p: &mut [f64]) {
        let all = self.rows.chunks_exact(self.stride.max(1));
        p.iter_mut().zip(all).for_each(|(p, of)| *p += dot(&of[..impulses.len()], impulses));
    }
}

/// A = T R, symmetric: columns from the register of the diagonal on, four at a time, then mirrored.
struct Product<'a> {
    rows: &'a Rows,
    a: &'a mut [f64],
}

impl Computation for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Self { rows, a } = self;
        let registers = rows.stride / WIDTH;
        for group in 0..registers {
            let mut first = group;
            while first < registers {
                match registers - first {
                    1 => rows.tile::<A, 1>(a, group, first),
                    2 => rows.tile::<A, 2>(a, group, first),
                    _ => rows.tile::<A, 3>(a, group, first),
                }
                first += 3;
            }
        }
        let n = rows.count;
        for j in 0..n {
            (0..j / WIDTH * WIDTH).for_each(|i| a[j * n + i] = a[i * n + j]);
        }
    }
}

impl Rows {
    /// Four columns of A in K registers of rows each, all counted in registers.
    #[inline(always)]
    fn tile<A: Real, const K: usize>(&self, a: &mut [f64], group: usize, first: usize) {
        let mut sums = [[A::Quad::splat(0.0); K]; WIDTH];
        let of_coordinates = self.rows.chunks_exact(self.stride);
        for (row, response) in of_coordinates.zip(self.responses.chunks_exact(self.stride)) {
            let factors = response.as_chunks::<WIDTH>().0[group];
            // Most coordinates move few rows.
            if factors == [0.0; WIDTH] {
                continue;
            }
            let registers = &row.as_chunks::<WIDTH>().0[first..first + K];
            for (sums, factor) in sums.iter_mut().zip(factors) {
                let factor = A::Quad::splat(factor);
                for (sum, register) in sums.iter_mut().zip(registers) {
                    *sum = factor.mul_add(A::Quad::pack(*register), *sum);
                }
            }
        }
        let columns = a.chunks_exact_mut(self.count).skip(group * WIDTH);
        for (column, sums) in columns.zip(sums) {
            let (whole, rest) = column[first * WIDTH..].as_chunks_mut::<WIDTH>();
            for (k, sum) in sums.into_iter().enumerate() {
                match whole.get_mut(k) {
                    Some(register) => *register = sum.unpack(),
                    None => rest.iter_mut().zip(sum.unpack()).for_each(|(a, x)| *a = x),
                }
            }
        }
    }
}
