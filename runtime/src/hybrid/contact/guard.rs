//! Guards by name, and what some of them are worth.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::integrate::At;
use crate::model::Robot;
use crate::slices::norm;

/// What a guard is of. Parts are contacts, then ends of coordinates, then declared limits, as in a [`Mode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The gap of a part that is open falls to zero.
    Gap(usize),
    /// The normal force of a part that is closed falls to zero.
    Force(usize),
    /// μ λ_n − |λ_t| of a contact that sticks falls to zero.
    Cone(usize),
    /// The speed of a contact that slides falls to zero, or its slip has turned by a right angle.
    Slip(usize),
    /// What touches can hold no longer, however forces are shared that are not determined, rows being redundant.
    Hold,
    /// Friction of what slides is about to press it into what it slides on, however large its force
    /// ([`Painleve`](super::ContactError::Painleve)): an impact without collision ends the slip, or it opens.
    Jam,
    /// The gap of a contact that is [let through](super::HybridSimulation::passing) rises to zero again.
    Rise(usize),
    /// A guard of the user's own, counted as they were given.
    Mark(usize),
}

impl Guard {
    /// Its identifier among those of a robot with so many parts.
    pub(super) fn id(self, parts: usize) -> usize {
        match self {
            Guard::Gap(part) => part,
            Guard::Force(part) => parts + part,
            Guard::Cone(part) => 2 * parts + part,
            Guard::Slip(part) => 3 * parts + part,
            Guard::Rise(part) => 4 * parts + part,
            Guard::Hold => 5 * parts,
            Guard::Jam => 5 * parts + 1,
            Guard::Mark(mark) => 5 * parts + 2 + mark,
        }
    }

    /// That of the gap of a part that is open: it falls, or rises where the part is let through.
    pub(super) fn of_gap(mode: &Mode, part: usize) -> Self {
        if mode.is_passing(part) { Guard::Rise(part) } else { Guard::Gap(part) }
    }

    pub(super) fn of(id: usize, parts: usize) -> Self {
        if let Some(beyond) = id.checked_sub(5 * parts) {
            return match beyond {
                0 => Guard::Hold,
                1 => Guard::Jam,
                _ => Guard::Mark(beyond - 2),
            };
        }
        let part = id % parts;
        match id / parts {
            0 => Guard::Gap(part),
            1 => Guard::Force(part),
            2 => Guard::Cone(part),
            3 => Guard::Slip(part),
            _ => Guard::Rise(part),
        }
    }
}

impl Machine {
    /// Appends the guards of a mode.
    pub(super) fn list_guards(&self, mode: &Mode, guards: &mut Vec<usize>) {
        let parts = self.gaps.len();
        for part in 0..parts {
            if !mode.is_closed(part) {
                guards.push(Guard::of_gap(mode, part).id(parts));
                continue;
            }
            if !mode.is_undetermined(part) {
                guards.push(Guard::Force(part).id(parts));
            }
            let has_friction = self.friction.get(part).is_some_and(|mu| *mu > 0.0);
            match mode.contacts.get(part).filter(|_| has_friction) {
                Some(Touch::Stick) if !mode.is_undetermined(part) => {
                    guards.push(Guard::Cone(part).id(parts));
                }
                Some(Touch::Slide { .. }) => guards.push(Guard::Slip(part).id(parts)),
                _ => {}
            }
        }
        if self.slides(mode) {
            guards.push(Guard::Jam.id(parts));
        }
        if mode.is_redundant() {
            guards.push(Guard::Hold.id(parts));
        }
        guards.extend((0..self.marks.len()).map(|mark| Guard::Mark(mark).id(parts)));
    }

    /// Whether a mode is impossible where a guard is negative.
    pub(super) fn is_bound(&self, guard: usize) -> bool {
        !matches!(Guard::of(guard, self.gaps.len()), Guard::Mark(_))
    }

    /// The speed of a contact that slides along the direction that it began with.
    pub(super) fn speed(
        &mut self,
        robot: Robot<'_>,
        (mode, contact): (&Mode, usize),
        at: At<'_>,
    ) -> f64 {
        let Some(Touch::Slide { along }) = mode.contacts.get(contact) else { return f64::NAN };
        self.look(at);
        let slip = self.slip_at(robot, contact);
        slip[0] * along[0] + slip[1] * along[1]
    }

    /// A mode as people call it: `fl stick, fr slide, toe open, knee upper held`, and `closed` without friction.
    pub(super) fn mode_name(&self, mode: &Mode) -> String {
        let name = |part: usize| self.parts.name(part);
        let contacts = mode.contacts.iter().enumerate().map(|(part, touch)| {
            let how = match touch {
                Touch::Open => "open",
                Touch::Passing => "passing",
                Touch::Stick => "stick",
                Touch::Slide { .. } if self.friction.get(part) > Some(&0.0) => "slide",
                Touch::Slide { .. } => "closed",
            };
            format!("{} {how}", name(part))
        });
        let limits = mode.limits.iter().enumerate().filter(|(_, held)| **held);
        let limits = limits.map(|(k, _)| format!("{} held", name(mode.contacts.len() + k)));
        let parts: Vec<String> = contacts.chain(limits).collect();
        if parts.is_empty() { "free".into() } else { parts.join(", ") }
    }

    /// A guard as people call it.
    pub(super) fn guard_name(&self, guard: usize) -> String {
        let name = |part: usize| self.parts.name(part);
        match Guard::of(guard, self.gaps.len()) {
            Guard::Gap(part) => format!("gap of {}", name(part)),
            Guard::Rise(part) => format!("rise of {}", name(part)),
            Guard::Force(part) => format!("force at {}", name(part)),
            Guard::Cone(part) => format!("friction cone of {}", name(part)),
            Guard::Slip(part) => format!("slip of {}", name(part)),
            Guard::Hold => "hold".into(),
            Guard::Jam => "jam".into(),
            Guard::Mark(mark) => {
                let mark = self.marks.get(mark);
                mark.map_or_else(|| format!("guard {guard}"), |mark| mark.name.clone())
            }
        }
    }

    /// λ_n of a part, and μ λ_n − |λ_t|, which is none of a part without friction, of the forces that are recorded.
    pub(super) fn normal(&self, part: usize) -> f64 {
        self.forces[self.parts.place(part)]
    }

    pub(super) fn margin(&self, contact: usize) -> f64 {
        let friction = self.friction.get(contact);
        friction.map_or(f64::NAN, |mu| margin(*mu, &self.forces[3 * contact..][..3]))
    }

    /// Whether the forces of parts that are closed, as they are recorded, are within their cones with so much of the
    /// normal force to spare, in N.
    pub(super) fn bears(
        &self,
        mode: &Mode,
        mut parts: impl Iterator<Item = usize>,
        reserve: f64,
    ) -> bool {
        parts.all(|part| {
            let sticks = matches!(mode.contacts.get(part), Some(Touch::Stick));
            let left = |friction: &f64| self.margin(part) - friction * reserve;
            self.normal(part) >= reserve
                && (!sticks || self.friction.get(part).is_some_and(|mu| left(mu) >= 0.0))
        })
    }
}

/// μ λ_n − |λ_t|.
pub(super) fn margin(friction: f64, force: &[f64]) -> f64 {
    friction * force[0] - norm(&force[1..])
}
