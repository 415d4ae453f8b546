//! What a robot has if its description asks for it.
//!
//! `kernels(inverse_dynamics_derivatives, regressor)` in the attribute, or `kernels(all)`, adds the
//! traits of this module to the struct, and inherent methods of the same names. They are heavy: a
//! kernel that is not asked for costs neither derivation nor compile time. Generic code bounds on the
//! trait, as in `fn linearise<M: kernels::ForwardDynamicsDerivatives>(model: &M)`.
//!
//! Derivatives by the configuration are along the tangent space: column j is the derivative by δ at
//! q ⊕ δ e_j, which is the partial derivative where q̇ = v.

use core::fmt::Debug;

use nalgebra::SMatrixView;

use crate::frame::Pose;
use crate::kernel::Kernel;
use crate::model::Model;
use crate::model::quantity::pairs;
use crate::space::{Matrix, Storage, Vector, sealed};

/// A trait of kernels: a type for the value of each, a type for its kernel, and the methods that
/// evaluate it.
macro_rules! family {
    ($(#[$doc:meta])* $name:ident, $key:literal, $note:literal: $($(#[$about:meta])* $method:ident, $into:ident:
        $kernel:ident($($q:ident $(, $more:ident)*)?) -> $value:ident: $bound:ident;)+) => {
        $(#[$doc])*
        #[doc = concat!("\n\nAsked for by `kernels(", $key, ")`.")]
        #[diagnostic::on_unimplemented(
            message = "`{Self}` was described without kernels that are needed here",
            label = "a robot without these kernels",
            note = $note
        )]
        pub trait $name: Model {
            $(
                $(#[$about])*
                type $value: $bound;
                #[doc = concat!("The kernel of [`", stringify!($method), "`](Self::", stringify!($method), ").")]
                type $kernel: Kernel;

                pairs! {
                    $(#[$about])*
                    $method, $into: $kernel($($q $(, $more)*)?) -> $value;
                }
            )+
        }
    };
}

family! {
    /// Exact derivatives of inverse dynamics.
    InverseDynamicsDerivatives, "inverse_dynamics_derivatives", "add `kernels(inverse_dynamics_derivatives)` to its `#[robot(…)]`":
    /// \[∂τ/∂q | ∂τ/∂v\], (nv, 2 nv), of τ = M v̇ + C v − τ_g; ∂τ/∂v̇ is the mass matrix.
    inverse_dynamics_derivatives, inverse_dynamics_derivatives_into:
        InverseDynamicsDerivativesKernel(q, v, v_dot) -> InverseDynamicsDerivatives: Matrix;
}

family! {
    /// Exact derivatives of forward dynamics.
    ForwardDynamicsDerivatives, "forward_dynamics_derivatives", "add `kernels(forward_dynamics_derivatives)` to its `#[robot(…)]`":
    /// \[∂v̇/∂q | ∂v̇/∂v | ∂v̇/∂τ\], (nv, 3 nv), of v̇ = M⁻¹ (τ − C v + τ_g): −M⁻¹ times the derivatives of
    /// inverse dynamics at v̇, and M⁻¹. By the input, ∂v̇/∂u = M⁻¹ B.
    forward_dynamics_derivatives, forward_dynamics_derivatives_into:
        ForwardDynamicsDerivativesKernel(q, v, tau) -> ForwardDynamicsDerivatives: Matrix;
}

family! {
    /// The inverse of the mass matrix.
    InverseMassMatrix, "inverse_mass_matrix", "add `kernels(inverse_mass_matrix)` to its `#[robot(…)]`":
    /// M⁻¹(q), (nv, nv), symmetric; not finite where a joint moves no inertia.
    inverse_mass_matrix, inverse_mass_matrix_into:
        InverseMassMatrixKernel(q) -> InverseMassMatrix: Matrix;
}

family! {
    /// The rate of the mass matrix.
    MassMatrixRate, "mass_matrix_rate", "add `kernels(mass_matrix_rate)` to its `#[robot(…)]`":
    /// Ṁ(q, v) = C + Cᵀ, (nv, nv), units of M per second.
    mass_matrix_rate, mass_matrix_rate_into: MassMatrixRateKernel(q, v) -> MassMatrixRate: Matrix;
}

family! {
    /// Momentum about the centre of mass, in world axes, linear first.
    Centroidal, "centroidal", "add `kernels(centroidal)` to its `#[robot(…)]`":
    /// A_G(q), (6, nv): A_G v is the linear momentum (kg m/s), then the angular momentum about the
    /// centre of mass (kg m²/s). Armature carries no momentum.
    centroidal_matrix, centroidal_matrix_into: CentroidalMatrixKernel(q) -> CentroidalMatrix: Matrix;
    /// Ȧ_G v, (6): the rate of that momentum is A_G v̇ + Ȧ_G v, N and N m.
    centroidal_bias, centroidal_bias_into: CentroidalBiasKernel(q, v) -> CentroidalBias: Vector;
    /// Rotational inertia of all that moves about its centre of mass, (3, 3), kg m².
    centroidal_inertia, centroidal_inertia_into:
        CentroidalInertiaKernel(q) -> CentroidalInertia: Matrix;
}

family! {
    /// Poses of all moving bodies and the motion that each coordinate gives, at once.
    JointJacobians, "joint_jacobians", "add `kernels(joint_jacobians)` to its `#[robot(…)]`":
    /// The columns of all velocity coordinates, then the poses of the links
    /// [`BODIES`](Model::BODIES): a [`JointMotion`].
    joint_jacobians, joint_jacobians_into: JointJacobiansKernel(q) -> JointJacobians: JointColumns;
}

family! {
    /// The equations of motion as linear functions of the inertial parameters π: ten for each of
    /// [`BODIES`](Model::BODIES), m, h = m c (3), then Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of
    /// the link's frame, of all links that are fixed together. The order is Pinocchio's.
    Regressor, "regressor", "add `kernels(regressor)` to its `#[robot(…)]`":
    /// Y(q, v, v̇), (nv, 10 bodies): Y π is the force of inverse dynamics, to which armature adds its
    /// multiple of v̇.
    torque_regressor, torque_regressor_into:
        TorqueRegressorKernel(q, v, v_dot) -> TorqueRegressor: Matrix;
    /// The rows of kinetic and potential energy, (2, 10 bodies): each times π is the energy in joules,
    /// but for what armature adds to the kinetic one. No acceleration is needed: between two times,
    /// (row of T + row of U) · π changes by the work ∫ vᵀ τ dt.
    energy_regressor, energy_regressor_into: EnergyRegressorKernel(q, v) -> EnergyRegressor: Matrix;
    /// π of the fields, (10 bodies), in kg, kg m and kg m².
    inertial_parameters, inertial_parameters_into:
        InertialParametersKernel() -> InertialParameters: Vector;
}

family! {
    /// Derivatives by the symbolic parameters.
    FieldDerivatives, "field_derivatives", "add `kernels(field_derivatives)` to its `#[robot(…)]`":
    /// ∂τ/∂p of inverse dynamics, (nv, number of fields), one column for each field of the struct.
    field_derivatives, field_derivatives_into:
        FieldDerivativesKernel(q, v, v_dot) -> FieldDerivatives: Matrix;
}

/// Columns of six numbers: those of joints, then two for the pose of each moving body.
pub trait JointColumns: Clone + Debug + PartialEq + Send + Sync + Storage + 'static {
    /// The motion that a unit velocity gives to all that hangs on the coordinate's joint, linear (of
    /// the point at the world's origin), then angular.
    fn column(&self, coordinate: usize) -> Option<&[f64; 6]>;
    /// The pose of a moving body, the one of that place in [`BODIES`](Model::BODIES).
    fn pose(&self, body: usize) -> Option<Pose>;
}

/// The motion of all joints and the poses of all moving bodies of a robot of `NV` velocity
/// coordinates, in `N` columns of six numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotion<const NV: usize, const N: usize> {
    columns: [[f64; 6]; N],
}

impl<const NV: usize, const N: usize> JointMotion<NV, N> {
    /// The columns of all joints in world axes about the world's origin, (6, nv), linear rows first.
    /// A body's Jacobian has those that it hangs on: its twist is the sum of these times v, and the
    /// velocity of its point x the linear part plus ω × x. As `data.J` of Pinocchio.
    pub fn jacobian(&self) -> SMatrixView<'_, f64, 6, NV> {
        let all = self.columns.as_flattened();
        SMatrixView::from_slice(all.get(..6 * NV).unwrap_or(&[]))
    }
}

impl<const NV: usize, const N: usize> JointColumns for JointMotion<NV, N> {
    fn column(&self, coordinate: usize) -> Option<&[f64; 6]> {
        self.columns[..NV.min(N)].get(coordinate)
    }

    fn pose(&self, body: usize) -> Option<Pose> {
        let places = self.columns.get(NV..)?.as_flattened();
        places.chunks_exact(12).nth(body).map(Pose::from_slice)
    }
}

impl<const NV: usize, const N: usize> sealed::Sealed for JointMotion<NV, N> {}

impl<const NV: usize, const N: usize> Storage for JointMotion<NV, N> {
    #[inline]
    fn zeros() -> Self {
        Self { columns: [[0.0; 6]; N] }
    }

    #[inline]
    fn as_slice(&self) -> &[f64] {
        self.columns.as_flattened()
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        self.columns.as_flattened_mut()
    }
}
