//! Polygons of friction, and the directions that they are refined by.

use alloc::vec::Vec;

use crate::cone::polygon::Polygon;

/// Rows at most: the time of Lemke's method grows with their third power.
pub(super) const ROWS: usize = 300;
pub(super) const ROUNDS: usize = 6;
/// Of the first polygon; half of the others are opposite.
pub(super) const HEXAGON: [[f64; 2]; 6] = {
    let (x, y) = (0.5, 0.866_025_403_784_438_6);
    [[1.0, 0.0], [x, y], [-x, y], [-1.0, 0.0], [-x, -y], [x, -y]]
};

/// Room for the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Polygons {
    pub(super) polygon: Polygon,
    /// A, column by column.
    pub(super) a: Vec<f64>,
    /// Those that were added, each with its block.
    pub(super) directions: Vec<(usize, [f64; 2])>,
}

/// The columns of a contact in the last round, with those of its spin and with slacks.
const COLUMNS: usize = 1 + HEXAGON.len() + 3 * (ROUNDS - 1) + 2 + 2;
/// Those of a row with two bounds.
const COLUMNS_OF_ROW: usize = 2;

impl Polygons {
    /// Room for problems of up to `n` rows, if the stage takes them: memory that is not touched until it is.
    pub(super) fn with_capacity(n: usize) -> Self {
        let rows = if n > ROWS { 0 } else { n };
        let columns = (rows / 3 * COLUMNS).max(COLUMNS_OF_ROW * rows);
        Self {
            polygon: Polygon::with_capacity(rows, columns),
            a: Vec::with_capacity(rows * rows),
            directions: Vec::with_capacity(rows / 3 * 3 * ROUNDS),
        }
    }
}
