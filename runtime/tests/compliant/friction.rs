//! Friction against theory: creep, sticking, stick–slip, and turned contacts.

use nalgebra::{Vector1, Vector3, vector};

use super::robots::{Aslant, Block, Carousel, Ring};
use super::*;

fn still(_: &State<Block>) -> Vector1<f64> {
    Vector1::zeros()
}

/// A block that presses on its incline with its weight from the beginning.
fn settled(
    slope: f64,
    friction: impl Into<jourdain::compliant::Friction>,
) -> CompliantSimulation<Block> {
    let block = Block::on(slope);
    let spring = Spring::linear(1e5, 600.0).unwrap();
    let simulation = CompliantSimulation::new(block).unwrap().springs(spring);
    let depth = G * block.cosine / 1e5;
    simulation.friction(friction).unwrap().state(vector![0.0, -depth], vector![0.0, 0.0]).unwrap()
}

/// tan θ = μ w/√(w² + w_r²).
#[test]
fn regularised_friction_creeps_as_theory_says() {
    for (slope, speed) in [(0.2, 1e-3), (0.4, 1e-3), (0.49, 1e-4)] {
        let law = Regularised::new(Stribeck::constant(0.5).unwrap(), speed).unwrap();
        let mut simulation = settled(slope, law);
        simulation.run(1.0, still).unwrap();
        let creep = simulation.current().v[0];
        let expected = speed * slope / f64::sqrt(0.25 - slope * slope);
        assert!((creep / expected - 1.0).abs() < 1e-6, "{slope}: {creep:e} {expected:e}");
    }
}

/// Beyond the limit both laws slide with g (sin θ − μ cos θ).
#[test]
fn what_cannot_stick_slides_by_coulombs_law() {
    let curve = Stribeck::constant(0.5).unwrap();
    let regularised = Regularised::new(curve, 1e-4).unwrap();
    let mut smooth = settled(0.8, regularised);
    let mut bristles = settled(0.8, Bristles::new(curve, 1e5, 100.0).unwrap());
    let expected = G * (Block::on(0.8).sine - 0.5 * Block::on(0.8).cosine);
    for simulation in [&mut smooth, &mut bristles] {
        simulation.run(1.0, still).unwrap();
        let speed = simulation.current().v[0];
        simulation.run(1.0, still).unwrap();
        let gained = simulation.current().v[0] - speed;
        assert!((gained / expected - 1.0).abs() < 1e-7, "{gained} {expected}");
    }
}

/// Below the limit bristles are deflected by tan θ / σ₀, and for hours the block stays where it is.
#[test]
fn bristles_hold_without_creep() {
    let law = Bristles::new(Stribeck::constant(0.5).unwrap(), 1e4, 60.0).unwrap();
    for slope in [0.1, 0.3, 0.45] {
        let mut simulation = settled(slope, law);
        simulation.run(2.0, still).unwrap();
        let (place, speed) = (simulation.current().q[0], simulation.current().v[0]);
        assert!(speed.abs() < 1e-9, "{speed:e}");
        let deflection = simulation.deflections()[0];
        assert!((deflection * 1e4 / slope - 1.0).abs() < 1e-8, "{slope}: {deflection:e}");
        simulation.run(1e4, still).unwrap();
        let moved = simulation.current().q[0] - place;
        // Where bristles yield, beyond half of the limit, rounding and errors of steps move it on, by 1e-13 m/s at most.
        let most = if slope < 0.25 { 1e-12 } else { 1e-9 };
        assert!(moved.abs() < most, "{slope}: {moved:e}");
    }
}

/// How exact steps are, and how long, is no matter of what holds.
#[test]
fn settings_of_steps_keep_what_is_deflected() {
    let law = Bristles::new(Stribeck::constant(0.5).unwrap(), 1e4, 60.0).unwrap();
    let mut simulation = settled(0.2, law);
    simulation.run(2.0, still).unwrap();
    let (place, deflections) = (simulation.current().q[0], simulation.deflections().to_vec());
    simulation = simulation.tolerance(1e-10).unwrap().longest_step(0.1).unwrap();
    assert_eq!(simulation.deflections(), deflections);
    simulation.run(1.0, still).unwrap();
    assert!((simulation.current().q[0] - place).abs() < 1e-12);
}

/// Pulled by less than half of the limit and let go, a block comes back: presliding is elastic, with σ₀ N.
#[test]
fn presliding_has_the_stiffness_of_bristles() {
    let (stiffness, pull) = (1e4, 0.2 * G);
    let mut simulation =
        settled(0.0, Bristles::new(Stribeck::constant(0.5).unwrap(), stiffness, 60.0).unwrap());
    simulation.run(1.0, |_: &State<Block>| vector![pull]).unwrap();
    let moved = simulation.current().q[0];
    assert!((moved * stiffness * G / pull - 1.0).abs() < 1e-7, "{moved:e}");
    simulation.run(1.0, still).unwrap();
    let left = simulation.current().q[0];
    assert!(left.abs() < 1e-7 * moved, "{left:e}");
}

/// A block that slides and comes down on an elastic spring lands and bounces: at every step, with its forces by the
/// normal one.
fn landing() -> (CompliantSimulation<Block>, Vec<f64>) {
    let law = Bristles::new(Stribeck::constant(0.5).unwrap(), 1e4, 60.0).unwrap();
    let simulation = CompliantSimulation::new(Block::on(0.0)).unwrap().friction(law).unwrap();
    let simulation = simulation.springs(Spring::linear(1e5, 0.0).unwrap());
    let mut simulation = simulation.state(vector![0.0, 1e-3], vector![1.0, -0.2]).unwrap();
    let mut recording = Recording::new(f64::INFINITY).unwrap();
    simulation.run_recorded(0.03, still, &mut recording).unwrap();
    let forces = recording.samples().iter().map(|sample| sample.forces[0]);
    let shares = forces.filter(|force| force.z > 1e-3).map(|force| -force.x / force.z);
    (simulation, shares.collect())
}

/// Bristles of what parts are straight when it comes down again.
#[test]
fn what_parts_forgets_its_deflection() {
    let (simulation, _) = landing();
    assert_eq!(simulation.event_count(), 2);
    assert!(simulation.gaps()[0] > 1e-3 && simulation.deflections() == [0.0; 2]);
}

/// A bead on a ring that slides through an elastic ground, with errors that the projection onto the ring mends.
fn gliding(duration: f64) -> CompliantSimulation<Ring> {
    let (speed, z) = (0.1, -0.8001_f64);
    let x = f64::sqrt(1.0 - z * z);
    let simulation = CompliantSimulation::new(Ring).unwrap().tolerance(1e-3).unwrap();
    let simulation = simulation.springs(Spring::linear(1e5, 0.0).unwrap());
    let start = (vector![x, z], vector![speed * z, -speed * x]);
    let mut simulation = simulation.state(start.0, start.1).unwrap();
    simulation.run(duration, idle).unwrap();
    simulation
}

/// Where a run ends at the moment at which a bead parts, it parts by the projection that ends the step: no crossing of its
/// gap, in this step or the next one, says so.
#[test]
fn what_a_projection_parts_forgets_its_deflection() {
    let (mut touches, mut parts) = (1e-4_f64, 0.04_f64);
    assert_eq!([touches, parts].map(|time| gliding(time).event_count()), [0, 1]);
    while touches.next_up() < parts {
        let middle = 0.5 * (touches + parts);
        *(if gliding(middle).event_count() == 0 { &mut touches } else { &mut parts }) = middle;
    }
    let mut bead = gliding(touches);
    assert!(bead.gaps()[0] > 0.0 && bead.deflections()[0] > 1e-6);
    bead.run(1e-4, idle).unwrap();
    assert!(bead.gaps()[0] > 0.0);
    assert_eq!(bead.deflections(), [0.0; 2]);
}

/// While bristles follow a fast contact their damper gives no more than friction, and then nothing.
#[test]
fn the_damper_of_bristles_is_bounded_by_friction() {
    let (_, shares) = landing();
    let most = shares.iter().fold(0.0, |most: f64, share| most.max(*share));
    assert!(shares.len() > 10 && (0.5..1.0).contains(&most), "{most}");
    let last = shares[shares.len() - 1];
    assert!((last - 0.5).abs() < 1e-6, "{last}");
}

/// Vibration below the limit, about a load that bristles bear elastically, moves nothing on.
#[test]
fn vibration_does_not_make_bristles_creep() {
    let mut simulation =
        settled(0.1, Bristles::new(Stribeck::constant(0.5).unwrap(), 1e4, 60.0).unwrap());
    let shaken = |state: &State<Block>| vector![0.1 * G * f64::sin(100.0 * state.time)];
    let mut places = Vec::new();
    for _ in 0..4 {
        // Whole periods.
        simulation.run(20.0 * std::f64::consts::TAU / 100.0, shaken).unwrap();
        places.push(simulation.current().q[0]);
    }
    assert!((places[3] - places[1]).abs() < 1e-11, "{places:?}");
}

/// A block is pulled over the ground by a spring whose end moves steadily: it sticks until μ_s is reached, and slips
/// to where the spring is less stretched.
#[test]
fn a_block_on_a_belt_sticks_and_slips() {
    let curve = Stribeck::new(0.5, 0.3, 0.01).unwrap();
    let (k, belt) = (50.0, 0.02);
    let mut simulation = settled(0.0, Bristles::new(curve, 1e5, 100.0).unwrap());
    let pull = |state: &State<Block>| vector![k * (belt * state.time - state.q[0])];
    let mut recording = Recording::new(1000.0).unwrap();
    simulation.run_recorded(15.0, pull, &mut recording).unwrap();
    let samples = recording.samples();
    let largest = samples.iter().map(|s| s.u[0]).fold(0.0, f64::max);
    // While it breaks away the spring is stretched on a little.
    assert!((largest / (0.5 * G) - 1.0).abs() < 0.02, "{largest}");
    // It sticks most of the time, and slips as often as the spring is stretched from its least to its largest force.
    let sticks = samples.iter().filter(|s| s.state.v[0].abs() < 1e-4).count();
    assert!(sticks as f64 > 0.6 * samples.len() as f64, "{sticks}");
    let is_slipping: Vec<_> = samples.iter().map(|s| s.state.v[0] > 0.1).collect();
    let slips = is_slipping.windows(2).filter(|pair| !pair[0] && pair[1]).count();
    let late = samples.iter().filter(|s| s.state.time > 7.0).map(|s| s.u[0]);
    let least = late.fold(f64::INFINITY, f64::min);
    // The spring swings about μ_d N to as far below as it was above, but for what breaking away dissipates.
    let mirrored = 2.0 * 0.3 * G - largest;
    assert!((mirrored..mirrored + 0.05 * G).contains(&least), "{least} {mirrored}");
    let period = (largest - least) / (k * belt);
    let first = 0.5 * G / (k * belt);
    let expected = 1.0 + (15.0 - first) / (period + std::f64::consts::PI / f64::sqrt(k));
    assert!((slips as f64 - expected).abs() <= 1.0, "{slips} {expected}");
}

/// Where a finger is pulled to on a disc that turns with this speed: bristles stick to both.
fn pulled<M: Model<Q = Vector3<f64>, V = Vector3<f64>, U = Vector0>>(model: M, speed: f64) -> f64 {
    let duration = if speed == 0.0 { 2.0 } else { 10.0 / speed };
    let start = (vector![0.0, 0.0, -1e-4], vector![speed, 0.0, 0.0]);
    let mut simulation = CompliantSimulation::new(model).unwrap().state(start.0, start.1).unwrap();
    simulation.run(duration, idle).unwrap();
    let State { q, v, .. } = simulation.current();
    assert!((q[0] - speed * duration).abs() < 1e-2 && v[1].abs() < 1e-9, "{q} {v}");
    q[1]
}

/// Bristles between two bodies turn with them: what a spring has deflected stays so while both turn.
#[test]
fn bristles_turn_with_what_they_are_between() {
    let (still, turned) = (pulled(Carousel, 0.0), pulled(Carousel, 1.0));
    assert!(still > 1e-5 && (turned / still - 1.0).abs() < 1e-5, "{still:e} {turned:e}");
    let (still, turned) = (pulled(Aslant, 0.0), pulled(Aslant, 0.1));
    assert!(still > 1e-5 && (turned / still - 1.0).abs() < 1e-5, "{still:e} {turned:e}");
}

/// A block that is pressed on the ground, and can be pulled along it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], actuated),
    link(block, mass = 1),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], actuated),
    contact(sole, on = block, friction = 0.5),
)]
struct Pressed;

/// The largest kinetic energy along the ground in the last of three seconds, and how far a block has gone, that is pressed
/// twice as often as it swings on its bristles: as a swing is pumped.
fn pumped(damping: f64) -> [f64; 2] {
    let (stiffness, spring) = (1e4, Spring::linear(1e7, 3e3).unwrap());
    let law = Bristles::new(Stribeck::constant(0.5).unwrap(), stiffness, damping).unwrap();
    let simulation = CompliantSimulation::new(Pressed).unwrap().springs(spring);
    let start = (vector![0.0, -G / 1e7], vector![1e-3, 0.0]);
    let simulation = simulation.friction(law).unwrap().tolerance(1e-8).unwrap();
    let mut simulation = simulation.state(start.0, start.1).unwrap();
    let rate = 2.0 * f64::sqrt(stiffness * G);
    let press = |state: &State<Pressed>| vector![0.0, -0.6 * G * f64::sin(rate * state.time)];
    simulation.run(2.0, press).unwrap();
    let mut kinetic = 0.0_f64;
    for _ in 0..500 {
        simulation.run(2e-3, press).unwrap();
        kinetic = kinetic.max(0.5 * simulation.current().v[0].powi(2));
        let deflection = simulation.deflections()[0];
        assert!(deflection.abs() <= law.longest() * (1.0 + 1e-6), "{deflection}");
    }
    [kinetic, simulation.current().q[0]]
}

/// The stiffness of bristles grows with the load, which may pump what swings on them: up to what they store at their
/// limit, ½ μ N times their longest deflection, where they have no damper. With the damper that is advised for weight it
/// does not.
#[test]
fn a_load_that_swings_pumps_no_more_than_bristles_store() {
    let longest = 0.5 / 1e4;
    let [kinetic, moved] = pumped(0.0);
    assert!(kinetic <= 0.5 * 0.5 * 1.6 * G * longest, "{kinetic:e}");
    assert!(moved.abs() < 10.0 * longest, "{moved:e}");
    let [kinetic, moved] = pumped(2.0 * f64::sqrt(1e4 / G));
    assert!(kinetic < 1e-12 && moved.abs() < longest, "{kinetic:e}, {moved:e}");
}

/// However stiff bristles are, the stiff method follows them: what sticks is deflected by tan θ / σ₀ and does not move.
#[test]
fn the_stiffest_bristles_hold_still() {
    for stiffness in [1e6, 1e9, 1e12] {
        let damping = 2.0 * f64::sqrt(stiffness / G);
        let law = Bristles::new(Stribeck::constant(0.5).unwrap(), stiffness, damping).unwrap();
        let mut simulation = settled(0.2, law);
        simulation.run(1.0, still).unwrap();
        let (speed, deflection) = (simulation.current().v[0], simulation.deflections()[0]);
        assert!(speed.abs() < 1e-8, "{stiffness:e}: {speed:e}");
        assert!((deflection * stiffness / 0.2 - 1.0).abs() < 1e-3, "{stiffness:e}: {deflection:e}");
    }
}
