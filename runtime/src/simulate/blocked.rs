//! Motors of unbounded force that drive a joint into its stop, or a contact into what it touches.

use super::SimulationError;
use super::moving::Core;
use crate::contact::Spans;
use crate::model::Robot;

/// What a stop may be passed by, in m or rad, beside the simulation's tolerance.
const ROUNDING: f64 = 1e-9;

impl Core {
    /// The motor and the stop that fight in the next step, if any do: neither gives way.
    #[cold]
    pub(super) fn blocked(&self, robot: Robot<'_>) -> Option<SimulationError> {
        let (q, h) = (&self.state.q[..], self.step_size);
        let spans = Spans::new(robot.joints, &robot.coordinate_parameters());
        let softened = |v: usize| self.conditions.soft_limits.iter().any(|(soft, _)| *soft == v);
        let limits = spans.iter().flat_map(|span| span.limits(q).map(move |limit| (span, limit)));
        let fights = limits.filter(|(_, limit)| !softened(limit.v)).find(|(span, limit)| {
            let own = self.conditions.motors.iter().filter(|(v, _)| *v == limit.v);
            let mut wanted = own.filter_map(|(_, motor)| motor.insists_on(span.value(q), h));
            let slack = ROUNDING + self.tolerance * h;
            wanted.any(|velocity| limit.gap + limit.sign() * h * velocity < -slack)
        });
        let Some((_, limit)) = fights else { return self.driven(robot) };
        let joint = robot.joint_of(limit.v);
        let stop = if limit.upper { "upper" } else { "lower" };
        Some(SimulationError::Blocked { time: self.state.time, joint, stop })
    }

    /// The motor that drives a contact into what it touches.
    fn driven(&self, robot: Robot<'_>) -> Option<SimulationError> {
        let (time, q, v) = self.state.at();
        let laws = (self.step_size, &self.conditions);
        let (contact, k) = self.stepper.driven_into(robot, (q, v), laws)?;
        Some(SimulationError::Driven { time, joint: robot.joint_of(k), contact })
    }
}
