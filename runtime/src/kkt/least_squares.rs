//! Least squares under equality constraints.
//!
//! > minimise ½ ‖R x + r‖²  subject to  J x = g
//!
//! which is M x − Jᵀ λ = f with M = RᵀR and f = −Rᵀ r, by the null-space method on R itself:
//!
//! > Jᵀ = Y Wᵀ,  \[Y Z\] orthogonal,  x = Y a + Z b,  W a = g,  minimise ‖R Z b + R Y a + r‖
//!
//! with R Z factored, and not its square Zᵀ M Z: weights that differ by 1e8 are numbers that differ by 1e4. In
//! motions that neither J nor R determines, x is the smallest.
//!
//! Class: all R and J. W a = g is solved in the sense of least squares.
//!
//! # Source
//!
//! Lawson, Hanson: Solving Least Squares Problems (1974), chapter 20. Björck: Numerical Methods for Least
//! Squares Problems (1996), section 5.1.3.

use alloc::vec::Vec;

use super::dense::Orthogonal;
use super::solver::DEPENDENT;
use super::{Error, Problem, rows};
use crate::slices::{columns, copy, multiply, norm, scale, zeros};

/// A motion of which R is less than so much, by the largest that the rows leave free, has no weight.
const WEIGHTLESS: f64 = 1e-11;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeastSquares {
    rows: Orthogonal,
    transposed: Vec<f64>,
    /// Z, (n, n − r), and R Z.
    z: Vec<f64>,
    reduced: Vec<f64>,
    free: Orthogonal,
    side: Vec<f64>,
    room: Vec<f64>,
}

impl LeastSquares {
    /// Writes x, (n), for R, (n, n), r, (n), J, (m, n), and g, (m). A row depends on others if less than
    /// `threshold` of its length, or than 1e-8, is at right angles to them. Returns the rank of J.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`], and [`Error::NotConverged`] where the solution is not finite.
    pub(crate) fn solve(
        &mut self,
        (root, offset): (&[f64], &[f64]),
        (jacobian, target): (&[f64], &[f64]),
        threshold: f64,
        x: &mut [f64],
    ) -> Result<usize, Error> {
        let n = offset.len();
        let problem = Problem::new(root, jacobian, offset, target);
        rows::factor(&mut self.rows, &mut self.transposed, &problem, threshold.max(DEPENDENT));
        let rank = self.rows.rank();
        x.fill(0.0);
        self.rows.nearest(copy(&mut self.room, target), &mut x[..rank]);
        self.rows.apply(x);
        self.factor_free(root, n);
        // −(R Y a + r).
        let side = copy(&mut self.side, offset);
        multiply(side, root, x);
        scale(side, -1.0);
        self.free.apply_transposed(side);
        let free = zeros(&mut self.room, n - rank);
        self.free.smallest(&side[..self.free.rank()], free);
        multiply(x, &self.z, free);
        if x.iter().all(|x| x.is_finite()) {
            return Ok(rank);
        }
        problem.check_finite()?;
        Err(Error::NotConverged { residual: f64::NAN, iterations: 1 })
    }

    /// Factors R Z. Columns that are zero but for rounding are made zero.
    fn factor_free(&mut self, root: &[f64], n: usize) {
        let rank = self.rows.rank();
        let z = zeros(&mut self.z, n * (n - rank));
        let reduced = zeros(&mut self.reduced, n * (n - rank));
        let both = z.chunks_exact_mut(n.max(1)).zip(reduced.chunks_exact_mut(n.max(1)));
        for (k, (z, product)) in both.enumerate() {
            z[rank + k] = 1.0;
            self.rows.apply(z);
            multiply(product, root, z);
        }
        let least = WEIGHTLESS * columns(reduced, n).map(norm).fold(0.0, f64::max);
        let columns = reduced.chunks_exact_mut(n.max(1));
        columns.filter(|column| norm(column) <= least).for_each(|column| column.fill(0.0));
        self.free.factor((n, n - rank), reduced, WEIGHTLESS);
    }
}
