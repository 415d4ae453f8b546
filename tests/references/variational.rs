//! Discrete mechanics over long times, and of robots with many contacts.

use fastrand::Rng;
use jourdain::prelude::*;
use jourdain::variational::{Rule, Variational};
use jourdain_models::{DoublePendulum, Solo12};
use nalgebra::{SVector, vector};

use crate::Vector0;

/// A cube on its vertices.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(cube, mass = 2, box(size = [0.2, 0.2, 0.2])),
    joint(free, floating(world -> cube)),
    contact(corner, on = cube, box = [0.2, 0.2, 0.2], friction = 0.5, restitution = e),
)]
struct Cube {
    e: f64,
}

#[test]
fn probe_cubes() {
    let mut failed = 0;
    let mut worst = 0.0f64;
    let mut iterations = 0;
    let mut steps = 0;
    let mut most = 0;
    let mut moving = 0;
    let begin = std::time::Instant::now();
    for seed in 0..60u64 {
        let mut rng = Rng::with_seed(seed);
        let mut n = || 2.0 * rng.f64() - 1.0;
        let cube = Cube { e: if seed % 2 == 0 { 0.0 } else { 0.5 } };
        let q = cube.integrate(
            &vector![0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 1.0],
            &SVector::from_fn(|k, _| if k < 3 { 0.0 } else { 2.0 * n() }),
        );
        let v = SVector::from_fn(|k, _| if k < 3 { n() } else { 6.0 * n() });
        let mut run = Variational::new(cube).unwrap().step_size(2e-3).unwrap().state(q, v).unwrap();
        for k in 0..2000 {
            match run.step(&Vector0::zeros()) {
                Ok(r) => {
                    worst = worst.max(r.residual.max());
                    iterations += r.iterations;
                    steps += 1;
                    most = most.max(r.iterations)
                }
                Err(e) => {
                    failed += 1;
                    eprintln!("{seed} {k} {e}");
                    break;
                }
            }
        }
        let v = run.current().v;
        if v.amax() > 1e-6 {
            moving += 1;
            eprintln!("{seed} {}", v.transpose())
        }
    }
    eprintln!(
        "failed {failed} worst {worst:e} iterations {} most {most} moving {moving}, {:?}/step",
        iterations as f64 / steps as f64,
        begin.elapsed() / steps
    );
}

#[test]
fn probe_solo() {
    let mut q = SVector::<f64, 19>::zeros();
    q[6] = 1.0;
    for leg in 0..4 {
        let side = if leg < 2 { 1.0 } else { -1.0 };
        (q[8 + 3 * leg], q[9 + 3 * leg]) = (0.8 * side, -1.6 * side);
    }
    let bent = q;
    q[2] -= Solo12.gap(&q).min() - 0.05;
    let mut run = Variational::new(Solo12).unwrap().state(q, SVector::zeros()).unwrap();
    let mut worst = 0.0f64;
    let mut its = 0;
    let begin = std::time::Instant::now();
    for k in 0..3000 {
        let State { q: now, v, .. } = run.current();
        let u = SVector::from_fn(|j, _| 8.0 * (bent[7 + j] - now[7 + j]) - 0.2 * v[6 + j]);
        match run.step(&u) {
            Ok(r) => {
                worst = worst.max(r.residual.max());
                its += r.iterations
            }
            Err(e) => {
                eprintln!("{k} {e}");
                break;
            }
        }
    }
    eprintln!(
        "{:?} per step {worst:e} {} v {:e} gaps {:?}",
        begin.elapsed() / 3000,
        its as f64 / 3000.0,
        run.current().v.amax(),
        run.gaps()
    );
    let mut free = Variational::new(Solo12).unwrap();
    let mut q = q;
    q[2] += 100.0;
    free.reset(q, SVector::from_fn(|k, _| (k as f64).sin())).unwrap();
    let begin = std::time::Instant::now();
    let report = free.run(1.0, |_: &State<Solo12>| SVector::zeros()).unwrap();
    eprintln!("{:?} per free step, {}", begin.elapsed() / 1000, report.iterations as f64 / 1000.0);
}

#[test]
fn probe_pendulum() {
    for rule in [Rule::Midpoint, Rule::Trapezoidal] {
        let robot = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
        let mut run = Variational::new(robot)
            .unwrap()
            .rule(rule)
            .step_size(0.01)
            .unwrap()
            .state(vector![1.0, 0.5], vector![0.0, 0.0])
            .unwrap();
        let begin = std::time::Instant::now();
        let report = run.run(1000.0, |_: &State<_>| vector![0.0, 0.0]).unwrap();
        eprintln!(
            "{:?} {:?} per step, {}",
            rule,
            begin.elapsed() / 100000,
            report.iterations as f64 / 100000.0
        );
    }
}
