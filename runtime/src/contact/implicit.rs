//! What of a step's forces is linear in v⁺, and so part of the motion without impulses.
//!
//! A servo without bound, Λ = (v* − v⁺)/σ, adds δ = 1/σ to the inertia of its coordinate and, beside the forces
//! at the beginning, (v* − v)/(h σ): then (M + δ)(v⁺ − v) = h (f − b) + (v* − v)/σ. A formulation's inertia and
//! damping come in the same way, and so do dampers of coordinates: (M + h D)(v⁺ − v) = h (f − D v − b) is
//! M (v⁺ − v) = h (f − D v⁺ − b).

use super::Error;
use super::conditions::Conditions;
use super::dynamics::sum_of;
use super::stepper::Core;
use crate::model::Robot;

impl Core {
    /// The force and the inertia of the coordinates, with those of the formulation and of motors without bounds.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] of chains.
    #[inline(always)]
    pub(super) fn add_implicit(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        force: &[f64],
        h: f64,
        conditions: &Conditions,
    ) -> Result<(), Error> {
        let [inertia, damping] = conditions.formulation.normal().implicit();
        self.added[..robot.nv].fill(inertia);
        let nv = robot.nv;
        sum_of(&mut self.force[..nv], &force[..nv], -damping, &v[..nv]);
        let springs = &self.explicit.springs;
        if conditions.free_rotation {
            self.free_bodies.add_force(robot, (q, v), (force, springs, h), &mut self.force);
        } else {
            self.free_bodies.stop();
        }
        let (state, known) = ((q, v, &self.carried[..]), (force, springs, h));
        if !self.is_warm {
            self.chains.forget();
        }
        self.chains.add_force(robot, conditions.allowed_drift(), state, known, &mut self.force)?;
        if !self.explicit.springs.damping().is_empty() {
            self.add_dampers(v, h);
        }
        let Self { motors, added, force, .. } = self;
        motors.evaluate(q, h, &conditions.motors);
        for &(i, row) in motors.implicit() {
            added[i] += 1.0 / row.softness;
            force[i] += (row.target - v[i]) / (h * row.softness);
        }
        Ok(())
    }

    /// Dampers of coordinates: h d beside M, with ṽ where the force has v.
    #[inline(always)]
    fn add_dampers(&mut self, v: &[f64], h: f64) {
        let Self { explicit, added, force, carried, .. } = self;
        for (i, &damping) in explicit.springs.damping().iter().enumerate() {
            added[i] += h * damping;
            force[i] -= damping * (carried[i] - v[i]);
        }
    }

    /// Writes the impulses of motors without bounds.
    #[inline(always)]
    pub(super) fn write_implicit(&mut self) {
        for &(i, row) in self.motors.implicit() {
            self.impulse.motors[i] = (row.target - self.velocity[i]) / row.softness;
        }
    }
}
