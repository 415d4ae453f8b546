//! p and Γ of a velocity somewhere, as they were evaluated last.

use alloc::vec::Vec;

use crate::model::Model;
use crate::space::Storage;

/// A velocity, its place, and p and Γ there.
#[derive(Clone, Debug)]
pub(super) struct Known<M: Model> {
    is_known: bool,
    pub(super) place: M::Q,
    pub(super) velocity: M::V,
    /// (2 nv).
    pub(super) momenta: Vec<f64>,
}

impl<M: Model> Known<M> {
    pub(super) fn new() -> Self {
        let (place, velocity) = (M::Q::zeros(), M::V::zeros());
        Self { is_known: false, place, velocity, momenta: Vec::new() }
    }

    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    pub(super) fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whether they are known of this velocity at this place.
    pub(super) fn is_of(&self, place: &M::Q, velocity: &M::V) -> bool {
        self.is_known
            && self.place.as_slice() == place.as_slice()
            && self.velocity.as_slice() == velocity.as_slice()
    }

    pub(super) fn note(&mut self, place: &M::Q, velocity: &M::V, momenta: &[f64]) {
        self.is_known = true;
        self.place.clone_from(place);
        self.velocity.clone_from(velocity);
        self.momenta.clear();
        self.momenta.extend_from_slice(momenta);
    }
}
