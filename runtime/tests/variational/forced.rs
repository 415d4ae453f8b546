//! Springs, dampers and inputs.

use nalgebra::{Vector1, vector};

use super::order::assert_second_order;
use super::robots::{Oscillator, Pendulum};
use super::*;

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
