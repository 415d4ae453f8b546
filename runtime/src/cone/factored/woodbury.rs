//! The steps of Woodbury's identity: P and Q block by block, the matrix of velocities, and what follows from y.

use super::super::elimination::{self, TRUSTED};
use super::super::modes::Modes;
use super::super::operator::{Damping, Operator};
use super::super::problem::BLOCK_ROWS;
use super::super::small::Small;
use super::super::vector::{add, dot};
use super::super::view::View;
use super::products::multiply;
use super::{Factored, Room};
use crate::kernel::Real;
use crate::slices::zeros;

/// Pivots by the largest one, below which a matrix counts as singular.
const SINGULAR: f64 = 1e-15;

impl Factored<'_> {
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.width..][..self.width]
    }

    /// Begins 1 + Q D⁻¹ P and Q D⁻¹ r for so many unknowns.
    #[inline(always)]
    pub(super) fn open(&mut self, unknowns: usize) {
        let width = self.width;
        let Room { matrix, scaled, forces, tests, side, y, inverses, .. } = &mut *self.room;
        let matrix = zeros(matrix, width * width);
        matrix.iter_mut().step_by(width + 1).for_each(|x| *x = 1.0);
        zeros(scaled, unknowns * width);
        zeros(forces, BLOCK_ROWS * width);
        zeros(tests, BLOCK_ROWS * width);
        zeros(side, unknowns);
        zeros(y, width);
        inverses.clear();
    }

    /// Adds a block of unknowns from `at` on, whose rows of P and Qᵀ are in `tests` and `forces`.
    #[inline(always)]
    pub(super) fn add_block<A: Real>(&mut self, (at, count): (usize, usize), inverse: &Small) {
        let width = self.width;
        let Room { matrix, scaled, forces, tests, .. } = &mut *self.room;
        for k in 0..count {
            let row = &mut scaled[(at + k) * width..][..width];
            for j in 0..count {
                add::<A>(row, inverse[k][j], &tests[j * width..][..width]);
            }
            let force = &forces[k * width..][..width];
            for (column, &factor) in matrix.chunks_exact_mut(width).zip(&*row) {
                add::<A>(column, factor, force);
            }
        }
    }

    /// Factors 1 + Q D⁻¹ P. Whether it is regular, and without exchanges.
    #[inline(always)]
    fn factor<A: Real>(&mut self) -> (bool, bool) {
        let width = self.width;
        let Room { matrix, spare, diagonal, lu, .. } = &mut *self.room;
        spare.clone_from(matrix);
        if elimination::factor::<A>(width, matrix, diagonal) > TRUSTED {
            return (true, true);
        }
        (lu.factor(width, spare.iter().copied()) > SINGULAR, false)
    }

    /// w where unknowns are as they were.
    #[inline(always)]
    pub(super) fn start<A: Real>(&mut self, view: &View<'_>, modes: &Modes) {
        let (mut last, mut w) =
            (core::mem::take(&mut self.room.last), core::mem::take(&mut self.room.w));
        zeros(&mut last, self.damping.len());
        zeros(&mut w, self.damping.len());
        last[..modes.fixed.len()].copy_from_slice(&modes.fixed);
        for unknown in &modes.unknowns {
            for (k, x) in last[unknown.first..][..unknown.rows].iter_mut().enumerate() {
                *x = A::mul_add(unknown.force[k], unknown.last, *x);
            }
        }
        self.apply::<A>(view, &last, &mut w);
        (self.room.last, self.room.w) = (last, w);
    }

    /// y. Whether there is one.
    #[inline(always)]
    pub(super) fn finish<A: Real>(&mut self) -> bool {
        let (regular, plain) = self.factor::<A>();
        let Room { matrix, lu, y, .. } = &mut *self.room;
        match (regular, plain) {
            (true, true) => elimination::solve::<A>(self.width, matrix, y),
            (true, false) => lu.solve(y),
            (false, _) => {}
        }
        regular
    }

    /// x = (A + D)⁻¹ x, as well as D⁻¹ allows.
    #[inline(always)]
    pub(super) fn solve_once<A: Real>(&mut self, damping: &[Damping], x: &mut [f64]) {
        let width = self.width;
        let Room { matrix, scaled, inverses, y, .. } = &mut *self.room;
        let y = zeros(y, width);
        for (of, inverse) in damping.iter().zip(&*inverses) {
            multiply(inverse, &mut x[of.first..][..of.rows]);
        }
        for (row, &x) in self.rows.chunks_exact(width).zip(&*x) {
            add::<A>(y, x, row);
        }
        elimination::solve::<A>(width, matrix, y);
        for (row, x) in scaled.chunks_exact(width).zip(x) {
            *x -= dot::<A>(row, y);
        }
    }
}
