//! The states of a world that it can go back to.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use super::collide::Identity;
use super::shapes::Mover;
use super::{World, WorldError};
use crate::clock::Clock;
use crate::contact::{Coupled, ROWS};

/// The states of all that moves in a world at a time, to which it can go [back](World::restore).
pub struct Snapshot {
    world: u64,
    time: f64,
    clock: Clock,
    members: Vec<(usize, Box<dyn Any + Send>)>,
    impulses: Vec<(Identity, [f64; ROWS])>,
    /// What solvers keep of the last step.
    coupled: Coupled,
}

impl World {
    /// The state of all that moves.
    pub fn save(&self) -> Snapshot {
        let saved = |mover: &Mover| (mover.thing.id, mover.member.save());
        Snapshot {
            world: self.number,
            time: self.time,
            clock: self.clock,
            members: self.movers.iter().map(saved).collect(),
            impulses: self.impulses.clone(),
            coupled: self.coupled.clone(),
        }
    }

    /// Goes back to where all was when it was saved. What was added since goes on from where it is, and what was taken out stays so, as
    /// do the settings of the world and all controllers. Steps from there give the bits that they gave then, if nothing else was changed.
    ///
    /// # Errors
    ///
    /// [`WorldError::Snapshot`] of another world; nothing is then changed.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), WorldError> {
        if snapshot.world != self.number {
            return Err(WorldError::Snapshot);
        }
        (self.time, self.clock) = (snapshot.time, snapshot.clock);
        self.impulses.clone_from(&snapshot.impulses);
        self.touched.clear();
        let mut movers = core::mem::take(&mut self.movers);
        for Mover { thing, member, .. } in &mut movers {
            let saved = snapshot.members.iter().find(|(id, _)| *id == thing.id);
            let is_restored = saved.is_some_and(|(_, saved)| member.restore(saved.as_ref()));
            let law = self.law_of(thing);
            if !is_restored || member.core().differs(law).is_some() {
                member.enter(law);
            }
        }
        self.movers = movers;
        self.coupled.clone_from(&snapshot.coupled);
        Ok(())
    }
}
