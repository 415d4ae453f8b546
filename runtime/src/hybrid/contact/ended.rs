//! Why a run ended, in the words of contact.

use super::automaton::InContact;
use super::error::ContactError;
use super::mode::Mode;
use crate::control::{Controller, check_input};
use crate::hybrid;
use crate::integrate::{self, Phase};
use crate::model::Model;

impl<M: Model, C: Controller<M>> InContact<'_, M, C> {
    /// A failure of the run that ended at a phase in a mode: that of its accelerations, if there are none where it ended.
    pub(super) fn named(
        &mut self,
        error: hybrid::Error<Mode, ContactError>,
        (mode, phase): (&Mode, &Phase),
    ) -> ContactError {
        let place = match &error {
            hybrid::Error::Motion(integrate::Error::NotFinite { phase, .. }) => phase,
            hybrid::Error::Motion(
                integrate::Error::StepSize { .. } | integrate::Error::Steps { .. },
            )
            | hybrid::Error::Guard { .. } => phase,
            _ => return error.into(),
        };
        let Self { machine, controller, .. } = self;
        if let Err(error) = check_input(controller, place) {
            return error.into();
        }
        machine.see(place.at(), controller);
        if let Some(lost) = machine.lost_branch(place) {
            return lost;
        }
        match machine.accelerate(mode) {
            Err(failure) => failure.at::<M>(place),
            Ok(()) => error.into(),
        }
    }
}
