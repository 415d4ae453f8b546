//! The error of every step and of its dense output, against a much finer solution from the step's beginning.

use jourdain::integrate::{Adaptive, At, Driven, Error, Method, Phase, Space, System, Tolerance};
use jourdain::prelude::*;

use super::problems::{distance, pendulum};
use super::robots::{DoublePendulum, Floater, free, start};

/// The largest error in all steps to `end`, by what is allowed at the largest number of the phase.
fn worst<M: Method>(
    mut motion: Adaptive<M>,
    system: &mut impl System,
    tolerance: f64,
    end: f64,
) -> Result<f64, Error> {
    let exact = Tolerance::new(1e-14, 1e-14)?;
    let mut worst = 0f64;
    while motion.phase().time < end {
        let begin = motion.phase().clone();
        motion.step(system, end)?;
        let dense = motion.dense().unwrap();
        let mut fine = Adaptive::new(motion.space(), begin.clone(), exact)?;
        for k in 1..=10 {
            let time = begin.time + 0.1 * f64::from(k) * (dense.end() - begin.time);
            fine.run_to(system, time, 10_000)?;
            let phase = fine.phase();
            let numbers = phase.q.iter().chain(&phase.v);
            let size = numbers.fold(0f64, |most, x| most.max(x.abs()));
            worst = worst.max(distance(&dense.at(time), phase) / (tolerance * (1.0 + size)));
        }
    }
    Ok(worst)
}

fn both(
    (space, start): (Space, Phase),
    mut system: impl System,
    tolerances: &[f64],
    end: f64,
) -> Result<(), Error> {
    for &tolerance in tolerances {
        let allowed = Tolerance::new(tolerance, tolerance)?;
        let explicit = Adaptive::new(&space, start.clone(), allowed)?;
        let found = worst(explicit, &mut system, tolerance, end)?;
        assert!(found < 1.0, "explicit, {tolerance:e}: {found}");
        if tolerance > 1e-9 {
            let implicit = Adaptive::stiff(&space, start.clone(), allowed)?;
            let found = worst(implicit, &mut system, tolerance, end)?;
            assert!(found < 1.0, "implicit, {tolerance:e}: {found}");
        }
    }
    Ok(())
}

#[test]
fn steps_of_a_pendulum() -> Result<(), Error> {
    let (space, start, system) = pendulum();
    both((space, start), system, &[1e-3, 1e-5, 1e-7, 1e-9, 1e-11], 10.0)
}

#[test]
fn steps_in_chaos() -> Result<(), Error> {
    let (space, model) = (Space::of::<DoublePendulum>(0), DoublePendulum.prepare());
    let start = Phase { q: vec![2.0, 0.5], ..Phase::neutral(&space) };
    both((space, start), Driven::new(&model, free), &[1e-4, 1e-6, 1e-8, 1e-10], 10.0)
}

#[test]
fn steps_of_a_floating_robot() -> Result<(), Error> {
    let (space, model) = (Space::of::<Floater>(0), Floater { gz: -9.81 }.prepare());
    let (q, v) = start();
    let start =
        Phase { q: q.as_slice().to_vec(), v: v.as_slice().to_vec(), ..Phase::neutral(&space) };
    both((space, start), Driven::new(&model, free), &[1e-4, 1e-6, 1e-8, 1e-10], 2.0)
}

/// A small further state has the digits that its own tolerance asks for, by both methods.
#[test]
fn a_further_state_has_a_tolerance_of_its_own() -> Result<(), Error> {
    let space = Space::flat(1, 1);
    let start = Phase { v: vec![1.0], z: vec![1e-6], ..Phase::neutral(&space) };
    let mut system = |at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]| {
        v_dot[0] = 0.0;
        z_dot[0] = at.z[0] * f64::cos(3.0 * at.time);
    };
    let error = |z: f64| (z / (1e-6 * f64::exp(f64::sin(9.0) / 3.0)) - 1.0).abs();
    let coarse = Tolerance::new(1e-6, 1e-6)?;
    let (mut explicit, mut implicit) = (Vec::new(), Vec::new());
    for tolerance in [coarse, coarse.further(1e-12)?] {
        let mut motion = Adaptive::new(&space, start.clone(), tolerance)?;
        motion.run_to(&mut system, 3.0, 1000)?;
        explicit.push(error(motion.phase().z[0]));
        let mut motion = Adaptive::stiff(&space, start.clone(), tolerance)?;
        motion.run_to(&mut system, 3.0, 1000)?;
        implicit.push(error(motion.phase().z[0]));
    }
    for errors in [explicit, implicit] {
        assert!(errors[0] > 1e-3 && errors[1] < 1e-5, "{errors:?}");
    }
    Ok(())
}
