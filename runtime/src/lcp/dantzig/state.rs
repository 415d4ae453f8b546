//! Which pairs are free, and where λ and w are.

use alloc::vec::Vec;

use super::candidate::{COMPLEMENTARY, Candidate, End};
use crate::lcp::balanced::{Balanced, ROUNDING};
use crate::lcp::boxed::Problem;
use crate::lcp::inverse::{Columns, Inverse, Symmetry};
use crate::slices::{combine, copy, largest, worse, zeros};
use crate::watch::Watcher;

/// Along a direction of unit length, what wᵀ λ is: below, w does not follow λ. In the order of trial, since what
/// is nearly singular by one of them rarely is so by all.
const PIVOTS: [f64; 4] = [1e-12, 1e-10, 1e-14, 1e-8];
/// How often pivoting is taken up with an inverse that is made anew, where the residual is too large.
const RESUMPTIONS: usize = 3;
/// What the rows of the free pairs leave over, relative to the largest number in a solution: above, the
/// inverse is made anew.
const DRIFTED: f64 = 1e-9;
/// Corrections of λ by what it leaves over.
const REFINEMENTS: usize = 2;

/// All that changes while a problem is solved.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// Of A_FF.
    pub(super) inverse: Inverse,
    symmetry: Symmetry,
    /// Of [`PIVOTS`], the one that counts.
    pub(super) pivot: f64,
    pub(super) free: Vec<bool>,
    pub(super) lambda: Vec<f64>,
    /// Of a free pair, what w is held at: zero but for the driven pair, and for pairs that wait to be driven.
    pub(super) w: Vec<f64>,
    /// The rates of λ and w while a pair is driven.
    pub(super) lambda_rate: Vec<f64>,
    pub(super) w_rate: Vec<f64>,
    /// Where λ would go on without end.
    pub(super) direction: Vec<f64>,
    /// Pairs that do not block, since they can only change sides with the driven one and make A_FF singular.
    pub(super) passed: Vec<bool>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) step: Vec<f64>,
    pub(super) pivots: usize,
    /// Steps without a length since the last that had one.
    pub(super) idle: usize,
    room: Vec<f64>,

    places: Vec<usize>,
    best: Vec<f64>,
    /// Its natural residual by the one that is accepted.
    badness: f64,
}

impl State {
    pub(super) fn with_capacity(n: usize) -> Self {
        let row = || Vec::with_capacity(n);
        Self {
            inverse: Inverse::with_capacity(n),
            symmetry: Symmetry::default(),
            pivot: PIVOTS[0],
            free: Vec::with_capacity(n),
            lambda: row(),
            w: row(),
            lambda_rate: row(),
            w_rate: row(),
            direction: row(),
            passed: Vec::with_capacity(n),
            pivots: 0,
            idle: 0,
            room: row(),
            candidates: Vec::with_capacity(n),
            step: row(),
            places: Vec::with_capacity(n),
            best: row(),
            badness: f64::INFINITY,
        }
    }

    pub(super) fn pivots(&self) -> usize {
        self.pivots
    }

    /// The residual of the best point by what may be left over of it.
    pub(super) fn badness(&self) -> f64 {
        self.badness
    }

    /// The best point found.
    pub(super) fn best(&self) -> &[f64] {
        &self.best
    }

    /// A vector of Farkas, if the end was that.
    pub(super) fn direction(&self) -> &[f64] {
        &self.direction
    }

    /// Drives one pair after the other until all are complementary, and believes what the residual says.
    pub(super) fn solve(
        &mut self,
        balanced: &Balanced,
        start: Option<&[f64]>,
        watcher: &mut Watcher<'_>,
    ) -> End {
        let problem = balanced.problem();
        zeros(&mut self.best, problem.b.len());
        (self.pivots, self.badness) = (0, f64::INFINITY);
        for (attempt, pivot) in PIVOTS.into_iter().enumerate() {
            self.pivot = pivot;
            self.begin(&problem, start.filter(|_| attempt == 0));
            for _ in 0..RESUMPTIONS {
                let end = self.drive_all(&problem, watcher);
                self.refine(&problem);
                self.keep(balanced);
                if self.badness <= 1.0 {
                    return End::Solution;
                }
                if end == End::Infeasible || watcher.halt().is_some() {
                    return end;
                }
                self.rebuild(&problem);
                self.refine(&problem);
            }
        }
        End::Unsolved
    }

    fn drive_all(&mut self, problem: &Problem<'_>, watcher: &mut Watcher<'_>) -> End {
        while let Some(worst) = self.worst(problem) {
            let end = self.drive(problem, worst, watcher);
            if end != End::Solution {
                return end;
            }
        }
        End::Solution
    }

    /// A pair whose natural residual is below is complementary.
    pub(super) fn slack(&self) -> f64 {
        COMPLEMENTARY.max(ROUNDING * largest(&self.lambda))
    }

    /// The pair that is furthest from complementarity, if one is.
    fn worst(&self, problem: &Problem<'_>) -> Option<usize> {
        let slack = self.slack();
        let miss = |i: usize| problem.natural(i, self.lambda[i], self.w[i]).abs();
        let pairs = (0..self.lambda.len()).map(|i| (i, miss(i)));
        let worst = pairs.fold((0, slack), |most, pair| if pair.1 > most.1 { pair } else { most });
        (worst.1 > slack).then_some(worst.0)
    }

    /// Holds what is at a bound in `start` and lets the rest free, but for what depends on others; holds all
    /// where they are nearest to zero, if there is no start.
    fn begin(&mut self, problem: &Problem<'_>, start: Option<&[f64]>) {
        let n = problem.b.len();
        for row in [&mut self.lambda, &mut self.w, &mut self.lambda_rate, &mut self.w_rate] {
            zeros(row, n);
        }
        self.free.clear();
        self.free.resize(n, false);
        self.passed.clear();
        self.passed.resize(n, false);
        self.inverse.clear(n);
        self.symmetry = Symmetry::of(matrix(problem));
        self.idle = 0;
        for i in 0..n {
            let (lo, hi) = (problem.lo[i], problem.hi[i]);
            self.lambda[i] = match start {
                Some(start) if start[i] <= lo => lo,
                Some(start) if start[i] >= hi => hi,
                Some(start) if start[i] != 0.0 && self.let_free(problem, i) => start[i],
                _ => problem.rest(i),
            };
        }
        self.refine(problem);
    }

    /// Lets a pair free if it does not depend on those that are; whether it is.
    pub(super) fn let_free(&mut self, problem: &Problem<'_>, i: usize) -> bool {
        self.free[i] =
            self.inverse.border_independent(matrix(problem), i, (self.symmetry, self.pivot));
        self.free[i]
    }

    /// Computes λ of the free pairs and w from the problem's own numbers, with an inverse that is made anew
    /// if need be.
    pub(super) fn refine(&mut self, problem: &Problem<'_>) {
        if self.correct(problem) > DRIFTED {
            self.rebuild(problem);
            self.correct(problem);
        }
    }

    /// Corrects the free λ. Returns what they left over at last, relative to the largest of them.
    fn correct(&mut self, problem: &Problem<'_>) -> f64 {
        let m = matrix(problem);
        let mut left_over = 0.0;
        for correction in 0..=REFINEMENTS {
            let room = copy(&mut self.room, problem.b);
            combine(room, self.lambda.iter().enumerate().map(|(j, &x)| (x, m.column(j))));
            let (rows, w) = (self.inverse.rows(), &self.w);
            left_over = rows.iter().fold(0.0, |most, &i| worse(most, (room[i] - w[i]).abs()));
            if correction == REFINEMENTS || left_over == 0.0 {
                break;
            }
            let step = zeros(&mut self.step, rows.len());
            self.inverse.add_solution(-1.0, rows.iter().map(|&i| room[i] - w[i]), step);
            self.inverse.columns().iter().zip(&*step).for_each(|(&i, step)| self.lambda[i] += step);
        }
        for (i, w) in self.w.iter_mut().enumerate().filter(|(i, _)| !self.free[*i]) {
            *w = self.room[i];
        }
        left_over / largest(&self.lambda).max(1.0)
    }

    /// Inverts A_FF anew. Returns its smallest pivot by its largest, zero if it is singular.
    pub(super) fn invert(&mut self, problem: &Problem<'_>) -> f64 {
        let Self { free, places, inverse, .. } = self;
        places.clear();
        places.extend((0..free.len()).filter(|&i| free[i]));
        inverse.build(matrix(problem), places, places.iter().copied())
    }

    /// Inverts A_FF anew; if it is singular, pairs that depend on others are held.
    pub(super) fn rebuild(&mut self, problem: &Problem<'_>) {
        if self.invert(problem) > 0.0 {
            return;
        }
        self.inverse.clear(problem.b.len());
        for place in 0..self.places.len() {
            let i = self.places[place];
            self.free[i] = false;
            self.let_free(problem, i);
        }
    }

    /// Keeps λ, brought into its box, if it is the best point yet.
    fn keep(&mut self, balanced: &Balanced) {
        let problem = balanced.problem();
        let room = copy(&mut self.room, &self.lambda);
        for ((x, lo), hi) in room.iter_mut().zip(problem.lo).zip(problem.hi) {
            *x = x.max(*lo).min(*hi);
        }
        let badness = balanced.badness(room);
        if badness < self.badness || self.badness == f64::INFINITY {
            self.badness = badness;
            self.best.copy_from_slice(&self.room);
        }
    }
}

/// A, column by column.
pub(super) fn matrix<'a>(problem: &Problem<'a>) -> Columns<'a> {
    Columns { entries: problem.a, rows: problem.b.len() }
}
