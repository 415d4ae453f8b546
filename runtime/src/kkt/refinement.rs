//! Refining a solution, and judging it.
//!
//! > (x, λ) ← (x, λ) + K⁺ ((f, g) − K (x, λ)),  K = \[M −Jᵀ; J 0\]
//!
//! as long as the residual, computed from the problem's own numbers, becomes smaller. Where rows depend on
//! one another, g is replaced by what the rows can have, and λ by the smallest that exerts the same force,
//! whatever scales the method works with.
//!
//! # Source
//!
//! Higham: Accuracy and Stability of Numerical Algorithms (2nd edition), chapter 12, on refinement.

use super::factorisation::Pivots;
use super::residual::ROUNDING;
use super::solver::{Factored, Solver};
use super::{Error, Method, Problem, Report};
use crate::slices::{add, zeros};

/// The largest residual of a solution.
const ACCEPTED: f64 = 1e-9;

/// The largest of the first attempt of [`Method::Adaptive`].
const FAST: f64 = 1e-11;

const MAX_REFINEMENTS: usize = 3;

impl Solver {
    /// Solves the factored problem, for its own f and g, into `x` and `lambda`, and again for what that
    /// leaves of the equations, as long as it becomes less.
    ///
    /// # Errors
    ///
    /// [`Error::NotConverged`] if too much is left, and those of the method.
    pub(super) fn refine(
        &mut self,
        factored: &Factored,
        problem: &Problem<'_>,
    ) -> Result<Report, Error> {
        let Pivots { rank, condition } = factored.pivots;
        zeros(&mut self.x, problem.coordinates());
        zeros(&mut self.lambda, problem.rows());
        self.residual.begin(problem);
        let mut report = Report { rank, condition, residual: f64::INFINITY, violation: 0.0 };
        let mut iterations = 0;
        while iterations <= MAX_REFINEMENTS && report.residual > ROUNDING {
            let residual = self.improve(factored, problem, iterations == 0)?;
            iterations += 1;
            let improved = residual < report.residual;
            if !improved {
                break;
            }
            core::mem::swap(&mut self.x, &mut self.trial.0);
            core::mem::swap(&mut self.lambda, &mut self.trial.1);
            report = Report { residual, violation: self.residual.violation, ..report };
        }
        let accepted = if factored.method == Method::Adaptive { FAST } else { ACCEPTED };
        if report.residual <= accepted {
            Ok(report)
        } else {
            Err(Error::NotConverged { residual: report.residual, iterations })
        }
    }

    /// What a solution that was found elsewhere is worth; errors are those of a factorisation.
    pub(crate) fn judge(
        &mut self,
        problem: &Problem<'_>,
        x: &[f64],
        lambda: &[f64],
    ) -> Result<Report, Error> {
        self.truncated(problem, |solver, problem| {
            solver.factored(problem, |solver, factored| {
                let deficient = factored.pivots.rank < problem.rows();
                let rows = deficient.then_some(&solver.rows);
                solver.residual.begin(problem);
                let residual = solver.residual.compute(problem, (x, lambda), rows);
                let violation = solver.residual.violation;
                Ok(Report { residual, violation, ..solver.untried(factored) })
            })
        })
    }

    /// The report of a factorisation that nothing has been solved with.
    pub(super) fn untried(&self, factored: &Factored) -> Report {
        let Pivots { rank, condition } = factored.pivots;
        Report { rank, condition, residual: 0.0, violation: 0.0 }
    }

    /// Solves for what is left of the equations and adds that to `x` and `lambda`, as a trial. Returns the
    /// trial's residual.
    fn improve(
        &mut self,
        factored: &Factored,
        problem: &Problem<'_>,
        first: bool,
    ) -> Result<f64, Error> {
        let deficient = factored.pivots.rank < problem.rows();
        if deficient && first {
            self.rows.project(&mut self.residual.target);
        }
        let (x, lambda) = &mut self.trial;
        let solution = (zeros(x, problem.coordinates()), zeros(lambda, problem.rows()));
        let side = (self.residual.force.as_slice(), self.residual.target.as_slice());
        let method = self.methods.choose(factored.method, self.dependent);
        method.solve(problem, &mut self.rows, side, solution)?;
        if deficient {
            self.rows.project(lambda);
        }
        add(x, 1.0, &self.x);
        add(lambda, 1.0, &self.lambda);
        let rows = deficient.then_some(&self.rows);
        Ok(self.residual.compute(problem, (x, lambda), rows))
    }
}
