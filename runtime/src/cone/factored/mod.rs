//! A = Y Yᵀ + diag(σ), never formed; linear problems solved in the space of velocities.
//!
//! > (T (Y Yᵀ + σ) F + C) x = r
//! > (1 + Q D⁻¹ P) y = Q D⁻¹ r,  x = D⁻¹ (r − P y),  P = T Y,  Q = Yᵀ F,  D = T σ F + C
//!
//! D has a block for each block of rows, so that the work grows as the number of rows, and the only matrix is
//! as large as Y is wide. D must be regular, for which there is a proximal term; of r − P y only what is as small
//! as D remains, so that the term must not be too small.
//!
//! # Source
//!
//! Woodbury's identity: Golub, Van Loan: Matrix Computations (4th edition), section 2.1.4.

mod products;
mod woodbury;

use alloc::vec::Vec;

use self::products::{combine, multiply};
use super::elimination;
use super::matrix::Form;
use super::modes::{Modes, Unknown};
use super::operator::{Damping, Operator, hold};
use super::problem::BLOCK_ROWS;
use super::small::{Small, invert};
use super::vector::{add, dot};
use super::view::View;
use crate::kernel::Real;
use crate::lu::Lu;
use crate::slices::{largest, zeros};

/// Room for factored problems.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// Yᵀ λ, (nv).
    velocity: Vec<f64>,
    /// 1 + Q D⁻¹ P, (nv, nv), column by column, and the same for elimination with exchanges.
    matrix: Vec<f64>,
    spare: Vec<f64>,
    diagonal: Vec<f64>,
    lu: Lu,
    /// D⁻¹ P, a row for each unknown, and Qᵀ and P for those of one block.
    scaled: Vec<f64>,
    forces: Vec<f64>,
    tests: Vec<f64>,
    /// D⁻¹ r, and y.
    side: Vec<f64>,
    y: Vec<f64>,
    /// D⁻¹, block by block.
    inverses: Vec<Small>,
    /// λ and A λ + b where unknowns are as they were, or a right side and what is left of it.
    last: Vec<f64>,
    w: Vec<f64>,
}

impl Room {
    /// For `n` rows of Y of the width `width`.
    pub(super) fn with_capacity(n: usize, width: usize) -> Self {
        let vector = Vec::with_capacity;
        Self {
            velocity: vector(width),
            matrix: vector(width * width),
            spare: vector(width * width),
            diagonal: vector(width),
            lu: Lu::with_capacity(width),
            scaled: vector(n * width),
            forces: vector(BLOCK_ROWS * width),
            tests: vector(BLOCK_ROWS * width),
            side: vector(n),
            y: vector(width),
            inverses: Vec::with_capacity(n),
            last: vector(n),
            w: vector(n),
        }
    }
}

/// Y with its damping, and the room.
pub(super) struct Factored<'a> {
    /// Y, (n, width), row by row.
    pub(super) rows: &'a [f64],
    pub(super) damping: &'a [f64],
    pub(super) width: usize,
    pub(super) room: &'a mut Room,
}

/// The unknowns of one block.
fn of_one_block(unknowns: &[Unknown]) -> usize {
    unknowns.iter().take_while(|other| other.first == unknowns[0].first).count()
}

impl Operator for Factored<'_> {
    const PROXIMAL: f64 = 1e-6;

    #[inline(always)]
    fn apply<A: Real>(&mut self, view: &View<'_>, lambda: &[f64], w: &mut [f64]) {
        let matrix = Form::Factor { rows: self.rows, damping: self.damping };
        let velocity = zeros(&mut self.room.velocity, self.width);
        matrix.apply::<A>(lambda, view.b, w, velocity);
    }

    /// Solves for the change of the unknowns, so that what is lost in D⁻¹ is a part of the change.
    #[inline(always)]
    fn solve<A: Real>(&mut self, view: &View<'_>, modes: &Modes, x: &mut [f64]) -> bool {
        let (width, unknowns) = (self.width, &modes.unknowns);
        self.start::<A>(view, modes);
        self.open(unknowns.len());
        let mut at = 0;
        while at < unknowns.len() {
            let block = &unknowns[at..][..of_one_block(&unknowns[at..])];
            let mut d = Small::default();
            for (k, unknown) in block.iter().enumerate() {
                let Room { forces, tests, w, side, .. } = &mut *self.room;
                let (force, test) = (&mut forces[k * width..], &mut tests[k * width..]);
                combine::<A>(&mut force[..width], self.rows, unknown.first, &unknown.force);
                combine::<A>(&mut test[..width], self.rows, unknown.first, &unknown.test);
                side[at + k] = unknown.pull - unknown.compliance * unknown.last;
                for (i, row) in (unknown.first..).take(unknown.rows).enumerate() {
                    side[at + k] -= unknown.test[i] * w[row];
                    for (j, other) in block.iter().enumerate() {
                        d[k][j] += unknown.test[i] * self.damping[row] * other.force[i];
                    }
                }
                d[k][k] += unknown.compliance;
            }
            let inverse = invert(block.len(), &d);
            self.add_block::<A>((at, block.len()), &inverse);
            let Room { forces, side, y, .. } = &mut *self.room;
            let side = &mut side[at..][..block.len()];
            multiply(&inverse, side);
            for (k, &x) in side.iter().enumerate() {
                add::<A>(y, x, &forces[k * width..][..width]);
            }
            at += block.len();
        }
        if !self.finish::<A>() {
            return false;
        }
        let Room { scaled, side, y, .. } = &mut *self.room;
        for (k, (x, unknown)) in x.iter_mut().zip(unknowns).enumerate() {
            *x = unknown.last + side[k] - dot::<A>(&scaled[k * width..][..width], y);
        }
        true
    }

    #[inline(always)]
    fn factor_damped<A: Real>(&mut self, damping: &[Damping]) {
        let width = self.width;
        self.open(self.damping.len());
        for of in damping {
            let mut d = of.matrix;
            (0..of.rows).for_each(|k| d[k][k] += self.damping[of.first + k]);
            for k in (0..of.rows).filter(|&k| !of.free[k]) {
                d[k] = [0.0; BLOCK_ROWS];
                d.iter_mut().for_each(|row| row[k] = 0.0);
                d[k][k] = f64::INFINITY;
            }
            let inverse = invert(of.rows, &d);
            let rows = &self.rows[of.first * width..][..of.rows * width];
            let Room { forces, tests, inverses, .. } = &mut *self.room;
            forces[..rows.len()].copy_from_slice(rows);
            tests[..rows.len()].copy_from_slice(rows);
            inverses.push(inverse);
            self.add_block::<A>((of.first, of.rows), &inverse);
        }
        let Room { matrix, diagonal, .. } = &mut *self.room;
        elimination::factor_regular::<A>(width, matrix, diagonal);
    }

    /// Solves once more for what is left of the right side.
    #[inline(always)]
    fn solve_damped<A: Real>(&mut self, damping: &[Damping], x: &mut [f64]) {
        hold(damping, x);
        let mut side = core::mem::take(&mut self.room.last);
        let mut left = core::mem::take(&mut self.room.w);
        side.clear();
        side.extend_from_slice(x);
        self.solve_once::<A>(damping, x);
        zeros(&mut left, x.len());
        let matrix = Form::Factor { rows: self.rows, damping: self.damping };
        let velocity = zeros(&mut self.room.velocity, self.width);
        side.iter_mut().for_each(|x| *x = -*x);
        matrix.apply::<A>(x, &side, &mut left, velocity);
        for of in damping {
            for k in 0..of.rows {
                let (row, x) = (&of.matrix[k], &x[of.first..][..of.rows]);
                left[of.first + k] += row.iter().zip(x).map(|(d, x)| d * x).sum::<f64>();
            }
        }
        hold(damping, &mut left);
        self.solve_once::<A>(damping, &mut left);
        add::<A>(x, -1.0, &left);
        (self.room.last, self.room.w) = (side, left);
    }

    #[inline(always)]
    fn rounding<A: Real>(&mut self, lambda: &[f64]) -> f64 {
        let sums = zeros(&mut self.room.velocity, self.width);
        for (row, x) in self.rows.chunks_exact(self.width).zip(lambda) {
            sums.iter_mut().zip(row).for_each(|(sum, y)| *sum += (y * x).abs());
        }
        let mut most = largest(lambda) * largest(self.damping);
        for row in self.rows.chunks_exact(self.width) {
            most = f64::max(most, row.iter().zip(&*sums).map(|(y, sum)| y.abs() * sum).sum());
        }
        8.0 * f64::EPSILON * most
    }

    #[inline(always)]
    fn entry<A: Real>(&self, i: usize, j: usize) -> f64 {
        let damping = if i == j { self.damping[i] } else { 0.0 };
        dot::<A>(self.row(i), self.row(j)) + damping
    }

    #[inline(always)]
    fn begin<A: Real>(&mut self, _: &View<'_>, lambda: &[f64]) {
        let velocity = zeros(&mut self.room.velocity, self.width);
        for (row, &x) in self.rows.chunks_exact(self.width).zip(lambda) {
            add::<A>(velocity, x, row);
        }
    }

    #[inline(always)]
    fn rate<A: Real>(&self, view: &View<'_>, row: usize, impulse: f64) -> f64 {
        let moved = dot::<A>(self.row(row), &self.room.velocity);
        view.b[row] + A::mul_add(self.damping[row], impulse, moved)
    }

    #[inline(always)]
    fn change<A: Real>(&mut self, row: usize, by: f64) {
        let row = &self.rows[row * self.width..][..self.width];
        add::<A>(&mut self.room.velocity, by, row);
    }
}
