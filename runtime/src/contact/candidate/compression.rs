//! How what may act springs back, and what it demands of a compression.

use super::source::Source;
use super::{Candidate, Explicit, Sources};
use crate::contact::demand::Approach;
use crate::contact::dynamics::Dynamics;
use crate::contact::restitution::least_in_compression;
use crate::description::ContactParameters;

impl Candidate {
    /// How a contact, or a constraint that gives way, moves at the beginning of a step of `h` seconds; `None` of all else.
    pub(in crate::contact) fn approach(
        &self,
        sources: &Sources<'_>,
        dynamics: &Dynamics,
        (v, h): (&[f64], f64),
    ) -> Option<Approach> {
        let restitution = self.restitution(sources.contacts, sources.explicit);
        let pairs = &sources.explicit.pairs;
        let (gap, velocity) = match self.source {
            Source::Contact(i) => (dynamics.gap()[i], dynamics.contact_velocity(i)),
            Source::Pair(i) => (pairs.points[i].touch.gap, pairs.velocity(i, v)),
            Source::Constraint(k) => (0.0, [sources.explicit.yielding.velocity(k, v), 0.0, 0.0]),
            _ => return None,
        };
        Some(Approach { gap, velocity, restitution, step_size: h })
    }

    /// e, zero of what is no contact.
    pub(in crate::contact) fn restitution(
        &self,
        contacts: &[ContactParameters],
        explicit: &Explicit,
    ) -> f64 {
        match self.source {
            Source::Contact(i) => contacts[i].restitution,
            Source::Pair(i) => explicit.pairs.points[i].restitution,
            _ => 0.0,
        }
    }

    /// Demands what a compression does; whether it takes part in one. `v` is the velocity at the beginning.
    pub(in crate::contact) fn compress(&mut self, approach: Option<&Approach>, v: &[f64]) -> bool {
        let least = &mut self.demand.target[0];
        match (self.source, approach) {
            (Source::Motor { v: i, bound } | Source::DryFriction { v: i, bound }, _) => {
                *least = v[i];
                return bound == f64::INFINITY;
            }
            // What holds without slip holds its velocity, and a spring is a finite force.
            (Source::Constraint(_), Some(approach)) => {
                *least = approach.velocity[0];
                return self.softness == 0.0;
            }
            (Source::Spring { .. } | Source::Ball { .. }, _) => return false,
            (_, Some(approach)) => *least = least_in_compression(*least, approach),
            _ => *least = least.min(0.0),
        }
        true
    }
}
