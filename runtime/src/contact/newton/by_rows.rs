//! The refinement of robots whose M⁻¹ is known by responses to rows alone.
//!
//! > (1 + K A) ΔΛ = δΛ,  v⁺ ← v⁺ + R ΔΛ,  w ← w + J R ΔΛ
//!
//! Laws are made linear as for [trees](super). w is that of v⁺ at first, and never A Λ + b: where large impulses hold one another,
//! rounding of that sum is what a step is wrong by. Here A decides on steps, which become small.

use alloc::vec::Vec;

use super::law::{Friction, Linear, Scale, times};
use super::polygon::Sides;
use crate::cone::Block;
use crate::contact::formulation::Formulation;
use crate::contact::problem::Problem;
use crate::lu::Lu;
use crate::slices::{self, columns, largest, worse};

/// What is rounding of an impulse, relative to it.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct ByRows {
    parts: Vec<Part>,
    /// Along the rows, (n): Λ, w without σ Λ, and ΔΛ.
    lambda: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) change: Vec<f64>,
    /// v⁺, (nv).
    pub(super) velocity: Vec<f64>,
    /// 1 + K A, (n, n) column by column.
    matrix: Vec<f64>,
    lu: Lu,
    /// Λ and v⁺ at first, and of the iterate with the smallest natural residual, and that.
    pub(super) start: [Vec<f64>; 2],
    pub(super) best: [Vec<f64>; 2],
    pub(super) least: f64,
}

/// One row, or three of a contact.
#[derive(Clone, Copy, Debug)]
struct Part {
    first: usize,
    law: Law,
    /// σ.
    softness: [f64; 3],
    rho: f64,
    linear: Linear,
}

#[derive(Clone, Copy, Debug)]
enum Law {
    /// Of this coefficient.
    Friction(Friction, f64),
    /// Of a row between bounds.
    Within([f64; 2]),
}

impl Law {
    fn rows(&self) -> usize {
        match self {
            Self::Friction(..) => 3,
            Self::Within(_) => 1,
        }
    }

    /// P(Λ − y) − Λ and P' at Λ − y, of whose entries a row has the first.
    ///
    /// A cone has P(x) = P' x, so that this is (P' − I) Λ − P' y. The first part is zero where Λ is where it is projected to, but for
    /// rounding of Λ, which may be much more than y.
    fn missing(&self, lambda: [f64; 3], y: [f64; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
        let x = [0, 1, 2].map(|k| lambda[k] - y[k]);
        let derivative = match *self {
            Self::Friction(law, friction) => law.project(x, friction).derivative,
            Self::Within([lower, upper]) if lower < x[0] && x[0] < upper => {
                [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]
            }
            Self::Within([lower, upper]) => {
                return ([x[0].max(lower).min(upper) - lambda[0], 0.0, 0.0], [[0.0; 3]; 3]);
            }
        };
        let (kept, taken) = (times(&derivative, &lambda), times(&derivative, &y));
        let mut moved = [0, 1, 2].map(|k| kept[k] - lambda[k]);
        if largest(&moved) <= ROUNDING * largest(&lambda) {
            moved = [0.0; 3];
        }
        ([0, 1, 2].map(|k| moved[k] - taken[k]), derivative)
    }
}

impl Part {
    /// Those of a block; `None` of what has another law.
    fn new(
        (first, block, directions): (usize, &Block, usize),
        problem: &Problem,
        formulation: &Formulation,
    ) -> Option<Self> {
        let law = match *block {
            Block::Contact { friction, torsion: None }
                if friction > 0.0 && friction.is_finite() =>
            {
                Law::Friction(Friction::of(formulation, Sides::new(directions)), friction)
            }
            Block::Row { lower, upper } => Law::Within([lower, upper]),
            _ => return None,
        };
        let rows = first..first + law.rows();
        let own = rows.clone().map(|k| problem.a[k * (problem.rows() + 1)]).sum::<f64>();
        let rho = law.rows() as f64 / own;
        let sigma = problem.sigma.get(rows).unwrap_or_default();
        let softness = core::array::from_fn(|k| sigma.get(k).copied().unwrap_or(0.0));
        let linear = Linear { change: [0.0; 3], stiffness: [[0.0; 3]; 3] };
        rho.is_finite().then_some(Self { first, law, softness, rho, linear })
    }

    /// Makes its law linear; the natural residual.
    fn linearise(&mut self, lambda: &[f64], w: &[f64], holding: f64) -> f64 {
        let Self { first, law, softness, rho, .. } = *self;
        let rows = law.rows();
        let of =
            |all: &[f64]| core::array::from_fn(|k| if k < rows { all[first + k] } else { 0.0 });
        let ([lambda, w], mut size): ([[f64; 3]; 2], f64) = ([of(lambda), of(w)], 1.0);
        let slack = [0, 1, 2].map(|k| w[k] + softness[k] * lambda[k]);
        let (missing, derivative) = law.missing(lambda, slack.map(|slack| rho * slack));
        let scale = Scale { rho, reach: rho, holding };
        self.linear = Linear::new(missing, &derivative, softness, scale);
        let mut error = 0.0;
        for (missing, w) in missing.iter().zip(w).take(rows) {
            error = worse(error, missing.abs());
            size = worse(size, w.abs());
        }
        error / (rho * size)
    }
}

impl ByRows {
    /// v⁺ at first, (nv).
    pub(super) fn velocity(&self) -> &[f64] {
        &self.start[1]
    }

    /// Lists the blocks of a problem with impulses Λ and the velocity to which they led. Returns false if one has another law than
    /// those of contacts and rows.
    pub(super) fn list(
        &mut self,
        problem: &Problem,
        formulation: &Formulation,
        start: [&[f64]; 2],
    ) -> bool {
        for (to, of) in self.start.iter_mut().chain(&mut self.best).zip(start.into_iter().cycle()) {
            slices::copy(to, of);
        }
        self.least = f64::INFINITY;
        self.parts.clear();
        for block in problem.each() {
            let Some(part) = Part::new(block, problem, formulation) else { return false };
            self.parts.push(part);
        }
        true
    }

    /// Makes all laws linear; the largest natural residual.
    pub(super) fn linearise(&mut self, holding: f64) -> f64 {
        let Self { parts, lambda, w, .. } = self;
        parts.iter_mut().fold(0.0, |most, part| worse(most, part.linearise(lambda, w, holding)))
    }

    /// Solves for ΔΛ, and adds it to Λ; whether it is finite.
    pub(super) fn advance(&mut self, problem: &Problem) -> bool {
        let Self { parts, lambda, change, matrix, lu, .. } = self;
        let n = problem.rows();
        slices::zeros(change, n);
        slices::zeros(matrix, n * n);
        for Part { first, law, softness, linear, .. } in parts {
            let rows = law.rows();
            change[*first..][..rows].copy_from_slice(&linear.change[..rows]);
            let columns = matrix.chunks_exact_mut(n).zip(columns(&problem.a, n));
            for (j, (to, of)) in columns.enumerate() {
                for k in 0..rows {
                    let of = of[*first + k] - if j == *first + k { softness[k] } else { 0.0 };
                    slices::add(&mut to[*first..][..rows], of, &linear.stiffness[k][..rows]);
                }
            }
        }
        matrix.iter_mut().step_by(n + 1).for_each(|x| *x += 1.0);
        if lu.factor(n, matrix.iter().copied()) == 0.0 {
            return false;
        }
        lu.solve(change);
        slices::add(lambda, 1.0, change);
        slices::all_finite(change)
    }

    pub(super) fn keep(&mut self, error: f64) {
        self.least = error;
        slices::copy(&mut self.best[0], &self.lambda);
        slices::copy(&mut self.best[1], &self.velocity);
    }

    /// Goes back to what was kept.
    pub(super) fn go_back(&mut self) {
        slices::copy(&mut self.lambda, &self.best[0]);
        slices::copy(&mut self.velocity, &self.best[1]);
    }
}
