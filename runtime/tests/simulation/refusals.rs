//! What a simulation refuses, and how it says so.

use jourdain::contact;
use jourdain::description::Bound;
use jourdain::nalgebra::{SMatrix, Vector1, Vector6, vector};
use jourdain::prelude::*;

use super::every_formulation;
use super::robots::{Ball, Cube, Slider, Wall};

type Run = Result<(), SimulationError>;

fn idle(_: &State<Wall>) -> Vector1<f64> {
    vector![0.0]
}

#[test]
fn bad_settings_are_named() -> Run {
    let simulation = || Simulation::new(Wall { mass: 1.0, restitution: 0.0 });
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let quantity = |error| match error {
            Err(SimulationError::Setting { quantity, .. }) => quantity,
            _ => "nothing",
        };
        assert_eq!(quantity(simulation()?.step_size(bad).map(drop)), "step_size");
        assert_eq!(quantity(simulation()?.tolerance(bad).map(drop)), "tolerance");
        assert_eq!(quantity(simulation()?.run(bad, idle).map(drop)), "duration");
    }
    assert!(Recording::<Wall>::new(0.0).is_err() && Recording::<Wall>::new(f64::NAN).is_err());
    let error = Simulation::new(Wall { mass: -1.0, restitution: 0.0 }).map(drop).unwrap_err();
    let expected = ModelError::Quantity {
        quantity: "the mass of link `body`",
        value: -1.0,
        expected: Bound::Positive,
    };
    assert_eq!(error, expected.into());
    Ok(())
}

#[test]
fn bad_values_change_nothing() -> Run {
    let mut simulation = Simulation::new(Wall { mass: 1.0, restitution: 0.0 })?;
    simulation.reset(vector![1.0], vector![2.0])?;
    let before = simulation.current().clone();
    let named = |error: SimulationError| match error {
        SimulationError::Model(ModelError::NotFinite { quantity, .. }) => quantity,
        error => panic!("{error}"),
    };
    assert_eq!(named(simulation.step(&vector![f64::NAN]).unwrap_err()), "u");
    assert_eq!(named(simulation.step(&vector![f64::INFINITY]).unwrap_err()), "u");
    assert_eq!(named(simulation.reset(vector![f64::NAN], vector![0.0]).unwrap_err()), "q");
    assert_eq!(named(simulation.reset(vector![0.0], vector![f64::NAN]).unwrap_err()), "v");
    let frame = FrameId::named("hand").ok_or(ModelError::NotFinite {
        quantity: "frame",
        index: 0,
        value: 0.0,
    })?;
    let wrench = Vector6::repeat(f64::NAN);
    let error = simulation.apply(frame, ReferenceFrame::World, wrench).unwrap_err();
    assert_eq!(named(error), "wrench");
    assert_eq!(simulation.current(), &before);
    let mut light = Simulation::new(Wall { mass: 1e-6, restitution: 0.0 })?;
    let before = light.current().clone();
    light.step(&vector![f64::MAX]).unwrap_err();
    light.step(&vector![-f64::MAX]).unwrap_err();
    assert_eq!(light.current(), &before);
    Ok(())
}

/// A controller that fails is told apart from a robot that does, with the time; what was done before stays.
#[test]
fn a_controller_without_an_input_is_named() -> Run {
    let mut simulation = Simulation::new(Wall { mass: 1.0, restitution: 0.0 })?.step_size(0.01)?;
    simulation.reset(vector![1.0], vector![0.0])?;
    let failing = |state: &State<Wall>| vector![if state.time < 0.095 { 0.0 } else { f64::NAN }];
    let error = simulation.run(1.0, failing).unwrap_err();
    assert_eq!(
        error.to_string(),
        "at 0.1 s: u[0] of the controller is NaN, expected a finite number"
    );
    assert!((simulation.current().time - 0.1).abs() < 1e-12);
    simulation.run(0.1, |_: &State<Wall>| vector![0.0]).map(drop)
}

#[test]
fn quaternion_that_is_none_is_named() -> Run {
    let cube = Cube { mass: 3.0, half_edge: 0.1, friction: 0.5, restitution: 0.0, gravity: 9.81 };
    let error = Simulation::new(cube)?.state(SMatrix::zeros(), SMatrix::zeros()).unwrap_err();
    let expected = ModelError::NotUnitQuaternion { joint: "base", norm: 0.0 };
    assert_eq!(error, expected.into());
    Ok(())
}

#[test]
fn steps_that_are_not_good_enough_are_refused() -> Run {
    let ball = Ball { mass: 2.5, radius: 0.3, friction: 0.7, restitution: 0.5 };
    let mut simulation = Simulation::new(ball)?
        .tolerance(1e-300)?
        .state(vector![0.0, 0.3, 0.0], vector![0.1, -0.7, 0.3])?;
    let before = simulation.current().clone();
    let error = simulation.step(&vector![0.3]).unwrap_err();
    let SimulationError::Residual { residual, tolerance, time } = error else { panic!("{error}") };
    assert!(residual.max() > 0.0 && residual.max() < 1e-14 && tolerance == 1e-300 && time == 0.0);
    assert_eq!(simulation.current(), &before);
    Ok(())
}

#[test]
fn friction_without_bound_locks_a_joint() -> Run {
    let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
    for formulation in every_formulation() {
        let slider = Slider { mass: 1.0, lower, upper, friction: f64::INFINITY, damping: 0.0 };
        let mut simulation =
            Simulation::new(slider)?.formulation(formulation).state(vector![0.2], vector![3.0])?;
        simulation.step(&vector![1e4])?;
        assert!(simulation.current().v[0].abs() < 1e-12, "{formulation:?}");
    }
    Ok(())
}

/// Ground that nothing would touch is no ground.
#[test]
fn ground_is_for_shapes() {
    let grid = Grid::new([-1.0; 2], [1.0; 2], 3, vec![0.1; 9]).unwrap();
    let ground = Ground::grid(grid, 0.5, 0.0).unwrap();
    let error = Simulation::new(Wall { mass: 1.0, restitution: 0.0 })
        .unwrap()
        .ground(ground)
        .err()
        .unwrap();
    assert!(matches!(error, SimulationError::Setup(contact::Error::NoShape)), "{error}");
    assert!(error.to_string().contains("`shape`"), "{error}");
}

/// An arm between stops, with a spring.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(arm, mass = 1, com = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02]),
    joint(axle, revolute(world -> arm), axis = [0, 1, 0], limits = [-1, 1], stiffness = stiffness, actuated),
)]
struct Stopped {
    stiffness: f64,
}

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(grain, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(base, floating(world -> grain)),
    contact(tip, on = grain, at = [0, 0, 0], friction = 0.5),
)]
struct Grain;

/// Whether each of a number of steps is right to 1e-6 by this error of its state, up to the first that is refused as one
/// whose forces drown all else.
fn is_right_or_refused<M: Model<U = Vector1<f64>>>(
    mut simulation: Simulation<M>,
    u: f64,
    error: impl Fn(&State<M>) -> f64,
) -> bool {
    for _ in 0..50 {
        match simulation.step(&vector![u]) {
            Ok(_) => assert!(error(simulation.current()) < 1e-6, "{:?}", simulation.current()),
            Err(SimulationError::Drowned { .. }) => return true,
            Err(error) => panic!("{error}"),
        }
    }
    false
}

#[test]
fn a_push_that_hides_the_stop_is_refused() -> Run {
    for exponent in (0..=300).step_by(2) {
        let simulation = Simulation::new(Stopped { stiffness: 0.0 })?;
        let u = 10_f64.powi(exponent);
        let passed = |state: &State<Stopped>| state.q[0] - 1.0;
        let simulation = simulation.state(vector![0.999], vector![0.0])?;
        let is_refused = is_right_or_refused(simulation, u, passed);
        let mut simulation = Simulation::new(Stopped { stiffness: 0.0 })?;
        let moves = simulation.step(&vector![u]).is_err() || simulation.current().q[0] > 1e-5;
        assert!(moves && is_refused == (exponent > 10), "1e{exponent}: {is_refused}");
    }
    Ok(())
}

#[test]
fn a_spring_that_hides_its_mass_is_refused() -> Run {
    for exponent in 6..=300 {
        let stiffness = 10_f64.powi(exponent);
        let simulation =
            Simulation::new(Stopped { stiffness })?.state(vector![0.5], vector![0.0])?;
        // Stiff springs are where they shall be after a few steps.
        let started = |state: &State<Stopped>| if state.time < 0.02 { 0.0 } else { state.q[0] };
        let is_refused = is_right_or_refused(simulation, 0.0, started);
        assert_eq!(is_refused, exponent > 14, "1e{exponent}");
    }
    Ok(())
}

#[test]
fn a_step_so_long_that_gaps_drown_is_refused() -> Run {
    let mut q = Grain.neutral();
    q[2] = 2.0;
    for exponent in 0..=12 {
        let h = 10_f64.powi(exponent);
        let mut simulation = Simulation::new(Grain)?.step_size(h)?.state(q, SMatrix::zeros())?;
        let error = simulation.step(&SMatrix::zeros()).err();
        let height = simulation.current().q[2];
        match error {
            None => assert!(exponent < 5 && height.abs() < 1e-6, "1e{exponent}: {height}"),
            Some(SimulationError::Drowned { joint: "base", step_size, .. }) => {
                assert!(exponent >= 5 && step_size == h && height == 2.0, "1e{exponent}: {height}");
            }
            Some(error) => panic!("1e{exponent}: {error}"),
        }
    }
    // In free flight nothing is hidden.
    let mut simulation = Simulation::new(Stopped { stiffness: 0.0 })?;
    simulation.step(&vector![1e5])?;
    Ok(())
}
