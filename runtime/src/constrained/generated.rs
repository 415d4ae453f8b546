//! Motion under the rows that hold, as it is generated.
//!
//! Straight-line code eliminates coordinates and rows in a fixed order. That is exact to rounding unless
//! M is singular, rows depend on one another, or limbs hardly can move what holds them; then, as the code
//! says itself, other methods are to be used.

use alloc::vec;
use alloc::vec::Vec;

use crate::kernel::Kernel;
use crate::kernel::{Input, evaluate};
use crate::model::Model;

use super::held::Rows;

/// Room for what is generated.
#[derive(Clone, Debug)]
pub(super) struct Generated {
    /// Of each row that may hold, 1 or 0.
    holds: Vec<f64>,
    /// The rows that hold; none if one of them is not generated.
    rows: Option<Vec<usize>>,
    numbers: Vec<f64>,
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

    /// Writes v̇ or v⁺, and the multipliers of the rows that hold, as the kernel `K` computes them. Returns
    /// whether they are accurate.
    pub(super) fn solve<M: Model, K: Kernel>(
        &mut self,
        model: &M,
        state: Input<'_, f64>,
        (x, multipliers): (&mut [f64], &mut Vec<f64>),
    ) -> bool {
        let Some(rows) = &self.rows else { return false };
        model.with_prepared(|fields| {
            evaluate::<K>(&Input { fields, holds: &self.holds, ..state }, &mut self.numbers);
        });
        let (motion, rest) = self.numbers.split_at(M::NV);
        let (forces, doubts) = rest.split_at(M::HELD_ROWS);
        // Without a branch for each number.
        let trusted = doubts.iter().fold(true, |all, &x| all & (0.0..=1.0).contains(&x));
        if trusted {
            x.copy_from_slice(motion);
            multipliers.clear();
            multipliers.extend(rows.iter().map(|&row| forces[row]));
        }
        trusted
    }
}
