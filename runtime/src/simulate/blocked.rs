//! Motors of unbounded force that drive a joint into its stop.

use super::{Simulation, SimulationError};
use crate::contact::Spans;
use crate::model::Model;
use crate::space::Storage;

/// What a stop may be passed by, in m or rad, beside the simulation's tolerance.
const ROUNDING: f64 = 1e-9;

impl<M: Model> Simulation<M> {
    /// The motor and the stop that fight in the next step, if any do: neither gives way.
    #[cold]
    pub(super) fn blocked(&self) -> Option<SimulationError> {
        let (q, h) = (self.state.q.as_slice(), self.step_size);
        let spans = Spans::new(M::JOINTS, &self.model.coordinate_parameters());
        let softened = |v: usize| self.conditions.soft_limits.iter().any(|(soft, _)| *soft == v);
        let limits = spans.iter().flat_map(|span| span.limits(q).map(move |limit| (span, limit)));
        let fights = limits.filter(|(_, limit)| !softened(limit.v)).find(|(span, limit)| {
            let own = self.conditions.motors.iter().filter(|(v, _)| *v == limit.v);
            let mut wanted = own.filter_map(|(_, motor)| motor.insists_on(span.value(q), h));
            let slack = ROUNDING + self.tolerance * h;
            wanted.any(|velocity| limit.gap + limit.sign() * h * velocity < -slack)
        });
        let (_, limit) = fights?;
        let joint = M::JOINTS.iter().find(|joint| (joint.v..joint.v + joint.nv).contains(&limit.v));
        let joint = joint.map_or("", |joint| joint.name);
        let stop = if limit.upper { "upper" } else { "lower" };
        Some(SimulationError::Blocked { time: self.state.time, joint, stop })
    }
}
