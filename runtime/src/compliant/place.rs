//! Depths and rows of all that may press, at a state.

use alloc::vec;
use alloc::vec::Vec;

use super::element::What;
use crate::model::Model;
use crate::slices::{multiply, multiply_transposed};
use crate::space::Storage;

/// Values at a state, matrices column by column.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// φ, (contacts).
    gaps: Vec<f64>,
    /// J, (3 contacts, nv).
    contacts: Vec<f64>,
    /// J v, (3 contacts).
    slip: Vec<f64>,
    /// C, (limits), and its Jacobian and rate.
    limits: Vec<f64>,
    of_limits: Vec<f64>,
    rates: Vec<f64>,
}

impl Place {
    pub(super) fn new<M: Model>() -> Self {
        let (contacts, limits) = (M::CONTACTS.len(), M::LIMITS.len());
        let unknown = |count: usize| vec![f64::NAN; count];
        Self {
            gaps: unknown(contacts),
            contacts: unknown(3 * contacts * M::NV),
            slip: unknown(3 * contacts),
            limits: unknown(limits),
            of_limits: unknown(limits * M::NV),
            rates: unknown(limits),
        }
    }

    pub(super) fn evaluate<M: Model>(&mut self, model: &M, q: &M::Q, v: &M::V) {
        if !self.gaps.is_empty() {
            model.gap_into(q, &mut self.gaps);
            model.contact_jacobian_into(q, &mut self.contacts);
            self.slip.fill(0.0);
            multiply(&mut self.slip, &self.contacts, v.as_slice());
        }
        if !self.limits.is_empty() {
            model.limit_into(q, &mut self.limits);
            model.limit_jacobian_into(q, &mut self.of_limits);
            self.rates.fill(0.0);
            multiply(&mut self.rates, &self.of_limits, v.as_slice());
        }
    }

    /// δ and δ̇ of one at the state that was evaluated, (q, v).
    #[inline]
    pub(super) fn depth(&self, what: &What, (q, v): (&[f64], &[f64])) -> (f64, f64) {
        match *what {
            What::Contact(k) => (-self.gaps[k], -self.slip[3 * k]),
            What::End(end) => (-end.gap(q), -end.sign * v[end.v]),
            What::Limit(k) => (-self.limits[k], -self.rates[k]),
        }
    }

    /// The velocity of a contact along its tangents, m/s.
    #[inline]
    pub(super) fn sliding(&self, contact: usize) -> [f64; 2] {
        [self.slip[3 * contact + 1], self.slip[3 * contact + 2]]
    }

    /// τ += Jᵀ f of contacts, (3 contacts), and of limits, (limits).
    pub(super) fn add_force(&self, contacts: &[f64], limits: &[f64], tau: &mut [f64]) {
        multiply_transposed(tau, &self.contacts, contacts);
        multiply_transposed(tau, &self.of_limits, limits);
    }
}
