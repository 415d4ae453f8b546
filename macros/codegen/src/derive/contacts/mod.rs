//! Contacts of points and spheres with the ground and with each other.
//!
//! For a sphere of radius ρ about c and the plane n · x = d (a point has ρ = 0):
//!
//! > φ = n · c − d − ρ,  J v = [n t₁ t₂]ᵀ (ċ + ω × (−ρ n)),  J̇ v = [n t₁ t₂]ᵀ (c̈ − ρ α × n) at v̇ = 0
//!
//! The velocity is that of the material point that touches; as it moves over the sphere, only α
//! turns its arm −ρ n, which stays along the normal. Where the normal turns, see `turning`.

mod local;
mod turning;

use crate::description::{Contact, Surface};
use crate::expr::{Expr, Vector3, tangents};
use crate::joint::Twist;

use super::kinematics::{Acceleration, Poses};
use super::lower;
use super::mass_matrix::Square;
use super::mechanism::{Mechanism, Placed};
use turning::Turning;

/// A contact on the graph.
trait Touch<'g> {
    /// φ.
    fn gap(&self) -> Expr<'g>;
    /// Where it touches, in the world.
    fn point(&self) -> Vector3<'g>;
    /// Normal and tangents, if they turn.
    fn turned(&self) -> Option<[Vector3<'g>; 3]>;
    /// Its three rows.
    fn jacobian(&self, mechanism: &Mechanism<'g>, poses: &Poses<'g>) -> Square<'g>;
    /// J̇ v.
    fn bias(
        &self,
        mechanism: &Mechanism<'g>,
        poses: &Poses<'g>,
        motion: &Motion<'g>,
    ) -> [Expr<'g>; 3];
}

/// A contact with a plane.
struct Flat<'g> {
    place: Placed<'g>,
    center: Vector3<'g>,
    radius: Expr<'g>,
    axes: [Vector3<'g>; 3],
    offset: Expr<'g>,
}

impl<'g> Touch<'g> for Flat<'g> {
    fn gap(&self) -> Expr<'g> {
        self.axes[0].dot(self.center) - self.offset - self.radius
    }

    /// Where the sphere is nearest to the plane.
    fn point(&self) -> Vector3<'g> {
        self.center - self.axes[0] * self.radius
    }

    fn turned(&self) -> Option<[Vector3<'g>; 3]> {
        None
    }

    fn jacobian(&self, mechanism: &Mechanism<'g>, poses: &Poses<'g>) -> Square<'g> {
        let mut block = vec![vec![mechanism.graph.zero(); mechanism.nv()]; 3];
        let path = mechanism.path(self.place.body);
        for (dof, twist) in mechanism.world_columns(poses, path, self.point()) {
            for (row, axis) in block.iter_mut().zip(&self.axes) {
                row[dof] += axis.dot(twist.linear);
            }
        }
        block
    }

    fn bias(
        &self,
        mechanism: &Mechanism<'g>,
        poses: &Poses<'g>,
        motion: &Motion<'g>,
    ) -> [Expr<'g>; 3] {
        let Some(body) = self.place.body else {
            return [mechanism.graph.zero(); 3];
        };
        let Acceleration { angular, linear, field } = motion.accelerations[body];
        let rotation = poses.rotation[body];
        let center = rotation * (linear + field * self.place.position);
        let point = center - (rotation * angular).cross(self.axes[0]) * self.radius;
        self.axes.map(|axis| axis.dot(point))
    }
}

/// How the bodies move at v̇ = 0, each in its own axes.
struct Motion<'g> {
    velocities: Vec<Twist<'g>>,
    accelerations: Vec<Acceleration<'g>>,
}

impl<'g> Mechanism<'g> {
    /// φ of every contact.
    pub fn gap(&self) -> Vec<Expr<'g>> {
        self.touches(&self.poses()).iter().map(|touch| touch.gap()).collect()
    }

    /// J, three rows a contact.
    pub fn contact_jacobian(&self) -> Square<'g> {
        let poses = self.poses();
        self.touches(&poses).iter().flat_map(|touch| touch.jacobian(self, &poses)).collect()
    }

    /// J̇ v, three rows a contact.
    pub fn contact_bias(&self) -> Vec<Expr<'g>> {
        let poses = self.poses();
        let still = vec![self.graph.zero(); self.nv()];
        let base = Vector3::zero(self.graph);
        let motion = Motion {
            velocities: self.velocities(),
            accelerations: self.accelerations(&self.state.v, &still, base),
        };
        let touches = self.touches(&poses);
        touches.iter().flat_map(|touch| touch.bias(self, &poses, &motion)).collect()
    }

    /// Where each contact touches, in the world.
    pub fn contact_points(&self) -> Vec<Expr<'g>> {
        self.touches(&self.poses()).iter().flat_map(|touch| touch.point().0).collect()
    }

    /// Normal and tangents of each contact whose normal turns, nine numbers.
    pub fn contact_frames(&self) -> Vec<Expr<'g>> {
        let touches = self.touches(&self.poses());
        let frames = touches.iter().filter_map(|touch| touch.turned());
        frames.flatten().flat_map(|axis| axis.0).collect()
    }

    fn touches(&self, poses: &Poses<'g>) -> Vec<Box<dyn Touch<'g> + 'g>> {
        let contacts = self.description.contacts.iter();
        contacts.map(|contact| self.touch(poses, contact)).collect()
    }

    fn touch(&self, poses: &Poses<'g>, contact: &Contact) -> Box<dyn Touch<'g> + 'g> {
        match &contact.surface {
            Surface::Plane { normal, offset } => {
                let position = lower::vector(self.graph, &contact.position);
                let place = self.on_link(contact.link, position);
                let normal = lower::direction(self.graph, normal);
                let [first, second] = tangents(normal);
                Box::new(Flat {
                    center: self.pose(poses, &place).1,
                    place,
                    radius: lower::scalar(self.graph, &contact.radius),
                    axes: [normal, first, second],
                    offset: lower::scalar(self.graph, offset),
                })
            }
            Surface::Height(height) => Box::new(Turning::over(self, poses, contact, height)),
            Surface::Sphere { link, position, radius } => {
                let other = (*link, position, radius);
                Box::new(Turning::between(self, poses, contact, other))
            }
        }
    }
}
