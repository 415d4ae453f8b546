//! What a family says of its child's motion.

use std::ops::{Add, Mul, Sub};

use crate::expr::{Expr, Graph, Rotation, Vector3};

/// Axes and pitch of a joint, lowered to expressions.
#[derive(Debug)]
pub struct Geometry<'g> {
    /// The graph of all expressions.
    pub graph: &'g Graph,
    /// Unit vectors in the joint's frame.
    pub axes: Vec<Vector3<'g>>,
    /// Advance of a helical joint in metres per radian.
    pub pitch: Expr<'g>,
}

/// Angular velocity, and velocity of the origin.
#[derive(Clone, Copy, Debug)]
pub struct Twist<'g> {
    /// Angular part.
    pub angular: Vector3<'g>,
    /// Linear part.
    pub linear: Vector3<'g>,
}

impl<'g> Twist<'g> {
    /// No motion.
    pub fn zero(graph: &'g Graph) -> Self {
        Self { angular: Vector3::zero(graph), linear: Vector3::zero(graph) }
    }

    /// A rotation.
    pub fn turning(angular: Vector3<'g>) -> Self {
        Self { angular, linear: Vector3::zero(angular[0].graph()) }
    }

    /// A translation.
    pub fn sliding(linear: Vector3<'g>) -> Self {
        Self { angular: Vector3::zero(linear[0].graph()), linear }
    }

    /// Angular part, then linear part.
    pub fn entries(&self) -> [Expr<'g>; 6] {
        let ([a, b, c], [x, y, z]) = (self.angular.0, self.linear.0);
        [a, b, c, x, y, z]
    }

    /// From an angular part, then a linear part.
    pub fn from_entries([a, b, c, x, y, z]: [Expr<'g>; 6]) -> Self {
        Self { angular: Vector3([a, b, c]), linear: Vector3([x, y, z]) }
    }

    /// self × other: the rate of `other` where it is carried along by `self`.
    pub fn cross(&self, other: &Self) -> Self {
        let (w, u) = (self.angular, self.linear);
        Self {
            angular: w.cross(other.angular),
            linear: w.cross(other.linear) + u.cross(other.angular),
        }
    }
}

impl Add for Twist<'_> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl Sub for Twist<'_> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { angular: self.angular - other.angular, linear: self.linear - other.linear }
    }
}

impl<'g> Mul<Expr<'g>> for Twist<'g> {
    type Output = Self;

    fn mul(self, factor: Expr<'g>) -> Self {
        Self { angular: self.angular * factor, linear: self.linear * factor }
    }
}

/// What of a child stands still in its parent, whatever q is.
///
/// A direction d of the child, or its origin, does so when the twist of every column leaves it: for
/// S = (ω, u), ω × d = 0, and u = 0 for the origin.
#[derive(Clone, Debug)]
pub struct Still<'g> {
    /// Orthogonal unit vectors, in the child's axes as in the joint's.
    pub directions: Vec<Vector3<'g>>,
    /// Whether the child's origin does.
    pub origin: bool,
}

impl<'g> Still<'g> {
    /// Nothing.
    pub fn nothing() -> Self {
        Self { directions: Vec::new(), origin: false }
    }

    /// The origin, about which everything turns.
    pub fn origin() -> Self {
        Self { directions: Vec::new(), origin: true }
    }

    /// A direction, with or without the origin.
    pub fn along(axis: Vector3<'g>, origin: bool) -> Self {
        Self { directions: vec![axis], origin }
    }

    /// All directions: nothing turns.
    pub fn directions(graph: &'g Graph) -> Self {
        Self { directions: (0..3).map(|k| Vector3::unit(graph, k)).collect(), origin: false }
    }
}

/// Motion of the child's frame in the joint's frame.
#[derive(Debug)]
pub struct Motion<'g> {
    /// From the child's axes to the joint's.
    pub rotation: Rotation<'g>,
    /// The child's origin, in the joint's axes.
    pub translation: Vector3<'g>,
    /// The motion subspace S, one twist a velocity coordinate, in the child's axes.
    pub subspace: Vec<Twist<'g>>,
    /// The derivative of each column of S in the child's axes.
    pub subspace_rate: Vec<Twist<'g>>,
}

impl<'g> Motion<'g> {
    /// A motion whose subspace is constant in the child's axes.
    pub fn new(rotation: Rotation<'g>, translation: Vector3<'g>, subspace: Vec<Twist<'g>>) -> Self {
        let still = Twist::zero(translation[0].graph());
        let subspace_rate = vec![still; subspace.len()];
        Self { rotation, translation, subspace, subspace_rate }
    }
}
