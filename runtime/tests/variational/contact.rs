//! Contact: impacts, friction, ends of joints, and what comes to rest.

use nalgebra::{Vector1, Vector2, Vector3, vector};

use super::robots::{Ball, Block, Leg, Point, Slider};
use super::*;

const G: f64 = 9.81;

fn level(sine: f64) -> Block {
    Block { sine, cosine: f64::sqrt(1.0 - sine * sine) }
}

fn idle<M: Model<U = Vector0>>(_: &State<M>) -> Vector0 {
    Vector0::zeros()
}

/// Height after one bounce, with an error of the order of the step.
#[test]
fn a_point_bounces() {
    let (e, height, time) = (0.9, 1.0, 1.0);
    let fall = f64::sqrt(2.0 * height / G);
    let (up, left) = (e * G * fall, time - fall);
    let exact = up * left - 0.5 * G * left * left;
    for rule in RULES {
        for h in [1e-2, 1e-3, 1e-4] {
            let run = Variational::new(Point { e }).unwrap().rule(rule).step_size(h).unwrap();
            let mut run = run.state(vector![0.0, height], vector![1.0, 0.0]).unwrap();
            run.run(time, idle).unwrap();
            let error = (run.current().q[1] - exact).abs();
            assert!(error < 10.0 * h, "{rule:?} {h}: {error}");
        }
    }
}

/// All impacts are over at 8.578949179 s.
#[test]
fn a_point_that_bounces_comes_to_rest() {
    let run = Variational::new(Point { e: 0.9 }).unwrap().step_size(1e-3).unwrap();
    let mut run = run.state(vector![0.0, 1.0], vector![0.0, 0.0]).unwrap();
    let mut lowest = 0.0_f64;
    for _ in 0..10_000 {
        run.step(&Vector0::zeros()).unwrap();
        lowest = lowest.min(run.gaps()[0]);
    }
    let State { q, v, .. } = run.current();
    assert!(q[1].abs() < 1e-12 && v.amax() < 1e-12, "{q} {v}");
    assert!(lowest > -1e-12, "{lowest}");
    let force = run.impulse().normal[0] / run.time_step();
    assert!((force - 2.0 * G).abs() < 1e-9, "{force}");
}

#[test]
fn a_block_sticks_below_the_limit_and_slides_above() {
    let mut q = SVector::<f64, 7>::zeros();
    (q[2], q[6]) = (0.1, 1.0);
    for rule in RULES {
        // tan θ = 0.49 and 0.6 beside μ = 0.5.
        for slope in [0.49_f64, 0.6] {
            let block = level(slope / f64::sqrt(1.0 + slope * slope));
            let run = Variational::new(block).unwrap().rule(rule).step_size(0.01).unwrap();
            let mut run = run.state(q, SVector::zeros()).unwrap();
            run.run(1.0, idle).unwrap();
            let acceleration = (G * (block.sine - 0.5 * block.cosine)).max(0.0);
            let State { q: end, v, .. } = run.current();
            let moved = end - q;
            let expected = 0.5 * acceleration;
            assert!((moved[0] - expected).abs() < 1e-9, "{rule:?} {slope}: {moved} {expected}");
            assert!((v[0] - acceleration).abs() < 1e-9, "{rule:?} {slope}: {v}");
            assert!(moved.fixed_rows::<6>(1).amax() < 1e-9, "{rule:?} {slope}: {moved}");
        }
    }
}

/// It slips until v = 5/7 v₀ and rolls then.
#[test]
fn a_ball_slips_and_rolls() {
    let h = 1e-3;
    let mut q = SVector::<f64, 7>::zeros();
    (q[2], q[6]) = (0.1, 1.0);
    for rule in RULES {
        let mut v = SVector::<f64, 6>::zeros();
        v[0] = 2.0;
        let run = Variational::new(Ball).unwrap().rule(rule).step_size(h).unwrap();
        let mut run = run.state(q, v).unwrap();
        let report = run.run(1.0, idle).unwrap();
        assert!(report.residual.max() < 1e-9);
        let State { q: end, v, .. } = run.current();
        // In the axes of the body, which has turned about y.
        let speed = v.fixed_rows::<3>(0).norm();
        assert!((speed - 10.0 / 7.0).abs() < 1e-9, "{rule:?} {speed}");
        assert!((v[4] - speed / 0.1).abs() < 1e-8, "{rule:?} {v}");
        let slip = 2.0 / 7.0 * 2.0 / (0.3 * G);
        let rolling = 10.0 / 7.0;
        let expected = 2.0 * slip - 0.15 * G * slip * slip + rolling * (1.0 - slip);
        assert!((end[0] - expected).abs() < h, "{rule:?} {} {expected}", end[0]);
    }
}

#[test]
fn a_leg_drops_on_its_foot_and_comes_to_rest() {
    for rule in RULES {
        let run = Variational::new(Leg).unwrap().rule(rule).step_size(2e-3).unwrap();
        let mut run = run.state(vector![0.9, 0.6, -1.2], Vector3::zeros()).unwrap();
        let mut landed = None;
        for _ in 0..5000 {
            run.step(&Vector0::zeros()).unwrap();
            let touches = run.impulse().normal[0] > 0.0;
            if landed.is_none() && touches {
                landed = Some(run.current().time);
            }
            assert!(run.gaps()[0] > -1e-10, "{rule:?} {:?}", run.gaps());
        }
        assert!(landed.is_some());
        let v = run.current().v;
        assert!(v.amax() < 1e-9, "{rule:?} {v}");
        let force = run.impulse().normal[0] / run.time_step();
        assert!((force - 3.8 * G).abs() < 1e-6, "{rule:?} {force}");
    }
}

#[test]
fn a_body_stops_at_the_end_of_its_rail() {
    let run = Variational::new(Slider { dry: 0.0 }).unwrap().step_size(0.01).unwrap();
    let mut run = run.state(Vector1::zeros(), vector![1.3]).unwrap();
    run.run(2.0, idle).unwrap();
    let State { q, v, .. } = run.current();
    assert!((q[0] - 1.0).abs() < 1e-12 && v[0].abs() < 1e-12, "{q} {v}");
}

/// v² / 2 a, a = f / m = 2 m/s².
#[test]
fn dry_friction_stops_a_body() {
    for rule in RULES {
        let run =
            Variational::new(Slider { dry: 4.0 }).unwrap().rule(rule).step_size(0.01).unwrap();
        let mut run = run.state(vector![-0.5], vector![1.2]).unwrap();
        run.run(2.0, idle).unwrap();
        let State { q, v, .. } = run.current();
        assert!((q[0] - (-0.5 + 0.36)).abs() < 1e-12 && v[0].abs() < 1e-12, "{rule:?} {q} {v}");
    }
}

/// What slides along is slowed down in proportion to what stops its fall.
#[test]
fn an_impact_has_friction() {
    let h = 1e-4;
    let run = Variational::new(Point { e: 0.0 }).unwrap().step_size(h).unwrap();
    let mut run = run.state(vector![0.0, 0.2], vector![4.0, 0.0]).unwrap();
    let fall = f64::sqrt(0.4 / G);
    run.run(fall + 0.1, idle).unwrap();
    let expected = 4.0 - 0.3 * G * (fall + 0.1);
    let v: Vector2<f64> = run.current().v;
    assert!((v[0] - expected).abs() < 10.0 * h && v[1].abs() < 1e-12, "{v} {expected}");
}
