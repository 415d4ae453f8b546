//! Motion under the rows that hold, as it is generated.
//!
//! Straight-line code eliminates coordinates and rows in a fixed order. That is exact to rounding unless
//! M is singular, rows depend on one another, or limbs hardly can move what holds them; then, as the code
//! says itself, other methods are to be used. Beside the manifold of the constraints, where redundant rows
//! are slightly independent, it must doubt less to be trusted; and forces that nothing explains may be those of
//! a row that vanishes but for rounding.

use alloc::vec;
use alloc::vec::Vec;

use crate::check;
use crate::kernel::{Input, Kernel, evaluate};
use crate::model::Model;

use super::held::Rows;
use super::newton::largest;

/// The square of what a row of which the doubt is 1 has of its own: the inverse of the largest ratio of its
/// pivots that the generator takes.
const DOUBTED: f64 = 1e-9;

/// Multipliers by the forces and motions that they belong to.
const STRANGE: f64 = 1e8;

/// The largest doubt about rows, where so much of a row must be its own.
fn most_doubt(threshold: f64) -> f64 {
    f64::min(1.0, DOUBTED / (threshold * threshold))
}

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

    /// Whether all rows that hold are generated.
    pub(super) fn has<M: Model>(&mut self, rows: &Rows<M>) -> bool {
        if matches!(self.chosen, Chosen::Unknown) {
            let generated = rows.generated().filter(|_| M::HELD_ROWS > 0);
            self.holds.fill(0.0);
            generated.iter().flatten().for_each(|&row| self.holds[row] = 1.0);
            self.chosen = generated.map_or(Chosen::Other, Chosen::Rows);
        }
        matches!(self.chosen, Chosen::Rows(_))
    }

    /// Writes v̇ or v⁺, and the multipliers of the rows that hold, as the kernel `K` computes them where
    /// `threshold` of a row must be its own. Returns whether they are accurate.
    pub(super) fn solve<M: Model, K: Kernel>(
        &mut self,
        model: &M,
        (state, threshold): (Input<'_, f64>, f64),
        (x, multipliers): (&mut [f64], &mut Vec<f64>),
    ) -> bool {
        let Chosen::Rows(rows) = &self.chosen else { return false };
        model.with_prepared(|fields| {
            evaluate::<K>(&Input { fields, holds: &self.holds, ..state }, &mut self.numbers);
        });
        let (motion, rest) = self.numbers.split_at(M::NV);
        let (forces, doubts) = rest.split_at(M::HELD_ROWS);
        let explained =
            M::NC == 0 || largest(forces) <= STRANGE * (1.0 + largest(state.a) + largest(motion));
        let (of_coordinates, of_rows) = doubts.split_at(M::NV);
        let sure = within(of_coordinates, 1.0) && within(of_rows, most_doubt(threshold));
        let trusted = sure && explained && check::all_finite(motion) && check::all_finite(forces);
        if trusted {
            x.copy_from_slice(motion);
            multipliers.clear();
            multipliers.extend(rows.iter().map(|&row| forces[row]));
        }
        trusted
    }
}

/// Without a branch for each number.
fn within(doubts: &[f64], most: f64) -> bool {
    doubts.iter().fold(true, |all, doubt| all & (0.0..=most).contains(doubt))
}
