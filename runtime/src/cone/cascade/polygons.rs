//! Coulomb's problem by polygons that are refined where contacts slide.
//!
//! Lemke's method solves a problem with polygons wherever motions exist that keep or open all contacts. From its
//! solution Newton's method starts; where that fails, each contact that slides gets more directions about that of its
//! slip, closer ones each time.

use alloc::vec::Vec;

use super::super::Block;
use super::super::operator::Operator;
use super::super::outcome::Stage;
use super::super::polygon::{Polygon, Rows};
use super::super::vector::length;
use super::super::view::View;
use super::Search;
use crate::kernel::Real;

/// Rows at most: the time of Lemke's method grows with their third power.
pub(super) const ROWS: usize = 300;
/// With so many rows Lemke's method takes about the time of fifty sweeps.
const FEW: usize = 30;
const ROUNDS: usize = 6;
const PIVOTS: usize = 3_000;
/// Of the first polygon; half of the others are opposite.
const HEXAGON: [[f64; 2]; 6] = {
    let (x, y) = (0.5, 0.866_025_403_784_438_6);
    [[1.0, 0.0], [x, y], [-x, y], [-1.0, 0.0], [-x, -y], [x, -y]]
};
/// The tangent of the angle between the first directions that are added, and how much less it is each time.
const SPREAD: f64 = 0.3;
const FINER: f64 = 0.5;

/// Room for the stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Polygons {
    polygon: Polygon,
    /// A, column by column.
    pub(super) a: Vec<f64>,
    /// Those that were added, each with its block.
    directions: Vec<(usize, [f64; 2])>,
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

impl View<'_> {
    /// Whether polygons come before many sweeps.
    pub(super) fn has_few(&self) -> bool {
        self.b.len() <= FEW
    }
}

impl<O: Operator> Search<'_, '_, O> {
    pub(super) fn few_by_polygons<A: Real>(&mut self) -> bool {
        self.view.has_few() && self.polygons::<A>()
    }

    pub(super) fn many_by_polygons<A: Real>(&mut self) -> bool {
        !self.view.has_few() && self.polygons::<A>()
    }

    pub(super) fn polygons<A: Real>(&mut self) -> bool {
        if self.view.b.len() > ROWS || self.watcher.halt().is_some() {
            return false;
        }
        self.list_entries::<A>();
        let Polygons { polygon, directions, .. } = &mut self.room.polygons;
        polygon.set_max_pivots(PIVOTS);
        directions.clear();
        let mut spread = SPREAD;
        for _ in 0..ROUNDS {
            if !self.solve_polygon() {
                return false;
            }
            self.measure::<A>();
            self.refine::<A>(spread);
            self.room.swept.copy(&self.room.point);
            if self.newton_by_each::<A>(Stage::Polygon) {
                return true;
            }
            spread *= FINER;
        }
        false
    }

    /// Writes A.
    #[inline(always)]
    pub(super) fn list_entries<A: Real>(&mut self) {
        let n = self.view.b.len();
        let entries = (0..n * n).map(|k| self.operator.entry::<A>(k % n, k / n));
        let a = &mut self.room.polygons.a;
        a.clear();
        a.extend(entries);
    }

    /// The point solves the problem with polygons. Whether it does.
    fn solve_polygon(&mut self) -> bool {
        let super::Room { polygons, point, best, .. } = &mut *self.room;
        let Polygons { polygon, a, directions } = polygons;
        let rows = Rows { a, b: self.view.b, blocks: self.view.blocks };
        let added = |block: usize| directions.iter().filter(move |of| of.0 == block).map(|of| of.1);
        polygon.forget();
        let of = |block: usize| HEXAGON.into_iter().chain(added(block));
        self.watcher.tell(Some(best.error.largest));
        let is_solved = polygon.attempt(&rows, of, &mut point.lambda, self.watcher);
        self.watcher.tell(None);
        is_solved
    }

    /// Adds directions where the point slides: that of friction, and one to either side.
    fn refine<A: Real>(&mut self, spread: f64) {
        let super::Room { polygons, point, .. } = &mut *self.room;
        for (k, (first, block)) in self.view.blocks().enumerate() {
            let (x, y) = match block {
                Block::Contact { .. } | Block::Rolling { .. } if point.lambda[first] > 0.0 => {
                    (-point.w[first + 1], -point.w[first + 2])
                }
                _ => continue,
            };
            for side in [-spread, 0.0, spread] {
                let (x, y) = (x - side * y, y + side * x);
                let size = length::<A>(x, y);
                if size > self.goal.accepted {
                    polygons.directions.push((k, [x / size, y / size]));
                }
            }
        }
    }
}
