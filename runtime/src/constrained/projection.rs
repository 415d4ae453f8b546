//! Back onto the constraints after a step.
//!
//! An integrator that does not know of the constraints leaves them by its error. The nearest state on
//! them in the metric of the mass matrix is the one that takes the least impulse.
//!
//! # Source
//!
//! Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), section IV.4.

use crate::model::Model;
use crate::space::Storage;

use super::newton::largest;
use super::{Assembly, Constrained, Error};

impl<M: Model> Constrained<M> {
    /// The state nearest to (`q`, `v`) on the constraints, in the metric of the mass matrix.
    ///
    /// # Errors
    ///
    /// As [`assemble`](Self::assemble) and [`assemble_velocity`](Self::assemble_velocity).
    pub fn project(&mut self, q: &M::Q, v: &M::V, t: f64) -> Result<(M::Q, M::V), Error> {
        let q = self.assemble(q, Assembly::Mass, t)?.value;
        let v = self.assemble_velocity(&q, v, Assembly::Mass, t)?.value;
        Ok((q, v))
    }

    /// [`project`](Self::project), and the velocity scaled such that kinetic and potential energy
    /// together are `energy`, as far as there is a velocity to scale; where constraints depend on time,
    /// scaling would violate them, and the projection is returned as it is.
    ///
    /// # Errors
    ///
    /// As [`project`](Self::project).
    pub fn project_with_energy(
        &mut self,
        q: &M::Q,
        v: &M::V,
        energy: f64,
        t: f64,
    ) -> Result<(M::Q, M::V), Error> {
        let (q, v) = self.project(q, v, t)?;
        let kinetic = self.model.kinetic_energy(&q, &v);
        let wanted = energy - self.model.potential_energy(&q);
        let factor = if kinetic > 0.0 && wanted > 0.0 {
            nalgebra::ComplexField::sqrt(wanted / kinetic)
        } else {
            1.0
        };
        let mut scaled = v.clone();
        scaled.as_mut_slice().iter_mut().for_each(|v| *v *= factor);
        self.rows.evaluate(&self.model, &q, &scaled, t);
        let keeps = largest(&self.rows.held.rate) <= 1e-9 * (1.0 + largest(scaled.as_slice()));
        Ok((q, if keeps { scaled } else { v }))
    }
}
