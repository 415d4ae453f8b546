//! The points where a solid touches a grid of heights.
//!
//! - A vertex x of the solid touches the surface under it: φ = (z − f(x, y)) n_z with the normal of the surface there,
//!   n = (−∂f/∂x, −∂f/∂y, 1) n_z, n_z = (1 + |∇f|²)^(−½).
//! - A round end, a ball about a point, touches each cell at its nearest point, if that is within the cell; if its
//!   centre is under the ground, as a vertex does.
//! - All of the solid touches crests, the lines of the grid from which the ground falls to both sides, as two solids
//!   touch, and so the peaks at their ends. The normal must be between those of the cells beside; where the crest is
//!   in the solid and no such normal leads out of it, it is the best of these.
//! - A cylinder touches each cell with what of it looks down on the middle of that, where it is over it.
//!
//! Within a cell the surface is a saddle. Between the lines of the grid edges of solids can sink into it, along its
//! diagonals, by |f₀₀ + f₁₁ − f₁₀ − f₀₁| / 4 at most.

use alloc::vec::Vec;

use nalgebra::Vector3;

use super::core_shape::Core;
use super::crest::Crest;
use super::feature::{Corner, Feature, Touch};
use super::ground::{Grid, Patch, normal};
use super::narrow::Narrow;
use super::placed::Placed;
use super::solid::Solid;
use crate::frame::Pose;

/// Points that are nearer to each other than this, by the size of the solid, with the same normal are one.
const SAME: f64 = 1e-6;

/// Room for finding where solids touch the ground.
#[derive(Clone, Debug, Default)]
pub struct Footing {
    narrow: Narrow,
    corners: Vec<Corner>,
    touches: Vec<Touch>,
}

/// A solid over the ground.
#[derive(Clone, Copy)]
struct Over<'a> {
    solid: &'a Solid,
    pose: &'a Pose,
    grid: &'a Grid,
    margin: f64,
}

impl Footing {
    /// The points at which a solid at this pose has gaps not above `margin` to the ground, in the order of their
    /// [features](Feature), with normals out of the ground. Beyond the grid there are none.
    ///
    /// Without the feature `std`, cylinders and hulls do not touch crests.
    pub fn touches(&mut self, solid: &Solid, pose: &Pose, grid: &Grid, margin: f64) -> &[Touch] {
        self.touches.clear();
        let over = Over { solid, pose, grid, margin };
        self.find_corners(&over);
        self.find_crests(&over);
        let order = |a: &Touch, b: &Touch| a.feature.cmp(&b.feature).then(a.gap.total_cmp(&b.gap));
        self.touches.sort_unstable_by(order);
        // Several crests lead to a peak.
        self.touches.dedup_by_key(|touch| touch.feature);
        &self.touches
    }

    /// The same over the half of space n · x ≤ `offset`, with n of unit length: the vertices, round ends and points of the rim that
    /// are near it.
    pub(crate) fn touches_plane(
        &mut self,
        solid: &Solid,
        pose: &Pose,
        (normal, offset): (&Vector3<f64>, f64),
        margin: f64,
    ) -> &[Touch] {
        let Self { corners, touches, .. } = self;
        touches.clear();
        solid.core.corners(&pose.rotation.tr_mul(&-normal), corners);
        for Corner { point, index } in &*corners {
            let center = pose.point(point);
            let gap = normal.dot(&center) - offset - solid.radius;
            if gap <= margin {
                let point = center - normal * (solid.radius + 0.5 * gap);
                touches.push(Touch {
                    point,
                    normal: *normal,
                    gap,
                    feature: Feature::First(*index),
                });
            }
        }
        touches.sort_unstable_by_key(|touch| touch.feature);
        touches
    }

    fn find_corners(&mut self, over: &Over<'_>) {
        let Self { corners, touches, .. } = self;
        let Over { solid, pose, grid, .. } = over;
        if let Core::Cylinder { .. } = solid.core {
            let [low, high] = over.bounds();
            for cell in grid.cells(&low, &high) {
                let patch = grid.patch(cell);
                solid.core.corners(&pose.rotation.tr_mul(&-patch.normal()), corners);
                corners.iter().for_each(|corner| over.add_rim((&patch, cell), corner, touches));
            }
            return;
        }
        solid.core.corners(&-Vector3::z(), corners);
        for Corner { point, index } in corners {
            let center = pose.point(point);
            let under = grid.height([center.x, center.y]).is_some_and(|[f, ..]| center.z < f);
            if solid.radius > 0.0 && !under {
                over.add_ball(&center, *index, touches);
            } else {
                over.add((&center, [center.x, center.y]), Feature::First(*index), touches);
            }
        }
    }

    fn find_crests(&mut self, over: &Over<'_>) {
        let Self { narrow, touches, .. } = self;
        let Over { solid, pose, grid, margin } = over;
        let [low, high] = over.bounds();
        let Some(span) = grid.span(&low, &high) else { return };
        grid.crests(span, |crest| {
            let heights = crest.ends.map(|at| grid.point(at).z);
            let is_near =
                heights.iter().any(|z| *z >= low.z) && heights.iter().any(|z| *z <= high.z);
            let (line, at) = crest.line(grid);
            if !is_near || solid.check_pair(&line).is_err() {
                return;
            }
            let found = narrow.touches((solid, pose), (&line, &at), *margin);
            let carried = found.iter().filter(|touch| over.is_carried(&crest, touch));
            let before = touches.len();
            touches.extend(carried.map(|touch| over.named(&crest, *touch)));
            let deepest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
            if let Some(deepest) = deepest.filter(|touch| touch.gap + solid.radius < 0.0)
                && touches.len() == before
            {
                touches.extend(over.sunk(&crest, deepest));
            }
        });
    }
}

impl Over<'_> {
    /// The corners of a box along the axes that holds all within the margin.
    fn bounds(&self) -> [Vector3<f64>; 2] {
        let Pose { rotation, position } = *self.pose;
        let placed = Placed { solid: self.solid, rotation, position };
        let beyond = self.solid.radius + self.margin;
        let side = |sign: f64| {
            let reach = |k: usize| placed.support(&(Vector3::ith(k, sign)))[k] + sign * beyond;
            Vector3::new(reach(0), reach(1), reach(2))
        };
        [side(-1.0), side(1.0)]
    }

    fn is_carried(&self, crest: &Crest, touch: &Touch) -> bool {
        touch.normal.z > 0.0 && crest.carries(self.grid, &foot(touch), &touch.normal)
    }

    fn named(&self, crest: &Crest, touch: Touch) -> Touch {
        Touch { feature: name(crest, self.grid, (touch.feature, &foot(&touch))), ..touch }
    }

    /// The touch of a core that a crest is in, along the normal of a cell beside that in which it is the least deep.
    fn sunk(&self, crest: &Crest, touch: &Touch) -> Option<Touch> {
        let (foot, Pose { rotation, position }) = (foot(touch), *self.pose);
        let placed = Placed { solid: self.solid, rotation, position };
        let along = |cell: [usize; 2]| {
            let normal = normal(self.grid.patch(cell).height([foot.x, foot.y]));
            let lowest = placed.support(&-normal) - normal * self.solid.radius;
            let gap = normal.dot(&(lowest - foot));
            Touch { point: lowest - normal * (0.5 * gap), normal, gap, ..*touch }
        };
        let beside = crest.cells_beside(self.grid, &foot).map(along);
        let best = beside.max_by(|a, b| a.gap.total_cmp(&b.gap));
        best.map(|best| Touch { feature: self.named(crest, *touch).feature, ..best })
    }

    /// Adds the touch of a ball, or a point, with the surface and its slope at a place, unless it is known.
    fn add(&self, (center, x): (&Vector3<f64>, [f64; 2]), feature: Feature, to: &mut Vec<Touch>) {
        let Some(surface) = self.grid.height(x) else { return };
        let (normal, radius) = (normal(surface), self.solid.radius);
        let gap = (center - Vector3::new(x[0], x[1], surface[0])).dot(&normal) - radius;
        let point = center - normal * (radius + 0.5 * gap);
        let same = SAME * self.solid.extent();
        let known = to.iter().any(|other| {
            (other.point - point).norm() <= same && (other.normal - normal).norm() <= SAME
        });
        if gap <= self.margin && !known {
            to.push(Touch { point, normal, gap, feature });
        }
    }

    /// Adds those of a ball with all cells that it is near to.
    fn add_ball(&self, center: &Vector3<f64>, corner: u16, to: &mut Vec<Touch>) {
        let reach = Vector3::repeat(self.solid.radius + self.margin);
        for cell in self.grid.cells(&(center - reach), &(center + reach)) {
            let Some(foot) = self.grid.patch(cell).foot(center) else { continue };
            let first = Feature::First(corner);
            let home = !to.iter().any(|other| other.feature == first);
            let beside = Feature::Cell { cell: self.grid.index(cell) as u32, corner };
            self.add((center, foot), if home { first } else { beside }, to);
        }
    }

    /// Adds a point of a cylinder that looks down on a cell, if it is over it.
    fn add_rim(&self, (patch, cell): (&Patch, [usize; 2]), corner: &Corner, to: &mut Vec<Touch>) {
        let point = self.pose.point(&corner.point);
        let x = [point.x, point.y];
        if patch.has(x) {
            let cell = self.grid.index(cell) as u32;
            self.add((&point, x), Feature::Cell { cell, corner: corner.index }, to);
        }
    }
}

/// Where on the ground a touch is.
fn foot(touch: &Touch) -> Vector3<f64> {
    touch.point - touch.normal * (0.5 * touch.gap)
}

/// What of the ground it is, and with what of the solid.
fn name(crest: &Crest, grid: &Grid, (feature, foot): (Feature, &Vector3<f64>)) -> Feature {
    let place = crest.place(grid, foot);
    if let Some(end) = crest.end(place) {
        return Feature::Peak(grid.index(crest.ends[end]) as u32);
    }
    let part = match feature {
        Feature::First(corner) => [corner; 2],
        Feature::Crossing(edge, _) => edge,
        _ => [u16::MAX; 2],
    };
    Feature::Crest { line: (2 * grid.index(place.0) + crest.along) as u32, part }
}
