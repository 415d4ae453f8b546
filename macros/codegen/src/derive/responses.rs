//! Matrices of the forces that answer a variation of the motion.
//!
//! A coordinate of one joint lets the velocities of all bodies that hang on it vary by one spatial
//! vector Ψ, and their accelerations by Ξ − v × Ψ, each body with its own v. The forces of a body
//! then vary by I Ξ + 2 B Ψ, B as in `flow`, so that with the composites of all that hangs on a
//! body, the answer of the column a to the variation by b is
//!
//! > S_a · (I_c Ξ_b + 2 B_c Ψ_b)  where b is at the same body as a or further out,
//! > I_c S_a · Ξ_b + 2 B_cᵀ S_a · Ψ_b  where a is further out,
//!
//! I_c and B_c being those of the outer one. Both are vectors of the outer column that are carried
//! inwards and multiplied with what they meet.
//!
//! Source: Singh, Russell, Wensing, Efficient Analytical Derivatives of Rigid-Body Dynamics Using
//! Spatial Vector Algebra (2022), sections III and IV, in the frames of the bodies; for the Coriolis
//! matrix Echeandia and Wensing (2021), algorithm 1.

use crate::joint::Twist;

use super::flow::Flow;
use super::inertia::Moments;
use super::mass_matrix::Square;
use super::mechanism::{Body, Column, Mechanism};
use super::newton_euler::Wrench;

/// How the motion of a body and of all that hangs on it varies with one coordinate of its joint, in
/// the body's axes.
#[derive(Clone, Copy)]
pub(super) struct Variation<'g> {
    /// Ψ.
    pub(super) velocity: Twist<'g>,
    /// Ξ.
    pub(super) acceleration: Twist<'g>,
    /// What the columns further in see beside the answer of the forces: that these turn with the
    /// bodies.
    pub(super) turning: Wrench<'g>,
}

/// What one column carries inwards.
#[derive(Clone, Copy)]
struct Carried<'g> {
    /// I_c Ξ + 2 B_c Ψ.
    answer: Wrench<'g>,
    /// I_c S.
    momentum: Wrench<'g>,
    /// 2 B_cᵀ S.
    transposed: Wrench<'g>,
}

impl<'g> Carried<'g> {
    fn inwards(&self, body: &Body<'g>) -> Self {
        Self {
            answer: self.answer.inwards(body),
            momentum: self.momentum.inwards(body),
            transposed: self.transposed.inwards(body),
        }
    }
}

impl<'g> Mechanism<'g> {
    /// The matrix of answers to the given variations, one for each column of each body. `flows` are
    /// those of 2 B.
    pub(super) fn responses(
        &self,
        composites: &[Moments<'g>],
        flows: &[Flow<'g>],
        variations: &[Vec<Variation<'g>>],
    ) -> Square<'g> {
        let mut matrix = vec![vec![self.graph.zero(); self.nv()]; self.nv()];
        for k in (0..self.bodies.len()).rev() {
            for (column, variation) in self.bodies[k].columns.iter().zip(&variations[k]) {
                let mut answer = composites[k].momentum(&variation.acceleration);
                answer.add(flows[k].times(&variation.velocity));
                for other in &self.bodies[k].columns {
                    matrix[other.dof][column.dof] += answer.power(&other.twist);
                }
                answer.add(variation.turning);
                let carried = Carried {
                    answer,
                    momentum: composites[k].momentum(&column.twist),
                    transposed: flows[k].transposed_times(&column.twist),
                };
                self.carry_response(k, column, carried, variations, &mut matrix);
            }
        }
        matrix
    }

    /// Adds the entries of one column of body `k` with the columns of all that the body hangs on.
    fn carry_response(
        &self,
        k: usize,
        column: &Column<'g>,
        mut carried: Carried<'g>,
        variations: &[Vec<Variation<'g>>],
        matrix: &mut Square<'g>,
    ) {
        let mut inner = k;
        for outer in self.path(self.bodies[k].parent) {
            carried = carried.inwards(&self.bodies[inner]);
            for (other, variation) in self.bodies[outer].columns.iter().zip(&variations[outer]) {
                matrix[other.dof][column.dof] += carried.answer.power(&other.twist);
                matrix[column.dof][other.dof] += carried.momentum.power(&variation.acceleration)
                    + carried.transposed.power(&variation.velocity);
            }
            inner = outer;
        }
    }
}
