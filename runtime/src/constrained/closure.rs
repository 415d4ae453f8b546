//! Rows of declared constraints at a state, but for those that vanish.
//!
//! In singular positions the direction of such a row is rounding.

use alloc::vec;
use alloc::vec::Vec;

use super::{first_missed, reaches};
use crate::description::{Level, RowParameters};
use crate::model::{Robot, Table};
use crate::slices::{columns, worse};

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
    pub(crate) fn new(robot: Robot<'_>, somewhere: &[f64]) -> Self {
        let Table { nv, nc, constraints, .. } = *robot.table();
        let levels = constraints.iter().flat_map(|constraint| constraint.levels.iter().copied());
        Self {
            bias: vec![f64::NAN; nc],
            rows: vec![f64::NAN; nc * nv],
            sizes: sizes(robot, somewhere),
            errors: vec![0.0; nc],
            rates: vec![0.0; nc],
            levels: levels.zip(robot.constraint_parameters()).collect(),
        }
    }

    /// How many rows there are, (nc).
    pub(crate) fn count(&self) -> usize {
        self.rates.len()
    }

    /// Evaluates all rows.
    pub(crate) fn evaluate(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64]), time: f64) {
        if robot.nc > 0 {
            robot.constraint_into(q, time, &mut self.errors);
            robot.constraint_rate_into(q, v, time, &mut self.rates);
            robot.constraint_jacobian_into(q, v, time, &mut self.rows);
            self.clear_vanished();
            robot.constraint_bias_into(q, v, time, &mut self.bias);
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
    pub(crate) fn violated(&self, table: &Table, allowed: f64) -> Option<(&'static str, f64)> {
        let missing = |row: usize| {
            let (h, rate) = self.error(row);
            worse(h.abs(), rate.abs())
        };
        first_missed(table, missing, &self.rows, allowed)
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
fn sizes(robot: Robot<'_>, somewhere: &[f64]) -> Vec<f64> {
    let Table { nv, nc, constraints, .. } = *robot.table();
    let (mut jacobian, mut sizes) = (vec![f64::NAN; nc * nv], Vec::new());
    if nc > 0 {
        robot.constraint_jacobian_into(somewhere, &vec![0.0; nv], 0.0, &mut jacobian);
    }
    let counts = constraints.iter().map(|constraint| constraint.levels.len());
    reaches(counts, (nc, &jacobian), &mut sizes);
    sizes
}
