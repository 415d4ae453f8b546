//! The rows of G and the changes of velocity M⁻¹ Gᵀ that their impulses make.

use alloc::vec::Vec;
use core::iter;

use super::dynamics::Dynamics;
use crate::model::Model;

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    nv: usize,
    count: usize,
    /// G, row by row.
    coefficients: Vec<f64>,
    /// M⁻¹ Gᵀ, column by column.
    response: Vec<f64>,
}

impl Rows {
    pub(super) fn clear(&mut self, nv: usize) {
        (self.nv, self.count) = (nv, 0);
        self.coefficients.clear();
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds a row of nv numbers and returns its index.
    pub(super) fn push(&mut self, row: impl Iterator<Item = f64>) -> usize {
        self.coefficients.extend(row.take(self.nv));
        self.count += 1;
        self.count - 1
    }

    /// Adds sign · e_v.
    pub(super) fn push_coordinate(&mut self, v: usize, sign: f64) -> usize {
        let zeros = iter::repeat(0.0);
        self.push(zeros.clone().take(v).chain(iter::once(sign)).chain(zeros))
    }

    /// Computes M⁻¹ Gᵀ.
    pub(super) fn respond<M: Model>(&mut self, dynamics: &mut Dynamics<M>) {
        self.response.clone_from(&self.coefficients);
        dynamics.respond(&mut self.response);
    }

    /// Row `i` times a velocity.
    pub(super) fn times(&self, i: usize, velocity: &[f64]) -> f64 {
        dot(self.row(i), velocity)
    }

    /// Entry (i, j) of G M⁻¹ Gᵀ.
    pub(super) fn delassus(&self, i: usize, j: usize) -> f64 {
        dot(self.row(i), self.response_of(j))
    }

    /// Adds the change of velocity that impulses along the rows make.
    pub(super) fn accelerate(&self, impulses: &[f64], velocity: &mut [f64]) {
        for (i, impulse) in impulses.iter().enumerate().take(self.count) {
            let response = self.response_of(i);
            velocity.iter_mut().zip(response).for_each(|(v, r)| *v += r * impulse);
        }
    }

    /// p += Gᵀ Λ for impulses Λ along the rows.
    pub(super) fn add_force(&self, impulses: &[f64], p: &mut [f64]) {
        for (i, impulse) in impulses.iter().enumerate().take(self.count) {
            p.iter_mut().zip(self.row(i)).for_each(|(p, g)| *p += g * impulse);
        }
    }

    /// The change of velocity that an impulse of one along row `i` makes.
    fn response_of(&self, i: usize) -> &[f64] {
        &self.response[i * self.nv..(i + 1) * self.nv]
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.coefficients[i * self.nv..(i + 1) * self.nv]
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
