//! What cannot be integrated is told, and nothing is lost.

use jourdain::description::Chart;
use jourdain::integrate::{
    Adaptive, At, Error, Phase, RungeKutta4, SemiImplicitEuler, Space, Tolerance,
};
use jourdain::nalgebra::vector;
use jourdain::prelude::*;

use super::held::Bead;
use super::problems::{body, oscillator};
use super::robots::DoublePendulum;

#[test]
fn settings() -> Result<(), Error> {
    for value in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        let is_refused = |error: Error| matches!(error, Error::Setting { value: found, .. } if found.to_bits() == value.to_bits());
        assert!(is_refused(Tolerance::new(value, 1e-6).unwrap_err()));
        assert!(is_refused(Tolerance::new(1e-6, value).unwrap_err()));
        assert!(is_refused(Tolerance::default().further(value).unwrap_err()));
        let (space, mut phase, mut system) = oscillator();
        let before = phase.clone();
        let runge_kutta = RungeKutta4::new(&space).step(&mut system, &mut phase, value);
        assert!(is_refused(runge_kutta.unwrap_err()));
        let euler = SemiImplicitEuler::new(&space).step(&mut system, &mut phase, value);
        assert!(is_refused(euler.unwrap_err()));
        let motion = Adaptive::new(&space, phase.clone(), Tolerance::default())?;
        assert!(is_refused(motion.clone().longest_step(value).unwrap_err()));
        assert!(is_refused(motion.clone().restart(&phase, Some(value)).unwrap_err()));
        let mut simulation = SmoothSimulation::new(DoublePendulum)?;
        let free = |_: &State<DoublePendulum>| vector![];
        assert!(is_refused(simulation.run(value, free).unwrap_err()));
        assert_eq!(phase, before);
    }
    Ok(())
}

/// A robot's tolerance is one of metres and radians in numbers of 16 digits.
#[test]
fn tolerances_of_robots_have_a_range() -> Result<(), Error> {
    for value in [-1.0, 0.0, 1e-300, 9e-15, 0.2, 1e6, f64::INFINITY, f64::NAN] {
        let error = SmoothSimulation::new(DoublePendulum)?.tolerance(value).unwrap_err();
        let Error::Between { quantity, value: found, least, most } = error else {
            panic!("{error}")
        };
        assert_eq!((quantity, found.to_bits()), ("tolerance", value.to_bits()));
        assert_eq!((least, most), (1e-14, 0.1));
    }
    let error = SmoothSimulation::new(DoublePendulum)?.tolerance(1e6).unwrap_err();
    assert_eq!(error.to_string(), "tolerance is 1e6, expected a number from 1e-14 to 0.1");
    for value in [1e-14, 0.1] {
        let simulation = SmoothSimulation::new(DoublePendulum)?.tolerance(value)?;
        simulation.clone().run(0.1, |_: &State<DoublePendulum>| vector![])?;
    }
    Ok(())
}

#[test]
fn phases() {
    let space = body(Chart::Pose);
    let start = || Phase::neutral(&space);
    let new = |phase| Adaptive::new(&space, phase, Tolerance::default()).map(|_| ()).unwrap_err();
    let error = new(Phase { v: vec![0.0; 7], ..start() });
    assert_eq!(error, Error::Length { quantity: "v", expected: 6, found: 7 });
    let error = new(Phase { q: vec![0.0; 7], ..start() });
    assert!(
        matches!(error, Error::Model(ModelError::NotUnitQuaternion { joint: "body", .. })),
        "{error}"
    );
    let error = new(Phase { time: f64::NAN, ..start() });
    assert!(matches!(error, Error::Model(ModelError::NotFinite { quantity: "time", .. })));
    let error = new(Phase { v: vec![0.0, f64::NAN, 0.0, 0.0, 0.0, 0.0], ..start() });
    assert!(matches!(error, Error::Model(ModelError::NotFinite { quantity: "v", index: 1, .. })));
}

#[test]
fn times() -> Result<(), Error> {
    let (space, phase, mut system) = oscillator();
    let mut motion = Adaptive::new(&space, phase, Tolerance::default())?;
    motion.run_to(&mut system, 1.0, 100)?;
    for end in [1.0, 0.5, f64::NAN, f64::INFINITY] {
        let error = motion.step(&mut system, end).unwrap_err();
        assert!(matches!(error, Error::Backward { time: 1.0, .. }), "{error}");
    }
    // The rest of a way may be as short as it likes.
    motion.step(&mut system, 1.0f64.next_up())?;
    assert_eq!(motion.phase().time, 1.0f64.next_up());
    assert!(motion.dense().is_some());
    let error = motion.run_to(&mut system, 1e9, 5).unwrap_err();
    let time = motion.phase().time;
    assert_eq!(error, Error::Steps { time, steps: 5, end: 1e9 });
    assert!((motion.phase().q[0] - time.cos()).abs() < 1e-8 && time > 1.0);
    Ok(())
}

/// A force that ends at q = ½: steps come as near as they can, and the error says where the rates end.
#[test]
fn rates_that_end() -> Result<(), Error> {
    let space = Space::flat(1, 1);
    let start = Phase { v: vec![1.0], ..Phase::neutral(&space) };
    let mut system = |at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]| {
        (v_dot[0], z_dot[0]) = (0.0, if at.q[0] < 0.5 { 1.0 } else { f64::NAN });
    };
    let mut motion = Adaptive::new(&space, start.clone(), Tolerance::default())?;
    let error = motion.run_to(&mut system, 1.0, 1000).unwrap_err();
    let Error::NotFinite { quantity, index, value, phase } = error else { panic!("{error}") };
    assert!((quantity, index) == ("z_dot", 0) && value.is_nan());
    assert!(phase.q[0] >= 0.5 && phase.time - 0.5 < 1e-12, "{phase:?}");
    let now = motion.phase();
    assert!(now.time < 0.5 && now.time > 0.5 - 1e-12 && (now.z[0] - now.time).abs() < 1e-14);
    // From there on there is none at all.
    let beyond = Phase { q: vec![0.7], ..start };
    motion.restart(&beyond, None)?;
    assert!(matches!(motion.step(&mut system, 1.0), Err(Error::NotFinite { .. })));
    assert_eq!(motion.phase(), &beyond);
    let mut phase = beyond.clone();
    let error = RungeKutta4::new(&space).step(&mut system, &mut phase, 0.1).unwrap_err();
    assert!(matches!(error, Error::NotFinite { quantity: "z_dot", .. }) && phase == beyond);
    let error = SemiImplicitEuler::new(&space).step(&mut system, &mut phase, 0.1).unwrap_err();
    assert!(matches!(error, Error::NotFinite { quantity: "z_dot", .. }) && phase == beyond);
    Ok(())
}

/// v̇ = v² from 1 is infinite at t = 1.
#[test]
fn motion_that_ends() -> Result<(), Error> {
    let space = Space::flat(1, 0);
    let start = Phase { v: vec![1.0], ..Phase::neutral(&space) };
    let mut system = |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| v_dot[0] = at.v[0] * at.v[0];
    for is_stiff in [false, true] {
        let (error, end) = if is_stiff {
            let mut motion = Adaptive::stiff(&space, start.clone(), Tolerance::default())?;
            (motion.run_to(&mut system, 2.0, 100_000), motion.phase().time)
        } else {
            let mut motion = Adaptive::new(&space, start.clone(), Tolerance::default())?;
            (motion.run_to(&mut system, 2.0, 100_000), motion.phase().time)
        };
        let error = error.unwrap_err();
        assert!(matches!(error, Error::StepSize { .. } | Error::NotFinite { .. }), "{error}");
        assert!((end - 1.0).abs() < 1e-8, "{end}");
    }
    Ok(())
}

/// Time passes where there are no coordinates.
#[test]
fn nothing_at_all() -> Result<(), Error> {
    let space = Space::flat(0, 0);
    let start = Phase::neutral(&space);
    let mut system = |_: At<'_>, _: &mut [f64], _: &mut [f64]| {};
    let mut explicit = Adaptive::new(&space, start.clone(), Tolerance::default())?;
    explicit.run_to(&mut system, 1.0, 100)?;
    let mut implicit = Adaptive::stiff(&space, start.clone(), Tolerance::default())?;
    implicit.run_to(&mut system, 1.0, 100)?;
    let mut phase = start;
    RungeKutta4::new(&space).step(&mut system, &mut phase, 1.0)?;
    SemiImplicitEuler::new(&space).step(&mut system, &mut phase, 1.0)?;
    assert_eq!((explicit.phase().time, implicit.phase().time, phase.time), (1.0, 1.0, 2.0));
    Ok(())
}

/// A tolerance below the rounding of the numbers is no reason to go on for ever.
#[test]
fn tolerance_below_rounding() -> Result<(), Error> {
    let (space, phase, mut system) = oscillator();
    let late = Phase { time: 1e3, ..phase };
    let mut motion = Adaptive::new(&space, late, Tolerance::new(1e-30, 1e-30)?)?;
    let error = motion.run_to(&mut system, 2e3, 1000).unwrap_err();
    assert!(matches!(error, Error::StepSize { .. }), "{error}");
    let mut simulation = SmoothSimulation::new(DoublePendulum)?
        .tolerances(Tolerance::new(1e-30, 1e-30)?)
        .most_steps(1000)
        .state(vector![0.1, 0.2], vector![0.3, 0.4])?;
    let error = simulation.run(1.0, |_: &State<DoublePendulum>| vector![]).unwrap_err();
    assert!(matches!(error, Error::Steps { steps: 1000, end: 1.0, .. }), "{error}");
    assert!(simulation.current().time > 0.0);
    Ok(())
}

/// A rod holds the bead, which smooth motion of its coordinates does not know.
#[test]
fn constraints() {
    let error = SmoothSimulation::new(Bead).map(|_| ()).unwrap_err();
    assert_eq!(error, Error::Constrained { constraint: "ring" });
}
