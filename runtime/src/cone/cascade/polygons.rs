//! Coulomb's problem by polygons that are refined where contacts slide.
//!
//! Lemke's method solves a problem with polygons wherever motions exist that keep or open all contacts. From its
//! solution Newton's method starts; where that fails, each contact that slides gets more directions about that of its
//! slip, closer ones each time.

use super::super::Block;
use super::super::operator::Operator;
use super::super::outcome::Stage;
use super::super::polygon::Rows;
use super::super::vector::length;
use super::super::view::View;
use super::Search;
use super::directions::{HEXAGON, Polygons, ROUNDS, ROWS};
use crate::kernel::Real;

/// With so many rows Lemke's method takes about the time of fifty sweeps.
const FEW: usize = 30;
const PIVOTS: usize = 3_000;
/// The tangent of the angle between the first directions that are added, and how much less it is each time.
const SPREAD: f64 = 0.3;
const FINER: f64 = 0.5;

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
