//! Proximal points of the convex law.
//!
//! > λₖ₊₁ minimises ½ λᵀ A λ + bᵀ λ + ½ ε (λ − cₖ)ᵀ S (λ − cₖ)  in the cones,  cₖ₊₁ = λₖ₊₁ + t (λₖ₊₁ − cₖ)
//!
//! Where what moves hardly moves at all, as what jams does, a solution has impulses of a million times those that stop it, along
//! a line on which A is nearly zero. Whatever makes the linear problems of the other stages regular lets them go a little
//! way along it in each iteration, and they end before they are there. Here each problem has one solution, which Newton's method
//! finds, or interior points do; where the next point is on the same line, t goes to the least value of the first two terms
//! along it. The points converge from any centre, and the first one is no impulse.
//!
//! # Source
//!
//! Rockafellar: Monotone Operators and the Proximal Point Algorithm (1976).

use super::super::interior;
use super::super::operator::Operator;
use super::super::outcome::Stage;
use super::super::view::Draw;
use super::directions::ROWS;
use super::{LATER, Room, Search};
use crate::kernel::{Computation, Real, compute_with};
use crate::slices::zeros;

/// ε.
const DRAW: f64 = 1e-9;
const POINTS: usize = 40;
/// Points that are not quite found, after which there may be none.
const FAILURES: usize = 3;
/// A line of so many steps is gone along.
const FAR: f64 = 10.0;

/// The stage, as a computation of its own.
struct Points<'s, 'a, 'w, O> {
    search: &'s mut Search<'a, 'w, O>,
    /// Whether interior points were looked for by this matrix.
    had_interior: bool,
}

impl<O: Operator> Computation for Points<'_, '_, '_, O> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { search, had_interior } = self;
        !had_interior && search.interior_points::<A>() || search.proximal_points::<A>()
    }
}

impl<O: Operator> Search<'_, '_, O> {
    /// With the entries of A where they are few, and there interior points first if they were looked for by factors: those need
    /// a larger ε, and end earlier by it.
    #[inline(always)]
    pub(super) fn drawn<A: Real>(&mut self) -> bool {
        let n = self.view.b.len();
        if n > ROWS {
            return compute_with::<A, _>(Points { search: self, had_interior: true });
        }
        let had_interior = O::PROXIMAL == 0.0;
        self.by_entries::<A>(Stage::Interior, |search| {
            _ = compute_with::<A, _>(Points { search, had_interior });
        })
    }

    #[inline(always)]
    fn proximal_points<A: Real>(&mut self) -> bool {
        let mut centre = core::mem::take(&mut self.room.centre);
        zeros(&mut centre, self.view.b.len());
        self.room.point.copy(&self.room.swept);
        let (mut is_solved, mut failures) = (false, 0);
        for _ in 0..POINTS {
            if failures == FAILURES || self.watcher.halt().is_some() {
                break;
            }
            let draw = Draw { centre: &centre, by: DRAW.max(O::PROXIMAL) };
            failures += usize::from(!self.approach::<A>(draw));
            self.measure::<A>();
            is_solved = self.keep::<A>(Stage::Interior);
            if is_solved || self.room.point.error.largest.is_nan() {
                break;
            }
            self.recentre::<A>(&mut centre);
        }
        self.room.centre = centre;
        is_solved
    }

    /// The point solves, or nearly, the problem that is drawn, from where it is. Whether it does.
    #[inline(always)]
    fn approach<A: Real>(&mut self, draw: Draw<'_>) -> bool {
        let accepted = self.goal.accepted;
        self.measure_drawn::<A>(draw);
        self.newton_drawn::<A>(LATER, 0.0, Some(draw));
        if self.room.point.error.largest <= accepted {
            return true;
        }
        let Self { view, operator, room, outcome, watcher, .. } = &mut *self;
        let Room { point, interior, best, .. } = &mut **room;
        let (view, least, draw) = (*view, best.error.largest, Some(draw));
        let (operator, watcher) = (&mut **operator, &mut **watcher);
        let run = interior::Run { view, operator, interior, point, accepted, watcher, least, draw };
        outcome.iterations += compute_with::<A, _>(run);
        room.swept.copy(&room.point);
        self.newton_drawn::<A>(LATER, 0.0, draw);
        let Room { point, swept, .. } = &mut *self.room;
        if swept.error.largest < point.error.largest {
            point.copy(swept);
        }
        self.room.point.error.largest <= accepted
    }

    #[inline(always)]
    fn measure_drawn<A: Real>(&mut self, draw: Draw<'_>) {
        let Self { view, operator, room, .. } = self;
        let point = &mut room.point;
        operator.apply::<A>(view, &point.lambda, &mut point.w);
        draw.add(view, &point.lambda, &mut point.w);
        point.error = view.measure::<A>(&point.lambda, &point.w);
    }

    /// The centre goes to the point, whose w is known, and on along the same line to where ½ λᵀ A λ + bᵀ λ is least, if that is
    /// far.
    #[inline(always)]
    fn recentre<A: Real>(&mut self, centre: &mut [f64]) {
        let Self { view, operator, room, .. } = self;
        let Room { point, swept, .. } = &mut **room;
        operator.apply::<A>(view, centre, &mut swept.w);
        let (mut falls, mut bends) = (0.0, 0.0);
        let w = point.w.iter().zip(&swept.w);
        for ((to, from), (w, before)) in point.lambda.iter().zip(&*centre).zip(w) {
            falls -= (to - from) * w;
            bends += (to - from) * (w - before);
        }
        let on = falls / bends;
        let on = if on > FAR && on.is_finite() { on } else { 0.0 };
        for (centre, to) in centre.iter_mut().zip(&point.lambda) {
            *centre = to + on * (to - *centre);
        }
    }
}
