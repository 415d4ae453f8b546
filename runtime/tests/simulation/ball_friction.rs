//! Dry friction of ball joints: ‖τ‖ ≤ c, against ω, whatever the axes of the joint are.

use jourdain::contact::{Formulation, Transition, residual};
use jourdain::maximal::{Method, World};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

use crate::every_formulation;

/// A body that turns about its centre, alike about all axes.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 1, inertia = [0.2, 0.2, 0.2]),
    joint(socket, spherical(world -> body), friction = c, actuated),
    kernels(regressor),
)]
struct Ball {
    c: f64,
}

/// Uneven bodies on two sockets with a foot that touches.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -10],
    link(upper, mass = 1, com = [0.1, 0, -0.2], inertia = [0.02, 0.03, 0.015]),
    joint(hip, spherical(world -> upper), at = [0, 0, 0.77], friction = 0.3),
    link(lower, mass = 0.7, com = [0, 0.05, -0.2], inertia = [0.01, 0.02, 0.012]),
    joint(knee, spherical(upper -> lower), at = [0, 0, -0.4], friction = 0.2),
    contact(foot, on = lower, at = [0, 0, -0.4], friction = 0.6),
)]
struct Leg;

const AXES: [[f64; 3]; 4] = [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, -1.0, 0.0], [0.3, 0.5, -0.8]];
const C: f64 = 0.5;
const INERTIA: f64 = 0.2;

fn axis(k: usize) -> Vector3<f64> {
    Vector3::from(AXES[k]).normalize()
}

fn upright() -> SVector<f64, 4> {
    vector![0.0, 0.0, 0.0, 1.0]
}

fn idle(_: &State<Ball>) -> SVector<f64, 3> {
    SVector::zeros()
}

fn is_round(law: &Formulation) -> bool {
    let polygons = ["StewartTrinkle", "AnitescuPotra", "Anitescu(", "Pyramid"];
    !polygons.iter().any(|name| format!("{law:?}").contains(name))
}

/// ω̇ = −c/I about any axis; laws by polygons are exact along the diagonals of their cube, and a tenth off at most.
#[test]
fn a_ball_is_slowed_down_alike_about_all_axes() {
    for law in every_formulation() {
        for k in 0..AXES.len() {
            let mut simulation =
                Simulation::new(Ball { c: C }).unwrap().formulation(law).step_size(1e-3).unwrap();
            simulation = simulation.state(upright(), 3.0 * axis(k)).unwrap();
            simulation.run(0.4, idle).unwrap();
            let v = simulation.current().v;
            let loss = (3.0 - v.dot(&axis(k))) / (0.4 * C / INERTIA);
            let most = if is_round(&law) || k < 3 { 1.0 } else { 1.094 };
            assert!((1.0 - 1e-9..most + 1e-9).contains(&loss), "{law:?}, {k}: {loss}");
            if is_round(&law) {
                let aside = (v - axis(k) * v.dot(&axis(k))).norm();
                assert!(aside < 1e-9, "{law:?}, {k}: {aside:e}");
            }
        }
    }
}

/// A moment within the ball is held, one outside of it turns the body by what it is too much, though each of its
/// components alone would be held.
#[test]
fn a_ball_gives_way_to_a_moment_by_its_size() {
    for law in every_formulation() {
        for k in 0..AXES.len() {
            for share in [0.97, 1.3] {
                let moment = share * C * axis(k);
                let push = move |_: &State<Ball>| moment;
                let simulation = Simulation::new(Ball { c: C }).unwrap().formulation(law);
                let mut simulation = simulation.state(upright(), Vector3::zeros()).unwrap();
                simulation.run(0.1, push).unwrap();
                let turned = simulation.current().v.dot(&axis(k)) * INERTIA / (0.1 * C);
                let expected = (share - 1.0).max(0.0);
                let error = if is_round(&law) || k < 3 { 1e-9 } else { 0.095 };
                assert!((turned - expected).abs() < error, "{law:?}, {k}, {share}: {turned}");
            }
        }
    }
}

/// What all others do.
#[test]
fn all_mechanics_have_the_same_ball() {
    for k in 0..AXES.len() {
        let start = (upright(), 3.0 * axis(k));
        let expected = (3.0 - 0.4 * C / INERTIA) * axis(k);
        let ball = Ball { c: C };
        let mut variational = Variational::new(ball).unwrap().state(start.0, start.1).unwrap();
        variational.run(0.4, idle).unwrap();
        let error = (variational.current().v - expected).norm();
        assert!(error < 1e-9, "{k}: {error:e}");

        let compliant = CompliantSimulation::new(ball).unwrap();
        let mut compliant = compliant.state(start.0, start.1).unwrap();
        compliant.run(0.4, idle).unwrap();
        let error = (compliant.current().v - expected).norm();
        assert!(error < 1e-4, "{k}: {error:e}");

        for method in [Method::Direct, Method::Newton { limit: 50 }, Method::Sweeps { limit: 500 }]
        {
            let mut world = World::of(ball, &start.0, &start.1).unwrap();
            world.settings.method = method;
            for _ in 0..400 {
                world.step(1e-3).unwrap();
            }
            let error = (world.bodies()[0].angular - expected).norm();
            assert!(error < 1e-8, "{method:?}, {k}: {error:e}");
        }
    }
}

/// Steps of what is coupled and touches satisfy their law, by the audit from their numbers alone.
#[test]
fn balls_are_audited_beside_contacts() {
    let mut seed = 7_u64;
    let mut number = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / f64::from(1_u32 << 23) - 1.0
    };
    for law in every_formulation() {
        let mut touched = 0;
        for _ in 0..12 {
            let (mut q, mut v) = (SVector::<f64, 8>::zeros(), SVector::<f64, 6>::zeros());
            q.iter_mut().for_each(|q| *q = 0.4 * number());
            (q[3], q[7]) = (1.0, 1.0);
            for part in [0, 4] {
                let size = q.fixed_rows::<4>(part).norm();
                q.fixed_rows_mut::<4>(part).unscale_mut(size);
            }
            v.iter_mut().for_each(|v| *v = 3.0 * number());
            let simulation = Simulation::new(Leg).unwrap().formulation(law);
            // A start in the ground is no scene.
            let mut simulation = simulation.step_size(2e-3).unwrap().state(q, v).unwrap();
            if simulation.gaps()[0] < 0.0 {
                continue;
            }
            for _ in 0..300 {
                let before = simulation.current().clone();
                simulation.step(&SVector::zeros()).unwrap();
                let step = Transition {
                    conditions: simulation.conditions(),
                    time: before.time,
                    step_size: simulation.time_step(),
                    q: &before.q,
                    v: &before.v,
                    force: &SVector::zeros(),
                    v_next: &simulation.current().v,
                    impulse: simulation.impulse(),
                };
                let left = residual(&Leg, &step).max();
                assert!(left < 1e-9, "{law:?}: {left:e}");
                touched += usize::from(simulation.impulse().normal[0] > 0.0);
            }
        }
        assert!(touched > 0, "{law:?}: {touched}");
    }
}
