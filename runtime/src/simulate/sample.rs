//! What is recorded of a step.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use super::State;
use crate::contact::{Impulse, Residual};
use crate::description::ContactParameters;
use crate::model::one_sided::gaps;
use crate::model::{Model, Prepared, Robot};
use crate::record::{PairForce, Sample};
use crate::space::Storage;

/// The contacts with their axes, and the impulses that acted.
pub(crate) type Acting<'a> = (&'a [ContactParameters], &'a Impulse);

/// The end of a step of `h` seconds with the input `u`, by the impulses at contacts with these axes.
pub(crate) fn sample<M: Model>(
    model: &Prepared<M>,
    (state, u): (State<M>, M::U),
    (contacts, impulse): Acting<'_>,
    h: f64,
    residual: Residual,
) -> Sample<M> {
    let State { q, v, .. } = &state;
    let forces = |impulses: &[f64]| impulses.iter().map(|x| x / h).collect();
    let along = |impulses: &[f64]| along_coordinates::<M>(impulses.iter().map(|x| x / h));
    let limits = impulse.limits.iter().map(|[lower, upper]| (lower - upper) / h);
    Sample {
        u,
        gaps: gaps(model, q),
        forces: contacts.iter().enumerate().map(|(i, of)| impulse.world(i, of) / h).collect(),
        torsions: forces(&impulse.torsion),
        points: contact_points(model.as_data(), q.as_slice()),
        pairs: impulse.pairs.iter().map(|of| PairForce::new(of, h)).collect(),
        multipliers: forces(&impulse.constraints),
        declared_limits: forces(&impulse.declared),
        limits: along_coordinates::<M>(limits),
        motors: along(&impulse.motors),
        dry_friction: along(&impulse.dry_friction),
        kinetic_energy: model.kinetic_energy(q, v),
        potential_energy: model.potential_energy(q),
        residual,
        state,
    }
}

/// The points of the contacts in the world, m.
pub(crate) fn contact_points(robot: Robot<'_>, q: &[f64]) -> Vec<Vector3<f64>> {
    let mut points = vec![f64::NAN; 3 * robot.contacts.len()];
    robot.contact_points_into(q, &mut points);
    points.chunks_exact(3).map(Vector3::from_column_slice).collect()
}

/// A number for each velocity coordinate, (nv).
fn along_coordinates<M: Model>(numbers: impl Iterator<Item = f64>) -> M::V {
    let mut all = M::V::zeros();
    all.as_mut_slice().iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
    all
}
