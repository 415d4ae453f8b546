//! One body on so many points that their impulses are not unique.
//!
//! Whatever they are one by one, in sum they carry the weight, and on ground as rough everywhere what slides without
//! turning slows down by μ g.

use jourdain::contact::{Normal, Todorov};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3};

use crate::Vector0;

const MU: f64 = 0.4;
const G: f64 = 9.81;
const STEP: f64 = 1e-3;
const SPEED: f64 = 0.5;
/// In m/s: a step is solved to 1e-10 of the largest velocity.
const TOLERANCE: f64 = 2e-10 * SPEED;

/// Four by four points below a slab, the centre of mass above their middle at their own height: friction tips nothing.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(slab, mass = 3, inertia = [0.1, 0.1, 0.2]),
    joint(free, floating(world -> slab)),
    contact(a0, on = slab, at = [-0.3, -0.3, 0], friction = 0.4),
    contact(a1, on = slab, at = [-0.1, -0.3, 0], friction = 0.4),
    contact(a2, on = slab, at = [0.1, -0.3, 0], friction = 0.4),
    contact(a3, on = slab, at = [0.3, -0.3, 0], friction = 0.4),
    contact(b0, on = slab, at = [-0.3, -0.1, 0], friction = 0.4),
    contact(b1, on = slab, at = [-0.1, -0.1, 0], friction = 0.4),
    contact(b2, on = slab, at = [0.1, -0.1, 0], friction = 0.4),
    contact(b3, on = slab, at = [0.3, -0.1, 0], friction = 0.4),
    contact(c0, on = slab, at = [-0.3, 0.1, 0], friction = 0.4),
    contact(c1, on = slab, at = [-0.1, 0.1, 0], friction = 0.4),
    contact(c2, on = slab, at = [0.1, 0.1, 0], friction = 0.4),
    contact(c3, on = slab, at = [0.3, 0.1, 0], friction = 0.4),
    contact(d0, on = slab, at = [-0.3, 0.3, 0], friction = 0.4),
    contact(d1, on = slab, at = [-0.1, 0.3, 0], friction = 0.4),
    contact(d2, on = slab, at = [0.1, 0.3, 0], friction = 0.4),
    contact(d3, on = slab, at = [0.3, 0.3, 0], friction = 0.4),
)]
struct Slab;

#[test]
fn a_slab_on_sixteen_points_slides_and_stops() -> Result<(), SimulationError> {
    let direction = Vector3::new(0.6, 0.8, 0.0);
    for law in [Formulation::Coulomb(Normal::Gap), Formulation::Frictionless(Normal::Gap)] {
        let mu = if law == Formulation::Coulomb(Normal::Gap) { MU } else { 0.0 };
        let mut v = SVector::<f64, 6>::zeros();
        v.fixed_rows_mut::<3>(0).copy_from(&(SPEED * direction));
        let q = SVector::from([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let simulation = Simulation::new(Slab)?.step_size(STEP)?.formulation(law);
        let mut simulation = simulation.state(q, v)?;
        for k in 1..=150 {
            simulation.step(&Vector0::zeros())?;
            let weight: f64 = simulation.impulse().normal.iter().sum();
            assert!((weight / 3.0 - G * STEP).abs() < TOLERANCE, "{law:?} {k}: {weight}");
            let speed = (SPEED - mu * G * STEP * f64::from(k)).max(0.0);
            let found = simulation.current().v.fixed_rows::<3>(0) - speed * direction;
            assert!(found.amax() < f64::from(k) * TOLERANCE, "{law:?} {k}: {found}");
        }
    }
    Ok(())
}

/// Todorov's regularisation lets what rests sink in until h K φ = −R Λ, R = ε Aᵢᵢ: on points of the same gap, impulses
/// are as the mobilities there, 1 / m + ‖r × n‖² / I, and their sum is the weight.
#[test]
fn a_slab_sinks_in_by_the_mobility_of_each_point() -> Result<(), Box<dyn std::error::Error>> {
    let (ratio, time) = (1e-3, 0.02);
    let law = Formulation::Todorov(Todorov::new(ratio, time)?);
    let simulation = Simulation::new(Slab)?.step_size(STEP)?.formulation(law);
    let q = SVector::from([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let mut simulation = simulation.state(q, SVector::zeros())?;
    simulation.run(1.0, |_: &State<Slab>| Vector0::zeros())?;
    let place = |k: usize| (0.2 * (k % 4) as f64 - 0.3, 0.2 * (k / 4) as f64 - 0.3);
    let mobility = |(x, y): (f64, f64)| 1.0 / 3.0 + (x * x + y * y) / 0.1;
    let mobilities: Vec<_> = (0..16).map(|k| mobility(place(k))).collect();
    let sum: f64 = mobilities.iter().map(|a| 1.0 / a).sum();
    let gap = -ratio * 3.0 * G * time * time / (1.0 + ratio) / sum;
    for (k, (found, impulse)) in
        simulation.gaps().iter().zip(&simulation.impulse().normal).enumerate()
    {
        assert!((found / gap - 1.0).abs() < 1e-6, "{k}: {found} {gap}");
        let expected = 3.0 * G * STEP / sum / mobilities[k];
        assert!((impulse / expected - 1.0).abs() < 1e-6, "{k}: {impulse} {expected}");
    }
    Ok(())
}
