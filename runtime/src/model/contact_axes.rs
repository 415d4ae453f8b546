//! The axes of contacts, of those whose normals turn as of others.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Deref;

use super::one_sided::turn;
use super::table::Robot;
use crate::description::ContactParameters;

/// The parameters of all contacts, whose axes are updated in storage that is allocated once.
#[derive(Clone, Debug)]
pub(crate) struct ContactAxes {
    contacts: Vec<ContactParameters>,
    /// Nine numbers for each that turns.
    frames: Vec<f64>,
}

impl ContactAxes {
    /// Axes that turn are no numbers yet.
    pub(crate) fn new(robot: Robot<'_>) -> Self {
        let turning = robot.contacts.iter().filter(|contact| contact.turns).count();
        Self { contacts: robot.contact_parameters(), frames: vec![f64::NAN; 9 * turning] }
    }

    /// Gives contacts whose normals turn the axes that they have at `q`.
    pub(crate) fn turn(&mut self, robot: Robot<'_>, q: &[f64]) {
        if self.frames.is_empty() {
            return;
        }
        robot.contact_frames_into(q, &mut self.frames);
        turn(&mut self.contacts, robot.contacts, &self.frames);
    }
}

impl Deref for ContactAxes {
    type Target = [ContactParameters];

    fn deref(&self) -> &[ContactParameters] {
        &self.contacts
    }
}
