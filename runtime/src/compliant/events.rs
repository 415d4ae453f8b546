//! Where elements leave their modes.
//!
//! A step is made as if all elements stayed in their modes, so that the right-hand side is smooth in it. Its dense output
//! says which guard falls first, and how far the step counts. All guards are evaluated together, and those of one time once.

use alloc::vec::Vec;

use super::element::{Element, GUARDS};
use crate::integrate::{Crossing, CrossingKind, Dense, Error, Phase, first_crossing};

/// How a step ends for the modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ending {
    /// As it was made.
    Whole,
    /// At this time elements leave their modes.
    Event(f64),
    /// At its beginning elements were in modes that they were leaving.
    Mistaken,
}

/// Room for guards, and what was found.
#[derive(Clone, Debug)]
pub(super) struct Events {
    /// In the modes in which the step was made.
    pub(super) elements: Vec<Element>,
    times: Vec<f64>,
    /// Of all elements at each of the times.
    values: Vec<[f64; GUARDS]>,
    crossings: Vec<(usize, usize, Crossing)>,
    /// Elements that leave their modes, and through which guards.
    pub(super) leaving: Vec<(usize, usize)>,
    room: Phase,
}

impl Events {
    pub(super) fn new(room: Phase) -> Self {
        Self {
            elements: Vec::new(),
            times: Vec::new(),
            values: Vec::new(),
            crossings: Vec::new(),
            leaving: Vec::new(),
            room,
        }
    }

    /// How a step ends, where `guards` appends those of a phase.
    ///
    /// # Errors
    ///
    /// [`Error::Guard`] if one is NaN or infinite.
    pub(super) fn find(
        &mut self,
        dense: &Dense,
        mut guards: impl FnMut(&Phase, &mut Vec<[f64; GUARDS]>),
    ) -> Result<Ending, Error> {
        self.times.clear();
        self.values.clear();
        self.crossings.clear();
        self.leaving.clear();
        let (start, end) = (dense.start(), dense.end());
        let count = self.elements.len();
        for (k, i) in (0..count).flat_map(|k| (0..GUARDS).map(move |i| (k, i))) {
            if i >= self.elements[k].watched() {
                continue;
            }
            let mut guard = |time| self.value((k, i), (time, dense), &mut guards);
            let Some(crossing) = first_crossing(&mut guard, start, end)? else { continue };
            // What stays at zero from the beginning on has left it already, or never will.
            let stays = crossing.kind == CrossingKind::Grazing && crossing.before <= start;
            if !stays {
                self.crossings.push((k, i, crossing));
            }
        }
        let after = self.crossings.iter().map(|(_, _, crossing)| crossing.after);
        let first = after.fold(f64::INFINITY, f64::min);
        if first < f64::INFINITY {
            let together = self.crossings.iter().filter(|(_, _, of)| of.before <= first);
            self.leaving.extend(together.map(|&(k, i, _)| (k, i)));
            // Through one of its guards, where both fall together.
            self.leaving.dedup_by_key(|(k, _)| *k);
            return Ok(Ending::Event(first));
        }
        for k in 0..count {
            let watched = self.elements[k].watched();
            let mut at = |i| self.value((k, i), (end, dense), &mut guards);
            if let Some(i) = (0..watched).find(|&i| at(i) < 0.0) {
                self.leaving.push((k, i));
            }
        }
        Ok(if self.leaving.is_empty() { Ending::Whole } else { Ending::Mistaken })
    }

    /// Guard `i` of element `k` at a time.
    fn value(
        &mut self,
        (k, i): (usize, usize),
        (time, dense): (f64, &Dense),
        guards: &mut impl FnMut(&Phase, &mut Vec<[f64; GUARDS]>),
    ) -> f64 {
        let known = self.times.iter().position(|at| *at == time);
        let place = known.unwrap_or_else(|| {
            dense.write(time, &mut self.room);
            guards(&self.room, &mut self.values);
            self.times.push(time);
            self.times.len() - 1
        });
        self.values[place * self.elements.len() + k][i]
    }
}
