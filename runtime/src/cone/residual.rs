//! How far impulses are from a solution, from the problem's numbers alone.

use alloc::vec;
use alloc::vec::Vec;

use super::scale::Scale;
use super::vector::largest;
use super::view::View;
use super::{Block, Matrix, Problem};
use crate::kernel::{Computation, Real, compute};
use crate::slices::larger;

/// ‖e‖∞ in the units of w, m/s or rad/s: zero exactly at the solutions.
///
/// With w = A λ + b and velocities ℓ = s λ, e is what is left of w, or ℓ itself, or what of it friction or a
/// bound do not bear. s is the mean of the three diagonal entries of A of a contact or a ball (two of a planar one,
/// and of rolling), the entry of any other row (and 1 where that is zero), so that e does not depend on the unit of mass.
///
/// > eₙ = min(ℓₙ, wₙ),  eₜ = ℓₜ − P(ℓₜ − wₜ) with P onto the disc of radius μ ℓₙ (Coulomb)
/// > e = ℓ − P(ℓ − w) with P onto the friction cone, nearest in λᵀ w (convex), between the bounds (rows), or onto the ball
///
/// NaN if a number is NaN, or the shapes do not agree. It allocates; a solver returns the same number of what
/// it found, but for a [star](super::Matrix::Star) of more than four contacts: there s counts what they share N/4 times,
/// and e is no smaller than this.
///
/// # Source
///
/// Acary, Brémond, Huber: On Solving Contact Problems with Coulomb Friction (2018), section 4.
pub fn residual(problem: &Problem<'_>, lambda: &[f64]) -> f64 {
    velocities(problem, lambda).map_or(f64::NAN, |(w, mobility)| {
        let Problem { b, blocks, law, .. } = *problem;
        if let Some(scale) = scale_of(lambda, &w, &mobility) {
            let scaled = ScaledPoint::new(scale, blocks, (lambda, &w, &mobility));
            let ScaledPoint { blocks, lambda, w, mobility } = &scaled;
            let view = View { b, blocks, law, mobility };
            return scale.velocity_back(compute(Measured { view, lambda, w }));
        }
        compute(Measured { view: View { b, blocks, law, mobility: &mobility }, lambda, w: &w })
    })
}

/// The work that complementarity leaves, in J: zero at the solutions, and not negative where λ is within its
/// cone and w, or what Coulomb's law puts in its place, in the dual one. For the convex law it is the gap
/// between the primal and the dual value of the quadratic program.
///
/// > ∑ λᵀ w̃,  w̃ₙ = wₙ + μ ‖wₜ‖ + ν |w_τ| + ϱ ‖w_ϱ‖ (Coulomb),  w̃ = w (convex)
/// > ∑ (λ − lower) w⁺ + (upper − λ) w⁻ (rows, at finite bounds),  λᵀ w + r ‖w‖ (balls)
///
/// # Source
///
/// De Saxcé, Feng: The Bipotential Method (1998). Boyd, Vandenberghe: Convex Optimization, section 5.9.
pub fn gap(problem: &Problem<'_>, lambda: &[f64]) -> f64 {
    let Some((w, mobility)) = velocities(problem, lambda) else { return f64::NAN };
    let Problem { b, blocks, law, .. } = *problem;
    if let Some(scale) = scale_of(lambda, &w, &mobility) {
        let scaled = ScaledPoint::new(scale, blocks, (lambda, &w, &mobility));
        let ScaledPoint { blocks, lambda, w, mobility } = &scaled;
        let view = View { b, blocks, law, mobility };
        let left = view.blocks().map(|(first, block)| view.left(lambda, w, first, block));
        return scale.work_back(left.sum());
    }
    let view = View { b, blocks, law, mobility: &mobility };
    view.blocks().map(|(first, block)| view.left(lambda, &w, first, block)).sum()
}

/// A point in units in which squares of its numbers are numbers.
struct ScaledPoint {
    blocks: Vec<Block>,
    lambda: Vec<f64>,
    w: Vec<f64>,
    mobility: Vec<f64>,
}

impl ScaledPoint {
    fn new(
        scale: Scale,
        blocks: &[Block],
        (lambda, w, mobility): (&[f64], &[f64], &[f64]),
    ) -> Self {
        Self {
            blocks: scale.blocks(blocks),
            lambda: lambda.iter().map(|x| scale.impulse(*x)).collect(),
            w: w.iter().map(|x| scale.velocity(*x)).collect(),
            mobility: mobility.iter().map(|x| scale.mobility(*x)).collect(),
        }
    }
}

/// What a point has to be scaled by, if it has to be.
fn scale_of(lambda: &[f64], w: &[f64], mobility: &[f64]) -> Option<Scale> {
    let moved = lambda.iter().zip(mobility).map(|(x, s)| s * x);
    let size = moved.fold(largest(w), |most, l| larger(l.abs(), most));
    Scale::of_sizes(largest(mobility), size)
}

struct Measured<'a> {
    view: View<'a>,
    lambda: &'a [f64],
    w: &'a [f64],
}

impl Computation for Measured<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<A: Real>(self) -> f64 {
        self.view.measure::<A>(self.lambda, self.w).largest
    }
}

/// w and the mobilities; none if shapes do not agree or a coefficient is impossible.
fn velocities(problem: &Problem<'_>, lambda: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let n = problem.b.len();
    if lambda.len() != n || problem.check().is_err() {
        return None;
    }
    let (mut w, mut mobility) = (vec![0.0; n], vec![0.0; n]);
    compute(Velocities { problem, lambda, w: &mut w, mobility: &mut mobility });
    Some((w, mobility))
}

struct Velocities<'a> {
    problem: &'a Problem<'a>,
    lambda: &'a [f64],
    w: &'a mut [f64],
    mobility: &'a mut [f64],
}

impl Computation for Velocities<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Problem { matrix, b, blocks, .. } = self.problem;
        let (mut product, mut velocity) = (Vec::new(), vec![0.0; matrix.width(b.len())]);
        let taken = matrix.form::<A>(b.len(), &mut product);
        taken.apply::<A>(self.lambda, b, self.w, &mut velocity);
        mobilities::<A>(matrix, blocks, velocity.len(), self.mobility);
    }
}

/// s of each row, see [`View`]; rows of Y are so wide.
#[inline(always)]
pub(super) fn mobilities<A: Real>(
    matrix: &Matrix<'_>,
    blocks: &[Block],
    width: usize,
    mobility: &mut [f64],
) {
    let n = mobility.len();
    let diagonal = |i: usize| matrix.entry::<A>((n, width), i, i);
    let some = |s: f64| if s > 0.0 { s } else { 1.0 };
    let mut first = 0;
    for block in blocks {
        match block {
            Block::Row { .. } => mobility[first] = some(diagonal(first)),
            Block::Planar { .. } => {
                let sum = diagonal(first) + diagonal(first + 1);
                mobility[first..first + 2].fill(some(sum * 0.5));
            }
            Block::Contact { .. } | Block::Rolling { .. } | Block::Ball { .. } => {
                let sum = diagonal(first) + diagonal(first + 1) + diagonal(first + 2);
                mobility[first..first + 3].fill(some(sum * (1.0 / 3.0)));
                if block.rows() > 3 {
                    mobility[first + 3] = some(diagonal(first + 3));
                }
                if block.rows() > 4 {
                    let sum = diagonal(first + 4) + diagonal(first + 5);
                    mobility[first + 4..first + 6].fill(some(sum * 0.5));
                }
            }
        }
        first += block.rows();
    }
}
