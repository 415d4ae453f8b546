//! Robots in their own coordinates and as a world of bodies: the same motion, to first order in the step.

use jourdain::kernels::Regressor;
use jourdain::maximal::World;
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::numbers::Numbers;

/// A chain of every family that a world has joints for, with offsets everywhere.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [1, -2, -9],
    link(a, mass = 2, com = [0.1, 0.2, -0.3], inertia = [0.2, 0.3, 0.25, 0.01, -0.02, 0.03]),
    joint(swivel, revolute(world -> a), at = [0.1, 0.3, 0.2], rpy = [0.3, 0.2, 0.1], axis = [1, 2, 0.5]),
    link(b, mass = 1, com = [0, 0.1, -0.2], inertia = [0.1, 0.12, 0.09]),
    joint(rail, prismatic(a -> b), at = [0, 0.1, -0.5], rpy = [0.1, 0.5, -0.2], axis = [0, 0.6, 0.8]),
    link(plate, mass = 0.5, com = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02]),
    joint(weld, fixed(b -> plate), at = [0.2, 0, 0.1], rpy = [0, 0.4, 0]),
    link(c, mass = 0.7, com = [0.05, -0.1, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(cross, universal(plate -> c), at = [0.1, 0, 0.1], axes = [[1, 0, 0], [0.3, 1, 0]]),
    link(d, mass = 1.2, com = [0.1, 0, -0.2], inertia = [0.08, 0.07, 0.06]),
    joint(socket, spherical(c -> d), at = [0, 0.2, -0.3], rpy = [0.5, 0, 0]),
)]
struct Chain;

/// A floating base with two legs.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(base, mass = 5, com = [0.02, 0.01, 0.03], inertia = [0.2, 0.3, 0.4]),
    joint(free, floating(world -> base)),
    link(left, mass = 1, com = [0, 0, -0.2], inertia = [0.02, 0.02, 0.01]),
    joint(left_hip, revolute(base -> left), at = [0, 0.2, -0.1], axis = [1, 0, 0], limits = [-3, 3]),
    link(left_foot, mass = 0.5, com = [0, 0, -0.15], inertia = [0.01, 0.01, 0.005]),
    joint(left_knee, revolute(left -> left_foot), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(right, mass = 1, com = [0, 0, -0.2], inertia = [0.02, 0.02, 0.01]),
    joint(right_hip, revolute(base -> right), at = [0, -0.2, -0.1], axis = [1, 0, 0]),
    link(right_foot, mass = 0.5, com = [0, 0, -0.15], inertia = [0.01, 0.01, 0.005]),
    joint(right_knee, revolute(right -> right_foot), at = [0, 0, -0.4], axis = [0, 1, 0]),
)]
struct Biped;

/// Points on massless rods: bodies without moments of inertia.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [0, 0, -9.81],
    link(upper, mass = 1, com = [0, 0, -0.5]),
    joint(shoulder, revolute(world -> upper), at = [0, 0, 1], axis = [0, 1, 0]),
    link(lower, mass = 0.5, com = [0, 0, -0.7]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -0.5], axis = [0, 1, 0]),
)]
struct Points;

/// A plate on four balls and a point, which a hinge carries.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(plate, mass = 2, com = [0.02, 0.01, 0.03], inertia = [0.05, 0.06, 0.09]),
    joint(free, floating(world -> plate)),
    contact(a, on = plate, at = [0.2, 0.2, 0], sphere = 0.05, friction = 0.3),
    contact(b, on = plate, at = [0.2, -0.2, 0], sphere = 0.05, friction = 0.4),
    contact(c, on = plate, at = [-0.2, 0.2, 0], sphere = 0.05, friction = 0.5),
    contact(d, on = plate, at = [-0.2, -0.2, 0], sphere = 0.05, friction = 0.2),
    link(tail, mass = 0.2, com = [-0.2, 0, 0], inertia = [0.001, 0.003, 0.003]),
    joint(hinge, revolute(plate -> tail), at = [-0.3, 0, 0.1], axis = [0, 1, 0]),
    contact(tip, on = tail, at = [-0.4, 0, 0], friction = 0.5),
)]
struct Sledge;

const DURATION: f64 = 0.25;

/// A robot that can be simulated both ways.
pub(crate) trait Both: Regressor + Clone + Send + Sync + 'static {}

impl<M: Regressor + Clone + Send + Sync + 'static> Both for M {}

/// A configuration and a velocity in general position.
pub(crate) fn somewhere<M: Model>(robot: &M, seed: u64) -> (M::Q, M::V) {
    let numbers = &mut Numbers(seed);
    let (mut by, mut v) = (M::V::zeros(), M::V::zeros());
    by.as_mut_slice().iter_mut().for_each(|x| *x = numbers.next());
    v.as_mut_slice().iter_mut().for_each(|x| *x = 2.0 * numbers.next());
    (robot.integrate(&robot.neutral(), &by), v)
}

/// The largest distance of a point of any body after a time, of the two motions with steps of `h`.
pub(crate) fn distance<M: Both>(robot: &M, (q, v): (&M::Q, &M::V), h: f64) -> f64 {
    let mut world = World::of(robot.clone(), q, v).unwrap();
    let start = world.bodies().to_vec();
    let mut simulation = Simulation::new(robot.clone())
        .unwrap()
        .step_size(h)
        .unwrap()
        // By the same rule as the bodies.
        .symplectic(false)
        .state(q.clone(), v.clone())
        .unwrap();
    for _ in 0..(DURATION / h).round() as usize {
        world.step(h).unwrap();
        simulation.step(&M::U::zeros()).unwrap();
    }
    let [before, after] = [q, &simulation.current().q].map(|q| robot.link_poses(q));
    let bodies = M::BODIES.iter().zip(world.bodies()).zip(&start);
    let distances = bodies.map(|((&link, body), start)| {
        let local = before[link].rotation.transpose() * (start.position - before[link].position);
        let apart = after[link].point(&local) - body.position;
        apart.norm() + (after[link].rotation - body.pose().rotation).norm()
    });
    distances.fold(0.0, f64::max)
}

pub(crate) fn agrees<M: Both>(robot: &M, joints: usize) {
    for seed in 0..3 {
        let (q, v) = somewhere(robot, seed);
        let world = World::of(robot.clone(), &q, &v).unwrap();
        assert_eq!(world.joints().len(), joints);
        let energies = [
            world.kinetic_energy() - robot.kinetic_energy(&q, &v),
            world.potential_energy() - robot.potential_energy(&q),
        ];
        assert!(energies.iter().all(|x| x.abs() < 1e-11), "{} {energies:?}", M::NAME);
        let [coarse, fine] = [1e-3, 5e-4].map(|h| distance(robot, (&q, &v), h));
        let ratio = coarse / fine;
        println!("{} {seed}: apart by {coarse:.1e}, {fine:.1e}, ratio {ratio:.3}", M::NAME);
        assert!(coarse < 2e-2 && (1.7..2.4).contains(&ratio), "{}: {coarse:e} {fine:e}", M::NAME);
    }
}

#[test]
fn a_chain_of_all_families_moves_both_ways() {
    agrees(&Chain, 4);
}

#[test]
fn a_floating_base_moves_both_ways() {
    agrees(&Biped, 4);
}

#[test]
fn bodies_without_moments_of_inertia_move_both_ways() {
    agrees(&Points, 2);
}

/// It slides, turns and stops on the ground: Coulomb's law in both. What overlaps is put right by velocities here and by a
/// displacement there, so that feet come down a step earlier or later: both are apart by the order of the step.
#[test]
fn contacts_are_the_same_both_ways() {
    let mut q = Sledge.neutral();
    q[2] = 0.05;
    let v = nalgebra::vector![0.6, 0.2, 0.0, 0.0, 0.0, 1.0, 0.5];
    let [coarse, fine] = [1e-3, 5e-4].map(|h| distance(&Sledge, (&q, &v), h));
    println!("apart by {coarse:.1e}, {fine:.1e}");
    assert!(coarse < 2e-3 && fine < 1e-3);
}
