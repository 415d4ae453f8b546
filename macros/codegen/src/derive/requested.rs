//! The kernels that a description asks for, as quantities.

use crate::expr::Expr;
use crate::kernels::Family;

use super::forms::{Axes, Choice, Forms, Masses};
use super::mass_matrix::Square;
use super::mechanism::Mechanism;
use super::quantity::{Quantity, Shape};
use super::symbols;

/// The quantities of the families, each in the order of the runtime's trait and in the cheapest of
/// the forms.
pub(super) fn requested<'g>(
    choice: &Choice<'_, 'g>,
    families: &[Family],
    forms: &Forms,
) -> Vec<Quantity<'g>> {
    families.iter().flat_map(|&family| of_family(choice, family, forms)).collect()
}

fn of_family<'g>(choice: &Choice<'_, 'g>, family: Family, forms: &Forms) -> Vec<Quantity<'g>> {
    let name = format!("{family:?}");
    let m = choice.mechanism;
    // The centre of mass is where the described masses have it, and links where the bodies' own axes do.
    let described = || Choice::new(m, &Forms { masses: Some(Masses::Described), ..*forms });
    let own = Forms { masses: Some(Masses::Described), axes: Some(Axes::Own), ..*forms };
    let placed = || Choice::new(m, &own);
    match family {
        Family::InverseDynamicsDerivatives => vec![choice.matrix(&name, |m| {
            let derivatives = m.inverse_dynamics_derivatives(&m.state.a);
            beside(&[&derivatives.by_q, &derivatives.by_v])
        })],
        Family::ForwardDynamicsDerivatives => {
            vec![choice.choose(|m| m.forward_derivatives(&name))]
        }
        Family::InverseMassMatrix => vec![choice.matrix(&name, |m| m.inverse_mass_matrix())],
        Family::MassMatrixRate => vec![choice.matrix(&name, |m| m.mass_matrix_rate())],
        Family::Centroidal => {
            let choice = described();
            vec![
                choice.matrix("CentroidalMatrix", |m| m.centroidal_matrix()),
                choice.vector("CentroidalBias", |m| m.centroidal_bias()),
                choice.matrix("CentroidalInertia", |m| m.centroidal_inertia()),
            ]
        }
        Family::JointJacobians => vec![placed().vector(&name, |m| m.joint_jacobians())],
        Family::Regressor => vec![
            placed().matrix("TorqueRegressor", |m| m.torque_regressor()),
            Quantity::matrix(m.graph, "EnergyRegressor", &m.energy_regressor()),
            Quantity::vector(m.graph, "InertialParameters", m.inertial_parameters()),
        ],
        Family::FieldDerivatives => vec![m.field_derivatives(&name)],
    }
}

impl<'g> Mechanism<'g> {
    /// ∂ID/∂q, ∂ID/∂v and M⁻¹; the products by M⁻¹ are left to the end of the kernel.
    fn forward_derivatives(&self, name: &str) -> Quantity<'g> {
        let parts = self.forward_dynamics_derivatives();
        let (by_q, by_v) = (&parts.inverse.by_q, &parts.inverse.by_v);
        let all = beside(&[by_q, by_v, &parts.inverse_mass]);
        let mut quantity = Quantity::matrix(self.graph, name, &all);
        let filled = |rows: &Square<'g>, j: usize| -> Vec<usize> {
            (0..rows.len()).filter(|&i| !rows[i][j].is_zero()).collect()
        };
        let columns =
            |rows: &'_ Square<'g>| -> Vec<_> { (0..rows.len()).map(|j| filled(rows, j)).collect() };
        let support = [columns(by_q), columns(by_v)].concat();
        let products = by_q.len() * support.iter().map(Vec::len).sum::<usize>();
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
        let shape = Shape::Matrix(self.nv(), fields);
        Quantity { shape, ..Quantity::vector(self.graph, name, columns) }
    }
}

/// Matrices of as many rows, one beside the other.
fn beside<'g>(blocks: &[&Square<'g>]) -> Square<'g> {
    let rows = blocks.first().map_or(0, |block| block.len());
    let row = |i: usize| blocks.iter().flat_map(|block| block[i].iter().copied()).collect();
    (0..rows).map(row).collect()
}
