//! Another motion without impulses, to be exchanged for that of a step.

use alloc::vec::Vec;

/// A motion without impulses that does not depend on forces.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Free {
    /// (nv).
    pub(super) velocity: Vec<f64>,
    /// How long forces act, s.
    pub(super) step_size: f64,
}

impl Free {
    /// With this velocity.
    pub(in crate::contact) fn set(&mut self, velocity: &[f64]) {
        self.velocity.clear();
        self.velocity.extend_from_slice(velocity);
        self.step_size = 0.0;
    }
}
