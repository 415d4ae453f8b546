//! Lemke's path: from basis to basis until z₀ is zero, along a ray, or no further.

use super::basis::Side;
use super::{End, THRESHOLDS, Workspace};
use crate::lcp::boxed::FAR;
use crate::lcp::farkas;
use crate::lcp::inverse::Columns;
use crate::slices::{BLOCK, combine, largest, subtract, worse};
use crate::watch::Watcher;

/// z₀ is gone below this times the largest entry of q.
const GONE: f64 = 1e-12;
/// How often the basic variables are computed from q, of so many pivots once.
const REFRESHED: usize = 16;
/// What rounding leaves of a solution in a basis that is its own, relative to the largest number.
const SHARP: f64 = 1e-13;
/// Corrections of the last solution by what it left over.
const REFINEMENTS: usize = 3;

impl Workspace {
    /// Pivots until z₀ is zero, and leaves the end point and the direction of a ray there.
    pub(super) fn follow_path(
        &mut self,
        m: Columns<'_>,
        q: &[f64],
        thresholds: [f64; 2],
        watcher: &mut Watcher<'_>,
    ) -> End {
        let start = (self.basis.start(m, q), Side::Z);
        self.follow(m, q, start, (thresholds, self.max_pivots), watcher)
    }

    /// Whether the basis of the last problem, or a short path from there, solves this one.
    pub(super) fn take_up(&mut self, m: &mut [f64], q: &[f64], watcher: &mut Watcher<'_>) -> bool {
        let n = q.len();
        if !self.basis.is_complete(n) {
            return false;
        }
        let columns = Columns { entries: m, rows: n };
        if !self.basis.invert(columns) {
            return false;
        }
        // A basis that misses by more than rounding is that of another problem.
        if self.judge(columns, q) && self.least <= SHARP * worse(largest(q), largest(&self.z)) {
            return true;
        }
        let end = self.follow_on(m, q, THRESHOLDS[0], watcher);
        m[n * n..].fill(1.0);
        end == End::Solution && self.judge(Columns { entries: m, rows: n }, q)
    }

    /// As [`follow_path`](Self::follow_path) from the basis of the last problem, after it was inverted.
    fn follow_on(
        &mut self,
        m: &mut [f64],
        q: &[f64],
        thresholds: [f64; 2],
        watcher: &mut Watcher<'_>,
    ) -> End {
        let columns = Columns { entries: m, rows: q.len() };
        if !self.basis.solve(columns, |i| q[i], &mut self.x) || !self.basis.cover(m, &mut self.y) {
            return End::Unsolved;
        }
        let m = Columns { entries: m, rows: q.len() };
        match self.basis.restart(m, &self.x) {
            Some(start) => {
                self.follow(m, q, start, (thresholds, q.len().min(self.max_pivots)), watcher)
            }
            None => End::Unsolved,
        }
    }

    /// From a basis with a missing pair and what enters it, so many pivots at most.
    fn follow(
        &mut self,
        m: Columns<'_>,
        q: &[f64],
        (mut missing, mut entering): (usize, Side),
        (thresholds, most): ([f64; 2], usize),
        watcher: &mut Watcher<'_>,
    ) -> End {
        let gone = GONE * largest(q);
        self.pivots += 1;
        for step in 0.. {
            if step % REFRESHED == 0 && !self.basis.solve(m, |i| q[i], &mut self.x) {
                return self.give_up(m, q);
            }
            if self.x[missing] <= gone {
                self.extract();
                self.basis.complete(Side::W);
                return End::Solution;
            }
            let goes_on = self.pivots < most && watcher.goes_on(self.least);
            let rates = if goes_on { self.respond(m, entering) } else { None };
            let Some(largest_rate) = rates else {
                return self.give_up(m, q);
            };
            self.pivots += 1;
            let [pivot, tie] = thresholds;
            let Some(leaving) = self.leaving(m, missing, (pivot * largest_rate, tie)) else {
                return self.ray(m, q, missing, entering);
            };
            self.walk(missing, leaving);
            if leaving == missing {
                self.basis.complete(entering);
                self.extract();
                return End::Solution;
            }
            match self.basis.exchange(m, entering, leaving) {
                Some(complement) => entering = complement,
                None => return self.give_up(m, q),
            }
            missing = leaving;
        }
        End::Unsolved
    }

    /// y = B⁻¹ a for the column a that enters at the missing pair. Returns the largest entry; none if it is not
    /// finite or the basis singular.
    fn respond(&mut self, m: Columns<'_>, entering: Side) -> Option<f64> {
        let is_regular = self.basis.respond(m, entering, &mut self.y);
        Some(largest(&self.y)).filter(|most| is_regular && most.is_finite())
    }

    /// Goes along the edge until the basic variable of the pair `leaving` is zero: the one that enters stands
    /// at the missing pair then, and z₀ at the leaving one.
    fn walk(&mut self, missing: usize, leaving: usize) {
        let step = self.x[leaving].max(0.0) / self.y[leaving];
        subtract(&mut self.x, step, &self.y);
        self.x[leaving] = self.x[missing];
        self.x[missing] = step;
    }

    /// The pair of the lexicographically least ratio; `None` if no variable blocks. z₀, which
    /// stands at the missing pair, comes first among equals, for then the path is at its end.
    fn leaving(
        &mut self,
        m: Columns<'_>,
        missing: usize,
        (least_pivot, tie): (f64, f64),
    ) -> Option<usize> {
        let slack = tie * largest(&self.x);
        let step = least_ratio(&self.x, &self.y, least_pivot);
        // Few pairs tie: both conditions in one are one branch, which is foreseen.
        let ties = |x: &f64, y: &f64| (*y > least_pivot) & (x.max(0.0) - step * y <= slack);
        let pairs = self.x.iter().zip(&self.y).enumerate();
        self.ties.clear();
        self.ties.extend(pairs.filter(|(_, (x, y))| ties(x, y)).map(|(i, _)| i));
        if self.ties.contains(&missing) {
            return Some(missing);
        }
        for j in 0..self.y.len() {
            if self.ties.len() <= 1 {
                break;
            }
            if !self.basis.solve(m, |i| unit(i, j), &mut self.column) {
                return None;
            }
            let ratio = |i: usize| self.column[i] / self.y[i];
            let least = self.ties.iter().map(|&i| ratio(i)).fold(f64::INFINITY, f64::min);
            self.ties.retain(|&i| ratio(i) <= least + tie * least.abs().max(1.0));
        }
        self.ties.first().copied()
    }

    /// Writes z of the basis.
    fn extract(&mut self) {
        for (i, z) in self.point.iter_mut().enumerate() {
            *z = if self.basis.has_z(i) { self.x[i].max(0.0) } else { 0.0 };
        }
    }

    fn ray(&mut self, m: Columns<'_>, q: &[f64], missing: usize, entering: Side) -> End {
        self.extract();
        for (i, direction) in self.direction.iter_mut().enumerate() {
            *direction = if self.basis.has_z(i) { (-self.y[i]).max(0.0) } else { 0.0 };
        }
        self.direction[missing] = if entering == Side::Z { 1.0 } else { 0.0 };
        self.keep(m, q);
        let square = &m.entries[..q.len() * q.len()];
        if farkas(square, q, &self.direction) >= FAR { End::Infeasible } else { End::Ray }
    }

    fn give_up(&mut self, m: Columns<'_>, q: &[f64]) -> End {
        self.extract();
        self.keep(m, q);
        End::Unsolved
    }

    /// Keeps the point reached, and solves w = 0 for the basic z once more from the data.
    pub(super) fn polish(&mut self, m: Columns<'_>, q: &[f64]) {
        self.keep(m, q);
        let mut refined = core::mem::take(&mut self.x);
        refined.fill(0.0);
        for _ in 0..REFINEMENTS {
            affine(m, q, &refined, &mut self.y);
            if !self.basis.solve(m, |i| self.y[i], &mut self.column) {
                break;
            }
            let basic = (0..q.len()).filter(|&i| self.basis.has_z(i));
            basic.for_each(|i| refined[i] += self.column[i]);
            self.point.iter_mut().zip(&refined).for_each(|(point, z)| *point = z.max(0.0));
            self.keep(m, q);
        }
        self.x = refined;
    }
}

/// The least x / y, x not below zero, where y is above `least_pivot`; infinite if it is nowhere.
fn least_ratio(x: &[f64], y: &[f64], least_pivot: f64) -> f64 {
    let (x_blocks, x_rest) = x.as_chunks::<BLOCK>();
    let (y_blocks, y_rest) = y.as_chunks::<BLOCK>();
    let nearer = |least: f64, x: f64, y: f64| {
        let ratio = x.max(0.0) / y;
        if (y > least_pivot) & (ratio < least) { ratio } else { least }
    };
    let mut least = [f64::INFINITY; BLOCK];
    for (x, y) in x_blocks.iter().zip(y_blocks) {
        for k in 0..BLOCK {
            least[k] = nearer(least[k], x[k], y[k]);
        }
    }
    let rest = x_rest.iter().zip(y_rest).fold(f64::INFINITY, |least, (x, y)| nearer(least, *x, *y));
    least.into_iter().fold(rest, f64::min)
}

/// w = M z + q.
fn affine(m: Columns<'_>, q: &[f64], z: &[f64], w: &mut [f64]) {
    w.copy_from_slice(q);
    combine(w, z.iter().enumerate().filter(|(_, z)| **z != 0.0).map(|(j, &z)| (z, m.column(j))));
}

fn unit(i: usize, j: usize) -> f64 {
    if i == j { 1.0 } else { 0.0 }
}
