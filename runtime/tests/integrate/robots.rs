//! Described robots in smooth motion.

use jourdain::Prepared;
use jourdain::integrate::{Adaptive, At, Driven, Error, Phase, Rodas5P, Space, System, Tolerance};
use jourdain::nalgebra::{SVector, vector};
use jourdain::prelude::*;

use super::problems::order;

/// Two masses of 1 kg on rods of 1 m; the second angle is relative to the first rod.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(upper, mass = 1, com = [0, 0, -1]),
    joint(shoulder, revolute(world -> upper), axis = [0, -1, 0], passive),
    link(lower, mass = 1, com = [0, 0, -1]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -1], axis = [0, -1, 0], passive),
)]
pub(crate) struct DoublePendulum;

/// A body that floats, with an arm on a ball joint and a driven hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, gz],
    kernels(forward_dynamics_derivatives),
    link(body, mass = 3, com = [0.1, 0, 0.05], inertia = [0.2, 0.3, 0.25]),
    joint(base, floating(world -> body)),
    link(arm, mass = 1.2, com = [0.2, 0.1, -0.3], inertia = [0.05, 0.04, 0.03]),
    joint(shoulder, spherical(body -> arm), at = [0, 0.2, 0.1]),
    link(hand, mass = 0.4, com = [0, 0.1, -0.2], inertia = [0.01, 0.02, 0.015]),
    joint(wrist, revolute(arm -> hand), at = [0.1, 0, -0.5], axis = [0.6, 0.8, 0], actuated),
)]
pub(crate) struct Floater {
    pub(crate) gz: f64,
}

pub(crate) type Q = SVector<f64, 12>;
pub(crate) type V = SVector<f64, 10>;

pub(crate) fn start() -> (Q, V) {
    let q = Floater { gz: 0.0 }.integrate(
        &Floater { gz: 0.0 }.neutral(),
        &vector![0.3, -0.2, 0.5, 0.4, -0.9, 0.3, 0.5, 0.2, -0.7, 0.4],
    );
    (q, vector![0.5, -0.3, 0.8, 1.2, -0.7, 0.9, -1.5, 0.8, 1.1, 2.0])
}

pub(crate) fn free<M: Model>(_: &State<M>) -> M::U {
    <M::U as jourdain::space::Storage>::zeros()
}

/// In free flight, momentum, energy and the quaternions' lengths.
#[test]
fn keeps_what_is_conserved() -> Result<(), Error> {
    let (q, v) = start();
    let mut simulation =
        SmoothSimulation::new(Floater { gz: 0.0 })?.tolerance(1e-12)?.state(q, v)?;
    let model = Floater { gz: 0.0 };
    let (momentum, energy) = (model.momentum(&q, &v), model.kinetic_energy(&q, &v));
    for _ in 0..10 {
        simulation.run(1.0, free)?;
        let State { q, v, .. } = simulation.current();
        assert!((model.momentum(q, v) - momentum).norm() < 1e-10);
        assert!((model.kinetic_energy(q, v) - energy).abs() < 1e-10 * energy);
        for first in [3, 7] {
            assert!((q.fixed_rows::<4>(first).norm() - 1.0).abs() < 1e-15);
        }
    }
    Ok(())
}

/// The power of a controller that depends on time and state is the rate of the energy.
#[test]
fn work_of_a_controller() -> Result<(), Error> {
    let (q, v) = start();
    let model = Floater { gz: -9.81 };
    let energy = |state: &State<Floater>| {
        model.kinetic_energy(&state.q, &state.v) + model.potential_energy(&state.q)
    };
    let torque = |state: &State<Floater>| vector![(3.0 * state.time).sin() - 0.2 * state.v[9]];
    let mut simulation = SmoothSimulation::new(model)?.tolerance(1e-12)?.state(q, v)?;
    let mut recording = Recording::new(1000.0).unwrap();
    simulation.run_recorded(2.0, torque, &mut recording)?;
    let samples = recording.samples();
    assert_eq!(samples.len(), 2001);
    let power = |k: usize| samples[k].u[0] * samples[k].state.v[9];
    // Simpson's rule.
    let work: f64 =
        (0..1000).map(|k| power(2 * k) + 4.0 * power(2 * k + 1) + power(2 * k + 2)).sum();
    let gain = energy(simulation.current()) - energy(&samples[0].state);
    assert!((gain - work / 3000.0).abs() < 1e-9, "{gain} {}", work / 3000.0);
    Ok(())
}

/// The floater without forces, with the derivatives of its kernel.
struct Exact(Prepared<Floater>);

impl System for Exact {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        Driven::new(&self.0, free).rates(at, v_dot, z_dot);
    }

    fn derivatives(&mut self, at: At<'_>, derivatives: &mut [f64]) -> bool {
        let (q, v) = (Q::from_column_slice(at.q), V::from_column_slice(at.v));
        let all = self.0.robot().forward_dynamics_derivatives(&q, &v, &V::zeros());
        derivatives[..200].copy_from_slice(&all.as_slice()[..200]);
        derivatives[200..].fill(0.0);
        true
    }
}

/// With derivatives that are off anywhere, on poses or quaternions, the method would lose its order.
#[test]
fn exact_derivatives_keep_the_order() -> Result<(), Error> {
    let (space, (q, v)) = (Space::of::<Floater>(0), start());
    let start =
        Phase { q: q.as_slice().to_vec(), v: v.as_slice().to_vec(), ..Phase::neutral(&space) };
    let mut system = Exact(Floater { gz: -9.81 }.prepare());
    let mut fine = Adaptive::new(&space, start.clone(), Tolerance::new(1e-13, 1e-13)?)?;
    fine.run_to(&mut system, 0.5, 1000)?;
    let mut errors = vec![];
    for steps in [16, 32, 64, 128] {
        let h = 0.5 / f64::from(steps);
        let loose = Tolerance::new(1e6, 1e6)?;
        let mut motion = Adaptive::<Rodas5P>::stiff(&space, start.clone(), loose)?;
        for k in 1..=steps {
            motion.restart(&motion.phase().clone(), Some(2.0 * h))?;
            motion.step(&mut system, h * f64::from(k))?;
        }
        let parts = motion.phase().v.iter().zip(&fine.phase().v);
        errors.push((h, parts.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)));
    }
    let found = order(&errors);
    assert!((found - 5.0).abs() < 0.3, "{found} {errors:?}");
    Ok(())
}

/// Recordings are the dense output at equal times, not the steps.
#[test]
fn recordings() -> Result<(), Error> {
    let mut simulation = SmoothSimulation::new(DoublePendulum)?
        .tolerance(1e-10)?
        .state(vector![0.4, -0.2], vector![0.0, 0.1])?;
    let mut recording = Recording::new(50.0).unwrap();
    simulation.run_recorded(1.0, free, &mut recording)?;
    simulation.run_recorded(0.51, free, &mut recording)?;
    let times: Vec<f64> = recording.samples().iter().map(|sample| sample.state.time).collect();
    assert_eq!(times.len(), 76);
    assert!(
        times.iter().enumerate().all(|(k, t)| (t - 0.02 * k as f64).abs() < 1e-12),
        "{times:?}"
    );
    let mut again = SmoothSimulation::new(DoublePendulum)?
        .tolerance(1e-13)?
        .state(vector![0.4, -0.2], vector![0.0, 0.1])?;
    for sample in &recording.samples()[1..] {
        again.run(sample.state.time - again.current().time, free)?;
        assert!((again.current().q - sample.state.q).norm() < 1e-8);
        assert!((again.current().v - sample.state.v).norm() < 1e-8);
    }
    let mut steps = Recording::new(f64::INFINITY).unwrap();
    let before = simulation.effort().steps;
    simulation.run_recorded(1.0, free, &mut steps)?;
    assert_eq!(steps.samples().len() as u64, 1 + simulation.effort().steps - before);
    let now = simulation.current().time;
    assert_eq!(simulation.at(now).as_ref(), Some(simulation.current()));
    assert_eq!(simulation.at(now - 0.9), None);
    Ok(())
}

/// Another method keeps what is set, where it is, and what it took.
#[test]
fn stiff_keeps_settings() -> Result<(), Error> {
    let state = (vector![0.4, -0.2], vector![0.0, 0.1]);
    let mut simulation = SmoothSimulation::new(DoublePendulum)?.tolerance(1e-4)?;
    simulation = simulation.longest_step(1e-3)?.state(state.0, state.1)?;
    simulation.run(0.1, free)?;
    let before = simulation.effort();
    let mut simulation = simulation.stiff();
    assert_eq!((simulation.effort(), simulation.current().time), (before, 0.1));
    simulation.run(0.1, free)?;
    assert!(before.steps >= 100 && simulation.effort().steps >= 200);
    Ok(())
}
