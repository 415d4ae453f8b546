//! The rate of the mass matrix.
//!
//! Seen from axes that stand still, the moments of a body change by ṁ = 0, ḣ = ∫ ṙ dm and
//! Σ̇ = ∫ ṙ rᵀ + r ṙᵀ dm, which add over bodies and move as moments do, and İ is made of them as I is
//! of m, h and Σ. With the composites of all that hangs on a joint, the entry of the columns a (outer)
//! and b is
//!
//! > S_a · (I_c Ṡ_b + İ_c S_b) + Ṡ_a · I_c S_b,  Ṡ = v × S + S̊.

use crate::joint::Twist;

use super::inertia::Moments;
use super::mass_matrix::Square;
use super::mechanism::{Body, Mechanism};
use super::newton_euler::Wrench;

impl<'g> Mechanism<'g> {
    /// Ṁ along the velocity `state.v`.
    pub fn mass_matrix_rate(&self) -> Square<'g> {
        let (composites, changes) = (self.composites(), self.composite_rates());
        let rates = self.column_rates();
        let mut matrix = vec![vec![self.graph.zero(); self.nv()]; self.nv()];
        for k in (0..self.bodies.len()).rev() {
            for (column, rate) in self.bodies[k].columns.iter().zip(&rates[k]) {
                let momentum = composites[k].momentum(&column.twist);
                let mut drive = composites[k].momentum(rate);
                drive.add(changes[k].momentum(&column.twist));
                self.add_rates(k, column.dof, [drive, momentum], &rates, &mut matrix);
            }
        }
        self.spread_matrix(&matrix)
    }

    /// Adds the entries of one column of body `k` with the columns of the body and of all that it
    /// hangs on, the drive I_c Ṡ + İ_c S and the momentum I_c S of the column being given.
    fn add_rates(
        &self,
        k: usize,
        dof: usize,
        [mut drive, mut momentum]: [Wrench<'g>; 2],
        rates: &[Vec<Twist<'g>>],
        matrix: &mut Square<'g>,
    ) {
        for outer in self.path(Some(k)) {
            for (other, rate) in self.bodies[outer].columns.iter().zip(&rates[outer]) {
                let own = outer == k;
                if own && other.dof > dof {
                    continue;
                }
                let entry = drive.power(&other.twist) + momentum.power(rate);
                matrix[other.dof][dof] += entry;
                if !(own && other.dof == dof) {
                    matrix[dof][other.dof] += entry;
                }
            }
            drive = drive.inwards(&self.bodies[outer]);
            momentum = momentum.inwards(&self.bodies[outer]);
        }
    }

    /// How the moments of each body together with all that hangs on it change.
    fn composite_rates(&self) -> Vec<Moments<'g>> {
        let velocities = self.velocities();
        let rate = |(body, v): (&Body<'g>, _)| body.moments.rate(v);
        self.sum_moments(self.bodies.iter().zip(&velocities).map(rate).collect())
    }
}

impl<'g> Moments<'g> {
    /// How they change where all that has them moves with `v`.
    fn rate(&self, v: &Twist<'g>) -> Self {
        let flow = v.angular.skew() * self.second + v.linear.outer(self.first);
        Self {
            mass: self.mass.graph().zero(),
            first: v.linear * self.mass + v.angular.cross(self.first),
            second: (flow + flow.transpose()).symmetric(),
        }
    }
}
