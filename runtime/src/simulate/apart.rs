//! Whether a run starts with contacts that penetrate, or beyond limits.
//!
//! What penetrates by some depth is put right within one step, by a displacement that is no motion: at the start of a
//! run that is a mistake, unless it is asked for, gives way, or is put right slowly by the formulation itself.

use super::SimulationError;
use super::moving::Core;
use crate::check::ROUNDING;
use crate::contact::Conditions;
use crate::slices::larger;

/// When nothing must penetrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    /// Now, in the first step from a state that was given.
    AtStart,
    /// In no step that comes before another state is given.
    Later,
    /// Never.
    Never,
}

impl Apart {
    /// Whether the next step is the first one from a state that was given, and nothing must penetrate there.
    pub(crate) fn is_due(self) -> bool {
        self == Self::AtStart
    }

    /// A state was given.
    pub(crate) fn enter(&mut self) {
        *self = if *self == Self::Never { Self::Never } else { Self::AtStart };
    }

    /// The first step is done.
    pub(crate) fn leave_start(&mut self) {
        *self = if *self == Self::Never { Self::Never } else { Self::Later };
    }
}

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
        if self.apart.is_due() && self.conditions.formulation.recovers_at_once() {
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

/// # Errors
///
/// [`SimulationError::Overlap`] and [`SimulationError::BeyondLimit`] with what is deepest, if rounding does not make it.
pub(crate) fn check(
    time: f64,
    penetrating: impl Iterator<Item = (&'static str, f64)>,
    beyond_limits: impl Iterator<Item = (&'static str, f64)>,
) -> Result<(), SimulationError> {
    if let Some((contact, depth)) = deepest(penetrating) {
        return Err(SimulationError::Overlap { time, contact, depth });
    }
    match deepest(beyond_limits) {
        Some((limit, excess)) => Err(SimulationError::BeyondLimit { time, limit, excess }),
        None => Ok(()),
    }
}

/// What is deepest, if rounding does not make it.
fn deepest(all: impl Iterator<Item = (&'static str, f64)>) -> Option<(&'static str, f64)> {
    all.filter(|(_, depth)| *depth > ROUNDING).max_by(|(_, a), (_, b)| a.total_cmp(b))
}
