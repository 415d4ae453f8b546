//! How well a step satisfies its equations, by the numbers that it was solved with.
//!
//! The same residuals as those of [`residual`](fn@super::residual), where J v⁺ comes from the response of
//! the impulses, and momentum from inverse dynamics where M was factored; what they are compared with is
//! not of the solver. It takes a tenth of the time.

use super::candidate::{Candidate, Source};
use super::dynamics::Start;
use super::residual::{Contact, Sum, bounded};
use super::stepper::Stepper;
use super::{Conditions, Residual};
use crate::model::Model;
use crate::slices::worse;
use crate::space::Storage;

impl<M: Model> Stepper<M> {
    /// The residual of the last step, which was from `state` = (q, v) over `step_size` seconds.
    pub fn residual(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        step_size: f64,
        conditions: &Conditions,
    ) -> Residual {
        let mut residual = Residual {
            momentum: self.momentum(model, state, step_size),
            constraints: self.violation,
            ..Residual::default()
        };
        let strongest = self.impulse.normal.iter().copied().fold(0.0, f64::max);
        let mut parts = self.problem.parts.iter();
        for candidate in &self.candidates {
            let part = candidate.included.then(|| parts.next()).flatten();
            let rows = part.map_or(0..0, |part| part.first..part.first + part.kind.rows());
            let softness = self.problem.sigma.get(rows).unwrap_or_default();
            self.add(candidate, (softness, strongest), conditions, &mut residual);
        }
        residual
    }

    /// Makes the residual worse by that of one candidate.
    fn add(
        &self,
        candidate: &Candidate,
        (softness, strongest): (&[f64], f64),
        conditions: &Conditions,
        residual: &mut Residual,
    ) {
        let v = self.velocity.as_slice();
        let row = match candidate.source {
            Source::Contact(i) => {
                let impulse = self.impulse.local(i).into();
                let [normal, friction] = Contact {
                    impulse,
                    w: self.of_contact(candidate, i, impulse, softness),
                    friction: candidate.friction,
                    directions: M::CONTACTS[i].directions,
                    strongest,
                }
                .residual(&conditions.formulation);
                residual.normal = worse(residual.normal, normal);
                residual.friction = worse(residual.friction, friction);
                return;
            }
            Source::Limit(limit) => {
                let impulse = self.impulse.limits[limit.v][usize::from(limit.upper)];
                let velocity = limit.sign() * v[limit.v];
                (&mut residual.limits, velocity, impulse, [0.0, f64::INFINITY])
            }
            Source::Declared(i) => {
                let (velocity, impulse) = (self.declared.velocity(i, v), self.impulse.declared[i]);
                (&mut residual.limits, velocity, impulse, [0.0, f64::INFINITY])
            }
            Source::Motor { v: i, bound } => {
                (&mut residual.motors, v[i], self.impulse.motors[i], [-bound, bound])
            }
            Source::DryFriction { v: i, bound } => {
                (&mut residual.dry_friction, v[i], self.impulse.dry_friction[i], [-bound, bound])
            }
        };
        let (part, velocity, impulse, bounds) = row;
        let soft = softness.first().map_or(0.0, |sigma| sigma * impulse);
        let w = Sum::of([velocity, -candidate.demand.target[0], soft].into_iter());
        *part = worse(*part, bounded(impulse, w.relative(), bounds));
    }

    /// J v⁺ − target + σ Λ of a contact.
    fn of_contact(
        &self,
        candidate: &Candidate,
        contact: usize,
        impulse: [f64; 3],
        softness: &[f64],
    ) -> [Sum; 3] {
        let end = self.dynamics.contact_end(contact, (&self.response, self.velocity.as_slice()));
        core::array::from_fn(|k| {
            let soft = softness.get(k).map_or(0.0, |sigma| sigma * impulse[k]);
            let [value, scale] = end[k];
            let mut w = Sum { value, scale };
            [-candidate.demand.target[k], soft].into_iter().for_each(|term| w.add(term));
            w
        })
    }

    /// The largest entry of (M + δ)(v⁺ − ṽ) − h (f − b) − Gᵀ Λ, each by its largest term if that is above one.
    fn momentum(&mut self, model: &M, (q, v): (&M::Q, &M::V), h: f64) -> f64 {
        let Self { dynamics, rows, impulses, force, added, velocity, impulse, .. } = self;
        let mut p = M::V::zeros();
        rows.add_force(impulses, p.as_mut_slice());
        dynamics.generalize(&impulse.constraints, p.as_mut_slice());
        let start = Start { q, v, force, added, time: f64::NAN, step_size: h };
        let [inverse, size] = dynamics.inverse(model, &start, velocity);
        let of = |i: usize| {
            let sum = Sum::of([inverse[i], -h * force[i], -p[i]].into_iter());
            Sum { scale: worse(sum.scale, size[i]), ..sum }
        };
        (0..M::NV).map(|i| of(i).relative().abs()).fold(0.0, worse)
    }
}
