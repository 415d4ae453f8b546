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
use crate::impact::{self, Among, Error, Law, Outcome, Part, Restitution};
use crate::integrate::Phase;
use crate::model::Robot;

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
pub(super) struct Blows {
    approach: impact::Core,
    jam: impact::Core,
}

impl Blows {
    /// # Errors
    ///
    /// Those of [`impact::Core::new`].
    pub(super) fn new(robot: Robot<'_>, law: Law) -> Result<Self, Error> {
        let plastic = Law { restitution: Restitution::Inelastic, ..law };
        Ok(Self {
            approach: impact::Core::new(robot, law)?,
            jam: impact::Core::new(robot, plastic)?.with_friction_by(1.0 + BEYOND),
        })
    }

    /// That of what approaches.
    pub(super) fn law(&self) -> &Law {
        self.approach.law()
    }
}

impl Machine {
    /// An impact of what touches, at the velocity of the state.
    ///
    /// # Errors
    ///
    /// Those of [`impact::Core::resolve`]; the velocity is then unchanged.
    pub(super) fn strike(
        &mut self,
        robot: Robot<'_>,
        touching: &[bool],
        blow: Blow,
    ) -> Result<Outcome, Error> {
        let Self { parts, state, change: after, blows, .. } = self;
        let touches = (0..touching.len()).filter(|part| touching[*part]);
        let struck: Vec<Part> = touches.filter_map(|part| parts.part(part)).collect();
        let impacts = match blow {
            Blow::Approach => &mut blows.approach,
            Blow::Jam => &mut blows.jam,
        };
        let (Phase { time, q, v, .. }, among) = (state, Among::Listed(&struck));
        let outcome = impacts.resolve(robot, *time, (q, v), among, after)?.clone();
        v.copy_from_slice(after);
        Ok(outcome)
    }
}
