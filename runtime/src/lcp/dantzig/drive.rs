//! Driving one pair until it is complementary.
//!
//! With the pair r held, λ_r moves at the rate ±1 and λ_F' = ∓ G A_Fr; with it free, w_r moves at the
//! rate ±1 and λ_F' = ± G e_r. Either way w' = A λ'.

use super::candidate::{COMPLEMENTARY, Candidate, End, Event};
use super::state::{State, matrix};
use crate::lcp::boxed::{FAR, Problem, is_refuted};
use crate::slices::{add, combine, copy, dot, largest, worse, zeros};
use crate::watch::Watcher;

/// A rate below this times the largest is zero.
const STILL: f64 = 1e-10;
/// A rate below this times the largest may be rounding.
const SLOW: f64 = 1e-7;
/// What a blocking variable may go beyond its bound for the sake of a larger rate.
const SLACK: f64 = 1e-13;
/// What rates of free w may be wrong by, relative to the largest rate, before the inverse is made anew.
const DRIFTED: f64 = 1e-9;
/// What needs no correction.
const EXACT: f64 = 1e-14;
/// How often λ and w are computed from the problem's own numbers, of so many pivots once.
const REFRESHED: usize = 16;

impl State {
    /// Drives the pair `r` until it is complementary, which is [`End::Solution`] here.
    pub(super) fn drive(
        &mut self,
        problem: &Problem<'_>,
        r: usize,
        watcher: &mut Watcher<'_>,
    ) -> End {
        let miss = |state: &Self| problem.natural(r, state.lambda[r], state.w[r]);
        let sense = if miss(self) < 0.0 { 1.0 } else { -1.0 };
        self.passed.fill(false);
        // A dependent pair may come as near to the relation as rounding lets it, and not onto it.
        while miss(self) * sense < -self.slack() {
            if !watcher.goes_on(self.badness()) || !self.respond(problem, r, sense) {
                return End::Unsolved;
            }
            self.pivots += 1;
            match self.first_event(problem, r, sense) {
                Some((length, _)) if length > FAR && self.is_recession(problem) => {
                    return End::Infeasible;
                }
                Some((length, event)) => {
                    self.go(r, length);
                    self.settle(problem, r, event);
                }
                None if self.is_recession(problem) => return End::Infeasible,
                None => match self.falling(problem, r) {
                    Some(i) if self.exchange(problem, i, r) => {}
                    _ => return End::Unsolved,
                },
            }
            if self.pivots.is_multiple_of(REFRESHED) {
                self.refine(problem);
            }
        }
        End::Solution
    }

    /// Computes the rates; false if they are not finite.
    fn respond(&mut self, problem: &Problem<'_>, r: usize, sense: f64) -> bool {
        if self.compute_rates(problem, r, sense) > DRIFTED {
            self.rebuild(problem);
            self.compute_rates(problem, r, sense);
        }
        largest(&self.lambda_rate).is_finite() && largest(&self.w_rate).is_finite()
    }

    /// Computes the rates and corrects them. Returns by how much w of the free pairs does not stay where it is
    /// held at first, relative to the largest rate.
    fn compute_rates(&mut self, problem: &Problem<'_>, r: usize, sense: f64) -> f64 {
        let m = matrix(problem);
        let Self { inverse, free, lambda_rate, w_rate, step, .. } = self;
        let (rows, columns) = (inverse.rows(), inverse.columns());
        zeros(lambda_rate, problem.b.len());
        zeros(w_rate, problem.b.len());
        if !free[r] {
            lambda_rate[r] = sense;
            add(w_rate, sense, m.column(r));
        }
        let mut drift = 0.0;
        for correction in 0..3 {
            let expected = |i: usize| if i == r && free[r] { sense } else { 0.0 };
            let left_over = rows.iter().map(|&i| w_rate[i] - expected(i));
            let most = left_over.clone().fold(0.0, |most, x| worse(most, x.abs()));
            let relative = most / largest(lambda_rate).max(1.0);
            if correction == 1 {
                drift = relative;
            }
            if correction == 2 || relative <= EXACT {
                break;
            }
            inverse.add_solution(-1.0, left_over, zeros(step, rows.len()));
            columns.iter().zip(&*step).for_each(|(&j, rate)| lambda_rate[j] += rate);
            combine(w_rate, columns.iter().zip(&*step).map(|(&j, &rate)| (rate, m.column(j))));
        }
        rows.iter().filter(|&&i| i != r).for_each(|&i| w_rate[i] = 0.0);
        drift
    }

    /// When the driven pair is complementary or another one would no longer be, whatever is first. Among
    /// those within the slack it is the one with the largest rate, the least after many idle steps.
    fn first_event(&mut self, problem: &Problem<'_>, r: usize, sense: f64) -> Option<(f64, Event)> {
        let n = self.lambda.len();
        let still = STILL * worse(largest(&self.lambda_rate), largest(&self.w_rate));
        let mut candidates = core::mem::take(&mut self.candidates);
        candidates.clear();
        let others = (0..n).filter(|&i| i != r && !self.passed[i]);
        candidates.extend(others.filter_map(|i| self.blocking(problem, i, still)));
        let nearer = |nearest: f64, candidate: &Candidate| {
            let gap = candidate.gap + SLACK;
            if gap < nearest * candidate.rate { gap / candidate.rate } else { nearest }
        };
        let nearest = candidates.iter().fold(f64::INFINITY, nearer);
        let is_tired = self.idle > 2 * n;
        let faster = |chosen: &Candidate, next: &Candidate| !is_tired && next.rate > chosen.rate;
        let first = candidates.iter().filter(|candidate| candidate.gap <= nearest * candidate.rate);
        let first = first.reduce(|chosen, next| if faster(chosen, next) { next } else { chosen });
        let first = first.map(|first| (first.gap / first.rate, first.event));
        self.candidates = candidates;
        let landing = self.landing(problem, r, sense);
        landing.filter(|landing| landing.0 <= nearest).or(first)
    }

    /// When and how the driven pair becomes complementary, if nothing blocks.
    fn landing(&self, problem: &Problem<'_>, r: usize, sense: f64) -> Option<(f64, Event)> {
        let (lambda, w) = (sense * self.lambda[r], sense * self.w[r]);
        let (near, far) = if sense > 0.0 {
            (problem.lo[r], problem.hi[r])
        } else {
            (-problem.hi[r], -problem.lo[r])
        };
        let (lambda_rate, w_rate) = (sense * self.lambda_rate[r], sense * self.w_rate[r]);
        let reach = |bound: f64| {
            let length = ((bound - lambda) / lambda_rate).max(0.0);
            (lambda_rate > 0.0 && length.is_finite())
                .then_some((length, Event::Bound(r, sense * bound)))
        };
        if lambda < near {
            return reach(near);
        }
        // A held w that hardly follows cannot be let free.
        let length = dot(&self.lambda_rate, &self.lambda_rate);
        let follows = w_rate > if self.free[r] { 0.0 } else { self.pivot * length };
        let zero = follows.then(|| ((-w / w_rate).max(0.0), Event::Zero(r)));
        match (zero, reach(far)) {
            (Some(zero), Some(bound)) => Some(if zero.0 <= bound.0 { zero } else { bound }),
            (zero, bound) => zero.or(bound),
        }
    }

    /// Whether and how pair `i` comes to the end of its complementarity.
    fn blocking(&self, problem: &Problem<'_>, i: usize, still: f64) -> Option<Candidate> {
        let (lambda, w, lo, hi) = (self.lambda[i], self.w[i], problem.lo[i], problem.hi[i]);
        let rate = if self.free[i] { self.lambda_rate[i] } else { self.w_rate[i] };
        if rate.abs() <= still {
            None
        } else if self.free[i] {
            let (bound, gap) = if rate > 0.0 { (hi, hi - lambda) } else { (lo, lambda - lo) };
            let ahead = gap >= -SLACK * lambda.abs().max(1.0) && bound.is_finite();
            ahead.then(|| Candidate::new(gap, rate, Event::Bound(i, bound)))
        } else if lo == hi {
            None
        } else {
            // Away from both bounds, w has to be zero, whatever side it comes from.
            let gap = if rate < 0.0 { w } else { -w };
            let guarded = if rate < 0.0 { lambda < hi } else { lambda > lo };
            let ahead = gap >= -COMPLEMENTARY;
            (guarded && ahead).then(|| Candidate::new(gap, rate, Event::Zero(i)))
        }
    }

    /// Goes so far along the rates.
    fn go(&mut self, r: usize, length: f64) {
        self.idle = if length > 0.0 { 0 } else { self.idle + 1 };
        for i in 0..self.lambda.len() {
            self.lambda[i] += length * self.lambda_rate[i];
            if i == r || !self.free[i] {
                self.w[i] += length * self.w_rate[i];
            }
        }
    }

    /// Lets the pair of the event change sides; the driven one with it, if it cannot alone.
    fn settle(&mut self, problem: &Problem<'_>, r: usize, event: Event) {
        let i = event.pair();
        match event {
            Event::Zero(_) => self.w[i] = 0.0,
            Event::Bound(_, bound) => self.lambda[i] = bound,
        }
        match event {
            Event::Zero(_) if self.free[i] => {}
            Event::Bound(..) if !self.free[i] => {}
            Event::Zero(_) => {
                if !self.let_free(problem, i) && i != r {
                    self.passed[i] = !self.exchange(problem, i, r);
                }
            }
            Event::Bound(..) => {
                if self.inverse.entry(i, i).abs() > STILL {
                    self.inverse.remove(i, i);
                    self.free[i] = false;
                } else if i != r {
                    self.passed[i] = !self.exchange(problem, i, r);
                }
            }
        }
    }

    /// Lets two pairs change sides at once, unless that makes A_FF singular; whether they did.
    fn exchange(&mut self, problem: &Problem<'_>, i: usize, r: usize) -> bool {
        self.swap(i, r);
        let is_regular = self.invert(problem) > self.pivot;
        if !is_regular {
            self.swap(i, r);
            self.rebuild(problem);
        }
        is_regular
    }

    fn swap(&mut self, i: usize, r: usize) {
        for pair in [i, r] {
            self.free[pair] = !self.free[pair];
        }
    }

    /// Whether λ may follow its rates without end, and that is a proof. What may be rounding in the rates of an
    /// ill-conditioned A_FF is left out: the proof is judged by itself.
    fn is_recession(&mut self, problem: &Problem<'_>) -> bool {
        let slow = SLOW * largest(&self.lambda_rate);
        for (i, rate) in copy(&mut self.direction, &self.lambda_rate).iter_mut().enumerate() {
            let bound = if *rate > 0.0 { problem.hi[i] } else { problem.lo[i] };
            if bound.is_finite() && rate.abs() <= slow {
                *rate = 0.0;
            }
        }
        is_refuted(problem, &self.direction)
    }

    /// Of the pairs that wait to be driven, the one that goes away fastest.
    fn falling(&self, problem: &Problem<'_>, r: usize) -> Option<usize> {
        let still = STILL * worse(largest(&self.lambda_rate), largest(&self.w_rate));
        let speed = |i: usize| {
            let miss = problem.natural(i, self.lambda[i], self.w[i]);
            let rate = if self.free[i] { self.lambda_rate[i] } else { self.w_rate[i] };
            if miss * rate > 0.0 { rate.abs() } else { 0.0 }
        };
        let others = (0..self.lambda.len()).filter(|&i| i != r).map(|i| (i, speed(i)));
        let fastest =
            others.fold((r, still), |best, next| if next.1 > best.1 { next } else { best });
        (fastest.0 != r).then_some(fastest.0)
    }
}
