//! What of a step is solved at once: all of it, or its compression and its expansion one after the other.
//!
//! The velocity v_c at the end of a compression is recomputed from its impulses, v_c − v being the
//! [`response`](super::response) to Gᵀ Λ_c, and the law holds in either phase for the impulses that it adds.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::given::Given;
use super::motion::Motion;
use crate::contact::restitution::{Restitution, least_in_compression};
use crate::contact::{Approach, Demand, Impulse, PairImpulse};
use crate::model::Robot;

/// A phase of a step.
pub(super) struct Phase {
    /// What acts in it.
    pub(super) impulse: Impulse,
    /// What has acted when it is over.
    pub(super) whole: Impulse,
    /// The velocity at its end.
    pub(super) end: Vec<f64>,
    /// Λ_c, in an expansion.
    before: Option<Box<Impulse>>,
    pub(super) compresses: bool,
}

impl Phase {
    /// The last one of a step, of which the impulses are.
    pub(super) fn last(step: &Motion<'_>) -> Self {
        let (whole, before) = (step.impulse.clone(), step.impulse.compression.clone());
        let impulse = before.as_ref().map_or_else(|| whole.clone(), |before| whole.less(before));
        Self { impulse, whole, end: step.v_next.to_vec(), before, compresses: false }
    }

    /// The compression, if the step has to have one.
    pub(super) fn compression(robot: Robot<'_>, step: &Motion<'_>, given: &Given) -> Option<Self> {
        let poisson = step.conditions.restitution == Restitution::Poisson;
        let none = || Box::new(Impulse::zeros_of(&robot));
        let impulse = poisson.then(|| *step.impulse.compression.clone().unwrap_or_else(none))?;
        let mut end = step.v.to_vec();
        let mut p = vec![0.0; robot.nv];
        for (i, p) in p.iter_mut().enumerate() {
            given.forces(&impulse, i, |term| *p += term);
        }
        let change = given.response(robot, step).to(|i| p[i]);
        (0..robot.nv).for_each(|i| end[i] += change[i]);
        Some(Self { whole: impulse.clone(), impulse, end, before: None, compresses: true })
    }

    /// What the formulation demands, as it is in this phase.
    pub(super) fn demand(&self, demand: Demand, approach: &Approach) -> Demand {
        let mut demand = demand;
        if self.compresses {
            demand.target[0] = least_in_compression(demand.target[0], approach);
        }
        demand
    }

    /// The least normal impulse of a contact.
    pub(super) fn floor(&self, contact: usize, restitution: f64) -> f64 {
        restitution * self.before.as_ref().map_or(0.0, |before| before.normal[contact])
    }

    /// The least normal impulse of a point of solids.
    pub(super) fn floor_of_point(&self, point: &PairImpulse, restitution: f64) -> f64 {
        let before = self.before.as_ref();
        restitution * before.map_or(0.0, |b| crate::contact::touching::known(&b.pairs, point)[0])
    }
}
