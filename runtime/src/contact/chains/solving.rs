//! M⁻¹ x by forward dynamics.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::Robot;

/// By how much a force is larger than the momentum in whose place it is, so that weight is nothing beside it: 2⁶⁰.
const STRONG: f64 = (1_u64 << 60) as f64;

/// Room for M⁻¹ x.
#[derive(Clone, Debug)]
pub(super) struct Solving {
    /// No velocity, a force, and the acceleration, (nv).
    still: Vec<f64>,
    force: Vec<f64>,
    rate: Vec<f64>,
}

impl Solving {
    pub(super) fn new(nv: usize) -> Self {
        Self { still: vec![0.0; nv], force: vec![0.0; nv], rate: vec![0.0; nv] }
    }
}

/// x ← M⁻¹ x at `q`: the acceleration from rest, beside which that of the weight is below rounding.
pub(super) fn solve(robot: Robot<'_>, q: &[f64], x: &mut [f64], room: &mut Solving) {
    let Solving { still, force, rate } = room;
    force.iter_mut().zip(&*x).for_each(|(force, x)| *force = STRONG * x);
    robot.forward_dynamics_into(q, still, force, rate);
    x.iter_mut().zip(&*rate).for_each(|(x, rate)| *x = rate / STRONG);
}
