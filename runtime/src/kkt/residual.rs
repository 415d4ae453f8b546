//! What a solution leaves of the equations, from the problem's own numbers.
//!
//! > max |f − M x + Jᵀ λ| / (F + s),  max |P (g − J x)| / (G + s′)
//!
//! F is the largest sum of |f|, |M x| and |Jᵀ λ| in one entry, G that of |g| and |J| |x|. Where all of it
//! cancels, as in a body that the constraint holds at rest, F or G is rounding itself; and large multipliers
//! of nearly dependent rows cancel within Jᵀ λ. Hence
//!
//! > s = ε (max M · max |x| + max |Jᵀ diag(λ)|),  s′ = ε max |J| · max |x′|
//!
//! x′ being what the forces that cancel would each do alone. Where nothing has mass, forces do nothing and x
//! costs none: where the rows ask for nothing, or nothing is to be borne, x or λ is rounding of the other. Then
//! x′, and λ in s, are those of the first solution, before it was refined.

use alloc::vec::Vec;

use super::Problem;
use super::dense::Orthogonal;
use crate::slices::{
    BLOCK, columns, copy, largest, multiply, multiply_transposed, sum, worse, zeros,
};

/// ε: rounding of what is scaled by it stays below [`ROUNDING`].
const SHARE: f64 = 1e-2;

/// Below, a measure is not looked at more closely, and a solution not refined.
pub(super) const ROUNDING: f64 = 1e-13;

/// What is left, and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Residual {
    /// f − M x + Jᵀ λ.
    pub(super) force: Vec<f64>,
    /// g − J x, but for what no x can give.
    pub(super) target: Vec<f64>,
    /// The largest |g − J x|.
    pub(super) violation: f64,
    /// The largest entries of the first x and λ.
    first: Option<(f64, f64)>,
    sizes: Vec<f64>,
    product: Vec<f64>,
}

impl Residual {
    /// Begins with x = 0 and λ = 0.
    pub(super) fn begin(&mut self, problem: &Problem<'_>) {
        self.first = None;
        self.start(problem);
    }

    fn start(&mut self, problem: &Problem<'_>) {
        copy(&mut self.force, problem.force);
        copy(&mut self.target, problem.target);
    }

    /// Computes what is left. Returns the worse of its two measures, at most; NaN if an entry of the problem
    /// or the solution is NaN or infinite.
    pub(super) fn compute(
        &mut self,
        problem: &Problem<'_>,
        (x, lambda): (&[f64], &[f64]),
        deficient: Option<&Orthogonal>,
    ) -> f64 {
        self.start(problem);
        self.first.get_or_insert((largest(x), largest(lambda)));
        let (row, g) = self.compute_rows(problem, x, deficient);
        let (force, f) = self.compute_forces(problem, (x, lambda));
        let bound = worse(relative(row, g), relative(force, f));
        if bound <= ROUNDING {
            return bound;
        }
        let (of_forces, of_rows) = self.scales(problem, (x, lambda));
        worse(relative(row, g + SHARE * of_rows), relative(force, f + SHARE * of_forces))
    }

    /// What is left of the rows, and G.
    fn compute_rows(
        &mut self,
        problem: &Problem<'_>,
        x: &[f64],
        deficient: Option<&Orthogonal>,
    ) -> (f64, f64) {
        let sizes = absolute(&mut self.sizes, problem.target);
        for (column, &x) in columns(problem.jacobian, problem.rows()).zip(x) {
            include(&mut self.target, sizes, -x, column);
        }
        self.violation = largest(&self.target);
        if let Some(rows) = deficient {
            rows.project(&mut self.target);
        }
        (largest(&self.target), largest(sizes))
    }

    /// What is left of the forces, and F.
    fn compute_forces(
        &mut self,
        problem: &Problem<'_>,
        (x, lambda): (&[f64], &[f64]),
    ) -> (f64, f64) {
        let n = problem.coordinates();
        let sizes = absolute(&mut self.sizes, problem.force);
        if problem.mass.is_empty() {
            // Forward dynamics has made x from λ; there is no other M.
            self.force.fill(0.0);
            return (0.0, 0.0);
        }
        let product = zeros(&mut self.product, n);
        multiply(product, problem.mass, x);
        include(&mut self.force, sizes, -1.0, product);
        product.fill(0.0);
        multiply_transposed(product, problem.jacobian, lambda);
        include(&mut self.force, sizes, 1.0, product);
        (largest(&self.force), largest(sizes))
    }

    /// s and s′, by ε.
    fn scales(&mut self, problem: &Problem<'_>, (x, lambda): (&[f64], &[f64])) -> (f64, f64) {
        let n = problem.coordinates();
        let masses = problem.mass.iter().step_by(n + 1);
        let heaviest = masses.clone().copied().fold(0.0, worse);
        let fastest = match problem.accelerate.filter(|_| problem.mass.is_empty()) {
            Some(accelerate) => {
                let free = zeros(&mut self.sizes, n);
                accelerate(problem.force, free);
                largest(free)
            }
            None => {
                let alone = self.sizes.iter().zip(masses).filter(|(_, mass)| **mass > 0.0);
                alone.map(|(force, mass)| force / mass).fold(0.0, worse)
            }
        };
        let exerted = |column: &[f64]| {
            column.iter().zip(lambda).map(|(entry, lambda)| (entry * lambda).abs()).fold(0.0, worse)
        };
        let strongest = columns(problem.jacobian, lambda.len()).map(exerted).fold(0.0, worse);
        let steepest = largest(problem.jacobian);
        match self.first.filter(|_| heaviest == 0.0 && !problem.mass.is_empty()) {
            Some((x, lambda)) => (steepest * lambda, steepest * x),
            None => (heaviest * largest(x) + strongest, steepest * fastest),
        }
    }
}

/// y += a x, and the sizes of what was added.
#[inline]
fn include(y: &mut [f64], sizes: &mut [f64], a: f64, x: &[f64]) {
    let (y_blocks, y_rest) = y.as_chunks_mut::<BLOCK>();
    let (size_blocks, size_rest) = sizes.as_chunks_mut::<BLOCK>();
    let (x_blocks, x_rest) = x.as_chunks::<BLOCK>();
    for ((y, size), x) in y_blocks.iter_mut().zip(size_blocks).zip(x_blocks) {
        *y = sum(*y, a, *x);
        *size = sum(*size, a.abs(), x.map(f64::abs));
    }
    for ((y, size), x) in y_rest.iter_mut().zip(size_rest).zip(x_rest) {
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
