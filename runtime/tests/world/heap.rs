//! Bodies that are poured onto a plane, all in contact, under exact friction and its convex form.

use jourdain::contact::{Ground, Todorov};
use jourdain::prelude::*;
use jourdain::world::Body;
use nalgebra::Vector3;

const ALONG: usize = 3;
const HIGH: usize = 4;

/// A cuboid, a ball, or a hull.
fn body(k: usize) -> Body {
    let points = [
        [0.05, 0.0, 0.0],
        [-0.05, 0.02, 0.0],
        [0.0, 0.05, 0.03],
        [0.0, -0.05, 0.02],
        [0.01, 0.0, 0.05],
        [0.0, 0.01, -0.05],
    ];
    let body = match k % 3 {
        0 => Body::cuboid([0.1, 0.08, 0.06]),
        1 => Body::ball(0.05),
        _ => Body::hull(&points),
    };
    body.unwrap().friction(0.7).unwrap()
}

/// As many along each axis, turned and moved by numbers that are always the same.
fn pour(law: Formulation) -> World {
    let ground = Ground::plane(Vector3::z(), 0.0, 0.7, 0.0).unwrap();
    let mut world = World::new().formulation(law).ground(ground);
    let mut state = 1_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for k in 0..ALONG * ALONG * HIGH {
        let [x, y, z] = [k % ALONG, k / ALONG % ALONG, k / ALONG / ALONG].map(|i| 0.13 * i as f64);
        let pose = Pose::at(x + 0.02 * number(), y + 0.02 * number(), z + 0.09);
        world.add_body(format!("body {k}"), &body(k), &pose.turned(6.0 * number())).unwrap();
    }
    world
}

#[test]
fn what_is_poured_is_solved_to_tolerance() {
    for law in [Formulation::coulomb(), Formulation::Todorov(Todorov::default())] {
        let mut world = pour(law);
        let (mut energy, mut largest) = (world.energy(), 0);
        // Gaps that are left behind, or the springs of the regularised law, push bodies apart.
        let allowed = 0.01 * energy;
        for step in 0..700 {
            let report =
                world.step().unwrap_or_else(|error| panic!("{law:?}, step {step}: {error}"));
            assert!(report.residual.max() <= 1e-9, "{law:?}, step {step}: {report:?}");
            largest = largest.max(report.largest_island);
            assert!(world.energy() < energy + allowed, "{law:?}, step {step}");
            energy = energy.min(world.energy());
        }
        assert!(largest > 15, "{largest}");
    }
}
