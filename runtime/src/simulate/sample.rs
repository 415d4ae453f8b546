//! What is recorded of a step.

use alloc::vec;

use nalgebra::Vector3;

use super::{Simulation, State};
use crate::contact::Residual;
use crate::model::Model;
use crate::record::{PairForce, Sample};

impl<M: Model> Simulation<M> {
    /// The end of a step with the input `u`.
    pub(super) fn sample(&self, u: &M::U, residual: Residual) -> Sample<M> {
        let (model, State { q, v, .. }) = (&self.model, &self.state);
        let mut points = vec![f64::NAN; 3 * M::CONTACTS.len()];
        model.contact_points_into(q, &mut points);
        let contacts = self.contacts().iter().enumerate();
        let force = |(i, contact)| self.impulse().world(i, contact) / self.step_size;
        Sample {
            state: self.state.clone(),
            u: u.clone(),
            gaps: self.gaps(),
            forces: contacts.map(force).collect(),
            points: points.chunks_exact(3).map(Vector3::from_column_slice).collect(),
            pairs: self
                .impulse()
                .pairs
                .iter()
                .map(|of| PairForce::new(of, self.step_size))
                .collect(),
            multipliers: self.impulse().constraints.iter().map(|x| x / self.step_size).collect(),
            kinetic_energy: model.kinetic_energy(q, v),
            potential_energy: model.potential_energy(q),
            residual,
        }
    }
}
