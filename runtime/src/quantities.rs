//! What is generated for every model: one kernel a quantity.

use crate::kernel::Kernel;

/// The kernels of a robot. The methods of [`Model`](crate::Model) evaluate them; they are named here
/// so that they can be evaluated in other ways too.
pub trait Quantities {
    /// M(q), (nv, nv).
    type MassMatrix: Kernel;
    /// C(q, v), (nv, nv).
    type CoriolisMatrix: Kernel;
    /// τ_g(q), (nv).
    type GravityForce: Kernel;
    /// C v − τ_g, (nv).
    type BiasForce: Kernel;
    /// M v̇ + C v − τ_g, (nv).
    type InverseDynamics: Kernel;
    /// M⁻¹ (τ − C v + τ_g), (nv).
    type ForwardDynamics: Kernel;
    /// T(q, v), one number.
    type KineticEnergy: Kernel;
    /// U(q), one number.
    type PotentialEnergy: Kernel;
    /// Centre of mass in the world, (3).
    type CenterOfMass: Kernel;
    /// Linear momentum, then angular momentum about the world's origin, (6).
    type Momentum: Kernel;
    /// Springs and dampers, (nv).
    type PassiveForce: Kernel;
    /// B, (nv, nu).
    type InputMatrix: Kernel;
    /// Rotation (9, column by column) and position (3) of every link in the world.
    type LinkPoses: Kernel;
    /// φ of every contact.
    type Gap: Kernel;
    /// J, three rows a contact: normal, two tangents.
    type ContactJacobian: Kernel;
    /// J̇ v, three rows a contact.
    type ContactBias: Kernel;
    /// World position of every contact's point, three rows a contact.
    type ContactPoints: Kernel;
    /// Eleven numbers a contact: μ, e, normal (3), first tangent (3), second tangent (3).
    type ContactParameters: Kernel;
    /// Five numbers for each velocity coordinate: see [`CoordinateParameters`](crate::description::CoordinateParameters).
    type CoordinateParameters: Kernel;
    /// The quantities that [`REQUIREMENTS`](crate::Model::REQUIREMENTS) bounds, in its order.
    type Requirements: Kernel;
}
