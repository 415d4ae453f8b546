//! The solution of one step.
//!
//! Constraints that the free motion does not violate are left out of the problem at first. Those
//! that its solution violates are added and the problem is solved again, so that in the end nothing
//! that was left out would have acted. What declared constraints leave of errors is `correction`'s.

use alloc::vec;
use alloc::vec::Vec;

use super::candidate::{self, Candidate, Explicit, Sources};
use super::declared::Declared;
use super::dynamics::{Dynamics, Start};
use super::limit::{self, Spans};
use super::pairs::Pairs;
use super::problem::Problem;
use super::restitution::{Compression, Phase};
use super::rows::Rows;
use super::solvers::Solvers;
use super::spin::Spins;
use super::together::Together;
use super::yielding::Yielding;
use super::{Conditions, Error, Impulse};
use crate::description::{ContactParameters, Joint};
use crate::kernel::{Computation, Real, compute};
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

/// What solving a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Pivots or iterations of the solvers.
    pub pivots: usize,
    /// Problems solved.
    pub problems: usize,
}

/// Solves steps of a model in storage that is allocated once.
#[derive(Clone, Debug)]
pub struct Stepper<M: Model> {
    pub(super) contacts: Vec<ContactParameters>,
    pub(super) spans: Spans,
    pub(super) dry_friction: Vec<(usize, f64)>,
    pub(super) explicit: Explicit<M>,
    pub(super) dynamics: Dynamics<M>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) rows: Rows,
    pub(super) problem: Problem,
    pub(super) solvers: Solvers,
    pub(super) compression: Compression,
    pub(super) together: Together,
    /// The generalised force and what is added to the inertia of each coordinate, (nv).
    pub(super) force: M::V,
    pub(super) added: Vec<f64>,
    /// Along the rows.
    pub(super) impulses: Vec<f64>,
    /// Of each candidate in the rows, if it is a contact, which, and how many rows it has.
    pub(super) listed: Vec<Option<(usize, usize)>>,
    /// Rows of contacts, which are the first ones.
    pub(super) contact_rows: usize,
    pub(super) velocity: M::V,
    pub(super) impulse: Impulse,
    /// The largest error of a bilateral constraint at the end of the step.
    pub(super) violation: f64,
    /// What solvers start from: that of the last step, or of this one's last problem.
    pub(super) start: Impulse,
    /// Those of the model, [merged](manifold::merge).
    joints: Vec<Joint>,
    /// Of the corrections of a step, those that left the least error.
    pub(super) best: (M::V, Impulse),
}

impl<M: Model> Stepper<M> {
    /// Reads friction, restitution, limits and shapes from the model, once.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] and [`Error::Pair`] name a shape that is no solid, or a pair that cannot touch.
    pub fn new(model: &M) -> Result<Self, Error> {
        let coordinates = model.coordinate_parameters();
        Ok(Self {
            contacts: model.contact_parameters(),
            spans: Spans::new(M::JOINTS, &coordinates),
            dry_friction: limit::dry_friction(&coordinates),
            explicit: Explicit {
                declared: Declared::new::<M>(),
                pairs: Pairs::new(model)?,
                spins: Spins::new(model),
                yielding: Yielding::new::<M>(),
            },
            dynamics: Dynamics::new(model),
            candidates: Vec::new(),
            rows: Rows::default(),
            problem: Problem::default(),
            solvers: Solvers::default(),
            compression: Compression::new::<M>(),
            together: Together::new(&model.contact_parameters()),
            force: M::V::zeros(),
            added: vec![0.0; M::NV],
            impulses: Vec::new(),
            listed: Vec::new(),
            contact_rows: 0,
            velocity: M::V::zeros(),
            impulse: Impulse::zeros::<M>(),
            violation: 0.0,
            start: Impulse::zeros::<M>(),
            joints: manifold::merge(M::JOINTS),
            best: (M::V::zeros(), Impulse::zeros::<M>()),
        })
    }

    /// v⁺ of the last step; that of a floating joint in the axes that its child has at the beginning.
    pub fn velocity(&self) -> &M::V {
        &self.velocity
    }

    /// Writes where the last step leads, which began at `q`, and v⁺ in the axes of its end.
    pub(crate) fn write_end(
        &self,
        q: &M::Q,
        step_size: f64,
        (q_end, v_end): (&mut M::Q, &mut M::V),
    ) {
        let (q_end, v_end) = (q_end.as_mut_slice(), v_end.as_mut_slice());
        q_end.copy_from_slice(q.as_slice());
        v_end.copy_from_slice(self.velocity.as_slice());
        manifold::move_on(&self.joints, step_size, q_end, v_end);
    }

    /// Λ of the last step; the axes of contacts are those of
    /// [`contact_parameters_at`](Model::contact_parameters_at) where it began.
    pub fn impulse(&self) -> &Impulse {
        &self.impulse
    }

    /// φ of the contacts at the beginning of the last step.
    pub fn gaps(&self) -> &[f64] {
        self.dynamics.gap()
    }

    /// Forgets the last step, from whose impulses and bases the next one would start.
    pub fn forget(&mut self) {
        self.compression.forget(&mut self.impulse);
        self.impulse.clear();
        self.together.is_used = false;
        self.solvers.forget();
    }

    /// Finds v⁺ and Λ of a step of `step_size` seconds from `state` = (q, v) at `time` under the
    /// generalised force `force` (inputs, springs, dampers, wrenches; the bias force is not among
    /// it). What it finds is to be judged by its [`residual`](super::residual).
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] of a motor, the margin or the recovery; [`Error::TimeConstant`]; [`Error::MassMatrix`], [`Error::Gap`],
    /// [`Error::Pose`] and [`Error::Violated`] of the state;
    /// [`Error::Bilateral`], [`Error::Complementarity`], [`Error::Cone`] and [`Error::Jammed`] of the problem.
    /// `velocity` and `impulse` then hold nothing of use.
    pub fn step(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        force: &M::V,
        (time, step_size): (f64, f64),
        conditions: &Conditions,
    ) -> Result<Outcome, Error> {
        let mut outcome = Ok(Outcome::default());
        let during = (time, step_size);
        compute(Step {
            stepper: self,
            model,
            state,
            force,
            during,
            conditions,
            outcome: &mut outcome,
        });
        outcome
    }

    /// As [`step`](Self::step), where it is inlined.
    #[inline(always)]
    fn advance<A: Real>(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        force: &M::V,
        (time, step_size): (f64, f64),
        conditions: &Conditions,
    ) -> Result<Outcome, Error> {
        self.check(conditions)?;
        conditions.formulation.check(step_size)?;
        self.add_implicit(state, force, step_size, conditions);
        if M::NC > 0 {
            self.explicit.yielding.evaluate(model, state, (time, step_size), conditions);
        }
        let Self { force, added, dynamics, explicit, .. } = self;
        let yielding = &explicit.yielding;
        let start = Start { q: state.0, v: state.1, force, added, time, step_size, yielding };
        dynamics.evaluate(model, &start)?;
        if let Some(contact) = dynamics.gap().iter().position(|gap| gap.is_nan()) {
            return Err(Error::Gap { contact });
        }
        let laws = (step_size, conditions);
        self.explicit.declared.evaluate(model, state.0);
        self.explicit.pairs.evaluate(model, state, laws)?;
        self.explicit.spins.evaluate(model, state.0);
        let mut outcome = Outcome::default();
        if self.solve_together::<A>(state, laws, &mut outcome) {
            self.write_implicit(state.0, step_size, conditions);
            return Ok(outcome);
        }
        let Self { contacts, dry_friction, explicit, dynamics, .. } = self;
        let sources = &Sources { contacts, explicit, dry_friction };
        let state_slices = (state.0.as_slice(), state.1.as_slice());
        candidate::list(&mut self.candidates, sources, dynamics, state_slices, laws);
        self.compress(state, laws, &mut outcome)?;
        self.solve(state, (step_size, conditions), &mut outcome)?;
        self.correct(model, state, (time, step_size), conditions, &mut outcome);
        self.write_implicit(state.0, step_size, conditions);
        self.compression.keep(&mut self.impulse);
        Ok(outcome)
    }

    /// v⁺ and Λ of all that acts, from v_free.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        (q, v): (&M::Q, &M::V),
        laws: (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.velocity.as_mut_slice().copy_from_slice(self.dynamics.free());
        self.impulses.clear();
        self.rows.rewind();
        self.dynamics.rest();
        core::mem::swap(&mut self.impulse, &mut self.start);
        self.impulse.clear();
        self.explicit.pairs.list(&mut self.impulse.pairs);
        let state = (q.as_slice(), v.as_slice());
        let mut unfinished = self.include_violated(state, laws)
            || self.candidates.iter().any(|candidate| candidate.included);
        while unfinished {
            let formulation = &laws.1.formulation;
            self.arrange(formulation);
            outcome.pivots += if self.compression.phase == Phase::Expansion {
                self.expand(formulation)?
            } else {
                self.start();
                self.solvers.solve(formulation, &self.problem, &mut self.impulses)?
            };
            outcome.problems += 1;
            self.write();
            let Self { dynamics, rows, contact_rows, impulses, impulse, velocity, .. } = self;
            let along = (rows, *contact_rows);
            dynamics.accelerate(along, impulses, impulse, velocity.as_mut_slice());
            unfinished = self.include_violated(state, laws);
            if unfinished {
                self.start.copy(&self.impulse);
            }
        }
        Ok(())
    }

    /// Includes the contacts and limits that the current velocity violates; whether there are any.
    #[inline(always)]
    fn include_violated(
        &mut self,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
    ) -> bool {
        let Self { candidates, spans, explicit, dynamics, velocity, compression, .. } = self;
        let velocity = velocity.as_slice();
        let mut found = false;
        for candidate in candidates.iter_mut().filter(|candidate| !candidate.included) {
            candidate.included =
                candidate.is_violated(&conditions.formulation, explicit, dynamics, velocity);
            found |= candidate.included;
        }
        let state = (q, v, velocity);
        found | candidate::add_limits(candidates, spans, state, (h, conditions), compression.phase)
    }
}

/// A step, to be run with the registers of the processor: the compiler uses them in all that it inlines.
struct Step<'a, M: Model> {
    stepper: &'a mut Stepper<M>,
    model: &'a M,
    state: (&'a M::Q, &'a M::V),
    force: &'a M::V,
    during: (f64, f64),
    conditions: &'a Conditions,
    outcome: &'a mut Result<Outcome, Error>,
}

impl<M: Model> Computation for Step<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Self { stepper, model, state, force, during, conditions, outcome } = self;
        *outcome = stepper.advance::<A>(model, state, force, during, conditions);
    }
}
