//! A problem apart from its matrix, and how far a point is from its solution.

use alloc::vec::Vec;

use super::natural::{self, Cone};
use super::problem::Coefficients;
use super::vector::largest;
use super::{Block, Law};
use crate::kernel::Real;
use crate::slices::larger;

/// Residuals below so many times the tolerance may be nothing but rounding.
pub(super) const NEAR: f64 = 1e4;

/// b, blocks and law, with what the diagonal of A says of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) b: &'a [f64],
    pub(super) blocks: &'a [Block],
    pub(super) law: Law,
    /// s, (n): the mean diagonal entry of A over the first three rows of a contact, over those of a ball, over both of a
    /// planar one and of rolling, the entry itself for other rows; 1 where that is zero.
    pub(super) mobility: &'a [f64],
}

/// A term ½ ε (λ − c)ᵀ S (λ − c) of the convex law, S of the mobilities: with it λ is unique, and A regular.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw<'a> {
    /// c, (n).
    pub(super) centre: &'a [f64],
    /// ε.
    pub(super) by: f64,
}

/// λ and w = A λ + b.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    pub(super) lambda: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) error: Measure,
}

/// How far a point is from the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measure {
    /// ‖e‖∞ in the units of w.
    pub(super) largest: f64,
    /// ∑ eᵢ² / sᵢ: twice an energy.
    pub(super) merit: f64,
    /// ‖s λ‖∞ over normals and rows.
    pub(super) size: f64,
}

impl Point {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self { lambda: Vec::with_capacity(n), w: Vec::with_capacity(n), error: Measure::default() }
    }

    /// No impulse, and room for w.
    #[inline]
    pub(super) fn reset(&mut self, n: usize) {
        self.lambda.clear();
        self.lambda.resize(n, 0.0);
        self.w.resize(n, 0.0);
    }

    pub(super) fn copy(&mut self, other: &Self) {
        self.lambda.clone_from(&other.lambda);
        self.w.clone_from(&other.w);
        self.error = other.error;
    }
}

impl Draw<'_> {
    /// w += ε S (λ − c).
    #[inline(always)]
    pub(super) fn add(&self, view: &View<'_>, lambda: &[f64], w: &mut [f64]) {
        let apart = lambda.iter().zip(self.centre).map(|(x, c)| x - c);
        let scaled = apart.zip(view.mobility).map(|(x, s)| self.by * s * x);
        w.iter_mut().zip(scaled).for_each(|(w, x)| *w += x);
    }
}

impl View<'_> {
    /// Each block with its first row.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, &Block)> {
        let mut next = 0;
        self.blocks.iter().map(move |block| {
            let first = next;
            next += block.rows();
            (first, block)
        })
    }

    /// s of a contact's tangents, of its torsional row, and of its rows of rolling; the first where there are none.
    #[inline(always)]
    pub(super) fn mobilities(&self, first: usize, block: &Block) -> [f64; 3] {
        let of = |row: usize| self.mobility[first + if row < block.rows() { row } else { 0 }];
        [of(0), of(3), of(4)]
    }

    /// ℓ of a contact or a ball.
    #[inline(always)]
    pub(super) fn scaled(
        &self,
        lambda: &natural::Rows,
        first: usize,
        block: &Block,
    ) -> natural::Rows {
        let [s, about, rolling] = self.mobilities(first, block);
        let by = [s, s, s, about, rolling, rolling];
        core::array::from_fn(|k| by[k] * lambda[k])
    }

    /// The cone of a contact's ℓ.
    #[inline(always)]
    pub(super) fn cone(&self, first: usize, block: &Block, of: Coefficients) -> Cone {
        Cone::new(of, self.mobilities(first, block))
    }

    /// The error of λ with w = A λ + b. NaN if a number of λ or w is.
    #[inline(always)]
    pub(super) fn measure<A: Real>(&self, lambda: &[f64], w: &[f64]) -> Measure {
        let mut measure = Measure::default();
        for (first, block) in self.blocks() {
            let (impulse, w) =
                (natural::rows(lambda, first, block), natural::rows(w, first, block));
            let s = self.mobility[first];
            measure.size = larger((s * impulse[0]).abs(), measure.size);
            match *block {
                Block::Row { lower, upper } => {
                    let error = natural::row(s * impulse[0], w[0], (s * lower, s * upper));
                    measure.add(&[error], s);
                }
                Block::Ball { radius } => {
                    let l = self.scaled(&impulse, first, block);
                    measure.size = larger(largest(&l), measure.size);
                    measure.add(&natural::ball::<A>(&l, &w, s * radius), s);
                }
                Block::Planar { .. } | Block::Contact { .. } | Block::Rolling { .. } => {
                    let cone = self.cone(first, block, block.coefficients().unwrap_or_default());
                    let l = self.scaled(&impulse, first, block);
                    let [n, t, u, about, x, y] = natural::contact::<A>(&cone, self.law, &l, &w);
                    let [_, s_about, s_rolling] = self.mobilities(first, block);
                    measure.add(&[n, t, u], s);
                    measure.add(&[about], s_about);
                    measure.add(&[x, y], s_rolling);
                }
            }
        }
        if measure.merit.is_nan() {
            measure.largest = f64::NAN;
        }
        measure
    }

    /// The largest number of b, and of the least impulses that the bounds ask for, in the units of w. Passes over
    /// what is NaN, which is found in w.
    #[inline(always)]
    pub(super) fn speed(&self) -> f64 {
        let mut speed = largest(self.b);
        for (first, block) in self.blocks() {
            if let Block::Row { lower, upper } = *block {
                speed = larger(self.mobility[first] * nearest_zero(lower, upper).abs(), speed);
            }
        }
        speed
    }
}

/// The number within bounds that is nearest to zero.
#[inline(always)]
pub(super) fn nearest_zero(lower: f64, upper: f64) -> f64 {
    if lower > 0.0 {
        lower
    } else if upper < 0.0 {
        upper
    } else {
        0.0
    }
}

impl Measure {
    /// Whether b is not hidden in what rounding makes of A λ, as it is by larger impulses.
    #[inline(always)]
    pub(super) fn is_meant(&self, accepted: f64) -> bool {
        8.0 * f64::EPSILON * self.size <= NEAR * accepted
    }

    /// The error, or what rounding of A λ hides.
    #[inline(always)]
    pub(super) fn known(&self) -> f64 {
        larger(8.0 * f64::EPSILON * self.size, self.largest)
    }

    /// Whether rounding of A λ is below a tolerance.
    #[inline(always)]
    pub(super) fn is_precise(&self, accepted: f64) -> bool {
        8.0 * f64::EPSILON * self.size <= accepted && self.largest.is_finite()
    }

    #[inline(always)]
    fn add<const K: usize>(&mut self, errors: &[f64; K], mobility: f64) {
        let mut squares = 0.0;
        for error in errors {
            self.largest = larger(error.abs(), self.largest);
            squares += error * error;
        }
        self.merit += squares / mobility;
    }
}
