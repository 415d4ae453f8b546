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
const ROUNDED: f64 = 1e-10;

/// By how much more than the first impulses may be off that are not found once more.
const FINE: f64 = 10.0;

/// Shares of the tolerance that these may be.
const SHARES: [f64; 2] = [0.05, 0.4];

/// Both for steps of a tolerance.
fn accepted(tolerance: f64) -> [f64; 2] {
    let [negligible, rounded] = SHARES.map(|share| share * tolerance);
    [NEGLIGIBLE.min(negligible), ROUNDED.min(rounded)]
}

impl Core {
    /// Whether it is asked for, and the robot suits it.
    pub(in crate::contact) fn may_solve_by_newton(&self) -> bool {
        self.by_velocities && self.newton.is_some() && !self.chains.is_used()
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
    fn iterate_newton<A: Real, const W: usize>(
        &mut self,
        formulation: &Formulation,
    ) -> Option<Solved> {
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
        if !newton.list::<A, W>((candidates, tree), formulation, &self.impulse) {
            return None;
        }
        newton.matrix.read_mass::<W>(tree);
        let mut iterations = newton.iterate::<A, W>(HOLDING)?;
        if asks {
            let most = largest(&problem.b);
            if !newton.settles::<A, W>(no_motion(&problem.settings.insisted(most), most)) {
                return None;
            }
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
            if newton.linearise(POLISHING).0 <= most {
                if !sums.are_moderate() {
                    return None;
                }
                break;
            }
            iterations += newton.iterate::<A, W>(holding?)?;
        }
        for (v, (free, change)) in self.velocity.iter_mut().zip(tree.free.iter().zip(tree.change()))
        {
            *v = free + change;
        }
        problem.write_softness(newton.softness());
        Some(Solved { pivots: iterations, solver: Solver::Newton })
    }
}

/// The method, with rows of one of the widths.
struct ByNewton<'a> {
    core: &'a mut Core,
    formulation: &'a Formulation,
}

struct WithWidth<'a, const W: usize>(ByNewton<'a>);

impl<const W: usize> Computation for WithWidth<'_, W> {
    type Output = Option<Solved>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<Solved> {
        let ByNewton { core, formulation } = self.0;
        core.iterate_newton::<A, W>(formulation)
    }
}

impl Computation for ByNewton<'_> {
    type Output = Option<Solved>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<Solved> {
        match self.core.newton.as_ref()?.matrix.width {
            2 => compute_with::<A, _>(WithWidth::<2>(self)),
            3 => compute_with::<A, _>(WithWidth::<3>(self)),
            4 => compute_with::<A, _>(WithWidth::<4>(self)),
            6 => compute_with::<A, _>(WithWidth::<6>(self)),
            8 => compute_with::<A, _>(WithWidth::<8>(self)),
            16 => compute_with::<A, _>(WithWidth::<16>(self)),
            _ => None,
        }
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
        for single in &mut self.singles {
            let [lower, upper] = single.bounds;
            single.lambda = single.lambda.max(lower).min(upper);
        }
    }

    /// Knows w under the last impulses of the tree.
    #[inline(always)]
    pub(super) fn refresh(&mut self, tree: &Tree) {
        for of in &mut self.contacts {
            let (free, change) = (tree.contact_free(of.contact), tree.contact_change(of.contact));
            of.w = core::array::from_fn(|k| free[k] + change[k] - of.target[k]);
        }
        for of in &mut self.singles {
            of.w = of.sign * (tree.free[of.v] + tree.change()[of.v]) - of.target;
        }
    }

    /// Λ of one of the contacts or coordinates.
    #[inline(always)]
    fn lambda(&self, (is_contact, k): (bool, usize)) -> [f64; 3] {
        if is_contact { self.contacts[k].lambda } else { [self.singles[k].lambda, 0.0, 0.0] }
    }

    #[inline(always)]
    fn rho(&self, (is_contact, k): (bool, usize)) -> f64 {
        if is_contact { self.contacts[k].rho } else { self.singles[k].rho }
    }

    /// σ of each row, in the order of the problem, if anything gives way.
    fn softness(&self) -> impl Iterator<Item = f64> {
        let of = |&(is_contact, k): &(bool, usize)| {
            let all = if is_contact {
                self.contacts[k].softness
            } else {
                [self.singles[k].softness, 0.0, 0.0]
            };
            let rows = if is_contact && self.contacts[k].rubs { 3 } else { 1 };
            all.into_iter().take(rows)
        };
        self.order.iter().flat_map(of)
    }

    /// Finds Λ and w; how many iterations it took, or `None` if it does not end.
    #[inline(always)]
    pub(super) fn iterate<A: Real, const W: usize>(&mut self, holding: f64) -> Option<usize> {
        let (mut is_factored, mut before) = (false, f64::INFINITY);
        for iteration in 0..MOST {
            let (error, stays) = self.linearise(holding);
            let stagnates = error > 0.5 * before && error <= self.accepted[1];
            if error <= self.accepted[0] || stagnates {
                return Some(iteration);
            }
            before = error;
            if error.is_nan() {
                return None;
            }
            if !(stays && is_factored) {
                self.assemble::<A, W>();
                if !self.matrix.factor::<A, W>() {
                    return None;
                }
                is_factored = true;
            }
            self.advance::<A, W>();
        }
        None
    }

    /// Makes all laws linear; the largest natural residual, and whether K stays what it was.
    #[inline(always)]
    fn linearise(&mut self, holding: f64) -> (f64, bool) {
        let (mut error, mut stays) = (0.0, true);
        for of in &mut self.contacts {
            error = worse(error, if of.rubs { of.linearise(holding) } else { of.press(holding) });
            stays &= of.stays;
        }
        for of in &mut self.singles {
            error = worse(error, of.linearise(holding));
            stays &= of.stays;
        }
        (error, stays)
    }

    /// Writes the matrix.
    #[inline(always)]
    fn assemble<A: Real, const W: usize>(&mut self) {
        let Self { matrix, bodies, contacts, singles, .. } = self;
        matrix.begin();
        bodies.all.iter_mut().for_each(super::bodies::Body::clear);
        for of in &*contacts {
            bodies.all[bodies.of[of.contact]].stiffen(of.arm.as_ref(), &of.stiffness);
        }
        bodies.add_to::<A, W>(matrix);
        for of in &*singles {
            matrix.add_at::<W>(of.v, of.stiffness);
        }
    }

    /// Takes the step.
    #[inline(always)]
    fn advance<A: Real, const W: usize>(&mut self) {
        let Self { matrix, bodies, contacts, singles, step, .. } = self;
        step.fill(0.0);
        for body in &mut bodies.all {
            body.along = [0.0; 6];
        }
        for of in &*contacts {
            bodies.all[bodies.of[of.contact]].push(of.arm.as_ref(), of.change);
        }
        bodies.add_force::<A, W>(&matrix.paths, step);
        for of in &*singles {
            step[of.v] += of.sign * of.change;
        }
        matrix.solve::<W>(step);
        bodies.multiply::<A, W>(&matrix.paths, step);
        for of in contacts {
            let moved = bodies.all[bodies.of[of.contact]].of_contact(of.arm.as_ref());
            for i in 0..3 {
                let held: f64 = (0..3).map(|j| of.stiffness[j][i] * moved[j]).sum();
                of.lambda[i] += of.change[i] - held;
                of.w[i] += moved[i];
            }
        }
        for of in singles {
            let moved = of.sign * step[of.v];
            of.lambda += of.change - of.stiffness * moved;
            of.w += moved;
        }
    }
}
