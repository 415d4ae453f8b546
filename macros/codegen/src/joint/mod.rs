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

pub use motion::{Geometry, Motion, Still, Twist};

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

/// What is to be known of a family beside its motion.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The word that a description uses.
    pub keyword: &'static str,
    /// How q follows v.
    pub chart: Chart,
    /// Number of velocity coordinates.
    pub nv: usize,
    /// How many axes a description gives: none, one, or the two of a universal joint.
    pub axes: usize,
    /// Whether a description gives a pitch.
    pub has_pitch: bool,
    /// Whether its coordinates can have limits.
    pub has_limits: bool,
    /// Whether the same coordinates, with every axis negated, describe the parent's motion as seen
    /// from the child. Only such joints can be traversed backwards when a mechanism is described
    /// from another link.
    pub reversible: bool,
    /// Whether the joint is the same for every choice of the axes perpendicular to its own, so that
    /// its body's frame may be turned to bring the axis along z.
    pub turns_freely: bool,
}

impl Facts {
    /// `nv` coordinates with limits along or about one axis.
    const fn about_axis(keyword: &'static str, nv: usize) -> Self {
        Self {
            keyword,
            chart: Chart::Vector,
            nv,
            axes: 1,
            has_pitch: false,
            has_limits: true,
            reversible: true,
            turns_freely: true,
        }
    }

    /// Coordinates that have neither axes nor limits.
    const fn free(keyword: &'static str, chart: Chart, nv: usize) -> Self {
        let base = Self::about_axis(keyword, nv);
        Self { chart, axes: 0, has_limits: false, reversible: false, turns_freely: false, ..base }
    }
}

/// A joint family.
pub trait Family: Debug + Sync {
    /// What is to be known of it.
    fn facts(&self) -> Facts;

    /// Motion of the child's frame in the joint's frame.
    fn motion<'g>(&self, geometry: &Geometry<'g>, q: &[Expr<'g>], v: &[Expr<'g>]) -> Motion<'g>;

    /// What of the child the joint never moves.
    fn still<'g>(&self, geometry: &Geometry<'g>) -> Still<'g>;

    /// The word that a description uses.
    fn keyword(&self) -> &'static str {
        self.facts().keyword
    }

    /// How q follows v.
    fn chart(&self) -> Chart {
        self.facts().chart
    }

    /// Number of velocity coordinates.
    fn nv(&self) -> usize {
        self.facts().nv
    }

    /// Number of configuration coordinates.
    fn nq(&self) -> usize {
        match self.chart() {
            Chart::Vector => self.nv(),
            Chart::Quaternion | Chart::Pose => self.nv() + 1,
        }
    }
}
