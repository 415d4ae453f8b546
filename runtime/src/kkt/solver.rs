//! Solving with a method, and with another where that must be.

use alloc::vec::Vec;

use super::articulated::Articulated;
use super::dense::{Dense, Orthogonal};
use super::direct::Direct;
use super::factorisation::{Factorisation, Pivots, SINGULAR};
use super::null_space::NullSpace;
use super::problem::check_length;
use super::proximal::Proximal;
use super::range_space::RangeSpace;
use super::residual::Residual;
use super::{Error, Method, Problem, Report, rows};
use crate::slices::{copy, sqrt};

/// A row of which less than so much is independent of others depends on them.
pub(super) const DEPENDENT: f64 = 1e-8;

/// The pivots of M and A down to which [`Method::Adaptive`] trusts them.
const TRUSTED: (f64, f64) = (1e-10, 1e-9);

/// Solves problems with one method, in room that is allocated once and grown to the largest.
#[derive(Clone, Debug)]
pub struct Solver {
    method: Method,
    pub(super) dependent: f64,
    pub(super) methods: Methods,
    pub(super) rows: Orthogonal,
    transposed: Vec<f64>,
    /// J where rows that nearly depend on others do so.
    truncated: Vec<f64>,
    pub(super) residual: Residual,
    pub(super) x: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    pub(super) trial: (Vec<f64>, Vec<f64>),
    /// A force of zeros and a unit target.
    pub(super) unit: (Vec<f64>, Vec<f64>),
    /// What the constraint's coordinates and multipliers answer to unit targets, (n, m) and (m, m).
    pub(super) responses: (Vec<f64>, Vec<f64>),
}

/// The room of each method; what is not used stays empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Methods {
    range_space: RangeSpace,
    null_space: NullSpace,
    direct: Direct,
    articulated: Articulated,
    proximal: Proximal,
}

impl Methods {
    /// [`Method::Adaptive`] is its first attempt here.
    pub(super) fn choose(&mut self, method: Method, dependent: f64) -> &mut dyn Factorisation {
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
            truncated: Vec::new(),
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
        let report = self.truncated(problem, |solver, problem| {
            solver.factored(problem, |solver, factored| solver.refine(factored, problem))
        })?;
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

    /// Where rows count as dependent that are so but for more than rounding, makes them so altogether: then
    /// one problem is solved and judged, whatever part of its rows a method sees.
    pub(super) fn truncated<T>(
        &mut self,
        problem: &Problem<'_>,
        work: impl FnOnce(&mut Self, &Problem<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        problem.check_shape(matches!(self.method, Method::Articulated(_)))?;
        if self.dependent <= DEPENDENT {
            return work(self, problem);
        }
        rows::factor(&mut self.rows, &mut self.transposed, problem, self.dependent);
        let mut truncated = core::mem::take(&mut self.truncated);
        let jacobian = copy(&mut truncated, problem.jacobian);
        self.rows.truncate(jacobian);
        let found = work(self, &Problem { jacobian, ..*problem });
        self.truncated = truncated;
        found
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
}

/// By which method the problem is factored, and what that told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factored {
    pub(super) method: Method,
    pub(super) pivots: Pivots,
}
