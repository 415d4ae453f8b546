//! An interior-point method for the convex law.
//!
//! > minimise ½ λᵀ A λ + bᵀ λ  subject to  s = G λ + h in a product of second-order cones
//! > A λ + b = Gᵀ z,  s ∘ z = 0
//!
//! G has three rows for a cone of friction, √s (μ λₙ, λₜ), of which the last is zero in a plane, three for that of rolling,
//! one for a bound, and two for torsional friction, √s (ν λₙ ± λ_τ), in units of √J by the mobilities s. Each
//! iteration goes along the scaled Newton direction
//! towards s ∘ z = σ μ, with Mehrotra's predictor for σ and his corrector:
//!
//! > (A + Gᵀ W⁻² G) dλ = −r_d + Gᵀ (W⁻¹ t − W⁻² r_p),  dz = W⁻¹ t − W⁻² (r_p + G dλ)
//! > l ∘ t = σ μ e − l ∘ l − (W⁻¹ ds) ∘ (W dz)
//!
//! Class: all convex problems that have a solution. Where s and z both vanish it converges slowly, to the root
//! of the precision; Newton's method goes on from there.
//!
//! # Source
//!
//! Vandenberghe: The CVXOPT Linear and Quadratic Cone Program Solvers (2010), sections 5 to 7.

mod member;
mod scaling;

use alloc::vec::Vec;

use self::member::Member;
use self::scaling::UNIT;
use super::operator::{Damping, Operator};
use super::view::{Draw, Point, View};
use crate::kernel::{Computation, Real};
use crate::watch::Watcher;

const ITERATIONS: usize = 60;
/// The part of the longest step that is taken.
const PART: f64 = 0.99;
/// What keeps redundant rows without cones apart, by their mobility.
const REGULAR: f64 = 1e-12;
/// The gap, by that of the start, at which Newton's method takes over.
const ENOUGH: f64 = 1e-16;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    members: Vec<Member>,
    damping: Vec<Damping>,
    /// A λ + b − Gᵀ z.
    dual: Vec<f64>,
    /// dλ.
    step: Vec<f64>,
    best: Point,
}

impl Interior {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            members: Vec::with_capacity(2 * n),
            damping: Vec::with_capacity(n),
            dual: Vec::with_capacity(n),
            step: Vec::with_capacity(n),
            best: Point::with_capacity(n),
        }
    }
}

/// A run from no point at all; the one that is given is returned if there is no other. Returns the number of iterations.
pub(super) struct Run<'a, 'w, O> {
    pub(super) view: View<'a>,
    pub(super) operator: &'a mut O,
    pub(super) interior: &'a mut Interior,
    pub(super) point: &'a mut Point,
    pub(super) accepted: f64,
    pub(super) watcher: &'a mut Watcher<'w>,
    /// The residual of the best point of all.
    pub(super) least: f64,
    /// What is added to w.
    pub(super) draw: Option<Draw<'a>>,
}

impl<O: Operator> Computation for Run<'_, '_, O> {
    type Output = usize;

    #[inline(always)]
    fn run<A: Real>(mut self) -> usize {
        if self.watcher.halt().is_some() {
            return 0;
        }
        // Where numbers overflow no iterate is better than what was given.
        self.interior.best.copy(self.point);
        self.interior.best.error.largest = f64::INFINITY;
        self.begin::<A>();
        let first = self.residuals::<A>();
        let mut gap = first;
        let mut iterations = 0;
        while iterations < ITERATIONS && gap.is_finite() {
            self.measure::<A>();
            if self.point.error.largest <= self.interior.best.error.largest {
                self.interior.best.copy(self.point);
            }
            let solved = self.point.error.largest <= self.accepted;
            let over = solved || gap <= ENOUGH * first || !self.watcher.goes_on(self.least);
            if over || !self.iterate::<A>(gap) {
                break;
            }
            iterations += 1;
            gap = self.residuals::<A>();
        }
        self.point.copy(&self.interior.best);
        iterations
    }
}

impl<O: Operator> Run<'_, '_, O> {
    #[inline(always)]
    fn measure<A: Real>(&mut self) {
        let Self { view, point, .. } = self;
        point.error = view.measure::<A>(&point.lambda, &point.w);
    }

    /// λ that makes ½ λᵀ A λ + bᵀ λ + ½ ‖G λ + h‖² least; s and −z are G λ + h, moved into the cones.
    #[inline(always)]
    fn begin<A: Real>(&mut self) {
        let Self { view, operator, interior, point, draw, .. } = self;
        let regular = draw.map_or(REGULAR, |draw| draw.by);
        let Interior { members, damping, step, .. } = &mut **interior;
        point.reset(view.b.len());
        member::list::<A>(view, &mut point.lambda, members, damping);
        operator.apply::<A>(view, &point.lambda, &mut point.w);
        if let Some(draw) = draw {
            draw.add(view, &point.lambda, &mut point.w);
        }
        step.clear();
        step.extend(point.w.iter().map(|w| -w));
        let mut size = 0.0;
        for member in &*members {
            let x = member.map(&point.lambda);
            member.add_transposed(-1.0, &x, step);
        }
        for (w, s) in point.w.iter().zip(view.mobility) {
            size = f64::max(size, w.abs() / A::sqrt(*s));
        }
        member::fill_damping(view, members, damping, regular);
        operator.factor_damped::<A>(damping);
        operator.solve_damped::<A>(damping, step);
        point.lambda.iter_mut().zip(&*step).for_each(|(x, dx)| *x += dx);
        let depth = |sign: f64, members: &[Member], lambda: &[f64]| {
            members.iter().fold(f64::INFINITY, |least, member| {
                f64::min(least, scaling::depth::<A>(&member.map(lambda).map(|x| sign * x)))
            })
        };
        let size = f64::max(size, f64::MIN_POSITIVE);
        let moved = |depth: f64| if depth > 1e-3 * size { 0.0 } else { size - depth };
        let by =
            [moved(depth(1.0, members, &point.lambda)), moved(depth(-1.0, members, &point.lambda))];
        for member in members {
            let x = member.map(&point.lambda);
            member.s = scaling::plus(&x, by[0], &UNIT);
            member.z = scaling::plus(&x.map(|x| -x), by[1], &UNIT);
        }
    }

    /// The residuals at the point, and the mean of sᵀ z.
    #[inline(always)]
    fn residuals<A: Real>(&mut self) -> f64 {
        let Self { view, operator, interior, point, draw, .. } = self;
        let Interior { members, dual, .. } = &mut **interior;
        operator.apply::<A>(view, &point.lambda, &mut point.w);
        if let Some(draw) = draw {
            draw.add(view, &point.lambda, &mut point.w);
        }
        dual.clone_from(&point.w);
        let mut gap = 0.0;
        for member in &mut *members {
            member.add_transposed(-1.0, &member.z, dual);
            member.primal = scaling::plus(&member.map(&point.lambda), -1.0, &member.s);
            gap += scaling::dot(&member.s, &member.z);
        }
        gap / f64::max(1.0, members.len() as f64)
    }

    /// One iteration; whether it could be done.
    #[inline(always)]
    fn iterate<A: Real>(&mut self, gap: f64) -> bool {
        let Self { view, operator, interior, draw, .. } = self;
        let regular = draw.map_or(REGULAR, |draw| draw.by);
        let Interior { members, damping, .. } = &mut **interior;
        members.iter_mut().for_each(Member::scale::<A>);
        member::fill_damping(view, members, damping, regular);
        operator.factor_damped::<A>(damping);
        for member in &mut *members {
            member.t = member.l.map(|x| -x);
        }
        let reach = self.direction::<A>();
        let centre = (1.0 - reach) * (1.0 - reach) * (1.0 - reach) * gap;
        for member in &mut self.interior.members {
            member.correct::<A>(centre);
        }
        let reach = self.direction::<A>();
        if !reach.is_finite() {
            return false;
        }
        let part = f64::min(1.0, PART * reach);
        let Interior { members, step, .. } = &mut *self.interior;
        self.point.lambda.iter_mut().zip(&*step).for_each(|(x, dx)| *x += part * dx);
        for member in members {
            member.s = scaling::plus(&member.s, part, &member.ds);
            member.z = scaling::plus(&member.z, part, &member.dz);
        }
        part > 1e-10
    }

    /// dλ, ds and dz for the t of the cones. Returns the longest step, at most 1 / `PART`.
    #[inline(always)]
    fn direction<A: Real>(&mut self) -> f64 {
        let Self { operator, interior, .. } = self;
        let Interior { members, damping, dual, step, .. } = &mut **interior;
        step.clear();
        step.extend(dual.iter().map(|x| -x));
        for member in &*members {
            let x = member.scaling.invert(&member.t);
            let y = member.scaling.invert_twice(&member.primal);
            member.add_transposed(1.0, &scaling::plus(&x, -1.0, &y), step);
        }
        operator.solve_damped::<A>(damping, step);
        let mut reach = 1.0 / PART;
        for member in members {
            member.advance(step);
            for (x, d) in [(&member.s, &member.ds), (&member.z, &member.dz)] {
                let longest = scaling::step::<A>(x, &d.map(|d| d / PART)) / PART;
                reach = if longest >= reach { reach } else { longest };
            }
        }
        reach
    }
}
