//! Ends of joints, declared limits, dry friction, and constraints that hold beside springs.

use nalgebra::vector;

use super::robots::{Reach, Ring, Stopped};
use super::*;

/// A pendulum that falls over rests on its stop, where k δ = m g l sin q.
#[test]
fn a_stop_gives_way() {
    let stop = Spring::linear(500.0, 30.0).unwrap();
    let simulation = CompliantSimulation::new(Stopped { dry: 0.0 }).unwrap().stops(stop);
    for side in [1.0, -1.0] {
        let start = (vector![0.1 * side], vector![0.0]);
        let mut simulation = simulation.clone().state(start.0, start.1).unwrap();
        let mut recording = Recording::new(10.0).unwrap();
        simulation.run_recorded(10.0, idle, &mut recording).unwrap();
        let q = side * simulation.current().q[0];
        assert!((500.0 * (q - 0.5) / (G * f64::sin(q)) - 1.0).abs() < 1e-7, "{q}");
        let force = side * recording.samples().last().unwrap().limits[0];
        assert!((force / (-G * f64::sin(q)) - 1.0).abs() < 1e-6, "{force}");
    }
}

/// Dry friction holds up to its bound, but for a creep at the speed of its regularisation.
#[test]
fn dry_friction_is_regularised() {
    let (dry, speed) = (8.0, 1e-4);
    let simulation = CompliantSimulation::new(Stopped { dry }).unwrap();
    let simulation = simulation.dry_friction_speed(speed).unwrap();
    let mut simulation = simulation.state(vector![0.4], vector![0.0]).unwrap();
    simulation.run(1.0, idle).unwrap();
    let State { q, v, .. } = simulation.current();
    let load = G * f64::sin(q[0]);
    let creep = speed * load / f64::sqrt(dry * dry - load * load);
    assert!((v[0] / creep - 1.0).abs() < 1e-4, "{v} {creep:e}");
}

/// C = 1 + 2 z with k: a bead of two kilograms rests where 2 k δ is its weight.
#[test]
fn a_declared_limit_gives_way() {
    let stop = Spring::linear(1e4, 500.0).unwrap();
    let simulation = CompliantSimulation::new(Reach).unwrap().stops(stop);
    let mut simulation = simulation.state(vector![0.0], vector![0.0]).unwrap();
    let mut recording = Recording::new(10.0).unwrap();
    simulation.run_recorded(3.0, idle, &mut recording).unwrap();
    let depth = -(1.0 + 2.0 * simulation.current().q[0]);
    assert!((depth / (G / 1e4) - 1.0).abs() < 1e-7, "{depth}");
    let force = recording.samples().last().unwrap().declared_limits[0];
    assert!((force / G - 1.0).abs() < 1e-6, "{force}");
}

/// A bead slides down its ring to the ground, with h = 0 to rounding and the rod's force in the record.
#[test]
fn constraints_hold_beside_springs() {
    let start = (vector![0.6_f64, 0.8], vector![0.0, 0.0]);
    let mut simulation = CompliantSimulation::new(Ring).unwrap().state(start.0, start.1).unwrap();
    let mut recording = Recording::new(100.0).unwrap();
    simulation.run_recorded(10.0, idle, &mut recording).unwrap();
    for sample in recording.samples() {
        let State { q, v, .. } = &sample.state;
        // Samples are dense output, whose error is that of the tolerance.
        assert!((q.norm() - 1.0).abs() < 1e-8 && q.dot(v).abs() < 1e-7, "{q} {v}");
    }
    let State { q, v, .. } = simulation.current();
    assert!((q.norm() - 1.0).abs() < 1e-13 && v.amax() < 1e-9, "{q} {v}");
    let last = recording.samples().last().unwrap();
    // At rest: weight on the ground's normal force, friction, and the rod.
    let sum = vector![last.forces[0].x, last.forces[0].z] + q * last.multipliers[0];
    assert!((sum - vector![0.0, 2.0 * G]).amax() < 1e-6, "{sum}");
}
