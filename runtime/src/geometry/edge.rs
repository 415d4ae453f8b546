//! The best direction across an edge of each of two polytopes.
//!
//! An edge is the furthest of its core along the unit vectors between the normals of the two faces beside it, and what
//! is across two edges can be the best direction only where it is among these vectors of both. They are
//!
//! > u = α n₁ + β n₂,  α, β ≥ 0,  α + β ≥ 1,
//!
//! so that a point of another core with the heights x₁ and x₂ above the faces leaves no more than α x₁ + β x₂ along
//! them, and that is not above max(x₁, x₂) where this is negative. Unless cores are deep in each other, two points leave
//! few edges.
//!
//! # Source
//!
//! Gregorius: The Separating Axis Test between Convex Polyhedra, Game Developers Conference 2013.

use alloc::vec::Vec;

use nalgebra::Vector3;

use super::core_shape::Core;
use super::nearest::nearest_of;
use super::placed::Placed;
use super::separation::{self, Separation};

/// How many pairs of edges are compared at most; iterations take no longer than more of them.
const MOST: usize = 500;
/// A sine below this is none.
const ROUNDING: f64 = 1e-9;

/// An edge of a core, in the core's axes or in those of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// Where it begins.
    pub(super) point: Vector3<f64>,
    /// Of unit length.
    pub(super) along: Vector3<f64>,
    /// Of the faces beside it, outwards.
    pub(super) normals: [Vector3<f64>; 2],
}

impl Edge {
    /// How far a point is above the faces beside it, m.
    pub(super) fn heights(&self, x: &Vector3<f64>) -> [f64; 2] {
        let away = x - self.point;
        self.normals.map(|n| n.dot(&away))
    }
}

/// Edges of two cores, in storage that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges([Vec<Edge>; 2]);

impl Edges {
    /// The best direction across two edges, or `known`, the best by normals of faces, if none is better by more than the
    /// tolerance. `None` unless both cores are polytopes, one of them a hull, with few edges that come into question.
    pub(super) fn best(
        &mut self,
        [first, second]: [&Placed<'_>; 2],
        known: Separation,
        tolerance: f64,
    ) -> Option<Separation> {
        let has_hull = [first, second].iter().any(|placed| matches!(placed.core(), Core::Hull(_)));
        (has_hull && is_polytope(first) && is_polytope(second)).then_some(())?;
        let Self([ours, others]) = self;
        // What is in front of a face may be further away from the edge beside it.
        let floor = known.gap.min(0.0) - tolerance;
        list(first, (second, &second.support(&known.normal)), floor, ours);
        list(second, (first, &first.support(&-known.normal)), floor, others);
        (ours.len() * others.len() <= MOST).then_some(())?;
        let mut best = known;
        for (a, b) in ours.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
            let Some(n) = across(a, b) else { continue };
            if n.dot(&(a.point - b.point)) > best.gap + tolerance {
                let found = separation::along(first, second, &n);
                best = if found.gap > best.gap + tolerance { found } else { best };
            }
        }
        Some(best)
    }
}

fn is_polytope(placed: &Placed<'_>) -> bool {
    !matches!(placed.core(), Core::Cylinder { .. }) && !placed.core().is_point()
}

/// Lists the edges, in the world, along whose vectors another core, of which a point is known, may leave more than `floor`.
fn list(
    placed: &Placed<'_>,
    (other, known): (&Placed<'_>, &Vector3<f64>),
    floor: f64,
    to: &mut Vec<Edge>,
) {
    let points = [*known, nearest_of(other, &placed.middle())].map(|x| placed.local(&x));
    to.clear();
    placed.core().edges_under(&points, floor, |edge| {
        to.push(Edge {
            point: placed.world(&edge.point),
            along: placed.rotation * edge.along,
            normals: edge.normals.map(|n| placed.rotation * n),
        });
    });
}

/// The unit vector across both, from the second to the first, if it is between the normals beside each.
fn across(first: &Edge, second: &Edge) -> Option<Vector3<f64>> {
    let is_between = |edge: &Edge, other: &Edge| {
        let [a, b] = other.normals.map(|n| n.dot(&edge.along));
        a.min(b) <= ROUNDING && a.max(b) >= -ROUNDING
    };
    (is_between(first, second) && is_between(second, first)).then_some(())?;
    let n = first.along.cross(&second.along).try_normalize(ROUNDING)?;
    let outward = |edge: &Edge| n.dot(&(edge.normals[0] + edge.normals[1]));
    // Both lines of vectors cross n or its reverse; they meet if it is the same.
    let senses = [-outward(first), outward(second)];
    (senses[0] * senses[1] > 0.0).then_some(if senses[0] > 0.0 { n } else { -n })
}
