//! Springs and dampers that are stiff for the step, as a world of bodies has them.

use jourdain::maximal::{Method, World};
use jourdain::nalgebra::vector;
use jourdain::prelude::*;

use crate::robots::distance;

/// A wheel on a bearing that takes 2500 times its inertia a second.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    link(a, mass = 1, inertia = [0.001, 0.001, 0.001]),
    joint(j, revolute(world -> a), axis = [0, 0, 1], damping = 2.5),
)]
struct Wheel;

#[test]
fn a_stiff_damper_brings_a_wheel_to_rest() {
    for method in [Method::Direct, Method::Newton { limit: 50 }] {
        for h in [1e-2, 1e-3, 1e-4] {
            let mut world = World::of(Wheel, &vector![0.0], &vector![1.0]).unwrap();
            world.settings.method = method;
            for _ in 0..100 {
                world.step(h).unwrap();
            }
            // I v₀ / d, at any step.
            let (q, v) = (world.coordinate(0).unwrap(), world.bodies()[0].angular.z);
            assert!((q - 4e-4).abs() < 1e-8 && v.abs() < 1e-6, "{method:?}, {h}: {q} {v}");
        }
    }
}

/// An arm of light links, tied to the world.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [0, 0, -9.81],
    link(a, mass = 2, com = [0, 0, 0.15], inertia = [0.02, 0.02, 0.005]),
    joint(one, revolute(world -> a), axis = [0, 0, 1], damping = d),
    link(b, mass = 1, com = [0, 0, 0.15], inertia = [0.01, 0.01, 0.002]),
    joint(two, revolute(a -> b), at = [0, 0, 0.3], axis = [0, 1, 0], damping = d, stiffness = k),
    link(c, mass = 0.5, com = [0, 0, 0.1], inertia = [0.002, 0.002, 0.0005]),
    joint(three, revolute(b -> c), at = [0, 0, 0.3], axis = [0, 1, 0], damping = d, stiffness = k, rest = 0.2),
    link(e, mass = 0.1, com = [0.01, 0, 0.05], inertia = [0.0002, 0.0002, 0.00005]),
    joint(four, revolute(c -> e), at = [0, 0, 0.2], axis = [0, 0, 1], damping = d, friction = 0.01),
    spring(rope, a = world @ [0.5, 0, 0.5], b = e, stiffness = pull, damping = slow, rest = 0.53),
)]
struct Arm {
    k: f64,
    d: f64,
    pull: f64,
    slow: f64,
}

/// A tumbling body in oil, on a rope.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(regressor),
    gravity = [0, 0, -9.81],
    link(body, mass = 1, com = [0.02, 0, 0.01], inertia = [0.01, 0.02, 0.03]),
    joint(base, floating(world -> body), damping = oil),
    link(pendulum, mass = 0.2, com = [0, 0, -0.1], inertia = [0.001, 0.001, 0.001]),
    joint(hinge, revolute(body -> pendulum), at = [0.1, 0, 0], axis = [0, 1, 0]),
    spring(tether, a = world @ [0, 0, 2], b = body @ [0, 0, 0.1], stiffness = k, damping = d, rest = 1),
)]
struct Tethered {
    oil: f64,
    k: f64,
    d: f64,
}

/// The same steps in both, apart by what is of the order of the step, whatever is stiff.
#[test]
fn stiff_springs_and_dampers_act_both_ways() {
    for (k, d, pull, slow) in [
        (0.0, 10.0, 0.0, 0.0),
        (0.0, 1e4, 0.0, 0.0),
        (1e4, 0.0, 0.0, 0.0),
        (1e7, 1e-3, 0.0, 0.0),
        (1e3, 10.0, 10.0, 100.0),
        (1.0, 0.1, 1e6, 1e3),
        (1.0, 0.1, 1e7, 1e4),
        (0.0, 0.0, 0.0, 1e5),
    ] {
        let arm = Arm { k, d, pull, slow };
        // Near where springs rest: what they give light links else is too fast for the step.
        let q = vector![0.1, 0.02, 0.19, 0.2];
        let v = vector![1.0, -0.5, 0.3, 1.0];
        let [coarse, fine] = [1e-3, 5e-4].map(|h| distance(&arm, (&q, &v), h));
        println!("{arm:?}: {coarse:.1e} {fine:.1e}");
        assert!(coarse.max(fine) < 5e-3, "{arm:?}: {coarse:e} {fine:e}");
    }
    for (oil, k, d) in
        [(0.0, 100.0, 1e3), (0.0, 1e6, 0.0), (1e4, 100.0, 0.0), (0.1, 1e7, 1e4), (20.0, 1e4, 1e2)]
    {
        let body = Tethered { oil, k, d };
        let mut q = body.neutral();
        (q[2], q[7]) = (0.895, -0.7);
        let v = vector![0.3, -0.2, 0.1, 0.5, -0.3, 0.4, -1.0];
        let [coarse, fine] = [1e-3, 5e-4].map(|h| distance(&body, (&q, &v), h));
        println!("{body:?}: {coarse:.1e} {fine:.1e}");
        assert!(coarse.max(fine) < 5e-3, "{body:?}: {coarse:e} {fine:e}");
    }
}

/// Whatever springs and dampers are, a world that starts at rest has no more energy than they and gravity give it.
#[test]
fn an_arm_keeps_less_energy_than_it_had_with_any_damper_and_spring() {
    for (k, d) in [(0.0, 0.5), (0.0, 1e4), (1e3, 0.0), (1e5, 0.0), (1e8, 1e-3), (1e3, 10.0)] {
        let arm = Arm { k, d, pull: 0.0, slow: 0.0 };
        let (q, v) = (vector![0.1, 0.4, -0.3, 0.2], vector![3.0, -2.0, 1.0, 5.0]);
        let stored = 0.5 * k * vector![q[1], q[2] - 0.2].norm_squared();
        let all = arm.kinetic_energy(&q, &v) + arm.potential_energy(&q) + stored
            - arm.potential_energy(&vector![0.0, 3.1, 0.0, 0.0]);
        let mut world = World::of(arm, &q, &v).unwrap();
        let mut most: f64 = 0.0;
        for _ in 0..500 {
            world.step(1e-3).unwrap();
            most = most.max(world.kinetic_energy());
        }
        assert!(most < 1.1 * all, "{k}, {d}: {most} of {all}");
    }
}
