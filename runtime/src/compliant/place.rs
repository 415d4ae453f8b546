//! Depths and rows of all that may press, at a state.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::{Robot, Table};
use crate::slices::{multiply, multiply_transposed};
use crate::unilateral::{self, Unilateral};

/// Values at a state.
#[derive(Clone, Debug)]
pub(super) struct Place {
    rows: unilateral::Place,
    /// J v of contacts, (3 contacts), and of declared limits, (limits).
    slip: Vec<f64>,
    rates: Vec<f64>,
}

impl Place {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            rows: unilateral::Place::new(table),
            slip: vec![f64::NAN; 3 * table.contacts.len()],
            rates: vec![f64::NAN; table.limits.len()],
        }
    }

    pub(super) fn evaluate(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64])) {
        let Self { rows, slip, rates } = self;
        rows.measure(robot, q);
        rows.linearise(robot, q);
        for (rate, jacobian) in [(slip, &rows.contacts), (rates, &rows.of_limits)] {
            if !rate.is_empty() {
                rate.fill(0.0);
                multiply(rate, jacobian, v);
            }
        }
    }

    /// δ and δ̇ of one at the state that was evaluated, (q, v).
    #[inline]
    pub(super) fn depth(&self, what: &Unilateral, (q, v): (&[f64], &[f64])) -> (f64, f64) {
        let rate = match *what {
            Unilateral::Contact(k) => self.slip[3 * k],
            Unilateral::End(end) => end.sign * v[end.v],
            Unilateral::Limit(k) => self.rates[k],
        };
        (-self.rows.gap(what, q), -rate)
    }

    /// The velocity of a contact along its tangents, m/s.
    #[inline]
    pub(super) fn sliding(&self, contact: usize) -> [f64; 2] {
        [self.slip[3 * contact + 1], self.slip[3 * contact + 2]]
    }

    /// τ += Jᵀ f of contacts, (3 contacts), and of limits, (limits).
    pub(super) fn add_force(&self, contacts: &[f64], limits: &[f64], tau: &mut [f64]) {
        multiply_transposed(tau, &self.rows.contacts, contacts);
        multiply_transposed(tau, &self.rows.of_limits, limits);
    }
}
