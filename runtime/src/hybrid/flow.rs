//! An automaton in one of its modes, without its types.

use alloc::vec::Vec;

use super::Automaton;
use crate::integrate::{At, System};

/// What an automaton has in a mode, as the methods of [`Automaton`] of these names.
pub(super) trait InMode {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]);

    fn derivatives(&mut self, at: At<'_>, derivatives: &mut [f64]) -> Option<f64>;

    fn guards(&self, guards: &mut Vec<usize>);

    fn guard(&mut self, guard: usize, at: At<'_>) -> f64;

    fn is_bound(&self, guard: usize) -> bool;

    fn guard_derivatives(
        &mut self,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64>;
}

/// An automaton and its mode. It is a right-hand side too.
pub(super) struct Flow<'a, A: Automaton> {
    pub(super) automaton: &'a mut A,
    pub(super) mode: &'a A::Mode,
}

impl<A: Automaton> InMode for Flow<'_, A> {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        self.automaton.rates(self.mode, at, v_dot, z_dot);
    }

    fn derivatives(&mut self, at: At<'_>, derivatives: &mut [f64]) -> Option<f64> {
        self.automaton.derivatives(self.mode, at, derivatives)
    }

    fn guards(&self, guards: &mut Vec<usize>) {
        self.automaton.guards(self.mode, guards);
    }

    fn guard(&mut self, guard: usize, at: At<'_>) -> f64 {
        self.automaton.guard(self.mode, guard, at)
    }

    fn is_bound(&self, guard: usize) -> bool {
        self.automaton.is_bound(self.mode, guard)
    }

    fn guard_derivatives(
        &mut self,
        guard: usize,
        at: At<'_>,
        derivatives: &mut [f64],
    ) -> Option<f64> {
        self.automaton.guard_derivatives(self.mode, guard, at, derivatives)
    }
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
