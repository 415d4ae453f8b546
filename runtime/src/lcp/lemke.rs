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
//! In floating point, each basis is factored from the original data: a tableau that is updated
//! drifts. Only the rows where w is not basic need a factorisation. The end point is refined and
//! then judged by its residual.
//!
//! # Source
//!
//! Lemke: Bimatrix Equilibrium Points and Mathematical Programming (1965). Cottle, Pang, Stone:
//! The Linear Complementarity Problem (1992), section 4.4 (algorithm 4.4.5, theorems 4.4.12 and
//! 4.4.13) and section 4.9 for the lexicographic rule.

use alloc::vec::Vec;

use super::basis::{Basis, Side};
use super::residual;

/// Pivots smaller than this times the largest entry of their column are taken as zero.
const PIVOT: f64 = 1e-11;
/// Differences smaller than this times the largest entry are taken as ties.
const TIE: f64 = 1e-12;
/// A solution's residual, relative to the largest sum |q| + |M| z of a row.
const ACCEPTED: f64 = 1e-10;
/// Solves of the last basis: one, and two corrections by what it left over.
const REFINEMENTS: usize = 3;
const DEFAULT_MAX_PIVOTS: usize = 10_000;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<'a> {
    /// z, (n).
    pub z: &'a [f64],
    /// Number of pivots; none if q ≥ 0.
    pub pivots: usize,
    /// ‖min(z, M z + q)‖∞.
    pub residual: f64,
}

/// Why there is no solution to return.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The path ends in a ray z + t · direction, t ≥ 0. For a copositive-plus matrix, and a
    /// positive semidefinite one is, this proves that the problem has no solution; for others it
    /// says only that this method finds none.
    #[error("Lemke's path ends in a ray after {pivots} pivots")]
    Ray {
        /// Where the ray starts, (n).
        z: Vec<f64>,
        /// Where it leads, (n).
        direction: Vec<f64>,
        /// Number of pivots before it.
        pivots: usize,
    },
    /// The path could not be followed to its end, or what stands there is no solution.
    #[error("unsolved after {pivots} pivots, with residual {residual:e}")]
    Unsolved {
        /// The last point, (n).
        z: Vec<f64>,
        /// Its ‖min(z, M z + q)‖∞.
        residual: f64,
        /// Number of pivots.
        pivots: usize,
    },
    /// An entry of M or q is NaN or infinite.
    #[error("{quantity}[{index}] is {value}, expected a finite number")]
    NotFinite {
        /// `m` or `q`.
        quantity: &'static str,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// M has not n² entries, n being the length of q.
    #[error("the matrix has {entries} entries, expected {n} x {n}")]
    Dimension {
        /// Length of q.
        n: usize,
        /// Length of m.
        entries: usize,
    },
}

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Workspace {
    max_pivots: usize,
    basis: Basis,
    /// B⁻¹ q: the basic variables.
    x: Vec<f64>,
    /// B⁻¹ a for the entering column a.
    y: Vec<f64>,
    column: Vec<f64>,
    ties: Vec<usize>,
    z: Vec<f64>,
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
            basis: Basis::with_capacity(n),
            x: row(),
            y: row(),
            column: row(),
            ties: Vec::with_capacity(n),
            z: row(),
        }
    }

    /// After how many pivots to give up; 10 000 unless stated.
    #[must_use]
    pub fn max_pivots(mut self, pivots: usize) -> Self {
        self.max_pivots = pivots;
        self
    }
}

/// Solves the problem of `m`, (n, n) column by column, and `q`, (n).
///
/// # Errors
///
/// [`Error::Ray`] and [`Error::Unsolved`] carry what was reached; [`Error::NotFinite`] and
/// [`Error::Dimension`] name the input that is none.
///
/// # Source
///
/// Cottle, Pang, Stone (1992), algorithm 4.4.5.
///
/// # Example
///
/// ```
/// use jourdain::lcp::lemke;
///
/// let mut workspace = lemke::Workspace::with_capacity(2);
/// let solution = lemke::solve(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0], &mut workspace)?;
/// assert!((solution.z[0] - 4.0 / 3.0).abs() < 1e-15 && (solution.z[1] - 7.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), lemke::Error>(())
/// ```
pub fn solve<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    let n = q.len();
    if Some(m.len()) != n.checked_mul(n) {
        return Err(Error::Dimension {
            n,
            entries: m.len(),
        });
    }
    check_finite("m", m)?;
    check_finite("q", q)?;
    workspace.reset(n);
    if q.iter().all(|&q| q >= 0.0) {
        return Ok(Solution {
            z: &workspace.z,
            pivots: 0,
            residual: 0.0,
        });
    }
    let pivots = workspace.follow_path(m, q)?;
    workspace.polish(m, q);
    let (z, residual) = (&workspace.z, residual(m, q, &workspace.z));
    if residual <= ACCEPTED * scale(m, q, z) {
        Ok(Solution {
            z,
            pivots,
            residual,
        })
    } else {
        Err(Error::Unsolved {
            z: z.clone(),
            residual,
            pivots,
        })
    }
}

impl Workspace {
    fn reset(&mut self, n: usize) {
        for row in [&mut self.x, &mut self.y, &mut self.column, &mut self.z] {
            row.clear();
            row.resize(n, 0.0);
        }
    }

    /// Pivots until z₀ is zero, leaves the end point in `z` and returns the number of pivots.
    fn follow_path(&mut self, m: &[f64], q: &[f64]) -> Result<usize, Error> {
        let (mut missing, mut entering) = (self.basis.start(q), Side::Z);
        let gone = TIE * largest(q);
        for pivots in 1..=self.max_pivots {
            if !self.basis.factor(m) {
                return Err(self.unsolved(m, q, pivots));
            }
            self.basis.solve(m, |i| q[i], &mut self.x);
            if self.x[missing] <= gone {
                self.extract(0.0);
                return Ok(pivots);
            }
            match entering {
                Side::W => self.basis.solve(m, |i| unit(i, missing), &mut self.y),
                Side::Z => self
                    .basis
                    .solve(m, |i| -m[missing * q.len() + i], &mut self.y),
            }
            let Some(leaving) = self.leaving(m, missing) else {
                return Err(self.ray(missing, entering, pivots));
            };
            if leaving == missing {
                self.finish(missing, entering);
                return Ok(pivots + 1);
            }
            entering = self.basis.exchange(entering, leaving);
            missing = leaving;
        }
        Err(self.unsolved(m, q, self.max_pivots))
    }

    /// The pair of the lexicographically least ratio; `None` if no variable blocks. z₀, which
    /// stands at the missing pair, comes first among equals, for then the path is at its end.
    fn leaving(&mut self, m: &[f64], missing: usize) -> Option<usize> {
        let (x, y) = (&self.x, &self.y);
        let (least_pivot, slack) = (PIVOT * largest(y), TIE * largest(x));
        let blocking = || (0..y.len()).filter(|&i| y[i] > least_pivot);
        let step = blocking().map(|i| x[i].max(0.0) / y[i]).reduce(f64::min)?;
        self.ties.clear();
        self.ties
            .extend(blocking().filter(|&i| x[i].max(0.0) - step * y[i] <= slack));
        if self.ties.contains(&missing) {
            return Some(missing);
        }
        for j in 0..y.len() {
            if self.ties.len() <= 1 {
                break;
            }
            self.basis.solve(m, |i| unit(i, j), &mut self.column);
            let ratio = |i: usize| self.column[i] / y[i];
            let least = self
                .ties
                .iter()
                .map(|&i| ratio(i))
                .fold(f64::INFINITY, f64::min);
            self.ties
                .retain(|&i| ratio(i) <= least + TIE * least.abs().max(1.0));
        }
        self.ties.first().copied()
    }

    /// Writes z at the distance `step` along the current edge.
    fn extract(&mut self, step: f64) {
        for (i, z) in self.z.iter_mut().enumerate() {
            *z = if self.basis.has_z(i) {
                (self.x[i] - step * self.y[i]).max(0.0)
            } else {
                0.0
            };
        }
    }

    /// Goes to the end of the last edge, where z₀ is zero and the missing pair complete.
    fn finish(&mut self, missing: usize, entering: Side) {
        let step = self.x[missing] / self.y[missing];
        self.extract(step);
        self.z[missing] = if entering == Side::Z { step } else { 0.0 };
        self.basis.complete(entering);
    }

    fn ray(&mut self, missing: usize, entering: Side, pivots: usize) -> Error {
        self.extract(0.0);
        let along = |i| if self.basis.has_z(i) { -self.y[i] } else { 0.0 };
        let mut direction: Vec<f64> = (0..self.y.len()).map(along).collect();
        direction[missing] = if entering == Side::Z { 1.0 } else { 0.0 };
        Error::Ray {
            z: self.z.clone(),
            direction,
            pivots,
        }
    }

    fn unsolved(&mut self, m: &[f64], q: &[f64], pivots: usize) -> Error {
        self.extract(0.0);
        Error::Unsolved {
            z: self.z.clone(),
            residual: residual(m, q, &self.z),
            pivots,
        }
    }

    /// Solves w = 0 for the basic z once more from the data, and keeps that if it is better.
    fn polish(&mut self, m: &[f64], q: &[f64]) {
        self.basis.complete(Side::W);
        if !self.basis.factor(m) {
            return;
        }
        let (refined, left_over) = (&mut self.x, &mut self.y);
        refined.fill(0.0);
        for _ in 0..REFINEMENTS {
            affine(m, q, refined, left_over);
            self.basis.solve(m, |i| left_over[i], &mut self.column);
            let basic = (0..q.len()).filter(|&i| self.basis.has_z(i));
            basic.for_each(|i| refined[i] += self.column[i]);
        }
        refined.iter_mut().for_each(|z| *z = z.max(0.0));
        if residual(m, q, refined) <= residual(m, q, &self.z) {
            core::mem::swap(&mut self.x, &mut self.z);
        }
    }
}

/// w = M z + q.
fn affine(m: &[f64], q: &[f64], z: &[f64], w: &mut [f64]) {
    w.copy_from_slice(q);
    for (column, &z) in m.chunks_exact(q.len().max(1)).zip(z) {
        w.iter_mut().zip(column).for_each(|(w, m)| *w += m * z);
    }
}

/// The largest sum |q| + |M| z of a row.
fn scale(m: &[f64], q: &[f64], z: &[f64]) -> f64 {
    let n = q.len();
    let row = |i: usize| (0..n).fold(q[i].abs(), |sum, j| sum + (m[j * n + i] * z[j]).abs());
    (0..n).map(row).fold(0.0, f64::max)
}

fn unit(i: usize, j: usize) -> f64 {
    if i == j { 1.0 } else { 0.0 }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

fn check_finite(quantity: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(Error::NotFinite {
            quantity,
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}
