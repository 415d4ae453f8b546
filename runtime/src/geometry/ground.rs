//! Ground of heights at the points of a grid.
//!
//! Between four points the height is bilinear:
//!
//! > f = (1 − s)(1 − t) f₀₀ + s (1 − t) f₁₀ + (1 − s) t f₀₁ + s t f₁₁

use alloc::vec::Vec;

use super::Error;
use crate::bound::Bound;

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
        let rows = self.heights.len() / self.columns;
        let place = |k: usize, count: usize| {
            let at = (x[k] - self.origin[k]) / self.spacing[k];
            let last = (count - 1) as f64;
            let cell = libm::floor(at).min(last - 1.0);
            (0.0..=last).contains(&at).then_some((cell as usize, at - cell))
        };
        let ((i, s), (j, t)) = (place(0, self.columns)?, place(1, rows)?);
        let at = |i: usize, j: usize| self.heights[j * self.columns + i];
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
        let (lower, upper) = (a + s * (b - a), c + s * (d - c));
        let along_x = ((1.0 - t) * (b - a) + t * (d - c)) / self.spacing[0];
        Some([lower + t * (upper - lower), along_x, (upper - lower) / self.spacing[1]])
    }
}
