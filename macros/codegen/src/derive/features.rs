//! The quantities of what only some descriptions have. Others have no such kernels at all.

use super::mechanism::Mechanism;
use super::quantity::Quantity;

impl<'g> Mechanism<'g> {
    /// Those of limits, and of contacts whose normals turn.
    pub(super) fn features(&self) -> Vec<Quantity<'g>> {
        let mut quantities = Vec::new();
        if !self.description.limits.is_empty() {
            let limits = self.limits();
            quantities.push(Quantity::vector(self.graph, "Limit", limits.errors()));
            quantities.push(Quantity::matrix(self.graph, "LimitJacobian", &limits.jacobian()));
            quantities.push(Quantity::vector(self.graph, "LimitBias", limits.bias()));
        }
        if self.description.contacts.iter().any(|contact| contact.surface.turns()) {
            quantities.push(Quantity::vector(self.graph, "ContactFrames", self.contact_frames()));
        }
        quantities
    }
}
