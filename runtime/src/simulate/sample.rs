//! What is recorded of a step.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use super::{Simulation, State};
use crate::contact::Residual;
use crate::model::Model;
use crate::record::{PairForce, Sample};
use crate::space::Storage;

impl<M: Model> Simulation<M> {
    /// The end of a step with the input `u`.
    pub(super) fn sample(&self, u: &M::U, residual: Residual) -> Sample<M> {
        let (model, State { q, v, .. }) = (&self.model, &self.state);
        let (impulse, h) = (self.impulse(), self.step_size);
        let contacts = self.contacts().iter().enumerate();
        let forces = |impulses: &[f64]| impulses.iter().map(|x| x / h).collect();
        let along = |impulses: &[f64]| along_coordinates::<M>(impulses.iter().map(|x| x / h));
        let limits = impulse.limits.iter().map(|[lower, upper]| (lower - upper) / h);
        Sample {
            state: self.state.clone(),
            u: u.clone(),
            gaps: self.gaps(),
            forces: contacts.map(|(i, contact)| impulse.world(i, contact) / h).collect(),
            torsions: forces(&impulse.torsion),
            points: self.contact_points(),
            pairs: impulse.pairs.iter().map(|of| PairForce::new(of, h)).collect(),
            multipliers: forces(&impulse.constraints),
            declared_limits: forces(&impulse.declared),
            limits: along_coordinates::<M>(limits),
            motors: along(&impulse.motors),
            dry_friction: along(&impulse.dry_friction),
            kinetic_energy: model.kinetic_energy(q, v),
            potential_energy: model.potential_energy(q),
            residual,
        }
    }

    /// The points of the contacts now, in the world, m.
    pub(super) fn contact_points(&self) -> Vec<Vector3<f64>> {
        let mut points = vec![f64::NAN; 3 * M::CONTACTS.len()];
        self.model.contact_points_into(&self.state.q, &mut points);
        points.chunks_exact(3).map(Vector3::from_column_slice).collect()
    }
}

/// A number for each velocity coordinate, (nv).
fn along_coordinates<M: Model>(numbers: impl Iterator<Item = f64>) -> M::V {
    let mut all = M::V::zeros();
    all.as_mut_slice().iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
    all
}
