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

use crate::check;
use crate::description::Level;
use crate::kernel::Input;
use crate::manifold;
use crate::model::Model;
use crate::slices::{largest, worse};
use crate::space::Storage;

use super::generated::Which;
use super::newton::{accepted, polished};
use super::{Assembly, Constrained, Error};

/// The longest step to what is nearby, rad or m.
const NEARBY: f64 = 1e-6;

impl<M: Model> Constrained<M> {
    /// The state nearest to (`q`, `v`) on the constraints, in the metric of the mass matrix.
    ///
    /// # Errors
    ///
    /// As [`assemble`](Self::assemble) and [`assemble_velocity`](Self::assemble_velocity).
    pub fn project(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<(M::Q, M::V), Error> {
        self.check(q, v, t)?;
        let generated = self.generated.has(&self.rows);
        if generated {
            self.rows.measure(self.model.as_data(), (q.as_slice(), v.as_slice()), t);
        }
        let nearby = if generated { self.nearby(q, t) } else { None };
        let q = match nearby {
            Some(q) => q,
            None => self.assemble(q, Assembly::Mass, t)?.value,
        };
        let keeping = if generated { self.keeping(&q, v, t) } else { None };
        let v = match keeping {
            Some(v) => v,
            None => self.assemble_velocity(&q, v, Assembly::Mass, t)?.value,
        };
        Ok((q, v))
    }

    /// The configuration nearest to `q`, from nearby.
    fn nearby(&mut self, q: &M::Q, t: f64) -> Option<M::Q> {
        let (mut q, still, mut before) = (q.clone(), M::V::zeros(), f64::INFINITY);
        loop {
            self.rows.evaluate_errors(self.model.as_data(), q.as_slice(), t);
            let rows = self.rows.declared().filter(|row| row.level == Level::Position);
            let error = rows.map(|row| row.error.abs() / row.reach).fold(0.0, worse);
            if error <= polished(q.as_slice()) {
                return Some(q);
            }
            if error.is_nan() || error > 0.5 * before {
                return (error <= accepted(q.as_slice())).then_some(q);
            }
            let state = (q.as_slice(), still.as_slice());
            self.rows.evaluate_rates(self.model.as_data(), state, t);
            let rows = self.rows.declared().filter(|row| row.level == Level::Position);
            self.target.clear();
            self.target.extend(rows.map(|row| row.beyond_rebound(-row.error)));
            let change = self.after_impact(Which::Positions, (&q, &still), t)?;
            if largest(change.as_slice()) > NEARBY {
                return None;
            }
            manifold::integrate(M::JOINTS, change.as_slice(), 1.0, q.as_mut_slice());
            before = error;
        }
    }

    /// The velocity nearest to `v` with which all rows keep, if one step leads there.
    fn keeping(&mut self, q: &M::Q, v: &M::V, t: f64) -> Option<M::V> {
        self.rows.evaluate_rates(self.model.as_data(), (q.as_slice(), v.as_slice()), t);
        self.target.clear();
        self.target.extend(self.rows.declared().map(|row| row.beyond_rebound(-row.rate)));
        let v = self.after_impact(Which::All, (q, v), t)?;
        (self.fastest(q, &v, t) <= accepted(v.as_slice())).then_some(v)
    }

    /// v⁺ by generated code, where rows are asked for the target beyond their rebound.
    fn after_impact(&mut self, which: Which, (q, v): (&M::Q, &M::V), t: f64) -> Option<M::V> {
        let mut after = M::V::zeros();
        let input = Input { q: q.as_slice(), v: v.as_slice(), t: &[t], ..Input::default() };
        let solution = (after.as_mut_slice(), &mut self.spare.1);
        self.generated
            .solve::<_, M::ConstrainedImpact>(&self.model, which, (input, &self.target), solution)
            .then_some(after)
    }

    /// The largest rate of declared rows that hold, by ρ as it was last measured.
    fn fastest(&mut self, q: &M::Q, v: &M::V, t: f64) -> f64 {
        self.rows.evaluate_rates(self.model.as_data(), (q.as_slice(), v.as_slice()), t);
        self.rows.declared().fold(0.0, |most, row| worse(most, row.rate.abs() / row.reach))
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
        self.rows.measure(self.model.as_data(), (q.as_slice(), v.as_slice()), t);
        let keeps = self.fastest(&q, &scaled, t) <= 1e-9 * (1.0 + largest(scaled.as_slice()));
        Ok((q, if keeps { scaled } else { v }))
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
        assert!(held.generated.has(&held.rows));
        for distance in [1e-12, 1e-9, 1e-7] {
            let start = q + SVector::repeat(distance);
            held.rows.measure(held.model.as_data(), (start.as_slice(), v.as_slice()), time);
            let near = held.nearby(&start, time).expect("from nearby");
            assert!(held.keeping(&near, &v, time).is_some(), "{distance:e}");
        }
        assert!(held.nearby(&(q + SVector::repeat(1e-4)), time).is_none());
    }
}
