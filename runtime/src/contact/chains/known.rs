//! p and Γ of a velocity somewhere, as they were evaluated last.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::Table;

/// A velocity, its place, and p and Γ there.
#[derive(Clone, Debug)]
pub(super) struct Known {
    is_known: bool,
    pub(super) place: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    /// (2 nv).
    pub(super) momenta: Vec<f64>,
}

impl Known {
    pub(super) fn new(table: &Table) -> Self {
        let (place, velocity) = (vec![0.0; table.nq], vec![0.0; table.nv]);
        Self { is_known: false, place, velocity, momenta: Vec::new() }
    }

    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    pub(super) fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whether they are known of this velocity at this place.
    pub(super) fn is_of(&self, place: &[f64], velocity: &[f64]) -> bool {
        self.is_known && self.place == place && self.velocity == velocity
    }

    pub(super) fn note(&mut self, place: &[f64], velocity: &[f64], momenta: &[f64]) {
        self.is_known = true;
        self.place.copy_from_slice(place);
        self.velocity.copy_from_slice(velocity);
        self.momenta.clear();
        self.momenta.extend_from_slice(momenta);
    }
}
