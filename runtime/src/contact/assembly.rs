//! The step as a linear complementarity problem.
//!
//! > z = (λ, β, σ),  A = G M⁻¹ Gᵀ over the rows of λ and β
//!
//! ```text
//! 0 ≤ λ  ⟂  A_λλ λ + A_λβ β       + n v_free − l ≥ 0
//! 0 ≤ β  ⟂  A_βλ λ + A_ββ β + E σ + d v_free     ≥ 0
//! 0 ≤ σ  ⟂     μ λ −   Eᵀ β       + bound        ≥ 0
//! ```
//!
//! with one σ for each polygon of friction and E telling which β belongs to it. For z ≥ 0,
//! zᵀ M z = Λᵀ A Λ + σᵀ μ λ ≥ 0: the matrix is copositive, which is the class of Lemke's method.
//!
//! Impulses enter divided by the harmonic mean of the effective masses 1/Aᵢᵢ, so that all numbers
//! are velocities and the weight of a robot does not matter.

use alloc::vec::Vec;
use core::ops::Range;

use super::rows::Rows;

/// Friction along some rows, up to a bound on the sum of their impulses.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polygon {
    /// What it acts on.
    pub(super) at: Place,
    /// The rows of β.
    pub(super) rows: Range<usize>,
    pub(super) bound: Bound,
}

/// What friction acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The contact of this index.
    Contact(usize),
    /// The velocity coordinate of this index, along its positive and its negative direction.
    Coordinate(usize),
}

/// How much friction there can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    /// μ times the impulse of the row `normal`.
    Coulomb { normal: usize, friction: f64 },
    /// An impulse of its own.
    Constant(f64),
}

/// The problem's data and the room for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    /// (n, n), column by column.
    pub(super) m: Vec<f64>,
    /// (n).
    pub(super) q: Vec<f64>,
    /// What λ and β are to be multiplied by to be impulses, in kg.
    pub(super) mass: f64,
}

impl Problem {
    /// Assembles the problem of `rows`, of which the first demand the velocities `least` and the
    /// others are friction.
    pub(super) fn assemble(
        &mut self,
        rows: &Rows,
        free: &[f64],
        least: impl Iterator<Item = f64>,
        polygons: &[Polygon],
    ) {
        let (rows_count, n) = (rows.count(), rows.count() + polygons.len());
        self.q.clear();
        self.q.extend((0..rows_count).map(|i| rows.times(i, free)));
        self.q.iter_mut().zip(least).for_each(|(q, least)| *q -= least);
        let inverse_masses: f64 = (0..rows_count).map(|i| rows.delassus(i, i)).sum();
        self.mass = if inverse_masses > 0.0 { rows_count as f64 / inverse_masses } else { 1.0 };
        self.m.clear();
        self.m.resize(n * n, 0.0);
        for (j, column) in self.m.chunks_exact_mut(n.max(1)).take(rows_count).enumerate() {
            for (i, m) in column[..rows_count].iter_mut().enumerate() {
                *m = self.mass * rows.delassus(i, j);
            }
        }
        for (slack, polygon) in (rows_count..).zip(polygons) {
            for row in polygon.rows.clone() {
                self.m[slack * n + row] = 1.0;
                self.m[row * n + slack] = -1.0;
            }
            self.q.push(match polygon.bound {
                Bound::Constant(bound) => bound / self.mass,
                Bound::Coulomb { normal, friction } => {
                    self.m[normal * n + slack] = friction;
                    0.0
                }
            });
        }
    }
}
