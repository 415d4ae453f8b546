//! Orders of methods of fixed steps.

use jourdain::description::Chart;
use jourdain::integrate::{Error, Phase, RungeKutta4, SemiImplicitEuler, Space, System};

use super::problems::{distance, free_body, free_body_exact, order, oscillator, swung};

type Step<S> = Box<dyn FnMut(&mut S, &mut Phase, f64) -> Result<(), Error>>;

fn runge_kutta<S: System + 'static>(space: &Space) -> Step<S> {
    let mut method = RungeKutta4::new(space);
    Box::new(move |system, phase, h| method.step(system, phase, h))
}

fn euler<S: System + 'static>(space: &Space) -> Step<S> {
    let mut method = SemiImplicitEuler::new(space);
    Box::new(move |system, phase, h| method.step(system, phase, h))
}

/// Errors after two seconds in 2ᵏ · 20 steps.
fn errors<S: System + Clone>(
    (space, start, system): (Space, Phase, S),
    method: fn(&Space) -> Step<S>,
    exact: impl Fn(&Phase, f64) -> Phase,
) -> Result<Vec<(f64, f64)>, Error> {
    let exact = exact(&start, 2.0);
    let mut errors = Vec::new();
    for steps in [20, 40, 80, 160] {
        let (mut phase, mut step, h) = (start.clone(), method(&space), 2.0 / f64::from(steps));
        for _ in 0..steps {
            step(&mut system.clone(), &mut phase, h)?;
        }
        errors.push((h, distance(&phase, &exact)));
    }
    Ok(errors)
}

#[test]
fn orders() -> Result<(), Error> {
    let swung = |_: &Phase, t: f64| swung(t);
    let found = order(&errors(oscillator(), runge_kutta, swung)?);
    assert!((found - 4.0).abs() < 0.05, "{found}");
    let found = order(&errors(oscillator(), euler, swung)?);
    assert!((found - 1.0).abs() < 0.05, "{found}");
    for chart in [Chart::Quaternion, Chart::Pose] {
        let found = order(&errors(free_body(chart), runge_kutta, free_body_exact)?);
        assert!((found - 4.0).abs() < 0.05, "{chart:?} {found}");
        let found = order(&errors(free_body(chart), euler, free_body_exact)?);
        assert!((found - 1.0).abs() < 0.05, "{chart:?} {found}");
    }
    Ok(())
}

/// Position, velocity and orientation of a body that turns about a principal axis, without gravity, are exact: its
/// speed does not grow with components in turning axes.
#[test]
fn steady_flight_is_exact() -> Result<(), Error> {
    let (space, mut start, system) = free_body(Chart::Pose);
    start.v[3..].copy_from_slice(&[0.0, 0.0, 3.0]);
    let exact = free_body_exact(&start, 1.0);
    for method in [euler, runge_kutta] {
        let (mut phase, mut step) = (start.clone(), method(&space));
        for _ in 0..100 {
            step(&mut system.clone(), &mut phase, 0.01)?;
        }
        let error = distance(&phase, &exact);
        assert!(error < 1e-8, "{error:e}");
    }
    Ok(())
}

/// No trend in the energy of an oscillation.
#[test]
fn semi_implicit_euler_keeps_energy() -> Result<(), Error> {
    let (space, mut phase, mut system) = oscillator();
    let mut method = SemiImplicitEuler::new(&space);
    let energy = |phase: &Phase| 0.5 * (phase.q[0].powi(2) + phase.v[0].powi(2));
    let mut worst = [0.0f64; 2];
    for k in 0..200_000 {
        method.step(&mut system, &mut phase, 0.01)?;
        let half = &mut worst[k / 100_000];
        *half = half.max((energy(&phase) - 0.5).abs());
    }
    assert!(worst[0] < 3e-3 && (worst[1] / worst[0] - 1.0).abs() < 1e-3, "{worst:?}");
    Ok(())
}

/// Time is so many steps, and goes on from what a user sets.
#[test]
fn time_does_not_drift() -> Result<(), Error> {
    let (space, start, system) = oscillator();
    for method in [runge_kutta, euler] {
        let (mut phase, mut step) = (start.clone(), method(&space));
        for steps in 1..=20_000_u32 {
            step(&mut system.clone(), &mut phase, 1e-3)?;
            let exact = start.time + 1e-3 * f64::from(steps);
            assert!((phase.time - exact).abs() <= f64::EPSILON * exact, "{} {exact}", phase.time);
        }
        phase.time = 7.0;
        step(&mut system.clone(), &mut phase, 0.5)?;
        assert_eq!(phase.time, 7.5);
    }
    Ok(())
}
