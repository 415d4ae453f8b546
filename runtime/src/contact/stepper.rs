//! The solution of one step.
//!
//! Constraints that the free motion does not violate are left out of the problem at first. Those
//! that its solution violates are added and the problem is solved again, so that in the end nothing
//! that was left out would have acted. What declared constraints leave of errors is `correction`'s.

use alloc::vec;
use alloc::vec::Vec;

use super::candidate::{self, Candidate, Source, Sources};
use super::declared::Declared;
use super::dynamics::{Dynamics, Start};
use super::limit::{self, Limit};
use super::problem::Problem;
use super::rows::Rows;
use super::solvers::Solvers;
use super::{Conditions, Error, Impulse};
use crate::description::ContactParameters;
use crate::model::Model;
use crate::slices;
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
    contacts: Vec<ContactParameters>,
    limits: Vec<Limit>,
    dry_friction: Vec<(usize, f64)>,
    pub(super) declared: Declared,
    pub(super) dynamics: Dynamics<M>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) rows: Rows,
    pub(super) problem: Problem,
    solvers: Solvers,
    /// The generalised force and what is added to the inertia of each coordinate, (nv).
    pub(super) force: M::V,
    pub(super) added: Vec<f64>,
    /// Along the rows.
    pub(super) impulses: Vec<f64>,
    /// Of the impulses, in sum, (nv).
    pub(super) response: Vec<f64>,
    pub(super) velocity: M::V,
    pub(super) impulse: Impulse,
    /// The largest error of a bilateral constraint at the end of the step.
    pub(super) violation: f64,
    /// What solvers start from: that of the last step, or of this one's last problem.
    pub(super) start: Impulse,
    /// Of the corrections of a step, those that left the least error.
    pub(super) best: (M::V, Impulse),
}

impl<M: Model> Stepper<M> {
    /// Reads friction, restitution and limits from the model, once.
    pub fn new(model: &M) -> Self {
        let coordinates = model.coordinate_parameters();
        Self {
            contacts: model.contact_parameters(),
            limits: limit::limits(M::JOINTS, &coordinates),
            dry_friction: limit::dry_friction(&coordinates),
            declared: Declared::new::<M>(),
            dynamics: Dynamics::new(model),
            candidates: Vec::new(),
            rows: Rows::default(),
            problem: Problem::default(),
            solvers: Solvers::default(),
            force: M::V::zeros(),
            added: vec![0.0; M::NV],
            impulses: Vec::new(),
            response: vec![0.0; M::NV],
            velocity: M::V::zeros(),
            impulse: Impulse::zeros::<M>(),
            violation: 0.0,
            start: Impulse::zeros::<M>(),
            best: (M::V::zeros(), Impulse::zeros::<M>()),
        }
    }

    /// v⁺ of the last step; that of a floating joint in the axes that its child has at the beginning.
    pub fn velocity(&self) -> &M::V {
        &self.velocity
    }

    /// Λ of the last step.
    pub fn impulse(&self) -> &Impulse {
        &self.impulse
    }

    /// φ of the contacts at the beginning of the last step.
    pub fn gaps(&self) -> &[f64] {
        self.dynamics.gap()
    }

    /// Friction, restitution and axes of the contacts; the axes are NaN of those whose normals turn.
    pub fn contacts(&self) -> &[ContactParameters] {
        &self.contacts
    }

    /// Forgets the last step, from whose impulses the next one would start.
    pub fn forget(&mut self) {
        self.impulse.clear();
    }

    /// Finds v⁺ and Λ of a step of `step_size` seconds from `state` = (q, v) at `time` under the
    /// generalised force `force` (inputs, springs, dampers, wrenches; the bias force is not among
    /// it). What it finds is to be judged by its [`residual`](super::residual).
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] of a motor; [`Error::MassMatrix`], [`Error::Gap`] and [`Error::Violated`] of the state;
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
        conditions.check()?;
        self.add_implicit(state, force, step_size, conditions);
        let Self { force, added, dynamics, .. } = self;
        let start = Start { q: state.0, v: state.1, force, added, time, step_size };
        dynamics.evaluate(model, &start)?;
        if let Some(contact) = dynamics.gap().iter().position(|gap| gap.is_nan()) {
            return Err(Error::Gap { contact });
        }
        self.declared.evaluate(model, state.0);
        let Self { contacts, dry_friction, declared, dynamics, .. } = self;
        let sources = Sources { contacts, declared, dry_friction };
        let state_slices = (state.0.as_slice(), state.1.as_slice());
        let laws = (step_size, conditions);
        candidate::list(&mut self.candidates, sources, dynamics, state_slices, laws);
        let mut outcome = Outcome::default();
        self.solvers.forget();
        self.solve(state, (step_size, conditions), &mut outcome)?;
        self.correct(model, state, (time, step_size), conditions, &mut outcome);
        self.write_implicit(state.0, step_size, conditions);
        Ok(outcome)
    }

    /// v⁺ and Λ of all that acts, from v_free.
    pub(super) fn solve(
        &mut self,
        (q, v): (&M::Q, &M::V),
        laws: (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.velocity.as_mut_slice().copy_from_slice(self.dynamics.free());
        self.impulses.clear();
        self.rows.clear(M::NV, 0);
        self.response.fill(0.0);
        core::mem::swap(&mut self.impulse, &mut self.start);
        self.impulse.clear();
        let state = (q.as_slice(), v.as_slice());
        let mut unfinished = self.include_violated(state, laws)
            || self.candidates.iter().any(|candidate| candidate.included);
        while unfinished {
            self.collect_rows();
            self.problem.evaluate(&self.rows);
            self.start();
            outcome.pivots +=
                self.solvers.solve(&laws.1.formulation, &self.problem, &mut self.impulses)?;
            outcome.problems += 1;
            self.write();
            self.accelerate();
            unfinished = self.include_violated(state, laws);
            if unfinished {
                self.start.clone_from(&self.impulse);
            }
        }
        Ok(())
    }

    /// v⁺ from v_free and the impulses along the rows; the response of the latter is kept.
    fn accelerate(&mut self) {
        let response = self.rows.respond_to(&self.impulses);
        self.response.copy_from_slice(response);
        self.dynamics.realize(response);
        let parts = self.dynamics.free().iter().zip(response);
        let velocity = self.velocity.as_mut_slice().iter_mut().zip(parts);
        velocity.for_each(|(v, (free, change))| *v = free + *change);
    }

    /// Includes the contacts and limits that the current velocity violates; whether there are any.
    fn include_violated(
        &mut self,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
    ) -> bool {
        let Self { candidates, limits, declared, dynamics, response, velocity, .. } = self;
        let made = (response.as_slice(), velocity.as_slice());
        let mut found = false;
        for candidate in candidates.iter_mut().filter(|candidate| !candidate.included) {
            candidate.included =
                candidate.is_violated(&conditions.formulation, declared, dynamics, made);
            found |= candidate.included;
        }
        let state = (q, v, velocity.as_slice());
        found | candidate::add_limits(candidates, limits, state, (h, conditions))
    }

    /// Lists the rows of what is included.
    fn collect_rows(&mut self) {
        let included = || self.candidates.iter().filter(|candidate| candidate.included);
        self.rows.clear(M::NV, included().map(Candidate::rows).sum());
        self.problem.clear();
        for candidate in included() {
            let directions = match candidate.source {
                Source::Contact(i) => M::CONTACTS[i].directions,
                _ => 0,
            };
            candidate.push(
                &self.declared,
                &mut self.dynamics,
                directions,
                &mut self.rows,
                &mut self.problem,
            );
        }
        self.dynamics.respond(&mut self.rows);
    }

    /// The impulses along the rows that are known from before.
    pub(super) fn start(&mut self) {
        slices::zeros(&mut self.impulses, self.rows.count());
        let included = self.candidates.iter().filter(|candidate| candidate.included);
        for (candidate, part) in included.zip(&self.problem.parts) {
            let rows = part.first..part.first + part.kind.rows();
            candidate.read(&self.start, &mut self.impulses[rows]);
        }
    }

    /// Sorts the impulses along the rows by what they act on.
    fn write(&mut self) {
        let included = self.candidates.iter().filter(|candidate| candidate.included);
        for (candidate, part) in included.zip(&self.problem.parts) {
            let rows = part.first..part.first + part.kind.rows();
            candidate.write(&self.impulses[rows], &mut self.impulse);
        }
    }
}
