//! What a solution leaves of the equations, from the problem's own numbers.

use alloc::vec::Vec;

use super::Problem;
use super::dense::Orthogonal;
use super::slices::{columns, copy, largest, worse, zeros};

/// What is left, and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Residual {
    /// f − M x + Jᵀ λ.
    pub(super) force: Vec<f64>,
    /// g − J x, but for what no x can give.
    pub(super) target: Vec<f64>,
    /// The largest |g − J x|.
    pub(super) violation: f64,
    sizes: Vec<f64>,
}

impl Residual {
    /// Takes x = 0 and λ = 0 for the solution.
    pub(super) fn start(&mut self, problem: &Problem<'_>) {
        copy(&mut self.force, problem.force);
        copy(&mut self.target, problem.target);
    }

    /// Computes what is left. Returns its largest entry by the largest sum of what cancels in one, of
    /// forces or of rows, whichever is worse; NaN if an entry of the problem or the solution is NaN or
    /// infinite.
    pub(super) fn compute(
        &mut self,
        problem: &Problem<'_>,
        (x, lambda): (&[f64], &[f64]),
        deficient: Option<&Orthogonal>,
    ) -> f64 {
        self.start(problem);
        let of_rows = self.compute_rows(problem, x, deficient);
        if problem.mass.is_empty() {
            // Forward dynamics has made x from λ; there is no other M.
            self.force.fill(0.0);
            return of_rows;
        }
        worse(of_rows, self.compute_forces(problem, (x, lambda)))
    }

    fn compute_rows(
        &mut self,
        problem: &Problem<'_>,
        x: &[f64],
        deficient: Option<&Orthogonal>,
    ) -> f64 {
        let sizes = absolute(&mut self.sizes, problem.target);
        for (column, &x) in columns(problem.jacobian, problem.rows()).zip(x) {
            cancel(&mut self.target, sizes, -x, column);
        }
        self.violation = largest(&self.target);
        if let Some(rows) = deficient {
            rows.project(&mut self.target);
        }
        relative(largest(&self.target), largest(sizes))
    }

    fn compute_forces(&mut self, problem: &Problem<'_>, (x, lambda): (&[f64], &[f64])) -> f64 {
        let (n, m) = (problem.coordinates(), problem.rows());
        let sizes = absolute(&mut self.sizes, problem.force);
        for (column, &x) in columns(problem.mass, n).zip(x) {
            cancel(&mut self.force, sizes, -x, column);
        }
        for (i, column) in columns(problem.jacobian, m).enumerate() {
            for (&entry, &lambda) in column.iter().zip(lambda) {
                self.force[i] += entry * lambda;
                sizes[i] += (entry * lambda).abs();
            }
        }
        relative(largest(&self.force), largest(sizes))
    }
}

/// y += a x, and the sizes of what was added.
#[inline]
fn cancel(y: &mut [f64], sizes: &mut [f64], a: f64, x: &[f64]) {
    for ((y, size), x) in y.iter_mut().zip(sizes).zip(x) {
        *y += a * x;
        *size += (a * x).abs();
    }
}

fn absolute<'a>(storage: &'a mut Vec<f64>, of: &[f64]) -> &'a mut [f64] {
    let sizes = zeros(storage, of.len());
    sizes.iter_mut().zip(of).for_each(|(size, x)| *size = x.abs());
    sizes
}

/// Zero of zero is zero.
fn relative(residual: f64, size: f64) -> f64 {
    if residual == 0.0 { 0.0 } else { residual / size }
}
