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
//! then judged by its residual; where it fails, the path is followed again with another threshold
//! for pivots, and a ray is reported only if all of them end in one.
//!
//! # Source
//!
//! Lemke: Bimatrix Equilibrium Points and Mathematical Programming (1965). Cottle, Pang, Stone:
//! The Linear Complementarity Problem (1992), section 4.4.

mod basis;
mod error;
mod path;
mod scale;

use alloc::vec::Vec;

use self::basis::Basis;
pub use self::error::Error;
use self::scale::{divide, power_of_two};
use super::residual;

/// What is taken as zero, in the order of trial: pivots, relative to the largest entry of their
/// column, and differences of what ties, relative to the largest entry. A path that leads into a
/// nearly singular basis with one choice rarely does so with all of them.
const THRESHOLDS: [[f64; 2]; 4] = [[1e-8, 1e-12], [1e-8, 1e-10], [1e-11, 1e-12], [1e-5, 1e-12]];
/// A solution's largest residual, relative to the largest entry of q.
const ACCEPTED: f64 = 1e-10;
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

/// Room for problems, allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Workspace {
    max_pivots: usize,
    basis: Basis,
    /// M and q, divided by powers of two that bring their largest entries near one: thresholds
    /// compare entries of w with entries of z.
    scaled: (Vec<f64>, Vec<f64>),
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
            scaled: (Vec::with_capacity(n * n), row()),
            x: row(),
            y: row(),
            column: row(),
            ties: Vec::with_capacity(n),
            z: row(),
        }
    }

    /// Forgets the last solution, so that [`resume`] does what [`solve`] does.
    pub fn forget(&mut self) {
        self.basis.forget();
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
/// # Ok::<(), lemke::Error>(())
/// ```
pub fn solve<'a>(
    m: &[f64],
    q: &[f64],
    workspace: &'a mut Workspace,
) -> Result<Solution<'a>, Error> {
    workspace.forget();
    resume(m, q, workspace)
}

/// As [`solve`], but the basis in which the workspace's last problem was solved is tried first: for a problem
/// that differs little from it, this is fast, and where both have several solutions it finds those that
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
    let n = q.len();
    if Some(m.len()) != n.checked_mul(n) {
        return Err(Error::Dimension { n, entries: m.len() });
    }
    error::check_finite("m", m)?;
    error::check_finite("q", q)?;
    workspace.reset(n);
    if q.iter().all(|&q| q >= 0.0) {
        workspace.forget();
        return Ok(Solution { z: &workspace.z, pivots: 0, residual: 0.0 });
    }
    let (m_scale, q_scale) = (power_of_two(largest(m)), power_of_two(largest(q)));
    let z_scale = q_scale / m_scale;
    let scaled = core::mem::take(&mut workspace.scaled);
    workspace.scaled = divide(scaled, (m, m_scale), (q, q_scale));
    let pivots = workspace.search().map_err(|error| error.multiplied(z_scale, m, q))?;
    workspace.z.iter_mut().for_each(|z| *z *= z_scale);
    let residual = residual(m, q, &workspace.z);
    if residual.is_finite() {
        Ok(Solution { z: &workspace.z, pivots, residual })
    } else {
        Err(Error::Unsolved { z: workspace.z.clone(), residual, pivots })
    }
}

/// The failure to report of two: a ray only if both are rays, and the better point of two.
fn doubt(first: Error, next: Error) -> Error {
    match (&first, &next) {
        (Error::Unsolved { residual, .. }, Error::Unsolved { residual: other, .. }) => {
            if other < residual { next } else { first }
        }
        (Error::Ray { .. }, _) => next,
        _ => first,
    }
}

impl Workspace {
    fn reset(&mut self, n: usize) {
        for row in [&mut self.x, &mut self.y, &mut self.column, &mut self.z] {
            row.clear();
            row.resize(n, 0.0);
        }
    }

    /// Solves the scaled problem, in the basis that there is or with one pair of thresholds after the other.
    fn search(&mut self) -> Result<usize, Error> {
        let (m, q) = core::mem::take(&mut self.scaled);
        let [first, others @ ..] = THRESHOLDS;
        let known = self.basis.is_complete(q.len());
        let start = if known { self.judge(&m, &q, 0) } else { self.attempt(&m, &q, first) };
        let others = known.then_some(first).into_iter().chain(others);
        let found = others.fold(start, |found, other| {
            found.or_else(|error| self.attempt(&m, &q, other).map_err(|next| doubt(error, next)))
        });
        self.scaled = (m, q);
        found
    }

    /// Follows the path and judges its end, which is then in `z`. Returns the number of pivots.
    fn attempt(&mut self, m: &[f64], q: &[f64], thresholds: [f64; 2]) -> Result<usize, Error> {
        let pivots = self.follow_path(m, q, thresholds)?;
        self.judge(m, q, pivots)
    }

    /// Refines the solution in the basis reached after so many pivots, and judges it.
    fn judge(&mut self, m: &[f64], q: &[f64], pivots: usize) -> Result<usize, Error> {
        self.polish(m, q);
        let residual = residual(m, q, &self.z);
        if residual <= ACCEPTED * largest(q) {
            Ok(pivots)
        } else {
            Err(Error::Unsolved { z: self.z.clone(), residual, pivots })
        }
    }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |largest, x| x.abs().max(largest))
}
