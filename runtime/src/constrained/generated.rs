//! Motion under the rows that hold, as it is generated.
//!
//! Straight-line code eliminates coordinates and rows in a fixed order. That is exact to rounding unless
//! M is singular, rows depend on one another, or limbs hardly can move what holds them; then, as the code
//! says itself, other methods are to be used. Beside the manifold of the constraints, where redundant rows
//! are slightly independent, it must doubt less to be trusted; and forces that nothing explains may be those of
//! a row that vanishes but for rounding.

use alloc::vec;
use alloc::vec::Vec;

use crate::kernel::Kernel;
use crate::kernel::{Input, evaluate};
use crate::model::Model;

use super::held::Rows;
use super::nearness::FAR;

/// The square of what a row of which the doubt is 1 has of its own.
const DOUBTED: f64 = 1e-9;

/// Room for what is generated.
#[derive(Clone, Debug)]
pub(super) struct Generated {
    /// Of each row that may hold, 1 or 0.
    holds: Vec<f64>,
    /// The rows that hold; none if one of them is not generated.
    rows: Option<Vec<usize>>,
    numbers: Vec<f64>,
}

/// Multipliers by the forces and motions that they belong to.
const STRANGE: f64 = 1e8;

/// By the error of positions, what of a row must be its own; in generous units.
const TURN: f64 = 100.0;

/// The largest doubt about rows: above, a row has less of its own than the error of positions makes.
fn most_doubt(error: f64) -> f64 {
    let least = TURN * error;
    if error > FAR { 1.0 } else { f64::min(1.0, DOUBTED / (least * least)) }
}

impl Generated {
    pub(super) fn new<M: Model>(rows: &Rows<M>) -> Self {
        let (n, m) = (M::NV, M::HELD_ROWS);
        let numbers = vec![f64::NAN; 2 * (n + m)];
        let mut generated = Self { holds: vec![0.0; m], rows: None, numbers };
        generated.choose(rows);
        generated
    }

    /// Takes note of which rows hold.
    pub(super) fn choose<M: Model>(&mut self, rows: &Rows<M>) {
        self.rows = if M::HELD_ROWS == 0 { None } else { rows.generated() };
        self.holds.fill(0.0);
        for &row in self.rows.iter().flatten() {
            self.holds[row] = 1.0;
        }
    }

    /// Writes v̇ or v⁺, and the multipliers of the rows that hold, as the kernel `K` computes them where
    /// positions err by up to `error`. Returns whether they are accurate.
    pub(super) fn solve<M: Model, K: Kernel>(
        &mut self,
        model: &M,
        state: Input<'_, f64>,
        error: f64,
        (x, multipliers): (&mut [f64], &mut Vec<f64>),
    ) -> bool {
        let Some(rows) = &self.rows else { return false };
        model.with_prepared(|fields| {
            evaluate::<K>(&Input { fields, holds: &self.holds, ..state }, &mut self.numbers);
        });
        let (motion, rest) = self.numbers.split_at(M::NV);
        let (forces, doubts) = rest.split_at(M::HELD_ROWS);
        // Without a branch for each number.
        let (coordinates, of_rows) = doubts.split_at(M::NV);
        let sure = |doubts: &[f64], most: f64| {
            doubts.iter().fold(true, |all, &x| all & (0.0..=most).contains(&x))
        };
        let largest = |x: &[f64]| x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let explained =
            M::NC == 0 || largest(forces) <= STRANGE * (1.0 + largest(state.a) + largest(motion));
        let finite = motion.iter().chain(forces).fold(true, |all, x| all & x.is_finite());
        let trusted =
            finite & sure(coordinates, 1.0) & sure(of_rows, most_doubt(error)) && explained;
        if trusted {
            x.copy_from_slice(motion);
            multipliers.clear();
            multipliers.extend(rows.iter().map(|&row| forces[row]));
        }
        trusted
    }
}
