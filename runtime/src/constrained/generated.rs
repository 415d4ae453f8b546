//! Motion under the rows that hold, as it is generated.
//!
//! Straight-line code eliminates coordinates and rows in a fixed order. That is exact to rounding unless
//! M is singular, rows depend on one another, or limbs hardly can move what holds them; then, as the code
//! says itself, other methods are to be used.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::Level;
use crate::kernel::Input;
use crate::model::{HeldTable, Robot, Table};
use crate::slices::all_finite;

use super::held::Rows;

/// Room for what is generated.
#[derive(Clone, Debug)]
pub(super) struct Generated {
    held: &'static HeldTable,
    chosen: Chosen,
    /// What each row that may hold is asked for beyond what it asks for itself.
    asked: Vec<f64>,
    numbers: Vec<f64>,
}

/// The rows that hold.
#[derive(Clone, Debug)]
enum Chosen {
    /// Others than before, perhaps.
    Unknown,
    /// They are generated: all, and those of positions.
    Generated { all: Choice, positions: Choice },
    /// One of them is not generated.
    Other,
}

/// Some of the rows that may hold.
#[derive(Clone, Debug)]
struct Choice {
    /// Their places among all.
    places: Vec<usize>,
    /// Of each row that may hold, 1 or 0.
    holds: Vec<f64>,
}

impl Choice {
    fn new(places: Vec<usize>, rows: usize) -> Self {
        let mut holds = vec![0.0; rows];
        places.iter().for_each(|&row| holds[row] = 1.0);
        Self { places, holds }
    }
}

/// Which of the rows that hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Which {
    All,
    /// Those of positions.
    Positions,
}

/// What is generated of motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    /// v̇.
    Acceleration,
    /// v⁺ after an impact.
    Impact,
}

impl Generated {
    pub(super) fn new(table: &Table, held: &'static HeldTable) -> Self {
        let numbers = vec![f64::NAN; table.nv + held.rows + 1];
        Self { held, chosen: Chosen::Unknown, asked: vec![0.0; held.rows], numbers }
    }

    /// Other rows may hold from now on.
    pub(super) fn forget(&mut self) {
        self.chosen = Chosen::Unknown;
    }

    /// Whether all rows that hold are generated.
    pub(super) fn has(&mut self, rows: &Rows) -> bool {
        if matches!(self.chosen, Chosen::Unknown) {
            self.chosen = choose(rows, self.asked.len());
        }
        matches!(self.chosen, Chosen::Generated { .. })
    }

    /// Writes v̇ or v⁺, and the multipliers of the rows that hold, as the kernel computes them where each
    /// of these rows is `asked` for so much beyond what it asks for itself; for nothing if there are no such
    /// numbers. Returns whether the solution is accurate.
    pub(super) fn solve(
        &mut self,
        robot: Robot<'_>,
        (motion, which): (Motion, Which),
        (state, asked): (Input<'_, f64>, &[f64]),
        (x, multipliers): (&mut [f64], &mut Vec<f64>),
    ) -> bool {
        let Chosen::Generated { all, positions } = &self.chosen else { return false };
        let Choice { places, holds } = if which == Which::All { all } else { positions };
        self.asked.fill(0.0);
        places.iter().zip(asked).for_each(|(&row, asked)| self.asked[row] = *asked);
        let read = Input { holds, asked: &self.asked, ..state };
        match motion {
            Motion::Acceleration => self.held.dynamics_into(robot, &read, &mut self.numbers),
            Motion::Impact => self.held.impact_into(robot, &read, &mut self.numbers),
        }
        let (motion, rest) = self.numbers.split_at(robot.nv);
        let (forces, doubt) = rest.split_at(self.held.rows);
        let trusted = doubt.iter().all(|doubt| (0.0..=1.0).contains(doubt))
            && all_finite(motion)
            && all_finite(forces);
        if trusted {
            x.copy_from_slice(motion);
            multipliers.clear();
            multipliers.extend(places.iter().map(|&row| forces[row]));
        }
        trusted
    }
}

/// Of so many rows that may hold.
fn choose(rows: &Rows, most: usize) -> Chosen {
    let Some(places) = rows.generated().filter(|_| most > 0) else { return Chosen::Other };
    let levels = places.iter().zip(rows.levels());
    let positions = levels.filter(|(_, (level, _))| *level == Level::Position);
    let positions = positions.map(|(&row, _)| row).collect();
    Chosen::Generated { all: Choice::new(places, most), positions: Choice::new(positions, most) }
}
