//! What forces within the cones can hold at rest stays at rest, under every law.

use jourdain::contact::{Anitescu, AnitescuPotra, Formulation, Normal};
use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::SVector;

/// A capsule of 45 g across between two pads.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(left, mass = 0.2),
    joint(close_left, prismatic(world -> left), axis = [0, 1, 0], actuated),
    link(right, mass = 0.2),
    joint(close_right, prismatic(world -> right), axis = [0, -1, 0], actuated),
    link(pill, mass = 0.045, capsule(radius = 0.004, length = 0.02)),
    joint(fly, floating(world -> pill)),
    shape(left_pad, on = left, box = [0.06, 0.01, 0.06], friction = 0.7),
    shape(right_pad, on = right, box = [0.06, 0.01, 0.06], friction = 0.7),
    shape(pill, on = pill, rpy = [0, core::f64::consts::FRAC_PI_2, 0], capsule = [0.004, 0.02], friction = 0.7),
    pair(pill, left_pad, friction = 0.7), pair(pill, right_pad, friction = 0.7),
)]
struct Grasp;

/// The laws that hold what is at rest without giving way.
fn laws() -> [Formulation; 6] {
    [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Coulomb(Normal::Gap),
        Formulation::Coulomb(Normal::Velocity(AnitescuPotra::default())),
        Formulation::Sticking(Normal::default()),
    ]
}

/// How far the robot is from its start after a second, with a constant input, and its largest speed on the way.
fn moved<M: Model>(robot: M, law: Formulation, q: M::Q, u: M::U) -> Result<[f64; 2], SimulationError>
where
    M::Q: Clone,
    M::U: Clone,
{
    let mut simulation = Simulation::new(robot)?.formulation(law).state(q.clone(), zero::<M>())?;
    let mut fastest = 0.0_f64;
    for _ in 0..1000 {
        simulation.step(&u)?;
        let v = &simulation.current().v;
        fastest = v.as_slice().iter().fold(fastest, |most, v| most.max(v.abs()));
    }
    let end = &simulation.current().q;
    let pairs = end.as_slice().iter().zip(q.as_slice());
    Ok([pairs.fold(0.0, |most: f64, (x, y)| most.max((x - y).abs())), fastest])
}

fn zero<M: Model>() -> M::V {
    M::V::zeros()
}

#[test]
fn a_capsule_is_held_between_pads() -> Result<(), SimulationError> {
    let mut q = Grasp.neutral();
    (q[0], q[1]) = (-0.009, -0.009);
    for law in laws() {
        let [moved, fastest] = moved(Grasp, law, q, SVector::from([12.0, 12.0]))?;
        println!("{law:?}: {moved:e} m, {fastest:e} rad/s");
        assert!(moved < 1e-9, "{law:?}: {moved:e}, {fastest:e}");
    }
    Ok(())
}
