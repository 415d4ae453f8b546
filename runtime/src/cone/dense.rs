//! A given by its entries; the linear problem of modes solved by elimination.
//!
//! > (T A F + C) x = p − T (A λ₀ + b),  λ = λ₀ + F x
//!
//! with the columns F and the rows T of the unknowns, both zero outside one block each. The matrix is symmetric
//! positive semidefinite unless a contact slides under Coulomb's law. It is eliminated without exchanges; where a
//! pivot is small against the diagonal entry that it came from, with.

use alloc::vec::Vec;

use super::elimination::{self, TRUSTED};
use super::jordan;
use super::modes::{Modes, Run, Unknown};
use super::operator::{Damping, Operator, hold};
use super::vector::{add, affine};
use super::view::View;
use crate::kernel::Real;
use crate::lu::Lu;
use crate::slices::largest;

/// Pivots by the largest one, below which a matrix counts as singular.
const SINGULAR: f64 = 1e-13;

/// Room for dense problems.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// T A F + C, (m, m), column by column.
    matrix: Vec<f64>,
    /// A F for one unknown.
    column: Vec<f64>,
    /// A λ₀ + b.
    w: Vec<f64>,
    lu: Lu,
}

impl Room {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            matrix: Vec::with_capacity(n * n),
            column: Vec::with_capacity(n),
            w: Vec::with_capacity(n),
            lu: Lu::with_capacity(n),
        }
    }
}

/// A matrix, (n, n), and the room.
pub(super) struct Dense<'a> {
    pub(super) entries: &'a [f64],
    pub(super) room: &'a mut Room,
    pub(super) n: usize,
}

impl Dense<'_> {
    #[inline(always)]
    fn assemble<A: Real>(&mut self, modes: &Modes) {
        let (n, m) = (self.n, modes.unknowns.len());
        let Room { matrix, column, .. } = &mut *self.room;
        // All of it is written.
        matrix.resize(m * m, 0.0);
        if let [Run::Rows { row: 0, count }] = modes.runs[..]
            && count == n
        {
            matrix.copy_from_slice(self.entries);
            let diagonal = matrix.iter_mut().step_by(n + 1).zip(&modes.unknowns);
            diagonal.for_each(|(entry, unknown)| *entry += unknown.compliance);
            return;
        }
        for (k, unknown) in modes.unknowns.iter().enumerate() {
            let acting = match unknown.single {
                Some(row) => &self.entries[row * n..][..n],
                None => {
                    column.clear();
                    column.resize(n, 0.0);
                    for (row, &force) in (unknown.first..).zip(&unknown.force[..unknown.rows]) {
                        if force != 0.0 {
                            add::<A>(column, force, &self.entries[row * n..][..n]);
                        }
                    }
                    &*column
                }
            };
            let into = &mut matrix[k * m..][..m];
            ask::<A>(modes, acting, into);
            into[k] += unknown.compliance;
        }
    }
}

/// testᵀ w of all unknowns.
#[inline(always)]
fn ask<A: Real>(modes: &Modes, w: &[f64], into: &mut [f64]) {
    let mut at = 0;
    for run in &modes.runs {
        match *run {
            Run::Rows { row, count } => {
                let of = &w[row..][..count];
                into[at..][..count].iter_mut().zip(of).for_each(|(into, w)| *into = *w);
                at += count;
            }
            Run::Slide { row, e, g } => {
                if let ([w, x, y, ..], [into, next, ..]) = (&w[row..], &mut into[at..]) {
                    *into = A::mul_add(e[0], *x, A::mul_add(e[1], *y, *w));
                    *next = A::mul_add(g[0], *x, g[1] * y);
                }
                at += 2;
            }
            Run::Other => {
                into[at] = test::<A>(&modes.unknowns[at], w);
                at += 1;
            }
        }
    }
}

/// testᵀ w.
#[inline(always)]
fn test<A: Real>(unknown: &Unknown, w: &[f64]) -> f64 {
    match unknown.single {
        Some(row) => w[row],
        None => {
            let rows = w[unknown.first..][..unknown.rows].iter().zip(&unknown.test);
            rows.fold(0.0, |sum, (w, test)| A::mul_add(*test, *w, sum))
        }
    }
}

impl Operator for Dense<'_> {
    const PROXIMAL: f64 = 0.0;

    #[inline(always)]
    fn apply<A: Real>(&mut self, view: &View<'_>, lambda: &[f64], w: &mut [f64]) {
        affine::<A>(self.entries, lambda, view.b, w);
    }

    #[inline(always)]
    fn solve<A: Real>(&mut self, view: &View<'_>, modes: &Modes, x: &mut [f64]) -> bool {
        self.assemble::<A>(modes);
        let room = &mut *self.room;
        room.w.resize(self.n, 0.0);
        let w = match modes.fixed.is_empty() {
            true => view.b,
            false => {
                affine::<A>(self.entries, &modes.fixed, view.b, &mut room.w);
                &room.w
            }
        };
        ask::<A>(modes, w, x);
        for (x, unknown) in x.iter_mut().zip(&modes.unknowns) {
            *x = unknown.pull - *x;
        }
        let m = x.len();
        if m <= jordan::LARGEST {
            room.column.clear();
            room.column.extend_from_slice(x);
            if jordan::solve::<A>(m, &room.matrix, x) {
                return true;
            }
            x.copy_from_slice(&room.column);
        } else if elimination::factor::<A>(m, &mut room.matrix, &mut room.column) > TRUSTED {
            elimination::solve::<A>(m, &room.matrix, x);
            return true;
        }
        // A singular matrix has large solutions, if any; the proximal term has that nearest to the last point.
        if !modes.proximal {
            return false;
        }
        self.assemble::<A>(modes);
        let Room { matrix, lu, .. } = &mut *self.room;
        if lu.factor(m, matrix.iter().copied()) < SINGULAR {
            return false;
        }
        lu.solve(x);
        true
    }

    #[inline(always)]
    fn factor_damped<A: Real>(&mut self, damping: &[Damping]) {
        let n = self.n;
        let Room { matrix, column, .. } = &mut *self.room;
        matrix.clear();
        matrix.extend_from_slice(self.entries);
        for of in damping {
            for j in 0..of.rows {
                for i in 0..of.rows {
                    matrix[(of.first + j) * n + of.first + i] += of.matrix[j][i];
                }
            }
        }
        for of in damping {
            for j in (0..of.rows).filter(|&j| !of.free[j]) {
                let row = of.first + j;
                matrix[row * n..][..n].fill(0.0);
                matrix[row..].iter_mut().step_by(n).for_each(|x| *x = 0.0);
                matrix[row * (n + 1)] = 1.0;
            }
        }
        elimination::factor_regular::<A>(n, matrix, column);
    }

    #[inline(always)]
    fn solve_damped<A: Real>(&mut self, damping: &[Damping], x: &mut [f64]) {
        hold(damping, x);
        elimination::solve::<A>(self.n, &self.room.matrix, x);
    }

    #[inline(always)]
    fn rounding<A: Real>(&mut self, lambda: &[f64]) -> f64 {
        let sums = &mut self.room.w;
        sums.clear();
        sums.resize(self.n, 0.0);
        for (column, x) in self.entries.chunks_exact(self.n.max(1)).zip(lambda) {
            sums.iter_mut().zip(column).for_each(|(sum, a)| *sum += (a * x).abs());
        }
        8.0 * f64::EPSILON * largest(sums)
    }

    #[inline(always)]
    fn entry<A: Real>(&self, i: usize, j: usize) -> f64 {
        self.entries[j * self.n + i]
    }

    #[inline(always)]
    fn begin<A: Real>(&mut self, view: &View<'_>, lambda: &[f64]) {
        let w = &mut self.room.w;
        w.clear();
        w.resize(lambda.len(), 0.0);
        affine::<A>(self.entries, lambda, view.b, w);
    }

    #[inline(always)]
    fn rate<A: Real>(&self, _: &View<'_>, row: usize, _: f64) -> f64 {
        self.room.w[row]
    }

    #[inline(always)]
    fn change<A: Real>(&mut self, row: usize, by: f64) {
        let column = &self.entries[row * self.n..][..self.n];
        add::<A>(&mut self.room.w, by, column);
    }
}
