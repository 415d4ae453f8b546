//! The quantities of what only some descriptions have, for which others have no kernels at all, and the columns of
//! joints, by which forces act on any link.

use super::mechanism::Mechanism;
use super::quantity::Quantity;

impl<'g> Mechanism<'g> {
    /// Those of limits, of springs between points, of contacts whose normals turn, of shapes and of pairs, and the columns of joints.
    pub(super) fn features(&self) -> Vec<Quantity<'g>> {
        let mut quantities = Vec::new();
        if !self.description.limits.is_empty() {
            let limits = self.limits();
            quantities.push(Quantity::vector(self.graph, "Limit", limits.errors()));
            quantities.push(Quantity::matrix(self.graph, "LimitJacobian", &limits.jacobian()));
            quantities.push(Quantity::vector(self.graph, "LimitBias", limits.bias()));
        }
        if !self.description.springs.is_empty() {
            let (parameters, spans) = (self.spring_parameters(), self.spring_spans());
            quantities.push(Quantity::vector(self.graph, "SpringParameters", parameters));
            quantities.push(Quantity::vector(self.graph, "SpringSpans", spans));
        }
        if self.description.contacts.iter().any(|contact| contact.surface.turns()) {
            quantities.push(Quantity::vector(self.graph, "ContactFrames", self.contact_frames()));
        }
        if !self.description.shapes.is_empty() {
            let parameters = self.shape_parameters();
            quantities.push(Quantity::vector(self.graph, "ShapeParameters", parameters));
        }
        quantities.push(Quantity::vector(self.graph, "JointColumns", self.joint_columns()));
        if !self.description.pairs.is_empty() {
            let parameters = self.pair_parameters();
            quantities.push(Quantity::vector(self.graph, "PairParameters", parameters));
        }
        quantities
    }
}
