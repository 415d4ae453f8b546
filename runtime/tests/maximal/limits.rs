//! Limits and motors of hinges and sliders.

use std::f64::consts::PI;
use std::sync::Arc;

use jourdain::maximal::{Body, Joint, Kind, Limit, Motor, World};
use nalgebra::{Matrix3, Vector3};

use crate::frame;

const H: f64 = 1e-3;

/// A body of 2 kg and 0.5 kg m² on the world by a joint along or about y, with its centre of mass there.
fn single(kind: Kind, gravity: Vector3<f64>) -> (World, usize) {
    let mut world = World::new(gravity);
    world.add_body(Body::new(2.0, Matrix3::identity() * 0.5)).unwrap();
    let here = frame(Vector3::zeros(), Vector3::y());
    let joint = Joint::here(kind, [None, Some(0)], &here, world.bodies()).unwrap();
    let joint = world.add_joint(joint).unwrap();
    (world, joint)
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / H).round() as usize {
        let report = world.step(H).unwrap();
        assert!(report.residual.max() < 1e-9, "{report:?}");
    }
}

#[test]
fn both_ends_of_a_range_stop_what_moves() {
    for (kind, ends) in [(Kind::Hinge, [-0.4, 0.7]), (Kind::Slider, [-0.4, 0.7])] {
        for sign in [-1.0, 1.0] {
            let (mut world, joint) = single(kind, Vector3::zeros());
            world.add_limit(Limit::Range { joint, coordinate: 0, ends }).unwrap();
            match kind {
                Kind::Hinge => world.bodies_mut()[0].angular.y = sign * 2.0,
                _ => world.bodies_mut()[0].linear.y = sign * 2.0,
            }
            run(&mut world, 0.1);
            assert!((world.coordinate(joint).unwrap() - sign * 0.2).abs() < 1e-12, "{kind:?}");
            run(&mut world, 0.9);
            let end = if sign > 0.0 { ends[1] } else { ends[0] };
            assert!((world.coordinate(joint).unwrap() - end).abs() < 1e-9, "{kind:?} {sign}");
            assert!(world.kinetic_energy() < 1e-20);
        }
    }
}

/// What is outside at rest comes in within a step, and stays at rest.
#[test]
fn what_is_beyond_a_limit_is_put_right_without_velocity() {
    for kind in [Kind::Hinge, Kind::Slider] {
        let (mut world, joint) = single(kind, Vector3::zeros());
        world
            .add_limit(Limit::Range { joint, coordinate: 0, ends: [0.01, f64::INFINITY] })
            .unwrap();
        world.step(H).unwrap();
        assert!((world.coordinate(joint).unwrap() - 0.01).abs() < 1e-12, "{kind:?}");
        assert_eq!(world.kinetic_energy(), 0.0, "{kind:?}");
    }
}

/// A range around half a turn, where the angle jumps from π to −π.
#[test]
fn a_range_may_contain_half_a_turn() {
    let (mut world, joint) = single(Kind::Hinge, Vector3::zeros());
    world.add_limit(Limit::Range { joint, coordinate: 0, ends: [-0.1, 3.0 * PI / 2.0] }).unwrap();
    world.bodies_mut()[0].angular.y = 10.0;
    run(&mut world, 1.0);
    assert!((world.coordinate(joint).unwrap() - 3.0 * PI / 2.0).abs() < 1e-9);
}

/// Two sliders at right angles within a circle: what moves along x alone slides on along the circle.
#[test]
fn a_region_of_two_joints_is_not_left() {
    let mut world = World::new(Vector3::zeros());
    for _ in 0..2 {
        world.add_body(Body::new(1.0, Matrix3::identity())).unwrap();
    }
    for (axis, pair) in [(Vector3::x(), [None, Some(0)]), (Vector3::y(), [Some(0), Some(1)])] {
        let here = frame(Vector3::zeros(), axis);
        let joint = Joint::here(Kind::Slider, pair, &here, world.bodies()).unwrap();
        world.add_joint(joint).unwrap();
    }
    let function = Arc::new(|x: &[f64], gradient: &mut [f64]| {
        gradient.copy_from_slice(&[-2.0 * x[0], -2.0 * x[1]]);
        1.0 - x[0] * x[0] - x[1] * x[1]
    });
    world.add_limit(Limit::Region { joints: vec![0, 1], function }).unwrap();
    for body in world.bodies_mut() {
        body.linear = Vector3::new(1.0, 0.0, 0.0);
    }
    world.bodies_mut()[1].linear.y = 0.3;
    let mut touched = false;
    for _ in 0..3000 {
        world.step(H).unwrap();
        let [x, y] = [0, 1].map(|joint| world.coordinate(joint).unwrap());
        assert!(x * x + y * y < 1.0 + 1e-5, "{x} {y}");
        touched |= x * x + y * y > 1.0 - 1e-5;
    }
    assert!(touched && world.bodies()[1].linear.y.abs() > 0.1);
}

/// A ball leaves turns that are the rates of nothing, and a planar joint has several coordinates.
#[test]
fn what_has_no_coordinate_has_no_gap() {
    let range = Limit::Range { joint: 0, coordinate: 0, ends: [-0.1, 0.1] };
    let function = Arc::new(|x: &[f64], gradient: &mut [f64]| {
        gradient.fill(1.0);
        x.iter().sum()
    });
    let region = Limit::Region { joints: vec![0], function };
    for (kind, gaps) in [(Kind::Ball, [0, 0]), (Kind::Planar, [2, 0]), (Kind::Hinge, [2, 1])] {
        let (mut world, _) = single(kind, Vector3::zeros());
        for (limit, count) in [&range, &region].into_iter().zip(gaps) {
            assert_eq!(limit.gaps(world.joints(), world.bodies()).len(), count, "{kind:?}");
            assert_eq!(world.add_limit(limit.clone()).is_ok(), count > 0, "{kind:?}");
        }
    }
}

/// With a bounded force as fast as F/m allows, then exactly at the velocity; of either sign.
#[test]
fn a_motor_reaches_its_velocity_with_its_force() {
    for (kind, inertia) in [(Kind::Hinge, 0.5), (Kind::Slider, 2.0)] {
        for velocity in [3.0, -3.0] {
            let (mut world, joint) = single(kind, Vector3::zeros());
            world.add_motor(Motor { joint, coordinate: 0, velocity, force: 4.0 }).unwrap();
            run(&mut world, 0.1);
            let rate = |world: &World| {
                world.bodies()[0].velocity()[if kind == Kind::Hinge { 4 } else { 1 }]
            };
            let expected = velocity.signum() * 4.0 / inertia * 0.1;
            assert!((rate(&world) - expected).abs() < 1e-12, "{kind:?}");
            run(&mut world, 2.0);
            assert!((rate(&world) - velocity).abs() < 1e-12, "{kind:?}");
        }
    }
}

/// A motor that seeks no velocity is dry friction: it holds a weight up to its force, and slows down what it does not
/// hold.
#[test]
fn a_motor_of_no_velocity_is_dry_friction() {
    for (force, acceleration) in [(25.0, 0.0), (15.0, -2.5)] {
        let (mut world, joint) = single(Kind::Slider, Vector3::new(0.0, -10.0, 0.0));
        world.add_motor(Motor { joint, coordinate: 0, velocity: 0.0, force }).unwrap();
        run(&mut world, 0.5);
        assert!((world.bodies()[0].linear.y - 0.5 * acceleration).abs() < 1e-12);
    }
}

/// Limits that are set to one place, with a motor that gets there.
#[test]
fn a_motor_and_a_limit_hold_a_place_against_gravity() {
    let (mut world, joint) = single(Kind::Slider, Vector3::new(0.0, -10.0, 0.0));
    world.add_limit(Limit::Range { joint, coordinate: 0, ends: [f64::NEG_INFINITY, 0.3] }).unwrap();
    world.add_motor(Motor { joint, coordinate: 0, velocity: 0.5, force: 30.0 }).unwrap();
    run(&mut world, 2.0);
    assert!((world.coordinate(joint).unwrap() - 0.3).abs() < 1e-12);
    assert!(world.kinetic_energy() < 1e-20);
}
