//! A Coriolis matrix C with Ṁ − 2C skew-symmetric.
//!
//! C = Σ Jᵀ (I J̇ + B J) over the bodies, B as in `flow`; then C + Cᵀ = Ṁ. It is the matrix of
//! answers to the variations Ψ = S, Ξ = Ṡ with B in the place of 2 B, where Ṡ = v × S + S̊.
//!
//! Of all factorisations of C v this is the one of the Levi-Civita connection: C_ij = Σ Γ_ijk v_k with
//! the Christoffel symbols of the first kind,
//!
//! > Γ_ijk = ½ (X_k M_ij + X_j M_ik − X_i M_jk + ⟨[X_k, X_j], X_i⟩ − ⟨[X_k, X_i], X_j⟩ − ⟨[X_j, X_i], X_k⟩),
//!
//! where X_j is the derivative along the coordinate j of velocity and ⟨·, ·⟩ the product by M; the
//! brackets are zero where q̇ = v.
//!
//! Source: the recursion of Echeandia and Wensing, Numerical Methods to Compute the Coriolis Matrix
//! and Christoffel Symbols for Rigid-Body Systems (2021), algorithm 1.

use crate::expr::Vector3;
use crate::joint::{Chart, Twist};

use super::mass_matrix::Square;
use super::mechanism::{Body, Column, Mechanism};
use super::newton_euler::Wrench;
use super::responses::Variation;

impl<'g> Mechanism<'g> {
    /// C.
    pub fn coriolis_matrix(&self) -> Square<'g> {
        let (composites, flows) = (self.composites(), self.flows(self.graph.one()));
        let mut matrix = self.responses(&composites, &flows, &self.motion_variations());
        self.add_turning_armature(&mut matrix);
        self.spread_matrix(&matrix)
    }

    /// The brackets of a spherical joint give its armature a the part ½ a [ω]×, which C v and Ṁ do not
    /// show.
    fn add_turning_armature(&self, matrix: &mut Square<'g>) {
        for body in &self.bodies {
            let joint = &self.description.joints[body.joint];
            let [first, second, third] = body.columns[..] else { continue };
            if joint.family.chart() != Chart::Quaternion {
                continue;
            }
            let dofs = [first.dof, second.dof, third.dof];
            let spin = Vector3(dofs.map(|dof| self.state.v[dof])) * (0.5 * self.armature[dofs[0]]);
            for (row, &i) in spin.skew().0.iter().zip(&dofs) {
                for (&entry, &j) in row.iter().zip(&dofs) {
                    matrix[i][j] += entry;
                }
            }
        }
    }

    /// Ψ = S and Ξ = Ṡ of every column of every body.
    fn motion_variations(&self) -> Vec<Vec<Variation<'g>>> {
        let variation = |(column, rate): (&Column<'g>, Twist<'g>)| Variation {
            velocity: column.twist,
            acceleration: rate,
            turning: Wrench::zero(self.graph),
        };
        let rates = self.column_rates();
        let of_body = |(body, rates): (&Body<'g>, Vec<Twist<'g>>)| {
            body.columns.iter().zip(rates).map(variation).collect()
        };
        self.bodies.iter().zip(rates).map(of_body).collect()
    }

    /// Ṡ of every column of every body.
    pub(super) fn column_rates(&self) -> Vec<Vec<Twist<'g>>> {
        let velocities = self.velocities();
        let of_body = |(body, v): (&Body<'g>, &Twist<'g>)| {
            body.columns.iter().map(|column| v.cross(&column.twist) + column.rate).collect()
        };
        self.bodies.iter().zip(&velocities).map(of_body).collect()
    }
}
