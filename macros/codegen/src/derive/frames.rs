//! Frames on links: pose, Jacobian and J̇ v.
//!
//! The Jacobian is in the frame's own axes at its origin, linear rows first; a column is the twist
//! of a joint carried outwards along the chain. The bias is the classical acceleration of the
//! frame at v̇ = 0.

use crate::description::{Frame, Parent};
use crate::expr::{Expr, Matrix3, Vector3};
use crate::joint::Twist;

use super::kinematics::Acceleration;
use super::mass_matrix::Square;
use super::mechanism::{Mechanism, Placed};

impl<'g> Mechanism<'g> {
    /// Rotation, column by column, and position of a frame in the world.
    pub fn frame_pose(&self, frame: &Frame) -> Vec<Expr<'g>> {
        flatten(self.pose(&self.poses(), &self.frame_place(frame)))
    }

    /// Rotation and position of every link in the world, one after the other.
    pub fn link_poses(&self) -> Vec<Expr<'g>> {
        let poses = self.poses();
        self.links.iter().flat_map(|link| flatten(self.pose(&poses, link))).collect()
    }

    /// The Jacobian of a frame, six rows.
    pub fn frame_jacobian(&self, frame: &Frame) -> Square<'g> {
        let place = self.frame_place(frame);
        let mut jacobian = vec![vec![self.graph.zero(); self.nv()]; 6];
        let mut carried: Vec<(usize, Twist<'g>)> = Vec::new();
        let path: Vec<_> = self.path(place.body).collect();
        for &k in path.iter().rev() {
            let body = &self.bodies[k];
            for (_, twist) in &mut carried {
                *twist = moved(twist, body.position, |x| body.rotation.transposed_times(x));
            }
            carried.extend(body.columns.iter().map(|column| (column.dof, column.twist)));
        }
        for (dof, twist) in carried {
            let local = moved(&twist, place.position, |x| place.rotation.transposed_times(x));
            for k in 0..3 {
                jacobian[k][dof] += local.linear[k];
                jacobian[3 + k][dof] += local.angular[k];
            }
        }
        jacobian
    }

    /// Acceleration of a frame at v̇ = 0, linear first.
    pub fn frame_bias(&self, frame: &Frame) -> Vec<Expr<'g>> {
        let place = self.frame_place(frame);
        let Some(body) = place.body else {
            return vec![self.graph.zero(); 6];
        };
        let still = vec![self.graph.zero(); self.nv()];
        let base = Vector3::zero(self.graph);
        let accelerations = self.accelerations(&self.state.v, &still, base);
        let Acceleration { angular, linear, field } = accelerations[body];
        let at_origin = linear + field * place.position;
        let local = [at_origin, angular].map(|x| place.rotation.transposed_times(x));
        local.into_iter().flat_map(|x| x.0).collect()
    }

    fn frame_place(&self, frame: &Frame) -> Placed<'g> {
        self.placed(Parent::Link(frame.link), &frame.placement)
    }
}

/// A twist seen from a frame at `position`, whose axes `turn` leads to.
fn moved<'g>(
    twist: &Twist<'g>,
    position: Vector3<'g>,
    turn: impl Fn(Vector3<'g>) -> Vector3<'g>,
) -> Twist<'g> {
    let linear = twist.linear + twist.angular.cross(position);
    Twist { angular: turn(twist.angular), linear: turn(linear) }
}

pub(super) fn flatten<'g>((rotation, position): (Matrix3<'g>, Vector3<'g>)) -> Vec<Expr<'g>> {
    rotation.transpose().0.into_iter().flatten().chain(position.0).collect()
}
