//! What is generated for every model: one kernel a quantity.

use crate::kernel::Kernel;

/// The trait, and the quantities of what has those of a robot `M`.
macro_rules! quantities {
    ($(#[$doc:meta])* trait: $($(#[$shape:meta])* $kernel:ident,)+) => {
        $(#[$doc])*
        pub trait Quantities {
            $($(#[$shape])* type $kernel: Kernel;)+
        }

        macro_rules! those_of_the_robot {
            () => {
                $(type $kernel = M::$kernel;)+
            };
        }

        pub(crate) use those_of_the_robot;
    };
}

quantities! {
    /// The kernels of a robot. The methods of [`Model`](crate::Model) evaluate them; they are named
    /// here so that they can be evaluated in other ways too. Those of what a robot has not may be
    /// [`Nothing`](crate::kernel::Nothing).
    trait:
    /// What all others read as [`fields`](crate::kernel::Input::fields), from the fields themselves;
    /// as many numbers as [`with_prepared`](crate::Model::with_prepared) shows.
    Preparation,
    /// M(q), (nv, nv).
    MassMatrix,
    /// C(q, v), (nv, nv).
    CoriolisMatrix,
    /// τ_g(q), (nv).
    GravityForce,
    /// C v − τ_g, (nv).
    BiasForce,
    /// M v̇ + C v − τ_g, (nv).
    InverseDynamics,
    /// M⁻¹ (τ − C v + τ_g), (nv).
    ForwardDynamics,
    /// T(q, v), one number.
    KineticEnergy,
    /// U(q), one number.
    PotentialEnergy,
    /// Mass of all that moves, one number.
    TotalMass,
    /// Acceleration of gravity in the world, (3).
    Gravity,
    /// Centre of mass in the world, (3).
    CenterOfMass,
    /// Linear momentum, then angular momentum about the world's origin, (6).
    Momentum,
    /// p = M v, (nv), and ∂T/∂q at fixed v, (nv): ṗ without forces. Of velocities in axes that turn, such as those of a
    /// floating joint, it is ṗ without forces too.
    GeneralizedMomentum,
    /// Springs and dampers, (nv).
    PassiveForce,
    /// B, (nv, nu).
    InputMatrix,
    /// Rotation (9, column by column) and position (3) of every link in the world.
    LinkPoses,
    /// φ of every contact.
    Gap,
    /// J, three rows a contact: normal, two tangents.
    ContactJacobian,
    /// J̇ v, three rows a contact.
    ContactBias,
    /// World position of every contact's point, three rows a contact.
    ContactPoints,
    /// Twelve numbers a contact: μ, e, normal (3), first tangent (3), second tangent (3), radius;
    /// NaN in place of axes that depend on q.
    ContactParameters,
    /// h(q, t) of every row of the constraints, zero of those of velocities.
    Constraint,
    /// ḣ(q, v, t) or h_v(q, v, t) of every row of the constraints.
    ConstraintRate,
    /// H(q, v, t), (rows, nv).
    ConstraintJacobian,
    /// What of ḧ or ḣ_v does not depend on v̇, (rows).
    ConstraintBias,
    /// World positions of the two frames of every constraint that ties two, six rows each.
    ConstraintPoints,
    /// Four numbers a row: see [`RowParameters`](crate::description::RowParameters).
    ConstraintParameters,
    /// v̇, (nv), and λ, (rows), under the rows that [`holds`](crate::kernel::Input::holds) names, of
    /// those that [`HELD_ROWS`](crate::Model::HELD_ROWS) counts; then a doubt: the solution is
    /// accurate where it is between zero and one.
    ConstrainedDynamics,
    /// v⁺, (nv), and Λ, (rows), of an impact, then the same.
    ConstrainedImpact,
    /// What a time step with contact starts from, where coordinates form a tree; nothing else. With δ, the
    /// inertia that is [`asked`](crate::kernel::Input::asked) to be added to each coordinate, b = C v − τ_g and
    /// M + δ = Lᵀ D L: α = (M + δ)⁻¹ (τ − b), (nv); D⁻¹, (nv); b, (nv); in the order of
    /// [`ALIKE`](crate::Model::ALIKE), whose coordinates lie side by side, the entries of L at those that each hangs on, from
    /// the root on; then so those of M + δ at these, and its own; then of each contact with the
    /// [`coordinates`](crate::description::Contact::coordinates) that move it Y = J L⁻¹, (3, coordinates) column
    /// by column, J v, (3), J (α + c), (3), and φ. c is the rate ω × u of the linear velocity of a floating joint in
    /// axes that turn with its child. Where [bodies](crate::Model::HUBS) are solved for, Y is theirs, (6, coordinates)
    /// column by column, of the velocity of a point and the angular velocity along the axes of the world; then come the
    /// arms X, (3, 6) column by column, with J = X J of the body, of each contact.
    ContactDynamics,
    /// What impulses change, from the numbers of [`ContactDynamics`](Self::ContactDynamics), which are given in
    /// the place of [`holds`](crate::kernel::Input::holds), the impulse Λ of each contact,
    /// [`asked`](crate::kernel::Input::asked), (3), and y₀ of all else, [`a`](crate::kernel::Input::a), (nv): with
    /// y = y₀ + Σ Yᵀ Λ, Δv = L⁻¹ D⁻¹ y, (nv); Lᵀ y, the generalised impulse, (nv); and Y D⁻¹ y, the change of each
    /// contact's velocity, (3).
    ContactResponse,
    /// (M + δ) Δv, (nv), of a change of velocity, [`a`](crate::kernel::Input::a), (nv), from the same numbers.
    ContactMomentum,
    /// Seven numbers for each velocity coordinate: see [`CoordinateParameters`](crate::description::CoordinateParameters).
    CoordinateParameters,
    /// The quantities that [`REQUIREMENTS`](crate::Model::REQUIREMENTS) bounds, in its order.
    Requirements,
    /// C(q) of every limit.
    Limit,
    /// (∂C/∂q) N of every limit, (limits, nv).
    LimitJacobian,
    /// What of C̈ does not depend on v̇, of every limit.
    LimitBias,
    /// Three numbers for each spring between points: see [`SpringParameters`](crate::description::SpringParameters).
    SpringParameters,
    /// Δ, (3), and its Jacobian, (3, nv) column by column, of every spring between points.
    SpringSpans,
    /// Normal (3), first tangent (3) and second tangent (3) of every contact whose normal turns.
    ContactFrames,
    /// Of every shape its rotation (9, column by column) and position (3) in its link, then its sizes, and friction
    /// and restitution.
    ShapeParameters,
    /// Two numbers a pair: μ and e.
    PairParameters,
    /// Six numbers for each of [`COLUMNS`](crate::Model::COLUMNS).
    JointColumns,
}
