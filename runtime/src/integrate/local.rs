//! The problem in local coordinates about a configuration.
//!
//! > y = \[θ | v | z\],  ẏ = \[D(q₀, θ) v | a(t, q₀ ⊞ θ, v, z) | g(t, q₀ ⊞ θ, v, z)\]

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::{At, Error, Phase, Space, System};
use crate::manifold;
use crate::slices::all_finite;

/// A right-hand side about the configuration `origin`, which counts how often it is evaluated.
#[derive(Debug)]
pub struct Local<'a, S: ?Sized> {
    pub(super) system: &'a mut S,
    pub(super) space: &'a Space,
    pub(super) origin: &'a [f64],
    pub(super) room: &'a mut Room,
}

/// What evaluations need and leave.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) evaluations: u64,
    q: Vec<f64>,
    trouble: Option<Trouble>,
    /// Where a rate was not finite, if one was.
    phase: Phase,
}

/// A rate that is not finite.
#[derive(Clone, Copy, Debug)]
struct Trouble {
    index: usize,
    value: f64,
}

impl Room {
    pub(super) fn new(space: &Space) -> Self {
        let phase = Phase::neutral(space);
        Self { evaluations: 0, q: vec![0.0; phase.q.len()], trouble: None, phase }
    }

    /// Forgets rates that were not finite.
    pub(super) fn forget(&mut self) {
        self.trouble = None;
    }

    /// Whether a rate was not finite since the last [`forget`](Self::forget).
    pub(super) fn is_troubled(&self) -> bool {
        self.trouble.is_some()
    }

    /// The first rate that was not finite since the last [`forget`](Self::forget).
    pub(super) fn trouble(&self, space: &Space) -> Option<Error> {
        let Trouble { index, value } = self.trouble?;
        let (_, nv, _) = space.dimensions();
        let parts = [("q_dot", 0), ("v_dot", nv), ("z_dot", 2 * nv)];
        let (quantity, start) = parts.into_iter().rfind(|(_, start)| *start <= index)?;
        let phase = Box::new(self.phase.clone());
        Some(Error::NotFinite { quantity, index: index - start, value, phase })
    }
}

impl<S: System + ?Sized> Local<'_, S> {
    /// ẏ at `time`, (2 nv + nz).
    pub(super) fn evaluate(&mut self, time: f64, y: &[f64], rate: &mut [f64]) {
        self.room.evaluations += 1;
        let (_, nv, _) = self.space.dimensions();
        let (theta, rest) = y.split_at(nv);
        let (v, z) = rest.split_at(nv);
        manifold::place(self.space.joints(), self.origin, theta, &mut self.room.q);
        let (theta_dot, rest) = rate.split_at_mut(nv);
        let (v_dot, z_dot) = rest.split_at_mut(nv);
        manifold::local_rate(self.space.joints(), &self.room.q, theta, v, theta_dot);
        self.system.rates(At { time, q: &self.room.q, v, z }, v_dot, z_dot);
        if self.room.trouble.is_none() && !all_finite(rate) {
            self.note(time, (v, z), rate);
        }
    }

    #[cold]
    fn note(&mut self, time: f64, (v, z): (&[f64], &[f64]), rate: &[f64]) {
        let first = rate.iter().enumerate().find(|(_, rate)| !rate.is_finite());
        self.room.trouble = first.map(|(index, &value)| Trouble { index, value });
        self.room.phase.time = time;
        self.room.phase.q.copy_from_slice(&self.room.q);
        self.room.phase.v.copy_from_slice(v);
        self.room.phase.z.copy_from_slice(z);
    }
}
