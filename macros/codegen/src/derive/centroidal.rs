//! Momentum about the centre of mass.
//!
//! With c the centre of mass, a column of the centroidal momentum matrix A_G is the momentum (f, n) of
//! the composite that a unit of its coordinate moves, f and n + (x − c) × f in world axes for a joint
//! at x; A_G v is the momentum of the whole about c. The bias Ȧ_G v is its rate at v̇ = 0: the sum of
//! all inertial forces, and their moment about c. Armature carries no momentum.
//!
//! Source: Orin, Goswami, Lee, Centroidal Dynamics of a Humanoid Robot (2013), sections 3 and 5.

use crate::expr::{Expr, Matrix3, Vector3};

use super::mass_matrix::Square;
use super::mechanism::Mechanism;
use super::newton_euler::Wrench;

impl<'g> Mechanism<'g> {
    /// A_G, six rows, linear first.
    pub fn centroidal_matrix(&self) -> Square<'g> {
        let (poses, composites) = (self.poses(), self.composites());
        let center = self.center_of_mass();
        let mut matrix = vec![vec![self.graph.zero(); self.nv()]; 6];
        for (k, body) in self.bodies.iter().enumerate() {
            let (rotation, arm) = (poses.rotation[k], poses.position[k] - center);
            for column in &body.columns {
                let Wrench { force, moment } = composites[k].momentum(&column.twist);
                let force = rotation * force;
                let moment = rotation * moment + arm.cross(force);
                for i in 0..3 {
                    matrix[i][column.dof] += force[i];
                    matrix[3 + i][column.dof] += moment[i];
                }
            }
        }
        matrix.iter().map(|row| self.spread(row)).collect()
    }

    /// Ȧ_G v, linear first.
    pub fn centroidal_bias(&self) -> Vec<Expr<'g>> {
        let still = vec![self.graph.zero(); self.nv()];
        let wrenches = self.inertial_wrenches(&self.state.v, &still, Vector3::zero(self.graph));
        let Wrench { force, moment } = self.total(wrenches);
        let about_center = moment - self.center_of_mass().cross(force);
        force.0.into_iter().chain(about_center.0).collect()
    }

    /// Rotational inertia of all that moves about its centre of mass, in world axes.
    pub fn centroidal_inertia(&self) -> Square<'g> {
        let whole = self.whole();
        let center = self.center_of_mass();
        let second = (whole.second - whole.first.outer(center)).symmetric();
        let inertia = Matrix3::diagonal(second.trace()) - second;
        inertia.0.into_iter().map(Vec::from).collect()
    }
}
