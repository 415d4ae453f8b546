//! What a robot brings to a step that is solved with others.

use super::super::candidate::{Candidate, Source};
use super::super::phase::Phase;
use super::super::residual::Residual;
use super::super::stepper::Core;
use super::super::{Conditions, Error};
use crate::kernel::{Computation, Real, compute};
use crate::model::Robot;

/// A robot in such a step.
pub(crate) struct Part<'a> {
    pub(crate) core: &'a mut Core,
    pub(crate) robot: Robot<'a>,
    /// (q, v) at the beginning.
    pub(crate) state: (&'a [f64], &'a [f64]),
    pub(crate) conditions: &'a Conditions,
    /// A number that it has as long as the robots are the same.
    pub(super) number: usize,
    /// Whether it is solved with all that pushes it, and how well its points with others are.
    pub(super) solved: bool,
    pub(super) residual: Residual,
    /// Its place in its island, and its first row in the problem.
    pub(super) node: usize,
    pub(super) first: usize,
}

impl<'a> Part<'a> {
    /// A robot that has [begun](Core::begin_coupled) the step, with a number that it has as long as the robots are the same.
    pub(crate) fn new(
        core: &'a mut Core,
        robot: Robot<'a>,
        state: (&'a [f64], &'a [f64]),
        (conditions, number): (&'a Conditions, usize),
    ) -> Self {
        let (solved, residual) = (false, Residual::default());
        Self { core, robot, state, conditions, number, solved, residual, node: 0, first: 0 }
    }

    /// Whether something that may touch does not slide at the beginning.
    pub(super) fn has_rest(&self) -> bool {
        self.core.has_rest(self.state.1)
    }

    /// Whether something of its own is included.
    pub(super) fn is_acted_on(&self) -> bool {
        self.core.candidates.iter().any(|candidate| candidate.included)
    }
}

impl Core {
    /// Begins a step that is solved with other robots: computes its motion without impulses, and lists what may act.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step), but for those of solvers.
    pub(crate) fn begin_coupled(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        during: (f64, f64),
        conditions: &Conditions,
    ) -> Result<(), Error> {
        let mut result = Ok(());
        let core = &mut *self;
        compute(Begin { core, robot, state, force, during, conditions, result: &mut result });
        result
    }

    /// As [`begin_coupled`](Self::begin_coupled), where it is inlined.
    #[inline(always)]
    fn begin_with_others<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        force: &[f64],
        (time, step_size): (f64, f64),
        conditions: &Conditions,
    ) -> Result<(), Error> {
        self.evaluate_given(robot, state, force, (time, step_size), conditions)?;
        self.together.is_used = false;
        self.coordinates.begin();
        self.compression.phase = Phase::Whole;
        self.evaluate_dynamics::<A>(robot, state, (time, step_size))?;
        if !self.explicit.springs.are_none() {
            self.explicit.springs.limit(step_size, &mut self.dynamics);
        }
        if !self.is_warm {
            self.forget();
        }
        self.list_candidates(state, (step_size, conditions), true);
        Ok(())
    }

    /// Lists what is included as a problem, without its matrix.
    pub(super) fn list(&mut self) {
        let Self { table, candidates, explicit, dynamics, problem, .. } = self;
        let included = candidates.iter().filter(|candidate| candidate.included);
        problem.clear();
        included.for_each(|candidate| candidate.push(table, explicit, dynamics, problem));
    }

    /// Rows of all that is included, and behind them those of points between robots, which are `beside`, (nv) each; with their
    /// responses.
    pub(super) fn collect<'b>(&mut self, beside: impl Iterator<Item = &'b [f64]> + Clone) {
        let Self { table, candidates, explicit, dynamics, problem, rows, .. } = self;
        let included = || candidates.iter().filter(|candidate| candidate.included);
        let is_contact = |of: &&Candidate| matches!(of.source, Source::Contact(_));
        self.contact_rows = included().filter(is_contact).map(Candidate::rows).sum();
        self.listed.clear();
        rows.clear(table.nv, problem.rows() + beside.clone().count());
        included().for_each(|candidate| candidate.push_rows(explicit, dynamics, rows));
        for row in beside {
            rows.push(1);
            dynamics.write_row(row.iter().copied(), rows);
        }
        dynamics.respond(rows);
    }

    /// Writes the impulses that its rows start from.
    pub(super) fn write_start(&self, impulses: &mut [f64]) {
        let included = self.candidates.iter().filter(|candidate| candidate.included);
        for (candidate, &first) in included.zip(&self.problem.firsts) {
            let impulses = &mut impulses[first..][..candidate.rows()];
            candidate.read(&self.start, &self.impulse.pairs, impulses);
        }
    }

    /// Goes on from the impulses of the last solution.
    pub(super) fn start_again(&mut self) {
        self.start.copy(&self.impulse);
    }

    /// Finds v⁺ by the impulses along its own rows and those `beside`.
    pub(super) fn move_by(&mut self, own: &[f64], beside: impl Iterator<Item = f64>) {
        self.pushed.clear();
        self.impulses.clear();
        self.impulses.extend_from_slice(own);
        self.impulses.extend(beside);
        self.move_by_rows();
    }

    /// Writes what is known when all is solved.
    pub(super) fn end_coupled(&mut self) {
        self.write_implicit();
        self.compression.keep(&mut self.impulse);
        self.overlap.write(&mut self.impulse);
    }

    /// v_free.
    pub(super) fn free(&self) -> &[f64] {
        self.dynamics.free()
    }
}

/// The beginning of such a step, to be run with the registers of the processor.
struct Begin<'a> {
    core: &'a mut Core,
    robot: Robot<'a>,
    state: (&'a [f64], &'a [f64]),
    force: &'a [f64],
    during: (f64, f64),
    conditions: &'a Conditions,
    result: &'a mut Result<(), Error>,
}

impl Computation for Begin<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Self { core, robot, state, force, during, conditions, result } = self;
        *result = core.begin_with_others::<A>(robot, state, force, during, conditions);
    }
}
