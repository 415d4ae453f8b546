//! Accelerations under rows that hold, and friction that depends on their forces.
//!
//! > M v̇ = f + Gᵀ λ + Fᵀ λ_s,  G v̇ = g
//!
//! λ_s are those of λ that have friction, and F what friction a unit of each makes: −μ sᵀ T of a contact that slides
//! along the unit vector s with the tangents T. With S = G M⁻¹ Gᵀ and v̇₀ = M⁻¹ f,
//!
//! > λ = λ₀ − K λ_s,  λ₀ = S⁺ (g − G v̇₀),  K = S⁺ G M⁻¹ Fᵀ,  (1 + K_s) λ_s = λ₀ₛ
//!
//! S⁺ is Moore and Penrose's inverse: where rows depend on one another, λ is the smallest of those with the same effect.
//! 1 + K_s is what friction makes of the inverse inertia that the normals meet. Where one of its pivots is not positive,
//! pressing a contact moves it inwards: the paradox of Painlevé.

use alloc::vec::Vec;

use crate::kkt::{Cholesky, Orthogonal};
use crate::slices::{add, copy, dot, zeros};

/// Rows of which S shows less than so much of their own depend on others.
const DEPENDENT: f64 = 1e-10;
/// A pivot of 1 + K_s that is no more than this is not positive.
const PARADOX: f64 = 1e-12;

/// The place, among the rows with friction, of a pivot that is not positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paradox(pub(super) usize);

/// Rows, and the room to solve for their forces.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    nv: usize,
    /// G, row by row, and g.
    pub(super) rows: Vec<f64>,
    pub(super) target: Vec<f64>,
    /// F, row by row, and which rows they are of.
    pub(super) friction: Vec<f64>,
    pub(super) slides: Vec<usize>,
    /// M⁻¹ Gᵀ and M⁻¹ Fᵀ.
    responses: Vec<f64>,
    drags: Vec<f64>,
    matrix: Vec<f64>,
    cholesky: Cholesky,
    orthogonal: Orthogonal,
    is_regular: bool,
    /// λ.
    pub(super) lambda: Vec<f64>,
    /// K, column by column, 1 + K_s and λ_s.
    coupling: Vec<f64>,
    small: Vec<f64>,
    sliding: Vec<f64>,
    /// That of 1 + K_s.
    pub(super) determinant: f64,
}

impl Held {
    /// No rows of so many coordinates.
    pub(super) fn clear(&mut self, nv: usize) {
        self.nv = nv;
        self.rows.clear();
        self.target.clear();
        self.friction.clear();
        self.slides.clear();
        self.is_regular = true;
        self.determinant = 1.0;
    }

    /// How many rows there are.
    pub(super) fn count(&self) -> usize {
        self.target.len()
    }

    /// Whether no row depends on others.
    pub(super) fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// Turns v̇₀ in `v_dot`, (nv), into v̇ with the factors of M.
    ///
    /// # Errors
    ///
    /// [`Paradox`]; `v_dot` is then of no use.
    pub(super) fn solve(&mut self, mass: &Cholesky, v_dot: &mut [f64]) -> Result<(), Paradox> {
        self.factor(mass);
        self.lambda.clear();
        let rows = self.rows.chunks_exact(self.nv.max(1)).zip(&self.target);
        self.lambda.extend(rows.map(|(row, target)| target - dot(row, v_dot)));
        self.invert_in_lambda();
        self.let_slide(mass)?;
        let responses = self.responses.chunks_exact(self.nv.max(1));
        responses.zip(&self.lambda).for_each(|(response, lambda)| add(v_dot, *lambda, response));
        let drags = self.drags.chunks_exact(self.nv.max(1));
        drags.zip(&self.sliding).for_each(|(drag, lambda)| add(v_dot, *lambda, drag));
        Ok(())
    }

    /// Factors S.
    fn factor(&mut self, mass: &Cholesky) {
        let (m, nv) = (self.count(), self.nv.max(1));
        copy(&mut self.responses, &self.rows);
        self.responses.chunks_exact_mut(nv).for_each(|response| mass.solve(response));
        let (lower, stride) = self.cholesky.reset(m);
        for (j, response) in self.responses.chunks_exact(nv).enumerate() {
            for (i, row) in self.rows.chunks_exact(nv).enumerate().skip(j) {
                lower[j * stride + i] = dot(row, response);
            }
        }
        let matrix = zeros(&mut self.matrix, m * m);
        for j in 0..m {
            for i in j..m {
                matrix[j * m + i] = lower[j * stride + i];
                matrix[i * m + j] = lower[j * stride + i];
            }
        }
        self.is_regular = self.cholesky.factor(DEPENDENT).is_ok();
        if !self.is_regular {
            self.orthogonal.factor((m, m), &self.matrix, DEPENDENT);
        }
    }

    fn invert(&mut self, b: &mut [f64]) {
        if self.is_regular {
            self.cholesky.solve(b);
        } else {
            self.orthogonal.solve(b);
        }
    }

    fn invert_in_lambda(&mut self) {
        let mut lambda = core::mem::take(&mut self.lambda);
        self.invert(&mut lambda);
        self.lambda = lambda;
    }

    /// λ of λ₀, and λ_s.
    fn let_slide(&mut self, mass: &Cholesky) -> Result<(), Paradox> {
        let (m, nv) = (self.count(), self.nv.max(1));
        copy(&mut self.drags, &self.friction);
        self.sliding.clear();
        if self.slides.is_empty() {
            return Ok(());
        }
        let mut coupling = core::mem::take(&mut self.coupling);
        coupling.clear();
        for drag in self.drags.chunks_exact_mut(nv) {
            mass.solve(drag);
            coupling.extend(self.rows.chunks_exact(nv).map(|row| dot(row, drag)));
        }
        coupling.chunks_exact_mut(m).for_each(|column| self.invert(column));
        self.coupling = coupling;
        self.sliding.extend(self.slides.iter().map(|&row| self.lambda[row]));
        self.solve_sliding()?;
        for (column, lambda) in self.coupling.chunks_exact(m).zip(&self.sliding) {
            add(&mut self.lambda, -lambda, column);
        }
        Ok(())
    }

    /// Solves (1 + K_s) λ_s = λ₀ₛ. Its determinant is that of N M⁻¹ (N − μ T)ᵀ of what slides by one that is positive: in
    /// Painlevé's paradox, or beyond it, it is not.
    fn solve_sliding(&mut self) -> Result<(), Paradox> {
        let (m, k) = (self.count(), self.slides.len());
        self.small.clear();
        for (j, column) in self.coupling.chunks_exact(m).enumerate() {
            let entries = self.slides.iter().enumerate();
            let unit = |i: usize| if i == j { 1.0 } else { 0.0 };
            self.small.extend(entries.map(|(i, &row)| unit(i) + column[row]));
        }
        let (a, b) = (&mut self.small, &mut self.sliding);
        let mut determinant = 1.0;
        for p in 0..k {
            let larger =
                |r: usize, i: usize| if a[p * k + i].abs() > a[p * k + r].abs() { i } else { r };
            let row = (p..k).fold(p, larger);
            if row != p {
                (0..k).for_each(|j| a.swap(j * k + p, j * k + row));
                b.swap(p, row);
                determinant = -determinant;
            }
            let pivot = a[p * k + p];
            determinant *= pivot;
            if pivot.is_nan() || pivot.abs() <= PARADOX {
                return Err(Paradox(p));
            }
            for i in p + 1..k {
                let factor = a[p * k + i] / pivot;
                (p + 1..k).for_each(|j| a[j * k + i] -= factor * a[j * k + p]);
                b[i] -= factor * b[p];
            }
        }
        self.determinant = determinant;
        if determinant <= 0.0 {
            return Err(Paradox(0));
        }
        for p in (0..k).rev() {
            let known: f64 = (p + 1..k).map(|j| a[j * k + p] * b[j]).sum();
            b[p] = (b[p] - known) / a[p * k + p];
        }
        Ok(())
    }
}
