//! The step as a problem of its impulses.
//!
//! > w = A Λ + b,  A = G M⁻¹ Gᵀ + Σ,  b = G v_free − target
//!
//! Rows come in parts: a contact with friction has three, along its normal and its tangents, everything
//! else has one with bounds, lo ≤ Λ ≤ hi and w⁺ ⟂ Λ − lo, w⁻ ⟂ hi − Λ. What law couples the three rows of a
//! contact is a matter of the formulation, and solvers see numbers only.

use alloc::vec::Vec;

use super::rows::Rows;
use crate::cone::Block;

/// Something that acts, and its rows from `first` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) first: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Three rows: normal, first and second tangent.
    Contact {
        friction: f64,
        /// Of a polygon of friction.
        directions: usize,
    },
    /// One row with lo and hi.
    Bounded([f64; 2]),
}

impl Kind {
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Contact { .. } => 3,
            Self::Bounded(_) => 1,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub(super) parts: Vec<Part>,
    /// The parts as solvers of cones see them.
    pub(super) blocks: Vec<Block>,
    /// What is demanded of each row, m/s or rad/s.
    pub(super) target: Vec<f64>,
    /// σ of each row, and by how much of its own A it is increased.
    pub(super) softness: Vec<[f64; 2]>,
    /// Of both, what is added to A of each row.
    pub(super) sigma: Vec<f64>,
    /// (n, n), column by column.
    pub(super) a: Vec<f64>,
    /// (n).
    pub(super) b: Vec<f64>,
}

impl Problem {
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.blocks.clear();
        self.target.clear();
        self.softness.clear();
        self.sigma.clear();
    }

    pub(super) fn rows(&self) -> usize {
        self.target.len()
    }

    /// Adds a part whose rows demand `target`; `softness` as in [`Problem::softness`].
    pub(super) fn push(&mut self, kind: Kind, target: [f64; 3], softness: [f64; 2]) {
        let (first, count) = (self.rows(), kind.rows());
        self.parts.push(Part { first, kind });
        self.blocks.push(match kind {
            Kind::Contact { friction, .. } => Block::Contact { friction, torsion: None },
            Kind::Bounded([lower, upper]) => Block::Row { lower, upper },
        });
        self.target.extend(&target[..count]);
        let alike = [softness[0], softness[1]];
        self.softness.extend(core::iter::repeat_n(alike, count));
    }

    /// Computes A and b.
    pub(super) fn evaluate(&mut self, rows: &Rows) {
        let n = self.rows();
        self.b.clear();
        self.b.extend((0..n).map(|i| rows.free(i) - self.target[i]));
        rows.delassus(&mut self.a);
        self.sigma.clear();
        for (j, [own, relative]) in self.softness.iter().enumerate() {
            let sigma = own + relative * self.a[j * n + j];
            self.sigma.push(sigma);
            self.a[j * n + j] += sigma;
        }
    }

    /// The harmonic mean of the rows' effective masses 1/Aᵢᵢ: impulses divided by it are velocities, so
    /// that the weight of a robot does not matter; 1 if nothing moves.
    pub(super) fn mass(&self) -> f64 {
        let n = self.rows();
        let sum: f64 = (0..n).map(|i| self.a[i * n + i]).sum();
        if sum > 0.0 { n as f64 / sum } else { 1.0 }
    }
}
