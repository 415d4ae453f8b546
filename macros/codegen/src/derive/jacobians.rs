//! Poses of all moving bodies and the Jacobian columns of all joints at once.
//!
//! The column of a velocity coordinate is the motion that a unit of it gives to all that hangs on its
//! joint: the velocity of the point that moves along and is at the world's origin, x × e + s for a
//! joint at x, then the angular velocity e, in world axes. The Jacobian of any body about any point is
//! made of the columns that the body hangs on.

use crate::expr::{Expr, Vector3};

use super::frames::flatten;
use super::mechanism::{Mechanism, Placed};

impl<'g> Mechanism<'g> {
    /// Columns of six numbers, linear first, then rotation (9, column by column) and position (3) of
    /// the link that each body is named after.
    pub fn joint_jacobians(&self) -> Vec<Expr<'g>> {
        let poses = self.poses();
        let origin = Vector3::zero(self.graph);
        let mut columns = vec![[self.graph.zero(); 6]; self.nv()];
        for (dof, twist) in self.world_columns(&poses, 0..self.bodies.len(), origin) {
            let ([x, y, z], [a, b, c]) = (twist.linear.0, twist.angular.0);
            for (sum, entry) in columns[dof].iter_mut().zip([x, y, z, a, b, c]) {
                *sum += entry;
            }
        }
        let mut spread = vec![[self.graph.zero(); 6]; self.lanes.iter().map(Vec::len).sum()];
        for (column, dofs) in columns.iter().zip(&self.lanes) {
            for (lane, &dof) in dofs.iter().enumerate() {
                spread[dof] = column.map(|x| x.lane(lane));
            }
        }
        let mut places = vec![Vec::new(); self.originals.iter().map(Vec::len).sum()];
        for (named, originals) in self.named.iter().zip(&self.originals) {
            let place = flatten(self.pose(&poses, named));
            for (lane, &original) in originals.iter().enumerate() {
                places[original] = place.iter().map(|x| x.lane(lane)).collect();
            }
        }
        spread.into_iter().flatten().chain(places.into_iter().flatten()).collect()
    }

    /// Of each column of each moving body six numbers as above: of a coordinate that moves several bodies,
    /// as those of coupled joints do, one column for each.
    pub fn joint_columns(&self) -> Vec<Expr<'g>> {
        let origin = Vector3::zero(self.graph);
        let columns = self.world_columns(&self.poses(), 0..self.bodies.len(), origin);
        columns
            .into_iter()
            .flat_map(|(_, twist)| [twist.linear.0, twist.angular.0].concat())
            .collect()
    }

    /// The velocity coordinate of each of these columns.
    pub fn column_coordinates(&self) -> Vec<usize> {
        let columns = self.bodies.iter().flat_map(|body| &body.columns);
        columns.map(|column| column.dof).collect()
    }

    /// For each link, which of these columns move it.
    pub fn supports(&self) -> Vec<Vec<usize>> {
        let mut first = vec![0];
        for body in &self.bodies {
            first.push(first[first.len() - 1] + body.columns.len());
        }
        let support = |link: &Placed<'g>| {
            let mut bodies: Vec<_> = self.path(link.body).collect();
            bodies.reverse();
            bodies.into_iter().flat_map(|k| first[k]..first[k + 1]).collect()
        };
        self.links.iter().map(support).collect()
    }

    /// The link on the far side of each body's joint, whose frame is the body's for users.
    pub fn moving_links(&self) -> Vec<usize> {
        let far = |(k, joint): (usize, usize)| {
            let joint = &self.description.joints[joint];
            let carried = self.links[joint.child].body == Some(k);
            match joint.parent {
                crate::description::Parent::Link(parent) if !carried => parent,
                _ => joint.child,
            }
        };
        self.bodies.iter().map(|body| body.joint).enumerate().map(far).collect()
    }
}
