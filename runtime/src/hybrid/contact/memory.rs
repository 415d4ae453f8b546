//! What was computed at the last few states, since several guards are asked for at the same ones.

use alloc::vec::Vec;

use super::derivatives::Slopes;
use super::machine::Machine;
use super::mode::Mode;
use crate::integrate::At;
use crate::model::Robot;

/// Guards are sampled at nine times of a step.
const STATES: usize = 12;

/// Accelerations and forces at a state in a mode.
#[derive(Clone, Debug)]
pub(super) struct Known {
    time: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    mode: Mode,
    /// v̇, (nv).
    pub(super) v_dot: Vec<f64>,
    /// How far what slides is from jamming.
    pub(super) freedom: f64,
    /// Three of each contact, along normal and tangents, one of each other part, one of each row of constraints.
    pub(super) forces: Vec<f64>,
    /// Their derivatives, once they were asked for.
    pub(super) slopes: Option<Slopes>,
}

/// The last states.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    states: Vec<Known>,
    next: usize,
}

/// The gaps of all parts at the last few configurations.
#[derive(Clone, Debug, Default)]
pub(super) struct Gaps {
    seen: Vec<(Vec<f64>, Vec<f64>)>,
    next: usize,
}

impl Gaps {
    pub(super) fn find(&self, q: &[f64]) -> Option<&[f64]> {
        self.seen.iter().find(|(seen, _)| seen == q).map(|(_, gaps)| &gaps[..])
    }

    /// Takes a configuration in the place of the oldest one.
    pub(super) fn insert(&mut self, q: &[f64], gaps: &[f64]) {
        match self.seen.get_mut(self.next) {
            Some((of, to)) => {
                of.copy_from_slice(q);
                to.copy_from_slice(gaps);
            }
            None => self.seen.push((q.to_vec(), gaps.to_vec())),
        }
        self.next = (self.next + 1) % STATES;
    }
}

impl Machine {
    /// The gap of a part, of which all are known at once.
    pub(super) fn gap(&mut self, robot: Robot<'_>, part: usize, at: At<'_>) -> f64 {
        if let Some(gaps) = self.seen_gaps.find(at.q) {
            return gaps[part];
        }
        self.look(at);
        self.measure(robot);
        self.seen_gaps.insert(&self.state.q, &self.gaps);
        self.gaps[part]
    }
}

impl Memory {
    pub(super) fn forget(&mut self) {
        self.states.clear();
        self.next = 0;
    }

    /// Where a state is, if it is known.
    pub(super) fn find(&self, mode: &Mode, at: At<'_>) -> Option<usize> {
        self.states.iter().position(|known| {
            known.time == at.time && known.v == at.v && known.q == at.q && known.mode.is_same(mode)
        })
    }

    pub(super) fn get(&self, index: usize) -> &Known {
        &self.states[index]
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut Known {
        &mut self.states[index]
    }

    /// Takes a state in the place of the oldest one.
    pub(super) fn insert(
        &mut self,
        (mode, at): (&Mode, At<'_>),
        (v_dot, forces, freedom): (&[f64], &[f64], f64),
    ) -> usize {
        let index = self.next;
        self.next = (self.next + 1) % STATES;
        match self.states.get_mut(index) {
            Some(known) => {
                known.time = at.time;
                known.mode.copy(mode);
                known.freedom = freedom;
                known.slopes = None;
                known.q.copy_from_slice(at.q);
                known.v.copy_from_slice(at.v);
                known.v_dot.copy_from_slice(v_dot);
                known.forces.copy_from_slice(forces);
            }
            None => self.states.push(Known {
                time: at.time,
                q: at.q.to_vec(),
                v: at.v.to_vec(),
                mode: mode.clone(),
                freedom,
                v_dot: v_dot.to_vec(),
                forces: forces.to_vec(),
                slopes: None,
            }),
        }
        index
    }
}
