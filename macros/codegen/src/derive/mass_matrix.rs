//! The mass matrix by composite bodies.
//!
//! The composite of all that hangs on a joint moves as one body when only that joint moves: the
//! momentum I_c S of each column is carried inwards and projected on the columns on its way.
//!
//! Source: Walker and Orin (1982); Featherstone, Rigid Body Dynamics Algorithms (2008), section
//! 6.2. Constant parts of the composites are summed before the rest, so that they fold.

use crate::expr::Expr;
use crate::joint::Twist;

use super::inertia::Moments;
use super::mechanism::{Column, Mechanism};
use super::newton_euler::Wrench;

/// A square matrix of expressions, row by row.
pub(super) type Square<'g> = Vec<Vec<Expr<'g>>>;

impl<'g> Mechanism<'g> {
    /// M, armature included.
    pub fn mass_matrix(&self) -> Square<'g> {
        let composites = self.composites();
        let mut mass = vec![vec![self.graph.zero(); self.nv()]; self.nv()];
        for k in (0..self.bodies.len()).rev() {
            for column in &self.bodies[k].columns {
                let momentum = composites[k].momentum(&column.twist);
                self.project_momentum(k, column, momentum, &mut mass);
            }
        }
        for (dof, armature) in self.armatures() {
            mass[dof][dof] += armature;
        }
        mass
    }

    /// Adds the products of one column of body `k` with the columns of the body and of all that it
    /// hangs on.
    fn project_momentum(
        &self,
        k: usize,
        column: &Column<'g>,
        momentum: Wrench<'g>,
        mass: &mut Square<'g>,
    ) {
        for other in self.bodies[k].columns.iter().filter(|other| other.dof <= column.dof) {
            let product = momentum.power(&other.twist);
            mass[other.dof][column.dof] += product;
            if other.dof != column.dof {
                mass[column.dof][other.dof] += product;
            }
        }
        let mut momentum = momentum.inwards(&self.bodies[k]);
        for outer in self.path(self.bodies[k].parent) {
            for other in &self.bodies[outer].columns {
                let product = momentum.power(&other.twist);
                mass[other.dof][column.dof] += product;
                mass[column.dof][other.dof] += product;
            }
            momentum = momentum.inwards(&self.bodies[outer]);
        }
    }

    /// The moments of each body together with all that hangs on it.
    pub(super) fn composites(&self) -> Vec<Moments<'g>> {
        let mut sum: Vec<Moments<'g>> = self.bodies.iter().map(|body| body.moments).collect();
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let (mass, first) = (sum[k].mass, body.position * sum[k].mass);
                let second = first.outer(body.position);
                sum[parent].add(Moments { mass, first, second });
            }
        }
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let first = body.rotation.times(sum[k].first);
                let turned = body.rotation.conjugate_symmetric(sum[k].second);
                let cross = first.outer(body.position);
                let second = turned + (cross + cross.transpose());
                sum[parent].add(Moments { mass: self.graph.zero(), first, second });
            }
        }
        sum
    }
}

impl<'g> Moments<'g> {
    /// Momentum, and angular momentum about the origin, of the motion `twist`.
    pub(super) fn momentum(&self, twist: &Twist<'g>) -> Wrench<'g> {
        let Twist { angular: w, linear: u } = *twist;
        Wrench {
            force: u * self.mass + w.cross(self.first),
            moment: self.first.cross(u) + self.rotational(w),
        }
    }
}
