//! Why a step failed, whatever its mechanics.

use super::SimulationError;
use crate::cone;
use crate::contact::{self, Hidden, Residual};
use crate::description::Joint;
use crate::error::ModelError;
use crate::fours;
use crate::kernel::Real;
use crate::kkt;
use crate::lcp;
use crate::model::{Robot, Table};
use crate::slices::{all_finite, largest};

/// No coordinate is faster, in m/s or rad/s: that of light.
const FASTEST: f64 = 299_792_458.0;

/// What is no faster, in m/s or rad/s, does not diverge: where a problem of such a state is not finite, what acts is too large.
const FAST: f64 = 1e4;

/// Why a step from (q, v) was not solved; a mass matrix without inverse is reported with the joint to blame.
#[cold]
pub(crate) fn failure(
    robot: Robot<'_>,
    (time, q, v): (f64, &[f64], &[f64]),
    error: contact::Error,
) -> SimulationError {
    match error {
        contact::Error::MassMatrix => {
            let checked = robot.check_mass_matrix(q);
            checked.err().map_or(SimulationError::Contact { time, error }, Into::into)
        }
        contact::Error::Violated { constraint, error } => {
            SimulationError::Violated { time, constraint, error }
        }
        contact::Error::NotOffered { .. }
        | contact::Error::Parameter { .. }
        | contact::Error::TimeConstant { .. } => SimulationError::Setup(error),
        contact::Error::Gap { contact: index } => {
            ModelError::NotFinite { quantity: "gap", index, value: f64::NAN }.into()
        }
        contact::Error::Complementarity(lcp::Error::NotFinite { .. })
        | contact::Error::Cone(cone::Error::NotFinite { .. })
        | contact::Error::Bilateral(kkt::Error::NotFinite { .. })
            if largest(v) > FAST =>
        {
            diverged(&robot, time, (q, v))
        }
        error => SimulationError::Contact { time, error },
    }
}

/// Why the residual of a step of `h` seconds is above its tolerance: the motion diverges where a coordinate would move
/// by more than 1 m or 1 rad in a step.
#[cold]
pub(super) fn inaccurate(
    table: &Table,
    (time, q, v): (f64, &[f64], &[f64]),
    h: f64,
    (residual, tolerance): (Residual, f64),
) -> SimulationError {
    if v.iter().any(|v| (h * v).abs() > 1.0) {
        return diverged(table, time, (q, v));
    }
    SimulationError::Residual { time, residual, tolerance }
}

/// Why nothing is known of the velocity that a step of `h` seconds led to.
#[cold]
pub(crate) fn drowned(table: &Table, time: f64, h: f64, hidden: Hidden) -> SimulationError {
    let Hidden { v, velocity, most } = hidden;
    SimulationError::Drowned { time, joint: table.joint_of(v), velocity, most, step_size: h }
}

/// As [`check_end`], where it is inlined; returns the size of the fastest coordinate.
#[inline(always)]
pub(super) fn check_end_here<A: Real>(
    table: &Table,
    time: f64,
    (q, v): (&[f64], &[f64]),
) -> Result<f64, SimulationError> {
    let fastest = fours::bound::<A>(v);
    if (fastest <= FASTEST) & (fours::bound::<A>(q) < f64::INFINITY) {
        Ok(fastest)
    } else {
        check_end(table, time, (q, v)).map(|()| fastest)
    }
}

/// # Errors
///
/// [`SimulationError::Diverged`] if what a step that began at `time` leads to is no state, or one faster than light.
pub(crate) fn check_end(
    table: &Table,
    time: f64,
    (q, v): (&[f64], &[f64]),
) -> Result<(), SimulationError> {
    let possible = all_finite(q) & (largest(v) <= FASTEST);
    if possible { Ok(()) } else { Err(diverged(table, time, (q, v))) }
}

/// The error of mechanics by which chains gain no energy.
pub(crate) fn without_chains(table: &Table, error: SimulationError) -> SimulationError {
    match error {
        SimulationError::Diverged { time, joint, quantity, value, .. } => {
            SimulationError::Diverged { time, joint, quantity, value, advice: advice(table, false) }
        }
        error => error,
    }
}

/// What may help a robot that diverges, besides smaller steps: of one with inputs other gains, of chains of bodies the leapfrog.
fn advice(table: &Table, gains_energy: bool) -> &'static str {
    let is_chain = gains_energy && table.links.iter().any(|link| link.parent.is_some());
    match (is_chain, table.nu > 0) {
        (true, true) => {
            ", since chains that move without `symplectic` gain the more energy the more their joints turn in one, and if a \
             controller drives it, lower gains, or let them act at the end of a step, by `Pd::implicit` or `Motor::Servo`, \
             which are stable at any step"
        }
        (true, false) => {
            ", since chains that move without `symplectic` gain the more energy the more their joints turn in one"
        }
        (false, true) => {
            ", and if a controller drives it, lower gains, or let them act at the end of a step, by `Pd::implicit` or \
             `Motor::Servo`, which are stable at any step"
        }
        (false, false) => "",
    }
}

/// The joint with the fastest coordinate, or the first one whose coordinate is no number.
#[cold]
pub(super) fn diverged(table: &Table, time: f64, (q, v): (&[f64], &[f64])) -> SimulationError {
    let all = |joint: &'static Joint| {
        let q = q[joint.q..joint.q + joint.nq].iter();
        let v = v[joint.v..joint.v + joint.nv].iter();
        let bad = q.copied().filter(|q| !q.is_finite()).map(|q| ("q", q));
        bad.chain(v.map(|&v| ("v", v))).map(move |(quantity, value)| (joint, quantity, value))
    };
    let size = |value: f64| if value.is_nan() { f64::INFINITY } else { value.abs() };
    let coordinates = table.joints.iter().flat_map(all);
    let fastest = coordinates.reduce(|a, b| if size(b.2) > size(a.2) { b } else { a });
    let (joint, quantity, value) = fastest
        .map_or(("", "q", f64::NAN), |(joint, quantity, value)| (joint.name, quantity, value));
    SimulationError::Diverged { time, joint, quantity, value, advice: advice(table, true) }
}
