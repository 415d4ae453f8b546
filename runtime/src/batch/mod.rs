//! A robot's quantities for many states at once.
//!
//! > τₛ = M(qₛ) v̇ₛ + C(qₛ, vₛ) vₛ − τ_g(qₛ),  s = 1 … n,
//!
//! and so on for every quantity of a [`Model`]. The states stand one after the other in slices, and
//! are computed as many at a time as a register of the processor holds, by the same generated code as
//! one state is; the results are the same to rounding.
//!
//! The type of the numbers says how the states are laid out and computed:
//!
//! | numbers | layout |
//! |---|---|
//! | `f64`, `f32` | state after state, the numbers of a state in a row |
//! | [`F64x8`], [`F32x16`] | eight or sixteen states side by side: number k of all of them, then number k + 1. Nothing has to be turned around, which is the fastest. |
//!
//! ```
//! use jourdain::prelude::*;
//! use jourdain::batch::F64x8;
//!
//! /// A point on a rod of one metre.
//! #[derive(Robot)]
//! #[robot(
//!     link(point, mass = 2, com = [0, 0, -1]),
//!     joint(pivot, revolute(world -> point), axis = [0, 1, 0]),
//! )]
//! struct Pendulum;
//!
//! let q = [0.0, 0.5, 1.0];
//! let (v, v_dot) = ([0.0; 3], [1.0; 3]);
//! let mut tau = [0.0; 3];
//! Pendulum.batch().inverse_dynamics(&q, &v, &v_dot, &mut tau)?;
//! assert!((tau[1] - (2.0 + 2.0 * 9.81 * f64::sin(0.5))).abs() < 1e-12);
//!
//! let mut energy = [F64x8::default()];
//! Pendulum.batch().potential_energy(&[F64x8::from([0.0; 8])], &mut energy)?;
//! assert_eq!(energy[0][7], -2.0 * 9.81);
//! # Ok::<(), jourdain::batch::LengthError>(())
//! ```

mod states;

use core::marker::PhantomData;

use crate::Model;
use crate::kernel::Kernel;
pub use crate::kernel::{F32x16, F64x8, Number};
use crate::model::lengths;
use states::{Rows, States, evaluate};

/// Slices do not hold the same number of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{slice}` has {length} numbers, expected {width} for each of {states} states")]
pub struct LengthError {
    /// The slice's name; `output` is what is written.
    pub slice: &'static str,
    /// How many numbers it has.
    pub length: usize,
    /// How many it has to have for each state.
    pub width: usize,
    /// How many states `output` has room for.
    pub states: usize,
}

/// A robot as it is evaluated for many states; [`Model::batch`] makes it.
///
/// Each method takes the states one after the other and writes the results likewise, matrices column
/// by column. It fails, and writes nothing, if the slices do not hold the same number of states.
#[derive(Debug)]
pub struct Batch<'a, M, N> {
    model: &'a M,
    parallel: bool,
    numbers: PhantomData<N>,
}

impl<'a, M: Model, N: Number> Batch<'a, M, N> {
    pub(crate) fn new(model: &'a M) -> Self {
        Self { model, parallel: false, numbers: PhantomData }
    }

    /// The same on all cores, in the thread pool of `rayon` that it is called from. Worth it from
    /// about a thousand states on.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(self) -> Self {
        Self { parallel: true, ..self }
    }

    /// Checks the lengths and evaluates a kernel that writes `width` numbers a state.
    fn run<K: Kernel, const I: usize>(
        &self,
        inputs: [(&'static str, &[N], usize); I],
        width: usize,
        output: &mut [N],
    ) -> Result<(), LengthError> {
        let Some(states) = output.len().checked_div(width) else { return Ok(()) };
        let checked = |slice, length, width| {
            let fits = length == states * width;
            if fits { Ok(()) } else { Err(LengthError { slice, length, width, states }) }
        };
        checked("output", output.len(), width)?;
        for (name, numbers, width) in inputs {
            checked(name, numbers.len(), width)?;
        }
        let mut rows = [Rows::default(); 4];
        for (k, (name, numbers, width)) in inputs.into_iter().enumerate() {
            rows[if name == "t" { 3 } else { k }] = Rows { numbers, width };
        }
        let inputs = rows;
        let states = States { count: states, inputs, width, output };
        self.model.with_prepared(|prepared| evaluate::<K, N>(prepared, states, self.parallel));
        Ok(())
    }
}

/// A method for each quantity: its inputs and the numbers of one state in each slice.
macro_rules! quantities {
    ($($(#[$doc:meta])* $name:ident: $Kernel:ident($($input:ident: $length:expr),*) -> $width:expr;)*) => {
        impl<M: Model, N: Number> Batch<'_, M, N> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                ///
                /// The slices do not hold the same number of states.
                pub fn $name(&self, $($input: &[N],)* output: &mut [N]) -> Result<(), LengthError> {
                    let inputs = [$((stringify!($input), $input, $length)),*];
                    self.run::<M::$Kernel, _>(inputs, $width, output)
                }
            )*
        }
    };
}

quantities! {
    /// The mass matrix M(q), nv² numbers a state.
    mass_matrix: MassMatrix(q: M::NQ) -> M::NV * M::NV;
    /// The Coriolis matrix C(q, v), nv² numbers a state.
    coriolis_matrix: CoriolisMatrix(q: M::NQ, v: M::NV) -> M::NV * M::NV;
    /// The force of gravity τ_g(q).
    gravity_force: GravityForce(q: M::NQ) -> M::NV;
    /// The bias force C v − τ_g.
    bias_force: BiasForce(q: M::NQ, v: M::NV) -> M::NV;
    /// The generalised force τ = M v̇ + C v − τ_g.
    inverse_dynamics: InverseDynamics(q: M::NQ, v: M::NV, v_dot: M::NV) -> M::NV;
    /// The acceleration v̇ = M⁻¹ (τ − C v + τ_g).
    forward_dynamics: ForwardDynamics(q: M::NQ, v: M::NV, tau: M::NV) -> M::NV;
    /// The force of springs and dampers.
    passive_force: PassiveForce(q: M::NQ, v: M::NV) -> M::NV;
    /// The kinetic energy, one number a state.
    kinetic_energy: KineticEnergy(q: M::NQ, v: M::NV) -> 1;
    /// The potential energy, one number a state.
    potential_energy: PotentialEnergy(q: M::NQ) -> 1;
    /// The centre of mass in the world, three numbers a state.
    center_of_mass: CenterOfMass(q: M::NQ) -> 3;
    /// Linear momentum, then angular momentum about the world's origin, six numbers a state.
    momentum: Momentum(q: M::NQ, v: M::NV) -> 6;
    /// The generalised momentum M v, then ∂T/∂q at fixed v, 2 nv numbers a state.
    generalized_momentum: GeneralizedMomentum(q: M::NQ, v: M::NV) -> 2 * M::NV;
    /// The poses of all links: rotation (9, column by column) and position (3) of each.
    link_poses: LinkPoses(q: M::NQ) -> 12 * M::LINKS.len();
    /// The gaps φ(q) of all contacts, one number each.
    gap: Gap(q: M::NQ) -> M::CONTACTS.len();
    /// The contact Jacobian J(q), 3 · contacts · nv numbers a state; rows of a contact: normal,
    /// first and second tangent.
    contact_jacobian: ContactJacobian(q: M::NQ) -> 3 * M::CONTACTS.len() * M::NV;
    /// J̇ v of the contacts, three numbers each.
    contact_bias: ContactBias(q: M::NQ, v: M::NV) -> 3 * M::CONTACTS.len();
    /// Normal, first and second tangent of each contact whose normal turns, nine numbers each.
    contact_frames: ContactFrames(q: M::NQ) -> 9 * lengths::turning::<M>();
    /// The motions of all links' columns, six numbers for each of [`COLUMNS`](Model::COLUMNS).
    joint_columns: JointColumns(q: M::NQ) -> 6 * M::COLUMNS.len();
    /// The limits C(q), one number each.
    limit: Limit(q: M::NQ) -> M::LIMITS.len();
    /// The Jacobian of the limits, limits · nv numbers a state.
    limit_jacobian: LimitJacobian(q: M::NQ) -> M::LIMITS.len() * M::NV;
    /// What of C̈ does not depend on v̇, one number a limit.
    limit_bias: LimitBias(q: M::NQ, v: M::NV) -> M::LIMITS.len();
    /// Δ of each spring between points and its Jacobian, 3 (1 + nv) numbers each.
    spring_spans: SpringSpans(q: M::NQ) -> 3 * (1 + M::NV) * M::SPRINGS.len();
    /// The errors h(q, t) of all constraints, one number a row.
    constraint: Constraint(q: M::NQ, t: 1) -> M::NC;
    /// The rates of all constraints, one number a row.
    constraint_rate: ConstraintRate(q: M::NQ, v: M::NV, t: 1) -> M::NC;
    /// The constraint Jacobian, nc · nv numbers a state.
    constraint_jacobian: ConstraintJacobian(q: M::NQ, v: M::NV, t: 1) -> M::NC * M::NV;
    /// What of the rates' change does not depend on v̇, one number a row.
    constraint_bias: ConstraintBias(q: M::NQ, v: M::NV, t: 1) -> M::NC;
    /// World positions of the two frames of each constraint that ties two, six numbers each.
    constraint_points: ConstraintPoints(q: M::NQ) -> 6 * lengths::tying::<M>();
    /// World positions of the contacts' points, three numbers each.
    contact_points: ContactPoints(q: M::NQ) -> 3 * M::CONTACTS.len();
}
