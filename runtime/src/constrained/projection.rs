//! Back onto the constraints after a step.
//!
//! An integrator that does not know of the constraints leaves them by its error. The nearest state on
//! them in the metric of the mass matrix is the one that takes the least impulse. A step of Newton's method
//! towards them is an impact of the robot at rest, after which each row has the rate −h, and so takes what
//! impacts take; but the nearest state is where that leads only from so near that its square is rounding.
//! Errors are judged in m and rad, divided by ρ.
//!
//! # Source
//!
//! Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), section IV.4.

use alloc::vec;
use alloc::vec::Vec;
use core::mem;

use crate::check;
use crate::description::Level;
use crate::kernel::Input;
use crate::manifold;
use crate::model::{Model, Robot};
use crate::slices::{largest, worse};
use crate::space::Storage;

use super::dynamics::{At, check_state};
use super::generated::{Motion, Which};
use super::newton::{accepted, polished};
use super::{Assembly, Constrained, Core, Error};

/// The longest step to what is nearby, rad or m.
const NEARBY: f64 = 1e-6;

impl<M: Model> Constrained<M> {
    /// The state nearest to (`q`, `v`) on the constraints, in the metric of the mass matrix.
    ///
    /// # Errors
    ///
    /// As [`assemble`](Self::assemble) and [`assemble_velocity`](Self::assemble_velocity).
    pub fn project(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<(M::Q, M::V), Error> {
        self.model.check_fields()?;
        let (mut q, mut v) = (q.clone(), v.clone());
        let state = (q.as_mut_slice(), v.as_mut_slice());
        self.core.project(self.model.as_data(), state, t)?;
        Ok((q, v))
    }

    /// [`project`](Self::project), and the velocity scaled such that kinetic and potential energy
    /// together are `energy`, J, as far as there is a velocity to scale. The projection is returned as it is
    /// where `energy` is not above the potential energy, where the factor is no finite number, and where
    /// constraints depend on time such that scaling would violate them.
    ///
    /// # Errors
    ///
    /// As [`project`](Self::project); [`Error::Model`] if `energy` is not finite.
    pub fn project_with_energy(
        &mut self,
        q: &M::Q,
        v: &M::V,
        energy: f64,
        t: f64,
    ) -> Result<(M::Q, M::V), Error> {
        check::finite("energy", &[energy])?;
        let (q, v) = self.project(q, v, t)?;
        let kinetic = self.model.kinetic_energy(&q, &v);
        let wanted = energy - self.model.potential_energy(&q);
        let factor = nalgebra::ComplexField::sqrt(wanted / kinetic);
        if !(factor > 0.0 && factor.is_finite()) {
            return Ok((q, v));
        }
        let mut scaled = v.clone();
        scaled.as_mut_slice().iter_mut().for_each(|v| *v *= factor);
        let at = (q.as_slice(), scaled.as_slice(), t);
        let keeps = self.core.keeps(self.model.as_data(), at, v.as_slice());
        Ok((q, if keeps { scaled } else { v }))
    }
}

impl Core {
    /// Moves a state to the one that [`Constrained::project`] says.
    ///
    /// # Errors
    ///
    /// As [`Constrained::project`]; the state is then unchanged.
    pub(crate) fn project(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&mut [f64], &mut [f64]),
        t: f64,
    ) -> Result<(), Error> {
        check_state(&robot, (q, v, t))?;
        let generated = self.generated.has(&self.rows);
        if generated {
            self.rows.measure(robot, (q, v), t);
        }
        let nearby = if generated { self.nearby(robot, q, t) } else { None };
        let place = match nearby {
            Some(place) => place,
            None => self.assemble(robot, q, Assembly::Mass, t)?.value,
        };
        if generated && self.keep(robot, (&place, v, t)) {
            v.copy_from_slice(&self.after);
        } else {
            let found = self.assemble_velocity(robot, (&place, v), Assembly::Mass, t)?;
            v.copy_from_slice(&found.value);
        }
        q.copy_from_slice(&place);
        Ok(())
    }

    /// The configuration nearest to `q`, from nearby.
    fn nearby(&mut self, robot: Robot<'_>, q: &[f64], t: f64) -> Option<Vec<f64>> {
        let (mut q, still, mut before) = (q.to_vec(), vec![0.0; robot.nv], f64::INFINITY);
        loop {
            self.rows.evaluate_errors(robot, &q, t);
            let rows = self.rows.declared().filter(|row| row.level == Level::Position);
            let error = rows.map(|row| row.error.abs() / row.reach).fold(0.0, worse);
            if error <= polished(&q) {
                return Some(q);
            }
            if error.is_nan() || error > 0.5 * before {
                return (error <= accepted(&q)).then_some(q);
            }
            self.rows.evaluate_rates(robot, (&q, &still), t);
            let rows = self.rows.declared().filter(|row| row.level == Level::Position);
            self.target.clear();
            self.target.extend(rows.map(|row| row.beyond_rebound(-row.error)));
            let moves = self.move_by_impact(robot, Which::Positions, (&q, &still, t));
            if !moves || largest(&self.after) > NEARBY {
                return None;
            }
            manifold::integrate(robot.joints, &self.after, 1.0, &mut q);
            before = error;
        }
    }

    /// Finds the velocity nearest to `v` with which all rows keep, as `after`, if one step leads there.
    fn keep(&mut self, robot: Robot<'_>, (q, v, t): At<'_>) -> bool {
        self.rows.evaluate_rates(robot, (q, v), t);
        self.target.clear();
        self.target.extend(self.rows.declared().map(|row| row.beyond_rebound(-row.rate)));
        if !self.move_by_impact(robot, Which::All, (q, v, t)) {
            return false;
        }
        let after = mem::take(&mut self.after);
        let keeps = self.fastest(robot, (q, &after, t)) <= accepted(&after);
        self.after = after;
        keeps
    }

    /// Writes v⁺ to `after` by generated code, where rows are asked for the target beyond their rebound, and says so.
    fn move_by_impact(&mut self, robot: Robot<'_>, which: Which, (q, v, t): At<'_>) -> bool {
        let input = Input { q, v, t: &[t], ..Input::default() };
        let solution = (&mut self.after[..], &mut self.spare.1);
        self.generated.solve(robot, (Motion::Impact, which), (input, &self.target), solution)
    }

    /// Whether all rows keep at a velocity, as they do at `slower`.
    fn keeps(&mut self, robot: Robot<'_>, at: At<'_>, slower: &[f64]) -> bool {
        self.rows.measure(robot, (at.0, slower), at.2);
        self.fastest(robot, at) <= 1e-9 * (1.0 + largest(at.1))
    }

    /// The largest rate of declared rows that hold, by ρ as it was last measured.
    fn fastest(&mut self, robot: Robot<'_>, (q, v, t): At<'_>) -> f64 {
        self.rows.evaluate_rates(robot, (q, v), t);
        self.rows.declared().fold(0.0, |most, row| worse(most, row.rate.abs() / row.reach))
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{SVector, vector};

    use crate::constrained::{Assembly, Constrained};
    use crate::prelude::*;

    /// A bead on a ring that grows, with rows that ask for other velocities after an impact.
    #[derive(Robot, Clone, Copy, Debug)]
    #[robot(
        link(a, massless),
        joint(x, prismatic(world -> a), axis = [1, 0, 0]),
        link(b, massless),
        joint(y, prismatic(a -> b), axis = [0, 1, 0]),
        link(bead, mass = 2),
        joint(z, prismatic(b -> bead), axis = [0, 0, 1]),
        constraint(ring, h = x * x + z * z - 1 - t, restitution = 0.4, velocity_after = 0.7),
        drive(across, joint = y, rate = t, restitution = 0.2, velocity_after = 0.3),
    )]
    struct Bead;

    /// What generated code finds must serve, or every projection would be an assembly, and slow.
    #[test]
    fn projections_from_nearby_are_generated() {
        let (mut held, time) = (Constrained::new(Bead), 0.3);
        let weights = Assembly::Weights(&[1.0; 3]);
        let q = held.assemble(&vector![0.8, 0.1, 0.7], weights, time).unwrap().value;
        let v = vector![0.5, -0.2, 0.9];
        let Constrained { model, core } = &mut held;
        let robot = model.as_data();
        assert!(core.generated.has(&core.rows));
        for distance in [1e-12, 1e-9, 1e-7] {
            let start = q + SVector::repeat(distance);
            core.rows.measure(robot, (start.as_slice(), v.as_slice()), time);
            let near = core.nearby(robot, start.as_slice(), time).expect("from nearby");
            assert!(core.keep(robot, (&near, v.as_slice(), time)), "{distance:e}");
        }
        let far = q + SVector::repeat(1e-4);
        assert!(core.nearby(robot, far.as_slice(), time).is_none());
    }
}
