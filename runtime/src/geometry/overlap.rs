//! Where two features overlap as seen along the normal.
//!
//! Both are projected onto the plane across the normal, with their heights above it. Points of contact are the
//! vertices of each that lie within the other and the crossings of their edges; what is between the heights is the gap.
//! That is the same whichever solid comes first, and a point keeps its name as long as the same vertex or the same
//! edges make it.

use alloc::vec::Vec;

use nalgebra::Vector3;

use super::feature::{Corner, Feature};

/// Lines are parallel where the sine of the angle between them is below this.
const PARALLEL: f64 = 1e-3;
/// A polygon that is seen at a steeper angle has no height above the plane; the cosine.
const STEEP: f64 = 0.1;

/// A feature as seen along the normal.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    corners: Vec<Projected>,
    /// Of a polygon: how its height changes with the place in the plane.
    slope: Option<[f64; 2]>,
    /// Counterclockwise 1, clockwise −1.
    sense: f64,
}

#[derive(Clone, Copy, Debug)]
struct Projected {
    x: [f64; 2],
    height: f64,
    index: u16,
}

/// A point where both features are, with the height of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    pub(super) x: [f64; 2],
    pub(super) heights: [f64; 2],
    pub(super) feature: Feature,
}

impl Outline {
    /// Of corners, along the first of three axes.
    pub(super) fn set(&mut self, corners: &[Corner], [n, t, u]: &[Vector3<f64>; 3]) {
        self.corners.clear();
        self.corners.extend(corners.iter().map(|Corner { point, index }| Projected {
            x: [t.dot(point), u.dot(point)],
            height: n.dot(point),
            index: *index,
        }));
        // Newell's normal, by the plane's axes and the height.
        let normal = self.edges().fold(Vector3::zeros(), |sum, [a, b]| {
            let [p, q] = [a, b].map(|c| Vector3::new(c.x[0], c.x[1], c.height) - self.origin());
            sum + p.cross(&q)
        });
        let seen = corners.len() > 2 && normal.z.abs() > STEEP * normal.norm();
        self.slope = seen.then(|| [-normal.x / normal.z, -normal.y / normal.z]);
        self.sense = 1.0_f64.copysign(normal.z);
    }

    fn origin(&self) -> Vector3<f64> {
        self.corners.first().map_or_else(Vector3::zeros, |c| Vector3::new(c.x[0], c.x[1], c.height))
    }

    /// The edges around it; of a line the one edge twice.
    fn edges(&self) -> impl Iterator<Item = [&Projected; 2]> {
        let next = self.corners.iter().skip(1).chain(self.corners.first());
        self.corners.iter().zip(next).map(|(a, b)| [a, b])
    }

    /// The edges, each once.
    fn lines(&self) -> impl Iterator<Item = [&Projected; 2]> {
        let count = if self.corners.len() == 2 { 1 } else { self.corners.len() };
        self.edges().take(count)
    }

    /// The height of a polygon above a place within it, or not further outside than the tolerance.
    fn height(&self, x: [f64; 2], tolerance: f64) -> Option<f64> {
        let (slope, origin) = (self.slope?, self.origin());
        let within = self.edges().all(|[a, b]| {
            let (along, away) = (minus(b.x, a.x), minus(x, a.x));
            let inside = self.sense * cross(along, away);
            inside >= 0.0 || inside * inside <= tolerance * tolerance * dot(along, along)
        });
        within.then(|| origin.z + slope[0] * (x[0] - origin.x) + slope[1] * (x[1] - origin.y))
    }
}

/// Calls `found` for all points where both features are, to a tolerance.
pub(super) fn common(
    first: &Outline,
    second: &Outline,
    tolerance: f64,
    mut found: impl FnMut(Common),
) {
    if let ([a, b], [c, d]) = (&first.corners[..], &second.corners[..])
        && parallel([a, b], [c, d])
    {
        return beside([a, b], [c, d], found);
    }
    for a in &first.corners {
        if let Some(height) = second.height(a.x, tolerance) {
            let feature = Feature::First(a.index);
            found(Common { x: a.x, heights: [a.height, height], feature });
        }
    }
    for b in &second.corners {
        if let Some(height) = first.height(b.x, tolerance) {
            let feature = Feature::Second(b.index);
            found(Common { x: b.x, heights: [height, b.height], feature });
        }
    }
    for one in first.lines() {
        second.lines().filter_map(|other| crossing(one, other)).for_each(&mut found);
    }
}

fn parallel([a, b]: [&Projected; 2], [c, d]: [&Projected; 2]) -> bool {
    let (one, other) = (minus(b.x, a.x), minus(d.x, c.x));
    let across = cross(one, other);
    across * across <= PARALLEL * PARALLEL * dot(one, one) * dot(other, other)
}

/// The ends of each of two parallel lines that lie beside the other.
fn beside(first: [&Projected; 2], second: [&Projected; 2], mut found: impl FnMut(Common)) {
    for a in first {
        if let Some(height) = height_beside(second, a.x) {
            let feature = Feature::First(a.index);
            found(Common { x: a.x, heights: [a.height, height], feature });
        }
    }
    for b in second {
        if let Some(height) = height_beside(first, b.x) {
            let feature = Feature::Second(b.index);
            found(Common { x: b.x, heights: [height, b.height], feature });
        }
    }
}

fn height_beside([a, b]: [&Projected; 2], x: [f64; 2]) -> Option<f64> {
    let along = minus(b.x, a.x);
    let share = dot(minus(x, a.x), along) / dot(along, along);
    (0.0..=1.0).contains(&share).then_some(a.height + share * (b.height - a.height))
}

fn crossing([a, b]: [&Projected; 2], [c, d]: [&Projected; 2]) -> Option<Common> {
    let (one, other, away) = (minus(b.x, a.x), minus(d.x, c.x), minus(c.x, a.x));
    let across = cross(one, other);
    let shares = [cross(away, other), cross(away, one)];
    let within = |share: f64| share * across >= 0.0 && share.abs() <= across.abs();
    let both = across != 0.0 && shares.into_iter().all(within);
    let [s, t] = shares.map(|share| share / across);
    let edge = |a: &Projected, b: &Projected| [a.index.min(b.index), a.index.max(b.index)];
    both.then(|| Common {
        x: [a.x[0] + s * one[0], a.x[1] + s * one[1]],
        heights: [a.height + s * (b.height - a.height), c.height + t * (d.height - c.height)],
        feature: Feature::Crossing(edge(a, b), edge(c, d)),
    })
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
