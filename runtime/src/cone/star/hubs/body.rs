//! The problem of the bodies' velocities.

use alloc::vec::Vec;

use super::rows::{add, load, store};
use super::sums_over_lanes;
use super::system::System;
use crate::arithmetic::Lanes;
use crate::cone::star::{Each, LANES, Shared, WIDEST};
use crate::cone::vector::affine;
use crate::kernel::Real;
use crate::slices::larger;

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
    /// D⁻¹ + Lᵀ N L.
    system: System,
    /// Impulses and velocities of the bodies.
    impulse: Vec<f64>,
    velocity: Vec<f64>,
    none: Vec<f64>,
}

/// The six numbers of a body.
#[inline(always)]
pub(super) fn of_body(all: &[f64], body: usize) -> Shared {
    let (bodies, _) = all.as_chunks::<WIDEST>();
    bodies.get(body).copied().unwrap_or_default()
}

/// Writes a column of L from what is left of that of Ω, by its pivot.
#[inline(always)]
fn write_column<A: Real, const R: usize>(
    to: &mut [Each; R],
    mut column: [A::Quad; R],
    inverse: f64,
    k: usize,
) {
    for register in &mut column {
        *register = *register * A::Quad::splat(inverse);
    }
    store::<A, R>(to, &column);
    let to = to.as_flattened_mut();
    to[..k].fill(0.0);
    to[k] = 1.0;
}

impl Bodies {
    /// Takes Ω of so many bodies.
    #[inline(always)]
    pub(super) fn begin<A: Real, const R: usize>(&mut self, count: usize, compliance: &[f64]) {
        let width = LANES * R;
        if self.count != count {
            self.count = count;
            for all in [&mut self.rows, &mut self.columns, &mut self.product] {
                all.clear();
                all.resize(width * R, [0.0; LANES]);
            }
            self.system.clear(R);
            self.inverse.clear();
            self.inverse.resize(width, 1.0);
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

    /// Finds L and D, two columns at once, as [`System`] does.
    #[inline(always)]
    fn factor<A: Real, const R: usize>(&mut self) {
        let n = WIDEST * self.count;
        let (rows, _) = self.rows.as_chunks_mut::<R>();
        let (columns, _) = self.columns.as_chunks_mut::<R>();
        let (rows, columns) = (&mut rows[..n], &mut columns[..n]);
        let mut least = [[0.0; LANES]; R];
        for (k, least) in least.as_flattened_mut().iter_mut().enumerate().take(n) {
            rows[k].as_flattened_mut()[k] = 1.0;
            *least = ROUNDING * columns[k].as_flattened()[k];
        }
        let least = least.as_flattened();
        for k in (0..n).step_by(2) {
            let (done, rest) = columns.split_at_mut(k + 2);
            let [.., first, second] = done else { break };
            let (pivot, beside) = (first.as_flattened()[k], second.as_flattened()[k]);
            let inverse = 1.0 / larger(pivot, least[k]);
            let by = inverse * beside;
            let pivot = A::mul_add(-by, beside, second.as_flattened()[k + 1]);
            let next = 1.0 / larger(pivot, least[k + 1]);
            let (one, mut other) = (load::<A, R>(first), load::<A, R>(second));
            add::<A, R>(&mut other, -by, &one);
            rows[k + 1].as_flattened_mut()[k] = by;
            for (column, row) in rest.iter_mut().zip(&mut rows[k + 2..]) {
                let (entries, mut sum) = (column.as_flattened(), load::<A, R>(column));
                let by = inverse * entries[k];
                let and = next * A::mul_add(-by, beside, entries[k + 1]);
                add::<A, R>(&mut sum, -by, &one);
                add::<A, R>(&mut sum, -and, &other);
                store::<A, R>(column, &sum);
                row.as_flattened_mut()[k..k + 2].copy_from_slice(&[by, and]);
            }
            write_column::<A, R>(first, one, inverse, k);
            write_column::<A, R>(second, other, next, k + 1);
            self.inverse[k..k + 2].copy_from_slice(&[inverse, next]);
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
        let Self { rows, inverse, product, system, .. } = self;
        let (rows, _) = rows.as_chunks::<R>();
        let (product, _) = product.as_chunks_mut::<R>();
        for (body, sums) in sums.iter().enumerate() {
            let mut columns = [[[0.0; LANES]; 2]; WIDEST];
            for k in 0..WIDEST {
                columns[k] = sums_over_lanes::<A>(&sums[k]);
            }
            let of_body = &rows[WIDEST * body..][..WIDEST];
            for i in 0..WIDEST {
                let mut row = [A::Quad::splat(0.0); R];
                for (column, of_body) in columns.iter().zip(of_body) {
                    let by = column[i / LANES][i % LANES];
                    add::<A, R>(&mut row, by, &load::<A, R>(of_body));
                }
                store::<A, R>(&mut product[WIDEST * body + i], &row);
            }
        }
        for (register, to) in system.matrix::<R>().chunks_exact_mut(LANES).enumerate() {
            let mut columns = [[A::Quad::splat(0.0); R]; LANES];
            // Rows of L that end before these columns add nothing.
            let first = WIDEST * (LANES * register / WIDEST);
            for (row, by) in rows.iter().zip(&*product).take(WIDEST * H).skip(first) {
                let row = load::<A, R>(row);
                for lane in 0..LANES {
                    add::<A, R>(&mut columns[lane], by[register][lane], &row);
                }
            }
            for lane in 0..LANES {
                let k = LANES * register + lane;
                store::<A, R>(&mut to[lane], &columns[lane]);
                to[lane].as_flattened_mut()[k] += inverse[k];
            }
        }
    }

    /// Finds the velocities that these impulses lead to, where the matrix `is_known` if it was set up before; whether
    /// they are to be trusted.
    #[inline(always)]
    pub(super) fn solve<A: Real, const R: usize>(&mut self, is_known: bool) -> bool {
        let Self { rows, columns, system, impulse, velocity, .. } = self;
        let mut right = [A::Quad::splat(0.0); R];
        for (row, &impulse) in rows.as_chunks::<R>().0.iter().zip(&*impulse) {
            add::<A, R>(&mut right, impulse, &load::<A, R>(row));
        }
        let Some(y) = system.solve::<A, R>(impulse.len(), &right, is_known) else { return false };
        let y = y.map(Lanes::unpack);
        let mut sum = [A::Quad::splat(0.0); R];
        for (column, &y) in columns.as_chunks::<R>().0.iter().zip(y.as_flattened()) {
            add::<A, R>(&mut sum, y, &load::<A, R>(column));
        }
        for (to, from) in velocity.iter_mut().zip(sum.map(Lanes::unpack).as_flattened()) {
            *to = *from;
        }
        true
    }
}
