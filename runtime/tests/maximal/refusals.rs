//! What is refused, and that nothing moves then.

use std::sync::Arc;

use jourdain::Pose;
use jourdain::contact::Softness;
use jourdain::maximal::{Body, Error, Joint, Kind, Limit, Method, Motor, Shape, Solid, World};
use jourdain::prelude::*;
use nalgebra::{Matrix3, Vector3, vector};

use crate::frame;

fn hinged() -> (World, Joint) {
    let mut world = World::new(Vector3::zeros());
    world.add_body(Body::ball(1.0, 0.1)).unwrap();
    let here = frame(Vector3::zeros(), Vector3::y());
    let joint = Joint::here(Kind::Hinge, [None, Some(0)], &here, world.bodies()).unwrap();
    (world, joint)
}

fn is_parameter<T: std::fmt::Debug>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Parameter { .. }))
}

#[test]
fn bodies_are_checked() {
    let mut world = World::new(Vector3::zeros());
    for mass in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(is_parameter(&world.add_body(Body::new(mass, Matrix3::identity()))));
    }
    let negative = Matrix3::from_diagonal(&vector![1.0, -1.0, 1.0]);
    let skew = Matrix3::new(1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    for inertia in [negative, skew] {
        assert!(is_parameter(&world.add_body(Body::new(1.0, inertia))));
    }
    for inertia in [f64::NAN, f64::INFINITY] {
        let body = Body::new(1.0, Matrix3::identity() * inertia);
        assert!(matches!(world.add_body(body), Err(Error::NotFinite { body: 0, .. })));
    }
    world.add_body(Body::ball(1.0, 0.1)).unwrap();
    world.bodies_mut()[0].linear.x = f64::NAN;
    assert!(matches!(world.step(1e-3), Err(Error::NotFinite { body: 0, .. })));
}

#[test]
fn joints_are_checked() {
    let (mut world, joint) = hinged();
    let here = frame(Vector3::zeros(), Vector3::y());
    let missing = Joint::here(Kind::Ball, [None, Some(3)], &here, world.bodies());
    assert_eq!(missing, Err(Error::Body { body: 3 }));
    let absent = Joint { bodies: [Some(0), Some(7)], ..joint.clone() };
    assert_eq!(world.add_joint(absent), Err(Error::Body { body: 7 }));
    for bodies in [[None, None], [Some(0), Some(0)]] {
        assert_eq!(world.add_joint(Joint { bodies, ..joint.clone() }), Err(Error::Joint));
    }
    for angle in [0.0, 4.0, f64::NAN] {
        let kind = Kind::Wheel { angle };
        assert!(is_parameter(&world.add_joint(Joint { kind, ..joint.clone() })), "{angle}");
    }
    for (reduction, mixing) in [(-0.1, 0.0), (1.1, 0.0), (0.5, -1.0), (f64::NAN, 0.0)] {
        assert!(Softness::new(reduction, mixing).is_err());
    }
}

#[test]
fn limits_motors_and_solids_are_checked() {
    let (mut world, joint) = hinged();
    let joint = world.add_joint(joint).unwrap();
    let no_joint = Limit::Range { joint: 4, coordinate: 0, ends: [0.0, 1.0] };
    assert_eq!(
        world.add_limit(no_joint).unwrap_err(),
        Error::Coordinate { joint: 4, coordinate: 0 }
    );
    for ends in [[1.0, 0.0], [f64::NAN, 0.0]] {
        assert!(is_parameter(&world.add_limit(Limit::Range { joint, coordinate: 0, ends })));
    }
    for (velocity, force) in [(f64::NAN, 1.0), (1.0, -1.0), (f64::INFINITY, 1.0)] {
        assert!(is_parameter(&world.add_motor(Motor { joint, coordinate: 0, velocity, force })));
    }
    let frame = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
    let shape = Shape::Ball { radius: 0.1 };
    let good = Solid { body: Some(0), frame, shape, friction: 0.5, restitution: 0.0, only: None };
    assert_eq!(world.add_solid(Solid { body: Some(2), ..good }), Err(Error::Body { body: 2 }));
    assert_eq!(world.add_solid(Solid { only: Some(7), ..good }), Err(Error::Solid { solid: 7 }));
    let mirrored = Matrix3::from_diagonal(&vector![1.0, 1.0, -1.0]);
    for rotation in [Matrix3::zeros(), mirrored, Matrix3::repeat(f64::NAN), Matrix3::repeat(1.0)] {
        let solid = Solid { frame: Pose { rotation, ..frame }, ..good };
        assert_eq!(world.add_solid(solid), Err(Error::Frame));
    }
    let nowhere = Pose { position: vector![0.0, f64::INFINITY, 0.0], ..frame };
    assert_eq!(world.add_solid(Solid { frame: nowhere, ..good }), Err(Error::Frame));
    for bad in [
        Solid { shape: Shape::Ball { radius: 0.0 }, ..good },
        Solid { shape: Shape::Box { size: vector![1.0, 0.0, 1.0] }, ..good },
        Solid { friction: -0.1, ..good },
        Solid { restitution: 1.5, ..good },
    ] {
        assert!(is_parameter(&world.add_solid(bad)), "{bad:?}");
    }
}

#[test]
fn a_motion_without_inertia_is_refused() {
    let mut world = World::new(Vector3::z());
    world.add_body(Body::new(1.0, Matrix3::zeros())).unwrap();
    for method in [Method::Direct, Method::Sweeps { limit: 10 }] {
        world.settings.method = method;
        let before = world.bodies().to_vec();
        assert_eq!(world.step(1e-3).unwrap_err(), Error::Singular { body: 0 });
        assert_eq!(world.bodies(), before);
    }
}

#[test]
fn what_is_not_solved_is_not_believed() {
    let (mut world, joint) = hinged();
    world.add_joint(joint).unwrap();
    world.bodies_mut()[0].linear = vector![1.0, 2.0, 3.0];
    world.settings.method = Method::Sweeps { limit: 0 };
    let before = world.bodies().to_vec();
    assert!(matches!(world.step(1e-3), Err(Error::Residual { .. })));
    assert_eq!(world.bodies(), before);
    for h in [0.0, -1.0, f64::NAN] {
        assert!(is_parameter(&world.step(h)));
    }
}

#[test]
fn a_region_that_is_no_number_stops_the_world() {
    for method in [Method::Direct, Method::Sweeps { limit: 10 }] {
        let (mut world, joint) = hinged();
        let joint = world.add_joint(joint).unwrap();
        let function = Arc::new(|_: &[f64], _: &mut [f64]| f64::NAN);
        world.add_limit(Limit::Region { joints: vec![joint], function }).unwrap();
        world.settings.method = method;
        let before = world.bodies().to_vec();
        let error = world.step(1e-3).unwrap_err();
        assert!(matches!(error, Error::Cone(_) | Error::Residual { .. }), "{error}");
        assert_eq!(world.bodies(), before);
    }
}

/// What a world of bodies has not.
macro_rules! refused {
    ($($name:ident, $what:literal: [$($entry:tt)*];)+) => {$({
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            kernels(regressor),
            link(a, mass = 1, com = [0, 0, -0.5], inertia = [0.1, 0.1, 0.1]),
            $($entry)*
        )]
        struct $name;
        let (q, v) = ($name.neutral(), nalgebra::SVector::zeros());
        let error = World::of($name, &q, &v).unwrap_err();
        assert!(matches!(error, Error::Unsupported { what: $what, .. }), "{error}");
    })+};
}

#[test]
fn robots_with_more_than_bodies_and_joints_are_refused() {
    refused!(
        Drilling, "torsional friction": [
            joint(j, floating(world -> a)),
            contact(foot, on = a, at = [0, 0, -1], friction = 0.5, torsion = 0.01),
        ];
        Rolling, "rolling resistance": [
            joint(j, floating(world -> a)),
            contact(foot, on = a, at = [0, 0, -1], friction = 0.5, rolling = 0.01),
        ];
        Rubbing, "dry friction of a floating joint": [
            joint(j, floating(world -> a), friction = [1, 1, 1, 2, 2, 2]),
        ];
    );
}

/// A body of 1 kg on a slider along y with ends at ±1 m.
fn carriage() -> (World, usize) {
    let mut world = World::new(Vector3::zeros());
    world.add_body(Body::ball(1.0, 0.1)).unwrap();
    let here = frame(Vector3::zeros(), Vector3::y());
    let slider = Joint::here(Kind::Slider, [None, Some(0)], &here, world.bodies()).unwrap();
    let joint = world.add_joint(slider).unwrap();
    world.add_limit(Limit::Range { joint, coordinate: 0, ends: [-1.0, 1.0] }).unwrap();
    (world, joint)
}

/// Whether a carriage that is pushed into its end is there after three steps, to 1e-6, or one of these is refused.
fn is_stopped_or_drowned(force: f64, h: f64) -> bool {
    let (mut world, joint) = carriage();
    world.bodies_mut()[0].force.y = force;
    for _ in 0..3 {
        let before = world.bodies().to_vec();
        match world.step(h) {
            Ok(_) => {}
            Err(Error::Drowned { body: 0, .. } | Error::Residual { .. }) => {
                assert_eq!(world.bodies(), before);
                return false;
            }
            Err(error) => panic!("{force:e} N, {h:e} s: {error}"),
        }
    }
    let q = world.coordinate(joint).unwrap();
    assert!((q - 1.0).abs() < 1e-6, "{force:e} N, {h:e} s: {q}");
    true
}

#[test]
fn a_step_that_goes_too_far_to_be_stopped_is_refused() {
    for exponent in 4..300 {
        let large = 10_f64.powi(exponent);
        // For a millisecond, and at 1 m/s² for so many seconds.
        assert_eq!(is_stopped_or_drowned(1e3 * large, 1e-3), exponent < 13, "1e{exponent}");
        if exponent < 150 {
            assert_eq!(is_stopped_or_drowned(1.0, large), exponent < 5, "1e{exponent}");
        }
    }
    // In free flight nothing is hidden.
    let mut world = World::new(Vector3::zeros());
    world.add_body(Body::ball(1.0, 0.1)).unwrap();
    world.bodies_mut()[0].force.y = 1.0;
    world.step(1e10).unwrap();
    assert!((world.bodies()[0].position.y / 1e20 - 1.0).abs() < 1e-12);
}

#[test]
fn a_step_that_turns_too_far_to_be_known_is_refused() {
    let mut world = World::new(Vector3::zeros());
    world.add_body(Body::ball(1.0, 0.1)).unwrap();
    world.bodies_mut()[0].angular.y = 1e14;
    let before = world.bodies().to_vec();
    let error = world.step(1e-3).unwrap_err();
    assert!(matches!(error, Error::Drowned { body: 0, .. }), "{error}");
    assert_eq!(world.bodies(), before);
}
