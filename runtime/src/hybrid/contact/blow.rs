//! Impacts, by why they happen.
//!
//! | | law |
//! |---|---|
//! | something approaches | the user's |
//! | what slides jams | the same without restitution, with friction that is a millionth larger |
//!
//! Where friction is about to press what slides into what it slides on, an impulse takes its slip and moves it neither in
//! nor out: how large the impulse is follows from nothing but rounding. A little more friction is beyond that edge, where
//! the slip ends.

use alloc::vec::Vec;

use super::machine::Machine;
use crate::impact::{Among, Error, Impacts, Law, Outcome, Part, Restitution};
use crate::model::{Model, Prepared};
use crate::state::State;

/// More than what jams may be from the edge of Painlevé's paradox by the tolerances of events.
const BEYOND: f64 = 1e-6;

/// Why there is an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blow {
    /// Something approaches.
    Approach,
    /// What slides jams.
    Jam,
}

/// The laws, and the room for them.
#[derive(Clone, Debug)]
pub(super) struct Blows<M: Model> {
    approach: Impacts<M>,
    jam: Impacts<M>,
}

impl<M: Model> Blows<M> {
    /// # Errors
    ///
    /// Those of [`Impacts::new`].
    pub(super) fn new(model: &M, law: Law) -> Result<Self, Error> {
        let plastic = Law { restitution: Restitution::Inelastic, ..law };
        Ok(Self {
            approach: Impacts::new(model, law)?,
            jam: Impacts::new(model, plastic)?.with_friction_by(1.0 + BEYOND),
        })
    }

    /// That of what approaches.
    pub(super) fn law(&self) -> &Law {
        self.approach.law()
    }
}

impl<M: Model> Machine<M> {
    /// An impact of what touches, at the velocity of the state.
    ///
    /// # Errors
    ///
    /// Those of [`Impacts::resolve`]; the velocity is then unchanged.
    pub(super) fn strike(&mut self, touching: &[bool], blow: Blow) -> Result<Outcome, Error> {
        let Self { model, parts, state, blows, .. } = self;
        let touches = (0..touching.len()).filter(|part| touching[*part]);
        let struck: Vec<Part> = touches.filter_map(|part| parts.part(part)).collect();
        let impacts: &mut Impacts<Prepared<M>> = match blow {
            Blow::Approach => &mut blows.approach,
            Blow::Jam => &mut blows.jam,
        };
        let (State { time, q, v }, among) = (&mut *state, Among::Listed(&struck));
        let mut after = v.clone();
        let outcome = impacts.resolve(model, *time, q, v, among, &mut after)?.clone();
        *v = after;
        Ok(outcome)
    }
}
