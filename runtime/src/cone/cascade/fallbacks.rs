//! What follows where Newton's method fails: more sweeps, interior points, the fixed point, restarts.

use super::super::operator::Operator;
use super::super::outcome::Stage;
use super::super::view::View;
use super::super::{Block, Law, fixed_point, interior};
use super::{FEW, FIRST, LATER, NEAR, PROXIMAL, Room, Search};
use crate::kernel::{Real, compute_with};

const RESTARTS: usize = 20;
/// Convex problems that are not solved, after which the fixed point is given up: they may have no solution.
const FAILURES: usize = 4;
/// Sweeps after every other restart.
const SWEEPS: usize = 8;

impl<O: Operator> Search<'_, '_, O> {
    /// Sweeps and Newton's method in turn.
    #[inline(always)]
    pub(super) fn attempts<A: Real>(&mut self, attempts: &[(usize, f64)]) -> bool {
        for &(sweeps, proximal) in attempts {
            if self.watcher.halt().is_some() {
                break;
            }
            self.sweep::<A>(sweeps);
            if self.keep::<A>(Stage::Sweeps) {
                return true;
            }
            self.newton::<A>(if sweeps <= FEW { FIRST } else { LATER }, proximal);
            if self.keep::<A>(Stage::Sweeps) {
                return true;
            }
        }
        false
    }

    /// Whether the best point of the quick attempts is as good as rounding lets it be.
    #[inline(always)]
    pub(super) fn settle_early<A: Real>(&mut self) -> bool {
        let is_settled = self.watcher.halt().is_none() && self.settle::<A>(Stage::Sweeps);
        if is_settled {
            // Basic solutions have few impulses, which are smaller.
            _ = self.polygons::<A>();
        }
        is_settled
    }

    /// The convex law, by interior points, and then by proximal ones.
    #[inline(always)]
    pub(super) fn interior<A: Real>(&mut self) -> bool {
        self.interior_points::<A>() || self.drawn::<A>() || self.settle::<A>(Stage::Interior)
    }

    /// Interior points, and Newton's method from where they end.
    #[inline(always)]
    pub(super) fn interior_points<A: Real>(&mut self) -> bool {
        let Self { view, operator, room, goal, outcome, watcher } = &mut *self;
        let Room { point, swept, interior, best, .. } = &mut **room;
        let (view, accepted, least) = (*view, goal.accepted, best.error.largest);
        let (operator, watcher) = (&mut **operator, &mut **watcher);
        let point = &mut *point;
        let run =
            interior::Run { view, operator, interior, point, accepted, watcher, least, draw: None };
        outcome.iterations += compute_with::<A, _>(run);
        swept.copy(point);
        self.keep::<A>(Stage::Interior) || self.newton_by_each::<A>(Stage::Interior)
    }

    /// Newton's method from where the sweeps are, with one proximal term after the other.
    #[inline(always)]
    pub(super) fn newton_by_each<A: Real>(&mut self, stage: Stage) -> bool {
        for proximal in PROXIMAL {
            self.room.point.copy(&self.room.swept);
            self.newton::<A>(LATER, proximal);
            if self.keep::<A>(stage) {
                return true;
            }
        }
        false
    }

    /// Convex problems whose solutions tend to that of Coulomb's law, and Newton's method from each.
    #[inline(always)]
    pub(super) fn fixed_point<A: Real>(&mut self) -> bool {
        self.room.opened.clear();
        self.room.opened.extend_from_slice(self.view.b);
        let mut failures = 0;
        for k in 0..fixed_point::STEPS {
            if failures > FAILURES || self.watcher.halt().is_some() {
                break;
            }
            let mut opened = core::mem::take(&mut self.room.opened);
            let part = fixed_point::part(k);
            fixed_point::open(&self.view, &self.room.swept.w, part, &mut opened);
            failures += usize::from(!self.convex::<A>(&opened));
            self.room.opened = opened;
            self.measure::<A>();
            self.room.swept.copy(&self.room.point);
            if self.keep::<A>(Stage::FixedPoint) {
                return true;
            }
            self.newton::<A>(FIRST, PROXIMAL[k % PROXIMAL.len()]);
            if self.keep::<A>(Stage::FixedPoint) {
                return true;
            }
        }
        false
    }

    /// The point solves, or nearly, the convex problem of another b; from where the sweeps are. Whether it does.
    #[inline(always)]
    fn convex<A: Real>(&mut self, b: &[f64]) -> bool {
        let Self { view, operator, room, goal, outcome, watcher } = &mut *self;
        let mut convex = Search {
            view: View { b, law: Law::Convex, ..*view },
            operator: &mut **operator,
            room,
            goal: *goal,
            outcome: *outcome,
            watcher,
        };
        convex.room.point.copy(&convex.room.swept);
        convex.measure::<A>();
        convex.newton::<A>(LATER, PROXIMAL[1]);
        if convex.room.point.error.largest > convex.goal.accepted {
            let (view, accepted) = (convex.view, convex.goal.accepted);
            let Room { point, interior, best, .. } = &mut *convex.room;
            let (operator, watcher) = (&mut *convex.operator, &mut *convex.watcher);
            let least = best.error.largest;
            let run = interior::Run {
                view,
                operator,
                interior,
                point,
                accepted,
                watcher,
                least,
                draw: None,
            };
            convex.outcome.iterations += compute_with::<A, _>(run);
            convex.newton::<A>(FIRST, PROXIMAL[1]);
        }
        *outcome = convex.outcome;
        convex.room.point.error.largest <= NEAR * convex.goal.accepted
    }

    #[inline(always)]
    pub(super) fn restarts<A: Real>(&mut self) -> bool {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        for k in 0..RESTARTS {
            if self.watcher.halt().is_some() {
                break;
            }
            let Self { view, room, .. } = &mut *self;
            for (first, block) in view.blocks() {
                numbers.impulse(view, first, block, &mut room.point.lambda);
            }
            self.measure::<A>();
            if k % 2 == 0 {
                self.room.swept.copy(&self.room.point);
                self.sweep::<A>(SWEEPS);
            }
            self.newton::<A>(LATER, 1e-9);
            if self.keep::<A>(Stage::Restart) {
                return true;
            }
        }
        false
    }
}

/// Numbers of Marsaglia's shift register.
struct Numbers(u64);

impl Numbers {
    /// In \[0, 1).
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Impulses of one block, of the size that stops it.
    fn impulse(&mut self, view: &View<'_>, first: usize, block: &Block, lambda: &mut [f64]) {
        let size = view.b[first].abs() / view.mobility[first];
        match *block {
            Block::Row { lower, upper } => {
                let x = 4.0 * size * (self.next() - 0.5);
                lambda[first] = x.max(lower).min(upper);
            }
            Block::Ball { radius } => {
                let bound = (radius / 3.0).min(size);
                for x in &mut lambda[first..first + 3] {
                    *x = bound * (2.0 * self.next() - 1.0);
                }
            }
            Block::Contact { friction, .. }
            | Block::Rolling { friction, .. }
            | Block::Planar { friction } => {
                // From zero to four, the small ones more often.
                let normal = 4.0 * size * self.next() * self.next();
                lambda[first] = normal;
                for tangent in &mut lambda[first + 1..first + block.rows().min(3)] {
                    *tangent = 0.7 * friction * normal * (2.0 * self.next() - 1.0);
                }
                lambda[first + block.rows().min(3)..first + block.rows()].fill(0.0);
            }
        }
    }
}
