//! Elimination along trees, against the block sweeps that know nothing of trees, and with loops.

use jourdain::maximal::{Joint, Kind, Method, World};
use nalgebra::Vector3;

use crate::numbers::Numbers;
use crate::{body, frame, vector};

const KINDS: [Kind; 6] = [
    Kind::Ball,
    Kind::Hinge,
    Kind::Slider,
    Kind::Wheel { angle: 0.8 },
    Kind::Universal,
    Kind::Fixed,
];

/// Bodies at rest, each but some roots on an earlier one or on the world, and so many joints that close loops.
fn random(seed: u64, count: usize, loops: usize) -> World {
    let numbers = &mut Numbers(seed);
    let mut world = World::new(Vector3::new(0.3, -0.2, -9.0));
    let tie = |world: &mut World, a: Option<usize>, b: usize, numbers: &mut Numbers| {
        let here = frame(vector(numbers), vector(numbers).normalize());
        let kind = KINDS[numbers.below(KINDS.len())];
        let order = if numbers.below(2) == 0 { [a, Some(b)] } else { [Some(b), a] };
        let joint = Joint::here(kind, order, &here, world.bodies()).unwrap();
        world.add_joint(joint).unwrap();
    };
    for k in 0..count {
        let mut body = body(numbers);
        (body.linear, body.angular) = (Vector3::zeros(), Vector3::zeros());
        (body.force, body.moment) = (vector(numbers), vector(numbers));
        world.add_body(body).unwrap();
        match numbers.below(k + 2) {
            0 => {}
            1 => tie(&mut world, None, k, numbers),
            above => tie(&mut world, Some(above - 2), k, numbers),
        }
    }
    for _ in 0..loops {
        let [a, b] = [0, 1].map(|_| numbers.below(count));
        if a != b {
            tie(&mut world, Some(a), b, numbers);
        }
    }
    world
}

#[test]
fn elimination_agrees_with_sweeps() {
    for seed in 0..40 {
        let loops = (seed % 3) as usize;
        let mut direct = random(seed, 6, loops);
        let mut swept = direct.clone();
        let settings = &mut swept.settings;
        (settings.method, settings.tolerance) = (Method::Sweeps { limit: 1_000_000 }, 1e-10);
        let report = direct.step(1e-2).unwrap();
        assert!(report.residual.max() < 1e-11, "{seed}: {:?}", report.residual);
        swept.step(1e-2).unwrap();
        for (one, other) in direct.bodies().iter().zip(swept.bodies()) {
            let apart = (one.velocity() - other.velocity()).amax();
            assert!(apart < 1e-6, "{seed}: {apart:e}");
        }
    }
}

/// A tree of twenty bodies with loops swings: joints stay together.
#[test]
fn trees_stay_together() {
    let mut world = random(99, 20, 1);
    world.bodies_mut().iter_mut().for_each(|body| body.force = Vector3::zeros());
    for _ in 0..200 {
        let report = world.step(1e-3).unwrap();
        assert!(report.error < 1e-12 && report.residual.max() < 1e-9, "{report:?}");
    }
}

/// A planar four-bar of hinges: its loop has three rows too many.
#[test]
fn a_planar_loop_with_redundant_rows_moves() {
    let mut world = World::new(Vector3::new(0.0, 0.0, -9.81));
    let places = [[0.0, 0.5], [0.5, 1.0], [1.0, 0.5]];
    for [x, z] in places {
        let bar = jourdain::maximal::Body::cuboid(1.0, Vector3::new(0.1, 0.1, 1.0));
        world.add_body(bar.at(Vector3::new(x, 0.0, z))).unwrap();
    }
    let anchors = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    let pairs = [[None, Some(0)], [Some(0), Some(1)], [Some(1), Some(2)], [Some(2), None]];
    for ([x, z], pair) in anchors.into_iter().zip(pairs) {
        let here = frame(Vector3::new(x, 0.0, z), Vector3::y());
        let joint = Joint::here(Kind::Hinge, pair, &here, world.bodies()).unwrap();
        world.add_joint(joint).unwrap();
    }
    world.bodies_mut()[1].force = Vector3::x();
    for _ in 0..300 {
        let report = world.step(1e-3).unwrap();
        assert!(report.error < 1e-12, "{report:?}");
    }
    let [left, right] = [0, 2].map(|k| world.bodies()[k].position.z);
    // A parallelogram: both cranks turn alike, and the coupler stays level.
    assert!((left - right).abs() < 1e-9 && left < 0.4999, "{left} {right}");
    assert!(world.bodies()[1].rotation.angle() < 1e-9);
    assert!(world.bodies().iter().all(|body| body.position.y.abs() < 1e-12));
}
