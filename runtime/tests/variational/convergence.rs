//! Newton's steps converge quadratically: few iterations a step wherever steps are short enough for the motion.

use nalgebra::{Vector3, vector};

use super::robots::{Ball, Balls, Block, Chain, Floater, Leg, Roller, Tether, Top};
use super::*;
use jourdain::Robot;
use jourdain::constrained::{Assembly, Constrained};

/// A ball on a slope; the ground is level, and gravity slants.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sine, 0, -9.81 * cosine],
    link(ball, mass = 1, sphere(radius = 0.05)),
    joint(free, floating(world -> ball)),
    contact(ground, on = ball, sphere = 0.05, friction = 0.6),
)]
struct Marble {
    sine: f64,
    cosine: f64,
}

fn marble(degrees: f64) -> Marble {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    Marble { sine, cosine }
}

/// The largest number of iterations of a step, and the mean.
fn iterations<M: Model<U = Vector0>>(run: &mut Variational<M>, steps: usize) -> (usize, f64) {
    let (mut most, mut sum) = (0, 0);
    for _ in 0..steps {
        let report = run.step(&Vector0::zeros()).unwrap();
        most = most.max(report.iterations);
        sum += report.iterations;
    }
    (most, sum as f64 / steps as f64)
}

fn assert_few<M: Model<U = Vector0>>(scene: &str, run: Variational<M>, h: f64, steps: usize) {
    let mut run = run.step_size(h).unwrap();
    let (most, mean) = iterations(&mut run, steps);
    // Twice four where something is struck, and acts from then on.
    assert!(most <= 8 && mean <= 4.5, "{scene}: at most {most}, {mean} in the mean");
}

/// v = 5/7 g sin α t, however fast the ball turns in a step: 0.7 rad at the end.
#[test]
fn a_ball_rolls_down_slopes() {
    for rule in RULES {
        for degrees in [5.0, 15.0, 30.0] {
            let ball = marble(degrees);
            let mut q = SVector::<f64, 7>::zeros();
            (q[2], q[6]) = (0.05, 1.0);
            let run = Variational::new(ball).unwrap().rule(rule).step_size(0.01).unwrap();
            let mut run = run.state(q, SVector::zeros()).unwrap();
            let (most, mean) = iterations(&mut run, 100);
            assert!(most <= 6 && mean <= 4.0, "{rule:?} {degrees}: {most} {mean}");
            let speed = run.current().v.fixed_rows::<3>(0).norm();
            let exact = 5.0 / 7.0 * 9.81 * ball.sine;
            assert!((speed - exact).abs() < 1e-9, "{rule:?} {degrees}: {speed} {exact}");
        }
    }
}

#[test]
fn tops_and_chains_take_few_iterations() {
    for rule in RULES {
        let new = || Variational::new(Top).unwrap().rule(rule);
        let tilted = vector![0.0, f64::sin(0.9), 0.0, f64::cos(0.9)];
        for spin in [1.0, 20.0, 60.0] {
            let run = new().state(tilted, vector![0.1, 0.2, spin]).unwrap();
            assert_few(&format!("{rule:?} top {spin}"), run, 5e-3, 400);
        }
        let (q, v) = anywhere(&Balls, 3, 4.0);
        let run = Variational::new(Balls).unwrap().rule(rule).state(q, v).unwrap();
        assert_few(&format!("{rule:?} balls"), run, 5e-3, 400);
        let (q, v) = anywhere(&Chain, 5, 6.0);
        let run = Variational::new(Chain).unwrap().rule(rule).state(q, v).unwrap();
        assert_few(&format!("{rule:?} chain"), run, 5e-3, 400);
        let floater = Floater { g: 9.81 };
        let (q, v) = anywhere(&floater, 7, 5.0);
        let run = Variational::new(floater).unwrap().rule(rule).state(q, v).unwrap();
        assert_few(&format!("{rule:?} floater"), run, 5e-3, 400);
    }
}

#[test]
fn what_slides_and_rolls_takes_few_iterations() {
    for rule in RULES {
        let block = Block { sine: 0.5, cosine: f64::sqrt(0.75) };
        let mut q = SVector::<f64, 7>::zeros();
        (q[2], q[6]) = (0.1, 1.0);
        let mut v = SVector::<f64, 6>::zeros();
        (v[0], v[1], v[5]) = (1.0, 2.0, 3.0);
        let run = Variational::new(block).unwrap().rule(rule).state(q, v).unwrap();
        assert_few(&format!("{rule:?} box"), run, 5e-3, 400);
        let mut v = SVector::<f64, 6>::zeros();
        (v[0], v[1], v[3], v[5]) = (2.0, -1.0, 5.0, 30.0);
        let run = Variational::new(Ball).unwrap().rule(rule).state(q, v).unwrap();
        assert_few(&format!("{rule:?} ball"), run, 5e-3, 400);
        let run = Variational::new(Leg).unwrap().rule(rule);
        let run = run.state(vector![0.9, 0.6, -1.2], Vector3::zeros()).unwrap();
        assert_few(&format!("{rule:?} leg"), run, 2e-3, 1000);
    }
}

#[test]
fn what_is_held_takes_few_iterations() {
    let (sine, cosine) = (std::f64::consts::PI / 12.0).sin_cos();
    for rule in RULES {
        let q = vector![0.1 * sine, 0.0, 0.1 * cosine, 0.0, 0.0, 0.0, 1.0];
        let run = Variational::new(Roller).unwrap().rule(rule).state(q, SVector::zeros()).unwrap();
        assert_few(&format!("{rule:?} roller"), run, 1e-2, 200);
        let mut q = SVector::<f64, 14>::zeros();
        (q[6], q[13], q[7], q[9]) = (1.0, 1.0, 0.8, 0.2);
        let q = Constrained::new(Tether).assemble(&q, Assembly::Mass, 0.0).unwrap().value;
        let v = SVector::<f64, 12>::from_fn(|k, _| 3.0 * (1.7 * k as f64 + 0.3).sin());
        let v = Constrained::new(Tether).assemble_velocity(&q, &v, Assembly::Mass, 0.0);
        let run = Variational::new(Tether).unwrap().rule(rule).state(q, v.unwrap().value).unwrap();
        assert_few(&format!("{rule:?} tether"), run, 5e-3, 400);
    }
}
