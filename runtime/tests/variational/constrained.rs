//! Declared constraints: they hold to rounding at the end of every step.

use jourdain::constrained::{Assembly, Constrained};
use nalgebra::{Vector3, vector};

use super::order::{assert_second_order, period};
use super::robots::{Redundant, Ring, Roller, Tether, Turning};
use super::*;

/// Steps of a robot, after each of which positions, and rates of rows, have no error but rounding.
fn held<M: Model<U = Vector0>>(run: &mut Variational<M>, steps: usize, tolerance: f64) {
    for _ in 0..steps {
        run.step(&Vector0::zeros()).unwrap();
        let State { time, q, v } = run.current();
        let (mut errors, mut rates) = (vec![f64::NAN; M::NC], vec![f64::NAN; M::NC]);
        run.model().constraint_into(q, *time, &mut errors);
        run.model().constraint_rate_into(q, v, *time, &mut rates);
        for (error, rate) in errors.iter().zip(&rates) {
            assert!(error.abs() < tolerance, "{time}: {errors:?}");
            assert!(rate.abs() < 100.0 * tolerance, "{time}: {rates:?}");
        }
    }
}

#[test]
fn a_bead_stays_on_its_ring() {
    for rule in RULES {
        let run = Variational::new(Ring).unwrap().rule(rule).step_size(0.02).unwrap();
        let mut run = run.state(vector![1.0, 0.0], vector![0.0, 0.0]).unwrap();
        let start = run.energy();
        held(&mut run, 5000, 1e-14);
        assert!((run.energy() - start).abs() < 0.05, "{rule:?} {}", run.energy() - start);
    }
}

#[test]
fn a_bead_swings_as_a_pendulum() {
    let amplitude = 2.0_f64;
    for rule in RULES {
        let error = |steps: u32| {
            let time = 1.25 * period(amplitude);
            let run = Variational::new(Ring).unwrap().rule(rule);
            let run = run.step_size(time / f64::from(steps)).unwrap();
            let q = vector![amplitude.sin(), -amplitude.cos()];
            let mut run = run.state(q, vector![0.0, 0.0]).unwrap();
            run.run(time, |_: &State<Ring>| Vector0::zeros()).unwrap();
            run.current().q[0].abs()
        };
        assert_second_order(&format!("{rule:?}"), &[100, 200, 400, 800].map(error));
    }
}

#[test]
fn runs_under_constraints_can_be_reversed() {
    for rule in RULES {
        let run = Variational::new(Ring).unwrap().rule(rule).step_size(0.02).unwrap();
        let mut run = run.state(vector![0.6, 0.8], vector![0.8, -0.6]).unwrap();
        let idle = |_: &State<Ring>| Vector0::zeros();
        run.run(1.0, idle).unwrap();
        let State { q, v, .. } = *run.current();
        run.reset(q, -v).unwrap();
        run.run(1.0, idle).unwrap();
        let State { q, v, .. } = run.current();
        assert!((q - vector![0.6, 0.8]).amax() < 1e-11, "{rule:?} {q}");
        assert!((v - vector![-0.8, 0.6]).amax() < 1e-10, "{rule:?} {v}");
    }
}

#[test]
fn tied_bodies_keep_their_momentum() {
    let mut q = SVector::<f64, 14>::zeros();
    (q[6], q[13]) = (1.0, 1.0);
    (q[7], q[9]) = (0.8, 0.2);
    let q = Constrained::new(Tether).assemble(&q, Assembly::Mass, 0.0).unwrap().value;
    let v = SVector::<f64, 12>::from_fn(|k, _| 0.4 * (1.7 * k as f64 + 0.3).sin());
    let v = Constrained::new(Tether).assemble_velocity(&q, &v, Assembly::Mass, 0.0).unwrap().value;
    for rule in RULES {
        let run = Variational::new(Tether).unwrap().rule(rule).step_size(0.02).unwrap();
        let mut run = run.state(q, v).unwrap();
        let start = Tether.momentum(&q, &v);
        held(&mut run, 1000, 1e-13);
        let State { q, v, .. } = run.current();
        let change = (Tether.momentum(q, v) - start).amax() / start.amax();
        assert!(change < 1e-11, "{rule:?} {change:e}");
        let pull = run.impulse().constraints[0] / run.time_step();
        assert!(pull < 0.0, "{pull}");
    }
}

/// Rows along y and about x say nothing that the hinges do not say.
#[test]
fn a_linkage_with_redundant_rows_stays_closed() {
    let guess = vector![-0.5, 1.0, 1.0];
    let q = Constrained::new(Redundant).assemble(&guess, Assembly::Mass, 0.0).unwrap().value;
    for rule in RULES {
        let run = Variational::new(Redundant).unwrap().rule(rule).step_size(5e-3).unwrap();
        let mut run = run.state(q, Vector3::zeros()).unwrap();
        let start = run.energy();
        held(&mut run, 1000, 1e-13);
        assert!((run.energy() - start).abs() < 1e-2, "{rule:?} {}", run.energy() - start);
        assert!((run.current().q - q).amax() > 0.1);
    }
}

/// In the plane r̈ = ω² r, and the bead falls.
#[test]
fn a_bead_in_a_turning_plane_flies_outward() {
    let (spin, time) = (3.0_f64, 0.5);
    let exact = (spin * time).cosh();
    for rule in RULES {
        let error = |steps: u32| {
            let run = Variational::new(Turning { spin }).unwrap().rule(rule);
            let run = run.step_size(time / f64::from(steps)).unwrap();
            let mut run = run.state(vector![1.0, 0.0, 0.0], vector![0.0, spin, 0.0]).unwrap();
            held(&mut run, steps as usize, 1e-14);
            let q = run.current().q;
            assert!((q.z + 0.5 * 9.81 * time * time).abs() < 1e-12);
            (q.x.hypot(q.y) - exact).abs()
        };
        assert_second_order(&format!("{rule:?}"), &[50, 100, 200, 400].map(error));
    }
}

/// a = (5/7) g sin 15°, and the plane carries m g cos 15°.
#[test]
fn a_ball_rolls_without_slip() {
    let (sine, cosine) = (std::f64::consts::PI / 12.0).sin_cos();
    for rule in RULES {
        let run = Variational::new(Roller).unwrap().rule(rule).step_size(1e-2).unwrap();
        let q = vector![0.1 * sine, 0.0, 0.1 * cosine, 0.0, 0.0, 0.0, 1.0];
        let mut run = run.state(q, SVector::zeros()).unwrap();
        held(&mut run, 100, 1e-13);
        let way = 0.5 * 5.0 / 7.0 * 9.81 * sine;
        let moved = run.current().q.fixed_rows::<3>(0) - q.fixed_rows::<3>(0);
        let expected = vector![way * cosine, 0.0, -way * sine];
        assert!((moved - expected).amax() < 1e-10, "{rule:?} {moved}");
        let pressed = run.impulse().constraints[0] / run.time_step();
        assert!((pressed - 2.0 * 9.81 * cosine).abs() < 1e-9, "{rule:?} {pressed}");
    }
}
