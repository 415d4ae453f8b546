//! What becomes fast within a step meets what was far away when it began.

use jourdain::contact::Normal;
use jourdain::prelude::*;
use jourdain::world::{Body, BodyId, Surroundings};
use nalgebra::Vector3;

const RADIUS: f64 = 0.02;

fn ball(mass: f64) -> Body {
    Body::ball(RADIUS).unwrap().mass(mass).unwrap()
}

/// Without gravity and friction, with this margin.
fn world(margin: f64) -> World {
    World::new().gravity(Vector3::zeros()).unwrap().margin(margin).unwrap()
}

/// Throws a body along x.
fn throw(world: &mut World, id: BodyId, x: f64, speed: f64) {
    let velocity = [Vector3::new(speed, 0.0, 0.0), Vector3::zeros()];
    world.move_body(id, &Pose::at(x, 0.0, 0.0), velocity).unwrap();
}

fn x(world: &World, id: BodyId) -> f64 {
    world.pose(id).unwrap().position.x
}

/// Those that let nothing penetrate.
fn laws() -> [Formulation; 5] {
    [
        Formulation::coulomb(),
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Frictionless(Normal::Gap),
    ]
}

/// A ball at rest is hit by one that is ten times as heavy and travels 80 mm a step, and would be behind the plate after it.
#[test]
fn a_ball_that_is_hit_does_not_pass_a_thin_plate() {
    let cases = [(0.01, 0.03), (0.0, 0.001), (1e-4, 0.05)];
    let cases = laws().into_iter().flat_map(|law| cases.map(|case| (law, case)));
    for (law, (margin, gap)) in cases {
        let mut world = world(margin).formulation(law);
        let plate = Body::cuboid([0.003, 0.4, 0.4]).unwrap();
        world.fix("plate", &plate, &Pose::at(gap + RADIUS + 0.0015, 0.0, 0.0)).unwrap();
        let hit = world.add_body("hit", &ball(0.1), &Pose::at(0.0, 0.0, 0.0)).unwrap();
        let hammer = world.add_body("hammer", &ball(1.0), &Pose::at(-1.0, 0.0, 0.0)).unwrap();
        throw(&mut world, hammer, -2.0 * RADIUS - 0.01, 80.0);
        let report = world.run(0.01).unwrap();
        assert!(report.residual.max() <= 1e-9, "{report:?}");
        assert!((x(&world, hit) - gap).abs() < 1e-9, "{law:?}, {margin}: {}", x(&world, hit));
        assert!((x(&world, hammer) - gap + 2.0 * RADIUS).abs() < 1e-9, "{law:?}, {margin}");
    }
}

/// Thirty balls in a row, each a millimetre from the next, are all pushed by one in a single step, and none is overtaken.
#[test]
fn a_blow_goes_along_a_row() {
    let mut world = world(1e-4);
    let place = |k: usize| k as f64 * (2.0 * RADIUS + 0.001);
    let of = |k: usize| (format!("ball {k}"), Pose::at(place(k), 0.0, 0.0));
    let balls: Vec<_> = (0..30)
        .map(|k| {
            let (name, pose) = of(k);
            world.add_body(name, &ball(0.1), &pose).unwrap()
        })
        .collect();
    throw(&mut world, balls[0], 0.0, 1000.0);
    let report = world.step().unwrap();
    assert!(report.residual.max() <= 1e-9, "{report:?}");
    assert_eq!(report.largest_island, 30);
    for pair in balls.windows(2) {
        let gap = x(&world, pair[1]) - x(&world, pair[0]) - 2.0 * RADIUS;
        assert!(gap > -1e-9, "{gap:e}");
    }
    // Momentum is that of the first.
    let momentum: f64 = balls.iter().map(|&id| 0.1 * world.velocity(id).unwrap()[0].x).sum();
    assert!((momentum - 100.0).abs() < 1e-8, "{momentum}");
}

/// What meets nothing on its way is not slowed down by having been looked for.
#[test]
fn what_meets_nothing_goes_on() {
    let mut world = world(0.0);
    let first = world.add_body("first", &ball(0.1), &Pose::at(0.0, 0.0, 0.0)).unwrap();
    let second = world.add_body("second", &ball(0.1), &Pose::at(0.1, 0.0, 0.0)).unwrap();
    // Beside the way of both.
    world.fix("post", &ball(1.0), &Pose::at(0.2, 0.1, 0.0)).unwrap();
    throw(&mut world, first, 0.0, 70.0);
    world.run(0.01).unwrap();
    let speeds = [first, second].map(|id| world.velocity(id).unwrap()[0].x);
    assert!(speeds.iter().all(|speed| (speed - 35.0).abs() < 1e-9), "{speeds:?}");
}

/// A bar that is hit at its end turns, and its other end would be behind the plate after a step.
#[test]
fn a_bar_that_is_hit_does_not_turn_through_a_plate() {
    let mut world = world(1e-3);
    let bar = Body::cuboid([0.02, 0.4, 0.02]).unwrap().mass(0.1).unwrap();
    let bar = world.add_body("bar", &bar, &Pose::at(0.0, 0.0, 0.0)).unwrap();
    let plate = Body::cuboid([0.003, 0.2, 0.4]).unwrap();
    world.fix("plate", &plate, &Pose::at(-0.0215, -0.15, 0.0)).unwrap();
    let hammer = world.add_body("hammer", &ball(1.0), &Pose::at(-1.0, 0.18, 0.0)).unwrap();
    let at = Pose::at(-0.02 - RADIUS, 0.18, 0.0);
    world.move_body(hammer, &at, [Vector3::new(60.0, 0.0, 0.0), Vector3::zeros()]).unwrap();
    let report = world.step().unwrap();
    assert!(report.residual.max() <= 1e-9, "{report:?}");
    assert_eq!(report.largest_island, 2);
    // The near face is at -0.02; a turn has a curvature within the step.
    let end = world.pose(bar).unwrap().point(&Vector3::new(-0.01, -0.2, 0.0));
    assert!(end.x > -0.025, "{end:?}");
}

/// A body that touches nothing moves in the same bits, whether others are hit elsewhere or not.
#[test]
fn a_blow_elsewhere_changes_nothing() {
    let run = |is_hit: bool| {
        let mut world = world(0.0);
        let plate = Body::cuboid([0.003, 0.4, 0.4]).unwrap();
        world.fix("plate", &plate, &Pose::at(0.0315, 0.0, 0.0)).unwrap();
        world.add_body("hit", &ball(0.1), &Pose::at(0.0, 0.0, 0.0)).unwrap();
        let hammer = world.add_body("hammer", &ball(1.0), &Pose::at(-1.0, 0.0, 0.0)).unwrap();
        let far = world.add_body("far", &ball(0.3), &Pose::at(0.0, 5.0, 0.0)).unwrap();
        let turning = [Vector3::new(0.3, 0.1, 0.7), Vector3::new(3.0, 1.0, 2.0)];
        world.move_body(far, &Pose::at(0.0, 5.0, 0.0), turning).unwrap();
        let speed = if is_hit { 80.0 } else { 0.0 };
        throw(&mut world, hammer, -2.0 * RADIUS - 0.01, speed);
        world.run(0.02).unwrap();
        let pose = world.pose(far).unwrap();
        pose.rotation.iter().chain(pose.position.iter()).map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}

/// Forces are those of the step, where what has become fast is near points that were not listed before: they change momentum as all
/// have moved.
#[test]
fn forces_are_told_of_the_points_that_were_solved() {
    let mut world = World::new().gravity(Vector3::zeros()).unwrap().margin(0.01).unwrap();
    let pitch = 2.0 * RADIUS;
    // Listed first, and too far from each other to be listed at first.
    let places = [("near", 0.0), ("far", pitch + 0.0115)];
    let idle =
        places.map(|(name, y)| world.add_body(name, &ball(0.1), &Pose::at(1.0, y, 0.0)).unwrap());
    let fast =
        world.add_body("fast", &ball(0.1), &Pose::at(1.0 - pitch - 0.0115, 0.0, 0.0)).unwrap();
    let hammer = world.add_body("hammer", &ball(1.0), &Pose::default()).unwrap();
    let start = Pose::at(1.0 - 2.0 * pitch - 0.012, 0.0, 0.0);
    world.move_body(hammer, &start, [Vector3::x() * 6.0, Vector3::zeros()]).unwrap();
    let all = [idle[0], idle[1], fast, hammer];
    let momentum = |world: &World| {
        all.map(|id| world.velocity(id).unwrap()[0] * if id == hammer { 1.0 } else { 0.1 })
    };
    for _ in 0..20 {
        let before = momentum(&world);
        world.step().unwrap();
        let after = momentum(&world);
        let mut missing: Vec<_> = after.iter().zip(before).map(|(after, p)| after - p).collect();
        for of in world.contacts() {
            for (surroundings, sign) in [(of.first, 1.0), (of.second, -1.0)] {
                let Surroundings::Shape { name, .. } = surroundings else { continue };
                let names = ["near", "far", "fast", "hammer"];
                let k = names.iter().position(|known| *known == name).unwrap();
                missing[k] -= of.force * (sign * world.time_step());
            }
        }
        assert!(missing.iter().all(|p| p.norm() < 1e-9), "{missing:?}");
    }
}
