//! Why a run ended, in the words of contact.

use super::driven::Driven;
use super::error::ContactError;
use super::mode::Mode;
use crate::control::check_controller;
use crate::hybrid;
use crate::integrate::{self, Phase};

impl Driven<'_> {
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
        let Self { robot, machine, control } = self;
        if let Err(error) = check_controller(&mut **control, place, &mut machine.u) {
            return error.into();
        }
        machine.see(*robot, place.at(), &mut **control);
        if let Some(lost) = machine.lost_branch(*robot, place) {
            return lost;
        }
        match machine.accelerate(*robot, mode) {
            Err(failure) => failure.at(robot, place),
            Ok(()) => error.into(),
        }
    }
}
