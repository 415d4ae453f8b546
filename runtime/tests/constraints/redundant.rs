//! Rows that depend on one another on the manifold of the constraint, and nearly so beside it.

use core::f64::consts::FRAC_PI_2;

use jourdain::constrained::{Actuation, Assembly, Constrained};
use jourdain::contact::{Conditions, Transition, residual};
use jourdain::kkt::{Dense, Method};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector2, vector};

use crate::mobility::{Bricard, FourRows};

type Q = SVector<f64, 5>;

/// The closed configuration with θ = −φ, a right angle.
fn closed() -> Q {
    let guess = vector![FRAC_PI_2, -FRAC_PI_2, FRAC_PI_2, -FRAC_PI_2, FRAC_PI_2];
    let weights = Assembly::Weights(&[1.0, 0.0, 0.0, 0.0, 0.0]);
    Constrained::new(Bricard).assemble(&guess, weights, 0.0).unwrap().value
}

/// (1 + cos θ) (1 + cos φ) − 1, zero for a linkage that is closed.
fn relation(q: &Q) -> f64 {
    (1.0 + q[0].cos()) * (1.0 + q[1].cos()) - 1.0
}

/// Falls from there for some seconds in steps of `h`; what the residual, recomputed, and the relation are at
/// most, and the fastest coordinate.
fn fall(start: Q, seconds: f64, h: f64) -> [f64; 3] {
    let mut simulation = Simulation::new(Bricard).unwrap().step_size(h).unwrap();
    simulation.reset(start, Q::zeros()).unwrap();
    let mut most = [0.0_f64; 3];
    for _ in 0..(seconds / h) as usize {
        let State { time, q, v } = simulation.current().clone();
        simulation.step(&SVector::zeros()).unwrap();
        let step = Transition {
            conditions: &Conditions { symplectic: true, ..Conditions::default() },
            time,
            step_size: h,
            q: &q,
            v: &v,
            force: &Q::zeros(),
            v_next: &simulation.current().v,
            impulse: simulation.impulse(),
        };
        let found = [
            residual(&Bricard, &step).max(),
            relation(&simulation.current().q).abs(),
            simulation.current().v.amax(),
        ];
        most.iter_mut().zip(found).for_each(|(most, found)| *most = most.max(found));
    }
    most
}

/// The fifth row is redundant, and stays it: the linkage moves, and stays closed, for as long as wanted.
#[test]
fn a_linkage_with_a_redundant_row_moves_at_any_step_size() {
    let seconds = if cfg!(debug_assertions) { 2.0 } else { 20.0 };
    for h in [1e-3, 5e-3, 2e-2] {
        let [residual, relation, fastest] = fall(closed(), seconds, h);
        assert!(residual < 1e-10 && relation < 1e-10, "{h}: {residual:e} {relation:e}");
        assert!((1.0..20.0).contains(&fastest), "{h}: {fastest}");
    }
}

/// Beside the manifold the fifth row is slightly independent, by as much as it is away; it must not hold the
/// free motion.
#[test]
fn a_start_beside_the_manifold_is_brought_onto_it() {
    let fastest = fall(closed(), 1.0, 1e-3)[2];
    for away in [1e-9, 1e-7, 1e-5, 1e-4] {
        let start = closed() + vector![0.3, -0.7, 0.2, 0.9, -0.5] * away;
        let [residual, _, other] = fall(start, 1.0, 1e-3);
        assert!(residual < 1e-10, "{away}: {residual:e}");
        assert!((other - fastest).abs() < 20.0 * away, "{away}: {other} {fastest}");
    }
}

/// Beside the manifold, too, accelerations are those of the free motion: as near to those on it as the
/// configuration is.
#[test]
fn accelerations_beside_the_manifold_are_near_to_those_on_it() {
    let mut held = Constrained::new(Bricard);
    let v = held.assemble_velocity(&closed(), &Q::x(), Assembly::Mass, 0.0).unwrap().value;
    let expected = held.forward_dynamics(&closed(), &v, &Q::zeros(), 0.0).unwrap();
    assert!(expected.amax() > 0.5 && held.report().unwrap().rank == 4);
    for away in [1e-10, 1e-8, 1e-6, 1e-4, 1e-3] {
        let q = closed() + vector![0.3, -0.7, 0.2, 0.9, -0.5] * away;
        let found = held.forward_dynamics(&q, &v, &Q::zeros(), 0.0).unwrap();
        assert!((found - expected).amax() < 1e-9 + 50.0 * away, "{away}: {found} {expected}");
        let tau =
            held.inverse_dynamics(&q, &v, &found, 0.0, &Actuation::full::<Bricard>()).unwrap();
        assert!(tau.miss < 1e-9, "{away}: {}", tau.miss);
    }
}

/// Without the redundant row the linkage moves alike.
#[test]
fn a_redundant_row_changes_no_motion() {
    let mut with = Simulation::new(Bricard).unwrap().state(closed(), Q::zeros()).unwrap();
    let mut without = Simulation::new(FourRows).unwrap().state(closed(), Q::zeros()).unwrap();
    for _ in 0..300 {
        with.step(&SVector::zeros()).unwrap();
        without.step(&SVector::zeros()).unwrap();
        let apart = with.current().q - without.current().q;
        assert!(apart.amax() < 1e-8, "{apart}");
    }
    assert!(with.current().v.amax() > 0.1);
}

/// A four-bar whose bars can all lie in one line, a + b = c + d, where its two ways of moving meet: there it
/// loses rank.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(crank, mass = 1, com = [0.25, 0, 0], inertia = [0.02, 0.02, 0.02]),
    joint(a, revolute(world -> crank), axis = [0, 1, 0]),
    link(coupler, mass = 1, com = [0.6, 0, 0], inertia = [0.01, 0.12, 0.12]),
    joint(b, revolute(crank -> coupler), at = [0.5, 0, 0], axis = [0, 1, 0]),
    link(rocker, mass = 1, com = [0.4, 0, 0], inertia = [0.05, 0.05, 0.05]),
    joint(c, revolute(world -> rocker), at = [1, 0, 0], axis = [0, 1, 0]),
    closure(tip, a = coupler @ [1.2, 0, 0], b = rocker @ [0.7, 0, 0], axes = [x, z]),
)]
struct Foldable;

#[test]
fn steps_pass_a_singular_position() {
    let weights = Assembly::Weights(&[1.0, 0.0, 0.0]);
    let mut held = Constrained::new(Foldable);
    let q = held.assemble(&vector![-1.0, 1.0, -1.0], weights, 0.0).unwrap().value;
    for (speed, h) in [(1.0, 1e-3), (7.3, 1e-3), (7.3, 1e-4), (7.3, 1e-2)] {
        let v = held.assemble_velocity(&q, &vector![speed, 0.0, 0.0], weights, 0.0).unwrap().value;
        let mut simulation =
            Simulation::new(Foldable).unwrap().step_size(h).unwrap().state(q, v).unwrap();
        let start = Foldable.kinetic_energy(&q, &v);
        let mut passed = 0;
        for _ in 0..(1.5 / h) as usize {
            let before = simulation.current().q[0];
            simulation.step(&SVector::<f64, 0>::zeros()).unwrap();
            let State { q, v, .. } = simulation.current();
            let turn = core::f64::consts::TAU;
            passed += usize::from((before / turn).floor() != (q[0] / turn).floor());
            let closed: Vector2<f64> = Foldable.constraint(q, 0.0);
            assert!(closed.amax() < 1e-9, "{closed}");
            // Of first order in the step.
            let drift = Foldable.kinetic_energy(q, v) / start - 1.0;
            assert!(drift.abs() < 2.0 * h * speed, "{h}, {speed}: {drift}");
        }
        assert!(passed > 0);
    }
}

/// Two cranks whose tips slide on walls that they just reach, one of them a millionth of the other's size.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(crank, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(a, revolute(world -> crank), axis = [0, 1, 0]),
    link(tiny, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(b, revolute(crank -> tiny), at = [1, 0, 0], axis = [0, 1, 0]),
    point_on_plane(wall, a = world @ [side, 0, 0], b = crank @ [1, 0, 0], normal = [1, 0, 0]),
    constraint(small, h = 1e-6 * sin(b)),
)]
struct Reaching {
    side: f64,
}

/// At θ = 0 the row of the wall is zero, at θ = π it is sin π, 1.2e-16, which must not hold the crank; and a
/// row of 1e-6 counts.
#[test]
fn rows_that_vanish_but_for_rounding_hold_nothing() {
    let (still, tau) = (SVector::<f64, 2>::zeros(), vector![1.0, -2.0]);
    let found = [(1.0, 0.0), (-1.0, core::f64::consts::PI), (-1.0, -101.0 * core::f64::consts::PI)];
    let found = found.map(|(side, angle)| {
        let mut cranks = Constrained::new(Reaching { side });
        let v_dot = cranks.forward_dynamics(&vector![angle, 0.0], &still, &tau, 0.0).unwrap();
        assert_eq!(cranks.report().unwrap().rank, 1, "{angle}");
        assert!(cranks.multipliers()[0] == 0.0 && v_dot[1].abs() < 1e-12, "{angle}: {v_dot}");
        v_dot
    });
    assert!(found[0][0].abs() > 0.1);
    assert!(found.iter().all(|v_dot| (v_dot - found[0]).amax() < 1e-12), "{found:?}");
}

/// A slide of many tons, and a light one on it that falls; the second row is the first, and so leaves it free.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(cart, mass = m),
    joint(x, prismatic(world -> cart), axis = [1, 0, 0]),
    link(weight, mass = 1),
    joint(z, prismatic(cart -> weight), axis = [0, 0, 1]),
    constraint(stay, h = x),
    constraint(again, h = x * (1 + z)),
)]
struct Slides {
    m: f64,
}

/// In the metric of M⁻¹ the rows are more independent than in coordinates, by the root of the ratio of masses.
#[test]
fn a_light_coordinate_stays_free_beside_the_manifold() {
    let still = SVector::zeros();
    for mass in [1.0, 200.0, 1e4, 1e8] {
        let falls = |q: SVector<f64, 2>, method: Method| {
            let mut slides = Constrained::new(Slides { m: mass }).method(method);
            let v_dot = slides.forward_dynamics(&q, &still, &still, 0.0);
            let v_dot = v_dot.unwrap_or_else(|error| panic!("{mass}, {q}, {method:?}: {error}"));
            // The row that is left is turned by the error, and what holds the cart acts along it.
            let turned = q[0].abs() + 10.0 * mass * q[0] * q[0];
            let wrong = (v_dot[1] + 9.81).abs();
            assert!(wrong < 1e-9 + turned, "{mass}, {q}, {method:?}: {v_dot}");
        };
        for x in [0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3] {
            for method in [Method::Adaptive, Method::NullSpace, Method::Direct(Dense::Svd)] {
                falls(vector![x, 0.0], method);
                falls(vector![-x, 0.3], method);
            }
        }
        // What brings the cart back acts along the turned row, and so the more on the weight the heavier it is.
        let turned = 2.0 * 1e-4 * 0.1 * mass;
        if turned > 0.1 {
            continue;
        }
        let start = (vector![1e-4, 0.0], vector![0.0, 1.0]);
        let mut simulation = Simulation::new(Slides { m: mass }).unwrap();
        simulation = simulation.state(start.0, start.1).unwrap();
        simulation.step(&SVector::zeros()).unwrap();
        let State { q, v, .. } = simulation.current();
        assert!((v[1] - (1.0 - 9.81e-3)).abs() < turned && q[0].abs() < 1e-9, "{mass}: {q} {v}");
    }
}
