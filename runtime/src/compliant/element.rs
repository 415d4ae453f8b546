//! What may press, and whether it does.
//!
//! An element is apart while δ ≤ 0, presses while δ > 0 and F > 0, and where F would pull it is leaving. In each of
//! these modes its force is smooth, and guards that are positive say where the mode ends:
//!
//! > apart: −δ;  pressing: δ and F;  leaving: δ and −F

use super::Spring;
use crate::unilateral::Unilateral;

/// Which law an element follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Apart,
    Pressing,
    Leaving,
}

/// One that may press, by a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element {
    pub(super) what: Unilateral,
    pub(super) spring: Spring,
    pub(super) mode: Mode,
}

/// Guards of an element.
pub(super) const GUARDS: usize = 2;

impl Element {
    pub(super) fn new(what: Unilateral, spring: Spring) -> Self {
        Self { what, spring, mode: Mode::Apart }
    }

    #[inline]
    pub(super) fn is_pressing(&self) -> bool {
        self.mode == Mode::Pressing
    }

    /// F in its mode.
    #[inline]
    pub(super) fn force(&self, (depth, rate): (f64, f64)) -> f64 {
        match self.mode {
            Mode::Pressing => self.spring.pressing(depth, rate),
            Mode::Apart | Mode::Leaving => 0.0,
        }
    }

    /// What is positive in its mode.
    #[inline]
    pub(super) fn guards(&self, (depth, rate): (f64, f64)) -> [f64; GUARDS] {
        let margin = self.spring.margin(depth, rate);
        match self.mode {
            Mode::Apart => [-depth; GUARDS],
            Mode::Pressing => [depth, margin],
            Mode::Leaving => [depth, -margin],
        }
    }

    /// Takes the mode of a depth and its rate, as if it had none before.
    pub(super) fn enter(&mut self, (depth, rate): (f64, f64)) {
        let is_in = depth > 0.0 || (depth == 0.0 && rate > 0.0);
        self.mode = match self.spring.margin(depth, rate) > 0.0 {
            _ if !is_in => Mode::Apart,
            true => Mode::Pressing,
            false => Mode::Leaving,
        };
    }

    /// How many of its guards differ.
    #[inline]
    pub(super) fn watched(&self) -> usize {
        if self.mode == Mode::Apart { 1 } else { GUARDS }
    }

    /// Leaves its mode through one of its guards.
    pub(super) fn pass(&mut self, guard: usize) {
        self.mode = match (self.mode, guard) {
            (Mode::Apart, _) | (Mode::Leaving, 1) => Mode::Pressing,
            (Mode::Pressing, 1) => Mode::Leaving,
            _ => Mode::Apart,
        };
    }
}
