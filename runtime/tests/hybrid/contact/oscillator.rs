//! A mass that a spring drags over the ground, as a belt would: it sticks and slips.

use jourdain::impact::Law;
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use super::nothing;

/// The carriage moves at a constant speed, which is declared, and drags the block behind it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(carriage, mass = 1),
    joint(drive, prismatic(world -> carriage), axis = [1, 0, 0], passive),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(block, mass = m),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    drive(motor, joint = drive, rate = 0.3),
    spring(rope, a = carriage @ [0, 0, 0], b = block @ [0, 0, 0], stiffness = k, rest = 0),
    contact(foot, on = block, friction = mu),
)]
struct Dragged {
    m: f64,
    k: f64,
    mu: f64,
}

/// With the extension e beyond that at which the block slips, e″ = −ω² e while it slips forward, and e′ = v₀ while it
/// sticks.
#[test]
fn sticks_and_slips_when_closed_forms_say_so() {
    let (m, k, mu, v0, g): (f64, f64, f64, f64, f64) = (2.0, 40.0, 0.25, 0.3, 9.81);
    let (omega, slipping) = ((k / m).sqrt(), mu * m * g / k);
    let (e0, speed) = (0.05, 1.1);
    let q = vector![1.0 + slipping + e0, 1.0, 0.0];
    let mut block = HybridSimulation::new(Dragged { m, k, mu }).unwrap();
    block = block.state(q, vector![v0, speed, 0.0]).unwrap();
    block.run(1.9, nothing).unwrap();
    // e′ = v₀ again: e₀ sin ωt − (e₀′/ω) cos ωt = −v₀/ω.
    let rate = v0 - speed;
    let amplitude = e0.hypot(rate / omega);
    // e = A cos(ωt + φ) with A cos φ = e₀ and −A ω sin φ = e₀′; e′ = v₀ where sin(ωt + φ) = −v₀/(A ω).
    let phase = (-rate / (amplitude * omega)).atan2(e0 / amplitude);
    let stop = (std::f64::consts::PI + (v0 / (amplitude * omega)).asin() - phase) / omega;
    let extension = amplitude * (omega * stop + phase).cos();
    let slip = stop - extension / v0;
    let events = block.events();
    assert_eq!(events.len(), 2, "{:?}", block.modes());
    assert!((events[0].time() - stop).abs() < 1e-9, "{} {stop}", events[0].time());
    assert!((events[1].time() - slip).abs() < 1e-9, "{} {slip}", events[1].time());
    let names: Vec<_> = block.modes().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["foot slide", "foot stick", "foot slide"]);
    let expected = v0 * (1.0 - (omega * (1.9 - slip)).cos());
    assert!((block.current().v[1] - expected).abs() < 1e-8);
    assert!((block.current().v[0] - v0).abs() < 1e-12);
}

/// A pendulum that hits the end of its joint.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0], limits = [-1, 0.5], passive),
)]
struct Arm;

#[test]
fn ends_of_joints_are_hit_with_restitution() {
    let mut arm = HybridSimulation::new(Arm).unwrap();
    arm = arm.impact_law(Law { limit_restitution: 0.5, ..Law::default() }).unwrap();
    arm = arm.state(vector![0.0], vector![2.0]).unwrap();
    arm.run(2.0, nothing).unwrap();
    let times: Vec<f64> = arm.events().iter().map(|event| event.time()).collect();
    assert_eq!(times.len(), 2);
    assert!((times[0] - 0.25).abs() < 1e-12 && (times[1] - 1.75).abs() < 1e-12);
    assert!((arm.current().v[0] - 0.5).abs() < 1e-12);

    let mut arm = HybridSimulation::new(Arm).unwrap();
    arm = arm.state(vector![0.0], vector![2.0]).unwrap();
    arm.run(2.0, |_: &State<Arm>| SVector::<f64, 0>::zeros()).unwrap();
    assert_eq!(arm.mode_name(), "pivot upper held");
    assert!((arm.current().q[0] - 0.5).abs() < 1e-12 && arm.current().v[0].abs() < 1e-12);
}
