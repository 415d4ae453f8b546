//! A quadruped comes to stand in the same posture by each of the four ways to move.

use jourdain::compliant::{Bristles, Spring, Stribeck};
use jourdain::prelude::*;
use jourdain_models::Solo12;
use nalgebra::SVector;

type Configuration = SVector<f64, 19>;
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A name, an order, two lengths of step or compliances, and what settles by such.
type Way = (&'static str, f64, [f64; 2], fn(f64) -> Outcome<Configuration>);

/// Until it stands still, s.
const DURATION: f64 = 5.0;

/// Bent legs, the body level.
fn bent() -> Configuration {
    let mut bent = Configuration::zeros();
    bent[6] = 1.0;
    for leg in 0..4 {
        let side = if leg < 2 { 1.0 } else { -1.0 };
        (bent[8 + 3 * leg], bent[9 + 3 * leg]) = (0.8 * side, -1.6 * side);
    }
    bent
}

/// On all four feet, above the posture that it sinks to.
fn start() -> (Configuration, SVector<f64, 18>) {
    let mut start = bent();
    start[2] -= Solo12.gap(&start).min();
    (start, SVector::zeros())
}

fn control() -> Pd<Solo12> {
    Pd::new(&Solo12, bent(), 10.0, 0.3)
}

/// q where `run` leaves a quadruped that stands still.
macro_rules! settled {
    ($simulation:expr) => {{
        let (q, v) = start();
        let mut run = $simulation.state(q, v)?;
        run.run(DURATION, control())?;
        assert!(run.current().v.amax() < 1e-7, "{}", run.current().v.amax());
        Ok(run.current().q)
    }};
}

fn by_events() -> Outcome<Configuration> {
    settled!(HybridSimulation::new(Solo12)?.tolerance(1e-10)?)
}

fn by_steps(h: f64) -> Outcome<Configuration> {
    settled!(Simulation::new(Solo12)?.step_size(h)?)
}

fn by_discrete_mechanics(h: f64) -> Outcome<Configuration> {
    settled!(Variational::new(Solo12)?.step_size(h)?)
}

/// On springs of `compliance` m/N, with dampers that let them come to rest.
fn on_springs(compliance: f64) -> Outcome<Configuration> {
    let stiffness = compliance.recip();
    let bristles = stiffness / 20.0;
    let friction = Bristles::new(Stribeck::constant(0.8)?, bristles, 0.6 * bristles.sqrt())?;
    let spring = Spring::linear(stiffness, stiffness.sqrt())?;
    let run = CompliantSimulation::new(Solo12)?.springs(spring).friction(friction)?;
    settled!(run.tolerance(1e-9)?)
}

/// Its feet stick where they stand, so that there is one posture; each way tends to it by its own order.
#[test]
fn a_quadruped_settles_alike_by_all_four_ways() -> Outcome<()> {
    let exact = by_events()?;
    let sunk = (exact - start().0).amax();
    assert!(sunk > 0.01, "{sunk}");
    let ways: [Way; 3] = [
        ("time stepping", 1.0, [2e-3, 1e-3], by_steps),
        ("discrete mechanics", 2.0, [2e-3, 1e-3], by_discrete_mechanics),
        ("springs", 1.0, [1e-5, 1e-6], on_springs),
    ];
    for (name, expected, parameters, run) in ways {
        let error =
            |parameter| Ok::<_, Box<dyn std::error::Error>>((run(parameter)? - exact).amax());
        let errors = [error(parameters[0])?, error(parameters[1])?];
        let order = (errors[0] / errors[1]).ln() / (parameters[0] / parameters[1]).ln();
        println!("{name}: {errors:?}, of order {order:.3}");
        assert!((order - expected).abs() < 0.05 && errors[0] < 2e-4, "{name}: {errors:?}, {order}");
    }
    Ok(())
}
