//! The joint families: what a joint's coordinates are and how its child moves with them.
//!
//! Each family is one file with one unit struct that implements [`Family`]; a new one is that file
//! and a line in [`FAMILIES`].

mod cylindrical;
mod fixed;
mod floating;
mod helical;
mod motion;
mod planar;
mod prismatic;
mod revolute;
mod spherical;
mod universal;

use std::fmt::Debug;

pub use motion::{Geometry, Motion, Twist};

use crate::expr::Expr;

/// Every family, by the keyword that a description uses for it.
pub static FAMILIES: [&dyn Family; 10] = [
    &revolute::Revolute,
    &revolute::Continuous,
    &prismatic::Prismatic,
    &helical::Helical,
    &cylindrical::Cylindrical,
    &universal::Universal,
    &planar::Planar,
    &spherical::Spherical,
    &floating::Floating,
    &fixed::Fixed,
];

/// The family of this keyword.
pub fn family(keyword: &str) -> Option<&'static dyn Family> {
    FAMILIES.into_iter().find(|family| family.keyword() == keyword)
}

/// How configuration coordinates follow velocity coordinates; the runtime has the same enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// q̇ = v.
    Vector,
    /// A unit quaternion and an angular velocity in the child's frame.
    Quaternion,
    /// A position, a unit quaternion, and linear and angular velocity in the child's frame.
    Pose,
}

/// A joint family.
pub trait Family: Debug + Sync {
    /// The word that a description uses.
    fn keyword(&self) -> &'static str;

    /// How q follows v.
    fn chart(&self) -> Chart {
        Chart::Vector
    }

    /// Number of velocity coordinates.
    fn nv(&self) -> usize;

    /// Number of configuration coordinates.
    fn nq(&self) -> usize {
        match self.chart() {
            Chart::Vector => self.nv(),
            Chart::Quaternion | Chart::Pose => self.nv() + 1,
        }
    }

    /// How many axes a description gives: none, one, or the two of a universal joint.
    fn axes(&self) -> usize;

    /// Whether a description gives a pitch.
    fn has_pitch(&self) -> bool {
        false
    }

    /// Whether its coordinates can have limits, springs and followers.
    fn has_limits(&self) -> bool {
        self.chart() == Chart::Vector && self.nv() > 0
    }

    /// Whether the same coordinates, with every axis negated, describe the parent's motion as seen
    /// from the child. Only such joints can be traversed backwards when a mechanism is described
    /// from another link.
    fn reversible(&self) -> bool;

    /// Whether the joint is the same for every choice of the axes perpendicular to its own, so that
    /// its body's frame may be turned to bring the axis along z.
    fn turns_freely(&self) -> bool {
        false
    }

    /// Motion of the child's frame in the joint's frame.
    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], v: &[Expr<'g>]) -> Motion<'g>;
}
