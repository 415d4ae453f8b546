//! What a generated model says of itself: names, shapes, numbers and bounds.

mod one_sided;

use core::fmt;
use core::marker::PhantomData;

pub use crate::bound::Bound;
use crate::error::ModelError;
pub(crate) use one_sided::resistance;
pub use one_sided::{
    Contact, ContactParameters, Limit, Pair, PairParameters, Shape, ShapeKind, ShapeParameters,
};

/// How the configuration coordinates of a joint follow its velocity coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// q̇ = v.
    Vector,
    /// A unit quaternion `[qx qy qz qw]` and an angular velocity in the child's frame.
    Quaternion,
    /// `[x y z | qx qy qz qw]` and `[linear | angular]` in the child's frame.
    Pose,
}

/// A joint that owns coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// Its name in the description.
    pub name: &'static str,
    /// Its family: `revolute`, `floating` …
    pub family: &'static str,
    /// Index of its first configuration coordinate.
    pub q: usize,
    /// Number of its configuration coordinates.
    pub nq: usize,
    /// Index of its first velocity coordinate.
    pub v: usize,
    /// Number of its velocity coordinates.
    pub nv: usize,
    /// How q follows v.
    pub chart: Chart,
}

/// A link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its name in the description.
    pub name: &'static str,
    /// The link it hangs on; `None` for one that hangs on the world.
    pub parent: Option<usize>,
}

/// A declared frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its name in the description.
    pub name: &'static str,
    /// Index of the link that carries it.
    pub link: usize,
    /// Whether its rows are among [`HELD_ROWS`](crate::Model::HELD_ROWS).
    pub held: bool,
}

/// What a row of a constraint is an equation of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// h(q, t) = 0.
    Position,
    /// h_v(q, v, t) = 0.
    Velocity,
}

/// A declared constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Its name in the description.
    pub name: &'static str,
    /// What the description calls it: `closure`, `rod` …
    pub kind: &'static str,
    /// The links of the two frames that it ties, none for the world; none where it ties no frames, as
    /// an expression.
    pub links: Option<[Option<usize>; 2]>,
    /// Index of its first row.
    pub first: usize,
    /// What each of its rows is an equation of.
    pub levels: &'static [Level],
}

/// What a row of a constraint asks for beside being zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowParameters {
    /// Rate α at which errors die out, 1/s: ḧ = −2α ḣ − α² h, and ḣ_v = −α h_v.
    pub stabilization: f64,
    /// Prescribed acceleration, added to that.
    pub acceleration: f64,
    /// Prescribed velocity after an impact.
    pub velocity_after: f64,
    /// The part of its velocity that the row has after an impact, reversed.
    pub restitution: f64,
}

impl RowParameters {
    pub(crate) fn from_slice(x: &[f64]) -> Self {
        Self { stabilization: x[0], acceleration: x[1], velocity_after: x[2], restitution: x[3] }
    }
}

/// A declared frame of the robot `M`, as generated constants name it.
pub struct FrameId<M> {
    index: usize,
    model: PhantomData<fn() -> M>,
}

impl<M> FrameId<M> {
    #[doc(hidden)]
    pub const fn new(index: usize) -> Self {
        Self { index, model: PhantomData }
    }

    /// Its place in [`Model::FRAMES`](crate::Model::FRAMES).
    pub const fn index(self) -> usize {
        self.index
    }
}

impl<M: crate::Model> FrameId<M> {
    /// The frame of this name.
    pub fn named(name: &str) -> Option<Self> {
        M::FRAMES.iter().position(|frame| frame.name == name).map(Self::new)
    }
}

impl<M: crate::Model> From<FrameId<M>> for FrameId<crate::Prepared<M>> {
    fn from(frame: FrameId<M>) -> Self {
        Self::new(frame.index)
    }
}

impl<M> Clone for FrameId<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for FrameId<M> {}

impl<M> fmt::Debug for FrameId<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrameId").field(&self.index).finish()
    }
}

/// Limits, dry friction, damper and spring of a velocity coordinate; limits are infinite where the description states none.
/// What follows a coordinate counts as part of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoordinateParameters {
    /// Lower and upper limit of the configuration coordinate that it moves; −∞ and ∞ for the
    /// coordinates of floating and spherical joints.
    pub position: [f64; 2],
    /// Largest speed.
    pub velocity: f64,
    /// Largest force or torque.
    pub effort: f64,
    /// Bound of the dry friction, N or N m; of a spherical joint, and of each half of a floating one, that of the norm of
    /// all three components.
    pub friction: f64,
    /// d of −d v, N s/m or N m s/rad.
    pub damping: f64,
    /// k of −k (q − q₀), N/m or N m/rad.
    pub stiffness: f64,
}

impl CoordinateParameters {
    pub(crate) fn from_slice(x: &[f64]) -> Self {
        Self {
            position: [x[0], x[1]],
            velocity: x[2],
            effort: x[3],
            friction: x[4],
            damping: x[5],
            stiffness: x[6],
        }
    }
}

/// A declared spring and damper between two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spring {
    /// Its name in the description.
    pub name: &'static str,
}

/// What a spring between two points pulls with: k (l − l₀) + d l̇ along the line between them, of length l.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringParameters {
    /// k, N/m.
    pub stiffness: f64,
    /// d, N s/m.
    pub damping: f64,
    /// l₀, m.
    pub rest: f64,
}

impl SpringParameters {
    pub(crate) fn from_slice(x: &[f64]) -> Self {
        Self { stiffness: x[0], damping: x[1], rest: x[2] }
    }
}

/// How many operations a kernel takes after common subexpressions are shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Operations {
    /// Additions and subtractions.
    pub additions: usize,
    /// Multiplications.
    pub multiplications: usize,
    /// Divisions.
    pub divisions: usize,
    /// Square roots.
    pub roots: usize,
    /// Sines and cosines.
    pub trigonometric: usize,
    /// The form of the equations, where the cheapest of several was chosen; else empty.
    pub form: &'static str,
}

impl Operations {
    /// Additions, subtractions, multiplications, divisions and square roots.
    pub const fn arithmetic(&self) -> usize {
        self.additions + self.multiplications + self.divisions + self.roots
    }
}

/// A bound on a quantity that depends on the struct's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// What the description calls the quantity.
    pub quantity: &'static str,
    /// What it must satisfy.
    pub bound: Bound,
}

impl Requirement {
    /// # Errors
    ///
    /// [`ModelError::Quantity`] with the first offending number.
    pub(crate) fn check(&self, values: &[f64]) -> Result<(), ModelError> {
        match self.bound.violation(values) {
            Some(value) => {
                let (quantity, expected) = (self.quantity, self.bound);
                Err(ModelError::Quantity { quantity, value, expected })
            }
            None => Ok(()),
        }
    }
}
