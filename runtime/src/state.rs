//! Where a robot is and how it moves.

use core::fmt;

use crate::model::Model;

/// Time, configuration and velocity.
pub struct State<M: Model> {
    /// Time in seconds.
    pub time: f64,
    /// Configuration, (nq).
    pub q: M::Q,
    /// Velocity, (nv).
    pub v: M::V,
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
