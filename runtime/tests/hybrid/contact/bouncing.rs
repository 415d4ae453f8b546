//! What bounces.

use jourdain::hybrid::contact::{Guard, Mode};
use jourdain::hybrid::{Cause, Event, Saltation};
use jourdain::integrate::{Phase, Space};
use jourdain::prelude::*;
use nalgebra::vector;

use super::nothing;

const G: f64 = 9.81;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 2),
    joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
    contact(ground, on = ball, restitution = e),
)]
struct Ball {
    e: f64,
}

/// A point bounces infinitely often, and then rests.
#[test]
fn bounces_come_to_their_limit() {
    for e in [0.9, 0.5, 0.1] {
        let mut ball = HybridSimulation::new(Ball { e }).unwrap();
        ball = ball.tolerance(1e-10).unwrap().state(vector![1.0], vector![0.0]).unwrap();
        ball.run(10.0, nothing).unwrap();
        let (first, events) = ((2.0 / G).sqrt(), ball.events());
        let mut time = first;
        let mut flight = 2.0 * first;
        for event in &events[..12.min(events.len() - 1)] {
            assert!((event.time() - time).abs() < 1e-9, "{} {time}", event.time());
            assert!((event.phase_after.v[0] + e * event.phase_before.v[0]).abs() < 1e-12);
            flight *= e;
            time += flight;
        }
        let limit = first * (1.0 + e) / (1.0 - e);
        let Cause::Accumulation(end) = &events.last().unwrap().cause else { panic!() };
        assert!((end.time - limit).abs() < 1e-9, "{e}: {} {limit}", end.time);
        assert_eq!(ball.mode_name(), "ground closed");
        assert!(ball.current().q[0].abs() < 1e-9 && ball.current().v[0].abs() < 1e-9);
    }
}

/// Two balls on lines of their own.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1),
    joint(x, prismatic(world -> a), axis = [0, 0, 1], passive),
    link(b, mass = 1),
    joint(y, prismatic(world -> b), axis = [0, 0, 1], passive),
    contact(slow, on = a, restitution = 0.5),
    contact(fast, on = b, restitution = 0.9),
)]
struct Balls;

/// What strikes fast as something else comes to rest rebounds.
#[test]
fn rest_takes_nothing_from_others() {
    let run = |height: f64, duration: f64| {
        let balls = HybridSimulation::new(Balls).unwrap();
        let mut balls = balls.state(vector![0.1, height], vector![0.0, 0.0]).unwrap();
        balls.run(duration, nothing).unwrap();
        balls
    };
    let is_rest = |event: &&Event<Mode>| matches!(event.cause, Cause::Accumulation(_));
    let apart = run(2.0, 0.5);
    let rest = apart.events().iter().find(is_rest).unwrap().time();
    for above in [2e-10, 5e-10, 1e-9] {
        let balls = run(0.5 * G * rest * rest + above, rest + 0.01);
        assert_eq!(balls.mode_name(), "slow closed, fast open");
        let last = balls.events().last().unwrap();
        assert!(is_rest(&last) && balls.guards(last) == [Guard::Gap(0)], "{last:?}");
        let speed = 0.9 * G * rest - 0.01 * G;
        assert!((balls.current().v[1] - speed).abs() < 1e-7, "{above}: {}", balls.current().v);
    }
}

/// A run that ends where an impact is about to be goes on with it.
#[test]
fn runs_may_end_at_impacts() {
    let first = (2.0 / G).sqrt();
    for ulps in [-4.0, -1.0, 0.0, 1.0] {
        let mut ball = HybridSimulation::new(Ball { e: 0.9 }).unwrap();
        ball = ball.state(vector![1.0], vector![0.0]).unwrap();
        ball.run(first * (1.0 + ulps * f64::EPSILON), nothing).unwrap();
        ball.run(0.1, nothing).unwrap();
        let speed = 0.9 * first * G - 0.1 * G;
        assert!((ball.current().v[0] - speed).abs() < 1e-9, "{ulps}: {}", ball.current().v[0]);
    }
}

/// A user's guard marks the top of each flight; one with a reset throws the ball up again.
#[test]
fn users_have_guards_of_their_own() {
    let mut ball = HybridSimulation::new(Ball { e: 0.5 }).unwrap();
    ball = ball
        .guard("top", |state| state.v[0])
        .guard_with_reset("kick", |state| 0.5 - state.time, |state| (state.q, vector![3.0]))
        .state(vector![1.0], vector![1.0])
        .unwrap();
    ball.run(1.0, nothing).unwrap();
    let guards: Vec<_> = ball.events().iter().map(|event| ball.guards(event)).collect();
    assert_eq!(guards, [[Guard::Mark(0)], [Guard::Mark(1)], [Guard::Mark(0)]]);
    let times: Vec<f64> = ball.events().iter().map(|event| event.time()).collect();
    for (time, expected) in times.into_iter().zip([1.0 / G, 0.5, 0.5 + 3.0 / G]) {
        assert!((time - expected).abs() < 1e-12);
    }
    let height = 1.0 + 0.5 - 0.5 * G * 0.25 + 3.0 * 0.5 - 0.5 * G * 0.25;
    assert!((ball.current().q[0] - height).abs() < 1e-12);
    assert!(ball.export().contains("kick"));
}

/// Without loss it bounces on and on.
#[test]
fn elastic_impacts_keep_energy() {
    let mut ball = HybridSimulation::new(Ball { e: 1.0 }).unwrap();
    ball = ball.state(vector![1.0], vector![0.5]).unwrap();
    let energy = ball.energy();
    ball.run(50.0, nothing).unwrap();
    assert!(ball.events().len() > 50 && (ball.energy() - energy).abs() < 1e-7);
}

/// Derivatives through an impact are those of any automaton: S = [−e 0; −(1 + e) g / v⁻ −e].
#[test]
fn an_impact_has_its_saltation_matrix() {
    let (e, v) = (0.7, -2.0);
    let mut ball = HybridSimulation::new(Ball { e }).unwrap();
    ball = ball.state(vector![1.0], vector![0.0]).unwrap();
    ball.run(0.01, nothing).unwrap();
    let mode = ball.mode().unwrap().clone();
    let mut automaton = ball.automaton(nothing);
    let guard = automaton.id(Guard::Gap(0));
    let before = Phase { time: 0.3, q: vec![0.0], v: vec![v], z: vec![] };
    let space = Space::of::<Ball>(0);
    let (saltation, _, after) =
        Saltation::of(&mut automaton, &space, &mode, guard, &before).unwrap();
    assert!((after.v[0] + e * v).abs() < 1e-14);
    let expected = [[-e, 0.0], [-(1.0 + e) * G / v, -e]];
    for (i, row) in expected.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            assert!((saltation.matrix[(i, j)] - entry).abs() < 1e-7, "{}", saltation.matrix);
        }
    }
}

/// A ball without friction that spins while it bounces, in axes that turn.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1, inertia = [4e-3, 4e-3, 4e-3]),
    joint(free, floating(world -> ball)),
    contact(ground, on = ball, sphere = 0.1, restitution = 0.7),
)]
struct Spinning;

#[test]
fn what_comes_to_rest_flies_on() {
    for tolerance in [1e-6, 1e-9] {
        let mut ball = HybridSimulation::new(Spinning).unwrap().tolerance(tolerance).unwrap();
        let q = vector![0.0, 0.0, 0.6, 0.0, 0.0, 0.0, 1.0];
        ball = ball.state(q, vector![3.0, 0.0, 0.0, 0.0, 200.0, 0.0]).unwrap();
        ball.run(3.0, nothing).unwrap();
        assert_eq!(ball.mode_name(), "ground closed");
        let q = ball.current().q;
        assert!((q[0] - 9.0).abs() < 1e3 * tolerance, "{tolerance:e}: {}", q[0] - 9.0);
        assert!((q[2] - 0.1).abs() < 1e2 * tolerance, "{tolerance:e}: {}", q[2] - 0.1);
        let kinetic = ball.model().kinetic_energy(&q, &ball.current().v);
        let error = kinetic / (0.5 * 9.0 + 0.5 * 4e-3 * 200.0 * 200.0) - 1.0;
        assert!(error.abs() < 1e3 * tolerance, "{tolerance:e}: {error:e}");
    }
}
