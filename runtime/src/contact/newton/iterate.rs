//! The iteration, and how a step takes it.

use super::Newton;
use crate::cone::Sums;
use crate::contact::candidate::Candidate;
use crate::contact::dynamics::Tree;
use crate::contact::formulation::Formulation;
use crate::contact::restitution::Phase;
use crate::contact::solver::{Solved, Solver};
use crate::contact::solvers::no_motion;
use crate::contact::stepper::Core;
use crate::contact::undetermined;
use crate::kernel::{Computation, Real, compute, compute_with};
use crate::slices::{largest, worse};

/// κ, and that where impulses are found once more.
pub(super) const HOLDING: f64 = 1e5;
const POLISHING: f64 = 1e2;

/// Most iterations.
const MOST: usize = 24;

/// The largest natural residual, m/s or rad/s, relative to velocities if these are above one; and the same where it becomes no
/// smaller, as what holds one another has rounding of one against the other.
const NEGLIGIBLE: f64 = 1e-13;
const ROUNDED: f64 = 1e-12;

/// By how much more than the first impulses may be off that are not found once more.
const FINE: f64 = 1.0;

/// Shares of the tolerance that these may be.
const SHARES: [f64; 2] = [0.05, 0.4];

/// Both for steps of a tolerance.
fn accepted(tolerance: f64) -> [f64; 2] {
    let [negligible, rounded] = SHARES.map(|share| share * tolerance);
    [NEGLIGIBLE.min(negligible), ROUNDED.min(rounded)]
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
        compute(ByNewton { core: self, formulation })
    }

    #[inline(always)]
    fn iterate_newton<A: Real>(&mut self, formulation: &Formulation) -> Option<Solved> {
        let asks = match formulation {
            Formulation::Coulomb(_) => !self.solvers.all_slide(),
            _ => true,
        };
        let Self {
            table, newton, dynamics, candidates, start, problem, explicit, tolerance, ..
        } = self;
        let newton = newton.as_mut()?;
        newton.accepted = accepted(*tolerance);
        let included = || candidates.iter().filter(|candidate| candidate.included);
        if !included().all(Candidate::is_of_tree) {
            return None;
        }
        problem.clear();
        included().for_each(|candidate| candidate.push(table, explicit, dynamics, problem));
        let tree = dynamics.tree()?;
        let mut impulses = [0.0; 4];
        included().for_each(|candidate| {
            let rows = candidate.rows();
            candidate.read(start, &[], &mut impulses[..rows]);
            candidate.write(&impulses[..rows], &mut self.impulse);
        });
        tree.accelerate_by(&self.impulse);
        if !newton.list((candidates, tree), formulation, &self.impulse) {
            return None;
        }
        newton.read::<A>(tree);
        let most = largest(&problem.b);
        let mut iterations = newton.iterate::<A>(HOLDING)?;
        let near = no_motion(&problem.settings.insisted(most), most);
        if asks && !newton.settle::<A>(near) {
            return None;
        }
        // Impulses of what holds have rounding of κ, and are found once more with less where that is too much.
        for holding in [Some(POLISHING), None] {
            newton.keep_within_bounds();
            let mut sums = Sums::default();
            let places = newton.order.iter().zip(problem.each());
            for (candidate, (&place, (first, block, _))) in included().zip(places) {
                let (rows, rho) = (candidate.rows(), newton.rho(place));
                let lambda = &newton.lambda(place)[..rows];
                sums.add(block, lambda, &problem.b[first..first + rows], |_| 1.0 / rho);
                candidate.write(lambda, &mut self.impulse);
            }
            tree.accelerate_by(&self.impulse);
            newton.refresh(tree);
            let [negligible, rounded] = newton.accepted;
            let most = if holding.is_some() { FINE * negligible } else { rounded };
            if newton.linearise::<A>(POLISHING).0 <= most {
                if !sums.are_moderate() {
                    return None;
                }
                break;
            }
            iterations += newton.iterate::<A>(holding?)?;
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
}

impl Computation for ByNewton<'_> {
    type Output = Option<Solved>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<Solved> {
        self.core.iterate_newton::<A>(self.formulation)
    }
}

impl Newton {
    /// Takes from Λ what rounding leaves beyond bounds, and from friction by polygons what is undetermined.
    #[inline(always)]
    fn keep_within_bounds(&mut self) {
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

    /// Knows w under the last impulses of the tree.
    #[inline(always)]
    pub(super) fn refresh(&mut self, tree: &Tree) {
        for of in &mut self.contacts {
            let (free, change) = (tree.contact_free(of.contact), tree.contact_change(of.contact));
            of.w = core::array::from_fn(|k| free[k] + change[k] - of.target[k]);
        }
        self.singles.refresh(&tree.free, tree.change());
    }

    /// Λ of one of the contacts or coordinates.
    #[inline(always)]
    fn lambda(&self, (is_contact, k): (bool, usize)) -> [f64; 3] {
        if is_contact { self.contacts[k].lambda } else { [self.singles.lambda(k), 0.0, 0.0] }
    }

    #[inline(always)]
    fn rho(&self, (is_contact, k): (bool, usize)) -> f64 {
        if is_contact { self.contacts[k].rho } else { self.singles.rho(k) }
    }

    /// σ of each row, in the order of the problem, if anything gives way.
    fn softness(&self) -> impl Iterator<Item = f64> {
        let of = |&(is_contact, k): &(bool, usize)| {
            let all = if is_contact {
                self.contacts[k].softness
            } else {
                [self.singles.softness(k), 0.0, 0.0]
            };
            let rows = if is_contact && self.contacts[k].rubs { 3 } else { 1 };
            all.into_iter().take(rows)
        };
        self.order.iter().flat_map(of)
    }

    /// Finds Λ and w; how many iterations it took, or `None` if it does not end.
    #[inline(always)]
    pub(super) fn iterate<A: Real>(&mut self, holding: f64) -> Option<usize> {
        compute_with::<A, _>(Iterations { newton: self, holding })
    }

    /// Makes all laws linear; the largest natural residual, and whether K stays what it was.
    #[inline(always)]
    fn linearise<A: Real>(&mut self, holding: f64) -> (f64, bool) {
        compute_with::<A, _>(Linearised { newton: self, holding })
    }
}

struct Iterations<'a> {
    newton: &'a mut Newton,
    holding: f64,
}

impl Computation for Iterations<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<usize> {
        let Self { newton, holding } = self;
        let (mut is_factored, mut before) = (false, f64::INFINITY);
        let has_pending =
            newton.contacts.iter().any(|of| of.pending != [0.0; 3]) || newton.singles.has_pending();
        for iteration in 0..MOST {
            let (error, stays) = newton.linearise::<A>(holding);
            let stagnates = error > 0.5 * before && error <= newton.accepted[1];
            // Velocities are those of the impulses after a step.
            let is_balanced = iteration > 0 || !has_pending;
            if is_balanced && (error <= newton.accepted[0] || stagnates) {
                return Some(iteration);
            }
            before = error;
            if error.is_nan() || !newton.advance::<A>(stays && is_factored) {
                return None;
            }
            is_factored = true;
        }
        None
    }
}

struct Linearised<'a> {
    newton: &'a mut Newton,
    holding: f64,
}

impl Computation for Linearised<'_> {
    type Output = (f64, bool);

    #[inline(always)]
    fn run<A: Real>(self) -> (f64, bool) {
        let Self { newton, holding } = self;
        let (mut error, mut stays) = (0.0, true);
        for of in &mut newton.contacts {
            let (of_contact, stay) =
                if of.rubs { of.linearise::<A>(holding) } else { of.press(holding) };
            (error, stays) = (worse(error, of_contact), stays & stay);
        }
        let (of_singles, stay) = newton.singles.linearise::<A>(holding);
        (worse(error, of_singles), stays & stay)
    }
}
