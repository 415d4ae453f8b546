//! Lemke's method with a lexicographic ratio rule.
//!
//! > find z with  w = M z + q,  w ≥ 0,  z ≥ 0,  wᵀ z = 0
//!
//! The method follows the path of w − M z − d z₀ = q, d = (1, …, 1), along which of every pair
//! (wᵢ, zᵢ) but one exactly one is basic, until z₀ leaves. Between equal ratios the rows of
//! B⁻¹ \[q | 1\] decide in lexicographic order, so that no basis comes twice.
//!
//! Class: it ends in a solution for every q if M is a P-matrix, strictly copositive, or otherwise
//! regular; for a copositive M if qᵀ z ≥ 0 for all z ≥ 0 with M z ≥ 0 and zᵀ M z = 0, as contact
//! problems with friction have it; a ray of a copositive-plus M proves that there is no solution.
//! The number of pivots is of the order of n in practice and 2ⁿ at worst.
//!
//! In floating point, a tableau that is updated drifts. Here the inverse of the rows where w is not basic
//! is updated, what it leaves over in each column is looked at, and it is made anew where that is too
//! much; the basic variables are computed from q every few pivots. The units are balanced ones, in which diagonal
//! entries are near one. The end point is refined and then judged by its residual; where it fails, the path is
//! followed again with another threshold for pivots, and a ray is reported only if all of them end in one.
//!
//! From the basis B of a problem before, the path begins with d = B (1, …, 1) instead.
//!
//! On failure: [`Error::Infeasible`] if the direction of a ray is a vector of Farkas, which it is for
//! copositive-plus matrices, or for whatever matrix if there is another one, which is looked for then; else
//! [`Error::Ray`], or [`Error::Unsolved`] with the best point of all paths.
//!
//! # Source
//!
//! Lemke: Bimatrix Equilibrium Points and Mathematical Programming (1965). Cottle, Pang, Stone:
//! The Linear Complementarity Problem (1992), section 4.4.

mod basis;
mod end;
mod path;

use alloc::vec::Vec;

use self::basis::Basis;
use self::end::{End, restore};
use super::balanced::{self, ROUNDING};
use super::error::{check_finite, check_length};
use super::inverse::Columns;
use super::scale::power_of_two;
use super::{Error, Solution, residual};
use crate::slices::{columns, largest, worse, zeros};
use crate::watch::{Watch, Watcher};

/// What is taken as zero, in the order of trial: pivots, relative to the largest entry of their
/// column, and differences of what ties, relative to the largest entry. A path that leads into a
/// nearly singular basis with one choice rarely does so with all of them.
const THRESHOLDS: [[f64; 2]; 4] = [[1e-8, 1e-12], [1e-8, 1e-10], [1e-11, 1e-12], [1e-5, 1e-12]];
const DEFAULT_MAX_PIVOTS: usize = 10_000;

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Workspace {
    max_pivots: usize,
    /// Since the problem was given.
    pivots: usize,
    basis: Basis,
    /// \[M d\] and q in balanced units, in which thresholds fit every pair.
    scaled: (Vec<f64>, Vec<f64>),
    /// What a unit of each z is.
    unit: Vec<f64>,
    /// B⁻¹ q: the basic variables.
    x: Vec<f64>,
    /// B⁻¹ a for the entering column a.
    y: Vec<f64>,
    column: Vec<f64>,
    ties: Vec<usize>,
    /// Where the last path led, and where a ray leads on.
    point: Vec<f64>,
    direction: Vec<f64>,
    /// The best point of all paths, and its residual.
    z: Vec<f64>,
    least: f64,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Workspace {
    /// Room for problems of up to `n` pairs, without a further allocation.
    pub fn with_capacity(n: usize) -> Self {
        let row = || Vec::with_capacity(n);
        Self {
            max_pivots: DEFAULT_MAX_PIVOTS,
            pivots: 0,
            basis: Basis::with_capacity(n),
            scaled: (Vec::with_capacity(n * (n + 1)), row()),
            unit: row(),
            x: row(),
            y: row(),
            column: row(),
            ties: Vec::with_capacity(n),
            point: row(),
            direction: row(),
            z: row(),
            least: f64::INFINITY,
        }
    }

    /// Forgets the last solution, so that [`resume`] does what [`solve`] does.
    pub fn forget(&mut self) {
        self.basis.forget();
    }

    /// After how many pivots to give up; 10 000 unless stated.
    #[must_use]
    pub fn max_pivots(mut self, pivots: usize) -> Self {
        self.set_max_pivots(pivots);
        self
    }

    pub(crate) fn set_max_pivots(&mut self, pivots: usize) {
        self.max_pivots = pivots;
    }
}

/// Solves the problem of `m`, (n, n) column by column, and `q`, (n).
///
/// # Errors
///
/// [`Error::Infeasible`] and [`Error::Ray`] of a path that has no end, [`Error::Unsolved`] of one that
/// could not be followed; [`Error::NotFinite`] and [`Error::Length`] name the input that is none.
///
/// # Source
///
/// Cottle, Pang, Stone (1992), section 4.4.
///
/// # Example
///
/// ```
/// use jourdain::lcp::lemke;
///
/// let mut workspace = lemke::Workspace::with_capacity(2);
/// let solution = lemke::solve(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0], &mut workspace)?;
/// assert!((solution.z[0] - 4.0 / 3.0).abs() < 1e-15 && (solution.z[1] - 7.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), jourdain::lcp::Error>(())
/// ```
pub fn solve<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    workspace.forget();
    resume(m, q, workspace)
}

/// As [`solve`], but the basis in which the workspace's last problem was solved is tried first, and a short path from
/// there: for a problem that differs little from it, this is fast, and where both have several solutions it finds those that
/// correspond.
///
/// # Errors
///
/// As [`solve`].
pub fn resume<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    search(m, q, workspace, &mut Watcher::limited(usize::MAX))
}

/// As [`resume`], watched.
///
/// # Errors
///
/// As [`resume`], and [`Error::Stopped`].
pub fn resume_watched<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
    watch: &mut Watch<'_>,
) -> Result<Solution<'a>, Error> {
    search(m, q, workspace, &mut Watcher::new(usize::MAX, watch))
}

pub(super) fn search<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
    watcher: &mut Watcher<'_>,
) -> Result<Solution<'a>, Error> {
    let (end, residual) = workspace.run(m, q, watcher)?;
    let workspace = &*workspace;
    workspace.solution(end, residual).ok_or_else(|| {
        let failure = workspace.failure(m, q, (end, residual), watcher);
        failure.halted(watcher.halt())
    })
}

/// As [`resume`], for a caller that tries something else then: no failure is made, which would allocate.
pub(crate) fn attempt<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
    watcher: &mut Watcher<'_>,
) -> Option<Solution<'a>> {
    let (end, residual) = workspace.run(m, q, watcher).ok()?;
    workspace.solution(end, residual)
}

impl Workspace {
    /// Leaves in z what is found; the end that was reached, and the residual of z.
    fn run(
        &mut self,
        m: &[f64],
        q: &[f64],
        watcher: &mut Watcher<'_>,
    ) -> Result<(End, f64), Error> {
        check_length("m", m, q.len().saturating_mul(q.len()))?;
        check_finite("m", m)?;
        check_finite("q", q)?;
        self.reset(q.len());
        if q.iter().all(|&q| q >= 0.0) {
            let known = self.basis.is_complete(q.len());
            self.forget();
            return Ok((if known { End::Resumed } else { End::Solution }, 0.0));
        }
        self.scale(m, q);
        let end = self.search(watcher);
        restore(&mut self.z, &self.unit);
        let residual = residual(m, q, &self.z);
        let is_none = matches!(end, End::Solution | End::Resumed) && !residual.is_finite();
        Ok((if is_none { End::Unsolved } else { end }, residual))
    }

    fn reset(&mut self, n: usize) {
        let Self { x, y, column, point, direction, z, .. } = self;
        for row in [x, y, column, point, direction, z] {
            zeros(row, n);
        }
        self.pivots = 0;
        self.least = f64::INFINITY;
    }

    /// Writes the problem in balanced units, and d.
    fn scale(&mut self, m: &[f64], q: &[f64]) {
        let ((scaled_m, scaled_q), n) = (&mut self.scaled, q.len());
        let unit = zeros(&mut self.unit, n);
        balanced::balance(m, unit);
        scaled_m.clear();
        for (column, dj) in columns(m, n).zip(&*unit) {
            scaled_m.extend(column.iter().zip(&*unit).map(|(m, di)| m * di * dj));
        }
        scaled_m.resize(m.len() + n, 1.0);
        scaled_q.clear();
        scaled_q.extend(q.iter().zip(&*unit).map(|(q, d)| q * d));
        let s = power_of_two(largest(scaled_q));
        scaled_q.iter_mut().for_each(|q| *q /= s);
        unit.iter_mut().for_each(|d| *d *= s);
    }

    /// Solves the scaled problem, in the basis that there is or with one pair of thresholds after the
    /// other. The end is a ray only if it is that of all paths.
    fn search(&mut self, watcher: &mut Watcher<'_>) -> End {
        let (mut m, q) = core::mem::take(&mut self.scaled);
        let end = match self.take_up(&mut m, &q, watcher) {
            true => End::Resumed,
            false => self.follow_paths(Columns { entries: &m, rows: q.len() }, &q, watcher),
        };
        self.scaled = (m, q);
        end
    }

    fn follow_paths(&mut self, m: Columns<'_>, q: &[f64], watcher: &mut Watcher<'_>) -> End {
        let mut last = End::Ray;
        for thresholds in THRESHOLDS {
            match self.follow_path(m, q, thresholds, watcher) {
                End::Solution if self.judge(m, q) => return End::Solution,
                End::Infeasible => return End::Infeasible,
                End::Ray => {}
                _ => last = End::Unsolved,
            }
            if self.pivots >= self.max_pivots || watcher.halt().is_some() {
                return End::Unsolved;
            }
        }
        self.basis.forget();
        last
    }

    /// Refines the solution in the basis reached and judges it, if need be once more with the inverse made
    /// anew.
    fn judge(&mut self, m: Columns<'_>, q: &[f64]) -> bool {
        self.polish(m, q);
        if self.least > ROUNDING * worse(largest(q), largest(&self.z)) && self.basis.invert(m) {
            self.polish(m, q);
        }
        self.least <= balanced::accepted(largest(q), &self.z)
    }

    /// Keeps the point reached if it is the best yet.
    fn keep(&mut self, m: Columns<'_>, q: &[f64]) {
        let square = &m.entries[..q.len() * q.len()];
        let residual = residual(square, q, &self.point);
        if residual < self.least {
            self.least = residual;
            self.z.copy_from_slice(&self.point);
        }
    }
}
