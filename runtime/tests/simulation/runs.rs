//! Runs and recordings.

use jourdain::contact::{AnitescuPotra, Formulation};
use jourdain::control::{Controller, Pd};
use jourdain::nalgebra::{SMatrix, Vector6, vector};
use jourdain::prelude::*;

use super::robots::{Cube, Point, Rock, Slider};

type Run = Result<(), SimulationError>;

const FREE: Slider = Slider {
    mass: 1.0,
    lower: f64::NEG_INFINITY,
    upper: f64::INFINITY,
    friction: 0.0,
    damping: 0.0,
};

#[test]
fn bouncing_point_comes_to_rest() -> Run {
    let model = Point { mass: 0.5, friction: 0.3, restitution: 0.5, gx: 0.0, gy: 0.0, gz: -9.81 };
    let mut simulation =
        Simulation::new(model)?.state(vector![0.0, 0.0, 0.2], vector![0.1, 0.0, 0.0])?;
    let report = simulation.run(2.0, |_: &State<Point>| vector![0.0])?;
    assert_eq!(report.steps, 2000);
    assert!(report.penetration < 1e-15 && report.residual.max() < 1e-12, "{report:?}");
    let state = simulation.current();
    assert!(state.v.norm() < 1e-12 && state.q[2].abs() < 1e-12, "{state:?}");
    let rest = state.q;
    simulation.run(1.0, |_: &State<Point>| vector![0.0])?;
    assert!((simulation.current().q - rest).norm() < 1e-12);
    Ok(())
}

/// Peaks of an elastic ball keep their height to the order of the step.
#[test]
fn first_impact_and_rebound() -> Run {
    let model = Point { mass: 1.0, friction: 0.0, restitution: 0.9, gx: 0.0, gy: 0.0, gz: -9.81 };
    let mut simulation = Simulation::new(model)?
        .step_size(1e-4)?
        .state(vector![0.0, 0.0, 1.0], vector![0.0, 0.0, 0.0])?;
    let mut impact = 0.0;
    while simulation.current().v[2] <= 0.0 {
        simulation.step(&vector![0.0])?;
        impact = simulation.current().time;
    }
    assert!((impact - 0.451523641).abs() < 2e-4, "{impact}");
    assert!((simulation.current().v[2] - 0.9 * (2.0f64 * 9.81).sqrt()).abs() < 2e-3);
    Ok(())
}

#[test]
fn sliding_block_decelerates_by_friction_and_stays() -> Run {
    for (formulation, slowest) in
        [(Formulation::StewartTrinkle, 1e-13), (Formulation::default(), 1e-11)]
    {
        let model =
            Point { mass: 2.0, friction: 0.5, restitution: 0.0, gx: 0.0, gy: 0.0, gz: -10.0 };
        let simulation = Simulation::new(model)?.formulation(formulation);
        let mut simulation = simulation.state(vector![0.0, 0.0, 0.0], vector![1.0, 0.0, 0.0])?;
        simulation.run(0.1, |_: &State<Point>| vector![0.0])?;
        assert!((simulation.current().v[0] - 0.5).abs() < 1e-10);
        simulation.run(0.4, |_: &State<Point>| vector![0.0])?;
        // v² / (2 μ g), less h v / 2 of semi-implicit Euler.
        assert!((simulation.current().q[0] - (0.1 - 0.5e-3)).abs() < 1e-9);
        assert!(simulation.current().v.norm() < slowest);
    }
    Ok(())
}

/// On an incline the polygon holds up to tan θ = μ along a direction.
#[test]
fn incline_holds_up_to_the_friction_angle() -> Run {
    let end = |slope: f64| -> Result<f64, SimulationError> {
        let (gx, gz) = (9.81 * slope.atan().sin(), -9.81 * slope.atan().cos());
        let model = Point { mass: 2.0, friction: 0.6, restitution: 0.0, gx, gy: 0.0, gz };
        let mut simulation = Simulation::new(model)?;
        simulation.run(0.5, |_: &State<Point>| vector![0.0])?;
        Ok(simulation.current().v[0])
    };
    assert!(end(0.6 - 1e-6)?.abs() < 1e-12);
    let fast = end(0.7)?;
    let expected = 0.5 * 9.81 * (0.7f64.atan().sin() - 0.6 * 0.7f64.atan().cos());
    assert!((fast - expected).abs() < 1e-10, "{fast} {expected}");
    Ok(())
}

#[test]
fn pd_holds_its_target_within_the_effort_limit() -> Run {
    let mut pd = Pd::new(&FREE, vector![0.5], 100.0, 20.0);
    let at = |q: f64, v: f64| State::<Slider> { time: 0.0, q: vector![q], v: vector![v] };
    assert_eq!(pd.input(&at(0.25, 0.0)), vector![5.0]);
    assert_eq!(pd.input(&at(0.4375, 0.0)), vector![3.125]);
    assert_eq!(pd.input(&at(0.4375, 0.25)), vector![0.625]);
    assert_eq!(pd.input(&at(-100.0, 0.0)), vector![5.0]);
    assert_eq!(pd.input(&at(100.0, 0.0)), vector![-5.0]);
    assert!(pd.input(&at(f64::NAN, 0.0))[0].is_nan());
    let mut simulation = Simulation::new(FREE)?;
    simulation.run(5.0, pd.clone())?;
    assert!((simulation.current().q[0] - 0.5).abs() < 1e-9);
    pd.set_target(vector![-0.5]);
    simulation.run(5.0, pd.gains(vector![50.0], vector![15.0]))?;
    assert!((simulation.current().q[0] + 0.5).abs() < 1e-9);
    Ok(())
}

#[test]
fn wrenches_act_until_they_are_cleared() -> Run {
    let model = Point { mass: 2.0, friction: 0.0, restitution: 0.0, gx: 0.0, gy: 0.0, gz: 0.0 };
    let mut simulation = Simulation::new(model)?;
    let Some(hand) = FrameId::named("hand") else { panic!("no frame `hand`") };
    let force = |x, z| Vector6::new(x, 0.0, z, 0.0, 0.0, 0.0);
    simulation.apply(hand, ReferenceFrame::LocalWorldAligned, force(3.0, 0.0))?;
    simulation.apply(hand, ReferenceFrame::LocalWorldAligned, force(1.0, 2.0))?;
    simulation.run(1.0, |_: &State<Point>| vector![0.0])?;
    assert!((simulation.current().v - vector![2.0, 0.0, 1.0]).norm() < 1e-12);
    simulation.clear_wrenches();
    simulation.run(1.0, |_: &State<Point>| vector![0.0])?;
    assert!((simulation.current().v - vector![2.0, 0.0, 1.0]).norm() < 1e-12);
    Ok(())
}

#[test]
fn what_cannot_move_rests() -> Run {
    let mut simulation = Simulation::new(Rock { mass: 1.0 })?;
    let mut recording = Recording::new(f64::INFINITY)?;
    simulation.run_recorded(0.01, |_: &State<Rock>| SMatrix::zeros(), &mut recording)?;
    let mut pd = Pd::new(simulation.model(), SMatrix::zeros(), 1.0, 1.0);
    assert_eq!(pd.input(simulation.current()), SMatrix::<f64, 0, 1>::zeros());
    assert_eq!(recording.samples().len(), 10);
    Ok(())
}

#[test]
fn passive_forces_are_applied() -> Run {
    let mut simulation =
        Simulation::new(Slider { damping: 2.0, ..FREE })?.state(vector![0.0], vector![1.0])?;
    simulation.step(&vector![0.0])?;
    // The damper takes what it takes of the velocity at the end.
    assert!((simulation.current().v[0] - 1.0 / (1.0 + 2e-3)).abs() < 1e-15);
    Ok(())
}

#[test]
fn runs_repeat_bit_by_bit() -> Run {
    let run = || -> Result<State<Cube>, SimulationError> {
        let cube =
            Cube { mass: 3.0, half_edge: 0.1, friction: 0.5, restitution: 0.3, gravity: 9.81 };
        let q = SMatrix::from([0.0, 0.0, 0.4, 0.1, 0.2, 0.3, f64::sqrt(0.86)]);
        let v = SMatrix::from([0.5, 0.0, 0.0, 1.0, 2.0, -1.0]);
        let mut simulation = Simulation::new(cube)?.state(q, v)?;
        simulation.run(1.0, |_: &State<Cube>| SMatrix::zeros())?;
        Ok(simulation.current().clone())
    };
    let (first, second) = (run()?, run()?);
    let bits = |state: &State<Cube>| {
        state.q.iter().chain(state.v.iter()).map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(bits(&first), bits(&second));
    Ok(())
}

#[test]
fn recordings_keep_their_rate_and_write_csv() -> Run {
    let model = Point { mass: 2.0, friction: 0.5, restitution: 0.0, gx: 0.0, gy: 0.0, gz: -10.0 };
    let mut simulation = Simulation::new(model)?;
    let mut recording = Recording::new(100.0)?;
    simulation.run_recorded(0.3, |_: &State<Point>| vector![1.0], &mut recording)?;
    assert_eq!(recording.samples().len(), 30);
    for (k, sample) in recording.samples().iter().enumerate() {
        assert!((sample.state.time - (0.001 + 0.01 * k as f64)).abs() < 1e-9);
        assert!((sample.forces[0] - vector![-1.0, 0.0, 20.0]).norm() < 1e-9, "{:?}", sample.forces);
        assert_eq!((sample.u, sample.gaps.len(), sample.points.len()), (vector![1.0], 1, 1));
        assert!(sample.kinetic_energy < 1e-22);
    }
    let mut text = Vec::new();
    jourdain::csv::write(&recording, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut lines = text.split("\r\n");
    let header: Vec<_> = lines.next().unwrap().split(',').collect();
    assert_eq!(
        header[..8],
        ["time", "q.free.0", "q.free.1", "q.free.2", "v.free.0", "v.free.1", "v.free.2", "u.drive"]
    );
    assert_eq!(
        header[8..15],
        [
            "gap.foot",
            "force.foot.x",
            "force.foot.y",
            "force.foot.z",
            "point.foot.x",
            "point.foot.y",
            "point.foot.z"
        ]
    );
    assert_eq!(header[15..], ["kinetic_energy", "potential_energy", "residual"]);
    let first: Vec<f64> = lines.next().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    assert_eq!((first.len(), first[0].to_bits()), (header.len(), 0.001f64.to_bits()));
    assert_eq!(lines.count(), 30);
    Ok(())
}

#[test]
fn formulations_agree_at_rest() -> Run {
    for formulation in [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::AnitescuPotra(AnitescuPotra::new(1.0, 1e-3).unwrap()),
    ] {
        let cube =
            Cube { mass: 3.0, half_edge: 0.1, friction: 0.5, restitution: 0.0, gravity: 9.81 };
        let q = SMatrix::from([0.0, 0.0, 0.13, 0.1, 0.05, 0.2, f64::sqrt(1.0 - 0.0525)]);
        let mut simulation =
            Simulation::new(cube)?.formulation(formulation).state(q, SMatrix::zeros())?;
        let mut recording = Recording::new(f64::INFINITY)?;
        let idle = |_: &State<Cube>| SMatrix::zeros();
        let report = simulation.run_recorded(2.0, idle, &mut recording)?;
        assert!(report.residual.max() < 1e-9);
        let state = simulation.current();
        assert!(
            state.v.norm() < 1e-9 && (state.q[2] - 0.1).abs() < 1e-6,
            "{formulation:?} {state:?}"
        );
        let forces = &recording.samples().last().unwrap().forces;
        let weight: f64 = forces.iter().map(|force| force.z).sum();
        assert!((weight - 3.0 * 9.81).abs() < 1e-6);
    }
    Ok(())
}

/// Time is so many steps, and not a sum of what rounding makes of each.
#[test]
fn time_does_not_drift() -> Run {
    let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
    let slider = Slider { mass: 1.0, lower, upper, friction: 0.0, damping: 0.0 };
    let mut simulation = Simulation::new(slider)?;
    for steps in 1..=20_000_u32 {
        simulation.step(&vector![0.0])?;
        let (time, exact) = (simulation.current().time, 1e-3 * f64::from(steps));
        assert!((time - exact).abs() <= f64::EPSILON * exact, "{time}, {exact}");
    }
    // Other steps go on from there, and so does what is reset.
    simulation = simulation.step_size(0.1)?;
    simulation.reset(vector![0.0], vector![0.0])?;
    simulation.run(1e3, |_: &State<Slider>| vector![0.0])?;
    assert!((simulation.current().time - 1020.0).abs() <= f64::EPSILON * 1020.0);
    Ok(())
}
