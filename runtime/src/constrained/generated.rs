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
    chosen: Chosen,
    /// Of each row that may hold, 1 or 0.
    holds: Vec<f64>,
    numbers: Vec<f64>,
}

/// The rows that hold.
#[derive(Clone, Debug)]
enum Chosen {
    /// Others than before, perhaps.
    Unknown,
    /// They are generated, at these places among all that may hold.
    Rows(Vec<usize>),
    /// One of them is not generated.
    Other,
}

impl Generated {
    pub(super) fn new<M: Model>() -> Self {
        let numbers = vec![f64::NAN; 2 * (M::NV + M::HELD_ROWS)];
        Self { chosen: Chosen::Unknown, holds: vec![0.0; M::HELD_ROWS], numbers }
    }

    /// Other rows may hold from now on.
    pub(super) fn forget(&mut self) {
        self.chosen = Chosen::Unknown;
    }

    fn choose<M: Model>(&mut self, rows: &Rows<M>) {
        let generated = rows.generated().filter(|_| M::HELD_ROWS > 0);
        self.holds.fill(0.0);
        generated.iter().flatten().for_each(|&row| self.holds[row] = 1.0);
        self.chosen = generated.map_or(Chosen::Other, Chosen::Rows);
    }

    /// Writes v̇ or v⁺, and the multipliers of the rows that hold, as the kernel `K` computes them. Returns
    /// whether they are accurate.
    pub(super) fn solve<M: Model, K: Kernel>(
        &mut self,
        (model, rows): (&M, &Rows<M>),
        state: Input<'_, f64>,
        (x, multipliers): (&mut [f64], &mut Vec<f64>),
    ) -> bool {
        if matches!(self.chosen, Chosen::Unknown) {
            self.choose(rows);
        }
        let Chosen::Rows(rows) = &self.chosen else { return false };
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
