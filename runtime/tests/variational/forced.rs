//! Springs, dampers and inputs.

use nalgebra::{Vector1, vector};

use super::order::assert_second_order;
use super::robots::{Oscillator, Pendulum};
use super::*;

/// Two light links on motors.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(upper, mass = 0.3, com = [0, 0, -0.2], inertia = [5e-3, 5e-3, 1e-3]),
    joint(shoulder, revolute(world -> upper), axis = [0, 1, 0], actuated),
    link(lower, mass = 0.2, com = [0, 0, -0.2], inertia = [3e-3, 3e-3, 1e-3]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -0.4], axis = [0, 1, 0], actuated),
)]
struct Hanging;

fn run(robot: Oscillator, rule: Rule, h: f64, x: f64) -> Variational<Oscillator> {
    let run = Variational::new(robot).unwrap().rule(rule).step_size(h).unwrap();
    run.state(vector![x], vector![0.0]).unwrap()
}

/// x e^(−δt) (cos ωt + δ/ω sin ωt), δ = c / 2m, ω² = k / m − δ².
#[test]
fn a_damped_oscillator_fades_as_it_must() {
    let robot = Oscillator { k: 50.0, c: 1.2 };
    let (delta, time) = (0.3, 1.7);
    let omega = f64::sqrt(25.0 - delta * delta);
    let turned: f64 = omega * time;
    let exact = f64::exp(-delta * time) * (turned.cos() + delta / omega * turned.sin());
    for rule in RULES {
        let error = |steps: u32| {
            let mut run = run(robot, rule, time / f64::from(steps), 1.0);
            run.run(time, |_: &State<Oscillator>| Vector1::zeros()).unwrap();
            (run.current().q[0] - exact).abs()
        };
        assert_second_order(&format!("{rule:?}"), &[100, 200, 400, 800].map(error));
    }
}

/// The midpoint rule keeps quadratic invariants: the energy of a spring a thousand times as fast as the steps.
#[test]
fn a_spring_that_is_stiff_for_the_step_keeps_its_energy() {
    let robot = Oscillator { k: 2e8, c: 0.0 };
    let mut run = run(robot, Rule::Midpoint, 0.1, 1e-3);
    let energy = |run: &Variational<Oscillator>| {
        let x = run.current().q[0];
        run.energy() + 0.5 * robot.k * x * x
    };
    let start = energy(&run);
    for _ in 0..1000 {
        run.step(&Vector1::zeros()).unwrap();
        assert!((energy(&run) / start - 1.0).abs() < 1e-9, "{} {start}", energy(&run));
    }
}

/// x = ½ u t² / m, whatever the step.
#[test]
fn a_constant_push_is_exact() {
    let robot = Oscillator { k: 0.0, c: 0.0 };
    for rule in RULES {
        let mut run = run(robot, rule, 0.1, 0.0);
        run.run(2.0, |_: &State<Oscillator>| vector![3.0]).unwrap();
        let State { q, v, .. } = run.current();
        assert!((q[0] - 3.0).abs() < 1e-13 && (v[0] - 3.0).abs() < 1e-13, "{rule:?} {q} {v}");
    }
}

#[test]
fn a_controller_sees_the_state_of_the_beginning() {
    let robot = Oscillator { k: 0.0, c: 0.0 };
    let mut run = run(robot, Rule::Midpoint, 1e-2, 1.0);
    let mut recording = Recording::new(10.0).unwrap();
    let pd = Pd::new(&robot, vector![0.0], 50.0, 20.0);
    let report = run.run_recorded(5.0, pd, &mut recording).unwrap();
    assert_eq!((report.steps, recording.samples().len()), (500, 50));
    assert!(run.current().q[0].abs() < 1e-6, "{}", run.current().q[0]);
    let first = &recording.samples()[0];
    assert!((first.u[0] + 50.0).abs() < 1e-12 && (first.state.time - 0.01).abs() < 1e-12);
}

/// Whatever is run, the energy of a pendulum swings about its own value.
#[test]
fn a_pendulum_neither_gains_nor_loses_energy() {
    for rule in RULES {
        let run = Variational::new(Pendulum).unwrap().rule(rule).step_size(0.05).unwrap();
        let mut run = run.state(vector![2.5], vector![0.0]).unwrap();
        let start = run.energy();
        let mut error = |steps: u32| {
            let deviation = |_| {
                run.step(&Vector0::zeros()).unwrap();
                run.energy() - start
            };
            let all = (0..steps).map(deviation);
            all.fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)))
        };
        let (early, late) = (error(500), error(5000));
        let size = early.1 - early.0;
        assert!((late.0 - early.0).abs() < 0.05 * size, "{rule:?} {early:?} {late:?}");
        assert!((late.1 - early.1).abs() < 0.05 * size, "{rule:?} {early:?} {late:?}");
    }
}

/// Damping d by a controller on 2 kg makes velocities grow by h d/m − 1 where that is above one.
#[test]
fn gains_too_stiff_for_the_step_are_refused() {
    let robot = Oscillator { k: 0.0, c: 0.0 };
    let (h, growth) = (1e-3, 1.5);
    let damping = 2.0 * (1.0 + growth) / h;
    for rule in RULES {
        let start = |h: f64| {
            let run = Variational::new(robot).unwrap().rule(rule).step_size(h).unwrap();
            run.state(vector![0.0], vector![0.1]).unwrap()
        };
        let pd = Pd::new(&robot, vector![0.0], 0.0, damping);
        let outcome = start(h).run(1.0, &pd);
        let Err(SimulationError::Unstable { joint: "rail", growth: found, stable, .. }) = outcome
        else {
            panic!("{rule:?}: {outcome:?}");
        };
        assert!((found - growth).abs() < 1e-6, "{found}");
        assert!((stable - 2.0 * h / (1.0 + growth)).abs() < 1e-9, "{stable}");
        // The state is one that another controller goes on from.
        let mut run = start(h);
        let error = loop {
            let before = (run.current().clone(), *run.momentum());
            if let Err(error) = run.run(h, &pd) {
                assert_eq!((run.current().clone(), *run.momentum()), before);
                break error;
            }
        };
        assert_eq!(run.run(h, &pd), Err(error));
        start(0.99 * stable).run(1.0, &pd).unwrap();
    }
}

/// Time is so many steps, and not a sum of what rounding makes of each.
#[test]
fn time_does_not_drift() {
    let mut run = run(Oscillator { k: 50.0, c: 1.2 }, RULES[0], 1e-3, 1.0);
    for steps in 1..=20_000_u32 {
        run.step(&Vector1::zeros()).unwrap();
        let (time, exact) = (run.current().time, 1e-3 * f64::from(steps));
        assert!((time - exact).abs() <= f64::EPSILON * exact, "{time}, {exact}");
    }
}

/// Gains K and D tend to a spring and a damper with the step, and a feed-forward is beside them.
#[test]
fn servos_tend_to_springs_and_dampers() {
    let (robot, time) = (Oscillator { k: 0.0, c: 0.0 }, 1.7);
    let (delta, k) = (0.3, 50.0);
    let omega = f64::sqrt(k / 2.0 - delta * delta);
    let turned: f64 = omega * time;
    let exact = 0.02 + f64::exp(-delta * time) * (turned.cos() + delta / omega * turned.sin());
    let servos = Pd::new(&robot, vector![0.0], k, 2.0 * 2.0 * delta).implicit();
    let servos = servos.feed_forward(&vector![0.02 * k]);
    for rule in RULES {
        let errors = [1000, 2000, 4000].map(|steps| {
            let mut run = run(robot, rule, time / f64::from(steps), 1.02);
            run.run(time, &servos).unwrap();
            (run.current().q[0] - exact).abs()
        });
        assert!(errors[2] < 5e-3, "{rule:?} {errors:?}");
        for [coarse, fine] in [[errors[0], errors[1]], [errors[1], errors[2]]] {
            assert!((coarse / fine - 2.0).abs() < 0.1, "{rule:?} {errors:?}");
        }
    }
}

/// Chains of joints are led to a pose that they hold against their weight, by both rules.
#[test]
fn servos_hold_a_chain() {
    let target = Hanging.neutral().map(|q| q + 0.4);
    let servos = Pd::new(&Hanging, target, 1e7, 1e4).implicit();
    for rule in RULES {
        let run = Variational::new(Hanging).unwrap().rule(rule).step_size(1e-2).unwrap();
        let mut run = run.state(vector![-0.3, 0.6], vector![5.0, -8.0]).unwrap();
        run.run(2.0, &servos).unwrap();
        let (q, v) = (run.current().q, run.current().v);
        assert!((q - target).amax() < 1e-4 && v.amax() < 1e-3, "{rule:?} {q} {v}");
        let weight = -Hanging.gravity_force(&q);
        assert!((run.motor_force() - weight).amax() < 1e-2, "{} {weight}", run.motor_force());
        // Forces are of the step that led here, whatever is set after it.
        let force = run.motor_force();
        assert_eq!(run.step_size(0.5).unwrap().motor_force(), force);
    }
}

/// Gains far too stiff for the step, which as inputs would throw the mass about.
#[test]
fn servos_are_stable_at_any_step() {
    let robot = Oscillator { k: 0.0, c: 0.0 };
    let servos = Pd::new(&robot, vector![0.0], 1e4, 2e4).implicit();
    for rule in RULES {
        let mut run = run(robot, rule, 1e-2, 1.0);
        let mut last = run.current().q[0];
        for _ in 0..1000 {
            run.run(1e-2, &servos).unwrap();
            // Past the first step it creeps by K / D.
            assert!(
                run.current().v[0].abs() < 0.6 && run.current().q[0] < last,
                "{:?}",
                run.current()
            );
            last = run.current().q[0];
        }
        assert!((last - f64::exp(-5.0)).abs() < 1e-2, "{rule:?} {:?}", run.current());
    }
}

/// What is beyond the effort is clamped, with the feed-forward among it.
#[test]
fn servos_keep_to_their_effort() {
    let robot = Oscillator { k: 0.0, c: 0.0 };
    let servos = Pd::new(&robot, vector![10.0], 1e8, 0.0).effort(vector![3.0]).implicit();
    for rule in RULES {
        let mut run = run(robot, rule, 1e-2, 0.0);
        run.run(1.0, servos.clone().feed_forward(&vector![1.0])).unwrap();
        let State { q, v, .. } = run.current();
        assert!((q[0] - 0.75).abs() < 1e-12 && (v[0] - 1.5).abs() < 1e-12, "{rule:?} {q} {v}");
    }
}

/// Without contacts, what is too large is not blamed on any.
#[test]
fn forces_that_are_no_numbers_are_named() {
    let robot = Oscillator { k: 0.0, c: 1e300 };
    let run = run(robot, Rule::Midpoint, 1e-2, 1.0).state(vector![1.0], vector![1.0]).unwrap();
    let error = { run }.step(&vector![0.0]).unwrap_err();
    assert!(!error.to_string().contains("contact"), "{error}");
}
