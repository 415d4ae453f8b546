//! A stretch of motion in one mode.

use crate::contact::{Impulse, Residual};
use crate::integrate::{Dense, Phase};
use crate::model::{Model, Prepared};
use crate::record::Recording;
use crate::simulate::sample;
use crate::space::Storage;
use crate::state::State;

/// Motion in one mode between two times, within a step.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    pub(super) dense: &'a Dense,
    pub(super) end: f64,
}

impl Stretch<'_> {
    /// When it begins, in seconds.
    pub fn start(&self) -> f64 {
        self.dense.start()
    }

    /// When it ends, in seconds: with the step, or at an event.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The phase at a time of the stretch, by the step's dense output.
    pub fn at(&self, time: f64) -> Phase {
        self.dense.at(time)
    }

    /// Writes the phase at a time of the stretch to one of the same space.
    pub fn write(&self, time: f64, phase: &mut Phase) {
        self.dense.write(time, phase);
    }

    /// Adds what is due of a robot's motion to `recording`: q and v are the first coordinates of the phase, and `input`
    /// says u. The recording's forces are zero.
    pub fn record<M: Model>(
        &self,
        model: &Prepared<M>,
        mut input: impl FnMut(&State<M>) -> M::U,
        recording: &mut Recording<M>,
    ) {
        let (contacts, nothing) = (model.contact_parameters(), Impulse::zeros::<M>());
        while let Some(time) = recording.due_within(self.start(), self.end) {
            let phase = self.at(time);
            let (mut q, mut v) = (M::Q::zeros(), M::V::zeros());
            q.as_mut_slice().iter_mut().zip(&phase.q).for_each(|(q, of)| *q = *of);
            v.as_mut_slice().iter_mut().zip(&phase.v).for_each(|(v, of)| *v = *of);
            let state = State { time, q, v };
            let u = input(&state);
            let acting = (&contacts[..], &nothing);
            recording.push(sample(model, (state, u), acting, 1.0, Residual::default()));
        }
    }
}
