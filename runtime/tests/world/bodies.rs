//! Bodies of solids whose motion is known.

use jourdain::contact::Ground;
use jourdain::prelude::*;
use jourdain::world::{Body, BodyId, WorldReport};
use nalgebra::Vector3;

const G: f64 = 9.81;

fn plane(friction: f64) -> Ground {
    Ground::plane(Vector3::z(), 0.0, friction, 0.0).unwrap()
}

fn cube(mass: f64) -> Body {
    Body::cuboid([0.1; 3]).unwrap().mass(mass).unwrap().friction(0.5).unwrap()
}

fn height(world: &World, id: BodyId) -> f64 {
    world.pose(id).unwrap().position.z
}

fn accurate(report: &WorldReport) {
    assert!(report.residual.max() <= 1e-9, "{report:?}");
}

/// The laws under which the scenes of this file have the same answers.
fn laws() -> [Formulation; 4] {
    [
        Formulation::coulomb(),
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
    ]
}

#[test]
fn a_stack_rests_and_carries_its_weight() {
    for law in laws() {
        let mut world = World::new().formulation(law).ground(plane(0.7));
        let at = |z: f64, x: f64| Pose::at(x, 0.0, z);
        let lower = world.add_body("lower", &cube(1.0), &at(0.05, 0.0)).unwrap();
        let middle = world.add_body("middle", &cube(2.0), &at(0.15, 0.01)).unwrap();
        let upper = world.add_body("upper", &cube(3.0), &at(0.2504, -0.02)).unwrap();
        let report = world.run(0.3).unwrap();
        accurate(&report);
        assert_eq!(report.largest_island, 3);
        for (id, z) in [(lower, 0.05), (middle, 0.15), (upper, 0.25)] {
            assert!((height(&world, id) - z).abs() < 1e-8, "{law:?}: {}", height(&world, id) - z);
        }
        let on_ground: f64 = world
            .contacts()
            .filter(|of| of.second == jourdain::world::Surroundings::Ground)
            .map(|of| of.force.z)
            .sum();
        assert!((on_ground - 6.0 * G).abs() < 1e-6, "{law:?}: {on_ground}");
    }
}

/// On a slope of 0.3 rad a cube slides with g (sin − μ cos), and one with more friction stays.
#[test]
fn cubes_slide_down_a_slope_by_coulombs_law() {
    let (angle, mu) = (0.3_f64, 0.2_f64);
    let normal = Vector3::new(angle.sin(), 0.0, angle.cos());
    let slope = |friction| Ground::plane(normal, 0.0, friction, 0.0).unwrap();
    let turned = nalgebra::Rotation3::from_axis_angle(&Vector3::y_axis(), angle);
    for (friction, acceleration) in [(mu, G * (angle.sin() - mu * angle.cos())), (0.4, 0.0)] {
        let mut world = World::new().ground(slope(friction));
        let pose = Pose { rotation: turned.into_inner(), position: normal * 0.05 };
        let id = world.add_body("cube", &cube(0.7), &pose).unwrap();
        accurate(&world.run(0.5).unwrap());
        let [linear, angular] = world.velocity(id).unwrap();
        assert!((linear.norm() - 0.5 * acceleration).abs() < 1e-7, "{linear}");
        assert!(angular.norm() < 1e-7, "{angular}");
    }
}

/// Two balls that meet head on exchange velocities by e, and keep their momentum.
#[test]
fn balls_rebound_by_newtons_law() {
    for (e, masses) in [(1.0, [1.0, 1.0]), (0.5, [1.0, 3.0]), (0.0, [2.0, 0.5])] {
        let mut world = World::new().gravity(Vector3::zeros()).unwrap();
        let ball = |m| Body::ball(0.1).unwrap().mass(m).unwrap().restitution(e).unwrap();
        let a = world.add_body("a", &ball(masses[0]), &Pose::at(-0.3, 0.0, 0.0)).unwrap();
        let b = world.add_body("b", &ball(masses[1]), &Pose::at(0.3, 0.0, 0.0)).unwrap();
        let still = Vector3::zeros();
        world.move_body(a, &Pose::at(-0.3, 0.0, 0.0), [Vector3::x(), still]).unwrap();
        world.move_body(b, &Pose::at(0.3, 0.0, 0.0), [-0.5 * Vector3::x(), still]).unwrap();
        accurate(&world.run(0.6).unwrap());
        let [va, vb] = [a, b].map(|id| world.velocity(id).unwrap()[0]);
        let momentum = masses[0] * va.x + masses[1] * vb.x;
        assert!((momentum - (masses[0] - 0.5 * masses[1])).abs() < 1e-12, "{momentum}");
        assert!((vb.x - va.x - 1.5 * e).abs() < 1e-9, "{e}: {}", vb.x - va.x);
    }
}

/// A cube within a box of walls that stand still stays there.
#[test]
fn what_stands_still_holds_what_falls() {
    let mut world = World::new();
    let wall = Body::cuboid([1.0, 1.0, 0.2]).unwrap().friction(0.3).unwrap();
    world.fix("floor", &wall, &Pose::at(0.0, 0.0, -0.1)).unwrap();
    let post = Body::cuboid([0.1, 1.0, 1.0]).unwrap().friction(0.3).unwrap();
    world.fix("left", &post, &Pose::at(-0.2, 0.0, 0.5)).unwrap();
    world.fix("right", &post, &Pose::at(0.2, 0.0, 0.5)).unwrap();
    let ids: Vec<_> = (0..3)
        .map(|k| {
            let pose = Pose::at(0.02 * f64::from(k - 1), 0.0, 0.1 + 0.15 * f64::from(k));
            world.add_body(format!("cube {k}"), &cube(0.5), &pose).unwrap()
        })
        .collect();
    accurate(&world.run(1.0).unwrap());
    for (k, id) in ids.into_iter().enumerate() {
        let z = height(&world, id);
        assert!((z - 0.05 - 0.1 * k as f64).abs() < 1e-6, "{k}: {z}");
    }
}

/// Friction between bodies takes momentum to where both move alike: a slab under a cube that slides onto it.
#[test]
fn friction_between_bodies_keeps_momentum() {
    for law in laws() {
        let mut world = World::new().formulation(law).ground(plane(0.0));
        let slab = Body::cuboid([1.0, 0.4, 0.1]).unwrap().mass(2.0).unwrap().friction(0.5).unwrap();
        let slab = world.add_body("slab", &slab, &Pose::at(0.0, 0.0, 0.05)).unwrap();
        let cube = world.add_body("cube", &cube(1.0), &Pose::at(-0.3, 0.0, 0.15)).unwrap();
        let velocity = [Vector3::new(1.2, 0.0, 0.0), Vector3::zeros()];
        world.move_body(cube, &Pose::at(-0.3, 0.0, 0.15), velocity).unwrap();
        accurate(&world.run(0.1).unwrap());
        let [of_slab, of_cube] = [slab, cube].map(|id| world.velocity(id).unwrap()[0].x);
        // While it slides, both change by μ m g.
        assert!((of_cube - (1.2 - 0.1 * 0.5 * G)).abs() < 2e-3, "{law:?}: {of_cube}");
        assert!((2.0 * of_slab + of_cube - 1.2).abs() < 1e-9, "{law:?}");
        accurate(&world.run(0.3).unwrap());
        let [of_slab, of_cube] = [slab, cube].map(|id| world.velocity(id).unwrap()[0].x);
        assert!((of_slab - 0.4).abs() < 1e-7 && (of_cube - 0.4).abs() < 1e-7, "{law:?}");
    }
}

/// What is taken apart at the start moves as it would alone, and goes on from there when it is saved.
#[test]
fn worlds_go_back_to_what_was_saved() {
    let mut world = World::new().ground(plane(0.5));
    let ids: Vec<_> = (0..4)
        .map(|k| {
            let pose = Pose::at(0.03 * f64::from(k), 0.02, 0.06 + 0.12 * f64::from(k));
            world.add_body(format!("cube {k}"), &cube(0.5), &pose).unwrap()
        })
        .collect();
    world.run(0.1).unwrap();
    let saved = world.save();
    let ends = [(); 2].map(|()| {
        world.run(0.2).unwrap();
        let ends: Vec<_> =
            ids.iter().map(|&id| world.robot(id).unwrap().current().clone()).collect();
        world.restore(&saved).unwrap();
        ends
    });
    assert_eq!(ends[0], ends[1]);
    world.remove(ids[3]).unwrap();
    world.run(0.1).unwrap();
    assert!(world.robot(ids[3]).is_err());
}

/// Bounds follow what moves far, in any order: it hits what is there, and nothing that is not.
#[test]
fn what_comes_from_afar_hits_what_is_there() {
    let mut world = World::new().gravity(Vector3::zeros()).unwrap();
    let still = Vector3::zeros();
    let mut balls = Vec::new();
    for k in 0..12 {
        let y = 3.0 * f64::from(k);
        let target = world.add_body(format!("target {k}"), &cube(1.0), &Pose::at(20.0, y, 0.0));
        let ball = Body::ball(0.05).unwrap().mass(1.0).unwrap();
        let pose = Pose::at(-20.0 - f64::from(k), y, 0.0);
        let ball = world.add_body(format!("ball {k}"), &ball, &pose).unwrap();
        world.move_body(ball, &pose, [Vector3::x() * 40.0, still]).unwrap();
        balls.push((ball, target.unwrap()));
    }
    world.run(0.9).unwrap();
    for (k, _) in balls.iter().enumerate() {
        assert!(world.velocity(balls[k].1).unwrap()[0].norm() == 0.0, "{k}");
    }
    world.run(0.5).unwrap();
    for (k, (ball, target)) in balls.into_iter().enumerate() {
        let [a, b] = [ball, target].map(|id| world.velocity(id).unwrap()[0].x);
        assert!((a - 20.0).abs() < 1e-9 && (b - 20.0).abs() < 1e-9, "{k}: {a}, {b}");
    }
}

/// Cubes that slide on the ground at these speeds, one before the other with gaps of 0.1 mm.
fn slide(law: Formulation, speeds: &[f64]) -> (World, Vec<BodyId>) {
    let mut world = World::new().formulation(law).ground(plane(0.5));
    let ids = speeds.iter().enumerate().map(|(k, &speed)| {
        let pose = Pose::at(0.1001 * k as f64, 0.0, 0.05);
        let id = world.add_body(format!("cube {k}"), &cube(1.0), &pose).unwrap();
        world.move_body(id, &pose, [Vector3::new(speed, 0.0, 0.0), Vector3::zeros()]).unwrap();
        id
    });
    let ids = ids.collect();
    (world, ids)
}

/// What comes near each other is solved apart, and so in the bits of one alone.
#[test]
fn what_does_not_push_each_other_moves_as_alone() {
    for law in laws() {
        let ((mut both, ids), (mut one, alone)) = (slide(law, &[0.4, 1.0]), slide(law, &[0.4]));
        for _ in 0..40 {
            let report = both.step().unwrap();
            accurate(&report);
            assert_eq!(report.largest_island, 1, "{law:?}");
            one.step().unwrap();
            assert_eq!(both.velocity(ids[0]), one.velocity(alone[0]), "{law:?}");
            assert_eq!(both.pose(ids[0]), one.pose(alone[0]), "{law:?}");
        }
    }
}

/// What then runs into each other within the step is solved as one: gaps of 0.1 mm close by 1.6 mm at most.
#[test]
fn what_runs_into_each_other_is_solved_as_one() {
    for law in laws() {
        let (mut world, ids) = slide(law, &[2.0, 0.4, 0.4, 0.4]);
        let report = world.step().unwrap();
        accurate(&report);
        assert_eq!(report.largest_island, 4, "{law:?}");
        let speeds = ids.iter().map(|&id| world.velocity(id).unwrap()[0].x);
        let lost = 3.2 - speeds.sum::<f64>();
        // The convex law presses more on what slides.
        let is_convex = matches!(law, Formulation::Anitescu(_));
        assert!((lost - 2.0 * G * 1e-3).abs() < 1e-9 || is_convex, "{law:?}: {lost}");
        for pair in ids.windows(2) {
            let [behind, before] = [0, 1].map(|k| world.pose(pair[k]).unwrap().position.x);
            assert!(before - behind - 0.1 > -1e-9, "{law:?}");
        }
    }
}
