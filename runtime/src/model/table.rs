//! A robot as data and functions, for what need not be compiled for each robot anew.
//!
//! A [`Table`] is what the type of a robot says, and a [`Robot`] is that with its kernels and the numbers of its fields.
//! Simulations work with these; a shell about each has the types of [`Model`]. Slices have the lengths that `Model` states.
//!
//! What names a `Robot` has all of its kernels compiled. A method of `Model` names no more than its own kernel, and the table.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use super::frames::{FrameEntry, Frames};
use super::{Model, Prepared, inertia, one_sided};
use crate::description::{
    Constraint, Contact, ContactParameters, CoordinateParameters, Frame, Joint, Limit, Link, Pair,
    PairParameters, RowParameters, Shape, ShapeParameters, Spring, SpringParameters,
};
use crate::error::ModelError;
use crate::kernel::{Input, Kernel, evaluate};

/// Evaluates a kernel at the process's level.
type Entry = fn(&Input<'_, f64>, &mut [f64]);

/// What the type of a robot says. Fields are as the constants of [`Model`] of the same names.
pub(crate) struct Table {
    pub(crate) nq: usize,
    pub(crate) nv: usize,
    pub(crate) nu: usize,
    pub(crate) nc: usize,
    pub(crate) joints: &'static [Joint],
    pub(crate) links: &'static [Link],
    pub(crate) parents: &'static [Option<usize>],
    pub(crate) alike: &'static [&'static [usize]],
    pub(crate) hubs: &'static [usize],
    pub(crate) frames: &'static [Frame],
    pub(crate) contacts: &'static [Contact],
    pub(crate) constraints: &'static [Constraint],
    pub(crate) limits: &'static [Limit],
    pub(crate) springs: &'static [Spring],
    pub(crate) shapes: &'static [Shape],
    pub(crate) pairs: &'static [Pair],
    pub(crate) columns: &'static [usize],
    pub(crate) supports: &'static [&'static [usize]],
    /// How many numbers the parts of contact dynamics hand on.
    pub(crate) contact_dynamics_room: usize,
}

impl Table {
    /// That of a robot.
    pub(crate) fn of<M: Model>() -> &'static Self {
        const {
            &Self {
                nq: M::NQ,
                nv: M::NV,
                nu: M::NU,
                nc: M::NC,
                joints: M::JOINTS,
                links: M::LINKS,
                parents: M::PARENTS,
                alike: M::ALIKE,
                hubs: M::HUBS,
                frames: M::FRAMES,
                contacts: M::CONTACTS,
                constraints: M::CONSTRAINTS,
                limits: M::LIMITS,
                springs: M::SPRINGS,
                shapes: M::SHAPES,
                pairs: M::PAIRS,
                columns: M::COLUMNS,
                supports: M::SUPPORTS,
                contact_dynamics_room: M::ContactDynamics::ROOM,
            }
        }
    }

    /// Whether the first joint that moves a contact has all six velocities of a body.
    pub(crate) fn is_on_free_base(&self, contact: usize) -> bool {
        let is_first = |joint: &Joint| {
            self.contacts[contact].coordinates.first().is_some_and(|&v| joint.v == v)
        };
        self.joints.iter().any(|joint| joint.nv == 6 && is_first(joint))
    }

    /// The first link that a velocity coordinate moves.
    pub(crate) fn link_of(&self, v: usize) -> Option<&'static str> {
        let moves = |columns: &[usize]| columns.iter().any(|&k| self.columns.get(k) == Some(&v));
        let moved = self.links.iter().zip(self.supports).filter(|(_, columns)| moves(columns));
        moved.min_by_key(|(_, columns)| columns.len()).map(|(link, _)| link.name)
    }

    /// The joint that a velocity coordinate is of; empty if there is none.
    pub(crate) fn joint_of(&self, v: usize) -> &'static str {
        let own = |joint: &&Joint| (joint.v..joint.v + joint.nv).contains(&v);
        self.joints.iter().find(own).map_or("", |joint| joint.name)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nq, nv, nu, nc, .. } = self;
        write!(f, "Table {{ nq: {nq}, nv: {nv}, nu: {nu}, nc: {nc}, .. }}")
    }
}

/// A robot with its kernels and the numbers that these read instead of its fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Robot<'a> {
    table: &'static Table,
    kernels: &'static Kernels,
    numbers: &'a [f64],
}

impl<'a> Robot<'a> {
    fn new<M: Model>(numbers: &'a [f64]) -> Self {
        Self { table: Table::of::<M>(), kernels: const { &Kernels::of::<M>() }, numbers }
    }

    /// What its type says.
    #[inline]
    pub(crate) fn table(&self) -> &'static Table {
        self.table
    }

    /// What kernels read instead of its fields.
    pub(crate) fn numbers(&self) -> &[f64] {
        self.numbers
    }

    /// Its kernels, for those that read no field.
    #[inline]
    pub(crate) fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    /// Its declared frames.
    #[inline]
    pub(crate) fn at_frames(&self) -> Frames<'a> {
        Frames { write: self.kernels.frame, numbers: self.numbers }
    }
}

impl Deref for Robot<'_> {
    type Target = Table;

    #[inline]
    fn deref(&self) -> &Table {
        self.table
    }
}

impl<M: Model> Prepared<M> {
    /// The robot as data.
    #[inline]
    pub(crate) fn as_data(&self) -> Robot<'_> {
        Robot::new::<M>(self.numbers())
    }
}

/// Shows `read` a model as data.
pub(crate) fn with_data<M: Model, T>(model: &M, read: impl FnOnce(Robot<'_>) -> T) -> T {
    model.with_prepared(|numbers| read(Robot::new::<M>(numbers)))
}

/// The kernels, and a method for each. In parentheses are the slices that a kernel reads, each with its place in [`Input`].
macro_rules! kernels {
    ($($into:ident: $kernel:ident($($name:ident: $place:ident),* $(; $t:ident)?);)+) => {
        /// Those that simulations evaluate.
        pub(crate) struct Kernels {
            $($into: Entry,)+
            contact_response: Entry,
            contact_momentum: Entry,
            frame: FrameEntry,
        }

        impl Kernels {
            const fn of<M: Model>() -> Self {
                Self {
                    $($into: evaluate::<M::$kernel>,)+
                    contact_response: evaluate::<M::ContactResponse>,
                    contact_momentum: evaluate::<M::ContactMomentum>,
                    frame: M::write_frame,
                }
            }
        }

        /// Each writes the quantity of that name; a time is in seconds.
        impl Robot<'_> {
            $(
                #[inline]
                pub(crate) fn $into(&self, $($name: &[f64],)* $($t: f64,)? out: &mut [f64]) {
                    let fields = self.numbers;
                    let read = Input { fields, $($place: $name,)* $(t: &[$t],)? ..Input::default() };
                    (self.kernels.$into)(&read, out);
                }
            )+
        }
    };
}

kernels! {
    mass_matrix_into: MassMatrix(q: q);
    gravity_force_into: GravityForce(q: q);
    bias_force_into: BiasForce(q: q, v: v);
    forward_dynamics_into: ForwardDynamics(q: q, v: v, tau: a);
    passive_force_into: PassiveForce(q: q, v: v);
    kinetic_energy_into: KineticEnergy(q: q, v: v);
    input_matrix_into: InputMatrix();
    generalized_momentum_into: GeneralizedMomentum(q: q, v: v);
    link_poses_into: LinkPoses(q: q);
    joint_columns_into: JointColumns(q: q);
    gap_into: Gap(q: q);
    contact_jacobian_into: ContactJacobian(q: q);
    contact_frames_into: ContactFrames(q: q);
    contact_bias_into: ContactBias(q: q, v: v);
    contact_points_into: ContactPoints(q: q);
    limit_into: Limit(q: q);
    limit_jacobian_into: LimitJacobian(q: q);
    spring_spans_into: SpringSpans(q: q);
    constraint_into: Constraint(q: q; t);
    constraint_rate_into: ConstraintRate(q: q, v: v; t);
    constraint_jacobian_into: ConstraintJacobian(q: q, v: v; t);
    constraint_bias_into: ConstraintBias(q: q, v: v; t);
    contact_dynamics_into: ContactDynamics(q: q, v: v, force: a, added: asked);
    contact_parameters_into: ContactParameters();
    coordinate_parameters_into: CoordinateParameters();
    constraint_parameters_into: ConstraintParameters();
    spring_parameters_into: SpringParameters();
    pair_parameters_into: PairParameters();
    shape_parameters_into: ShapeParameters();
}

impl Kernels {
    /// What impulses change, by the numbers of contact dynamics and `y0` of all but contacts:
    /// [`ContactResponse`](crate::quantities::Quantities::ContactResponse).
    #[inline]
    pub(crate) fn contact_response_into(
        &self,
        numbers: &[f64],
        y0: &[f64],
        impulses: &[f64],
        out: &mut [f64],
    ) {
        let input = Input { holds: numbers, a: y0, asked: impulses, ..Input::default() };
        (self.contact_response)(&input, out);
    }

    /// (M + δ) Δv, (nv), by the same numbers.
    #[inline]
    pub(crate) fn contact_momentum_into(&self, numbers: &[f64], change: &[f64], out: &mut [f64]) {
        let input = Input { holds: numbers, a: change, ..Input::default() };
        (self.contact_momentum)(&input, out);
    }
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kernels { .. }")
    }
}

/// Tables of kernels that some simulations read alone, each reached by a reference of its own: what has none of them compiles
/// none. Lines are as those of `kernels!`; methods take the robot.
macro_rules! further {
    ($($(#[$doc:meta])* $table:ident {
        $($into:ident: $kernel:ident($($name:ident: $place:ident),* $(; $t:ident)?);)+
    })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $table {
            $($into: Entry,)+
        }

        impl $table {
            /// Those of a robot.
            pub(crate) fn of<M: Model>() -> &'static Self {
                const { &Self { $($into: evaluate::<M::$kernel>,)+ } }
            }

            $(
                #[inline]
                pub(crate) fn $into(
                    &self,
                    robot: Robot<'_>,
                    $($name: &[f64],)*
                    $($t: f64,)?
                    out: &mut [f64],
                ) {
                    let fields = robot.numbers;
                    let read = Input { fields, $($place: $name,)* $(t: &[$t],)? ..Input::default() };
                    (self.$into)(&read, out);
                }
            )+
        }
    )+};
}

further! {
    /// What discrete mechanics reads besides.
    Discrete {
        coriolis_matrix_into: CoriolisMatrix(q: q, v: v);
    }

    /// What motion from event to event reads besides.
    Events {
        limit_bias_into: LimitBias(q: q, v: v);
    }
}

/// The kernels of motion under rows that hold, which simulations that know no such rows compile none of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldTable {
    /// As [`Model::HELD_ROWS`].
    pub(crate) rows: usize,
    dynamics: Entry,
    impact: Entry,
}

impl HeldTable {
    /// Those of a robot.
    pub(crate) const fn of<M: Model>() -> &'static Self {
        const {
            &Self {
                rows: M::HELD_ROWS,
                dynamics: evaluate::<M::ConstrainedDynamics>,
                impact: evaluate::<M::ConstrainedImpact>,
            }
        }
    }

    /// The same for what holds declared constraints alone: a robot without them compiles none.
    pub(crate) fn of_constraints<M: Model>() -> &'static Self {
        const {
            if M::NC > 0 {
                Self::of::<M>()
            } else {
                &Self { rows: 0, dynamics: write_nothing, impact: write_nothing }
            }
        }
    }

    /// Writes v̇, all multipliers and what tells whether they are accurate, from a state with its rows, without fields.
    pub(crate) fn dynamics_into(&self, robot: Robot<'_>, read: &Input<'_, f64>, out: &mut [f64]) {
        (self.dynamics)(&Input { fields: robot.numbers, ..*read }, out);
    }

    /// The same of v⁺ after an impact.
    pub(crate) fn impact_into(&self, robot: Robot<'_>, read: &Input<'_, f64>, out: &mut [f64]) {
        (self.impact)(&Input { fields: robot.numbers, ..*read }, out);
    }
}

/// What is no kernel.
fn write_nothing(_: &Input<'_, f64>, out: &mut [f64]) {
    out.fill(f64::NAN);
}

/// What kernels write as several records of as many numbers each.
macro_rules! records {
    ($($name:ident: $into:ident[$count:expr] -> $record:ident[$width:literal];)+) => {
        /// As the methods of [`Model`] of these names.
        impl Robot<'_> {$(
            pub(crate) fn $name(&self) -> Vec<$record> {
                let count: fn(&Table) -> usize = $count;
                let mut flat = vec![f64::NAN; $width * count(self.table)];
                self.$into(&mut flat);
                flat.chunks_exact($width).map($record::from_slice).collect()
            }
        )+}
    };
}

records! {
    contact_parameters: contact_parameters_into[|table| table.contacts.len()] -> ContactParameters[14];
    coordinate_parameters: coordinate_parameters_into[|table| table.nv] -> CoordinateParameters[7];
    constraint_parameters: constraint_parameters_into[|table| table.nc] -> RowParameters[4];
    spring_parameters: spring_parameters_into[|table| table.springs.len()] -> SpringParameters[3];
    pair_parameters: pair_parameters_into[|table| table.pairs.len()] -> PairParameters[4];
}

impl Robot<'_> {
    /// Where each shape is on its link, and how large.
    pub(crate) fn shape_parameters(&self) -> Vec<ShapeParameters> {
        let mut flat = vec![f64::NAN; one_sided::length_of(self.shapes)];
        self.shape_parameters_into(&mut flat);
        one_sided::shapes_of(self.shapes, &flat)
    }

    /// B, (nv, nu) column by column.
    pub(crate) fn input_matrix(&self) -> Vec<f64> {
        let mut matrix = vec![f64::NAN; self.nv * self.nu];
        self.input_matrix_into(&mut matrix);
        matrix
    }

    /// T in J.
    pub(crate) fn kinetic_energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let mut energy = [f64::NAN];
        self.kinetic_energy_into(q, v, &mut energy);
        energy[0]
    }

    /// Whether forward dynamics has an answer at `q`, as [`Model::check_mass_matrix`].
    pub(crate) fn check_mass_matrix(&self, q: &[f64]) -> Result<(), ModelError> {
        let mut mass = vec![f64::NAN; self.nv * self.nv];
        self.mass_matrix_into(q, &mut mass);
        inertia::positive_definite(self, &mut mass)
    }
}
