//! How a step whose contacts act alone is solved.

use super::Together;
use crate::arithmetic::Lanes;
use crate::cone::Rows;
use crate::contact::conditions::Conditions;
use crate::contact::dynamics::sum_of;
use crate::contact::formulation::Formulation;
use crate::contact::phase::Phase;
use crate::contact::residual::Residual;
use crate::contact::solver::{Outcome, Solved, Solver};
use crate::contact::stepper::Core;
use crate::fours;
use crate::kernel::Real;
use crate::slices::worse;

impl Core {
    /// Whether contacts and what acts on single coordinates are all that can act in a step.
    #[inline(always)]
    pub(in crate::contact) fn suits_together(&self, (h, conditions): (f64, &Conditions)) -> bool {
        self.together.suits(conditions) && self.explicit.is_empty(h)
    }

    /// Finds v⁺ and Λ where contacts act alone; returns whether it has. It is called where no dry friction, motor or limit
    /// [may act](Self::may_coordinates_act).
    #[inline(always)]
    pub(in crate::contact) fn solve_together<A: Real>(
        &mut self,
        q: &[f64],
        laws: (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> bool {
        let (h, conditions) = laws;
        if !self.suits_together(laws) {
            self.together.is_used = false;
            return false;
        }
        self.know_mobility::<A>(false);
        self.begin_together();
        let margin = conditions.formulation.normal().margin();
        if !self.solve_contacts_together::<A>(laws, true, outcome)
            || !self.spans.are_free::<A>((q, &self.velocity), h, margin)
        {
            return false;
        }
        self.write_together::<A>(!conditions.motors.is_empty());
        true
    }

    /// Lets contacts give way by the diagonal of A as it is now, if `known`, or else by that of the problem.
    #[inline(always)]
    pub(in crate::contact) fn know_mobility<A: Real>(&mut self, known: bool) {
        let Self { together: Together { fours, star, .. }, dynamics, .. } = self;
        let tree = if known { dynamics.star() } else { None };
        let Some(tree) = tree else {
            fours.iter_mut().for_each(|four| four.mobility = None);
            return;
        };
        tree.begin_star(star);
        for (k, four) in fours.iter_mut().enumerate() {
            tree.add_four::<A>(k, star);
            let [n, x, y] = star.diagonal::<A>(k);
            four.mobility = Some([n.unpack(), x.unpack(), y.unpack()]);
        }
    }

    /// Takes the impulses that contacts start from.
    #[inline(always)]
    pub(in crate::contact) fn begin_together(&mut self) {
        let Self { together, is_warm, .. } = self;
        together.was_used = core::mem::take(&mut together.is_used);
        if !*is_warm {
            together.forget_answers();
        }
        if !(*is_warm && together.was_used) {
            self.restart_together();
        }
    }

    /// Takes those of the last step again.
    #[inline(always)]
    pub(in crate::contact) fn restart_together(&mut self) {
        let Self { together, is_warm, impulse, .. } = self;
        for (k, four) in together.fours.iter_mut().enumerate() {
            if *is_warm {
                four.start(k, impulse);
            } else {
                four.contacts.lambda = Rows::default();
            }
        }
    }

    /// Finds v⁺ under impulses of contacts that [suit](Self::suits_together) this; whether it has. If they act `alone`, a solution at rest is looked for where one may be;
    /// else [`may_rest`](Together::may_rest) says so.
    #[inline(always)]
    pub(in crate::contact) fn solve_contacts_together<A: Real>(
        &mut self,
        (h, conditions): (f64, &Conditions),
        alone: bool,
        outcome: &mut Outcome,
    ) -> bool {
        let settings = Phase::Whole.settings(self.tolerance);
        let Self { together, dynamics, contacts, velocity, .. } = self;
        let Some(tree) = dynamics.star() else { return false };
        let formulation = &conditions.formulation;
        (together.may_rest, together.is_relaxed) = (false, false);
        let (mut any, mut size) = (false, A::Quad::splat(0.0));
        for (k, four) in together.fours.iter_mut().enumerate() {
            four.begin::<A>(&tree.four(k), (k, contacts), (h, conditions));
            four.include::<A>(formulation, &mut size);
            any |= four.is_included;
        }
        if any && tree.is_crowded() && !together.spread(tree) {
            return false;
        }
        if any {
            // Beside what is light b may be so large that a residual relative to it is too much for the step.
            let most = fours::largest::<A>(size);
            let accepted = settings.insisted(most).accepted(most);
            together.accepted = accepted;
            let solved = match together.only_four(tree) {
                Some(only) => {
                    together.solve_in_place::<A>(tree, only, (formulation, alone, accepted))
                }
                None => together.solve::<A>(tree, (formulation, alone, accepted)),
            };
            let Some(iterations) = solved else { return false };
            together.shorten(tree, formulation);
            outcome.add(Solved { pivots: iterations, solver: Solver::SideBySide });
            tree.accelerate_contacts(together.fours.iter().map(|four| &four.contacts.lambda));
            for (k, four) in together.fours.iter().enumerate() {
                let change = tree.four_changes(k);
                if four.leaves_out()
                    && !four.needs_nothing::<A>(&change, formulation)
                    && four.is_moved_into(&change, formulation)
                {
                    return false;
                }
            }
        } else {
            tree.rest();
        }
        let mut apart = together.fours.iter().enumerate().filter(|(_, four)| four.has_apart());
        if apart.any(|(k, four)| four.is_closed(&tree.four_changes(k))) {
            return false;
        }
        sum_of(&mut velocity[..self.table.nv], &tree.free[..self.table.nv], 1.0, tree.change());
        true
    }

    /// Whether the solution stays, as [`rest`](super::super::rest) has it, while what acts on coordinates is linear as it is now. If so,
    /// writes the velocity at the end by the convex law, (nv).
    #[inline(always)]
    pub(in crate::contact) fn stays_together<A: Real>(
        &mut self,
        formulation: &Formulation,
        velocity: &mut [f64],
    ) -> bool {
        let Self { together, dynamics, table, .. } = self;
        let Some(tree) = dynamics.star() else { return false };
        if !together.stays::<A>(tree, formulation) {
            return false;
        }
        tree.accelerate_contacts(together.answer());
        sum_of(&mut velocity[..table.nv], &tree.free[..table.nv], 1.0, tree.change());
        tree.accelerate_contacts(together.fours.iter().map(|four| &four.contacts.lambda));
        true
    }

    /// Writes the impulses of contacts and clears all others, of which this step `has_others`.
    #[inline(always)]
    pub(in crate::contact) fn write_together<A: Real>(&mut self, has_others: bool) {
        let Self { together, impulse, compression, violation, .. } = self;
        if together.was_used {
            if together.has_others {
                impulse.motors.fill(0.0);
                impulse.dry_friction.fill(0.0);
                impulse.limits.fill([0.0; 2]);
            }
        } else {
            compression.forget(impulse);
            impulse.clear();
        }
        together.strongest = together.write::<A>(impulse);
        (compression.phase, *violation) = (Phase::Whole, 0.0);
        (together.is_used, together.has_others) = (true, has_others);
    }

    /// Makes the residual worse by that of the contacts of such a step.
    #[inline(always)]
    pub(in crate::contact) fn add_together<A: Real>(
        &mut self,
        formulation: &Formulation,
        residual: &mut Residual,
    ) {
        let Self { together, dynamics, .. } = self;
        let Some(tree) = dynamics.star() else { return };
        for (k, four) in together.fours.iter().enumerate() {
            let change = tree.four_changes(k);
            if !four.is_included && four.needs_nothing::<A>(&change, formulation) {
                continue;
            }
            let end = four.end::<A>(&change, together.strongest);
            let [normal, friction] = end.residual(formulation, &together.sides[k]);
            residual.normal = worse(residual.normal, normal);
            residual.friction = worse(residual.friction, friction);
        }
    }
}
