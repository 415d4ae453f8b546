//! The kernels that a description asks for by `kernels(…)`.
//!
//! They are heavy, and even text that nobody calls costs the compiler time, so that what is not asked
//! for is neither derived nor emitted.

/// Kernels that come together; the runtime has a trait of the same name for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// ∂ID/∂q and ∂ID/∂v.
    InverseDynamicsDerivatives,
    /// ∂FD/∂q, ∂FD/∂v and ∂FD/∂τ.
    ForwardDynamicsDerivatives,
    /// M⁻¹.
    InverseMassMatrix,
    /// Ṁ.
    MassMatrixRate,
    /// A_G, Ȧ_G v and the inertia about the centre of mass.
    Centroidal,
    /// Poses of all moving bodies, and the columns of all joints.
    JointJacobians,
    /// Inverse dynamics and energies as linear functions of the inertial parameters.
    Regressor,
    /// ∂ID/∂p by the fields of the struct.
    FieldDerivatives,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::InverseDynamicsDerivatives,
        Self::ForwardDynamicsDerivatives,
        Self::InverseMassMatrix,
        Self::MassMatrixRate,
        Self::Centroidal,
        Self::JointJacobians,
        Self::Regressor,
        Self::FieldDerivatives,
    ];

    /// The word in `kernels(…)`.
    pub fn key(self) -> &'static str {
        match self {
            Self::InverseDynamicsDerivatives => "inverse_dynamics_derivatives",
            Self::ForwardDynamicsDerivatives => "forward_dynamics_derivatives",
            Self::InverseMassMatrix => "inverse_mass_matrix",
            Self::MassMatrixRate => "mass_matrix_rate",
            Self::Centroidal => "centroidal",
            Self::JointJacobians => "joint_jacobians",
            Self::Regressor => "regressor",
            Self::FieldDerivatives => "field_derivatives",
        }
    }
}
