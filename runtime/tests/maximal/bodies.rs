//! Single bodies: free flight, the gyroscopic term, orientations.

use std::f64::consts::TAU;

use jourdain::Pose;
use jourdain::maximal::{Body, Joint, Kind, Method, Orientation, Shape, Solid, World};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::body;
use crate::numbers::Numbers;

fn spin(body: &Body) -> Vector3<f64> {
    body.world_inertia() * body.angular
}

/// A wing nut in zero gravity turns over and over; explicit gyroscopic terms would make it faster without bound.
#[test]
fn the_gyroscopic_term_adds_no_energy() {
    let inertia = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
    let mut world = World::new(Vector3::zeros());
    let mut body = Body::new(1.0, inertia);
    body.angular = Vector3::new(0.01, 10.0, 0.0);
    world.add_body(body).unwrap();
    let (start, mut flips, mut upright) = (world.kinetic_energy(), 0, true);
    for _ in 0..10_000 {
        world.step(1e-3).unwrap();
        let turned = world.bodies()[0].rotation.transform_vector(&Vector3::y()).y > 0.0;
        flips += usize::from(turned != upright);
        upright = turned;
    }
    let share = world.kinetic_energy() / start;
    assert!((0.5..1.0 + 1e-3).contains(&share), "{share}");
    assert!(flips > 2, "{flips}");
}

/// To first order: half the step, half the drift of the angular momentum.
#[test]
fn angular_momentum_drifts_with_the_step() {
    let drift = |h: f64| {
        let mut world = World::new(Vector3::zeros());
        world.add_body(body(&mut Numbers(7))).unwrap();
        let start = spin(&world.bodies()[0]);
        for _ in 0..(1.0 / h) as usize {
            world.step(h).unwrap();
        }
        (spin(&world.bodies()[0]) - start).norm() / start.norm()
    };
    let [coarse, fine] = [2e-3, 1e-3].map(drift);
    assert!((1.8..2.2).contains(&(coarse / fine)), "{coarse:e}, {fine:e}");
}

#[test]
fn a_body_in_flight_falls() {
    let mut world = World::new(Vector3::new(0.0, 0.0, -10.0));
    let mut ball = Body::ball(2.0, 0.1);
    ball.linear = Vector3::new(1.0, 0.0, 3.0);
    ball.force = Vector3::new(0.0, 4.0, 0.0);
    world.add_body(ball).unwrap();
    let (h, n) = (1e-2, 100.0);
    for _ in 0..100 {
        world.step(h).unwrap();
    }
    // Σ h (v + k h a) of semi-implicit Euler.
    let sum = h * h * n * (n + 1.0) / 2.0;
    let expected = Vector3::new(1.0, 2.0 * sum, 3.0 - 10.0 * sum);
    assert!((world.bodies()[0].position - expected).norm() < 1e-12);
}

/// A balanced rotor of 50 rad/s on a hinge, with steps of 10 ms: it keeps its speed, and turns as its orientation is
/// updated.
#[test]
fn a_fast_rotor_stays_on_its_hinge() {
    let (h, speed) = (0.01, 50.0);
    for (orientation, turn) in [
        (Orientation::Finite, h * speed),
        (Orientation::Infinitesimal, 2.0 * f64::atan(0.5 * h * speed)),
    ] {
        let mut world = World::new(Vector3::zeros());
        let mut rotor = Body::cuboid(1.0, Vector3::new(0.2, 0.3, 0.1));
        rotor.angular = speed * Vector3::z();
        let here = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
        world.add_body(rotor).unwrap();
        let joint = Joint::here(Kind::Hinge, [None, Some(0)], &here, world.bodies()).unwrap();
        world.add_joint(joint).unwrap();
        world.settings.orientation = orientation;
        for step in 1..=100 {
            let report = world.step(h).unwrap();
            assert!(report.error < 1e-12 && report.residual.max() < 1e-9, "{report:?}");
            let missing = world.coordinate(0).unwrap() - f64::from(step) * turn;
            let missing = missing - TAU * (missing / TAU).round();
            assert!(missing.abs() < 1e-9, "{orientation:?} {step}: {missing:e}");
        }
    }
}

/// By |ω| h, and by twice its arc tangent.
#[test]
fn orientations_turn_as_they_say() {
    let start = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.2, 0.9));
    let angle = Vector3::new(0.2, 0.4, -0.1);
    for (orientation, expected) in [
        (Orientation::Finite, angle.norm()),
        (Orientation::Infinitesimal, 2.0 * f64::atan(0.5 * angle.norm())),
    ] {
        let turn = orientation.turned(&start, &angle) * start.inverse();
        let axis = turn.axis().unwrap();
        assert!((turn.angle() - expected).abs() < 1e-14, "{orientation:?}");
        assert!((axis.into_inner() - angle.normalize()).norm() < 1e-14, "{orientation:?}");
    }
}

/// Balls in a heap, which Newton's method solves much further than sweeps are asked to.
#[test]
fn a_heap_is_solved_tightly() {
    let mut world = World::new(Vector3::new(0.0, 0.0, -9.81));
    world.settings.method = Method::Newton { limit: 500 };
    world.settings.tolerance = 1e-8;
    let frame = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
    let (shape, friction, restitution) = (Shape::HalfSpace, 0.5, 0.0);
    let ground = Solid { body: None, frame, shape, friction, restitution, only: None };
    world.add_solid(ground).unwrap();
    for place in 0..20 {
        let cell = [place % 3, place / 3 % 3, place / 9].map(f64::from);
        let lean = 0.01 * f64::from(place % 7);
        let at = Vector3::new(0.2 * cell[0] + lean, 0.2 * cell[1] - lean, 0.1 + 0.19 * cell[2]);
        let body = Some(world.add_body(Body::ball(1.0, 0.1).at(at)).unwrap());
        world.add_solid(Solid { body, shape: Shape::Ball { radius: 0.1 }, ..ground }).unwrap();
    }
    for _ in 0..40 {
        let report = world.step(5e-3).unwrap();
        assert!(report.residual.max() <= 1e-8, "{report:?}");
    }
}
