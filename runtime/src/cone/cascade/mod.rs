//! Which solver is tried when.
//!
//! 0. A [star](super::Matrix::Star) by its own method, in whole steps. What that does not solve, as matrix or factors:
//! 1. What the workspace was given to start with: perhaps it is the solution. Newton's method from there.
//! 2. From no impulse at all: one sweep of Gauss–Seidel, then Newton's method.
//! 3. More and more sweeps, each time followed by Newton's method, with a proximal term of 0, 1e-9, 1e-6, 1e-3 in
//!    turn. The sweeps go on from where they were.
//! 4. Friction by polygons, by Lemke's method, with Newton's method from there (`polygons`). Of few rows this is faster than
//!    many sweeps, and comes after the first ones; of many it comes after 5.
//! 5. The fixed point of Acary and Cadoux, with Newton's method from each of its points.
//! 6. Newton's method from random impulses, the same ones every time.
//!
//! Under the convex law, interior points take the place of 3 to 6, with Newton's method from where they end, and then proximal
//! points (`drawn`).
//!
//! Each iteration, sweep and pivot asks whether it may be done; where it may not, all stages end as they are, and the best
//! point is what was found.
//!
//! Nothing is believed but the residual. What is accepted is below the tolerance, or, where that is less than
//! rounding makes of A λ, below eight units of rounding.

mod directions;
mod drawn;
mod fallbacks;
mod polygons;

use alloc::vec::Vec;

use self::directions::{Polygons, ROWS};
use super::dense::{self, Dense};
use super::gauss_seidel::Sweeps;
use super::interior::Interior;
use super::newton::{Newton, Run};
use super::operator::Operator;
use super::outcome::{Outcome, Stage};
use super::settings::Goal;
use super::view::{Draw, NEAR, Point, View, nearest_zero};
use super::{Block, Law};
use crate::kernel::{Computation, Real, compute_with};
use crate::watch::Watcher;

/// Iterations of Newton's method in a first attempt, and in later ones.
const FIRST: usize = 12;
const LATER: usize = 40;
/// Sweeps before each attempt of the third stage, and the proximal term of the attempt.
const ATTEMPTS: [(usize, f64); 14] = [
    (2, 0.0),
    (4, 1e-9),
    (16, 1e-6),
    (64, 1e-3),
    (64, 0.0),
    (64, 1e-9),
    (128, 1e-6),
    (128, 1e-3),
    (128, 0.0),
    (256, 1e-9),
    (256, 1e-6),
    (256, 1e-3),
    (512, 0.0),
    (512, 1e-9),
];
/// Proximal terms in the order of trial.
const PROXIMAL: [f64; 4] = [0.0, 1e-9, 1e-6, 1e-3];
/// So many attempts take little time.
const QUICK: usize = 4;
/// Attempts with so few sweeps are first ones.
const FEW: usize = 16;
/// As long as other ways are left, only residuals below so many: where rounding is more, there may be a solution
/// with smaller impulses.
const FINE: f64 = 10.0;

/// Room for all stages.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    pub(super) newton: Newton,
    /// Where a stage is, where the sweeps are, and the best point of all.
    pub(super) point: Point,
    pub(super) swept: Point,
    pub(super) best: Point,
    /// b of a convex problem on the way to Coulomb's.
    pub(super) opened: Vec<f64>,
    /// What impulses are drawn to.
    pub(super) centre: Vec<f64>,
    /// For what is solved with the entries of A.
    dense: dense::Room,
    pub(super) interior: Interior,
    polygons: Polygons,
}

impl Room {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            newton: Newton::with_capacity(n),
            point: Point::with_capacity(n),
            swept: Point::with_capacity(n),
            best: Point::with_capacity(n),
            opened: Vec::with_capacity(n),
            centre: Vec::with_capacity(n),
            dense: dense::Room::with_capacity(if n > ROWS { 0 } else { n }),
            interior: Interior::with_capacity(n),
            polygons: Polygons::with_capacity(n),
        }
    }
}

/// A problem, and what solves it. The result is in `best`.
pub(super) struct Cascade<'a, 'w, O> {
    pub(super) view: View<'a>,
    pub(super) operator: &'a mut O,
    pub(super) room: &'a mut Room,
    /// λ to start from, (n), or none.
    pub(super) start: &'a mut Vec<f64>,
    pub(super) goal: Goal,
    pub(super) watcher: &'a mut Watcher<'w>,
}

impl<O: Operator> Computation for Cascade<'_, '_, O> {
    type Output = Outcome;

    #[inline(always)]
    fn run<A: Real>(self) -> Outcome {
        let Self { view, operator, room, start, goal, watcher } = self;
        let n = view.b.len();
        room.best.error.largest = f64::NAN;
        if !goal.accepted.is_finite() {
            room.best.reset(n);
            room.best.w.copy_from_slice(view.b);
            room.best.error = view.measure::<A>(&room.best.lambda, &room.best.w);
            return Outcome::default();
        }
        let outcome = Outcome::default();
        let mut search = Search { view, operator, room, goal, outcome, watcher };
        if start.len() == n {
            core::mem::swap(&mut search.room.point.lambda, start);
            search.room.point.w.resize(n, 0.0);
            search.measure::<A>();
            if search.keep::<A>(Stage::Start) {
                return search.outcome;
            }
            search.newton::<A>(FIRST, 0.0);
            if search.keep::<A>(Stage::Newton) {
                return search.outcome;
            }
        }
        compute_with::<A, _>(search)
    }
}

/// The stages after the first.
pub(super) struct Search<'a, 'w, O> {
    view: View<'a>,
    operator: &'a mut O,
    room: &'a mut Room,
    goal: Goal,
    outcome: Outcome,
    watcher: &'a mut Watcher<'w>,
}

impl<O: Operator> Computation for Search<'_, '_, O> {
    type Output = Outcome;

    #[inline(always)]
    fn run<A: Real>(mut self) -> Outcome {
        if !self.cold::<A>() {
            match self.view.law {
                Law::Convex => self.interior::<A>(),
                Law::Coulomb => {
                    compute_with::<A, _>(Fallbacks { search: &mut self })
                        || self.fallbacks_by_entries::<A>()
                        || self.settle::<A>(Stage::Restart)
                }
            };
        }
        self.outcome
    }
}

/// All that is tried under Coulomb's law.
struct Fallbacks<'s, 'a, 'w, O> {
    search: &'s mut Search<'a, 'w, O>,
}

impl<O: Operator> Computation for Fallbacks<'_, '_, '_, O> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { search } = self;
        search.attempts::<A>(&ATTEMPTS[..QUICK])
            || search.settle_early::<A>()
            || search.few_by_polygons::<A>()
            || search.attempts::<A>(&ATTEMPTS[QUICK..])
            || search.fixed_point::<A>()
            || search.many_by_polygons::<A>()
            || search.restarts::<A>()
    }
}

impl<O: Operator> Search<'_, '_, O> {
    #[inline(always)]
    fn measure<A: Real>(&mut self) {
        let Self { view, operator, room, .. } = self;
        let point = &mut room.point;
        operator.apply::<A>(view, &point.lambda, &mut point.w);
        point.error = view.measure::<A>(&point.lambda, &point.w);
    }

    /// Whether the point is a solution, which ends the search; the better of it and the best is kept.
    #[inline(always)]
    fn keep<A: Real>(&mut self, stage: Stage) -> bool {
        self.judge::<A>(stage, FINE)
    }

    /// Whether the best point is as good as rounding lets it be.
    #[inline(always)]
    fn settle<A: Real>(&mut self, stage: Stage) -> bool {
        let Room { point, best, .. } = &mut *self.room;
        point.copy(best);
        self.judge::<A>(stage, NEAR)
    }

    /// As [`keep`](Self::keep); rounding excuses residuals of up to `most` times the accepted one.
    #[inline(always)]
    fn judge<A: Real>(&mut self, stage: Stage, most: f64) -> bool {
        let Self { view, operator, room, goal: Goal { accepted, aim }, .. } = self;
        let Room { point, best, .. } = &mut **room;
        let meant = point.error.is_meant(*accepted);
        let residual = point.error.largest;
        // What takes little time is tried for the aim.
        let is_early = match stage {
            Stage::Start | Stage::Newton | Stage::Sweep => true,
            Stage::Polygon => view.has_few(),
            Stage::Sweeps | Stage::Interior | Stage::FixedPoint | Stage::Restart => false,
        };
        let exact = residual <= if is_early { *aim } else { *accepted };
        // What was given to start with is not worth the time to find out how much rounding is in it.
        let near = stage != Stage::Start && residual <= most * *accepted;
        let mut rounding = || residual <= operator.rounding::<A>(&point.lambda);
        let mut solved = meant && (exact || near && rounding());
        if solved && most <= FINE {
            // Newton's method looks for what is sharp by itself.
            solved = match stage {
                Stage::Start => view.is_sharp_and_moderate::<A>(point, *accepted),
                _ => view.is_moderate(point),
            };
        }
        if solved {
            core::mem::swap(best, point);
        } else if best.error.largest.is_nan() || point.error.known() < best.error.known() {
            best.copy(point);
        }
        if solved {
            self.outcome.stage = Some(stage);
        }
        solved
    }

    /// The same with the entries of A, if it is given by factors, whose linear problems need a proximal term.
    #[inline(always)]
    fn fallbacks_by_entries<A: Real>(&mut self) -> bool {
        let are_many = self.view.b.len() > ROWS;
        if O::PROXIMAL == 0.0 || are_many || self.watcher.halt().is_some() {
            return false;
        }
        self.room.swept.copy(&self.room.best);
        self.by_entries::<A>(Stage::Restart, |search| {
            _ = compute_with::<A, _>(Fallbacks { search });
        })
    }

    /// Writes A.
    #[inline(always)]
    fn list_entries<A: Real>(&mut self) {
        let n = self.view.b.len();
        let entries = (0..n * n).map(|k| self.operator.entry::<A>(k % n, k / n));
        let a = &mut self.room.polygons.a;
        a.clear();
        a.extend(entries);
    }

    /// Looks for a solution with the entries of A, which are few. Whether there is one by A as it was given.
    #[inline(always)]
    fn by_entries<A: Real>(
        &mut self,
        stage: Stage,
        look: impl FnOnce(&mut Search<'_, '_, Dense<'_>>),
    ) -> bool {
        self.list_entries::<A>();
        let Self { view, operator: _, room, goal, outcome, watcher } = &mut *self;
        let (view, goal, of, n) = (*view, *goal, *outcome, view.b.len());
        let entries = core::mem::take(&mut room.polygons.a);
        let mut dense_room = core::mem::take(&mut room.dense);
        let operator = &mut Dense { entries: &entries, room: &mut dense_room, n };
        let mut search = Search { view, operator, room, goal, outcome: of, watcher };
        look(&mut search);
        *outcome = Outcome { stage: None, ..search.outcome };
        (room.polygons.a, room.dense) = (entries, dense_room);
        room.point.copy(&room.best);
        self.measure::<A>();
        self.room.best.error = self.room.point.error;
        self.keep::<A>(stage)
    }

    #[inline(always)]
    fn newton<A: Real>(&mut self, limit: usize, proximal: f64) {
        self.newton_drawn::<A>(limit, proximal, None);
    }

    /// As [`newton`](Self::newton), with something added to w.
    #[inline(always)]
    fn newton_drawn<A: Real>(&mut self, limit: usize, proximal: f64, draw: Option<Draw<'_>>) {
        let Self { view, operator, room, goal, outcome, watcher } = self;
        let Room { newton, point, best, .. } = &mut **room;
        let (view, goal) = (*view, *goal);
        outcome.iterations += compute_with::<A, _>(Run {
            view,
            operator: &mut **operator,
            newton,
            point,
            limit,
            proximal,
            goal,
            watcher,
            least: best.error.largest,
            draw,
        });
    }

    /// Sweeps on from where the sweeps are; they and the point are there then.
    #[inline(always)]
    fn sweep<A: Real>(&mut self, sweeps: usize) {
        let Self { view, operator, room, outcome, watcher, .. } = self;
        let Room { point, swept, best, .. } = &mut **room;
        let (view, operator, least) = (*view, &mut **operator, best.error.largest);
        let run = Sweeps { view, operator, point: swept, sweeps, watcher, least };
        outcome.sweeps += compute_with::<A, _>(run);
        point.copy(swept);
    }

    /// Whether the search ends here: with a solution, or because numbers are not finite.
    #[inline(always)]
    fn cold<A: Real>(&mut self) -> bool {
        self.room.point.reset(self.view.b.len());
        for (first, block) in self.view.blocks() {
            if let Block::Row { lower, upper } = *block {
                self.room.point.lambda[first] = nearest_zero(lower, upper);
            }
        }
        self.measure::<A>();
        self.room.swept.copy(&self.room.point);
        if self.keep::<A>(Stage::Start) || !self.room.point.error.largest.is_finite() {
            return true;
        }
        self.sweep::<A>(1);
        self.newton::<A>(FIRST, 0.0);
        self.keep::<A>(Stage::Sweep)
    }
}
