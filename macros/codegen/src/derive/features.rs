//! The quantities of what only some descriptions have. Others have no such kernels at all.

use super::mechanism::Mechanism;
use super::quantity::Quantity;

impl<'g> Mechanism<'g> {
    /// Those of limits.
    pub(super) fn features(&self) -> Vec<Quantity<'g>> {
        if self.description.limits.is_empty() {
            return Vec::new();
        }
        let limits = self.limits();
        vec![
            Quantity::vector(self.graph, "Limit", limits.errors()),
            Quantity::matrix(self.graph, "LimitJacobian", &limits.jacobian()),
            Quantity::vector(self.graph, "LimitBias", limits.bias()),
        ]
    }
}
