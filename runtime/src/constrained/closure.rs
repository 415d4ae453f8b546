//! Rows of declared constraints at a state, but for those that vanish.
//!
//! In singular positions the direction of such a row is rounding.

use alloc::vec;
use alloc::vec::Vec;

use super::{first_missed, reaches};
use crate::description::{Level, RowParameters};
use crate::model::{Model, Table};
use crate::slices::{columns, worse};
use crate::space::Storage;

/// An entry of a row by its size that is rounding.
const VANISHED: f64 = 1e-5;

/// The rows of all declared constraints, with values at the state that was looked at last.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// What of the second derivative along rows is without v̇.
    bias: Vec<f64>,
    /// H, (nc, nv).
    rows: Vec<f64>,
    /// ρ of its rows somewhere, by which they are of unit size.
    sizes: Vec<f64>,
    /// h and its rate, or h_v.
    errors: Vec<f64>,
    rates: Vec<f64>,
    levels: Vec<(Level, RowParameters)>,
}

impl Closure {
    /// With rows of the size that they have at a configuration in general position.
    pub(crate) fn new<M: Model>(model: &M, somewhere: &M::Q) -> Self {
        let levels = M::CONSTRAINTS.iter().flat_map(|constraint| constraint.levels.iter().copied());
        Self {
            bias: vec![f64::NAN; M::NC],
            rows: vec![f64::NAN; M::NC * M::NV],
            sizes: sizes(model, somewhere),
            errors: vec![0.0; M::NC],
            rates: vec![0.0; M::NC],
            levels: levels.zip(model.constraint_parameters()).collect(),
        }
    }

    /// Evaluates all rows.
    pub(crate) fn evaluate<M: Model>(&mut self, model: &M, (q, v): (&M::Q, &M::V), time: f64) {
        if M::NC > 0 {
            model.constraint_into(q, time, &mut self.errors);
            model.constraint_rate_into(q, v, time, &mut self.rates);
            model.constraint_jacobian_into(q, v, time, &mut self.rows);
            self.clear_vanished();
            model.constraint_bias_into(q, v, time, &mut self.bias);
        }
    }

    /// Makes rows zero that vanish.
    fn clear_vanished(&mut self) {
        for (row, size) in self.sizes.iter().enumerate() {
            let rows = self.sizes.len();
            let entries = self.rows.iter().skip(row).step_by(rows);
            if entries.fold(0.0, |most, entry| worse(most, entry.abs())) < VANISHED * size {
                let entries = self.rows.iter_mut().skip(row).step_by(rows);
                entries.for_each(|entry| *entry = 0.0);
            }
        }
    }

    /// Appends a row, (nv).
    pub(crate) fn push_row(&self, row: usize, to: &mut Vec<f64>) {
        to.extend(columns(&self.rows, self.rates.len()).map(|column| column[row]));
    }

    /// What the acceleration along a row must be, less what of it is without v̇, so that errors die out at their own rate, or
    /// at `rate` if none is declared.
    pub(crate) fn target(&self, row: usize, rate: f64) -> f64 {
        let [of_rate, of_error] = self.pull(row, rate);
        let pull = of_rate * self.rates[row] + of_error * self.errors[row];
        self.levels[row].1.acceleration - self.bias[row] - pull
    }

    /// Whether a row is to accelerate, and so leaves what it is an equation of.
    pub(crate) fn departs(&self) -> bool {
        self.levels.iter().any(|(_, asks)| asks.acceleration != 0.0)
    }

    /// By how much that pulls back, of the rate of the row and of its error.
    pub(crate) fn pull(&self, row: usize, rate: f64) -> [f64; 2] {
        let (level, asks) = &self.levels[row];
        let alpha = if asks.stabilization > 0.0 { asks.stabilization } else { rate };
        match level {
            Level::Position => [2.0 * alpha, alpha * alpha],
            Level::Velocity => [alpha, 0.0],
        }
    }

    /// The first constraint of which more than `allowed` is missing, and how much: in m or rad of the coordinates, or in these
    /// a second.
    pub(crate) fn violated<M: Model>(&self, allowed: f64) -> Option<(&'static str, f64)> {
        let missing = |row: usize| {
            let (h, rate) = self.error(row);
            worse(h.abs(), rate.abs())
        };
        first_missed(Table::of::<M>(), missing, &self.rows, allowed)
    }

    /// What a row misses: h of one of positions, and its rate.
    pub(crate) fn error(&self, row: usize) -> (f64, f64) {
        match self.levels[row].0 {
            Level::Position => (self.errors[row], self.rates[row]),
            Level::Velocity => (0.0, self.rates[row]),
        }
    }
}

/// ρ of the rows of constraints at a configuration in general position.
fn sizes<M: Model>(model: &M, somewhere: &M::Q) -> Vec<f64> {
    let (mut jacobian, mut sizes) = (vec![f64::NAN; M::NC * M::NV], Vec::new());
    if M::NC > 0 {
        model.constraint_jacobian_into(somewhere, &M::V::zeros(), 0.0, &mut jacobian);
    }
    let counts = M::CONSTRAINTS.iter().map(|constraint| constraint.levels.len());
    reaches(counts, (M::NC, &jacobian), &mut sizes);
    sizes
}
