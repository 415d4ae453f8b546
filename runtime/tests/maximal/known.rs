//! Contacts with known answers: inclines, rolling, bouncing, chains of balls, piles.

use std::f64::consts::FRAC_PI_2;

use jourdain::Pose;
use jourdain::maximal::{Body, Method, Shape, Solid, World};
use nalgebra::{Matrix3, Rotation3, Vector3};

const G: f64 = 9.81;
const H: f64 = 1e-3;

fn solid(body: Option<usize>, shape: Shape, friction: f64, restitution: f64) -> Solid {
    let frame = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
    Solid { body, frame, shape, friction, restitution, only: None }
}

/// Ground at z = 0, with gravity that leans by `slope` along x.
fn incline(slope: f64, friction: f64, restitution: f64) -> World {
    let mut world = World::new(G * Vector3::new(slope.sin(), 0.0, -slope.cos()));
    world.add_solid(solid(None, Shape::HalfSpace, friction, restitution)).unwrap();
    world
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / H).round() as usize {
        let report = world.step(H).unwrap();
        assert!(report.residual.max() < 1e-9, "{report:?}");
    }
}

fn methods() -> [Method; 2] {
    [Method::Direct, Method::Sweeps { limit: 10_000 }]
}

/// Holds exactly below the limit of friction, and slides at g (sin θ − μ cos θ) above.
#[test]
fn a_block_on_an_incline_holds_or_slides() {
    for (method, slope) in methods().into_iter().flat_map(|m| [(m, 0.4_f64), (m, 0.6)]) {
        let mut world = incline(slope, 0.5, 0.0);
        world.settings.method = method;
        let size = Vector3::new(0.6, 0.4, 0.2);
        let body = Body::cuboid(2.0, size).at(Vector3::new(0.0, 0.0, 0.1));
        world.add_body(body).unwrap();
        world.add_solid(solid(Some(0), Shape::Box { size }, 0.5, 0.0)).unwrap();
        run(&mut world, 0.3);
        let a = G * (slope.sin() - 0.5 * slope.cos());
        let expected = if a > 0.0 { 0.3 * a } else { 0.0 };
        let linear = world.bodies()[0].linear;
        assert!((linear - expected * Vector3::x()).norm() < 1e-7, "{method:?} {linear}");
    }
}

/// A solid ball rolls down 15° at (5/7) g sin 15°.
#[test]
fn a_ball_rolls_down() {
    for method in methods() {
        let slope = 15_f64.to_radians();
        let mut world = incline(slope, 0.5, 0.0);
        world.settings.method = method;
        world.add_body(Body::ball(3.0, 0.2).at(Vector3::new(0.0, 0.0, 0.2))).unwrap();
        world.add_solid(solid(Some(0), Shape::Ball { radius: 0.2 }, 0.5, 0.0)).unwrap();
        run(&mut world, 0.5);
        let ball = &world.bodies()[0];
        let expected = 0.5 * 5.0 / 7.0 * G * slope.sin();
        assert!((ball.linear.x - expected).abs() < 1e-7, "{method:?}");
        assert!((ball.angular.y - expected / 0.2).abs() < 1e-6, "{method:?}");
    }
}

/// Falls from 1 m and comes back at e times the speed, to first order in the step.
#[test]
fn a_ball_bounces() {
    let mut world = incline(0.0, 0.0, 0.8);
    world.add_body(Body::ball(1.0, 0.1).at(Vector3::new(0.0, 0.0, 1.1))).unwrap();
    world.add_solid(solid(Some(0), Shape::Ball { radius: 0.1 }, 0.0, 0.8)).unwrap();
    run(&mut world, 0.46);
    let fall = f64::sqrt(2.0 * G);
    let expected = 0.8 * fall - G * (0.46 - fall / G);
    assert!((world.bodies()[0].linear.z - expected).abs() < 0.05);
}

/// Three equal balls in a row that touch, one of them hit: (−⅓, ⅔, ⅔) of its speed by Newton's law.
#[test]
fn touching_balls_part_by_newtons_law() {
    for method in methods() {
        let mut world = World::new(Vector3::zeros());
        world.settings.method = method;
        for k in 0..3 {
            world.add_body(Body::ball(1.0, 0.1).at(Vector3::x() * 0.2 * f64::from(k))).unwrap();
            world
                .add_solid(solid(Some(k as usize), Shape::Ball { radius: 0.1 }, 0.0, 1.0))
                .unwrap();
        }
        world.bodies_mut()[0].linear.x = 1.0;
        world.step(H).unwrap();
        for (ball, expected) in world.bodies().iter().zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
            assert!((ball.linear.x - expected).abs() < 1e-8, "{method:?} {}", ball.linear.x);
        }
    }
}

/// A pile of balls in a funnel falls together and comes to rest: no ball leaves, none sinks in.
#[test]
fn a_pile_of_balls_comes_to_rest() {
    let mut world = incline(0.0, 0.5, 0.0);
    world.settings.method = Method::Sweeps { limit: 400 };
    world.settings.tolerance = 1e-3;
    for k in 0..4 {
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), f64::from(k) * FRAC_PI_2);
        let lean = Rotation3::from_axis_angle(&Vector3::y_axis(), 0.9);
        let rotation = (turn * lean).into_inner();
        let frame = Pose { rotation, position: turn * Vector3::x() * -0.5 };
        world.add_solid(Solid { frame, ..solid(None, Shape::HalfSpace, 0.5, 0.0) }).unwrap();
    }
    for k in 0..27_usize {
        let [x, y, z] = [k % 3, k / 3 % 3, k / 9].map(|x| x as f64);
        let place = Vector3::new(0.23 * (x - 1.0) + 0.01 * z, 0.23 * (y - 1.0), 0.15 + 0.22 * z);
        world.add_body(Body::ball(1.0, 0.1).at(place)).unwrap();
        world.add_solid(solid(Some(k), Shape::Ball { radius: 0.1 }, 0.5, 0.0)).unwrap();
    }
    let mut error: f64 = 0.0;
    for step in 0..400 {
        let report = world.step(5e-3).unwrap();
        if step > 200 {
            error = error.max(report.error);
        }
    }
    let energy = world.kinetic_energy();
    println!("{error:e} m deep, {energy:e} J");
    assert!(error < 1e-3 && energy < 1e-2);
    assert!(world.bodies().iter().all(|ball| (0.0999..1.0).contains(&ball.position.z)));
}
