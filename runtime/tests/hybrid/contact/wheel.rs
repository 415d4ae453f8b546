//! A rimless wheel whose spokes are contacts rolls on, rocks back and comes to stand.

use std::f64::consts::FRAC_PI_8;

use jourdain::hybrid::Cause;
use jourdain::hybrid::contact::{ContactError, Guard};
use jourdain::prelude::*;
use nalgebra::vector;

use super::nothing;

type Done = Result<(), Box<dyn std::error::Error>>;

const G: f64 = 9.81;
const SLOPE: f64 = 0.08;
/// Half of the angle between two of eight spokes.
const ALPHA: f64 = FRAC_PI_8;
/// κ = m l² / (I + m l²).
const KAPPA: f64 = 0.8;

/// With a length of κ metres and a rim of the inertia κ (1 − κ), the wheel turns about a spoke as one whose spokes of one
/// metre have no mass, θ̈ = κ g/l sin θ: the spoke behind, the one that stands, and the next one.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope), 0, -9.81 * cos(slope)],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(wheel, mass = 1, inertia = [i, i, i]),
    joint(angle, revolute(lift -> wheel), axis = [0, 1, 0], passive),
    contact(last, on = wheel, at = [-l * sin(PI / 4), 0, -l * cos(PI / 4)], friction = 2),
    contact(spoke, on = wheel, at = [0, 0, -l], friction = 2),
    contact(next, on = wheel, at = [l * sin(PI / 4), 0, -l * cos(PI / 4)], friction = 2),
)]
struct Wheel {
    l: f64,
    i: f64,
    slope: f64,
}

/// Right after a step down the slope, at this rate: the spoke leans back by half of an angle, and the one behind has just
/// left the ground.
fn stepped(rate: f64) -> Result<HybridSimulation<Wheel>, ContactError> {
    let l = KAPPA;
    let wheel = Wheel { l, i: KAPPA * (1.0 - KAPPA), slope: SLOPE };
    let (across, along) = (l * ALPHA.cos(), -l * ALPHA.sin());
    let simulation = HybridSimulation::new(wheel)?.tolerance(1e-10)?;
    simulation.state(vector![along, across, -ALPHA], vector![across * rate, -along * rate, rate])
}

/// The rate from which a wheel just comes to the top.
fn least_rate() -> f64 {
    (2.0 * G * (1.0 - (SLOPE - ALPHA).cos())).sqrt()
}

/// Just above the least rate it rolls on, just below it rocks back.
#[test]
fn rolls_on_or_rocks_back() -> Done {
    assert!((least_rate() - 0.975417).abs() < 1e-6);
    for (factor, guard) in [(1.0 + 1e-6, Guard::Gap(2)), (1.0 - 1e-6, Guard::Gap(0))] {
        let mut wheel = stepped(factor * least_rate())?;
        wheel.run(5.0, nothing)?;
        assert_eq!(wheel.guards(&wheel.events()[0]), [guard], "{:?}", wheel.modes());
    }
    Ok(())
}

/// A slow wheel rocks between two spokes, each impact leaves η = 1 − κ (1 − cos 2α) of its rate, and it stands on both of them.
#[test]
fn comes_to_stand() -> Done {
    let (mut wheel, eta) = (stepped(0.5)?, 1.0 - KAPPA * (1.0 - (2.0 * ALPHA).cos()));
    wheel.run(20.0, nothing)?;
    let (last, rocking) = wheel.events().split_last().ok_or("no event")?;
    assert!(rocking.len() > 10, "{:?}", wheel.modes());
    for (event, part) in rocking.iter().zip([0, 1].into_iter().cycle()) {
        assert_eq!(wheel.guards(event), [Guard::Gap(part)]);
        let left = event.phase_after.v[2] / event.phase_before.v[2];
        assert!((left - eta).abs() < 1e-8, "{left} {eta}");
    }
    let Cause::Accumulation(end) = &last.cause else { panic!("{last:?}") };
    assert!(end.ratio.is_some_and(|ratio| (ratio - eta * eta).abs() < 1e-3), "{end:?}");
    assert_eq!(wheel.mode_name(), "last stick, spoke stick, next open");
    assert!(wheel.current().v.amax() < 1e-12, "{}", wheel.current().v);
    Ok(())
}
