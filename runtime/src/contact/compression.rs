//! The compression of a step by [Poisson's law](super::Restitution::Poisson), as it is kept.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::candidate::Candidate;
use super::dynamics::Free;
use super::impulse::Impulse;
use super::phase::Phase;
use super::residual::Residual;
use crate::cone::BLOCK_ROWS;
use crate::model::Table;

/// The compression of a step, and room for it.
#[derive(Clone, Debug)]
pub(super) struct Compression {
    /// What is solved now.
    pub(super) phase: Phase,
    /// Λ_c.
    pub(super) impulse: Impulse,
    /// How well it satisfies its law.
    pub(super) residual: Residual,
    /// The candidates and the free motion of the other phase.
    pub(super) candidates: Vec<Candidate>,
    pub(super) free: Free,
    /// Λ_c along the rows of the expansion, (n).
    pub(super) along: Vec<f64>,
    /// Where Λ_c is kept beside Λ, while there is none.
    room: Option<Box<Impulse>>,
}

impl Compression {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            phase: Phase::Whole,
            impulse: Impulse::zeros_of(table),
            residual: Residual::default(),
            candidates: Vec::new(),
            free: Free::default(),
            along: Vec::new(),
            room: None,
        }
    }

    /// Λ_c along the rows of a candidate in the expansion, else zeros.
    #[inline]
    pub(super) fn of(&self, candidate: &Candidate) -> [f64; BLOCK_ROWS] {
        let mut along = [0.0; BLOCK_ROWS];
        if self.phase == Phase::Expansion {
            let rows = &mut along[..candidate.rows()];
            candidate.read(&self.impulse, &self.impulse.pairs, rows);
        }
        along
    }

    /// Keeps Λ_c beside Λ, if there is one.
    #[inline]
    pub(super) fn keep(&mut self, whole: &mut Impulse) {
        if self.phase == Phase::Expansion {
            let mut kept = self.room.take().unwrap_or_else(|| Box::new(self.impulse.clone()));
            kept.copy(&self.impulse);
            whole.compression = Some(kept);
        }
    }

    /// Makes room of what was kept.
    #[inline]
    pub(super) fn forget(&mut self, whole: &mut Impulse) {
        if let Some(kept) = whole.compression.take() {
            self.room = Some(kept);
        }
    }
}
