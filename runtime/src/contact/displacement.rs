//! The displacement of a step, as it is kept; [`overlap`](super::overlap) finds it.

use alloc::vec::Vec;

use super::candidate::Candidate;
use super::dynamics::Free;
use super::impulse::Impulse;
use super::solvers::Solvers;
use crate::manifold;
use crate::model::Table;
use crate::slices;

/// The displacement of a step, and room for it.
#[derive(Clone, Debug)]
pub(super) struct Overlap {
    /// h c, (nv); empty where nothing overlaps.
    pub(super) displacement: Vec<f64>,
    /// Room for q ⊕ h c, (nq).
    moved: Vec<f64>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) free: Free,
    pub(super) impulse: Impulse,
    pub(super) solvers: Solvers,
}

impl Overlap {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            displacement: Vec::new(),
            moved: Vec::with_capacity(table.nq),
            candidates: Vec::new(),
            free: Free::default(),
            impulse: Impulse::zeros_of(table),
            solvers: Solvers::default(),
        }
    }

    /// q ⊕ h c, if that is not q.
    #[inline(always)]
    pub(super) fn displaced(&mut self, table: &Table, q: &[f64]) -> Option<&[f64]> {
        if self.displacement.is_empty() { None } else { Some(self.displace(table, q)) }
    }

    #[cold]
    fn displace(&mut self, table: &Table, q: &[f64]) -> &[f64] {
        slices::copy(&mut self.moved, q);
        manifold::integrate(table.joints, &self.displacement, 1.0, &mut self.moved);
        &self.moved
    }

    /// The same, to be [given back](Self::give_back).
    pub(super) fn take_displaced(&mut self, table: &Table, q: &[f64]) -> Option<Vec<f64>> {
        self.displaced(table, q)?;
        Some(core::mem::take(&mut self.moved))
    }

    /// Takes the room back.
    pub(super) fn give_back(&mut self, displaced: Option<Vec<f64>>) {
        if let Some(moved) = displaced {
            self.moved = moved;
        }
    }

    /// Writes the displacement beside the impulses of the step.
    #[inline(always)]
    pub(super) fn write(&self, to: &mut Impulse) {
        to.displacement.clear();
        to.displacement.extend_from_slice(&self.displacement);
    }

    /// Writes that the step displaces nothing.
    pub(super) fn write_none(&mut self, to: &mut Impulse) {
        self.displacement.clear();
        to.displacement.clear();
    }
}
