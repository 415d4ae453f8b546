//! The kernels that a description asks for by `kernels(all)`.

use jourdain::kernels::{
    Centroidal, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, InverseMassMatrix,
    JointJacobians, Regressor,
};
use jourdain::space::Storage;

use crate::exchange::Record;
use crate::states::State;

/// Records those that Pinocchio has too.
pub fn record<M>(robot: &M, state: &State<M>, record: &mut Record)
where
    M: InverseDynamicsDerivatives
        + ForwardDynamicsDerivatives
        + InverseMassMatrix
        + Centroidal
        + JointJacobians
        + Regressor,
{
    let State { q, v, v_dot, tau } = state;
    let inverse = robot.inverse_dynamics_derivatives(q, v, v_dot);
    record.push("inverse_dynamics_derivatives", inverse.as_slice());
    let forward = robot.forward_dynamics_derivatives(q, v, tau);
    record.push("forward_dynamics_derivatives", forward.as_slice());
    record.push("inverse_mass_matrix", robot.inverse_mass_matrix(q).as_slice());
    record.push("centroidal_matrix", robot.centroidal_matrix(q).as_slice());
    record.push("centroidal_bias", robot.centroidal_bias(q, v).as_slice());
    record.push("centroidal_inertia", robot.centroidal_inertia(q).as_slice());
    record.push("joint_jacobians", &robot.joint_jacobians(q).as_slice()[..6 * M::NV]);
    record.push("torque_regressor", robot.torque_regressor(q, v, v_dot).as_slice());
    record.push("energy_regressor", robot.energy_regressor(q, v).as_slice());
    record.push("inertial_parameters", robot.inertial_parameters().as_slice());
}
