//! Robots and states that are meant to break it: there is a solution whose residual is small, or an error with
//! the numbers, and then what was is as it was.

use jourdain::constrained::{Actuation, Assembly, Constrained, Error};
use jourdain::kkt::{Dense, Method};
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use crate::nearest::{FiveBars, Numbers};

/// Two cranks with gears in mesh, each driven at a rate of its own.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(first, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(one, revolute(world -> first), axis = [0, 1, 0]),
    link(second, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(two, revolute(world -> second), at = [1, 0, 0], axis = [0, 1, 0]),
    coupling(mesh, joint = two, to = one, multiplier = -2),
    drive(motor, joint = one, rate = fast),
    drive(brake, joint = two, rate = slow),
)]
struct Geared {
    fast: f64,
    slow: f64,
}

#[test]
fn drives_that_contradict_one_another_at_run_time() {
    let q = vector![0.1, -0.2];
    let robot = Geared { fast: 1.0, slow: -1.0 };
    let mut held = Constrained::new(robot);
    let guess = vector![0.5, 0.5];
    match held.assemble_velocity(&q, &guess, Assembly::Mass, 0.0) {
        Err(Error::Singular { rows: 3, rank: 2, violation }) => assert!(violation > 0.1),
        other => panic!("{other:?}"),
    }
    // In accelerations they agree: each rate is constant.
    let still = SVector::zeros();
    let v_dot = held.forward_dynamics(&q, &guess, &still, 0.0).unwrap();
    assert!(v_dot.amax() < 1e-12 && held.report().is_some_and(|report| report.violation < 1e-12));
    // An impact stops at what all three have least to say against, and tells how much is left.
    held.impact(&q, &guess, 0.0).unwrap();
    assert!(held.report().is_some_and(|report| report.rank == 2));

    let mut simulation = Simulation::new(robot).unwrap().state(q, still).unwrap();
    let before = simulation.current().clone();
    match simulation.step(&SVector::<f64, 0>::zeros()) {
        Err(SimulationError::Residual { residual, .. }) => assert!(residual.constraints > 0.01),
        other => panic!("{other:?}"),
    }
    assert_eq!((before.q, before.v, before.time), (q, still, simulation.current().time));
    assert_eq!(simulation.current().q, q);
    // Drives that agree are redundant, no more.
    let agreeing = Geared { fast: 1.0, slow: -2.0 };
    let mut simulation = Simulation::new(agreeing).unwrap().state(q, still).unwrap();
    simulation.run(1.0, |_: &State<Geared>| SVector::zeros()).unwrap();
    assert!((simulation.current().v - vector![1.0, -2.0]).amax() < 1e-12);
}

/// A crank with two drives, of which one at a time is to hold.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(crank, mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(pivot, revolute(world -> crank), axis = [0, 1, 0]),
    drive(work, joint = pivot, rate = fast),
    drive(home, joint = pivot, rate = -0.1),
)]
struct Switched {
    fast: f64,
}

#[test]
fn drives_of_one_joint_are_switched() {
    let mut held = Constrained::new(Switched { fast: 2.0 });
    let mut rate = |active: &str| {
        for name in ["work", "home"] {
            held.set_active(name, name == active).unwrap();
        }
        held.assemble_velocity(&vector![0.3], &vector![7.0], Assembly::Mass, 0.0).unwrap().value[0]
    };
    for (active, expected) in [("work", 2.0), ("home", -0.1), ("work", 2.0)] {
        assert!((rate(active) - expected).abs() < 1e-15, "{active}");
    }
}

/// A double crank whose links differ by orders of magnitude, closed with a rod.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(first, mass = near, com = [0.5, 0, 0], inertia = [near, near, near]),
    joint(one, revolute(world -> first), axis = [0, 1, 0]),
    link(second, mass = far, com = [0.5, 0, 0], inertia = [far, far, far]),
    joint(two, revolute(first -> second), at = [1, 0, 0], axis = [0, 1, 0]),
    link(third, mass = near, com = [0.5, 0, 0], inertia = [near, near, near]),
    joint(three, revolute(second -> third), at = [1, 0, 0], axis = [0, 1, 0]),
    rod(tie, a = world @ [1.5, 0, 1], b = third @ [1, 0, 0], length = 1),
)]
struct Uneven {
    near: f64,
    far: f64,
}

#[test]
fn masses_that_differ_by_a_million() {
    let numbers = &mut Numbers(9);
    let ratios = [(1.0, 1e6), (1e6, 1.0), (1.0, 1e-6), (1e-6, 1.0), (1e3, 1e-3), (1e-3, 1e3)];
    for (near, far) in ratios {
        let robot = Uneven { near, far };
        for _ in 0..10 {
            let mut held = Constrained::new(robot);
            let guess = vector![-0.5, 1.0, -1.0].map(|x| x + 0.2 * numbers.next());
            let q = held.assemble(&guess, Assembly::Weights(&[1.0; 3]), 0.0).unwrap().value;
            let v = SVector::from_fn(|_, _| numbers.next());
            let tau = robot.bias_force(&q, &v).map(|b| b * numbers.next());
            let expected = held.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
            let methods = [
                Method::NullSpace,
                Method::Direct(Dense::PivotedQr),
                Method::RangeSpace(Dense::Svd),
                Method::Articulated(Dense::Cholesky),
            ];
            for method in methods {
                let mut other = Constrained::new(robot).method(method);
                let found = other.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
                let wrong = (found - expected).amax() / (1.0 + expected.amax());
                assert!(wrong < 1e-7, "{near}, {far}, {method:?}: {wrong:e}");
                assert!(other.report().is_some_and(|report| report.residual <= 1e-9));
            }
            let mut simulation = Simulation::new(robot).unwrap().state(q, v * 0.1).unwrap();
            let report = simulation.run(0.05, |_: &State<Uneven>| SVector::zeros()).unwrap();
            assert!(report.residual.max() <= 1e-9, "{near}, {far}: {report:?}");
        }
    }
}

/// Nothing holds: it moves as if nothing were declared.
#[test]
fn all_rows_are_released() {
    let robot = FiveBars { first: 1.0, second: 0.8, third: 1.1, fourth: 0.9 };
    let mut held = Constrained::new(robot);
    held.set_active("tip", false).unwrap();
    let (q, v) = (vector![0.3, 0.7, -0.4, 1.1], vector![1.0, -2.0, 0.5, 0.2]);
    let tau = vector![1.0, 2.0, 3.0, 4.0];
    let v_dot = held.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
    assert!((v_dot - robot.forward_dynamics(&q, &v, &tau)).amax() < 1e-12);
    assert!(held.multipliers().is_empty() && held.constraint_force().amax() == 0.0);
    assert!((held.impact(&q, &v, 0.0).unwrap() - v).amax() < 1e-14);
    let support = held.inverse_dynamics(&q, &v, &v_dot, 0.0, &Actuation::full::<FiveBars>());
    assert!((support.unwrap().tau - tau).amax() < 1e-11);
    let found = held.assemble(&q, Assembly::Mass, 0.0).unwrap();
    assert!(found.value == q && found.is_nearest() && found.rank == 0 && found.residual == 0.0);
    let found = held.assemble_velocity(&q, &v, Assembly::Mass, 0.0).unwrap();
    assert!(found.value == v && found.is_nearest());
}

/// No joints, no constraints.
#[derive(Robot, Clone, Copy, Debug)]
#[robot()]
struct Nothing;

#[test]
fn of_nothing_there_is_a_motion() {
    let (mut held, none) = (Constrained::new(Nothing), SVector::<f64, 0>::zeros());
    assert_eq!(held.forward_dynamics(&none, &none, &none, 0.0).unwrap(), none);
    assert_eq!(held.impact(&none, &none, 0.0).unwrap(), none);
    let found = held.assemble(&none, Assembly::Weights(&[]), 0.0).unwrap();
    assert!(found.is_nearest() && found.rank == 0);
    assert!(held.assemble_velocity(&none, &none, Assembly::Mass, 0.0).is_ok());
    assert!(held.projection(&none, &none, 0.0).unwrap().inertia.is_empty());
    assert_eq!(held.project(&none, &none, 0.0).unwrap(), (none, none));
    let all = Actuation::full::<Nothing>();
    assert_eq!(held.inverse_dynamics(&none, &none, &none, 0.0, &all).unwrap().tau, none);
}

/// What is no number is named, and the last solution stays.
#[test]
fn numbers_that_are_none() {
    let robot = FiveBars { first: 1.0, second: 0.8, third: 1.1, fourth: 0.9 };
    let mut held = Constrained::new(robot);
    let guess = vector![1.5, -0.8, 1.9, 0.6];
    let q = held.assemble(&guess, Assembly::Mass, 0.0).unwrap().value;
    let (v, tau) = (SVector::<f64, 4>::zeros(), vector![1.0, 2.0, 3.0, 4.0]);
    held.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
    let last = (held.multipliers().to_vec(), held.report().unwrap(), held.constraint_force());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for k in 0..4 {
            let mut wrong = q;
            wrong[k] = bad;
            let named = |error: Error, quantity: &str| match error {
                Error::Model(ModelError::NotFinite { quantity: found, index, .. }) => {
                    assert!(found == quantity && index == k, "{found} {index}");
                }
                other => panic!("{other:?}"),
            };
            named(held.forward_dynamics(&wrong, &v, &tau, 0.0).unwrap_err(), "q");
            named(held.forward_dynamics(&q, &wrong, &tau, 0.0).unwrap_err(), "v");
            named(held.forward_dynamics(&q, &v, &wrong, 0.0).unwrap_err(), "tau");
            named(held.impact(&q, &wrong, 0.0).unwrap_err(), "v");
            named(held.projection(&q, &wrong, 0.0).unwrap_err(), "v");
            named(held.assemble(&wrong, Assembly::Mass, 0.0).unwrap_err(), "q");
            named(held.assemble_velocity(&q, &wrong, Assembly::Mass, 0.0).unwrap_err(), "v");
            named(held.project(&wrong, &v, 0.0).unwrap_err(), "q");
            let all = Actuation::full::<FiveBars>();
            named(held.inverse_dynamics(&q, &v, &wrong, 0.0, &all).unwrap_err(), "v_dot");
        }
        assert!(held.forward_dynamics(&q, &v, &tau, bad).is_err());
    }
    // Finite, but beyond what can be squared.
    for huge in [1e200, 1e308] {
        let v = SVector::repeat(huge);
        let error = held.forward_dynamics(&q, &v, &tau, 0.0).unwrap_err();
        assert!(matches!(error, Error::Unsolved(_)), "{error:?}");
    }
    let now = (held.multipliers().to_vec(), held.report().unwrap(), held.constraint_force());
    assert_eq!(now, last);
}

/// An assembly that fails leaves the last solution.
#[test]
fn a_linkage_that_cannot_be_closed() {
    let long = FiveBars { first: 0.1, second: 0.1, third: 0.1, fourth: 0.1 };
    let mut held = Constrained::new(long);
    let guess = vector![0.1, 0.2, 0.3, 0.4];
    let zero = SVector::zeros();
    held.forward_dynamics(&guess, &zero, &zero, 0.0).unwrap();
    let last = (held.multipliers().to_vec(), held.constraint_force());
    match held.assemble(&guess, Assembly::Mass, 0.0) {
        // The chains reach 0.2 m from points 1 m apart: 0.6 m are left, along both axes together.
        Err(Error::NotAssemblable { residual, constraints }) => {
            let share = residual / 0.6;
            assert!(share > 0.7 && share < 1.001 && constraints == ["tip"], "{residual}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((held.multipliers().to_vec(), held.constraint_force()), last);
}

/// One robot is asked for this and that: no answer is made of another state's, or of other rows'.
#[test]
fn answers_do_not_mix() {
    let robot = FiveBars { first: 1.0, second: 0.8, third: 1.1, fourth: 0.9 };
    let guesses = [vector![1.5, -0.8, 1.9, 0.6], vector![1.2, -0.5, 2.0, 0.4]];
    let (v, tau) = (SVector::<f64, 4>::zeros(), vector![1.0, 2.0, 3.0, 4.0]);
    let fresh = || Constrained::new(robot);
    let [q, other] = guesses.map(|q| fresh().assemble(&q, Assembly::Mass, 0.0).unwrap().value);
    let all = Actuation::full::<FiveBars>();
    let expected = fresh().inverse_dynamics(&other, &v, &v, 0.0, &all).unwrap();
    for method in [Method::Adaptive, Method::NullSpace] {
        let mut used = Constrained::new(robot).method(method);
        used.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
        let force = used.constraint_force();
        assert!(used.forward_dynamics(&q, &SVector::repeat(1e200), &tau, 0.0).is_err());
        assert_eq!(used.constraint_force(), force, "{method:?}");
        let found = used.inverse_dynamics(&other, &v, &v, 0.0, &all).unwrap();
        assert!((found.tau - expected.tau).amax() < 1e-9, "{method:?}");
        used.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
        let name = FiveBars::CONSTRAINTS[0].name;
        used.set_active(name, false).unwrap();
        assert!(used.multipliers().is_empty() && used.report().is_none());
        assert_eq!(used.constraint_force(), v);
    }
}
