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
type Value = dyn Fn(&Phase) -> f64 + Send + Sync;
type Reset = dyn Fn(&mut Phase) + Send + Sync;

/// A user's guard.
#[derive(Clone)]
pub(super) struct Mark {
    pub(super) name: String,
    value: Arc<Value>,
    reset: Option<Arc<Reset>>,
}

impl Mark {
    pub(super) fn new<M: Model>(
        name: &str,
        value: impl Fn(&State<M>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        let value = Arc::new(move |phase: &Phase| value(&State::of(phase)));
        Self { name: name.into(), value, reset: None }
    }

    pub(super) fn with_reset<M: Model>(
        self,
        reset: impl Fn(&State<M>) -> (M::Q, M::V) + Send + Sync + 'static,
    ) -> Self {
        let jump = move |phase: &mut Phase| {
            let (q, v) = reset(&State::of(phase));
            phase.q.copy_from_slice(q.as_slice());
            phase.v.copy_from_slice(v.as_slice());
        };
        Self { reset: Some(Arc::new(jump)), ..self }
    }

    pub(super) fn value(&self, phase: &Phase) -> f64 {
        (self.value)(phase)
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mark").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Machine {
    /// Lets the phase jump as the user's guards among those that fired have it; whether it does.
    pub(super) fn reset(&mut self, ids: &[usize], phase: &mut Phase) -> bool {
        let mut is_reset = false;
        for &id in ids {
            let Guard::Mark(mark) = Guard::of(id, self.gaps.len()) else { continue };
            let Some(mark) = self.marks.get(mark) else { continue };
            if let Some(jump) = &mark.reset {
                jump(phase);
                is_reset = true;
            }
        }
        is_reset
    }
}
