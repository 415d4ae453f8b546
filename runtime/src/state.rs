//! Where a robot is and how it moves.

use core::fmt;

use crate::integrate::Phase;
use crate::model::Model;
use crate::space::Storage;

/// Time, configuration and velocity.
pub struct State<M: Model> {
    /// Time in seconds.
    pub time: f64,
    /// Configuration, (nq).
    pub q: M::Q,
    /// Velocity, (nv).
    pub v: M::V,
}

impl<M: Model> State<M> {
    /// That of a phase, without its further states.
    pub(crate) fn of(phase: &Phase) -> Self {
        let (mut q, mut v) = (M::Q::zeros(), M::V::zeros());
        q.as_mut_slice().copy_from_slice(&phase.q);
        v.as_mut_slice().copy_from_slice(&phase.v);
        Self { time: phase.time, q, v }
    }

    /// (t, q, v).
    pub(crate) fn at(&self) -> (f64, &[f64], &[f64]) {
        (self.time, self.q.as_slice(), self.v.as_slice())
    }

    /// T + U in J, without what springs store.
    pub(crate) fn energy(&self, model: &M) -> f64 {
        model.kinetic_energy(&self.q, &self.v) + model.potential_energy(&self.q)
    }
}

impl<M: Model> Clone for State<M> {
    fn clone(&self) -> Self {
        Self { time: self.time, q: self.q.clone(), v: self.v.clone() }
    }
}

impl<M: Model> PartialEq for State<M> {
    fn eq(&self, other: &Self) -> bool {
        self.time == other.time && self.q == other.q && self.v == other.v
    }
}

impl<M: Model> fmt::Debug for State<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, q, v } = self;
        f.debug_struct("State").field("time", time).field("q", q).field("v", v).finish()
    }
}
