//! Forward dynamics, by articulated bodies or by the sparse factors of M as v̇ = M⁻¹ (τ − C v + τ_g), and
//! its derivatives.
//!
//! From τ = ID(q, v, FD(q, v, τ)) follow
//!
//! > ∂FD/∂q = −M⁻¹ ∂ID/∂q,  ∂FD/∂v = −M⁻¹ ∂ID/∂v at v̇ = FD(q, v, τ),  ∂FD/∂τ = M⁻¹.
//!
//! The products by M⁻¹ are loops, which a processor runs several times faster than the same operations
//! one by one; they are the runtime's.
//!
//! Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5; Carpentier, Mansard,
//! Analytical Derivatives of Rigid Body Dynamics Algorithms (2018), section V.

use crate::expr::Expr;

use super::derivatives::Derivatives;
use super::forms::Solver;
use super::mass_matrix::Square;
use super::mechanism::Mechanism;

/// ∂ID at v̇ = FD, and M⁻¹.
#[derive(Clone, Debug)]
pub struct ForwardDerivatives<'g> {
    /// ∂ID/∂q and ∂ID/∂v at v̇ = FD.
    pub inverse: Derivatives<'g>,
    /// M⁻¹.
    pub inverse_mass: Square<'g>,
}

impl<'g> Mechanism<'g> {
    /// v̇ for the generalised force `state.a`.
    pub fn forward_dynamics(&self, solver: Solver) -> Vec<Expr<'g>> {
        self.spread(&self.forward_dynamics_in_lanes(solver))
    }

    fn forward_dynamics_in_lanes(&self, solver: Solver) -> Vec<Expr<'g>> {
        match solver {
            Solver::ArticulatedBodies if self.solves_by(solver) => self.articulated_dynamics(),
            _ => self.factorized_dynamics(),
        }
    }

    fn factorized_dynamics(&self) -> Vec<Expr<'g>> {
        let bias = self.bias_force_in_lanes();
        let force = self.state.a.iter().zip(&bias).map(|(&tau, &bias)| tau - bias).collect();
        self.factor().solve(force)
    }

    /// What the derivatives of v̇ for the generalised force `state.a` are made of.
    pub fn forward_dynamics_derivatives(&self) -> ForwardDerivatives<'g> {
        ForwardDerivatives {
            inverse: self.analytical_derivatives(&self.factorized_dynamics()),
            inverse_mass: self.inverse_mass_matrix(),
        }
    }
}
