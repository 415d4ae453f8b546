//! External wrenches.

use nalgebra::Vector6;

use crate::description::FrameId;
use crate::frame::ReferenceFrame;
use crate::model::Model;

/// A wrench that acts until it is cleared.
#[derive(Clone, Debug)]
pub(super) struct Wrench<M> {
    pub(super) frame: FrameId<M>,
    pub(super) reference: ReferenceFrame,
    /// Force in N, then moment in N m.
    pub(super) value: Vector6<f64>,
}

impl<M: Model> Wrench<M> {
    /// The generalised force Jᵀ w, (nv).
    pub(super) fn force(&self, model: &M, q: &M::Q) -> M::V {
        model.wrench_force(self.frame, self.reference, q, &self.value)
    }
}
