//! The motion of one mode as a right-hand side.

use super::Automaton;
use crate::integrate::{At, System};

pub(super) struct Flow<'a, A: Automaton> {
    pub(super) automaton: &'a mut A,
    pub(super) mode: &'a A::Mode,
}

impl<A: Automaton> System for Flow<'_, A> {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        self.automaton.rates(self.mode, at, v_dot, z_dot);
    }

    fn derivatives(&mut self, at: At<'_>, derivatives: &mut [f64]) -> bool {
        self.automaton.derivatives(self.mode, at, derivatives).is_some()
    }

    fn scale(&self) -> f64 {
        self.automaton.scale(self.mode)
    }
}
