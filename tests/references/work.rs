//! What contacts do to energy, and what a million steps do.
//!
//! An impact without other forces changes the kinetic energy by ½ Λᵀ (J v⁺ + J v⁻) = Λᵀ J v⁺ − ½ Λᵀ A Λ. Contacts
//! that do not approach at its end, and friction against what slips, leave Λᵀ J v⁺ ≤ 0: energy is lost whatever the
//! law, as long as it asks for no velocity of its own.

use fastrand::Rng;
use jourdain::contact::{Anitescu, AnitescuPotra, Normal};
use jourdain::prelude::*;
use jourdain_models::Solo12;
use nalgebra::{SVector, Vector3};

use crate::Vector0;

/// A box that stands on four corners, with an arm of two joints.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(hull, mass = 2, inertia = [0.02, 0.03, 0.04]),
    joint(free, floating(world -> hull)),
    link(upper, mass = 1, inertia = [0.01, 0.01, 0.002], com = [0, 0, 0.2]),
    joint(shoulder, revolute(hull -> upper), at = [0.05, 0, 0.1], axis = [0, 1, 0]),
    link(fore, mass = 0.5, inertia = [0.005, 0.005, 0.001], com = [0, 0.1, 0.2]),
    joint(elbow, revolute(upper -> fore), at = [0, 0, 0.4], axis = [1, 0, 0]),
    contact(first, on = hull, at = [-0.1, -0.2, -0.1], friction = 0.7),
    contact(second, on = hull, at = [0.1, -0.2, -0.1], friction = 0.2),
    contact(third, on = hull, at = [-0.1, 0.2, -0.1], friction = 1.5),
    contact(fourth, on = hull, at = [0.1, 0.2, -0.1]),
)]
struct Digger;

/// So short that no force matters beside the impulses.
const STEP: f64 = 1e-8;
const STATES: usize = 300;
const TOLERANCE: f64 = 1e-6;

fn laws() -> [Formulation; 8] {
    let velocity = AnitescuPotra::default();
    [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(velocity),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Coulomb(Normal::Gap),
        Formulation::Coulomb(Normal::Velocity(velocity)),
        Formulation::Frictionless(Normal::Gap),
        Formulation::Frictionless(Normal::Velocity(velocity)),
        Formulation::Sticking(Normal::Velocity(velocity)),
    ]
}

/// J v of a contact of the box, along normal and tangents.
fn contact_velocity(contact: usize, jacobian: &[f64], v: &SVector<f64, 8>) -> Vector3<f64> {
    let columns = jacobian.chunks_exact(12).zip(v.iter());
    columns.map(|(column, v)| *v * Vector3::from_column_slice(&column[3 * contact..][..3])).sum()
}

#[test]
fn impacts_take_energy_away() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(3);
    let (mut acted, mut jammed) = (0, 0);
    for _ in 0..STATES {
        let mut number = || 2.0 * rng.f64() - 1.0;
        let q = SVector::from([0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0, 3.0 * number(), number()]);
        let v = SVector::from_fn(|_, _| number());
        let before = Digger.kinetic_energy(&q, &v);
        let jacobian = Digger.contact_jacobian(&q);
        for law in laws() {
            let simulation = Simulation::new(Digger)?.step_size(STEP)?.formulation(law);
            let mut simulation = simulation.state(q, v)?;
            match simulation.step(&Vector0::zeros()) {
                // Infinite friction need not have a solution.
                Err(_) if matches!(law, Formulation::Sticking(_)) => {
                    jammed += 1;
                    continue;
                }
                report => drop(report?),
            }
            let end = simulation.current().v;
            let work = |contact: usize| {
                let of = |v| contact_velocity(contact, jacobian.as_slice(), v);
                0.5 * simulation.impulse().local(contact).dot(&(of(&v) + of(&end)))
            };
            let work: f64 = (0..4).map(work).sum();
            let lost = before - Digger.kinetic_energy(&simulation.current().q, &end);
            assert!((lost + work).abs() < TOLERANCE * before.max(1.0), "{law:?}: {lost} {work}");
            assert!(work < TOLERANCE, "{law:?}: {work}");
            acted += usize::from(work < -1e-3);
        }
    }
    assert!(acted > STATES * 4 && jammed < STATES / 10, "{acted} impacts, {jammed} jammed");
    Ok(())
}

/// A million where tests are optimised.
const STEPS: u32 = if cfg!(debug_assertions) { 5_000 } else { 1_000_000 };

#[test]
fn a_quadruped_stands_still_for_a_million_steps() -> Result<(), SimulationError> {
    let mut q = SVector::<f64, 19>::zeros();
    q[6] = 1.0;
    for leg in 0..4 {
        let side = if leg < 2 { 1.0 } else { -1.0 };
        (q[8 + 3 * leg], q[9 + 3 * leg]) = (0.8 * side, -1.6 * side);
    }
    q[2] -= Solo12.gap(&q).min();
    let mut simulation = Simulation::new(Solo12)?.state(q, SVector::zeros())?;
    let mut step = || {
        let State { q: now, v, .. } = simulation.current();
        let u = SVector::from_fn(|j, _| 8.0 * (q[7 + j] - now[7 + j]) - 0.2 * v[6 + j]);
        let report = simulation.step(&u)?;
        assert!(report.residual.max() < 1e-9 && report.penetration < 1e-9, "{report:?}");
        Ok::<_, SimulationError>(simulation.current().clone())
    };
    let settled = (0..STEPS / 2).try_fold(None, |_, _| step().map(Some))?;
    let end = (0..STEPS / 2).try_fold(None, |_, _| step().map(Some))?;
    let (Some(settled), Some(end)) = (settled, end) else { return Ok(()) };
    let drift = (settled.q - end.q).amax();
    assert!(drift < 1e-9, "{drift:e}");
    assert!(end.v.amax() < 1e-9, "{:e}", end.v.amax());
    Ok(())
}
