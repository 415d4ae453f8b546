//! Contacts that are let through what they would touch.
//!
//! The feet of a walker without knees scuff the ground in mid-swing. Where the user says so, such a contact goes on below it
//! and nothing happens; it is a contact again from where it has come up.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::error::ContactError;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use super::simulation::HybridSimulation;
use crate::integrate::{Method, Phase};
use crate::model::Model;
use crate::simulate::place;
use crate::state::State;

type Condition = dyn Fn(&Phase) -> bool + Send + Sync;

/// Which contacts are let through, and when.
#[derive(Clone)]
pub(super) struct Passing(Vec<(usize, Arc<Condition>)>);

impl Passing {
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    /// Whether a part that a mode has not closed touches nothing at a state, however deep it is.
    pub(super) fn lets_through(&self, mode: &Mode, part: usize, phase: &Phase) -> bool {
        match mode.contacts.get(part) {
            Some(Touch::Passing) => true,
            Some(Touch::Open) => self.0.iter().any(|(of, when)| *of == part && when(phase)),
            _ => false,
        }
    }
}

impl fmt::Debug for Passing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(contact, _)| contact)).finish()
    }
}

impl Machine {
    /// Whether a part that a mode has not closed is let through at the state that was looked at last.
    pub(super) fn lets_through(&self, mode: &Mode, part: usize) -> bool {
        self.passing.lets_through(mode, part, &self.state)
    }

    /// Notes in a mode that begins which open contacts are below what they would touch, or are let through now.
    pub(super) fn note_passing(&self, mode: &mut Mode) {
        let v = &self.state.v;
        for &(contact, _) in &self.passing.0 {
            let comes_down = self.is_near(contact) && self.parts.velocity(contact, 0, v) < 0.0;
            let is_through = comes_down && self.lets_through(mode, contact);
            if !mode.is_closed(contact) && (is_through || self.is_below(contact)) {
                mode.close(contact, Touch::Passing);
            }
        }
    }
}

impl<M: Model, I: Method> HybridSimulation<M, I> {
    /// With a contact that is let through what it would touch wherever `when` holds as it comes down, as the foot of a
    /// walker without knees is in mid-swing. Its mode is then [`Touch::Passing`] until it has come up again. What touches
    /// already is not let through.
    ///
    /// # Errors
    ///
    /// [`ContactError::Simulation`] for a contact that there is not.
    pub fn passing(
        mut self,
        contact: &str,
        when: impl Fn(&State<M>) -> bool + Send + Sync + 'static,
    ) -> Result<Self, ContactError> {
        let contact = place("contact", contact, M::CONTACTS.iter().map(|declared| declared.name))?;
        let when = move |phase: &Phase| when(&State::of(phase));
        self.run.core.machine.passing.0.push((contact, Arc::new(when)));
        Ok(self)
    }
}
