//! How well a step satisfies its equations, by the numbers that it was solved with.
//!
//! The same residuals as those of [`residual`](fn@super::residual), where J v⁺ comes from the response of
//! the impulses, and momentum from M as it was before it was factored; what they are compared with is
//! not of the solver. It takes a tenth of the time.

#[cfg(test)]
mod tests;

use super::candidate::{Candidate, Source};
use super::dynamics::Given;
use super::phase::Phase;
use super::residual::{Contact, Turn, ball, bounded};
use super::stepper::Core;
use super::sum::Sum;
use super::{Conditions, Residual};
use crate::kernel::{Computation, Real, compute};
use crate::slices::worse;

impl Core {
    /// The residual of the last step, which was of `step_size` seconds.
    pub(crate) fn residual(&mut self, step_size: f64, conditions: &Conditions) -> Residual {
        compute(Check { core: self, step_size, conditions })
    }

    /// As [`residual`](Self::residual), where it is inlined.
    #[inline(always)]
    pub(super) fn judge<A: Real>(&mut self, step_size: f64, conditions: &Conditions) -> Residual {
        let mut residual = match self.compression.phase {
            Phase::Expansion => self.compression.residual,
            _ => Residual::default(),
        };
        residual.momentum = self.momentum::<A>(step_size);
        residual.constraints = self.violation;
        if self.together.is_used {
            self.add_together::<A>(&conditions.formulation, &mut residual);
            if self.coordinates.are_used {
                self.judge_coordinates::<A>(&mut residual);
            }
        } else {
            self.add_candidates(conditions, &mut residual);
        }
        residual
    }

    /// Makes the residual worse by those of all candidates.
    #[inline(always)]
    pub(super) fn add_candidates(&self, conditions: &Conditions, residual: &mut Residual) {
        let strongest = self.impulse.strongest();
        let mut firsts = self.problem.firsts.iter();
        for candidate in &self.candidates {
            let first = candidate.included.then(|| firsts.next()).flatten();
            let rows = first.map_or(0..0, |&first| first..first + candidate.rows());
            let softness = self.problem.sigma.get(rows).unwrap_or_default();
            self.add(candidate, (softness, strongest), conditions, residual);
        }
    }

    /// Makes the residual worse by that of one candidate.
    #[inline(always)]
    fn add(
        &self,
        candidate: &Candidate,
        (softness, strongest): (&[f64], f64),
        conditions: &Conditions,
        residual: &mut Residual,
    ) {
        let (free, v, formulation) =
            (self.dynamics.free(), &self.velocity[..], &conditions.formulation);
        let as_contact = |whole: [f64; 3], end: [Sum; 3], directions: usize| {
            let w = Self::slack(candidate, end, whole, softness);
            self.contact(candidate, (whole, w), (directions, strongest))
        };
        let (contact, turn) = match candidate.source {
            Source::Contact(i) => {
                let end = self.dynamics.contact_end(i, v);
                let end = end.map(|[value, scale]| Sum { value, scale });
                let whole = self.impulse.local(i).into();
                let contact = as_contact(whole, end, self.table.contacts[i].directions);
                let turns = candidate.resists_turning();
                let end = || self.explicit.turning.end(i, free, v);
                (contact, turns.then(|| (self.impulse.turning(i), end())))
            }
            Source::Pair(i) => {
                let (pairs, point) = (&self.explicit.pairs, &self.impulse.pairs[i]);
                let [n, t, u, spin, x, y] = pairs.end(i, free, v);
                let contact = as_contact(point.impulse, [n, t, u], pairs.points[i].directions);
                let [_, _, _, turning @ ..] = point.along_rows();
                (contact, candidate.resists_turning().then_some((turning, [spin, x, y])))
            }
            Source::Ball { v: i, bound } => {
                let p = core::array::from_fn(|k| self.impulse.dry_friction[i + k]);
                let w = |k: usize| {
                    let terms = [v[i + k], -candidate.demand.target[k]];
                    Sum::of(terms.into_iter()).from(free[i + k])
                };
                let left = ball(p, core::array::from_fn(w), bound, formulation);
                residual.dry_friction = worse(residual.dry_friction, left);
                return;
            }
            _ => return self.add_row(candidate, softness, residual),
        };
        let [normal, friction] = contact.residual(formulation);
        residual.normal = worse(residual.normal, normal);
        residual.friction = worse(residual.friction, friction);
        if let Some((impulse, w)) = turn {
            let [_, _, _, before @ ..] = self.compression.of(candidate);
            let turn = Turn { impulse: core::array::from_fn(|k| impulse[k] - before[k]), w };
            let left = turn.residual(contact.impulse[0], candidate.coefficients());
            residual.friction = worse(residual.friction, left);
        }
    }

    /// A contact with the impulses of this phase of the step.
    #[inline(always)]
    fn contact(
        &self,
        candidate: &Candidate,
        (whole, w): ([f64; 3], [Sum; 3]),
        (directions, strongest): (usize, f64),
    ) -> Contact {
        let before = self.compression.of(candidate);
        let floor = match self.compression.phase {
            Phase::Expansion => candidate.restitution(&self.contacts, &self.explicit) * before[0],
            _ => 0.0,
        };
        let impulse = core::array::from_fn(|k| whole[k] - before[k]);
        Contact { impulse, floor, w, friction: candidate.friction, directions, strongest }
    }

    /// Makes the residual worse by that of a single row with bounds.
    #[inline(always)]
    fn add_row(&self, candidate: &Candidate, softness: &[f64], residual: &mut Residual) {
        let (free, v) = (self.dynamics.free(), &self.velocity[..]);
        let least = self.compression.of(candidate)[0];
        let (one_sided, both) = ([least, f64::INFINITY], [f64::NEG_INFINITY, f64::INFINITY]);
        let (part, [free, velocity], impulse, bounds) = match candidate.source {
            Source::Limit(limit) => {
                let impulse = self.impulse.limits[limit.v][usize::from(limit.upper)];
                let along = |v: &[f64]| limit.sign() * v[limit.v];
                (&mut residual.limits, [along(free), along(v)], impulse, one_sided)
            }
            Source::Declared(i) => {
                let along = |v: &[f64]| self.explicit.declared.velocity(i, v);
                let impulse = self.impulse.declared[i];
                (&mut residual.limits, [along(free), along(v)], impulse, one_sided)
            }
            Source::Constraint(k) => {
                let along = |v: &[f64]| self.explicit.yielding.velocity(k, v);
                let impulse = self.impulse.constraints[k];
                (&mut residual.constraints, [along(free), along(v)], impulse, both)
            }
            Source::Spring { line, place } => {
                let along = |v: &[f64]| self.explicit.springs.velocity(line, v);
                let impulse = self.impulse.springs[place];
                (&mut residual.springs, [along(free), along(v)], impulse, both)
            }
            Source::Motor { v: i, bound } => {
                (&mut residual.motors, [free[i], v[i]], self.impulse.motors[i], [-bound, bound])
            }
            Source::DryFriction { v: i, bound } => {
                let (impulse, bounds) = (self.impulse.dry_friction[i], [-bound, bound]);
                (&mut residual.dry_friction, [free[i], v[i]], impulse, bounds)
            }
            Source::Contact(_) | Source::Pair(_) | Source::Ball { .. } => return,
        };
        let soft = softness.first().map_or(0.0, |sigma| sigma * impulse);
        let w = Sum::of([velocity, -candidate.demand.target[0], soft].into_iter()).from(free);
        *part = worse(*part, bounded(impulse, w.relative(), bounds));
    }

    /// J v⁺ − target + σ Λ of a contact.
    #[inline(always)]
    fn slack(
        candidate: &Candidate,
        end: [Sum; 3],
        impulse: [f64; 3],
        softness: &[f64],
    ) -> [Sum; 3] {
        core::array::from_fn(|k| {
            let soft = softness.get(k).map_or(0.0, |sigma| sigma * impulse[k]);
            let mut w = end[k];
            [-candidate.demand.target[k], soft].into_iter().for_each(|term| w.add(term));
            w
        })
    }

    /// What is missing of the momentum balance.
    #[inline(always)]
    fn momentum<A: Real>(&mut self, step_size: f64) -> f64 {
        let Self {
            dynamics,
            rows,
            impulses,
            pushed,
            velocity,
            impulse,
            carried,
            force,
            coordinates,
            ..
        } = self;
        let given = Given { carried, force, pushed, slopes: coordinates.slopes(), step_size };
        dynamics.imbalance::<A>(&given, velocity, (rows, impulses), &impulse.constraints)
    }
}

/// A check, to be run with the registers of the processor: the compiler uses them in all that it inlines.
struct Check<'a> {
    core: &'a mut Core,
    step_size: f64,
    conditions: &'a Conditions,
}

impl Computation for Check<'_> {
    type Output = Residual;

    #[inline(always)]
    fn run<A: Real>(self) -> Residual {
        self.core.judge::<A>(self.step_size, self.conditions)
    }
}
