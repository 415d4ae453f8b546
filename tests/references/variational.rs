//! Discrete mechanics over a million steps, and of robots with many contacts.

use fastrand::Rng;
use jourdain::prelude::*;
use jourdain::variational::Rule;
use jourdain_models::{DoublePendulum, Solo12};
use nalgebra::{Quaternion, SVector, UnitQuaternion, vector};

use crate::Vector0;

type Outcome = Result<(), SimulationError>;

/// A million where tests are optimised.
const STEPS: usize = if cfg!(debug_assertions) { 5_000 } else { 1_000_000 };
/// As many as a trend is seen in.
const TREND: usize = if cfg!(debug_assertions) { 50_000 } else { 1_000_000 };
/// Of the steps, in each of which they are averaged.
const BLOCKS: usize = 50;
const RULES: [Rule; 2] = [Rule::Midpoint, Rule::Trapezoidal];

/// The slope of values that are evenly spaced from 0 to 1 and its standard error.
fn trend(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let place = |k: usize| (k as f64 + 0.5) / n - 0.5;
    let square: f64 = (0..values.len()).map(|k| place(k) * place(k)).sum();
    let slope = values.iter().enumerate().map(|(k, x)| place(k) * x).sum::<f64>() / square;
    let left = values.iter().enumerate().map(|(k, x)| x - mean - slope * place(k));
    let variance = left.map(|x| x * x).sum::<f64>() / (n - 2.0);
    (slope, f64::sqrt(variance / square))
}

/// Fits the energy of a million steps of 10 ms, block by block. The motion is a regular one: where it is chaotic, slow
/// wandering through states of different error looks like a trend.
#[test]
fn energy_has_no_trend() -> Outcome {
    let robot = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
    for rule in RULES {
        let run = Variational::new(robot)?.rule(rule).step_size(0.01)?;
        let mut run = run.state(vector![0.6, 0.3], vector![0.0, 0.0])?;
        let start = run.energy();
        let (mut means, mut lowest, mut highest) = (Vec::new(), 0.0_f64, 0.0_f64);
        for _ in 0..BLOCKS {
            let mut sum = 0.0;
            for _ in 0..TREND / BLOCKS {
                run.step(&vector![0.0, 0.0])?;
                let error = run.energy() - start;
                (lowest, highest) = (lowest.min(error), highest.max(error));
                sum += error;
            }
            means.push(sum / (TREND / BLOCKS) as f64);
        }
        let ((slope, deviation), width) = (trend(&means), highest - lowest);
        assert!(slope.abs() < 4.0 * deviation, "{rule:?}: {slope:e} ± {deviation:e} J");
        assert!(deviation < 0.01 * width, "{rule:?}: ± {deviation:e} of {width:e} J");
    }
    Ok(())
}

/// A body in space with a wheel on an axle and another one on a ball joint.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(body, mass = 3, com = [0.05, -0.1, 0.07], inertia = [0.1, 0.2, 0.15, 0.01, -0.02, 0.015]),
    joint(free, floating(world -> body)),
    link(wheel, mass = 1, inertia = [0.02, 0.02, 0.03]),
    joint(axle, continuous(body -> wheel), at = [0.1, 0, 0.2], axis = [1, 2, 3]),
    link(boom, mass = 0.5, com = [0.2, 0, 0], inertia = [0.005, 0.02, 0.02]),
    joint(ball, spherical(body -> boom), at = [0, 0.2, 0]),
)]
struct Satellite;

/// Its centre of mass rests: far from the origin, rounding of momentum would be one of angular momentum about it.
#[test]
fn a_satellite_keeps_its_momentum() -> Outcome {
    const MASS: f64 = 4.5;
    let q = SVector::from([0.1, 0.2, 0.3, 0.0, 0.6, 0.0, 0.8, 0.4, 0.0, 0.28, 0.0, 0.96]);
    let mut v = SVector::from([0.0, 0.0, 0.0, 0.7, 1.1, -0.4, 3.0, -0.5, 0.8, 1.2]);
    let turn = UnitQuaternion::new_unchecked(Quaternion::new(0.8, 0.0, 0.6, 0.0));
    let moving = Satellite.momentum(&q, &v).fixed_rows::<3>(0).into_owned();
    v.fixed_rows_mut::<3>(0).copy_from(&-(turn.inverse() * moving / MASS));
    let start = Satellite.momentum(&q, &v);
    let size = start.fixed_rows::<3>(3).amax();
    for rule in RULES {
        let mut run = Variational::new(Satellite)?.rule(rule).step_size(0.01)?.state(q, v)?;
        let mut most = [0.0_f64; 2];
        for _ in 0..STEPS {
            run.step(&Vector0::zeros())?;
            let State { q, v, .. } = run.current();
            let change = Satellite.momentum(q, v) - start;
            for (most, first) in most.iter_mut().zip([0, 3]) {
                *most = most.max(change.fixed_rows::<3>(first).amax());
            }
        }
        // Linear momentum beside that of the whole at 1 m/s.
        assert!(most[0] < 1e-10 * MASS, "{rule:?}: {:e}", most[0] / MASS);
        assert!(most[1] < 1e-10 * size, "{rule:?}: {:e}", most[1] / size);
    }
    Ok(())
}

/// A pendulum on a ball joint with another one on it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(upper, mass = 1, com = [0, 0, -0.5], inertia = [0.02, 0.02, 0.01]),
    joint(first, spherical(world -> upper)),
    link(lower, mass = 0.5, com = [0, 0, -0.3], inertia = [0.01, 0.01, 0.005]),
    joint(second, spherical(upper -> lower), at = [0, 0, -1]),
)]
struct Chandelier;

#[test]
fn a_chandelier_keeps_its_momentum_about_the_vertical() -> Outcome {
    for rule in RULES {
        let q = SVector::from([0.28, 0.0, 0.0, 0.96, 0.0, 0.28, 0.0, 0.96]);
        let v = SVector::from([0.3, 1.0, 2.0, -0.4, 0.2, 1.0]);
        let mut run = Variational::new(Chandelier)?.rule(rule).step_size(5e-3)?.state(q, v)?;
        let about = |q: &_, v: &_| Chandelier.momentum(q, v)[5];
        let (start, mut most) = (about(&q, &v), 0.0_f64);
        for _ in 0..STEPS {
            run.step(&Vector0::zeros())?;
            let State { q, v, .. } = run.current();
            most = most.max((about(q, v) - start).abs());
        }
        assert!(most < 1e-10 * start.abs(), "{rule:?}: {:e}", most / start.abs());
    }
    Ok(())
}

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
fn thrown_cubes_come_to_rest_on_a_side() -> Outcome {
    let seeds = if cfg!(debug_assertions) { 4 } else { 60 };
    for seed in 0..seeds {
        let mut rng = Rng::with_seed(seed);
        let mut number = || 2.0 * rng.f64() - 1.0;
        let cube = Cube { e: 0.25 * (seed % 3) as f64 };
        let turn = SVector::from_fn(|k, _| if k < 3 { 0.0 } else { 2.0 * number() });
        let q = cube.integrate(&vector![0.0, 0.0, 0.4, 0.0, 0.0, 0.0, 1.0], &turn);
        let v = SVector::from_fn(|k, _| if k < 3 { number() } else { 6.0 * number() });
        let mut run = Variational::new(cube)?.step_size(2e-3)?.state(q, v)?;
        run.run(5.0, |_: &State<Cube>| Vector0::zeros())?;
        let State { q, v, .. } = run.current();
        assert!(v.amax() < 1e-9, "{seed}: {}", v.transpose());
        assert!((q[2] - 0.1).abs() < 1e-9, "{seed}: {}", q[2]);
        assert!(run.gaps().iter().all(|gap| *gap > -1e-10), "{seed}: {:?}", run.gaps());
    }
    Ok(())
}

/// A quadruped that drops settles in the same posture as by time stepping.
#[test]
fn a_quadruped_settles_as_in_time_stepping() -> Outcome {
    let mut bent = SVector::<f64, 19>::zeros();
    bent[6] = 1.0;
    for leg in 0..4 {
        let side = if leg < 2 { 1.0 } else { -1.0 };
        (bent[8 + 3 * leg], bent[9 + 3 * leg]) = (0.8 * side, -1.6 * side);
    }
    let controller = |state: &State<Solo12>| {
        SVector::from_fn(|j, _| 8.0 * (bent[7 + j] - state.q[7 + j]) - 0.2 * state.v[6 + j])
    };
    let mut start = bent;
    start[2] -= Solo12.gap(&start).min() - 0.02;
    let mut stepping = Simulation::new(Solo12)?.state(start, SVector::zeros())?;
    stepping.run(3.0, controller)?;
    let mut run = Variational::new(Solo12)?.state(start, SVector::zeros())?;
    let report = run.run(3.0, controller)?;
    assert!(report.residual.max() < 1e-9, "{report:?}");
    assert!(run.current().v.amax() < 1e-9, "{}", run.current().v.transpose());
    // Where the feet have come to stand on landing differs by the order of the step.
    let height = run.current().q[2] - stepping.current().q[2];
    assert!(height.abs() < 1e-4, "{height:e}");
    let weight: f64 = run.impulse().normal.iter().sum::<f64>() / run.time_step();
    let carried: f64 = stepping.impulse().normal.iter().sum::<f64>() / stepping.time_step();
    assert!((weight - carried).abs() < 1e-6, "{weight} {carried}");
    Ok(())
}
