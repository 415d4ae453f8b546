//! The iteration, and how a step takes it.

use super::holding::{HOLDING, RIGID};
use super::{Newton, System};
use crate::cone::Sums;
use crate::contact::candidate::Candidate;
use crate::contact::cone_solver::no_motion;
use crate::contact::dynamics::Tree;
use crate::contact::formulation::Formulation;
use crate::contact::phase::Phase;
use crate::contact::solver::{Solved, Solver};
use crate::contact::stepper::Core;
use crate::contact::undetermined;
use crate::kernel::{Computation, Real, compute, compute_with};
use crate::slices::{largest, worse};

/// By how much κ grows where a search gains little.
const GROWTH: f64 = 1e2;

/// Most refinements: further searches, from the velocities that the impulses of the last one lead to.
pub(in crate::contact) const REFINEMENTS: usize = 2;

/// Most iterations of a search, and of one that a descent without centres can follow.
const MOST: usize = 40;
const MOST_SOFT: usize = 10;

/// Most iterations that gain little with the same K, or where the natural residual is below `NEAR`.
const STALLED: usize = 3;
const NEAR: f64 = 1e-6;

/// How often an iteration that makes that residual worse goes half of its way back.
const HALVINGS: usize = 4;

/// The largest natural residual, relative to the largest |b|, m/s or rad/s; the same where it becomes no smaller, by rounding of what
/// holds one another; and where no κ helps.
const NEGLIGIBLE: f64 = 1e-13;
const ROUNDED: f64 = 1e-12;
const STUCK: f64 = 1e-10;

/// Shares of the tolerance that these may be.
const SHARES: [f64; 3] = [0.05, 0.4, 0.1];

/// Bounds of what residuals are relative to.
const SPEEDS: [f64; 2] = [1e-6, 1.0];

/// These residuals, by the tolerance of the step and its largest |b|.
pub(super) fn accepted(tolerance: f64, speed: f64) -> [f64; 3] {
    let [least, most] = SPEEDS;
    let scale = speed.max(least).min(most);
    let [negligible, rounded, stuck] = SHARES.map(|share| share * tolerance);
    [negligible.min(scale * NEGLIGIBLE), rounded.min(scale * ROUNDED), stuck.min(scale * STUCK)]
}

impl Core {
    /// Whether the robot suits it.
    pub(in crate::contact) fn may_solve_by_newton(&self) -> bool {
        self.newton.is_some() && !self.chains.is_used()
    }

    /// Finds `impulse` and `velocity` with what is included by Newton's method, if it is such a problem and that finds them.
    #[inline(always)]
    pub(in crate::contact) fn solve_by_newton(
        &mut self,
        formulation: &Formulation,
    ) -> Option<Solved> {
        if self.compression.phase != Phase::Whole || !self.may_solve_by_newton() {
            return None;
        }
        let asks = formulation.friction().asks_for_rest(|| self.solvers.all_slide());
        let found = compute(ByNewton { core: self, formulation, asks });
        if let (None, Some(newton)) = (&found, &mut self.newton) {
            newton.is_steady = false;
        }
        found
    }

    /// The same from a solution, near which it looks for one.
    pub(super) fn refine_by_newton(&mut self, formulation: &Formulation) -> Option<Solved> {
        compute(ByNewton { core: self, formulation, asks: false })
    }

    #[inline(always)]
    fn iterate_newton<A: Real>(&mut self, formulation: &Formulation, asks: bool) -> Option<Solved> {
        let Self {
            table, newton, dynamics, candidates, start, problem, explicit, tolerance, ..
        } = self;
        let newton = newton.as_mut()?;
        let included = || candidates.iter().filter(|candidate| candidate.included);
        if !included().all(Candidate::is_of_tree) {
            return None;
        }
        problem.clear();
        problem.settings = Phase::Whole.settings(*tolerance);
        included().for_each(|candidate| candidate.push(table, explicit, dynamics, problem));
        let tree = dynamics.tree()?;
        let mut impulses = [0.0; 4];
        included().for_each(|candidate| {
            let rows = candidate.rows();
            candidate.read(start, &[], &mut impulses[..rows]);
            candidate.write(&impulses[..rows], &mut self.impulse);
        });
        tree.accelerate_by::<A>(&self.impulse);
        if !newton.list((candidates, tree), formulation, &self.impulse) {
            return None;
        }
        newton.read::<A>(tree);
        let most = largest(&problem.b);
        newton.accepted = accepted(*tolerance, most);
        let was_steady = core::mem::replace(&mut newton.is_steady, true);
        newton.holding = if was_steady { RIGID } else { HOLDING };
        let mut iterations = newton.iterate::<A>()?;
        let near = no_motion(&problem.settings.insisted(most), most);
        if asks && !newton.settle::<A>(near) {
            return None;
        }
        for refinement in 0..=REFINEMENTS {
            newton.keep_within_bounds();
            let mut sums = Sums::default();
            let places = newton.order.iter().zip(problem.each());
            for (candidate, (&place, (first, block, _))) in included().zip(places) {
                let (rows, rho) = (candidate.rows(), newton.rho(place));
                let lambda = &newton.lambda(place)[..rows];
                sums.add(block, lambda, &problem.b[first..first + rows], |_| 1.0 / rho);
                candidate.write(lambda, &mut self.impulse);
            }
            tree.accelerate_by::<A>(&self.impulse);
            newton.refresh(tree);
            let is_last = refinement == REFINEMENTS;
            if newton.is_solved::<A>(is_last) {
                if !sums.are_moderate() {
                    return None;
                }
                break;
            }
            if is_last {
                return None;
            }
            iterations += newton.iterate::<A>()?;
        }
        for (v, (free, change)) in self.velocity.iter_mut().zip(tree.free.iter().zip(tree.change()))
        {
            *v = free + change;
        }
        problem.write_softness(newton.softness());
        Some(Solved { pivots: iterations, solver: Solver::Newton })
    }
}

/// The method, with the registers of the processor.
struct ByNewton<'a> {
    core: &'a mut Core,
    formulation: &'a Formulation,
    /// Whether the convex law is asked what might be at rest.
    asks: bool,
}

impl Computation for ByNewton<'_> {
    type Output = Option<Solved>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<Solved> {
        self.core.iterate_newton::<A>(self.formulation, self.asks)
    }
}

impl<S> Newton<S> {
    /// Takes from Λ what rounding leaves beyond bounds, and from friction by polygons what is undetermined.
    #[inline(always)]
    pub(in crate::contact) fn keep_within_bounds(&mut self) {
        for contact in self.contacts.iter_mut().filter(|contact| contact.lambda[0] <= 0.0) {
            contact.lambda = [0.0; 3];
        }
        for contact in &mut self.contacts {
            let (Some(still), Some(corners)) = (contact.still, contact.law.corners()) else {
                continue;
            };
            let [normal, x, y] = contact.lambda;
            let size = (contact.friction * normal, corners);
            let [x, y] = undetermined::shortest([x, y], still, size);
            contact.lambda = [normal, x, y];
        }
        self.singles.keep_within_bounds();
    }

    /// Λ of one of the contacts or coordinates.
    #[inline(always)]
    pub(in crate::contact) fn lambda(&self, (is_contact, k): (bool, usize)) -> [f64; 3] {
        if is_contact { self.contacts[k].lambda } else { [self.singles.lambda(k), 0.0, 0.0] }
    }

    #[inline(always)]
    pub(in crate::contact) fn rho(&self, (is_contact, k): (bool, usize)) -> f64 {
        if is_contact { self.contacts[k].rho } else { self.singles.rho(k) }
    }

    /// σ of each row, in the order of the problem.
    pub(in crate::contact) fn softness(&self) -> impl Iterator<Item = f64> {
        let of = |&(is_contact, k): &(bool, usize)| {
            let all = if is_contact {
                self.contacts[k].softness
            } else {
                [self.singles.softness(k), 0.0, 0.0]
            };
            let rows = if is_contact { self.contacts[k].rows() } else { 1 };
            all.into_iter().take(rows)
        };
        self.order.iter().flat_map(of)
    }
}

impl Newton {
    /// Knows w under the last impulses of the tree.
    #[inline(always)]
    pub(super) fn refresh(&mut self, tree: &Tree) {
        for of in &mut self.contacts {
            let (free, change) = (tree.contact_free(of.contact), tree.contact_change(of.contact));
            of.w = core::array::from_fn(|k| (free[k] - of.target[k]) + change[k]);
        }
        self.singles.refresh(&tree.free, tree.change());
    }
}

impl<S: System> Newton<S> {
    /// Whether all laws are satisfied as well as they shall be, or, at `last`, as they may be.
    #[inline(always)]
    pub(in crate::contact) fn is_solved<A: Real>(&mut self, is_last: bool) -> bool {
        let [negligible, rounded, stuck] = self.accepted;
        let allowed = if is_last { stuck.max(rounded) } else { negligible };
        self.linearise::<A>() <= allowed
    }

    /// Finds Λ and w; how many iterations it took, or `None` if it does not end.
    #[inline(always)]
    pub(in crate::contact) fn iterate<A: Real>(&mut self) -> Option<usize> {
        let found = self.search::<A>();
        if found.is_none() && S::DESCENDS { self.search_on::<A>() } else { found }
    }

    /// The same from where it did not end.
    #[cold]
    fn search_on<A: Real>(&mut self) -> Option<usize> {
        self.is_steady = false;
        let found = self.descend::<A>([self.accepted[0], self.accepted[2]]);
        // Factors are of another linearisation.
        self.is_factored = false;
        if found.is_some() { found } else { self.iterate_shifted::<A>() }
    }

    /// Finds Λ and w near those that there are.
    #[inline(always)]
    pub(in crate::contact) fn search<A: Real>(&mut self) -> Option<usize> {
        compute_with::<A, _>(Iterations { newton: self })
    }

    /// Makes all laws linear; the largest natural residual.
    #[inline(always)]
    pub(super) fn linearise<A: Real>(&mut self) -> f64 {
        compute_with::<A, _>(Linearised { newton: self })
    }
}

struct Iterations<'a, S> {
    newton: &'a mut Newton<S>,
}

impl<S: System> Computation for Iterations<'_, S> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<usize> {
        let Self { newton } = self;
        let (mut before, mut stalled, mut has_grown) = (f64::INFINITY, 0, false);
        let (has_pending, mut least) = (newton.has_pending(), f64::INFINITY);
        let most = if S::DESCENDS && newton.gives_way() { MOST_SOFT } else { MOST };
        for iteration in 0..most {
            let mut error = newton.linearise::<A>();
            // The first iterate is out of balance if impulses are pending.
            let may_go_back = iteration > usize::from(has_pending);
            if may_go_back && error > before && error > newton.accepted[1] {
                error = newton.go_back::<A>(error, before);
            }
            if iteration > 0 && !newton.is_factored {
                newton.is_steady = false;
                if newton.holding > HOLDING && !has_grown {
                    newton.holding = HOLDING;
                    error = newton.linearise::<A>();
                }
            }
            let stagnates = error > 0.5 * before && error <= newton.accepted[1];
            // Velocities are those of the impulses after a step.
            let is_balanced = iteration > 0 || !has_pending;
            if is_balanced && (error <= newton.accepted[0] || stagnates) {
                return Some(iteration);
            }
            if S::DESCENDS && is_balanced && error < least {
                least = error;
                newton.keep_best();
            }
            let is_slow = newton.is_factored || error < NEAR;
            stalled += usize::from(is_slow && error > 0.5 * before);
            if stalled == STALLED {
                let is_accepted = is_balanced && error <= newton.accepted[2];
                if newton.holding >= newton.stiffest || S::DESCENDS && least <= newton.accepted[2] {
                    return (is_accepted || newton.recall(least, newton.accepted[2]))
                        .then_some(iteration);
                }
                let holding = (GROWTH * newton.holding).min(newton.stiffest);
                (newton.holding, stalled, has_grown) = (holding, 0, true);
                error = newton.linearise::<A>();
            }
            before = error;
            newton.keep();
            if error.is_nan() || !(S::advance::<A>(newton) || newton.advance_frozen::<A>()) {
                return newton.recall(least, newton.accepted[2]).then_some(iteration);
            }
        }
        newton.recall(least, newton.accepted[2]).then_some(most)
    }
}

impl<S: System> Newton<S> {
    /// Whether some part of an impulse is not in w yet.
    #[inline(always)]
    pub(super) fn has_pending(&self) -> bool {
        self.contacts.iter().any(|of| of.pending != [0.0; 3]) || self.singles.has_pending()
    }

    /// Keeps the iterate.
    #[inline(always)]
    pub(super) fn keep(&mut self) {
        self.kept.clear();
        for of in &self.contacts {
            [of.lambda, of.w].iter().for_each(|x| self.kept.extend_from_slice(x));
        }
        self.singles.keep(&mut self.kept);
    }

    /// Keeps the iterate as the best one.
    pub(super) fn keep_best(&mut self) {
        let kept = core::mem::take(&mut self.kept);
        self.kept = core::mem::take(&mut self.best);
        self.keep();
        self.best = core::mem::replace(&mut self.kept, kept);
    }

    /// Goes back to the best iterate, if there is one; whether its natural residual, `least`, is `allowed`.
    pub(super) fn recall(&mut self, least: f64, allowed: f64) -> bool {
        if least == f64::INFINITY {
            return false;
        }
        let (of_contacts, of_singles) = self.best.split_at(6 * self.contacts.len());
        for (of, best) in self.contacts.iter_mut().zip(of_contacts.as_chunks::<6>().0) {
            of.lambda.copy_from_slice(&best[..3]);
            of.w.copy_from_slice(&best[3..]);
        }
        self.singles.recall(of_singles);
        self.is_factored = false;
        least <= allowed
    }

    /// Goes half of the way back to the iterate that was kept, up to four times, until the largest natural residual is no more than
    /// it was `before`. Makes all laws linear there, and returns that residual.
    #[inline(never)]
    fn go_back<A: Real>(&mut self, mut error: f64, before: f64) -> f64 {
        for _ in 0..HALVINGS {
            let (of_contacts, of_singles) = self.kept.split_at(6 * self.contacts.len());
            for (of, kept) in self.contacts.iter_mut().zip(of_contacts.as_chunks::<6>().0) {
                for (x, kept) in of.lambda.iter_mut().chain(&mut of.w).zip(kept) {
                    *x = 0.5 * (*x + kept);
                }
            }
            self.singles.go_back(of_singles);
            error = self.linearise::<A>();
            if error <= before || error.is_nan() {
                break;
            }
        }
        error
    }

    /// Takes a step as if the bounds of friction did not depend on normal impulses, which makes the matrix symmetric. Returns false
    /// if it was so already.
    #[cold]
    fn advance_frozen<A: Real>(&mut self) -> bool {
        if self.is_symmetric {
            return false;
        }
        self.is_frozen = true;
        self.linearise::<A>();
        let has_advanced = S::advance::<A>(self);
        (self.is_frozen, self.is_factored) = (false, false);
        has_advanced
    }
}

struct Linearised<'a, S> {
    newton: &'a mut Newton<S>,
}

impl<S> Computation for Linearised<'_, S> {
    type Output = f64;

    #[inline(always)]
    fn run<A: Real>(self) -> f64 {
        let Self { newton } = self;
        let (holding, is_frozen) = (newton.holding, newton.is_frozen);
        let (mut error, mut stays) = (0.0, true);
        for of in &mut newton.contacts {
            let (of_contact, stay) =
                if of.rubs { of.linearise::<A>(holding, is_frozen) } else { of.press(holding) };
            (error, stays) = (worse(error, of_contact), stays & stay);
        }
        let (of_singles, stay) = newton.singles.linearise::<A>(holding);
        newton.is_factored &= stays & stay;
        worse(error, of_singles)
    }
}
