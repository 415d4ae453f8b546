//! The problem of the bodies' velocities.

use alloc::vec::Vec;

use super::sums_over_lanes;
use crate::arithmetic::Lanes;
use crate::cone::elimination::{self, TRUSTED};
use crate::cone::jordan;
use crate::cone::star::{Each, LANES, Shared, WIDEST};
use crate::cone::vector::affine;
use crate::kernel::Real;

/// Pivots of Ω by its diagonal entries, below which they are taken as that.
const ROUNDING: f64 = 1e-13;

/// Ω and what it couples, in rows of R registers, with zeros beyond the velocities.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    count: usize,
    /// L, row by row, and column by column.
    rows: Vec<Each>,
    columns: Vec<Each>,
    /// D⁻¹.
    inverse: Vec<f64>,
    /// N L, row by row.
    product: Vec<Each>,
    /// D⁻¹ + Lᵀ N L, column by column; and its factors, where it is large.
    matrix: Vec<Each>,
    factors: Vec<f64>,
    diagonal: Vec<f64>,
    /// Impulses and velocities of the bodies, and y.
    impulse: Vec<f64>,
    velocity: Vec<f64>,
    y: Vec<f64>,
    none: Vec<f64>,
}

/// The six numbers of a body.
#[inline(always)]
pub(super) fn of_body(all: &[f64], body: usize) -> Shared {
    let (bodies, _) = all.as_chunks::<WIDEST>();
    bodies.get(body).copied().unwrap_or_default()
}

/// R registers from the `row`th on.
#[inline(always)]
fn load<A: Real, const R: usize>(rows: &[Each], row: usize) -> [A::Quad; R] {
    let rows = &rows[R * row..][..R];
    let mut registers = [A::Quad::splat(0.0); R];
    for r in 0..R {
        registers[r] = A::Quad::pack(rows[r]);
    }
    registers
}

#[inline(always)]
fn store<A: Real, const R: usize>(rows: &mut [Each], row: usize, registers: &[A::Quad; R]) {
    let rows = &mut rows[R * row..][..R];
    for r in 0..R {
        rows[r] = registers[r].unpack();
    }
}

/// x += a y.
#[inline(always)]
fn add<A: Real, const R: usize>(x: &mut [A::Quad; R], a: f64, y: &[A::Quad; R]) {
    let a = A::Quad::splat(a);
    for r in 0..R {
        x[r] = a.mul_add(y[r], x[r]);
    }
}

impl Bodies {
    /// Takes Ω of so many bodies.
    #[inline(always)]
    pub(super) fn begin<A: Real, const R: usize>(&mut self, count: usize, compliance: &[f64]) {
        let width = LANES * R;
        if self.count != count {
            self.count = count;
            for all in [&mut self.rows, &mut self.columns, &mut self.product, &mut self.matrix] {
                all.clear();
                all.resize(width * R, [0.0; LANES]);
            }
            for all in [&mut self.inverse, &mut self.y] {
                all.clear();
                all.resize(width, 1.0);
            }
            for all in [&mut self.impulse, &mut self.velocity, &mut self.none] {
                all.clear();
                all.resize(WIDEST * count, 0.0);
            }
        }
        let columns = self.columns.as_flattened_mut().chunks_exact_mut(width);
        for (to, from) in columns.zip(compliance.chunks_exact(WIDEST * count)) {
            to[..from.len()].copy_from_slice(from);
        }
        self.factor::<A, R>();
    }

    /// Finds L and D.
    #[inline(always)]
    fn factor<A: Real, const R: usize>(&mut self) {
        let (n, width) = (WIDEST * self.count, LANES * R);
        let Self { rows, columns, inverse, .. } = self;
        let rows = rows.as_flattened_mut();
        for k in 0..n {
            rows[k * width + k] = 1.0;
        }
        let mut least = [0.0; LANES * 6];
        for k in 0..n {
            least[k] = ROUNDING * columns.as_flattened()[k * (width + 1)];
        }
        for k in 0..n {
            let pivot = columns.as_flattened()[k * (width + 1)];
            inverse[k] = 1.0 / if pivot > least[k] { pivot } else { least[k] };
            let mut column = load::<A, R>(columns, k);
            for other in k + 1..n {
                let by = -inverse[k] * columns.as_flattened()[k * width + other];
                let mut rest = load::<A, R>(columns, other);
                add::<A, R>(&mut rest, by, &column);
                store::<A, R>(columns, other, &rest);
                rows[other * width + k] = -by;
            }
            let inverse = A::Quad::splat(inverse[k]);
            for register in &mut column {
                *register = *register * inverse;
            }
            store::<A, R>(columns, k, &column);
            let column = &mut columns.as_flattened_mut()[k * width..][..n];
            column[..k].fill(0.0);
            column[k] = 1.0;
        }
    }

    /// Ω of one body, column by column.
    #[inline(always)]
    pub(super) fn block(&self, body: usize, compliance: &[f64]) -> [Shared; WIDEST] {
        let (n, first) = (WIDEST * self.count, WIDEST * body);
        let mut block = [[0.0; WIDEST]; WIDEST];
        for (k, column) in block.iter_mut().enumerate() {
            *column = of_body(&compliance[(first + k) * n + first..], 0);
        }
        block
    }

    pub(super) fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// Writes impulses from the sums over the contacts of each body.
    #[inline(always)]
    pub(super) fn write_impulses<A: Real, const H: usize>(
        &mut self,
        sums: &[[A::Quad; WIDEST]; H],
    ) {
        let (bodies, _) = self.impulse.as_chunks_mut::<WIDEST>();
        for (to, sums) in bodies.iter_mut().zip(sums) {
            let [[a, b, c, d], [e, f, ..]] = sums_over_lanes::<A>(sums);
            *to = [a, b, c, d, e, f];
        }
    }

    /// Finds the velocities that impulses change.
    #[inline(always)]
    pub(super) fn respond<A: Real>(&mut self, compliance: &[f64]) {
        affine::<A>(compliance, &self.impulse, &self.none, &mut self.velocity);
    }

    /// Sets the matrix up from the sums of N over the contacts of each body.
    #[inline(always)]
    pub(super) fn assemble<A: Real, const H: usize, const R: usize>(
        &mut self,
        sums: &[[[A::Quad; WIDEST]; WIDEST]; H],
    ) {
        let Self { rows, inverse, product, matrix, .. } = self;
        for (body, sums) in sums.iter().enumerate() {
            let mut columns = [[[0.0; LANES]; 2]; WIDEST];
            for k in 0..WIDEST {
                columns[k] = sums_over_lanes::<A>(&sums[k]);
            }
            for i in 0..WIDEST {
                let mut row = [A::Quad::splat(0.0); R];
                for (k, column) in columns.iter().enumerate() {
                    let of_body = load::<A, R>(rows, WIDEST * body + k);
                    add::<A, R>(&mut row, column[i / LANES][i % LANES], &of_body);
                }
                store::<A, R>(product, WIDEST * body + i, &row);
            }
        }
        for register in 0..R {
            let mut columns = [[A::Quad::splat(0.0); R]; LANES];
            // Rows of L that end before these columns add nothing.
            let first = WIDEST * (LANES * register / WIDEST);
            for i in first..WIDEST * H {
                let row = load::<A, R>(rows, i);
                let by = product[R * i + register];
                for lane in 0..LANES {
                    add::<A, R>(&mut columns[lane], by[lane], &row);
                }
            }
            for (lane, column) in columns.iter().enumerate() {
                let k = LANES * register + lane;
                store::<A, R>(matrix, k, column);
                matrix.as_flattened_mut()[k * (LANES * R + 1)] += inverse[k];
            }
        }
    }

    /// Finds the velocities that these impulses lead to, where the matrix `is_known` if it was set up before; whether
    /// they are to be trusted.
    #[inline(always)]
    pub(super) fn solve<A: Real, const R: usize>(&mut self, is_known: bool) -> bool {
        let Self { rows, columns, matrix, factors, diagonal, impulse, velocity, y, .. } = self;
        let mut sum = [A::Quad::splat(0.0); R];
        for (i, &impulse) in impulse.iter().enumerate() {
            add::<A, R>(&mut sum, impulse, &load::<A, R>(rows, i));
        }
        let (registers, _) = y.as_chunks_mut();
        store::<A, R>(registers, 0, &sum);
        let matrix = matrix.as_flattened();
        if LANES * R <= jordan::LARGEST {
            if !jordan::solve::<A>(LANES * R, matrix, y) {
                return false;
            }
        } else {
            if !is_known {
                factors.clear();
                factors.extend_from_slice(matrix);
                if elimination::factor::<A>(LANES * R, factors, diagonal) <= TRUSTED {
                    return false;
                }
            }
            elimination::solve::<A>(LANES * R, factors, y);
        }
        let mut sum = [A::Quad::splat(0.0); R];
        for (k, &y) in y.iter().enumerate() {
            add::<A, R>(&mut sum, y, &load::<A, R>(columns, k));
        }
        for (to, from) in velocity.iter_mut().zip(sum.map(Lanes::unpack).as_flattened()) {
            *to = *from;
        }
        true
    }
}
