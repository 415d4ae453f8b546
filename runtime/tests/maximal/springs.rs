//! Springs and dampers that are stiff for the step.

use jourdain::maximal::World;
use jourdain::prelude::*;
use nalgebra::vector;

use crate::robots::agrees;

/// An arm on springs and dampers, the last of which is a rope's.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [0, 0, -9.81],
    link(a, mass = 2, com = [0, 0, 0.15], inertia = [0.02, 0.02, 0.005]),
    joint(one, revolute(world -> a), axis = [0, 0, 1], damping = d),
    link(b, mass = 1, com = [0, 0, 0.15], inertia = [0.01, 0.01, 0.002]),
    joint(two, revolute(a -> b), at = [0, 0, 0.3], axis = [0, 1, 0], damping = d, stiffness = k),
    link(c, mass = 0.5, com = [0, 0, 0.1], inertia = [0.002, 0.002, 0.0005]),
    joint(three, prismatic(b -> c), at = [0, 0, 0.3], axis = [0, 1, 0], damping = d, stiffness = k),
    link(e, mass = 0.2, com = [0.01, 0, 0.05], inertia = [0.001, 0.002, 0.0015]),
    joint(socket, spherical(c -> e), at = [0, 0, 0.2], damping = d),
    spring(rope, a = world @ [0.5, 0, 1], b = e @ [0, 0, 0.1], stiffness = 0.1 * k, damping = d, rest = 0.5),
)]
struct Arm {
    k: f64,
    d: f64,
}

/// With forces of the beginning, one of these dampers in a step of 1 ms would multiply velocities by more than a thousand.
#[test]
fn stiff_dampers_and_springs_give_nothing() {
    for (k, d) in [(0.0, 1.0), (0.0, 100.0), (0.0, 1e4), (1e6, 0.0), (1e8, 1e-3), (1e4, 10.0)] {
        let (q, v) =
            (vector![0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], vector![3.0, -2.0, 0.1, 5.0, -3.0, 4.0]);
        let mut world = World::of(Arm { k, d }, &q, &v).unwrap();
        let stored = 0.05 * k * (0.5_f64.hypot(0.1) - 0.5).powi(2);
        // From the highest to the lowest place.
        let most = world.kinetic_energy() + 9.81 * (2.0 * 0.3 + 1.0 * 1.2 + 0.7 * 1.8) + stored;
        for _ in 0..300 {
            world.step(1e-3).unwrap();
            let kinetic = world.kinetic_energy();
            assert!(kinetic <= 1.1 * most, "{k}, {d}: {kinetic} of {most}");
        }
    }
}

#[test]
fn dampers_that_are_implicit_move_alike_both_ways() {
    agrees(&Arm { k: 30.0, d: 1.0 }, 4);
}
