//! What points of contact are made of.

use nalgebra::Vector3;

/// A point of contact of two solids, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Halfway between both surfaces, m.
    pub point: Vector3<f64>,
    /// From the second solid to the first, of unit length.
    pub normal: Vector3<f64>,
    /// The distance of both surfaces along the normal, m; negative where they overlap.
    pub gap: f64,
    /// Which point it is, as long as the same features touch.
    pub feature: Feature,
}

/// What of two solids meets in a point of contact: the same from step to step, as long as the same touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The nearest points, if no vertex and no crossing of edges is.
    Nearest,
    /// A vertex of the first solid.
    First(u16),
    /// A vertex of the second solid.
    Second(u16),
    /// An edge of the first and one of the second, each by its two vertices.
    Crossing([u16; 2], [u16; 2]),
    /// A cell of a grid of heights: with a cylinder, or with a round end of a solid that touches another one too.
    Cell {
        /// The number of the cell's first point.
        cell: u32,
        /// Which point of the solid.
        corner: u16,
    },
    /// A line between two points of a grid of heights, and an edge of the solid by its two vertices, or a vertex as
    /// both; the largest numbers stand for the nearest point.
    Crest {
        /// Twice the number of the first point, and one more for a line along y.
        line: u32,
        /// Of the solid.
        part: [u16; 2],
    },
    /// A point of a grid of heights.
    Peak(u32),
}

impl Feature {
    /// What it is when the solids are exchanged; the ground is always the second.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        match self {
            Self::Nearest => Self::Nearest,
            Self::First(k) => Self::Second(k),
            Self::Second(k) => Self::First(k),
            Self::Crossing(first, second) => Self::Crossing(second, first),
            ground => ground,
        }
    }
}

/// A corner of a face or an edge, and its number among those of the solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) point: Vector3<f64>,
    pub(super) index: u16,
}
