//! Declared constraints and limits, and contacts whose normals turn, both ways.

use jourdain::constrained::{Assembly, Constrained};
use jourdain::maximal::World;
use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::vector;

use crate::robots::{Both, distance, somewhere};

/// The distance of both motions becomes less as the step does.
fn converges<M: Both>(robot: &M, q: &M::Q, v: &M::V) {
    let [coarse, fine] = [1e-3, 5e-4].map(|h| distance(robot, (q, v), h));
    let ratio = coarse / fine;
    println!("{}: apart by {coarse:.1e}, {fine:.1e}, ratio {ratio:.3}", M::NAME);
    assert!(coarse < 2e-2 && (1.7..2.4).contains(&ratio), "{}: {coarse:e} {fine:e}", M::NAME);
}

/// From where a robot's constraints hold, near `guess`; they hold in the world as well.
fn holds<M: Both>(robot: &M, guess: &M::Q, seed: u64) {
    let (_, velocity) = somewhere(robot, seed);
    let mut held = Constrained::new(robot.clone());
    let q = held.assemble(guess, Assembly::Mass, 0.0).unwrap().value;
    let v = held.assemble_velocity(&q, &velocity, Assembly::Mass, 0.0).unwrap().value;
    assert!(v.as_slice().iter().any(|v| v.abs() > 0.1), "nothing moves");
    let mut world = World::of(robot.clone(), &q, &v).unwrap();
    for _ in 0..100 {
        let report = world.step(1e-3).unwrap();
        assert!(report.error < 1e-6, "{}: {report:?}", M::NAME);
    }
    converges(robot, &q, &v);
}

/// Four bars, whose closure has a redundant row, and a ball on a rod and in a plane.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(crank, mass = 1, com = [0.15, 0, 0], inertia = [0.001, 0.01, 0.01]),
    joint(a, revolute(world -> crank), axis = [0, 1, 0]),
    link(coupler, mass = 2, com = [0.4, 0, 0], inertia = [0.01, 0.1, 0.1]),
    joint(b, revolute(crank -> coupler), at = [0.3, 0, 0], axis = [0, 1, 0]),
    link(rocker, mass = 1, com = [0, 0, -0.3], inertia = [0.03, 0.03, 0.001]),
    joint(c, revolute(world -> rocker), at = [1, 0, 0], axis = [0, 1, 0]),
    closure(pin, a = coupler @ [0.8, 0, 0], b = rocker @ [0, 0, -0.5], axes = [x, y, z]),
    link(bob, mass = 0.5, inertia = [0.01, 0.01, 0.01]),
    joint(free, floating(world -> bob)),
    rod(cord, a = coupler @ [0.4, 0, 0], b = bob @ [0, 0.1, 0.1], length = 0.6),
    point_on_plane(sheet, a = world, b = bob, normal = [0, 1, 0]),
)]
struct Linkage;

#[test]
fn loops_and_rods_hold_both_ways() {
    let mut guess = Linkage.neutral();
    guess.as_mut_slice()[..3].copy_from_slice(&[-0.8, 0.6, 0.4]);
    guess[5] = -1.0;
    (0..2).for_each(|seed| holds(&Linkage, &guess, seed));
}

/// A disc that rolls, whose rows of velocities are not those of positions, and a driven arm.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(disc, mass = 2, inertia = [0.02, 0.04, 0.02]),
    joint(free, floating(world -> disc)),
    rolling(tread, on = disc, radius = 0.2, axis = [0, 1, 0]),
    link(arm, mass = 1, com = [0, 0, -0.2], inertia = [0.02, 0.02, 0.01]),
    joint(pivot, revolute(disc -> arm), axis = [0, 1, 0]),
    link(hand, mass = 0.2, com = [0, 0, -0.1], inertia = [0.001, 0.001, 0.001]),
    joint(wrist, revolute(arm -> hand), at = [0, 0, -0.15], axis = [1, 0, 0]),
    constraint(swing, h = wrist - 0.3 * sin(4 * t)),
)]
struct Wheel;

#[test]
fn wheels_and_drives_roll_both_ways() {
    let mut guess = Wheel.neutral();
    guess[2] = 0.2;
    (0..2).for_each(|seed| holds(&Wheel, &guess, seed));
}

/// Two hinges whose angles stay within a circle.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(a, mass = 1, com = [0, 0, -0.5], inertia = [0.1, 0.1, 0.1]),
    joint(first, revolute(world -> a), axis = [1, 0, 0]),
    link(b, mass = 1, com = [0, 0.1, -0.5], inertia = [0.1, 0.1, 0.1]),
    joint(second, revolute(a -> b), at = [0, 0, -1], axis = [0, 1, 0]),
    limit(circle, c = 0.25 - first * first - second * second),
)]
struct Bounded;

#[test]
fn limits_of_several_joints_stop_both_ways() {
    let (q, v) = (vector![0.1, 0.2], vector![2.0, 1.5]);
    let mut world = World::of(Bounded, &q, &v).unwrap();
    let depth = (0..500).map(|_| world.step(1e-3).unwrap().error).fold(0.0, f64::max);
    assert!(depth < 1e-5, "{depth:e}");
    let angles = [0, 1].map(|joint| world.coordinate(joint).unwrap());
    assert!(angles[0].hypot(angles[1]) < 0.5 + 1e-5, "{angles:?}");
    converges(&Bounded, &q, &v);
}

/// A ball that rolls in a bowl, and another that it hits.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(ball, mass = 1, inertia = [0.004, 0.004, 0.004]),
    joint(free, floating(world -> ball)),
    contact(bowl, on = ball, sphere = 0.1, friction = 0.4, height = 0.5 * (x * x + y * y)),
)]
struct Bowl;

#[test]
fn contacts_with_curved_ground_are_the_same_both_ways() {
    let mut q = Bowl.neutral();
    (q[0], q[2]) = (0.3, 0.155);
    let gap = Bowl.gap(&q)[0];
    q[2] -= gap;
    let v = vector![0.2, 0.5, 0.0, 0.0, 0.0, 1.0];
    let [coarse, fine] = [1e-3, 5e-4].map(|h| distance(&Bowl, (&q, &v), h));
    println!("apart by {coarse:.1e}, {fine:.1e}");
    assert!(coarse < 2e-3 && fine < 0.7 * coarse, "{coarse:e} {fine:e}");
}
