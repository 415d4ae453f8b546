//! The active normals, N = Q₁ R, while they come and go.
//!
//! > Q = \[Q₁ Q₂\] (n, n) orthogonal, R (q, q) upper triangular
//!
//! A normal that comes is reflected onto the first column of Q₂; one that goes leaves a Hessenberg matrix
//! that rotations make triangular.
//!
//! # Source
//!
//! Golub, Van Loan: Matrix Computations (4th edition), sections 5.1 and 6.5.2.

use alloc::vec::Vec;

use crate::slices::{add, columns, dot, norm, subtract, zeros};

#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    n: usize,
    active: usize,
    /// Q, column by column.
    q: Vec<f64>,
    /// R, column by column, n from one to the next.
    r: Vec<f64>,
    /// Qᵀ of the normal that is projected.
    rotated: Vec<f64>,
    room: Vec<f64>,
}

impl Factors {
    pub(super) fn with_capacity(n: usize) -> Self {
        let (square, row) = (|| Vec::with_capacity(n * n), || Vec::with_capacity(n));
        Self { n: 0, active: 0, q: square(), r: square(), rotated: row(), room: row() }
    }

    /// No normals.
    pub(super) fn reset(&mut self, n: usize) {
        (self.n, self.active) = (n, 0);
        zeros(&mut self.q, n * n).iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
        zeros(&mut self.r, n * n);
        zeros(&mut self.rotated, n);
    }

    /// Writes z = Q₂ Q₂ᵀ n, (n), and r = R⁻¹ Q₁ᵀ n, so that n = N r + z, for a normal times `sense`. Returns
    /// ‖z‖.
    pub(super) fn project(
        &mut self,
        normal: &[f64],
        sense: f64,
        z: &mut [f64],
        r: &mut Vec<f64>,
    ) -> f64 {
        for (rotated, column) in self.rotated.iter_mut().zip(columns(&self.q, self.n)) {
            *rotated = sense * dot(column, normal);
        }
        let (along, across) = self.rotated.split_at(self.active);
        z.fill(0.0);
        let orthogonal = columns(&self.q, self.n).skip(self.active);
        orthogonal.zip(across).for_each(|(column, x)| add(z, *x, column));
        r.clear();
        r.extend_from_slice(along);
        for k in (0..r.len()).rev() {
            let column = &self.r[k * self.n..];
            r[k] /= column[k];
            let x = r[k];
            subtract(&mut r[..k], x, &column[..k]);
        }
        norm(across)
    }

    /// Lets the normal that was projected last come.
    pub(super) fn push(&mut self) {
        let (n, active) = (self.n, self.active);
        let across = &mut self.rotated[active..];
        let length = norm(across);
        let image = if across[0] > 0.0 { -length } else { length };
        across[0] -= image;
        let weight = dot(across, across);
        let orthogonal = &mut self.q[active * n..];
        if weight > 0.0 {
            let product = zeros(&mut self.room, n);
            columns(orthogonal, n).zip(&*across).for_each(|(column, u)| add(product, *u, column));
            for (column, u) in orthogonal.chunks_exact_mut(n).zip(&*across) {
                subtract(column, 2.0 / weight * u, product);
            }
        }
        let column = &mut self.r[active * n..][..=active];
        column[..active].copy_from_slice(&self.rotated[..active]);
        column[active] = image;
        self.active += 1;
    }

    /// Lets the normal at place `k` go.
    pub(super) fn remove(&mut self, k: usize) {
        let n = self.n;
        self.active -= 1;
        self.r.copy_within((k + 1) * n..(self.active + 1) * n, k * n);
        for j in k..self.active {
            let [a, b] = [self.r[j * n + j], self.r[j * n + j + 1]];
            let length = norm(&[a, b]);
            let (c, s) = if length > 0.0 { (a / length, b / length) } else { (1.0, 0.0) };
            for column in self.r[j * n..self.active * n].chunks_exact_mut(n) {
                let [a, b] = [column[j], column[j + 1]];
                (column[j], column[j + 1]) = (c * a + s * b, c * b - s * a);
            }
            let (first, second) = self.q[j * n..].split_at_mut(n);
            for (a, b) in first.iter_mut().zip(second) {
                (*a, *b) = (c * *a + s * *b, c * *b - s * *a);
            }
        }
    }

    /// Solves Rᵀ R u = b in place and leaves R⁻ᵀ b in `half`.
    pub(super) fn solve_normal(&self, b: &mut [f64], half: &mut Vec<f64>) {
        let n = self.n;
        for k in 0..self.active {
            let column = &self.r[k * n..][..=k];
            b[k] = (b[k] - dot(&column[..k], &b[..k])) / column[k];
        }
        half.clear();
        half.extend_from_slice(&b[..self.active]);
        for k in (0..self.active).rev() {
            let column = &self.r[k * n..][..=k];
            b[k] /= column[k];
            let x = b[k];
            subtract(&mut b[..k], x, &column[..k]);
        }
    }

    /// y += Q₁ x.
    pub(super) fn add_along(&self, x: &[f64], y: &mut [f64]) {
        columns(&self.q, self.n).zip(x).for_each(|(column, x)| add(y, *x, column));
    }
}
