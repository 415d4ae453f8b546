//! What a run starts with that penetrates, or is beyond limits.

use super::SimulationError;
use super::apart::check;
use super::moving::Core;
use crate::contact::Conditions;
use crate::slices::larger;

impl Core {
    /// The deepest penetration of a contact at the beginning of the last step, m; 0 if there is none.
    #[inline(always)]
    pub(super) fn penetration(&self) -> f64 {
        let points = self.impulse().pairs.iter();
        points.fold(self.stepper.penetration(), |deepest, point| larger(-point.gap, deepest))
    }

    /// # Errors
    ///
    /// [`SimulationError::Overlap`] and [`SimulationError::BeyondLimit`] in the first step from a state that was given,
    /// with what is deepest.
    #[inline(always)]
    pub(super) fn check_overlap(&self) -> Result<(), SimulationError> {
        if self.apart.is_due() && self.conditions.formulation.normal().recovers_at_once() {
            self.find_overlap()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn find_overlap(&self) -> Result<(), SimulationError> {
        check(self.state.time, self.penetrating(), self.beyond_limits())
    }

    /// The contacts, pairs and shapes of the last step, and how deep they are; those that give way are as deep as they
    /// must.
    fn penetrating(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let is_hard = |i| !Conditions::lists(&self.conditions.soft_contacts, i);
        let contacts = self.table.contacts.iter().zip(self.stepper.gaps()).enumerate();
        let hard = contacts.filter(move |&(i, _)| is_hard(i));
        let points = self.impulse().pairs.iter();
        let points =
            points.map(|point| (point.name_in(self.table).unwrap_or_default(), -point.gap));
        hard.map(|(_, (contact, gap))| (contact.name, -gap)).chain(points)
    }

    /// The joints and declared limits, and how far they are beyond.
    fn beyond_limits(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let is_hard = |v| !Conditions::lists(&self.conditions.soft_limits, v);
        let coordinates = self.stepper.limit_gaps(&self.state.q);
        let hard = coordinates.filter(move |&(v, _)| is_hard(v));
        let joints = hard.map(|(v, gap)| (self.table.joint_of(v), -gap));
        let declared = self.table.limits.iter().zip(self.stepper.declared_gaps());
        joints.chain(declared.map(|(limit, gap)| (limit.name, -gap)))
    }
}
