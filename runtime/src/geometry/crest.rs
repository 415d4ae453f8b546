//! Crests of a grid of heights: the straight lines between its points from which the ground falls to both sides.
//!
//! What touches a crest within it has a normal n that is nowhere towards the surface beside it: n · d ≤ 0 for the
//! directions d in which the ground goes on from there, two across and, at its ends, those along. Where the grid ends
//! nothing goes on.

use nalgebra::{Matrix3, Vector3};

use super::core_shape::Core;
use super::ground::Grid;
use super::narrow::axes;
use super::solid::Solid;
use crate::frame::Pose;

/// A change of slope below this is none.
const STRAIGHT: f64 = 1e-9;
/// A share of a cell below this is none.
const END: f64 = 1e-9;
/// By how much a normal may be towards the surface.
const TILT: f64 = 1e-3;

/// Along x (0) or y (1), with its first and its last point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crest {
    pub(super) along: usize,
    pub(super) ends: [[usize; 2]; 2],
}

impl Crest {
    /// As a solid without width along z, and where that is.
    pub(super) fn line(&self, grid: &Grid) -> (Solid, Pose) {
        let [from, to] = self.ends.map(|at| grid.point(at));
        let half = 0.5 * (to - from).norm();
        let [along, x, y] = axes(&(to - from).normalize());
        let rotation = Matrix3::from_columns(&[x, y, along]);
        let solid = Solid { core: Core::Box(Vector3::new(0.0, 0.0, half)), radius: 0.0 };
        (solid, Pose { rotation, position: 0.5 * (from + to) })
    }

    /// The last point of the grid before a point of it, and which share of a cell that is beyond it.
    pub(super) fn place(&self, grid: &Grid, point: &Vector3<f64>) -> ([usize; 2], f64) {
        let (k, [from, to]) = (self.along, self.ends);
        let [start, next] = [from[k], from[k] + 1].map(|i| grid.coordinate(k, i));
        let cells = (to[k] - from[k]) as f64;
        let along = ((point[k] - start) / (next - start)).clamp(0.0, cells);
        let cell = libm::floor(along).min(cells - 1.0);
        let mut at = from;
        at[k] += cell as usize;
        (at, along - cell)
    }

    /// Which of its ends, 0 or 1, a place on it is.
    pub(super) fn end(&self, (at, share): ([usize; 2], f64)) -> Option<usize> {
        let ([from, to], k) = (self.ends, self.along);
        match share {
            _ if at == from && share <= END => Some(0),
            _ if at[k] + 1 == to[k] && share >= 1.0 - END => Some(1),
            _ => None,
        }
    }

    /// The cells on both sides of a point of it, and on all sides of its ends.
    pub(super) fn cells_beside(
        &self,
        grid: &Grid,
        point: &Vector3<f64>,
    ) -> impl Iterator<Item = [usize; 2]> + use<> {
        let (k, place) = (self.along, self.place(grid, point));
        let last = [0, 1].map(|k| grid.points(k) - 1);
        let back = self.end(place) == Some(0);
        let forward = self.end(place) == Some(1);
        let steps = [(0, true), (-1, back), (1, forward)].into_iter().filter(|(_, here)| *here);
        let around = steps.flat_map(move |(step, _)| {
            [-1, 0].map(|aside| {
                let mut cell = place.0.map(|i| i as isize);
                cell[k] += step;
                cell[1 - k] += aside;
                cell
            })
        });
        around.filter_map(move |cell: [isize; 2]| {
            let on = |k: usize| usize::try_from(cell[k]).ok().filter(|i| *i < last[k]);
            Some([on(0)?, on(1)?])
        })
    }

    /// Whether what is at this point of it may touch it along the unit vector `n`.
    pub(super) fn carries(&self, grid: &Grid, point: &Vector3<f64>, n: &Vector3<f64>) -> bool {
        let (k, across) = (self.along, 1 - self.along);
        let (at, share) = self.place(grid, point);
        let mut next = at;
        next[k] += 1;
        let falls = |k: usize, forward: bool, rise: Option<f64>| {
            let aside = if forward { n[k] } else { -n[k] };
            rise.is_none_or(|rise| aside + rise * n.z <= TILT)
        };
        let beside = [false, true].into_iter().all(|forward| {
            let [a, b] = [at, next].map(|at| grid.rise(at, across, forward));
            falls(across, forward, a.zip(b).map(|(a, b)| a + share * (b - a)))
        });
        let end = self.end((at, share));
        let beyond = |end: usize| falls(k, end == 1, grid.rise(self.ends[end], k, end == 1));
        beside && end.is_none_or(beyond)
    }
}

impl Grid {
    /// Calls `found` for all crests between these points, as far as they are between them.
    pub(super) fn crests(&self, span: [[usize; 2]; 2], mut found: impl FnMut(Crest)) {
        for along in 0..2 {
            let [first, last] = span[1 - along];
            for line in first..=last {
                self.crests_of((along, line), span[along], &mut found);
            }
        }
    }

    /// Those of one line.
    fn crests_of(
        &self,
        (along, line): (usize, usize),
        [first, last]: [usize; 2],
        found: &mut impl FnMut(Crest),
    ) {
        let at = |i: usize| if along == 0 { [i, line] } else { [line, i] };
        let falls = |i: usize| self.bend(at(i), 1 - along) < -STRAIGHT;
        let mut start = None;
        for i in first..last {
            let is_crest = falls(i) || falls(i + 1);
            let begin = if is_crest { *start.get_or_insert(i) } else { continue };
            let goes_on = i + 1 < last
                && self.bend(at(i + 1), along).abs() <= STRAIGHT
                && (falls(i + 1) || falls(i + 2));
            if !goes_on {
                found(Crest { along, ends: [at(begin), at(i + 1)] });
                start = None;
            }
        }
    }

    /// How much the slope along x or y changes at a point: less than zero where the ground falls to both sides, and
    /// without bound where it ends.
    fn bend(&self, at: [usize; 2], k: usize) -> f64 {
        let rises = self.rise(at, k, false).zip(self.rise(at, k, true));
        rises.map_or(f64::NEG_INFINITY, |(back, forward)| back + forward)
    }
}
