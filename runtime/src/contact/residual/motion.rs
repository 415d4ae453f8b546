//! A step as it is judged: where it starts, what acts, and what a solver says it leads to.

use crate::contact::conditions::Conditions;
use crate::contact::impulse::Impulse;
use crate::model::Model;
use crate::space::Storage;

/// A step: where it starts, what acts, and what a solver says it leads to.
#[derive(Debug)]
pub struct Transition<'a, M: Model> {
    /// The law of contact and what is set at run time.
    pub conditions: &'a Conditions,
    /// t at the beginning, in seconds.
    pub time: f64,
    /// h, in seconds.
    pub step_size: f64,
    /// Configuration at the beginning, (nq).
    pub q: &'a M::Q,
    /// Velocity at the beginning, (nv).
    pub v: &'a M::V,
    /// Generalised force without the bias force, (nv).
    pub force: &'a M::V,
    /// Velocity at the end, (nv), as the state at the end has it: that of a floating joint in the axes
    /// that its child has then.
    pub v_next: &'a M::V,
    /// Λ.
    pub impulse: &'a Impulse,
}

/// A [`Transition`] as data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<'a> {
    pub(crate) conditions: &'a Conditions,
    pub(crate) time: f64,
    pub(crate) step_size: f64,
    /// (nq).
    pub(crate) q: &'a [f64],
    /// (nv) each.
    pub(crate) v: &'a [f64],
    pub(crate) force: &'a [f64],
    pub(crate) v_next: &'a [f64],
    pub(crate) impulse: &'a Impulse,
}

impl<M: Model> Transition<'_, M> {
    pub(crate) fn motion(&self) -> Motion<'_> {
        let Self { conditions, time, step_size, q, v, force, v_next, impulse } = *self;
        let [v, force, v_next] = [v, force, v_next].map(Storage::as_slice);
        Motion { conditions, time, step_size, q: q.as_slice(), v, force, v_next, impulse }
    }
}
