//! A mass that a spring drags over the ground, as a belt would: it sticks and slips.

use jourdain::impact::Law;
use jourdain::prelude::*;
use jourdain::space::Storage;
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

/// The same along an axis between those of the world, so that both tangents of the foot move.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(carriage, mass = 1),
    joint(drive, prismatic(world -> carriage), axis = [0.8660254037844386, 0.5, 0], passive),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [0.8660254037844386, 0.5, 0], passive),
    link(block, mass = m),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    drive(motor, joint = drive, rate = 0.3),
    spring(rope, a = carriage @ [0, 0, 0], b = block @ [0, 0, 0], stiffness = k, rest = 0),
    contact(foot, on = block, friction = mu),
)]
struct Turned {
    m: f64,
    k: f64,
    mu: f64,
}

/// The same beside a pendulum on two bars where one is enough.
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
    link(arm, mass = 1),
    joint(sideways, prismatic(world -> arm), axis = [1, 0, 0], passive),
    link(bob, mass = 1),
    joint(down, prismatic(arm -> bob), axis = [0, 0, 1], passive),
    rod(bar, a = world @ [0, 0, 2], b = bob @ [0, 0, 0], length = 1),
    rod(other, a = world @ [0, 0, 2], b = bob @ [0, 0, 0], length = 1),
)]
struct Beside {
    m: f64,
    k: f64,
    mu: f64,
}

const M: f64 = 2.0;
const K: f64 = 40.0;
const MU: f64 = 0.25;
const V0: f64 = 0.3;
/// By which the rope is longer at first than where the block slips, and how fast the block slides.
const E0: f64 = 0.05;
const SPEED: f64 = 1.1;

/// The extension at which the block slips.
fn slipping() -> f64 {
    MU * M * 9.81 / K
}

/// With the extension e beyond that at which the block slips, e″ = −ω² e while it slips forward, and e′ = v₀ while it
/// sticks.
fn assert_sticks_and_slips<R: Model>(block: &HybridSimulation<R>) {
    let omega = (K / M).sqrt();
    // e′ = v₀ again: e₀ sin ωt − (e₀′/ω) cos ωt = −v₀/ω.
    let rate = V0 - SPEED;
    let amplitude = E0.hypot(rate / omega);
    // e = A cos(ωt + φ) with A cos φ = e₀ and −A ω sin φ = e₀′; e′ = v₀ where sin(ωt + φ) = −v₀/(A ω).
    let phase = (-rate / (amplitude * omega)).atan2(E0 / amplitude);
    let stop = (std::f64::consts::PI + (V0 / (amplitude * omega)).asin() - phase) / omega;
    let extension = amplitude * (omega * stop + phase).cos();
    let slip = stop - extension / V0;
    let events = block.events();
    assert_eq!(events.len(), 2, "{:?}", block.modes());
    assert!((events[0].time() - stop).abs() < 1e-9, "{} {stop}", events[0].time());
    assert!((events[1].time() - slip).abs() < 1e-9, "{} {slip}", events[1].time());
    let names: Vec<_> = block.modes().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["foot slide", "foot stick", "foot slide"]);
    let expected = V0 * (1.0 - (omega * (1.9 - slip)).cos());
    let v = block.current().v.as_slice();
    assert!((v[1] - expected).abs() < 1e-8 && (v[0] - V0).abs() < 1e-12, "{v:?} {expected}");
}

#[test]
fn sticks_and_slips_when_closed_forms_say_so() {
    let q = vector![1.0 + slipping() + E0, 1.0, 0.0];
    let mut block = HybridSimulation::new(Dragged { m: M, k: K, mu: MU }).unwrap();
    block = block.state(q, vector![V0, SPEED, 0.0]).unwrap();
    block.run(1.9, nothing).unwrap();
    assert_sticks_and_slips(&block);

    let mut block = HybridSimulation::new(Turned { m: M, k: K, mu: MU }).unwrap();
    block = block.state(q, vector![V0, SPEED, 0.0]).unwrap();
    block.run(1.9, nothing).unwrap();
    assert_sticks_and_slips(&block);
    // What slipped at its cone's edge had no force across the line on which it moves.
    let stuck = block.events()[0].phase_after.clone();
    assert!(!block.events()[0].mode_after.is_redundant(), "{stuck:?}");
}

#[test]
fn sticks_and_slips_whatever_is_redundant_elsewhere() {
    let q = vector![1.0 + slipping() + E0, 1.0, 0.0, 0.6, 1.2];
    let mut block = HybridSimulation::new(Beside { m: M, k: K, mu: MU }).unwrap();
    block = block.state(q, vector![V0, SPEED, 0.0, 0.0, 0.0]).unwrap();
    block.run(1.9, nothing).unwrap();
    assert_sticks_and_slips(&block);
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
