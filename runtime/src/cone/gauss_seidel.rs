//! Block Gauss–Seidel: one block after the other is solved by itself, the others standing still.
//!
//! Contacts are solved exactly under Coulomb's law, whatever the problem's; torsional friction is a row with the
//! bounds ± ν λₙ, and resistance to rolling a disc of the radius ϱ λₙ. The method converges
//! slowly, but from anywhere: it provides points for Newton's method to start from.
//!
//! # Source
//!
//! Jourdan, Alart, Jean: A Gauss–Seidel like Algorithm to Solve Frictional Contact Problems (1998).

use super::operator::Operator;
use super::view::{Point, View};
use super::{Block, local};
use crate::kernel::{Computation, Real};
use crate::watch::Watcher;

/// So many sweeps from a point, whose error is measured afterwards. Returns how many were done.
pub(super) struct Sweeps<'a, 'w, O> {
    pub(super) view: View<'a>,
    pub(super) operator: &'a mut O,
    pub(super) point: &'a mut Point,
    pub(super) sweeps: usize,
    pub(super) watcher: &'a mut Watcher<'w>,
    /// The residual of the best point of all.
    pub(super) least: f64,
}

impl<O: Operator> Computation for Sweeps<'_, '_, O> {
    type Output = usize;

    #[inline(always)]
    fn run<A: Real>(mut self) -> usize {
        self.operator.begin::<A>(&self.view, &self.point.lambda);
        let mut done = 0;
        while done < self.sweeps && self.watcher.goes_on(self.least) {
            self.sweep::<A>();
            done += 1;
        }
        let Self { view, operator, point, .. } = self;
        operator.apply::<A>(&view, &point.lambda, &mut point.w);
        point.error = view.measure::<A>(&point.lambda, &point.w);
        done
    }
}

impl<O: Operator> Sweeps<'_, '_, O> {
    #[inline(always)]
    fn sweep<A: Real>(&mut self) {
        let view = self.view;
        for (first, block) in view.blocks() {
            match *block {
                Block::Row { lower, upper } => self.row::<A>(first, (lower, upper)),
                Block::Planar { friction } => self.planar::<A>(first, friction),
                Block::Ball { radius } => self.ball::<A>(first, radius),
                Block::Contact { friction, torsion } => {
                    self.contact::<A>(first, friction);
                    if let Some(lever) = torsion {
                        let bound = lever * self.point.lambda[first];
                        self.row::<A>(first + 3, (-bound, bound));
                    }
                }
                Block::Rolling { friction, torsion, rolling } => {
                    self.contact::<A>(first, friction);
                    let pressed = self.point.lambda[first];
                    self.row::<A>(first + 3, (-torsion * pressed, torsion * pressed));
                    self.disc::<A>(first + 4, rolling * pressed);
                }
            }
        }
    }

    #[inline(always)]
    fn row<A: Real>(&mut self, row: usize, (lower, upper): (f64, f64)) {
        let last = self.point.lambda[row];
        let w = self.operator.rate::<A>(&self.view, row, last);
        let next = last - w / self.view.mobility[row];
        self.set::<A>(
            row,
            if next < lower {
                lower
            } else if next > upper {
                upper
            } else {
                next
            },
        );
    }

    /// A and q of w = A λ + q in so many rows by themselves.
    #[inline(always)]
    fn alone<A: Real, const N: usize>(&self, first: usize) -> ([[f64; N]; N], [f64; N]) {
        let operator = &*self.operator;
        let last = &self.point.lambda[first..first + N];
        let a: [[f64; N]; N] = core::array::from_fn(|r| {
            core::array::from_fn(|s| operator.entry::<A>(first + r, first + s))
        });
        let q = core::array::from_fn(|r| {
            let w = operator.rate::<A>(&self.view, first + r, last[r]);
            a[r].iter().zip(last).fold(w, |w, (a, x)| w - a * x)
        });
        (a, q)
    }

    #[inline(always)]
    fn contact<A: Real>(&mut self, first: usize, friction: f64) {
        let (a, q) = self.alone::<A, 3>(first);
        if a[0][0] <= 0.0 {
            return;
        }
        let next = local::solve::<A>(&a, q, friction);
        for (row, next) in (first..).zip(next) {
            self.set::<A>(row, next);
        }
    }

    /// As a contact with another tangent, which nothing moves.
    #[inline(always)]
    fn planar<A: Real>(&mut self, first: usize, friction: f64) {
        let (a, q) = self.alone::<A, 2>(first);
        if a[0][0] <= 0.0 {
            return;
        }
        let a = [[a[0][0], a[0][1], 0.0], [a[1][0], a[1][1], 0.0], [0.0, 0.0, a[1][1]]];
        let [normal, tangent, _] = local::solve::<A>(&a, [q[0], q[1], 0.0], friction);
        self.set::<A>(first, normal);
        self.set::<A>(first + 1, tangent);
    }

    #[inline(always)]
    fn ball<A: Real>(&mut self, first: usize, radius: f64) {
        let (a, q) = self.alone::<A, 3>(first);
        let next = local::ball::<A>(&a, q, radius);
        for (row, next) in (first..).zip(next) {
            self.set::<A>(row, next);
        }
    }

    /// Two rows within a disc, as a ball with a third axis, which nothing moves.
    #[inline(always)]
    fn disc<A: Real>(&mut self, first: usize, radius: f64) {
        let (a, q) = self.alone::<A, 2>(first);
        let third = a[0][0] + a[1][1];
        let a = [[a[0][0], a[0][1], 0.0], [a[1][0], a[1][1], 0.0], [0.0, 0.0, third]];
        let [x, y, _] = local::ball::<A>(&a, [q[0], q[1], 0.0], radius);
        self.set::<A>(first, x);
        self.set::<A>(first + 1, y);
    }

    #[inline(always)]
    fn set<A: Real>(&mut self, row: usize, next: f64) {
        let by = next - self.point.lambda[row];
        if by != 0.0 {
            self.point.lambda[row] = next;
            self.operator.change::<A>(row, by);
        }
    }
}
