//! Solving with a method, refining, and judging what was found.
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

use alloc::vec::Vec;

use super::articulated::Articulated;
use super::dense::{Dense, Orthogonal};
use super::direct::Direct;
use super::factorisation::{Factorisation, Pivots, SINGULAR};
use super::null_space::NullSpace;
use super::problem::check_length;
use super::proximal::Proximal;
use super::range_space::RangeSpace;
use super::residual::{ROUNDING, Residual};
use super::slices::{add, sqrt, zeros};
use super::{Error, Method, Problem, Report, rows};

/// The largest residual of a solution.
const ACCEPTED: f64 = 1e-9;

/// The largest of the first attempt of [`Method::Adaptive`].
const FAST: f64 = 1e-11;

const MAX_REFINEMENTS: usize = 3;

/// A row of which less than so much is independent of others depends on them.
pub(super) const DEPENDENT: f64 = 1e-8;

/// The pivots of M and A down to which [`Method::Adaptive`] trusts them.
const TRUSTED: (f64, f64) = (1e-10, 1e-9);

/// Solves problems with one method, in room that is allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Solver {
    method: Method,
    dependent: f64,
    methods: Methods,
    rows: Orthogonal,
    transposed: Vec<f64>,
    residual: Residual,
    pub(super) x: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    trial: (Vec<f64>, Vec<f64>),
    /// A force of zeros and a unit target.
    pub(super) unit: (Vec<f64>, Vec<f64>),
    /// What the constraint's coordinates and multipliers answer to unit targets, (n, m) and (m, m).
    pub(super) responses: (Vec<f64>, Vec<f64>),
}

/// The room of each method; what is not used stays empty.
#[derive(Clone, Debug, Default)]
struct Methods {
    range_space: RangeSpace,
    null_space: NullSpace,
    direct: Direct,
    articulated: Articulated,
    proximal: Proximal,
}

impl Methods {
    /// [`Method::Adaptive`] is its first attempt here.
    fn choose(&mut self, method: Method, dependent: f64) -> &mut dyn Factorisation {
        match method {
            Method::Adaptive => {
                let least = (TRUSTED.0, TRUSTED.1.max(dependent * dependent));
                self.range_space.choose(Dense::Cholesky, least)
            }
            Method::RangeSpace(dense) => self.range_space.choose(dense, SINGULAR),
            Method::NullSpace => &mut self.null_space,
            Method::Direct(dense) => self.direct.choose(dense),
            Method::Articulated(dense) => self.articulated.choose(dense),
            Method::Proximal => &mut self.proximal,
        }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Method::default())
    }
}

impl Solver {
    /// A solver without room yet: the first problem of a size allocates.
    pub fn new(method: Method) -> Self {
        Self {
            method,
            dependent: DEPENDENT,
            methods: Methods::default(),
            rows: Orthogonal::default(),
            transposed: Vec::new(),
            residual: Residual::default(),
            x: Vec::new(),
            lambda: Vec::new(),
            trial: (Vec::new(), Vec::new()),
            unit: (Vec::new(), Vec::new()),
            responses: (Vec::new(), Vec::new()),
        }
    }

    /// With another threshold of the rank: a row depends on others if less than so much of its length is at
    /// right angles to them; 1e-8 unless stated. Methods that factor A = J M⁻¹ Jᵀ, its square, do not see
    /// below 1e-6.
    #[must_use]
    pub fn rank_threshold(mut self, threshold: f64) -> Self {
        self.dependent = threshold;
        self
    }

    /// The threshold from now on, but at least the one unless stated.
    pub(crate) fn set_rank_threshold(&mut self, threshold: f64) {
        self.dependent = threshold.max(DEPENDENT);
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Solves M x − Jᵀ λ = f, J x = g: writes x, (n), and λ, (m).
    ///
    /// # Errors
    ///
    /// [`Error`], with `x` and `lambda` as they were.
    pub fn solve(
        &mut self,
        problem: &Problem<'_>,
        x: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<Report, Error> {
        check_length("x", x, problem.coordinates())?;
        check_length("lambda", lambda, problem.rows())?;
        let report = self.factored(problem, |solver, factored| solver.refine(factored, problem))?;
        x.copy_from_slice(&self.x);
        lambda.copy_from_slice(&self.lambda);
        Ok(report)
    }

    /// Factors the problem and does what is to be done with the factors; with those of the fallback, if
    /// there is one and it must be.
    pub(super) fn factored<T>(
        &mut self,
        problem: &Problem<'_>,
        mut work: impl FnMut(&mut Self, &Factored) -> Result<T, Error>,
    ) -> Result<T, Error> {
        problem.check_shape(matches!(self.method, Method::Articulated(_)))?;
        let mut attempt = |solver: &mut Self, method| {
            let pivots = solver.factor(method, problem)?;
            work(solver, &Factored { method, pivots })
        };
        let mut found = attempt(self, self.method);
        if found.is_err() && self.method == Method::Adaptive {
            found = attempt(self, Method::NullSpace);
        }
        found.or_else(|error| {
            problem.check_finite()?;
            Err(error)
        })
    }

    fn factor(&mut self, method: Method, problem: &Problem<'_>) -> Result<Pivots, Error> {
        // Pivots see the rows in the metric of M⁻¹, where a light coordinate makes much of little.
        let beside = method == Method::Adaptive && self.dependent > DEPENDENT;
        if method.takes_rank() || beside {
            rows::factor(&mut self.rows, &mut self.transposed, problem, self.dependent);
        }
        if beside && self.rows.rank() < problem.rows() {
            return Err(Error::RankDeficient { rank: self.rows.rank(), rows: problem.rows() });
        }
        let found = self.methods.choose(method, self.dependent).factor(problem, &self.rows);
        let at_least_one =
            |pivots: Pivots| Pivots { condition: pivots.condition.max(1.0), ..pivots };
        match found.map(at_least_one) {
            Err(Error::RankDeficient { rows, .. }) if !method.takes_rank() => {
                let threshold = self.dependent.max(sqrt(SINGULAR.1));
                rows::factor(&mut self.rows, &mut self.transposed, problem, threshold);
                match self.rows.rank() {
                    rank if rank < rows => Err(Error::RankDeficient { rank, rows }),
                    _ => Err(Error::IllConditioned { condition: 1.0 / SINGULAR.1 }),
                }
            }
            found => found,
        }
    }

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
        self.factored(problem, |solver, factored| {
            let deficient = factored.pivots.rank < problem.rows();
            let rows = deficient.then_some(&solver.rows);
            solver.residual.begin(problem);
            let residual = solver.residual.compute(problem, (x, lambda), rows);
            let violation = solver.residual.violation;
            Ok(Report { residual, violation, ..solver.untried(factored) })
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

/// By which method the problem is factored, and what that told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factored {
    method: Method,
    pivots: Pivots,
}
