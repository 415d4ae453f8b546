//! What presses against what: the complementarity problem of all that touches.
//!
//! > w = A λ + b,  A = G M⁻¹ Rᵀ,  and the law of each part between its w and λ
//!
//! with the rows G of constraints and of what touches. For what does not slip, w and λ obey Coulomb's law on the exact
//! cone; what slides has its normal alone, with R = n − μ sᵀ T for the friction that opposes its slip s. With
//! accelerations w = G v̇ + Ġ v, λ are forces.

use alloc::vec::Vec;
use core::ops::Range;

use super::machine::Machine;
use crate::cone::{self, Block, Law, Matrix, Settings};
use crate::model::Table;
use crate::slices::{add, columns, copy, dot, multiply, zeros};

/// By the largest number of b: what rounding leaves.
const TOLERANCE: f64 = 1e-12;

/// An acceleration in m/s² or rad/s² beside which terms are none.
const NEGLIGIBLE: f64 = 1e-9;

/// How a part takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pressed {
    /// Not at all.
    Apart,
    /// Without slip, so that it may begin to slip anywhere.
    Still,
    /// With a slip along this unit vector.
    Sliding([f64; 2]),
}

/// A part that takes part, and its rows.
#[derive(Clone, Debug)]
struct Taking {
    part: usize,
    rows: Range<usize>,
}

/// A problem and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Press {
    /// G, and R turned into M⁻¹ Rᵀ, row by row.
    rows: Vec<f64>,
    responses: Vec<f64>,
    matrix: Vec<f64>,
    pub(super) b: Vec<f64>,
    /// The sizes of the terms that each of b is the sum of.
    terms: Vec<f64>,
    blocks: Vec<Block>,
    parts: Vec<Taking>,
    /// A tangent, (nv).
    tangent: Vec<f64>,
    /// λ and w.
    pub(super) z: Vec<f64>,
    pub(super) w: Vec<f64>,
    residual: f64,
    workspace: cone::Workspace,
}

impl Press {
    /// The rows of a part, if it takes part.
    pub(super) fn rows(&self, part: usize) -> Option<Range<usize>> {
        let found = self.parts.iter().find(|taking| taking.part == part);
        found.map(|taking| taking.rows.clone())
    }

    /// The parts that take part, and their normals.
    pub(super) fn normals(&self) -> impl Iterator<Item = (usize, usize)> {
        self.parts.iter().map(|taking| (taking.part, taking.rows.start))
    }

    /// G, row by row.
    pub(super) fn jacobian(&self) -> &[f64] {
        &self.rows
    }

    /// The largest sum of terms that an acceleration along these rows is of.
    fn largest_terms(&self, rows: &Range<usize>) -> f64 {
        let n = self.b.len();
        let terms = |row: usize| {
            let of_forces = self.z.iter().zip(self.matrix.chunks_exact(n));
            self.terms[row] + of_forces.map(|(z, column)| (z * column[row]).abs()).sum::<f64>()
        };
        rows.clone().map(terms).fold(NEGLIGIBLE, f64::max)
    }

    /// The acceleration along these rows that is left of none: so much by their terms, and what is left to the solver.
    pub(super) fn left(&self, none: f64, rows: &Range<usize>) -> f64 {
        f64::max(none * self.largest_terms(rows), self.residual)
    }

    /// The normal force that the terms of these rows ask for.
    pub(super) fn asked(&self, rows: &Range<usize>) -> f64 {
        self.largest_terms(rows) / self.matrix[rows.start * (self.b.len() + 1)]
    }

    /// Solves the problem.
    ///
    /// # Errors
    ///
    /// That of the solver, where there is no solution or none is found.
    pub(super) fn solve(&mut self) -> Result<(), cone::Error> {
        let problem = cone::Problem {
            matrix: Matrix::Delassus(&self.matrix),
            b: &self.b,
            blocks: &self.blocks,
            law: Law::Coulomb,
        };
        let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
        let solution = cone::solve(&problem, &settings, &mut self.workspace)?;
        copy(&mut self.z, solution.z);
        self.residual = solution.residual;
        multiply(copy(&mut self.w, &self.b), &self.matrix, &self.z);
        Ok(())
    }
}

impl Machine {
    /// Sets the problem of accelerations of what touches, where rows were evaluated last.
    pub(super) fn press_accelerations(&mut self, pressed: &[Pressed]) {
        self.set_press(pressed);
        let Self { parts, press, free, .. } = self;
        let Table { nv, nc, .. } = *self.table;
        let Press { rows, b, terms, .. } = press;
        b.clear();
        terms.clear();
        b.extend(columns(rows, nv).map(|row| dot(row, free)));
        let sizes = |row: &[f64]| row.iter().zip(&*free).map(|(g, v)| (g * v).abs()).sum::<f64>();
        terms.extend(columns(rows, nv).map(sizes));
        let mut add = |row: usize, term: f64| {
            b[row] += term;
            terms[row] += term.abs();
        };
        (0..nc).for_each(|row| add(row, -parts.closure.target(row, 0.0)));
        for Taking { part, rows } in &press.parts {
            rows.clone().zip(0..).for_each(|(place, row)| add(place, parts.bias(*part, row)));
        }
    }

    /// Rows, blocks and A.
    fn set_press(&mut self, pressed: &[Pressed]) {
        let Self { parts, press, mass, friction, .. } = self;
        let Table { nv, nc, .. } = *self.table;
        let Press { rows, responses, blocks, parts: taking, tangent, .. } = press;
        rows.clear();
        blocks.clear();
        taking.clear();
        for row in 0..nc {
            parts.closure.push_row(row, rows);
            blocks.push(Block::Row { lower: f64::NEG_INFINITY, upper: f64::INFINITY });
        }
        for (part, pressed) in pressed.iter().enumerate() {
            if *pressed == Pressed::Apart {
                continue;
            }
            let first = rows.len() / nv.max(1);
            parts.push_row(part, 0, rows);
            match (friction.get(part), pressed) {
                (Some(&friction), Pressed::Still) => {
                    (1..3).for_each(|row| parts.push_row(part, row, rows));
                    blocks.push(Block::Contact { friction, torsion: None });
                }
                _ => blocks.push(Block::Row { lower: 0.0, upper: f64::INFINITY }),
            }
            taking.push(Taking { part, rows: first..rows.len() / nv.max(1) });
        }
        copy(responses, rows);
        for Taking { part, rows } in &*taking {
            let Pressed::Sliding(along) = pressed[*part] else { continue };
            for (row, along) in (1..3).zip(along) {
                tangent.clear();
                parts.push_row(*part, row, tangent);
                let response = &mut responses[rows.start * nv..][..nv];
                add(response, -friction[*part] * along, tangent);
            }
        }
        responses.chunks_exact_mut(nv.max(1)).for_each(|response| mass.solve(response));
        press.multiply(nv);
    }
}

impl Press {
    /// A, column by column.
    fn multiply(&mut self, nv: usize) {
        let n = self.rows.len() / nv.max(1);
        let matrix = zeros(&mut self.matrix, n * n);
        for (column, response) in
            matrix.chunks_exact_mut(n.max(1)).zip(columns(&self.responses, nv))
        {
            for (entry, row) in column.iter_mut().zip(columns(&self.rows, nv)) {
                *entry = dot(row, response);
            }
        }
    }
}
