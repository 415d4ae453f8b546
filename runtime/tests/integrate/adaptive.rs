//! Steps with error control, and their dense output.

use jourdain::description::Chart;
use jourdain::integrate::{Adaptive, Dop853, Error, Phase, Space, System, Tolerance};

use super::problems::{
    distance, free_body, free_body_exact, in_steps, order, oscillator, pendulum, swung,
};

fn end(
    (space, phase, mut system): (Space, Phase, impl System),
    tolerance: f64,
    time: f64,
) -> Result<Adaptive<Dop853>, Error> {
    let mut motion = Adaptive::new(&space, phase, Tolerance::new(tolerance, tolerance)?)?;
    motion.run_to(&mut system, time, 100_000)?;
    Ok(motion)
}

/// Order 8 of steps of equal lengths, and 7 of dense output, whose error in a step is then of order 8.
#[test]
fn orders() -> Result<(), Error> {
    for chart in [Chart::Vector, Chart::Quaternion, Chart::Pose] {
        let mut errors = (vec![], vec![]);
        for steps in [5, 7, 10, 14] {
            let (end, dense) = if chart == Chart::Vector {
                in_steps::<Dop853, _>(oscillator(), steps, 5.0, swung)?
            } else {
                let (_, start, _) = free_body(chart);
                let exact = |t| free_body_exact(&start, t);
                in_steps::<Dop853, _>(free_body(chart), steps, 5.0, exact)?
            };
            errors.0.push((5.0 / f64::from(steps), end));
            errors.1.push((5.0 / f64::from(steps), dense));
        }
        let found = (order(&errors.0), order(&errors.1));
        assert!((found.0 - 8.0).abs() < 0.2 && found.1 > 7.7, "{chart:?}: {found:?}");
    }
    Ok(())
}

/// Global errors in regular motion, where they grow no faster than with the time.
#[test]
fn ends_where_the_exact_solution_does() -> Result<(), Error> {
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let most = 20.0 * tolerance;
        let motion = end(oscillator(), tolerance, 20.0)?;
        assert!((motion.phase().q[0] - 20f64.cos()).abs() < most, "{tolerance:e}");
        for chart in [Chart::Quaternion, Chart::Pose] {
            let problem = free_body(chart);
            let exact = free_body_exact(&problem.1, 20.0);
            let motion = end(problem, tolerance, 20.0)?;
            assert!(distance(motion.phase(), &exact) < most, "{chart:?} {tolerance:e}");
        }
    }
    Ok(())
}

/// IFToMM collection of benchmarks, simple pendulum: where it is at t = 10, in twelve digits.
#[test]
fn published_pendulum() -> Result<(), Error> {
    let angle = end(pendulum(), 1e-13, 10.0)?.phase().q[0];
    assert!((angle.sin() + 0.275087462577).abs() < 2e-12, "{}", angle.sin());
    assert!((-angle.cos() + 0.961419205099).abs() < 2e-12, "{}", -angle.cos());
    Ok(())
}

/// Dense output at fifty times of each step against the exact motion from its beginning, and both of its ends.
#[test]
fn dense_output_is_as_exact_as_steps() -> Result<(), Error> {
    for (tolerance, chart) in [1e-4, 1e-6, 1e-9, 1e-12]
        .into_iter()
        .flat_map(|tolerance| [(tolerance, Chart::Quaternion), (tolerance, Chart::Pose)])
    {
        let (space, phase, mut system) = free_body(chart);
        let mut motion = Adaptive::new(&space, phase, Tolerance::new(tolerance, tolerance)?)?;
        while motion.phase().time < 20.0 {
            let start = motion.phase().clone();
            motion.step(&mut system, 20.0)?;
            let dense = motion.dense().unwrap();
            assert!(distance(&dense.at(dense.start()), &start) < 4e-16);
            assert_eq!(&dense.at(dense.end()), motion.phase());
            for k in 1..=50 {
                let t = (dense.end() - start.time) * f64::from(k) / 50.0;
                let phase = dense.at(start.time + t);
                let error = distance(&phase, &free_body_exact(&start, t));
                assert!(error < tolerance.max(1e-14), "{chart:?} {tolerance:e}: {error:e}");
                let quaternion = &phase.q[phase.q.len() - 4..];
                let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
                assert!((length - 1.0).abs() < 1e-15, "{length}");
            }
        }
    }
    Ok(())
}
