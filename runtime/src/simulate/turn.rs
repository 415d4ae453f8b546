//! Steps in which joints turn so far that what is `Ok` by its residual is no motion.
//!
//! Where Coriolis forces are those at the beginning of a step, all forces and impulses do the work, with v̄ = ½ (ṽ + v⁺),
//!
//! > W = ½ v⁺ᵀ M v⁺ − ½ ṽᵀ M ṽ + h v̄ᵀ C v,
//!
//! and what kinetic energy gains beside is an error of the step,
//!
//! > G = T(q₁, v₁) − T(q, v) − W,
//!
//! about (h v)² of it, and the same way in each. A step that gives more than a tenth of its kinetic energy so diverges. Where forces
//! change velocities by more than a tenth, G is the error of the mean v̄ and tells nothing.
//!
//! In a step of the leapfrog, ½ h w̄ᵀ Γ is what Coriolis forces do in its first half, with w̄ = ½ (ṽ + w), and T(q₁, v₁) − T(q, w)
//! in its second. Its equations have other solutions, far away, in which one of them is more than all kinetic energy there is.
//!
//! Where weight alone turns a joint by more than a radian, h² |M⁻¹ τ_g| > 1, steps know it at too few places of a swing. In motions
//! that go round, energy then grows as that of a rotor that is kicked at random (Chirikov: A universal instability of
//! many-dimensional oscillator systems, Physics Reports 52 (1979), section 5).

use alloc::vec;
use core::ops::Range;

use super::SimulationError;
use super::failure::diverged;
use super::moving::Core;
use crate::contact::{self, LITTLE};
use crate::description::{Chart, Joint};
use crate::model::Robot;
use crate::slices::{add, dot, larger, largest};

/// The largest share of its kinetic energy that a step may give.
const MOST: f64 = 0.1;
/// The kinetic energy of the change of velocity that forces but weight make, by that of the velocity, up to which a motion is as free.
const FREE: f64 = 0.01;
/// By how much weight may turn a joint in a step, rad.
const RESOLVED: f64 = 1.0;

impl Core {
    /// Whether a step to the next state, in which joints may turn far, is one of their motion.
    ///
    /// # Errors
    ///
    /// [`SimulationError::Diverged`], and of the leapfrog [`contact::Error::TooLong`].
    #[cold]
    pub(super) fn check_turn(&self, robot: Robot<'_>) -> Result<(), SimulationError> {
        // Constraints may hold what weight alone would turn.
        if robot.nc == 0
            && let Some((joint, value)) = self.unresolved(robot)
        {
            let (time, joint, quantity) = (self.state.time, joint.name, "v");
            return Err(SimulationError::Diverged { time, joint, quantity, value, advice: "" });
        }
        let [before, after] = [&self.state.v, &self.next.v].map(|v| self.stepper.of_joints(v));
        let fastest = larger(largest(&before), largest(&after));
        if self.step_size * fastest <= LITTLE {
            Ok(())
        } else if self.stepper.moves_chains() {
            self.check_leap(robot)
        } else if self.is_driven(robot) {
            Ok(())
        } else {
            Err(diverged(&robot, self.state.time, (&self.next.q, &after)))
        }
    }

    /// The joint that weight alone turns by more than steps resolve, with its velocity at the end. Where other forces change the
    /// velocity by more than half of that, they hold the joint or drive it.
    fn unresolved(&self, robot: Robot<'_>) -> Option<(&'static Joint, f64)> {
        let Self { state, next, stepper, step_size: h, .. } = self;
        if [&next.v[..], stepper.carried()].iter().all(|v| h * largest(v) <= 0.5 * RESOLVED) {
            return None;
        }
        let (none, mut falling) = (vec![0.0; robot.nv], vec![0.0; robot.nv]);
        robot.forward_dynamics_into(&state.q, &none, &none, &mut falling);
        let velocity = stepper.velocity();
        let is_unresolved = |joint: &Joint, i: usize| {
            // A body on a ball joint also turns its velocity.
            let beside = match joint.chart {
                Chart::Vector => velocity[i] - stepper.carried()[i] - h * falling[i],
                _ => velocity[i] - stepper.free_velocity()[i],
            };
            h * h * falling[i].abs() > RESOLVED && beside.abs() < 0.5 * h * falling[i].abs()
        };
        let of = |joint: &'static Joint| turning(joint).map(move |i| (joint, i));
        let mut places = robot.joints.iter().flat_map(of);
        places.find(|&(joint, i)| is_unresolved(joint, i)).map(|(joint, i)| (joint, next.v[i]))
    }

    /// Whether the step gives at most a tenth of its kinetic energy itself, or forces hide how much.
    fn is_driven(&self, robot: Robot<'_>) -> bool {
        let Self { state, next, stepper, step_size: h, .. } = self;
        let [v, carried, end, next_v] =
            [&state.v[..], stepper.carried(), stepper.velocity(), &next.v]
                .map(|v| stepper.of_chains(v));
        let kinetic = |q: &[f64], v: &[f64]| robot.kinetic_energy(q, v);
        let [before, after] = [kinetic(&state.q, &v), kinetic(&next.q, &next_v)];
        let [begun, ended] = [&carried, &end].map(|v| kinetic(&state.q, v));
        let (mut coriolis, mut weight) = (vec![0.0; robot.nv], vec![0.0; robot.nv]);
        robot.bias_force_into(&state.q, &v, &mut coriolis);
        robot.gravity_force_into(&state.q, &mut weight);
        add(&mut coriolis, 1.0, &weight);
        let [first, last] = [&carried, &end].map(|v| dot(&coriolis, v));
        let gain = (after - ended) + (begun - before) - 0.5 * h * (first + last);
        if gain <= MOST * after {
            return true;
        }
        let (none, mut falling) = (vec![0.0; robot.nv], vec![0.0; robot.nv]);
        robot.forward_dynamics_into(&state.q, &v, &none, &mut falling);
        let mut driven = end.clone();
        add(&mut driven, -1.0, &carried);
        add(&mut driven, -h, &falling);
        kinetic(&state.q, &stepper.of_chains(&driven)) > FREE * larger(begun, ended)
    }

    /// Whether the solution of the leapfrog is near where the step began.
    fn check_leap(&self, robot: Robot<'_>) -> Result<(), SimulationError> {
        let Self { state, next, stepper, step_size: h, .. } = self;
        let [v, carried, w, next_v] =
            [&state.v[..], stepper.carried(), stepper.velocity(), &next.v]
                .map(|v| stepper.of_chains(v));
        let mut momenta = vec![0.0; 2 * robot.nv];
        robot.generalized_momentum_into(&state.q, &w, &mut momenta);
        let rate = &momenta[robot.nv..];
        let first = 0.25 * h * (dot(rate, &carried) + dot(rate, &w));
        let [before, begun] = [&v, &w].map(|v| robot.kinetic_energy(&state.q, v));
        let second = robot.kinetic_energy(&next.q, &next_v) - begun;
        if first.abs() <= larger(before, begun) && second <= begun {
            return Ok(());
        }
        let error = contact::Error::TooLong { step_size: *h, most: 0.5 * h };
        Err(SimulationError::Contact { time: state.time, error })
    }
}

/// The velocity coordinates of a joint that are angles.
pub(super) fn turning(joint: &Joint) -> Range<usize> {
    let end = joint.v + joint.nv;
    match joint.family {
        "prismatic" => end..end,
        "cylindrical" => joint.v..joint.v + 1,
        "planar" => end - 1..end,
        "floating" => end - 3..end,
        _ => joint.v..end,
    }
}
