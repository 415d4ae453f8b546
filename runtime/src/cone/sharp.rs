//! What a residual in velocities does not show of a solution.
//!
//! Where the mobility s of a block is small, impulses that are no solution move nothing: with ℓ = s λ a row is within
//! 10⁻¹³ m/s of either of its bounds, and so it may resist by the one that drives it on. And along a line on which A is
//! nearly zero impulses of any size have the same w, which they multiply rounding by. So a solution is looked for until
//!
//! - e is below the tolerance with so large an s in the place of what is less that impulses are wrong by 10⁻⁹ of the largest
//!   one at most;
//! - the work ∑ λᵀ w̃ that complementarity leaves, as [`gap`](fn@super::gap) has it, is none by that of b;
//! - ∑ s λ², by which rounding makes work, is not so many times the latter.
//!
//! Where none is found, one that is below the tolerance as it is serves.

use super::natural::{self, Cone};
use super::view::{Point, View};
use super::{Block, Law};
use crate::kernel::Real;
use crate::slices::{larger, largest, sqrt};

/// Work that is none, by that of b.
const NO_WORK: f64 = 1e-9;
/// ∑ s λ² by the work of b: rounding of it is then no more than 10⁻¹⁰ of that work.
const LARGE: f64 = 1e6;
/// The largest error of an impulse, by the largest impulse.
const IMPULSES: f64 = 1e-9;
/// Units of rounding.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Sums over the blocks of a problem, by which impulses are moderate or not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// ∑ λᵀ b of contacts.
    of_contacts: f64,
    /// ∑ |λ b| of rows.
    of_rows: f64,
    /// ∑ s λ², and that of rows at a bound.
    size: f64,
    at_bounds: f64,
}

impl Sums {
    /// Adds a block with its rows of λ, b and s.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        block: &Block,
        lambda: &[f64],
        b: &[f64],
        mobility: impl Fn(usize) -> f64,
    ) {
        let (mut given, mut size) = (0.0, 0.0);
        for (k, (x, b)) in lambda.iter().zip(b).enumerate() {
            given += x * b;
            size += mobility(k) * x * x;
        }
        self.size += size;
        match *block {
            Block::Row { lower, upper } => {
                self.of_rows += given.abs();
                if lambda[0] == lower || lambda[0] == upper {
                    self.at_bounds += size;
                }
            }
            Block::Ball { .. } => self.of_rows += given.abs(),
            Block::Contact { .. } | Block::Rolling { .. } | Block::Planar { .. } => {
                self.of_contacts += given;
            }
        }
    }

    /// The work of b.
    #[inline(always)]
    fn given(&self) -> f64 {
        self.of_rows + self.of_contacts.abs()
    }

    /// Whether impulses are so small that rounding of them makes no work. What is at a bound is of its size, whatever b is.
    #[inline(always)]
    pub(crate) fn are_moderate(&self) -> bool {
        self.size <= LARGE * (self.given() + self.at_bounds)
    }
}

impl View<'_> {
    /// Whether a point whose error is accepted is a solution in impulses, and by its work.
    #[inline(always)]
    pub(super) fn is_sharp<A: Real>(&self, point: &Point, accepted: f64) -> bool {
        self.is_sharp_by::<A>(&self.sums(point), point, accepted)
    }

    /// The same, and whether impulses are [moderate](Self::is_moderate).
    #[inline(always)]
    pub(super) fn is_sharp_and_moderate<A: Real>(&self, point: &Point, accepted: f64) -> bool {
        let sums = self.sums(point);
        sums.are_moderate() && self.is_sharp_by::<A>(&sums, point, accepted)
    }

    #[inline(always)]
    fn is_sharp_by<A: Real>(&self, sums: &Sums, point: &Point, accepted: f64) -> bool {
        let rounding = ROUNDING * self.b.len() as f64 * sums.size;
        if self.all_left(point) > NO_WORK * sums.given() + rounding {
            return false;
        }
        let least = accepted / (IMPULSES * largest(&point.lambda));
        self.with_mobility::<A>(&point.lambda, &point.w, least) <= accepted
    }

    /// Whether impulses are so small that rounding of them makes no work.
    #[inline(always)]
    pub(super) fn is_moderate(&self, point: &Point) -> bool {
        self.sums(point).are_moderate()
    }

    /// ‖e‖∞ where what moves less is taken to have this mobility.
    #[inline(always)]
    fn with_mobility<A: Real>(&self, lambda: &[f64], w: &[f64], s: f64) -> f64 {
        let mut most = 0.0;
        for (first, block) in self.blocks() {
            if self.mobility[first] >= s {
                continue;
            }
            let (l, w) = (natural::rows(lambda, first, block), natural::rows(w, first, block));
            let l = l.map(|l| s * l);
            let mut errors = natural::Rows::default();
            match *block {
                Block::Row { lower, upper } => {
                    errors[0] = natural::row(l[0], w[0], (s * lower, s * upper));
                }
                Block::Ball { radius } => {
                    errors[..3].copy_from_slice(&natural::ball::<A>(&l, &w, s * radius));
                }
                Block::Contact { .. } | Block::Rolling { .. } | Block::Planar { .. } => {
                    let cone = Cone::new(block.coefficients().unwrap_or_default(), [s; 3]);
                    errors = natural::contact::<A>(&cone, self.law, &l, &w);
                }
            }
            for error in errors {
                most = larger(error.abs(), most);
            }
        }
        most
    }

    #[inline(always)]
    fn sums(&self, point: &Point) -> Sums {
        let mut sums = Sums::default();
        for (first, block) in self.blocks() {
            let rows = first..first + block.rows();
            let (lambda, mobility) = (&point.lambda[rows.clone()], &self.mobility[rows.clone()]);
            sums.add(block, lambda, &self.b[rows], |k| mobility[k]);
        }
        sums
    }

    /// ∑ |λᵀ w̃|.
    #[inline(always)]
    fn all_left(&self, point: &Point) -> f64 {
        let mut left = 0.0;
        for (first, block) in self.blocks() {
            left += self.left(&point.lambda, &point.w, first, block).abs();
        }
        left
    }

    /// λᵀ w̃ of a block.
    #[inline(always)]
    pub(super) fn left(&self, lambda: &[f64], w: &[f64], first: usize, block: &Block) -> f64 {
        let (l, w) = (natural::rows(lambda, first, block), natural::rows(w, first, block));
        match *block {
            Block::Row { lower, .. } if w[0] > 0.0 && lower.is_finite() => (l[0] - lower) * w[0],
            Block::Row { upper, .. } if w[0] < 0.0 && upper.is_finite() => (l[0] - upper) * w[0],
            Block::Row { .. } => 0.0 * w[0],
            Block::Ball { radius } => {
                let turning = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
                l[0] * w[0] + l[1] * w[1] + l[2] * w[2] + radius * turning
            }
            Block::Contact { .. } | Block::Rolling { .. } | Block::Planar { .. } => {
                let opens = match self.law {
                    Law::Coulomb => block.coefficients().unwrap_or_default().opens(&w),
                    Law::Convex => 0.0,
                };
                let turned = l[3] * w[3] + l[4] * w[4] + l[5] * w[5];
                l[0] * (w[0] + opens) + l[1] * w[1] + l[2] * w[2] + turned
            }
        }
    }
}
