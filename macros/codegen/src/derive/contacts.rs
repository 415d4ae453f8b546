//! Contacts of points and spheres with planes of the world.
//!
//! For a sphere of radius ρ about c and the plane n · x = d (a point has ρ = 0):
//!
//! > φ = n · c − d − ρ,  J v = [n t₁ t₂]ᵀ (ċ + ω × (−ρ n)),  J̇ v = [n t₁ t₂]ᵀ (c̈ − ρ α × n) at v̇ = 0
//!
//! The velocity is that of the material point that touches; as it moves over the sphere, only α
//! turns its arm −ρ n, which stays along the normal.

use crate::description::Contact;
use crate::expr::{Expr, Vector3, tangents};

use super::kinematics::{Acceleration, Poses};
use super::lower;
use super::mass_matrix::Square;
use super::mechanism::Mechanism;

/// A contact on the graph.
struct Touch<'g> {
    body: Option<usize>,
    center: Vector3<'g>,
    radius: Expr<'g>,
    axes: [Vector3<'g>; 3],
    offset: Expr<'g>,
}

impl<'g> Touch<'g> {
    /// Where the sphere is nearest to the plane.
    fn point(&self) -> Vector3<'g> {
        self.center - self.axes[0] * self.radius
    }
}

impl<'g> Mechanism<'g> {
    /// φ of every contact.
    pub fn gap(&self) -> Vec<Expr<'g>> {
        let touches = self.touches(&self.poses());
        let gap = |t: &Touch<'g>| t.axes[0].dot(t.center) - t.offset - t.radius;
        touches.iter().map(gap).collect()
    }

    /// J, three rows a contact.
    pub fn contact_jacobian(&self) -> Square<'g> {
        let poses = self.poses();
        let mut rows = Vec::new();
        for touch in self.touches(&poses) {
            let mut block = vec![vec![self.graph.zero(); self.nv()]; 3];
            for (dof, twist) in self.world_columns(&poses, self.path(touch.body), touch.point()) {
                for (row, axis) in block.iter_mut().zip(&touch.axes) {
                    row[dof] += axis.dot(twist.linear);
                }
            }
            rows.extend(block);
        }
        rows
    }

    /// J̇ v, three rows a contact.
    pub fn contact_bias(&self) -> Vec<Expr<'g>> {
        let poses = self.poses();
        let still = vec![self.graph.zero(); self.nv()];
        let accelerations = self.accelerations(&self.state.v, &still, Vector3::zero(self.graph));
        let mut bias = Vec::new();
        for (touch, contact) in self.touches(&poses).iter().zip(&self.description.contacts) {
            let x = self.touch_acceleration(&poses, &accelerations, touch, contact);
            bias.extend(touch.axes.map(|axis| axis.dot(x)));
        }
        bias
    }

    /// Where each contact touches, in the world.
    pub fn contact_points(&self) -> Vec<Expr<'g>> {
        self.touches(&self.poses()).iter().flat_map(|touch| touch.point().0).collect()
    }

    fn touches(&self, poses: &Poses<'g>) -> Vec<Touch<'g>> {
        let touch = |contact: &Contact| {
            let center = self.on_link(contact.link, lower::vector(self.graph, &contact.position));
            let normal = lower::direction(self.graph, &contact.normal);
            let [first, second] = tangents(normal);
            Touch {
                body: center.body,
                center: self.pose(poses, &center).1,
                radius: lower::scalar(self.graph, &contact.radius),
                axes: [normal, first, second],
                offset: lower::scalar(self.graph, &contact.offset),
            }
        };
        self.description.contacts.iter().map(touch).collect()
    }

    fn touch_acceleration(
        &self,
        poses: &Poses<'g>,
        accelerations: &[Acceleration<'g>],
        touch: &Touch<'g>,
        contact: &Contact,
    ) -> Vector3<'g> {
        let Some(body) = touch.body else {
            return Vector3::zero(self.graph);
        };
        let position = lower::vector(self.graph, &contact.position);
        let local = self.on_link(contact.link, position).position;
        let Acceleration { angular, linear, field } = accelerations[body];
        let rotation = poses.rotation[body];
        let center = rotation * (linear + field * local);
        center - (rotation * angular).cross(touch.axes[0]) * touch.radius
    }
}
