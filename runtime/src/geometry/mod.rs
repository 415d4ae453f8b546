//! What touches what at run time: gaps, normals and points of pairs of convex solids, and ground of given heights.
//!
//! Two convex solids A and B, of which n points from B to A, have the gap
//!
//! > φ = maxₙ s(n),  s(n) = min_A n · a − max_B n · b,  |n| = 1,
//!
//! their distance apart, and less the depth of their overlap. Every unit vector gives a lower bound of it, so that the
//! normal is the best of those that come into question, whatever method proposed them: normals of faces, cross products
//! of edges, the line between the nearest features, what GJK and EPA find, and what Newton's method makes of that. Where
//! two actual points are as near as s(n) > 0, nothing better need be looked for. Any two points bound it from above, by
//! s(n) ≤ n · (a − b), so that most directions are passed over by what a few points say.
//!
//! A solid is a core and the radius of a ball that moves in it: a sphere is a point with a radius, a capsule a line
//! with one. Points of contact are where features of the cores, each the face, edge or vertex that looks at the other
//! solid, overlap as seen along n ([`Narrow`]).
//!
//! # Source
//!
//! Gottschalk, Lin, Manocha: OBBTree, SIGGRAPH 1996 (separating axes). Ericson: Real-Time Collision Detection (2005),
//! sections 5.1 and 5.5 (closest points, contacts). GJK and EPA are those of the crate parry3d-f64.

mod boxes;
mod core_shape;
mod crest;
mod edge;
mod feature;
mod footing;
mod ground;
mod hull;
mod lanes;
mod narrow;
mod nearest;
mod overlap;
mod placed;
mod separation;
mod sharpen;
mod solid;
#[cfg(feature = "std")]
mod support;

pub use feature::{Feature, Touch};
pub use footing::Footing;
pub use ground::Grid;
pub use narrow::Narrow;
pub(crate) use narrow::axes;
pub use solid::Solid;

use crate::bound::Bound;
use crate::digits::given;

/// Why something is no solid, or no ground.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A size is not possible.
    #[error("size {index} of a {solid} is {}, expected {}", given(*value), expected.of(*value))]
    Size {
        /// `sphere`, `box` …
        solid: &'static str,
        /// Its place among the sizes.
        index: usize,
        /// What was given.
        value: f64,
        /// What it must be.
        expected: Bound,
    },
    /// There are not as many sizes as the kind of solid has.
    #[error("a {solid} has {expected} sizes, not {found}")]
    Count {
        /// `sphere`, `box` …
        solid: &'static str,
        /// How many it has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// The points of a hull lie in a plane, or are too near to one, or are more than 65 535.
    #[error("the hull of {points} points has no volume")]
    Flat {
        /// How many there are.
        points: usize,
    },
    /// Hulls, and cylinders that touch anything but points and spheres, need the feature `std`.
    #[error("a {first} and a {second} can touch each other with the feature `std` only")]
    Unsupported {
        /// `cylinder` or `hull`.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// There are not as many heights as the grid has points, or fewer than two in a row.
    #[error(
        "a grid of {columns} columns cannot have {found} heights: expected at least two columns, and two or more rows of \
         as many heights"
    )]
    GridSize {
        /// Points along x.
        columns: usize,
        /// Points along y.
        rows: usize,
        /// How many heights were given.
        found: usize,
    },
    /// A height is not finite.
    #[error(
        "the height at column {column}, row {row} of a grid is {}, expected a finite number", given(*value))]
    Height {
        /// Along x, from 0 on.
        column: usize,
        /// Along y, from 0 on.
        row: usize,
        /// What was given.
        value: f64,
    },
    /// A number of the grid is not possible.
    #[error("the {quantity} of a grid is {}, expected {}", given(*value), expected.of(*value))]
    Grid {
        /// `origin` or `spacing`.
        quantity: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        expected: Bound,
    },
}
