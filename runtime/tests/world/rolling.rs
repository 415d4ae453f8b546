//! Balls that roll to a stop.

use jourdain::contact::{Error, Ground, Todorov};
use jourdain::prelude::*;
use jourdain::world::{Body, BodyId, WorldError};
use nalgebra::Vector3;

const G: f64 = 9.81;
const R: f64 = 0.03;
const MU: f64 = 0.4;
const RHO: f64 = 1e-4;

/// The deceleration of a full ball that rolls.
const RATE: f64 = 5.0 / 7.0 * RHO * G / R;

fn ball(rolling: f64) -> Body {
    let ball = Body::ball(R).unwrap().mass(0.17).unwrap().friction(MU).unwrap();
    ball.rolling(rolling).unwrap()
}

fn cloth() -> Ground {
    Ground::plane(Vector3::z(), 0.0, MU, 0.0).unwrap().rolling(RHO).unwrap()
}

/// Rolling along x and y.
fn roll(world: &mut World, id: BodyId, [x, y]: [f64; 2]) {
    let pose = world.pose(id).unwrap();
    let spin = Vector3::new(-y, x, 0.0) / R;
    world.move_body(id, &pose, [Vector3::new(x, y, 0.0), spin]).unwrap();
}

fn speed(world: &World, id: BodyId) -> f64 {
    world.velocity(id).unwrap()[0].norm()
}

#[test]
fn a_ball_stops_on_the_ground_of_the_world() {
    let mut world = World::new().ground(cloth());
    let id = world.add_body("ball", &ball(0.0), &Pose::at(0.0, 0.0, R)).unwrap();
    roll(&mut world, id, [0.03, 0.04]);
    for k in 1..=4 {
        let report = world.run(0.2).unwrap();
        assert!(report.residual.max() < 1e-9);
        let left = 0.05 - 0.2 * f64::from(k) * RATE;
        assert!((speed(&world, id) - left).abs() < 1e-9, "{}", speed(&world, id));
        let moment = world.contacts().next().unwrap().rolling;
        let expected = Vector3::new(0.8, -0.6, 0.0) * (RHO * 0.17 * G);
        assert!((moment - expected).norm() < 1e-9, "{moment}");
    }
    world.run(0.05 / RATE).unwrap();
    let before = world.pose(id).unwrap().position;
    world.run(1.0).unwrap();
    assert!(speed(&world, id) < 1e-12 && (world.pose(id).unwrap().position - before).norm() < 1e-9);
}

/// Each coefficient is √(ab) of both solids.
#[test]
fn a_ball_stops_on_a_table() {
    let mut world = World::new();
    let table = Body::cuboid([2.0, 1.0, 0.1]).unwrap().friction(MU).unwrap();
    let table = table.rolling(4.0 * RHO).unwrap();
    world.fix("table", &table, &Pose::at(0.0, 0.0, -0.05)).unwrap();
    let id = world.add_body("ball", &ball(0.25 * RHO), &Pose::at(0.0, 0.0, R)).unwrap();
    roll(&mut world, id, [0.05, 0.0]);
    assert!(world.run(0.5).unwrap().residual.max() < 1e-9);
    assert!((speed(&world, id) - (0.05 - 0.5 * RATE)).abs() < 1e-9, "{}", speed(&world, id));
}

/// Balls that hit each other turn each other as much as they are turned, and all come to rest.
#[test]
fn what_hits_each_other_comes_to_rest() {
    let mut world = World::new().ground(Ground::plane(Vector3::z(), 0.0, MU, 0.0).unwrap());
    let place = |x: f64| Pose::at(x, 0.0, R);
    let cue = world.add_body("cue", &ball(1e-3), &place(0.0)).unwrap();
    let balls = [0.1, 0.17, 0.24]
        .map(|x| world.add_body(format!("ball {x}"), &ball(1e-3), &place(x)).unwrap());
    world.move_body(cue, &place(0.0), [Vector3::x(), Vector3::zeros()]).unwrap();
    let mut last = world.energy();
    for _ in 0..20 {
        let report = world.run(0.02).unwrap();
        assert!(report.residual.max() < 1e-9);
        let energy = world.energy();
        assert!(energy <= last + 1e-12, "{energy} {last}");
        last = energy;
    }
    assert!(balls.iter().all(|id| speed(&world, *id) > 1e-3));
    let mut world = world.ground(cloth().rolling(1e-2).unwrap());
    world.run(3.0).unwrap();
    assert!(balls.iter().all(|id| speed(&world, *id) < 1e-9));
}

#[test]
fn laws_without_it_say_whose_it_is() {
    let law = Formulation::Todorov(Todorov::default());
    let refused = |world: &mut World, whose: &str| {
        let error = world.step().unwrap_err();
        let is_it =
            |error: &Error| matches!(error, Error::NotOffered { what: "rolling resistance", .. });
        let WorldError::Refused { name, error } = error else { panic!("{error}") };
        assert!(name == whose && is_it(&error), "{name}: {error}");
    };
    let mut world = World::new().formulation(law).ground(cloth());
    world.add_body("ball", &ball(0.0), &Pose::at(0.0, 0.0, R)).unwrap();
    refused(&mut world, "ground");
    let mut world = World::new().formulation(law);
    world.add_body("ball", &ball(RHO), &Pose::at(0.0, 0.0, R)).unwrap();
    refused(&mut world, "ball");
    assert!(matches!(Body::ball(R).unwrap().rolling(-1.0), Err(WorldError::Number { .. })));
}

/// Islands with rolling resistance are solved by rows. Two balls that collide a metre away change no bit of how two collide here.
#[test]
fn what_rolls_elsewhere_changes_nothing() {
    let run = |count: usize| {
        let mut world = World::new().ground(cloth());
        let ids: Vec<_> = (0..count)
            .map(|k| {
                let (x, y) = (if k % 2 == 0 { 0.0 } else { 2.0 * R }, (k / 2) as f64);
                world.add_body(format!("ball {k}"), &ball(RHO), &Pose::at(x, y, R)).unwrap()
            })
            .collect();
        for (k, &id) in ids.iter().enumerate() {
            roll(&mut world, id, [0.2 - 0.3 * (k % 2) as f64, 0.01 * k as f64]);
        }
        for _ in 0..100 {
            let report = world.step().unwrap();
            assert!(report.residual.max() < 1e-9, "{report:?}");
        }
        [ids[0], ids[1]].map(|id| (world.pose(id).unwrap(), world.velocity(id).unwrap()))
    };
    assert_eq!(run(2), run(4));
}
