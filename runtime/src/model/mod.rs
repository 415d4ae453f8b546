//! What every described robot can do.
//!
//! The derive macro implements [`Model`] by naming types, constants and kernels; everything that can be said once for
//! all robots is a provided method here. The struct itself has inherent methods of the same names, with concrete types.

pub(crate) mod contact_axes;
pub(crate) mod frames;
mod inertia;
pub(crate) mod lengths;
pub(crate) mod one_sided;
mod prepared;
pub(crate) mod quantity;
mod rows;
pub(crate) mod table;

use alloc::{vec, vec::Vec};

use nalgebra::{Vector3, Vector6};

use crate::batch::{Batch, Number};
use crate::description::{
    Constraint, Contact, ContactParameters, CoordinateParameters, Frame, FrameId, Joint, Limit,
    Link, Operations, Pair, PairParameters, Requirement, RowParameters, Shape, ShapeParameters,
    Spring, SpringParameters,
};
use crate::error::ModelError;
use crate::frame::{Pose, ReferenceFrame};
use crate::kernel::Input;
use crate::quantities::Quantities;
use crate::space::{Matrix, Storage, Vector};
use crate::{check, manifold, slices as plain};

#[doc(hidden)]
pub use frames::FrameQuantity;
use frames::Frames;
use one_sided::one_sided;
pub use prepared::Prepared;
use quantity::{number, numbers, pairs, records, run, run_at, slices};
pub(crate) use table::{Discrete, Events, HeldTable, Kernels, Robot, Table, with_data};

/// A robot whose equations of motion were derived at compile time.
///
/// > M(q) v̇ + C(q, v) v = τ_g(q) + B u + Jᵀ f,  q̇ = N(q) v
///
/// Units are SI and radians, z points up. Kernels are total: they let NaN through, and
/// [`check`](Model::check) is where a typed error comes from.
pub trait Model: Quantities + Sized {
    /// Configuration, `SVector<f64, NQ>`.
    type Q: Vector;
    /// Velocity, acceleration and generalised force, `SVector<f64, NV>`.
    type V: Vector;
    /// Input of the actuators, `SVector<f64, NU>`.
    type U: Vector;
    /// M and C, `SMatrix<f64, NV, NV>`.
    type Mass: Matrix;
    /// B, `SMatrix<f64, NV, NU>`.
    type Input: Matrix;
    /// The struct's fields in a row.
    type Fields: AsRef<[f64]>;

    /// The robot's name.
    const NAME: &'static str;
    /// Number of configuration coordinates.
    const NQ: usize;
    /// Number of velocity coordinates.
    const NV: usize;
    /// Number of inputs.
    const NU: usize;
    /// Number of rows of all constraints.
    const NC: usize;
    /// The joints that own coordinates, in the order of the coordinates.
    const JOINTS: &'static [Joint];
    /// The links and their parents as they are described, whatever the root.
    const LINKS: &'static [Link];
    /// The link that each moving body is named after, the one that its joint carries; parents first.
    const BODIES: &'static [usize];
    /// Degrees of freedom that constraints leave: NV less the largest rank of their rows found while compiling, at t = 0;
    /// other assemblies may leave others. `None` where it depends on fields, or no configuration was found.
    const MOBILITY: Option<usize>;
    /// For each velocity coordinate the next towards the root: M couples it on this way only; empty if they form no tree.
    const PARENTS: &'static [Option<usize>];
    /// Coordinates that correspond in alike limbs, or one alone, as rows of [`ContactDynamics`](Quantities::ContactDynamics).
    const ALIKE: &'static [&'static [usize]];
    /// Of each four contacts the body that carries them, where steps are solved for the velocities of feet; else empty.
    const HUBS: &'static [usize] = &[];
    /// Number of rows that may hold: those of constraints, three of each contact that does not
    /// [turn](Contact::turns), six of each frame that is `held`; 0 if they are too many to be generated.
    const HELD_ROWS: usize;
    /// The declared frames.
    const FRAMES: &'static [Frame];
    /// The declared contacts.
    const CONTACTS: &'static [Contact];
    /// The declared constraints.
    const CONSTRAINTS: &'static [Constraint];
    /// The declared limits of functions of the configuration.
    const LIMITS: &'static [Limit];
    /// The declared springs between points.
    const SPRINGS: &'static [Spring] = &[];
    /// The declared shapes, and contacts that are paired with some.
    const SHAPES: &'static [Shape];
    /// The declared pairs, but for those of points and spheres, which are [`CONTACTS`](Model::CONTACTS).
    const PAIRS: &'static [Pair];
    /// The velocity coordinate of each of the [columns](Model::joint_columns_into) of joints.
    const COLUMNS: &'static [usize];
    /// For each link, which of these columns move it.
    const SUPPORTS: &'static [&'static [usize]];
    /// What each input drives, in the order of u.
    const INPUTS: &'static [&'static str];
    /// What the values of the fields must satisfy.
    const REQUIREMENTS: &'static [Requirement];
    /// Operation counts of the kernels.
    const OPERATIONS: &'static [(&'static str, Operations)];

    /// The values of the symbolic parameters.
    fn fields(&self) -> Self::Fields;

    /// Shows `read` the numbers that kernels compute with instead of the fields, as for [`crate::kernel::evaluate_with`].
    /// In another arithmetic, such as dual numbers by the fields, [`Preparation`](Quantities::Preparation) computes them.
    fn with_prepared<T>(&self, read: impl FnOnce(&[f64]) -> T) -> T;

    /// The same robot, what depends on its fields alone computed once: results are the same to the last bit.
    fn prepare(self) -> Prepared<Self> {
        Prepared::new(self)
    }

    /// Evaluates a kernel of a declared frame; writes nothing for a frame that the robot has not.
    #[doc(hidden)]
    fn write_frame(
        frame: usize,
        quantity: FrameQuantity,
        input: &Input<'_, f64>,
        output: &mut [f64],
    );

    pairs! {
        /// The mass matrix M(q), armature included: symmetric, and positive definite where every joint moves inertia.
        mass_matrix, mass_matrix_into: MassMatrix(q) -> Mass;
        /// The Coriolis matrix C(q, v): C v is the bias force without gravity, and Ṁ − 2C is skew-symmetric.
        coriolis_matrix, coriolis_matrix_into: CoriolisMatrix(q, v) -> Mass;
        /// The force of gravity τ_g(q) = −Nᵀ ∂U/∂q, on the right-hand side of the equations of motion.
        gravity_force, gravity_force_into: GravityForce(q) -> V;
        /// The bias force C v − τ_g: what holds the velocity constant.
        bias_force, bias_force_into: BiasForce(q, v) -> V;
        /// The generalised force τ = M v̇ + C v − τ_g.
        inverse_dynamics, inverse_dynamics_into: InverseDynamics(q, v, v_dot) -> V;
        /// The acceleration v̇ = M⁻¹ (τ − C v + τ_g); τ is a generalised force, B u among it.
        forward_dynamics, forward_dynamics_into: ForwardDynamics(q, v, tau) -> V;
        /// The force of springs and dampers, at joints and between points. A simulation applies it;
        /// inverse and forward dynamics do not.
        passive_force, passive_force_into: PassiveForce(q, v) -> V;
        /// The input matrix B: B u is the generalised force of the actuators.
        input_matrix, input_matrix_into: InputMatrix() -> Input;
    }

    /// The kinetic energy T = ½ vᵀ M v, in joules.
    fn kinetic_energy(&self, q: &Self::Q, v: &Self::V) -> f64 {
        number::<Self, Self::KineticEnergy, _>(self, [q.as_slice(), v.as_slice()])
    }

    /// The potential energy U of gravity, in joules, zero for a mass at the world's origin.
    fn potential_energy(&self, q: &Self::Q) -> f64 {
        number::<Self, Self::PotentialEnergy, _>(self, [q.as_slice()])
    }

    /// The mass of all that moves, in kilograms: of links that no joint fixes to the world.
    fn total_mass(&self) -> f64 {
        number::<Self, Self::TotalMass, _>(self, [])
    }

    /// The acceleration of gravity in the world, in m/s².
    fn gravity(&self) -> Vector3<f64> {
        numbers::<Self, Self::Gravity, _, 3>(self, []).into()
    }

    /// The centre of mass in the world, in metres; NaN for a robot without mass.
    fn center_of_mass(&self, q: &Self::Q) -> Vector3<f64> {
        numbers::<Self, Self::CenterOfMass, _, 3>(self, [q.as_slice()]).into()
    }

    /// Linear momentum (kg m/s), then angular momentum about the world's origin (kg m²/s), in world axes.
    fn momentum(&self, q: &Self::Q, v: &Self::V) -> Vector6<f64> {
        numbers::<Self, Self::Momentum, _, 6>(self, [q.as_slice(), v.as_slice()]).into()
    }

    one_sided!();

    slices! {
        /// The errors h(q, t) of all constraints, (nc); zero of rows of velocities.
        constraint_into: Constraint(q; t) -> Self::NC;
        /// The rates of the constraints, (nc): ḣ = H v + ∂h/∂t, and h_v of rows of velocities.
        constraint_rate_into: ConstraintRate(q, v; t) -> Self::NC;
        /// The constraint Jacobian, (nc, nv), column by column: (∂h/∂q) N, and ∂h_v/∂v.
        constraint_jacobian_into: ConstraintJacobian(q, v; t) -> Self::NC * Self::NV;
        /// What of ḧ, and of ḣ_v, does not depend on v̇, (nc): the rates change by H v̇ + bias.
        constraint_bias_into: ConstraintBias(q, v; t) -> Self::NC;
        /// World positions of the two frames of each constraint that ties two, as its
        /// [`links`](crate::description::Constraint::links) say; six numbers each.
        constraint_points_into: ConstraintPoints(q) -> 6 * lengths::tying::<Self>();
        /// The generalised momentum p = M v, (nv), then ∂T/∂q at fixed v, (nv), which is ṗ without forces; of velocities in
        /// axes that turn, such as those of a floating joint, it is ṗ without forces too.
        generalized_momentum_into: GeneralizedMomentum(q, v) -> 2 * Self::NV;
        /// Of each spring between points the way Δ from its first point to its second one, in world axes, (3), and ∂Δ/∂q N,
        /// (3, nv) column by column; columns are zero at coordinates that move both points.
        spring_spans_into: SpringSpans(q) -> 3 * (1 + Self::NV) * Self::SPRINGS.len();
    }

    records! {
        /// The poses of all [`LINKS`](Model::LINKS) in the world.
        link_poses: LinkPoses(q) -> Self::LINKS.len(), Pose[12];
        /// Stabilisation and prescribed motion of each row of the constraints.
        constraint_parameters: ConstraintParameters() -> Self::NC, RowParameters[4];
        /// Limits, dry friction, damping and stiffness of each velocity coordinate.
        coordinate_parameters: CoordinateParameters() -> Self::NV, CoordinateParameters[7];
        /// Stiffness, damping and length at rest of each spring between points.
        spring_parameters: SpringParameters() -> Self::SPRINGS.len(), SpringParameters[3];
    }

    /// q ⊕ v: where the velocity `v` leads from `q` in one second, exact on the group of each joint.
    fn integrate(&self, q: &Self::Q, v: &Self::V) -> Self::Q {
        let mut out = q.clone();
        manifold::integrate(Self::JOINTS, v.as_slice(), 1.0, out.as_mut_slice());
        out
    }

    /// q₁ ⊖ q₀: the velocity with which `integrate` leads from `q0` to `q1`.
    fn difference(&self, q0: &Self::Q, q1: &Self::Q) -> Self::V {
        let mut out = Self::V::zeros();
        manifold::difference(Self::JOINTS, q0.as_slice(), q1.as_slice(), out.as_mut_slice());
        out
    }

    /// The configuration of zeros and unit quaternions.
    fn neutral(&self) -> Self::Q {
        let mut out = Self::Q::zeros();
        manifold::neutral(Self::JOINTS, out.as_mut_slice());
        out
    }

    /// q̇ = N(q) v.
    fn configuration_rate(&self, q: &Self::Q, v: &Self::V) -> Self::Q {
        let mut out = Self::Q::zeros();
        manifold::rate(Self::JOINTS, q.as_slice(), v.as_slice(), out.as_mut_slice());
        out
    }

    /// Pose of a declared frame in the world.
    fn frame_pose(&self, frame: FrameId<Self>, q: &Self::Q) -> Pose {
        at_frames(self, |frames| frames.pose(frame.index(), q.as_slice()))
    }

    /// Jacobian of a declared frame, (6, nv) column by column, linear first, as `reference` says.
    ///
    /// # Panics
    ///
    /// If `out` is too short, with both lengths. A longer one keeps what follows.
    #[track_caller]
    fn frame_jacobian_into(
        &self,
        frame: FrameId<Self>,
        reference: ReferenceFrame,
        q: &Self::Q,
        out: &mut [f64],
    ) {
        plain::check("frame_jacobian_into", "out", out.len(), 6 * Self::NV);
        let (frame, out) = (frame.index(), &mut out[..6 * Self::NV]);
        at_frames(self, |frames| frames.jacobian(frame, reference, q.as_slice(), out));
    }

    /// J̇ v of a declared frame, linear first: the rate of its velocity as `reference` says, v̇ = 0.
    fn frame_bias(
        &self,
        frame: FrameId<Self>,
        reference: ReferenceFrame,
        q: &Self::Q,
        v: &Self::V,
    ) -> Vector6<f64> {
        let (mut jacobian, state) = (vec![f64::NAN; 6 * Self::NV], (q.as_slice(), v.as_slice()));
        at_frames(self, |frames| frames.rows(frame.index(), reference, state, &mut jacobian))
    }

    /// Jᵀ w of a wrench (force, then moment) at a declared frame, expressed as `reference` says.
    fn wrench_force(
        &self,
        frame: FrameId<Self>,
        reference: ReferenceFrame,
        q: &Self::Q,
        wrench: &Vector6<f64>,
    ) -> Self::V {
        let at = (q.as_slice(), Self::NV);
        let force =
            at_frames(self, |frames| frames.wrench_force(frame.index(), reference, at, wrench));
        let mut out = Self::V::zeros();
        out.as_mut_slice().copy_from_slice(&force);
        out
    }

    /// The robot as it is evaluated for many states at once, in numbers of type `N`.
    fn batch<N: Number>(&self) -> Batch<'_, Self, N> {
        Batch::new(self)
    }

    /// Whether motion can be computed from the fields and this state.
    ///
    /// # Errors
    ///
    /// Names the first entry that is not finite, the joint whose quaternion is not of unit length (to 1e-6), or the quantity
    /// of the description that the fields give an impossible value.
    fn check(&self, q: &Self::Q, v: &Self::V) -> Result<(), ModelError> {
        self.check_fields()?;
        check::finite("q", q.as_slice())?;
        check::finite("v", v.as_slice())?;
        manifold::check_quaternions(Self::JOINTS, q.as_slice())
    }

    /// Whether the fields give every quantity of the description a possible value.
    ///
    /// # Errors
    ///
    /// Names the first quantity that has not, its value and what it must be.
    fn check_fields(&self) -> Result<(), ModelError> {
        let count = Self::REQUIREMENTS.iter().map(|r| r.bound.arity()).sum();
        check::requirements(Self::REQUIREMENTS, count, |values| {
            run::<Self, Self::Requirements, _>(self, [], values);
        })
    }

    /// Whether forward dynamics has an answer at `q`: the mass matrix is positive definite.
    ///
    /// # Errors
    ///
    /// [`ModelError::SingularMassMatrix`] names the joint at which LᵀL breaks down.
    fn check_mass_matrix(&self, q: &Self::Q) -> Result<(), ModelError> {
        inertia::positive_definite(Table::of::<Self>(), self.mass_matrix(q).as_mut_slice())
    }
}

/// Shows `read` the declared frames.
fn at_frames<M: Model, T>(model: &M, read: impl FnOnce(Frames<'_>) -> T) -> T {
    model.with_prepared(|numbers| read(Frames { write: M::write_frame, numbers }))
}
