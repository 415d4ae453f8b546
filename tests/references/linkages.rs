//! Linkages that run long, and through their singular positions.

use jourdain::constrained::{Actuation, Assembly, Constrained, Hold};
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_models::Solo12;
use jourdain_tests::FreeFourBar;
use nalgebra::SVector;

include!(concat!(env!("OUT_DIR"), "/chain1.rs"));
include!(concat!(env!("OUT_DIR"), "/chain2.rs"));
include!(concat!(env!("OUT_DIR"), "/chain10.rs"));
include!(concat!(env!("OUT_DIR"), "/chain40.rs"));

/// A robot that moves by itself, and its energy.
struct Run<M: Model> {
    held: Constrained<M>,
    q: M::Q,
    v: M::V,
}

impl<M: Model> Run<M> {
    fn energy(&self) -> f64 {
        let robot = self.held.robot();
        robot.kinetic_energy(&self.q, &self.v) + robot.potential_energy(&self.q)
    }

    /// A step of the classical method of fourth order, without projection.
    fn step(&mut self, h: f64) {
        let Self { held, q, v } = self;
        let still = M::V::zeros();
        let mut slope = |q: &M::Q, v: &M::V| held.forward_dynamics(q, v, &still, 0.0).unwrap();
        let a1 = slope(q, v);
        let (q2, v2) = (moved::<M>(q, v, h / 2.0), sum(v, &a1, h / 2.0));
        let a2 = slope(&q2, &v2);
        let (q3, v3) = (moved::<M>(q, &v2, h / 2.0), sum(v, &a2, h / 2.0));
        let a3 = slope(&q3, &v3);
        let (q4, v4) = (moved::<M>(q, &v3, h), sum(v, &a3, h));
        let a4 = slope(&q4, &v4);
        let mean =
            |a: &M::V, b: &M::V, c: &M::V, d: &M::V| sum(&sum(&sum(a, b, 2.0), c, 2.0), d, 1.0);
        *q = moved::<M>(q, &mean(v, &v2, &v3, &v4), h / 6.0);
        *v = sum(v, &mean(&a1, &a2, &a3, &a4), h / 6.0);
    }

    fn project(&mut self) {
        (self.q, self.v) = self.held.project(&self.q, &self.v, 0.0).unwrap();
    }
}

/// a + h b.
fn sum<V: Storage + Clone>(a: &V, b: &V, h: f64) -> V {
    let mut out = a.clone();
    out.as_mut_slice().iter_mut().zip(b.as_slice()).for_each(|(x, b)| *x += h * b);
    out
}

fn moved<M: Model>(q: &M::Q, v: &M::V, h: f64) -> M::Q {
    let mut out = q.clone();
    jourdain::manifold::integrate(M::JOINTS, v.as_slice(), h, out.as_mut_slice());
    out
}

/// Released upright with 1 m/s, it turns over and passes the positions in which all bars are in line.
fn swing<M: Model>(robot: M, loops: usize, seconds: f64) {
    let mut v = M::V::zeros();
    let speeds = v.as_mut_slice().iter_mut().enumerate();
    speeds.for_each(|(k, v)| *v = if k <= loops { 1.0 } else { -1.0 });
    let mut run = Run { q: robot.neutral(), v, held: Constrained::new(robot) };
    let start = run.energy();
    let (h, mut drift, mut peak) = (2e-3, 0.0_f64, 0.0_f64);
    for _ in 0..(seconds / h) as usize {
        run.step(h);
        run.project();
        drift = drift.max((run.energy() - start).abs());
        peak = peak.max(run.held.robot().kinetic_energy(&run.q, &run.v));
    }
    println!("{loops} loops: energy drifts by {:.1e} of the peak {peak:.1} J", drift / peak);
    assert!(drift < 1e-4 * peak, "{loops}: {drift} of {peak}");
}

#[test]
fn chains_of_four_bars_pass_their_singular_positions() {
    swing(Chain1, 1, 10.0);
    swing(Chain2, 2, 10.0);
    swing(Chain10, 10, 10.0);
    swing(Chain40, 40, 10.0);
}

/// The energy-respecting projection holds the energy of a method of second order for as long as wanted.
#[test]
fn a_free_four_bar_keeps_its_energy() {
    let mut held = Constrained::new(FreeFourBar);
    let guess = SVector::from([0.2, 0.3, 0.4]);
    let q = held.assemble(&guess, Assembly::Weights(&[1.0, 0.0, 0.0]), 0.0).unwrap().value;
    let v = SVector::from([5.0, 0.0, 0.0]);
    let v = held.assemble_velocity(&q, &v, Assembly::Weights(&[1.0, 0.0, 0.0]), 0.0).unwrap().value;
    let mut run = Run { held, q, v };
    let (start, steps) = (run.energy(), if cfg!(debug_assertions) { 2_000 } else { 1_000_000 });
    let (h, still) = (1e-3, SVector::zeros());
    let (mut worst, mut halves) = (0.0_f64, [0.0_f64; 2]);
    for k in 0..steps {
        let half = run.held.forward_dynamics(&run.q, &run.v, &still, 0.0).unwrap();
        let middle = run.v + half * (h / 2.0);
        let q = run.q + run.v * (h / 2.0);
        let v_dot = run.held.forward_dynamics(&q, &middle, &still, 0.0).unwrap();
        let (q, v) = (run.q + middle * h, run.v + v_dot * h);
        (run.q, run.v) = run.held.project_with_energy(&q, &v, start, 0.0).unwrap();
        let error = (run.energy() - start) / start;
        worst = worst.max(error.abs());
        halves[2 * k / steps] += error;
    }
    println!("{steps} steps: relative energy error {worst:.1e}, mean of both halves {halves:?}");
    assert!(worst < 1e-3 && run.q.iter().all(|q| q.is_finite()), "{worst}");
}

/// Standing on four feet, the motors of a quadruped bear it, and the floating base feels nothing.
#[test]
fn motors_bear_a_standing_quadruped() {
    let mut held = Constrained::new(Solo12);
    for foot in ["fl", "fr", "hl", "hr"] {
        held.hold_contact(foot, Some(Hold::Point)).unwrap();
    }
    let (q, still) = (Solo12::standing(0.25), SVector::<f64, 18>::zeros());
    let actuation = Actuation::of_inputs(&Solo12);
    let support = held.inverse_dynamics(&q, &still, &still, 0.0, &actuation).unwrap();
    assert!(support.miss < 1e-9, "{}", support.miss);
    assert!(support.tau.rows(0, 6).amax() == 0.0);
    let weight = 9.81 * Solo12.mass_matrix(&q)[(0, 0)];
    let upward: f64 = support.multipliers.iter().step_by(3).sum();
    assert!((upward - weight).abs() < 1e-8, "{upward} instead of {weight}");
    let v_dot = held.forward_dynamics(&q, &still, &support.tau, 0.0).unwrap();
    assert!(v_dot.amax() < 1e-9, "{v_dot}");
}
