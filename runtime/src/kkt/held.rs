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
//! 1 + K_s is what friction makes of the inverse inertia that the normals meet. Where its determinant is not positive,
//! pressing a contact moves it inwards: the paradox of Painlevé.
//!
//! Forces that change nothing along the rows are ν of the kernel of S, if friction is left out, and with it
//!
//! > n = ν − K n_s,  (1 + K_s) n_s = ν_s.

use alloc::vec::Vec;

use super::{Cholesky, Orthogonal};
use crate::lu::Lu;
use crate::slices::{add, copy, dot, norm, scale, sqrt, zeros};

/// Rows of which S shows less than so much of their own depend on others.
const DEPENDENT: f64 = 1e-10;
/// A pivot of 1 + K_s, by the largest, or its determinant, that is no more than this is not positive.
const PARADOX: f64 = 1e-12;
/// What of a direction is left at right angles to others that it depends on.
const SPANNED: f64 = 1e-8;

/// The place, among the rows with friction, of the one that friction presses in most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paradox(pub(crate) usize);

/// Rows, and the room to solve for their forces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    nv: usize,
    /// What S must show of a row for it to be independent.
    least: f64,
    /// G, row by row, and g.
    pub(crate) rows: Vec<f64>,
    pub(crate) target: Vec<f64>,
    /// F, row by row, and which rows they are of.
    pub(crate) friction: Vec<f64>,
    pub(crate) slides: Vec<usize>,
    /// M⁻¹ Gᵀ and M⁻¹ Fᵀ.
    responses: Vec<f64>,
    drags: Vec<f64>,
    matrix: Vec<f64>,
    cholesky: Cholesky,
    orthogonal: Orthogonal,
    is_regular: bool,
    /// λ.
    pub(crate) lambda: Vec<f64>,
    /// K, column by column, 1 + K_s and λ_s.
    coupling: Vec<f64>,
    small: Lu,
    sliding: Vec<f64>,
    /// That of 1 + K_s.
    pub(crate) determinant: f64,
    /// An orthonormal basis of the forces that change nothing along the rows, column by column.
    pub(crate) balanced: Vec<f64>,
}

impl Held {
    /// No rows of so many coordinates.
    pub(crate) fn clear(&mut self, nv: usize) {
        self.nv = nv;
        self.rows.clear();
        self.target.clear();
        self.friction.clear();
        self.slides.clear();
        self.is_regular = true;
        self.determinant = 1.0;
        self.least = DEPENDENT;
    }

    /// Leaves rows alone of which S shows less than so much of their own.
    pub(crate) fn leave(&mut self, least: f64) {
        self.least = least;
    }

    /// Whether the rows that were solved for last are independent.
    pub(crate) fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.target.len()
    }

    /// Turns v̇₀ in `v_dot`, (nv), into v̇ with the factors of M.
    ///
    /// # Errors
    ///
    /// [`Paradox`]; `v_dot` is then of no use.
    pub(crate) fn solve(&mut self, mass: &Cholesky, v_dot: &mut [f64]) -> Result<(), Paradox> {
        self.factor(mass);
        self.lambda.clear();
        let rows = self.rows.chunks_exact(self.nv.max(1)).zip(&self.target);
        self.lambda.extend(rows.map(|(row, target)| target - dot(row, v_dot)));
        self.invert_in_lambda();
        self.let_slide(mass)?;
        self.exert(&self.lambda, v_dot);
        Ok(())
    }

    /// Adds to v̇ what forces of the rows, (m), make of it, with their friction.
    fn exert(&self, lambda: &[f64], v_dot: &mut [f64]) {
        let nv = self.nv.max(1);
        let responses = self.responses.chunks_exact(nv).zip(lambda);
        responses.for_each(|(response, lambda)| add(v_dot, *lambda, response));
        let drags = self.drags.chunks_exact(nv).zip(&self.slides);
        drags.for_each(|(drag, &row)| add(v_dot, lambda[row], drag));
    }

    /// Turns small changes of f, (nv), and g, (m), into those of v̇ and λ, by the rows and factors of the last solution.
    pub(crate) fn vary(&mut self, mass: &Cholesky, v_dot: &mut [f64], lambda: &mut [f64]) {
        self.vary_without_friction(mass, v_dot, lambda);
        if !self.slides.is_empty() {
            self.drag(lambda);
        }
        self.exert(lambda, v_dot);
    }

    /// M⁻¹ of changes of f in `v_dot`, and those of λ₀ in `lambda`.
    fn vary_without_friction(&mut self, mass: &Cholesky, v_dot: &mut [f64], lambda: &mut [f64]) {
        mass.solve(v_dot);
        let rows = self.rows.chunks_exact(self.nv.max(1)).zip(&mut *lambda);
        rows.for_each(|(row, lambda)| *lambda -= dot(row, v_dot));
        self.invert(lambda);
    }

    /// What the friction of a unit force of what slides makes of v̇ and λ₀, none of which asks for anything: M a = Gᵀ y + Fⱼᵀ,
    /// G a = 0, so that y is −K of column j.
    pub(crate) fn drag_response(&self, j: usize) -> [Vec<f64>; 2] {
        let (nv, m) = (self.nv, self.count());
        let y: Vec<f64> = self.coupling[j * m..][..m].iter().map(|k| -k).collect();
        let mut a = self.drags[j * nv..][..nv].to_vec();
        let responses = self.responses.chunks_exact(nv).zip(&y);
        responses.for_each(|(response, y)| add(&mut a, *y, response));
        [a, y]
    }

    /// The change of the determinant with what changes the right-hand sides of y, (nv) and (m), by Jacobi's formula.
    pub(crate) fn vary_determinant(
        &mut self,
        mass: &Cholesky,
        j: usize,
        (force, left): (&mut [f64], &mut [f64]),
    ) -> f64 {
        self.vary_without_friction(mass, force, left);
        let Self { small, slides, sliding, determinant, .. } = self;
        sliding.clear();
        sliding.extend(slides.iter().map(|&row| -left[row]));
        small.solve(sliding);
        *determinant * sliding[j]
    }

    /// Takes other forces, (m), than λ, and changes v̇ accordingly.
    pub(crate) fn replace(&mut self, lambda: &[f64], v_dot: &mut [f64]) {
        let mut changes = core::mem::take(&mut self.lambda);
        changes.iter_mut().zip(lambda).for_each(|(old, new)| *old = new - *old);
        self.exert(&changes, v_dot);
        changes.copy_from_slice(lambda);
        self.lambda = changes;
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
        self.is_regular = self.cholesky.factor(self.least).is_ok();
        if !self.is_regular {
            self.orthogonal.factor((m, m), &self.matrix, self.least);
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
        let Self { coupling, small, slides, sliding, .. } = self;
        let (m, k) = (self.target.len(), slides.len());
        let entry = |i: usize, j: usize| f64::from(u8::from(i == j)) + coupling[j * m + slides[i]];
        let ratio = small.factor(k, (0..k * k).map(|place| entry(place % k, place / k)));
        self.determinant = if ratio > PARADOX { small.determinant() } else { 0.0 };
        if self.determinant <= PARADOX {
            let least = |a: usize, b: usize| if entry(b, b) < entry(a, a) { b } else { a };
            return Err(Paradox((0..k).fold(0, least)));
        }
        small.solve(sliding);
        Ok(())
    }

    /// Finds the forces that change nothing along the rows for which λ was solved last.
    pub(crate) fn balance(&mut self) {
        let m = self.count();
        let mut basis = core::mem::take(&mut self.balanced);
        basis.clear();
        if !self.is_regular {
            // The columns of 1 − S⁺ S, which are shorter than one in m only by rounding.
            basis.extend_from_slice(&self.matrix);
            for (j, column) in basis.chunks_exact_mut(m).enumerate() {
                self.invert(column);
                scale(column, -1.0);
                column[j] += 1.0;
            }
            make_orthonormal(&mut basis, m, 0.5 / sqrt(m as f64));
            if !self.slides.is_empty() {
                basis.chunks_exact_mut(m).for_each(|column| self.drag(column));
                make_orthonormal(&mut basis, m, SPANNED);
            }
        }
        self.balanced = basis;
    }

    /// n of ν.
    fn drag(&mut self, forces: &mut [f64]) {
        let Self { coupling, small, slides, sliding, .. } = self;
        sliding.clear();
        sliding.extend(slides.iter().map(|&row| forces[row]));
        small.solve(sliding);
        let columns = coupling.chunks_exact(forces.len()).zip(&*sliding);
        columns.for_each(|(column, by)| add(forces, -by, column));
    }
}

/// Turns columns of m numbers into an orthonormal basis of what they span: the longest of what is left comes next, and what
/// is no longer than `least` is nothing.
fn make_orthonormal(columns: &mut Vec<f64>, m: usize, least: f64) {
    let mut done = 0;
    while done < columns.len() {
        let lengths = columns[done..].chunks_exact(m).map(norm).enumerate();
        let longer = |a: (usize, f64), b: (usize, f64)| if b.1 > a.1 { b } else { a };
        let (longest, length) = lengths.fold((0, 0.0), longer);
        if length <= least {
            return columns.truncate(done);
        }
        (0..m).for_each(|i| columns.swap(done + i, done + longest * m + i));
        let (unit, rest) = columns[done..].split_at_mut(m);
        scale(unit, 1.0 / length);
        rest.chunks_exact_mut(m).for_each(|column| add(column, -dot(unit, column), unit));
        done += m;
    }
}
