//! The kernels that a description asks for, as quantities.

use crate::expr::Expr;
use crate::kernels::Family;

use super::equations::{Quantity, Shape, matrix, quantity};
use super::mass_matrix::Square;
use super::mechanism::Mechanism;
use super::symbols;

impl<'g> Mechanism<'g> {
    /// The quantities of a family, in the order of the runtime's trait.
    pub fn requested(&self, family: Family) -> Vec<Quantity<'g>> {
        let name = format!("{family:?}");
        match family {
            Family::InverseDynamicsDerivatives => {
                let derivatives = self.inverse_dynamics_derivatives(&self.state.a);
                vec![matrix(self, &name, &beside(&[&derivatives.by_q, &derivatives.by_v]))]
            }
            Family::ForwardDynamicsDerivatives => vec![self.forward_derivatives(&name)],
            Family::InverseMassMatrix => vec![matrix(self, &name, &self.inverse_mass_matrix())],
            Family::MassMatrixRate => vec![matrix(self, &name, &self.mass_matrix_rate())],
            Family::Centroidal => vec![
                matrix(self, "CentroidalMatrix", &self.centroidal_matrix()),
                quantity(self, "CentroidalBias", self.centroidal_bias()),
                matrix(self, "CentroidalInertia", &self.centroidal_inertia()),
            ],
            Family::JointJacobians => vec![quantity(self, &name, self.joint_jacobians())],
            Family::Regressor => vec![
                matrix(self, "TorqueRegressor", &self.torque_regressor()),
                matrix(self, "EnergyRegressor", &self.energy_regressor()),
                quantity(self, "InertialParameters", self.inertial_parameters()),
            ],
            Family::FieldDerivatives => vec![self.field_derivatives(&name)],
        }
    }

    /// ∂ID/∂q, ∂ID/∂v and M⁻¹; the products by M⁻¹ are left to the end of the kernel.
    fn forward_derivatives(&self, name: &str) -> Quantity<'g> {
        let parts = self.forward_dynamics_derivatives();
        let (by_q, by_v) = (&parts.inverse.by_q, &parts.inverse.by_v);
        let mut quantity = matrix(self, name, &beside(&[by_q, by_v, &parts.inverse_mass]));
        let filled = |rows: &Square<'g>, j: usize| -> Vec<usize> {
            (0..rows.len()).filter(|&i| !rows[i][j].is_zero()).collect()
        };
        let columns = |rows| (0..self.nv()).map(move |j| filled(rows, j));
        let support: Vec<_> = columns(by_q).chain(columns(by_v)).collect();
        let products = self.nv() * support.iter().map(Vec::len).sum::<usize>();
        quantity.operations.additions += products;
        quantity.operations.multiplications += products;
        quantity.products = (self.nv() > 0).then_some(support);
        quantity
    }

    /// ∂ID/∂p, one column a field.
    fn field_derivatives(&self, name: &str) -> Quantity<'g> {
        let force = self.inverse_dynamics(&self.state.v, &self.state.a);
        let fields = self.description.fields.len();
        let column = |k| self.partial_derivative(&force, symbols::FIELD, k);
        let columns: Vec<Expr<'g>> = (0..fields).flat_map(column).collect();
        let mut quantity = quantity(self, name, columns);
        quantity.shape = Shape::Matrix(self.nv(), fields);
        quantity
    }
}

/// Matrices of as many rows, one beside the other.
fn beside<'g>(blocks: &[&Square<'g>]) -> Square<'g> {
    let rows = blocks.first().map_or(0, |block| block.len());
    let row = |i: usize| blocks.iter().flat_map(|block| block[i].iter().copied()).collect();
    (0..rows).map(row).collect()
}
