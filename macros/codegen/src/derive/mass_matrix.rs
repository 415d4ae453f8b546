//! The mass matrix by composite bodies.
//!
//! The composite of all that hangs on a joint moves as one body when only that joint moves: the
//! momentum I_c S of each column is carried inwards and projected on the columns on its way.
//!
//! Source: Walker and Orin (1982); Featherstone, Rigid Body Dynamics Algorithms (2008), section
//! 6.2. Constant parts of the composites are summed before the rest, so that they fold.

use crate::expr::{Expr, Matrix3, Vector3};
use crate::joint::Twist;

use super::inertia::Moments;
use super::mechanism::{Body, Column, Mechanism};
use super::newton_euler::Wrench;

/// A square matrix of expressions, row by row.
pub(super) type Square<'g> = Vec<Vec<Expr<'g>>>;

impl<'g> Mechanism<'g> {
    /// M, armature included.
    pub fn mass_matrix(&self) -> Square<'g> {
        self.spread_matrix(&self.mass_matrix_in_lanes())
    }

    pub(super) fn mass_matrix_in_lanes(&self) -> Square<'g> {
        let composites = self.composites();
        let mut mass = vec![vec![self.graph.zero(); self.nv()]; self.nv()];
        for k in (0..self.bodies.len()).rev() {
            for column in &self.bodies[k].columns {
                let momentum = composites[k].momentum(&column.twist);
                self.project_momentum(k, column, momentum, &mut mass);
            }
        }
        for (dof, &armature) in self.armature.iter().enumerate() {
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
        self.sum_moments(self.bodies.iter().map(|body| body.moments).collect())
    }

    /// Sums moments of the bodies inwards.
    pub(super) fn sum_moments(&self, mut sum: Vec<Moments<'g>>) -> Vec<Moments<'g>> {
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let (mass, first) = (sum[k].mass, body.position * sum[k].mass);
                let second = first.outer(body.position);
                sum[parent].add(Moments { mass, first, second }.gathered(body.repeats));
            }
        }
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                let (first, second) = sum[k].inwards(body);
                let moved = Moments { mass: self.graph.zero(), first, second };
                sum[parent].add(moved.gathered(body.repeats));
            }
        }
        sum
    }

    /// The moments of all that moves, about the world's origin and in world axes.
    pub(super) fn whole(&self) -> Moments<'g> {
        let composites = self.composites();
        let roots = self.bodies.iter().zip(&composites).filter(|(body, _)| body.parent.is_none());
        let moved = roots.map(|(body, moments)| {
            moments.placed(&body.rotation, body.position).gathered(body.repeats)
        });
        moved.fold(Moments::zero(self.graph), |sum, moments| sum + moments)
    }
}

impl<'g> Moments<'g> {
    /// First and second moments in the axes and about the origin of the body's parent, but for what
    /// the mass alone contributes.
    fn inwards(&self, body: &Body<'g>) -> (Vector3<'g>, Matrix3<'g>) {
        let first = body.rotation.times(self.first);
        let turned = body.rotation.conjugate_symmetric(self.second);
        let cross = first.outer(body.position);
        (first, (turned + (cross + cross.transpose())).symmetric())
    }

    /// Momentum, and angular momentum about the origin, of the motion `twist`.
    pub(super) fn momentum(&self, twist: &Twist<'g>) -> Wrench<'g> {
        let Twist { angular: w, linear: u } = *twist;
        Wrench {
            force: u * self.mass + w.cross(self.first),
            moment: self.first.cross(u) + self.rotational(w),
        }
    }
}
