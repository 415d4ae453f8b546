//! A box that is thrown, tumbles and comes to rest on its corners, under every law.

use jourdain::contact::{self, Anitescu, AnitescuPotra, Normal, Todorov};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector4, vector};

use super::Vector0;
use crate::numbers::Numbers;

#[derive(Robot, Clone, Debug)]
#[robot(
    link(body, mass = 2.0, box(size = [0.2, 0.2, 0.1])),
    joint(base, floating(world -> body)),
    contact(sole, on = body, box = [0.2, 0.2, 0.1], friction = 0.5, restitution = e),
)]
struct Thrown {
    e: f64,
}

/// Where it is thrown from, 40 cm up, and how.
fn throw(seed: u64) -> (SVector<f64, 7>, SVector<f64, 6>) {
    let mut numbers = Numbers(seed + 1);
    let mut number = || numbers.next();
    let turn = Vector4::from_fn(|_, _| number()).normalize();
    let [u, w] = [2.0, 5.0];
    let v = vector![u * number(), u * number(), 0.0, 0.0, 0.0, 0.0];
    let v = v + vector![0.0, 0.0, 0.0, w * number(), w * number(), w * number()];
    (vector![0.0, 0.0, 0.4, turn[0], turn[1], turn[2], turn[3]], v)
}

/// The largest gain of energy in a step, J, where every step of two seconds is solved.
fn gain(simulation: Simulation<Thrown>, seed: u64) -> Result<f64, SimulationError> {
    let (q, v) = throw(seed);
    let mut simulation = simulation.state(q, v)?;
    let energy = |simulation: &Simulation<Thrown>| {
        let (model, state) = (simulation.model(), simulation.current());
        model.kinetic_energy(&state.q, &state.v) + model.potential_energy(&state.q)
    };
    let (mut last, mut most) = (energy(&simulation), 0.0_f64);
    for _ in 0..(2.0 / simulation.time_step()) as usize {
        simulation.step(&Vector0::zeros())?;
        let next = energy(&simulation);
        (most, last) = (most.max(next - last), next);
    }
    Ok(most)
}

/// Throws for each law: unoptimised they take long.
const THROWS: u64 = if cfg!(debug_assertions) { 2 } else { 40 };

#[test]
fn every_step_is_solved_and_gives_no_energy() -> Result<(), SimulationError> {
    let held = |error| SimulationError::Contact { time: 0.0, error };
    let slow = AnitescuPotra::new(0.2, 1e-3).map_err(held)?;
    let laws = [
        (Formulation::Coulomb(Normal::Gap), Restitution::Newton),
        (Formulation::Coulomb(Normal::Gap), Restitution::Poisson),
        (Formulation::Coulomb(Normal::Velocity(slow)), Restitution::Newton),
        (Formulation::StewartTrinkle, Restitution::Newton),
        (Formulation::AnitescuPotra(slow), Restitution::Newton),
        (Formulation::Anitescu(Anitescu::default()), Restitution::Newton),
        (Formulation::Todorov(Todorov::default()), Restitution::Newton),
        (Formulation::Frictionless(Normal::Gap), Restitution::Poisson),
        (Formulation::Sticking(Normal::Gap), Restitution::Newton),
    ];
    for (law, restitution) in laws {
        for (e, seed) in [0.0, 0.3, 0.6].into_iter().flat_map(|e| (0..THROWS).map(move |s| (e, s)))
        {
            let simulation = Simulation::new(Thrown { e })?.formulation(law);
            let gain = gain(simulation.restitution(restitution), seed)?;
            // A soft law gives back what it was pressed with.
            let bound = if matches!(law, Formulation::Todorov(_)) { 0.6 } else { 0.02 };
            assert!(gain < bound, "{law:?} {restitution:?} e {e}, throw {seed}: {gain} J");
        }
    }
    Ok(())
}

/// What is held and lands with an edge may slide in the limit, and then rests.
#[test]
fn what_sticks_lands() -> Result<(), SimulationError> {
    for tilt in [0.0_f64, 0.1, 0.5] {
        let law = Formulation::Sticking(Normal::Gap);
        let q = vector![0.0, 0.0, 0.3, 0.0, (0.5 * tilt).sin(), 0.0, (0.5 * tilt).cos()];
        let v = vector![0.5, 0.0, 0.0, 0.0, 0.0, 0.0];
        let mut simulation = Simulation::new(Thrown { e: 0.0 })?.formulation(law).state(q, v)?;
        simulation.run(2.0, |_: &State<Thrown>| Vector0::zeros())?;
        let speed = simulation.current().v.norm();
        assert!(speed < 1e-6, "{tilt}: {speed}");
    }
    Ok(())
}

/// A time constant that is too short would throw out what rests, ever faster.
#[test]
fn time_constants_are_long_enough() -> Result<(), SimulationError> {
    let least = 0.01 / (2.0 * (f64::sqrt(1.0 + 1.0 / 1.001) - 1.0));
    for (share, holds) in [(0.999, false), (1.001, true)] {
        let law = Todorov::new(1e-3, share * least).map_err(SimulationError::Setup)?;
        let mut simulation = Simulation::new(Thrown { e: 0.0 })?
            .formulation(Formulation::Todorov(law))
            .step_size(0.01)?
            .state(vector![0.0, 0.0, 0.05, 0.0, 0.0, 0.0, 1.0], SVector::zeros())?;
        match simulation.run(20.0, |_: &State<Thrown>| Vector0::zeros()) {
            Ok(_) => {
                let height = simulation.current().q[2];
                assert!(holds && (height - 0.05).abs() < 1e-3, "{height}");
            }
            Err(SimulationError::Setup(contact::Error::TimeConstant { .. })) => assert!(!holds),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
