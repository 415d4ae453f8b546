//! Newton's method in whole steps, of contacts four at once.

use super::contacts::{Contacts, Friction};
use super::four::Four;
use super::lanes::{Shared, WIDEST};
use super::quads::{Each, Sums};
use crate::arithmetic::Lanes;
use crate::cone::outcome::{Outcome, Stage};
use crate::cone::view::Measure;
use crate::kernel::Real;

/// Steps from no impulses, and from those of before. What is tried next takes as long as a hundred of them: after 12 steps, 6
/// in 1000 problems of a humanoid that is kicked are left to it, after 32 there are 1.5.
const STEPS: usize = 32;
const WARM_STEPS: usize = 6;
/// The share of the largest error of a solution that a start with polygons may have.
const AT_START: f64 = 1e-2;
/// A further step of a linear problem that led from an error e₀ to e leaves e²/e₀ where contacts stick, and some ten times that
/// where they slide in other directions. With so much more it is expected to lead to the solution.
pub(super) const SLACK: f64 = 100.0;

/// A problem that the method solves.
pub(super) trait Whole {
    /// Whether all contacts touch one body, as their impulses tell.
    const IS_ONE: bool;

    fn fours(&mut self) -> &mut [Four];

    /// Finds w, and how far that and λ are from a solution.
    fn measure<A: Real>(&mut self) -> Measure;

    /// Lets the contacts of limbs that press go on as they slip, and stick if they do not: joints drive feet to where the
    /// ground then holds them, so that their slip without impulses says little, as that of a body alone does not.
    fn hold<A: Real>(&mut self);

    /// Goes to the solution of the linear problem of the modes; whether there is one. If it `is_near`, that of the last
    /// step may serve where modes are the same, with the directions that it had.
    fn step<A: Real>(&mut self, is_near: bool) -> bool;
}

/// Where a search ended.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cone) struct End {
    pub(in crate::cone) solved: bool,
    pub(in crate::cone) iterations: usize,
    pub(in crate::cone) error: Measure,
}

impl End {
    /// Writes λ where it solves the problem; how many iterations that took.
    #[inline(always)]
    pub(super) fn hand_on(&self, contacts: &mut [Contacts], fours: &[Four]) -> Option<usize> {
        if !self.solved {
            return None;
        }
        for (contacts, four) in contacts.iter_mut().zip(fours) {
            contacts.lambda = four.lambda;
        }
        Some(self.iterations)
    }

    /// The way to the solution.
    pub(in crate::cone) fn outcome(&self) -> Outcome {
        let stage = if self.iterations == 0 { Stage::Start } else { Stage::Newton };
        Outcome { stage: Some(stage), iterations: self.iterations, sweeps: 0 }
    }
}

/// Newton's method from the impulses of the contacts, and from none if that finds nothing: where contacts are redundant,
/// modes near the last impulses may alternate. One loop does both, so that it is compiled once.
#[inline(always)]
pub(super) fn solve<A: Real, W: Whole>(
    whole: &mut W,
    friction: Friction<'_>,
    accepted: f64,
) -> End {
    let mut end = End::default();
    let mut is_warm = whole.fours().iter().any(Four::is_pressed);
    let (mut steps, mut before) = (0, 0.0);
    loop {
        end.error = whole.measure::<A>();
        let is_good = end.error.largest <= accepted && end.error.is_precise(accepted);
        // With polygons a step finds what is linear to rounding, so that a start is left as it is only if that has nothing to find.
        let is_start = steps == 0 && friction.polygons.is_some();
        end.solved = is_good && (!is_start || end.error.largest <= AT_START * accepted);
        if !is_warm && steps == 0 {
            whole.hold::<A>();
        }
        let error = end.error.largest;
        // Nothing leads to the first point.
        let is_near = SLACK * error * error <= accepted * before;
        let most = if is_warm { WARM_STEPS } else { STEPS };
        let is_over = end.solved || error.is_nan() || steps == most;
        if !is_over && whole.step::<A>(is_near) {
            (steps, before) = (steps + 1, error);
            end.iterations += 1;
            continue;
        }
        end.solved |= is_good;
        if is_warm && !end.solved {
            whole.fours().iter_mut().for_each(Four::release);
            (is_warm, steps, before) = (false, 0, 0.0);
        } else {
            return end;
        }
    }
}

/// Finds the modes of all; whether they are the last ones.
#[inline(always)]
pub(super) fn find_modes<A: Real>(fours: &mut [Four], friction: Friction<'_>) -> bool {
    let mut are_same = true;
    for four in fours {
        are_same &= four.find_modes::<A>(friction);
    }
    are_same
}

/// The sums over lanes, filled up with zeros.
#[inline(always)]
pub(super) fn sums_over_lanes<A: Real>(of: &[A::Quad; WIDEST]) -> [Each; 2] {
    let none = A::Quad::splat(0.0);
    let [a, b, c, d, e, f] = *of;
    [sums_of_four::<A>(a, b, c, d).unpack(), sums_of_four::<A>(e, f, none, none).unpack()]
}

/// The same as six numbers.
#[inline(always)]
pub(super) fn gathered<A: Real>(of: &[A::Quad; WIDEST]) -> Shared {
    let [[a, b, c, d], [e, f, ..]] = sums_over_lanes::<A>(of);
    [a, b, c, d, e, f]
}

/// The sums over lanes of a lower triangle, column by column.
#[inline(always)]
pub(super) fn sums_of_triangle<A: Real>(of: &Sums<A>) -> [[f64; WIDEST]; WIDEST] {
    let [x, y, z, u, v, w] = of;
    let [xx, yx, zx, ux] = sums_of_four::<A>(x[0], x[1], x[2], x[3]).unpack();
    let [vx, wx, yy, zy] = sums_of_four::<A>(x[4], x[5], y[1], y[2]).unpack();
    let [uy, vy, wy, zz] = sums_of_four::<A>(y[3], y[4], y[5], z[2]).unpack();
    let [uz, vz, wz, uu] = sums_of_four::<A>(z[3], z[4], z[5], u[3]).unpack();
    let [vu, wu, vv, wv] = sums_of_four::<A>(u[4], u[5], v[4], v[5]).unpack();
    let ww = w[5].sum();
    [
        [xx, yx, zx, ux, vx, wx],
        [yx, yy, zy, uy, vy, wy],
        [zx, zy, zz, uz, vz, wz],
        [ux, uy, uz, uu, vu, wu],
        [vx, vy, vz, vu, vv, wv],
        [wx, wy, wz, wu, wv, ww],
    ]
}

/// The sums over lanes of four registers as one: two exchanges of lanes instead of four sums.
#[inline(always)]
fn sums_of_four<A: Real>(a: A::Quad, b: A::Quad, c: A::Quad, d: A::Quad) -> A::Quad {
    let (a, b, c, d) = (a.unpack(), b.unpack(), c.unpack(), d.unpack());
    let first = A::Quad::pack([a[0], a[1], c[0], c[1]]) + A::Quad::pack([a[2], a[3], c[2], c[3]]);
    let second = A::Quad::pack([b[0], b[1], d[0], d[1]]) + A::Quad::pack([b[2], b[3], d[2], d[3]]);
    let (x, y) = (first.unpack(), second.unpack());
    A::Quad::pack([x[0], y[0], x[2], y[2]]) + A::Quad::pack([x[1], y[1], x[3], y[3]])
}
