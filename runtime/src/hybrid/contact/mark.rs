//! Guards of a user's own, and what happens where they fire.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use super::guard::Guard;
use super::machine::Machine;
use crate::integrate::Phase;
use crate::model::Model;
use crate::space::Storage;
use crate::state::State;

/// What a user's guard is of the state, and where its firing leads.
type Value<M> = dyn Fn(&State<M>) -> f64 + Send + Sync;
type Reset<M> = dyn Fn(&State<M>) -> (<M as Model>::Q, <M as Model>::V) + Send + Sync;

/// A user's guard.
pub(super) struct Mark<M: Model> {
    pub(super) name: String,
    value: Arc<Value<M>>,
    reset: Option<Arc<Reset<M>>>,
}

impl<M: Model> Mark<M> {
    pub(super) fn new(
        name: &str,
        value: impl Fn(&State<M>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), value: Arc::new(value), reset: None }
    }

    pub(super) fn with_reset(
        self,
        reset: impl Fn(&State<M>) -> (M::Q, M::V) + Send + Sync + 'static,
    ) -> Self {
        Self { reset: Some(Arc::new(reset)), ..self }
    }

    pub(super) fn value(&self, state: &State<M>) -> f64 {
        (self.value)(state)
    }

    /// q and v after it fired, if they jump.
    pub(super) fn reset(&self, state: &State<M>) -> Option<(M::Q, M::V)> {
        self.reset.as_ref().map(|reset| reset(state))
    }
}

impl<M: Model> Clone for Mark<M> {
    fn clone(&self) -> Self {
        let Self { name, value, reset } = self;
        Self { name: name.clone(), value: value.clone(), reset: reset.clone() }
    }
}

impl<M: Model> fmt::Debug for Mark<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mark").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<M: Model> Machine<M> {
    /// Lets the phase jump as the user's guards among those that fired have it; whether it does.
    pub(super) fn reset(&mut self, ids: &[usize], phase: &mut Phase) -> bool {
        let mut is_reset = false;
        for &id in ids {
            let Guard::Mark(mark) = Guard::of(id, self.gaps.len()) else { continue };
            self.look(phase.at());
            let Some(mark) = self.marks.get(mark) else { continue };
            if let Some((q, v)) = mark.reset(&self.state) {
                phase.q.copy_from_slice(q.as_slice());
                phase.v.copy_from_slice(v.as_slice());
                is_reset = true;
            }
        }
        is_reset
    }
}
