//! Solids that roll, tip and rest.

use jourdain::hybrid::contact::Touch;
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use super::nothing;

const G: f64 = 9.81;

/// A solid ball of the radius 0.1 m.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, sphere(radius = 0.1), mass = 1),
    joint(base, floating(world -> ball)),
    contact(ground, on = ball, sphere = 0.1, friction = mu),
)]
struct Ball {
    mu: f64,
}

#[test]
fn a_ball_slips_and_then_rolls() {
    let (mu, v0): (f64, f64) = (0.3, 2.0);
    let mut ball = HybridSimulation::new(Ball { mu }).unwrap();
    let q = vector![0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0];
    ball = ball.state(q, vector![v0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    ball.run(1.5, nothing).unwrap();
    let roll = 2.0 * v0 / (7.0 * mu * G);
    assert_eq!(ball.events().len(), 1, "{:?}", ball.modes());
    assert!((ball.events()[0].time() - roll).abs() < 1e-9);
    assert_eq!(ball.mode_name(), "ground stick");
    let way = v0 * roll - 0.5 * mu * G * roll * roll + 5.0 / 7.0 * v0 * (1.5 - roll);
    assert!((ball.current().q[0] - way).abs() < 1e-8);
}

/// A box on its corners.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, box(size = [0.4, 0.2, 0.1]), mass = 2),
    joint(base, floating(world -> body)),
    contact(corner, on = body, box = [0.4, 0.2, 0.1], friction = mu),
)]
struct Brick {
    mu: f64,
}

fn lying(height: f64) -> SVector<f64, 7> {
    vector![0.0, 0.0, height, 0.0, 0.0, 0.0, 1.0]
}

#[test]
fn a_box_rests_on_four_corners_in_one_mode() {
    let mut brick = HybridSimulation::new(Brick { mu: 0.5 }).unwrap();
    brick = brick.state(lying(0.05), SVector::zeros()).unwrap();
    let mut recording = Recording::new(10.0).unwrap();
    brick.run_recorded(3.0, nothing, &mut recording).unwrap();
    assert!(brick.events().is_empty(), "{:?}", brick.modes());
    assert!(brick.mode().unwrap().is_redundant());
    let closed = brick.mode().unwrap().contacts().iter().filter(|touch| **touch == Touch::Stick);
    assert_eq!(closed.count(), 4);
    assert!((brick.current().q - lying(0.05)).norm() < 1e-12);
    assert_eq!(recording.samples().len(), 31);
    for sample in recording.samples() {
        let weight: f64 = sample.forces.iter().map(|force| force.z).sum();
        assert!((weight - 2.0 * G).abs() < 1e-9);
        assert!(
            sample.forces.iter().all(|force| (force.z - 0.5 * G).abs() < 1e-9 || force.z == 0.0)
        );
    }
}

#[test]
fn a_box_dropped_flat_stays() {
    let mut brick = HybridSimulation::new(Brick { mu: 0.5 }).unwrap();
    brick = brick.state(lying(0.3), SVector::zeros()).unwrap();
    brick.run(1.0, nothing).unwrap();
    assert_eq!(brick.events().len(), 1, "{:?}", brick.modes());
    assert!((brick.events()[0].time() - (2.0_f64 * 0.25 / G).sqrt()).abs() < 1e-11);
    assert!((brick.current().q - lying(0.05)).norm() < 1e-9);
}

/// It slides, stops, and slides no more; its front corners bear more.
#[test]
fn a_box_that_slides_stops() {
    let (mu, v0) = (0.3, 1.0);
    let mut brick = HybridSimulation::new(Brick { mu }).unwrap();
    brick = brick.state(lying(0.05), vector![v0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    brick.run(1.0, nothing).unwrap();
    assert!((brick.events()[0].time() - v0 / (mu * G)).abs() < 1e-9, "{:?}", brick.modes());
    assert!((brick.current().q[0] - v0 * v0 / (2.0 * mu * G)).abs() < 1e-8);
    assert!(brick.current().v.norm() < 1e-9);
}

/// A box that stands on an edge, a little beside its balance, falls onto its side, tips over the other edge or stays.
#[test]
fn a_box_falls_from_a_corner_onto_its_side() {
    let tilt: f64 = 0.4;
    let (s, c) = (0.5 * tilt).sin_cos();
    // About y, so that the edge at +x is lower by sin: z of the lowest corners is zero.
    let height = 0.2 * tilt.sin() + 0.05 * tilt.cos();
    let q = vector![0.0, 0.0, height, 0.0, s, 0.0, c];
    let mut brick = HybridSimulation::new(Brick { mu: 1.0 }).unwrap().stiff();
    brick = brick.state(q, SVector::zeros()).unwrap();
    let start = brick.energy();
    brick.run(3.0, nothing).unwrap();
    let modes = brick.modes();
    assert!((brick.current().q[2] - 0.05).abs() < 1e-8, "{modes:?}");
    assert!(brick.current().v.norm() < 1e-8, "{modes:?}");
    assert!(brick.energy() < start);
}

/// A brick that bounces.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, box(size = [0.4, 0.2, 0.1]), mass = 2),
    joint(base, floating(world -> body)),
    contact(corner, on = body, box = [0.4, 0.2, 0.1], friction = 0.4, restitution = 0.3),
)]
struct Thrown;

#[test]
fn bricks_thrown_at_random_come_to_rest() {
    let mut random = fastrand::Rng::with_seed(3);
    for k in 0..12 {
        let mut number = || 2.0 * random.f64() - 1.0;
        let turn = nalgebra::UnitQuaternion::from_euler_angles(number(), number(), number());
        let mut q = lying(0.5);
        q.fixed_rows_mut::<4>(3).copy_from(&turn.coords);
        let v = SVector::<f64, 6>::from_fn(|i, _| if i < 3 { number() } else { 3.0 * number() });
        let mut brick = HybridSimulation::new(Thrown).unwrap().stiff();
        brick = brick.tolerance(1e-8).unwrap().state(q, v).unwrap();
        let start = brick.energy();
        brick.run(4.0, nothing).unwrap();
        let (height, speed) = (brick.current().q[2], brick.current().v.norm());
        let lies = [0.05, 0.1, 0.2].iter().any(|half: &f64| (height - half).abs() < 1e-6);
        assert!(lies && speed < 1e-6, "{k}: {height}, {speed:e}, {}", brick.mode_name());
        assert!(brick.energy() < start, "{k}");
    }
}
