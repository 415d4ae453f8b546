//! The step as a problem of its impulses.
//!
//! > w = A Λ + b,  A = G M⁻¹ Gᵀ + Σ,  b = G v_free − target
//!
//! Rows come in blocks: a contact with friction has three, along its normal and its tangents, everything
//! else has one with bounds, lo ≤ Λ ≤ hi and w⁺ ⟂ Λ − lo, w⁻ ⟂ hi − Λ. What law couples the three rows of a
//! contact is a matter of the formulation, and solvers see numbers only.
//!
//! Where there are many more rows than coordinates, and the solver can do with it, the factor Y of A = Y Yᵀ + Σ is
//! computed in the place of A, in a time that grows as the number of rows.

use alloc::vec::Vec;

use super::rows::Rows;
use super::star::Star;
use crate::cone::{Block, Matrix, Settings, Sums};
use crate::slices::{self, dot};

#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub(crate) blocks: Vec<Block>,
    /// Of each block, its first row.
    pub(crate) firsts: Vec<usize>,
    /// Of each block, how many directions its polygon of friction has, if it is a contact.
    pub(crate) directions: Vec<usize>,
    /// σ of each row, and by how much of its own A it is increased.
    softness: Vec<[f64; 2]>,
    /// Of both, what is added to A of each row; empty where nothing gives way.
    pub(super) sigma: Vec<f64>,
    /// What contacts share, if A is given so.
    pub(super) star: Star,
    /// (n, n), column by column, unless there is the factor.
    pub(crate) a: Vec<f64>,
    /// Y, (n, nv), row by row, if A is given so.
    pub(super) factor: Vec<f64>,
    /// (n).
    pub(crate) b: Vec<f64>,
    /// Of each row, the least impulse of a contact along its normal; empty where it is zero.
    pub(crate) floors: Vec<f64>,
    /// What a solver of cones is asked for.
    pub(crate) settings: Settings,
}

impl Problem {
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.firsts.clear();
        self.directions.clear();
        self.softness.clear();
        self.b.clear();
        self.floors.clear();
        self.star.clear();
        self.factor.clear();
        self.sigma.clear();
    }

    pub(crate) fn rows(&self) -> usize {
        self.b.len()
    }

    /// Becomes another, whose A was computed, with each row giving way by a share of its own A.
    pub(super) fn soften(&mut self, of: &Self, by: f64) {
        self.blocks.clone_from(&of.blocks);
        self.firsts.clone_from(&of.firsts);
        self.directions.clone_from(&of.directions);
        slices::copy(&mut self.b, &of.b);
        slices::copy(&mut self.a, &of.a);
        self.settings = of.settings;
        let n = of.rows();
        self.a.iter_mut().step_by(n + 1).for_each(|a| *a *= 1.0 + by);
    }

    /// Becomes another, as [softened](Self::soften), whose rows give way about these impulses instead of none.
    pub(super) fn draw(&mut self, of: &Self, by: f64, centre: &[f64]) {
        self.soften(of, by);
        let own = of.own().zip(centre);
        self.b.iter_mut().zip(own).for_each(|(b, (own, centre))| *b -= by * own * centre);
    }

    /// The diagonal of A, if that was computed.
    pub(super) fn own(&self) -> impl Iterator<Item = f64> {
        self.a.iter().step_by(self.rows() + 1).copied()
    }

    /// Each block with its first row and the directions of its polygon.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, &Block, usize)> {
        let blocks = self.firsts.iter().zip(&self.blocks).zip(&self.directions);
        blocks.map(|((&first, block), &directions)| (first, block, directions))
    }

    /// Adds a block of K rows with `b`, of which each is softened as in [`Problem::softness`].
    #[inline(always)]
    pub(crate) fn push<const K: usize>(
        &mut self,
        block: Block,
        directions: usize,
        b: [f64; K],
        softness: [f64; 2],
    ) {
        self.firsts.push(self.b.len());
        self.blocks.push(block);
        self.directions.push(directions);
        self.b.extend(b);
        self.softness.extend([softness; K]);
    }

    /// Adds the blocks of another, behind its own.
    #[cfg(feature = "std")]
    pub(super) fn append(&mut self, other: &Self) {
        let first = self.rows();
        self.firsts.extend(other.firsts.iter().map(|of| first + of));
        self.blocks.extend_from_slice(&other.blocks);
        self.directions.extend_from_slice(&other.directions);
        self.b.extend_from_slice(&other.b);
        self.softness.extend_from_slice(&other.softness);
    }

    /// Adds one more row to the last block, which does not give way.
    pub(crate) fn push_beside(&mut self, b: f64) {
        self.b.push(b);
        self.softness.push([0.0; 2]);
    }

    /// Computes A, or its factor where that `may` be and is worth it.
    #[inline]
    pub(super) fn evaluate(&mut self, rows: &Rows, may: bool) {
        if may && rows.are_many() {
            self.factor(rows);
            return;
        }
        rows.delassus(&mut self.a);
        self.give_way();
    }

    /// Adds Σ to A.
    pub(super) fn give_way(&mut self) {
        if !self.is_soft() {
            return;
        }
        let n = self.rows();
        for (j, [own, relative]) in self.softness.iter().enumerate() {
            let sigma = own + relative * self.a[j * n + j];
            self.sigma.push(sigma);
            self.a[j * n + j] += sigma;
        }
    }

    /// Writes σ of all rows, if anything gives way.
    #[inline(always)]
    pub(super) fn write_softness(&mut self, sigma: impl Iterator<Item = f64>) {
        if self.is_soft() {
            self.sigma.extend(sigma);
        }
    }

    /// Whether anything gives way.
    #[inline(always)]
    fn is_soft(&self) -> bool {
        self.softness.iter().any(|softness| *softness != [0.0; 2])
    }

    /// Adds Σ to what contacts have of their own.
    #[inline(always)]
    pub(super) fn soften_star(&mut self) {
        if self.is_soft() {
            self.star.soften(&self.softness, &mut self.sigma);
        }
    }

    /// A, in the form that it was computed in.
    #[inline(always)]
    pub(super) fn matrix(&self) -> Matrix<'_> {
        if let Some(star) = self.star.matrix(self.blocks.len()) {
            star
        } else if self.factor.is_empty() {
            Matrix::Delassus(&self.a)
        } else {
            Matrix::Factor { rows: &self.factor, damping: &self.sigma }
        }
    }

    /// Computes Y and Σ.
    #[cold]
    fn factor(&mut self, rows: &Rows) {
        rows.factor(&mut self.factor);
        let rows = self.factor.chunks_exact(self.factor.len() / self.softness.len().max(1));
        let sigma = self.softness.iter().zip(rows);
        self.sigma.extend(sigma.map(|([own, relative], row)| own + relative * dot(row, row)));
    }

    /// Whether impulses are so small that rounding of them makes no work, in a problem whose A was computed.
    pub(super) fn is_moderate(&self, impulses: &[f64]) -> bool {
        let mut sums = Sums::default();
        for (first, block, _) in self.each() {
            let rows = first..first + block.rows();
            let mobility = |k: usize| self.a[(first + k) * (self.rows() + 1)];
            sums.add(block, &impulses[rows.clone()], &self.b[rows], mobility);
        }
        sums.are_moderate()
    }

    /// Lets the problem be one of impulses beside those that are given, (n), with A known, and moves the bounds of
    /// single rows to their floors.
    pub(crate) fn begin_with(&mut self, impulses: &[f64]) {
        let Self { a, b, blocks, firsts, floors, .. } = self;
        for (column, &impulse) in a.chunks_exact(impulses.len().max(1)).zip(impulses) {
            slices::add(b, impulse, column);
        }
        for (block, &first) in blocks.iter_mut().zip(&*firsts) {
            match block {
                Block::Row { lower, .. } if floors[first] > 0.0 => *lower = floors[first],
                _ => {}
            }
        }
    }

    /// The least normal impulse of the contact whose first row this is.
    pub(super) fn floor(&self, first: usize) -> f64 {
        self.floors.get(first).copied().unwrap_or(0.0)
    }
}
