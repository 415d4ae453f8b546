//! Bilateral constraints: what is to hold whatever the forces are.

use super::{Parent, Placement, Triple};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// A bilateral constraint of one row or more.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Its name.
    pub name: Name,
    /// What holds.
    pub law: Law,
    /// What its rows share.
    pub response: Response,
}

/// What a constraint asks of its rows beside h = 0.
#[derive(Clone, Debug)]
pub struct Response {
    /// Rate α at which errors die out, 1/s: ḧ = −2α ḣ − α² h, and ḣ_v = −α h_v.
    pub stabilization: Scalar,
    /// Prescribed acceleration of every row.
    pub acceleration: Scalar,
    /// Prescribed velocity of every row after an impact.
    pub velocity_after: Scalar,
    /// The part of its velocity that a row has after an impact, reversed.
    pub restitution: Scalar,
}

impl Response {
    /// Nothing: rows stay as they are, and end their motion in an impact.
    pub fn at_rest() -> Self {
        let zero = Scalar::ZERO;
        Self {
            stabilization: zero.clone(),
            acceleration: zero.clone(),
            velocity_after: zero.clone(),
            restitution: zero,
        }
    }
}

/// A frame of a link, or of the world.
#[derive(Clone, Debug)]
pub struct Place {
    /// What carries it.
    pub parent: Parent,
    /// Where it is there.
    pub placement: Placement,
}

/// A direction of relative motion between two frames, in the axes of the first.
#[derive(Clone, Debug)]
pub enum Axis {
    /// Along axis 0, 1 or 2.
    Along(usize),
    /// About axis 0, 1 or 2.
    About(usize),
    /// Linear, then angular part of any spatial axis.
    Screw([Scalar; 6]),
}

/// What a row is an equation of; the runtime has the same enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// h(q, t) = 0.
    Position,
    /// h_v(q, v, t) = 0.
    Velocity,
}

/// What a constraint holds.
#[derive(Clone, Debug)]
pub enum Law {
    /// Frames a and b do not move relative to each other along or about these axes.
    Closure {
        /// a and b.
        frames: [Place; 2],
        /// A row each.
        axes: Vec<Axis>,
    },
    /// Two points keep their distance.
    Rod {
        /// The points.
        ends: [Place; 2],
        /// m.
        length: Scalar,
    },
    /// A point stays on a line.
    PointOnLine {
        /// A point of the line, and the point that stays on it.
        points: [Place; 2],
        /// Along the line, in the axes of the link that carries it, of any length but zero.
        direction: Triple,
    },
    /// A point stays on a plane.
    PointOnPlane {
        /// A point of the plane, and the point that stays on it.
        points: [Place; 2],
        /// In the axes of the link that carries the plane, of any length but zero.
        normal: Triple,
    },
    /// A ball or a disc rolls on a plane of the world without slip.
    Rolling(Rolling),
    /// h(q, t) = 0.
    Position(Scalar),
    /// h_v(q, v, t) = 0.
    Velocity(Scalar),
}

/// A ball or a disc on a plane of the world.
#[derive(Clone, Debug)]
pub struct Rolling {
    /// Index of the link.
    pub link: usize,
    /// Its centre in the link's frame.
    pub center: Triple,
    /// Radius, m.
    pub radius: Scalar,
    /// The axis of a disc in the link's frame, of any length but zero; a ball has none.
    pub axis: Option<Triple>,
    /// The plane's normal in the world, of any length but zero.
    pub normal: Triple,
    /// Distance of the plane from the world's origin along the normal.
    pub offset: Scalar,
    /// Whether only slip is held, and something else its height.
    pub tangential: bool,
}

impl Law {
    /// What each of its rows is an equation of.
    pub fn levels(&self) -> Vec<Level> {
        match self {
            Law::Closure { axes, .. } => vec![Level::Position; axes.len()],
            Law::PointOnLine { .. } => vec![Level::Position; 2],
            Law::Rod { .. } | Law::PointOnPlane { .. } | Law::Position(_) => vec![Level::Position],
            Law::Rolling(Rolling { tangential: true, .. }) => vec![Level::Velocity; 2],
            Law::Rolling(_) => vec![Level::Position, Level::Velocity, Level::Velocity],
            Law::Velocity(_) => vec![Level::Velocity],
        }
    }

    /// The two frames that it ties, if it ties two.
    pub fn places(&self) -> Option<&[Place; 2]> {
        match self {
            Law::Closure { frames: places, .. }
            | Law::Rod { ends: places, .. }
            | Law::PointOnLine { points: places, .. }
            | Law::PointOnPlane { points: places, .. } => Some(places),
            Law::Rolling(_) | Law::Position(_) | Law::Velocity(_) => None,
        }
    }

    /// What a description calls it.
    pub fn keyword(&self) -> &'static str {
        match self {
            Law::Closure { .. } => "closure",
            Law::Rod { .. } => "rod",
            Law::PointOnLine { .. } => "point_on_line",
            Law::PointOnPlane { .. } => "point_on_plane",
            Law::Rolling(_) => "rolling",
            Law::Position(_) | Law::Velocity(_) => "constraint",
        }
    }
}
