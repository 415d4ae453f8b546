//! Ground of heights at the points of a grid.
//!
//! Between four points the height is bilinear:
//!
//! > f = (1 − s)(1 − t) f₀₀ + s (1 − t) f₁₀ + (1 − s) t f₀₁ + s t f₁₁
//!
//! so that it is straight along the lines of the grid, and a saddle, or a plane, between them.

use alloc::vec::Vec;

use nalgebra::{Matrix2, Vector2, Vector3};

use super::Error;
use crate::bound::Bound;

/// Lengths below this, by those of a cell, are none.
const ROUNDING: f64 = 1e-9;
/// Of Newton's method for the nearest point of a cell, which has one nearby if the cell is not bent much.
const ITERATIONS: usize = 12;

/// A rectangle of ground, by its heights at the points of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    origin: [f64; 2],
    spacing: [f64; 2],
    columns: usize,
    heights: Vec<f64>,
}

impl Grid {
    /// With the point of the first height at `origin` = (x, y) and `spacing` between points along x and y, in metres.
    /// There are `columns` heights for each y, in the order of x.
    ///
    /// # Errors
    ///
    /// [`Error::GridSize`] unless there are at least two rows of at least two heights, all of them whole;
    /// [`Error::Height`] of the first height that is not finite; [`Error::Grid`] of the others.
    pub fn new(
        origin: [f64; 2],
        spacing: [f64; 2],
        columns: usize,
        heights: Vec<f64>,
    ) -> Result<Self, Error> {
        let found = heights.len();
        let rows = found / columns.max(1);
        if columns < 2 || rows < 2 || rows * columns != found {
            return Err(Error::GridSize { columns, rows, found });
        }
        let settings = [("origin", origin, Bound::Finite), ("spacing", spacing, Bound::Positive)];
        for (quantity, values, expected) in settings {
            if let Some(&value) = values.iter().find(|x| expected.violation(&[**x]).is_some()) {
                return Err(Error::Grid { quantity, value, expected });
            }
        }
        if let Some(k) = heights.iter().position(|x| !x.is_finite()) {
            let (column, row) = (k % columns, k / columns);
            return Err(Error::Height { column, row, value: heights[k] });
        }
        Ok(Self { origin, spacing, columns, heights })
    }

    /// f, ∂f/∂x and ∂f/∂y at (x, y), in metres and without unit; `None` beyond the grid.
    pub fn height(&self, x: [f64; 2]) -> Option<[f64; 3]> {
        let place = |k: usize| {
            let at = (x[k] - self.origin[k]) / self.spacing[k];
            let last = (self.points(k) - 1) as f64;
            (0.0..=last).contains(&at).then_some(libm::floor(at).min(last - 1.0) as usize)
        };
        Some(self.patch([place(0)?, place(1)?]).height(x))
    }

    /// How many points there are along x or y.
    pub(crate) fn points(&self, k: usize) -> usize {
        if k == 0 { self.columns } else { self.heights.len() / self.columns }
    }

    /// The number of a point, its column and row given.
    pub(super) fn index(&self, [column, row]: [usize; 2]) -> usize {
        row * self.columns + column
    }

    /// Where a point is, m.
    pub(crate) fn point(&self, at: [usize; 2]) -> Vector3<f64> {
        let [x, y] = [0, 1].map(|k| self.coordinate(k, at[k]));
        Vector3::new(x, y, self.heights[self.index(at)])
    }

    pub(super) fn coordinate(&self, k: usize, at: usize) -> f64 {
        self.origin[k] + self.spacing[k] * at as f64
    }

    /// How steeply the line through a point along x or y rises from there, forward or back; `None` at the border.
    pub(super) fn rise(&self, at: [usize; 2], k: usize, forward: bool) -> Option<f64> {
        let mut next = at;
        next[k] = if forward { at[k] + 1 } else { at[k].checked_sub(1)? };
        let here = self.heights[self.index(at)];
        let there = (next[k] < self.points(k)).then(|| self.heights[self.index(next)])?;
        Some((there - here) / self.spacing[k])
    }

    /// The first and the last point along x and y of the cells that a rectangle covers; `None` if there are none.
    pub(super) fn span(&self, low: &Vector3<f64>, high: &Vector3<f64>) -> Option<[[usize; 2]; 2]> {
        let along = |k: usize| {
            let last = (self.points(k) - 1) as f64;
            let [low, high] = [low[k], high[k]].map(|x| (x - self.origin[k]) / self.spacing[k]);
            let covers = low <= last && high >= 0.0;
            let first = libm::floor(low).clamp(0.0, last - 1.0);
            let end = libm::floor(high).clamp(0.0, last - 1.0) + 1.0;
            covers.then_some([first as usize, end as usize])
        };
        Some([along(0)?, along(1)?])
    }

    /// The cells that a rectangle covers, by their first points.
    pub(super) fn cells(
        &self,
        low: &Vector3<f64>,
        high: &Vector3<f64>,
    ) -> impl Iterator<Item = [usize; 2]> + use<> {
        let [columns, rows] = self.span(low, high).unwrap_or_default();
        (rows[0]..rows[1]).flat_map(move |j| (columns[0]..columns[1]).map(move |i| [i, j]))
    }

    /// What is between four points, of which the first is given: not at the end of a row or a column.
    pub(super) fn patch(&self, [i, j]: [usize; 2]) -> Patch {
        let at = |i: usize, j: usize| self.heights[self.index([i, j])];
        Patch {
            origin: [self.coordinate(0, i), self.coordinate(1, j)],
            spacing: self.spacing,
            heights: [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)],
        }
    }
}

/// One cell, and the surface that its formula is beyond it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    origin: [f64; 2],
    spacing: [f64; 2],
    /// f₀₀, f₁₀, f₀₁, f₁₁.
    heights: [f64; 4],
}

impl Patch {
    /// f, ∂f/∂x and ∂f/∂y.
    pub(super) fn height(&self, x: [f64; 2]) -> [f64; 3] {
        let [a, b, c, d] = self.heights;
        let [s, t] = [0, 1].map(|k| (x[k] - self.origin[k]) / self.spacing[k]);
        let (lower, upper) = (a + s * (b - a), c + s * (d - c));
        let along_x = ((1.0 - t) * (b - a) + t * (d - c)) / self.spacing[0];
        [lower + t * (upper - lower), along_x, (upper - lower) / self.spacing[1]]
    }

    /// Where its nearest point to another one is; `None` if that is beyond the cell, or no minimum.
    pub(super) fn foot(&self, center: &Vector3<f64>) -> Option<[f64; 2]> {
        let [a, b, c, d] = self.heights;
        let twist = (a + d - b - c) / (self.spacing[0] * self.spacing[1]);
        let mut x =
            [0, 1].map(|k| center[k].clamp(self.origin[k], self.origin[k] + self.spacing[k]));
        for _ in 0..ITERATIONS {
            let [f, along_x, along_y] = self.height(x);
            let below = f - center.z;
            let slope = Vector2::new(along_x, along_y);
            let away = Vector2::new(x[0] - center.x, x[1] - center.y) + slope * below;
            let bent =
                slope * slope.transpose() + Matrix2::new(1.0, below * twist, below * twist, 1.0);
            let step = bent.cholesky()?.solve(&away);
            x = [x[0] - step.x, x[1] - step.y];
            if step.norm() <= ROUNDING * (self.spacing[0] + self.spacing[1]) {
                return self.has(x).then_some(x);
            }
        }
        None
    }

    /// Out of the ground in its middle, of unit length.
    pub(super) fn normal(&self) -> Vector3<f64> {
        normal(self.height([0, 1].map(|k| self.origin[k] + 0.5 * self.spacing[k])))
    }

    /// Whether a place is in the cell, up to rounding.
    pub(super) fn has(&self, x: [f64; 2]) -> bool {
        (0..2).all(|k| {
            let share = (x[k] - self.origin[k]) / self.spacing[k];
            (-ROUNDING..=1.0 + ROUNDING).contains(&share)
        })
    }
}

/// Out of the ground, of unit length, where the surface has this height and these slopes.
pub(super) fn normal([_, along_x, along_y]: [f64; 3]) -> Vector3<f64> {
    Vector3::new(-along_x, -along_y, 1.0).normalize()
}
