//! The rows of a step's problem and their responses.

use alloc::vec::Vec;

use super::dynamics::Dynamics;
use crate::model::Model;
use crate::slices::{add, dot, zeros};

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    nv: usize,
    count: usize,
    /// Row by row.
    coefficients: Vec<f64>,
    responses: Vec<f64>,
    /// The velocity along each row that there would be without impulses.
    free: Vec<f64>,
    /// The responses of all impulses in sum, (nv).
    response: Vec<f64>,
}

impl Rows {
    pub(super) fn clear(&mut self, nv: usize) {
        (self.nv, self.count) = (nv, 0);
        self.coefficients.clear();
        self.free.clear();
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds a row of nv numbers, which `write` writes, with its velocity without impulses.
    pub(super) fn push(&mut self, free: f64, write: impl FnOnce(&mut [f64])) {
        self.free.push(free);
        let first = self.coefficients.len();
        self.coefficients.resize(first + self.nv, 0.0);
        write(&mut self.coefficients[first..]);
        self.count += 1;
    }

    pub(super) fn respond<M: Model>(&mut self, dynamics: &mut Dynamics<M>) {
        self.responses.clone_from(&self.coefficients);
        dynamics.respond(&mut self.responses);
    }

    /// The velocity along row `i` without impulses.
    pub(super) fn free(&self, i: usize) -> f64 {
        self.free[i]
    }

    /// Entry (i, j) of A without softness.
    pub(super) fn delassus(&self, i: usize, j: usize) -> f64 {
        dot(self.row(i), &self.responses[j * self.nv..(j + 1) * self.nv])
    }

    /// The responses of these impulses along the rows in sum, (nv).
    pub(super) fn respond_to(&mut self, impulses: &[f64]) -> &mut [f64] {
        let response = zeros(&mut self.response, self.nv);
        let each = self.responses.chunks_exact(self.nv.max(1)).take(self.count);
        each.zip(impulses).for_each(|(of, &impulse)| add(response, impulse, of));
        response
    }

    /// p += Σ r Λ for impulses Λ along the rows r.
    pub(super) fn add_force(&self, impulses: &[f64], p: &mut [f64]) {
        for (i, &impulse) in impulses.iter().enumerate().take(self.count) {
            add(p, impulse, self.row(i));
        }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.coefficients[i * self.nv..(i + 1) * self.nv]
    }
}
