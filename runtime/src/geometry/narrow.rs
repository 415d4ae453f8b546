//! The points where two solids touch, or are near to.
//!
//! First the best of the directions that their faces and edges give, then, unless two points are as near as that says,
//! that between the nearest points; features are overlaid along the best of both.

use alloc::vec::Vec;

use nalgebra::Vector3;

use super::edge::Edges;
use super::feature::{Corner, Feature, Touch};
use super::overlap::{Common, Outline, common};
use super::placed::Placed;
use super::separation::{self, Separation};
use super::{Solid, nearest, sharpen};
use crate::frame::Pose;

/// Lengths below this, by the size of both solids, are none.
const ROUNDING: f64 = 1e-9;
/// Points that are nearer to each other than this, by the size of both solids, are one.
const SAME: f64 = 1e-6;

/// Room for finding where solids touch.
#[derive(Clone, Debug, Default)]
pub struct Narrow {
    edges: Edges,
    corners: [Vec<Corner>; 2],
    outlines: [Outline; 2],
    touches: Vec<Touch>,
}

/// Points of the first and the second core, and what their line separates.
type Nearest = ([Vector3<f64>; 2], Separation);

/// Two solids in axes of the world about the place of the first.
#[derive(Clone, Copy)]
struct Both<'a> {
    first: Placed<'a>,
    second: Placed<'a>,
    /// The sum of their radii.
    radii: f64,
    /// ρ₁ − ρ₂.
    excess: f64,
    tolerance: f64,
    /// How far apart cores are at most.
    reach: f64,
}

impl Narrow {
    /// The points of contact of two solids at these poses whose gap is not above `margin`, in the order of their
    /// [features](Feature): none, if they are further apart, and else at least that of the smallest gap. All have the
    /// same normal. Two boxes have up to eight.
    ///
    /// Pairs that [`Solid::check_pair`] refuses have the gaps of separating planes only, which may be too small.
    pub fn touches(
        &mut self,
        (first, first_pose): (&Solid, &Pose),
        (second, second_pose): (&Solid, &Pose),
        margin: f64,
    ) -> &[Touch] {
        self.touches.clear();
        let (origin, radii) = (first_pose.position, first.radius + second.radius);
        let place = |solid, pose: &Pose| Placed {
            solid,
            rotation: pose.rotation,
            position: pose.position - origin,
        };
        let size = first.extent() + second.extent();
        let both = Both {
            first: place(first, first_pose),
            second: place(second, second_pose),
            radii,
            excess: first.radius - second.radius,
            tolerance: ROUNDING * size,
            reach: margin + radii,
        };
        if self.find(&both).is_some() {
            self.touches.iter_mut().for_each(|touch| touch.point += origin);
            self.touches.sort_unstable_by_key(|touch| touch.feature);
        } else {
            self.touches.clear();
        }
        &self.touches
    }

    /// `None` where they are too far apart.
    fn find(&mut self, both: &Both<'_>) -> Option<()> {
        let Both { first, second, tolerance, reach, .. } = both;
        let best = separation::best(first, second, (*reach, *tolerance))?;
        let apart = best.gap > -tolerance;
        let known = !apart && both.overlap_is_known();
        let attained = (apart || known) && self.overlay(both, &best);
        if known && !attained {
            self.add(both, &best, both.supports(&best));
        }
        if known || attained && !both.are_lines() {
            return Some(());
        }
        let across = self.edges.best([first, second], best, *tolerance);
        if let Some(found) = across {
            (found.gap <= *reach).then_some(())?;
            if self.overlay(both, &found) {
                return Some(());
            }
        }
        self.find_nearest(both, [best, across.unwrap_or(best)])
    }

    /// The same by the nearest points, from the best normal of a face and the best direction across edges.
    fn find_nearest(&mut self, both: &Both<'_>, [face, across]: [Separation; 2]) -> Option<()> {
        let Both { tolerance, reach, .. } = both;
        let nearest = self.nearest(both, face.gap > -tolerance);
        let nearest = nearest.filter(|(_, found)| found.gap >= across.gap - tolerance);
        let best = match nearest {
            Some((_, found)) if found.gap > face.gap + tolerance => found,
            Some(_) => face,
            None => across,
        };
        (best.gap <= *reach).then_some(())?;
        if !self.overlay(both, &best) {
            let points = nearest.map_or_else(|| both.supports(&best), |(points, _)| points);
            self.add(both, &best, points);
        }
        Some(())
    }

    /// Adds the touch of the nearest points of the cores, or those that are the deepest in each other.
    fn add(&mut self, both: &Both<'_>, along: &Separation, [a, b]: [Vector3<f64>; 2]) {
        let n = along.normal;
        let middle = 0.5 * (a + b - n * both.excess);
        let gap = along.gap - both.radii;
        self.touches.push(Touch { point: middle, normal: n, gap, feature: Feature::Nearest });
    }

    /// Lists the points of the features along a normal; whether one has its gap. A point has no features.
    fn overlay(&mut self, both: &Both<'_>, along: &Separation) -> bool {
        let Both { first, second, radii, excess, tolerance, reach } = both;
        let Self { corners: [a, b], outlines: [one, other], touches, .. } = self;
        touches.clear();
        if [first, second].iter().any(|placed| placed.core().is_point()) {
            return false;
        }
        let n = along.normal;
        let axes = axes(&n);
        first.feature(&-n, a);
        one.set(a, &axes);
        second.feature(&n, b);
        other.set(b, &axes);
        let (mut attained, same) = (false, SAME / ROUNDING * tolerance);
        common(one, other, *tolerance, |Common { x, heights: [upper, lower], feature }| {
            attained |= upper - lower <= along.gap + tolerance;
            let height = 0.5 * (upper + lower - excess);
            let point = axes[0] * height + axes[1] * x[0] + axes[2] * x[1];
            let known = touches.iter().any(|other| (other.point - point).norm() <= same);
            if upper - lower <= *reach && !known {
                touches.push(Touch { point, normal: n, gap: upper - lower - radii, feature });
            }
        });
        attained
    }

    /// The nearest points, or those that are the deepest in each other, and the direction between them.
    fn nearest(&mut self, both: &Both<'_>, apart: bool) -> Option<Nearest> {
        let Both { first, second, tolerance, .. } = both;
        if apart && let Some([a, b]) = nearest::points(first, second) {
            let normal = (a - b).try_normalize(*tolerance)?;
            return Some(([a, b], separation::along(first, second, &normal)));
        }
        let (points, normal) = by_support(first, second)?;
        let mut best = (points, separation::along(first, second, &normal));
        // What iterations find is sharpened by the features that it is between.
        let [a, b] = &mut self.corners;
        first.feature(&-normal, a);
        second.feature(&normal, b);
        for (points, n) in nearest::of_features(a, b, *tolerance) {
            let towards = if n.dot(&normal) < 0.0 { -n } else { n };
            let found = separation::along(first, second, &towards);
            best = if found.gap > best.1.gap { (points, found) } else { best };
        }
        let sharper = sharpen::sharpen(first, second, &best.1.normal);
        let sharper = sharper.filter(|found| found.gap >= best.1.gap - tolerance);
        Some(sharper.map_or(best, |found| (both.supports(&found), found)))
    }
}

#[cfg(feature = "std")]
fn by_support(
    first: &Placed<'_>,
    second: &Placed<'_>,
) -> Option<([Vector3<f64>; 2], Vector3<f64>)> {
    super::support::points(first, second)
}

#[cfg(not(feature = "std"))]
fn by_support(_: &Placed<'_>, _: &Placed<'_>) -> Option<([Vector3<f64>; 2], Vector3<f64>)> {
    None
}

impl Both<'_> {
    /// A point of each along a normal, of which one is the furthest of its core, and the other in its core.
    fn supports(&self, along: &Separation) -> [Vector3<f64>; 2] {
        let Self { first, second, tolerance, .. } = self;
        let across = along.normal * along.gap;
        let (a, b) = (first.support(&-along.normal), second.support(&along.normal));
        let matched = nearest::contains(second, &(a - across), *tolerance);
        if matched { [a, a - across] } else { [b + across, b] }
    }

    /// Whether both are lines, which have points side by side along any direction across them.
    fn are_lines(&self) -> bool {
        [self.first, self.second].iter().all(|placed| placed.core().is_line())
    }

    /// Whether directions of faces and edges say how deep they are in each other.
    fn overlap_is_known(&self) -> bool {
        use super::core_shape::Core::Box;
        let boxes = [self.first, self.second].iter().all(|placed| matches!(placed.core(), Box(_)));
        boxes || self.first.core().is_point() || self.second.core().is_point()
    }
}

/// A normal and two tangents, right-handed. Tangents change at once where the normal passes z = −0.53 only, far from
/// where solids stand on or beside each other.
///
/// # Source
///
/// Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin: Building an Orthonormal Basis, Revisited, Journal of
/// Computer Graphics Techniques 6 (2017).
pub(crate) fn axes(n: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let sign = 1.0_f64.copysign(n.z + 0.53);
    let a = 1.0 / (1.0 + sign * n.z);
    let first = Vector3::new(1.0 - a * n.x * n.x, -a * n.x * n.y, -sign * n.x);
    [*n, first, n.cross(&first)]
}
