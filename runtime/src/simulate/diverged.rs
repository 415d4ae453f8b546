//! Motion that grows without bound, and where it does.

use super::{Simulation, SimulationError, State};
use crate::check;
use crate::contact::Residual;
use crate::description::Joint;
use crate::model::Model;
use crate::space::Storage;

impl<M: Model> Simulation<M> {
    /// # Errors
    ///
    /// [`SimulationError::Diverged`] if the next state is none.
    pub(super) fn check_end(&self) -> Result<(), SimulationError> {
        let State { q, v, .. } = &self.next;
        let finite = check::all_finite(q.as_slice()) && check::all_finite(v.as_slice());
        if finite { Ok(()) } else { Err(self.diverged(&self.next)) }
    }

    /// Why a step's residual is too large: it diverges where a coordinate would move by more than 1 m or 1 rad in a step.
    #[cold]
    pub(super) fn inaccurate(&self, residual: Residual) -> SimulationError {
        let State { time, v, .. } = &self.state;
        if v.as_slice().iter().any(|v| (self.step_size * v).abs() > 1.0) {
            return self.diverged(&self.state);
        }
        SimulationError::Residual { time: *time, residual, tolerance: self.tolerance }
    }

    /// The joint with the fastest coordinate, or the first one whose coordinate is no number.
    #[cold]
    pub(super) fn diverged(&self, state: &State<M>) -> SimulationError {
        let time = self.state.time;
        let all = |joint: &'static Joint| {
            let q = state.q.as_slice()[joint.q..joint.q + joint.nq].iter();
            let v = state.v.as_slice()[joint.v..joint.v + joint.nv].iter();
            let bad = q.copied().filter(|q| !q.is_finite()).map(|q| ("q", q));
            bad.chain(v.map(|&v| ("v", v))).map(move |(quantity, value)| (joint, quantity, value))
        };
        let size = |value: f64| if value.is_nan() { f64::INFINITY } else { value.abs() };
        let coordinates = M::JOINTS.iter().flat_map(all);
        let fastest = coordinates.reduce(|a, b| if size(b.2) > size(a.2) { b } else { a });
        let (joint, quantity, value) = fastest
            .map_or(("", "q", f64::NAN), |(joint, quantity, value)| (joint.name, quantity, value));
        SimulationError::Diverged { time, joint, quantity, value }
    }
}
