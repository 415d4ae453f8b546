//! A block that rocks on its edges until it stands.

use jourdain::hybrid::Cause;
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use super::nothing;

const G: f64 = 9.81;
/// Half of its width and of its height.
pub(super) const B: f64 = 0.1;
pub(super) const H: f64 = 0.4;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(block, box(size = [0.2, 0.2, 0.8]), mass = 5),
    joint(angle, revolute(lift -> block), axis = [0, 1, 0], passive),
    contact(left, on = block, at = [-0.1, 0, -0.4], friction = 2),
    contact(right, on = block, at = [0.1, 0, -0.4], friction = 2),
)]
pub(super) struct Block;

/// On its right edge, at the angle a.
fn tilted(a: f64) -> SVector<f64, 3> {
    vector![0.0, B * a.sin() + H * a.cos(), a]
}

/// Housner's block: each impact leaves 1 − ³⁄₂ sin² α of the angular velocity, tan α = b / h, and the time between impacts
/// is that of an inverted pendulum.
#[test]
fn rocks_as_housner_says_and_stands() {
    let mut block = HybridSimulation::new(Block).unwrap().tolerance(1e-11).unwrap();
    let a0 = 0.1;
    block = block.state(tilted(a0), SVector::zeros()).unwrap();
    block.run(20.0, nothing).unwrap();
    let sin_squared = B * B / (B * B + H * H);
    let ratio = 1.0 - 1.5 * sin_squared;
    let impacts: Vec<_> =
        block.events().iter().filter(|event| matches!(event.cause, Cause::Guards(_))).collect();
    let events: Vec<_> = block.modes();
    for impact in &impacts[..6] {
        let (before, after) = (impact.phase_before.v[2], impact.phase_after.v[2]);
        assert!((after / before - ratio).abs() < 1e-9, "{} {ratio} {events:?}", after / before);
    }
    let length = (B * B + H * H).sqrt();
    let alpha = B.atan2(H);
    // ½ I ω² = m g R (cos(α − θ₀) − cos α) with I = 4/3 m R².
    let speed = (1.5 * G / length * ((alpha - a0).cos() - alpha.cos())).sqrt();
    assert!((impacts[0].phase_before.v[2].abs() - speed).abs() < 1e-9);
    assert_eq!(block.mode_name(), "left stick, right stick");
    assert!(matches!(block.events().last().unwrap().cause, Cause::Accumulation(_)));
    assert!(block.current().v.norm() < 1e-9 && block.current().q[2].abs() < 1e-8);
}
