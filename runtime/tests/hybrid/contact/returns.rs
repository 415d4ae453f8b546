//! Limit cycles of robots in contact: a rimless wheel in closed form, and a hopper against its simulated map.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_8, PI};

use jourdain::hybrid::contact::{ContactError, Guard};
use jourdain::hybrid::{Automaton, Error, Hybrid, LinearError, ReturnError, ReturnMap};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::prelude::*;
use nalgebra::{Complex, Matrix2, SVector, matrix, vector};

use super::nothing;

type Done = Result<(), Box<dyn std::error::Error>>;

const G: f64 = 9.81;
const SLOPE: f64 = 0.08;

/// Half of the angle between two of seven spokes.
const ALPHA: f64 = PI / 7.0;

/// A wheel of spokes of the length `l`, and a rim of the inertia `i` about the hub: the spoke that stands, and the next one.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope), 0, -9.81 * cos(slope)],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(wheel, mass = 1, inertia = [i, i, i]),
    joint(angle, revolute(lift -> wheel), axis = [0, 1, 0], passive),
    contact(spoke, on = wheel, at = [0, 0, -l], friction = 2),
    contact(next, on = wheel, at = [l * sin(2 * PI / 7), 0, -l * cos(2 * PI / 7)], friction = 2),
)]
struct Wheel {
    l: f64,
    i: f64,
    slope: f64,
}

/// With κ = m l² / (I + m l²), an impact leaves η = 1 − κ (1 − cos 2α) of ω, and a step adds 4 κ g/l sin α sin γ to ω². Seven
/// spokes whose rim has the right inertia have the η and the gain of eight massless ones of one metre.
#[test]
fn wheel_with_a_rim_rolls_as_one_of_eight_spokes() -> Done {
    let kappa = (1.0 - FRAC_1_SQRT_2) / (1.0 - (2.0 * ALPHA).cos());
    let l = kappa * ALPHA.sin() / FRAC_PI_8.sin();
    let wheel = Wheel { l, i: l * l * (1.0 / kappa - 1.0), slope: SLOPE };
    // Where the spoke that came down is upright, it is called the one that stands.
    let mut simulation = HybridSimulation::new(wheel)?.tolerance(1e-10)?.guard_with_reset(
        "upright",
        |state| 2.0 * ALPHA - state.q[2],
        |state| (state.q - vector![0.0, 0.0, 2.0 * ALPHA], state.v),
    );
    let mut automaton = simulation.automaton(nothing);
    let space = Space::of::<Wheel>(0);
    let rate = 0.25;
    let (q, v) = (vec![0.0, l, 0.0], vec![l * rate, 0.0, rate]);
    let mut start = Phase { q, v, ..Phase::neutral(&space) };
    let mode = automaton.start(&mut start)?;
    assert_eq!(automaton.mode_name(&mode), "spoke stick, next open");
    let upright = automaton.id(Guard::Mark(0));
    let tolerance = Tolerance::new(1e-11, 1e-11)?;
    let mut map = ReturnMap::new(automaton, &space, mode, upright, tolerance).free(&[0])?;
    let cycle = map.cycle(&start, 1e-10)?;
    let climb = 2.0 * kappa * G / l * ((ALPHA - SLOPE).cos() - SLOPE.cos());
    let after_impact = (cycle.start.v[2].powi(2) - climb).sqrt();
    assert!((after_impact - 1.0954628396).abs() < 1e-9, "{after_impact}");
    let values = cycle.period.eigenvalues();
    // Along the slope nothing changes.
    assert!((values[0] - Complex::new(1.0, 0.0)).norm_sqr().sqrt() < 1e-9, "{values:?}");
    assert!((values[1] - Complex::new(0.5, 0.0)).norm_sqr().sqrt() < 1e-9, "{values:?}");
    assert!(values[2..].iter().all(|value| value.norm_sqr().sqrt() < 1e-6), "{values:?}");
    assert!(cycle.period.error < 1e-9 && !cycle.period.is_timed, "{cycle:?}");
    Ok(())
}

/// What a mode has closed must be closed, and stick if it is to, where a motion begins in it.
#[test]
fn starts_that_do_not_satisfy_their_mode() -> Done {
    let wheel = Wheel { l: 1.0, i: 0.1, slope: SLOPE };
    let mut simulation = HybridSimulation::new(wheel)?.tolerance(1e-9)?;
    let mut automaton = simulation.automaton(nothing);
    let space = Space::of::<Wheel>(0);
    let rolling =
        Phase { q: vec![0.0, 1.0, 0.0], v: vec![0.2, 0.0, 0.2], ..Phase::neutral(&space) };
    let mode = automaton.start(&mut rolling.clone())?;
    let (next, tolerance) = (automaton.id(Guard::Gap(1)), Tolerance::new(1e-9, 1e-9)?);
    let mut map = ReturnMap::new(automaton, &space, mode.clone(), next, tolerance);
    for (q, v, expected) in [
        ([0.0, 1.01, 0.0], [0.2, 0.0, 0.2], 0.01),
        ([0.0, 1.0, 0.0], [0.2, 0.3, 0.2], 0.3),
        ([0.0, 1.0, 0.0], [0.0, 0.0, 0.2], 0.2),
    ] {
        let start = Phase { q: q.into(), v: v.into(), ..rolling.clone() };
        let refused = [
            map.apply(&start).unwrap_err(),
            map.linearise(&start).unwrap_err(),
            map.cycle(&start, 1e-8).unwrap_err(),
        ];
        for refused in refused {
            let ReturnError::Run(Error::Declaration {
                reason: LinearError::Automaton(ContactError::NotClosed { part, error, .. }),
                ..
            }) = &refused
            else {
                panic!("{refused}")
            };
            assert!(part == "spoke" && (error - expected).abs() < 1e-12, "{refused}");
        }
    }
    // It is the same for a motion without return.
    let apart = Phase { q: vec![0.0, 1.01, 0.0], ..rolling };
    let automaton = simulation.automaton(nothing);
    let begun = Hybrid::new(automaton, &space, mode, apart, tolerance);
    let error = begun.err().ok_or("it begins")?;
    let expected = "mode spoke stick, next open cannot begin";
    assert_eq!(error.to_string(), expected);
    Ok(())
}

/// A body on a springy leg whose foot has a mass.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 10),
    joint(height, prismatic(world -> body), axis = [0, 0, 1], passive),
    link(foot, mass = 1),
    joint(leg, prismatic(body -> foot), axis = [0, 0, -1], actuated),
    contact(toe, on = foot),
)]
struct Hopper;

/// A spring and a damper, and a motor that pumps towards an energy.
fn legged(state: &State<Hopper>) -> SVector<f64, 1> {
    let State { q, v, .. } = state;
    let (stretch, rate) = (q[1] - 0.5, v[1]);
    let energy = 5.0 * v[0] * v[0] + 10.0 * G * q[0] + 1000.0 * stretch * stretch;
    vector![-2000.0 * stretch - 60.0 * rate + 6.0 * (70.0 - energy) * rate]
}

/// Right after touch-down.
fn landed(length: f64, speed: f64) -> Phase {
    let space = Space::of::<Hopper>(0);
    Phase { q: vec![length, length], v: vec![speed, speed], ..Phase::neutral(&space) }
}

/// The second touch-down from here: at the first one the damper still pulls the foot up again.
fn next(
    simulation: &mut HybridSimulation<Hopper>,
    from: Phase,
) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let (space, tolerance) = (Space::of::<Hopper>(0), Tolerance::new(1e-13, 1e-13)?);
    let mut automaton = simulation.automaton(legged);
    let (mut start, touchdown) = (from, automaton.id(Guard::Gap(0)));
    let mode = automaton.start(&mut start)?;
    let mut motion = Hybrid::new(automaton, &space, mode, start, tolerance)?;
    loop {
        let event = motion.advance(10.0)?.ok_or("no touch-down")?;
        if event.has_fired(touchdown) && event.mode_after.contacts()[0].is_closed() {
            return Ok([event.phase_after.q[0], event.phase_after.v[0]]);
        }
    }
}

#[test]
fn hopper_hops_as_its_eigenvalues_say() -> Done {
    let mut simulation = HybridSimulation::new(Hopper)?.tolerance(1e-12)?;
    let mut point = [0.4516, -1.24];
    for _ in 0..10 {
        point = next(&mut simulation, landed(point[0], point[1]))?;
    }
    let space = Space::of::<Hopper>(0);
    let mut automaton = simulation.automaton(legged);
    let touchdown = automaton.id(Guard::Gap(0));
    let mut start = landed(point[0], point[1]);
    let mode = automaton.start(&mut start)?;
    assert_eq!(automaton.mode_name(&mode), "toe closed");
    let mut map = ReturnMap::new(automaton, &space, mode, touchdown, Tolerance::new(1e-13, 1e-13)?)
        .firings(2)?;
    let cycle = map.cycle(&start, 1e-12)?;
    let (q, v) = (cycle.start.q[0], cycle.start.v[0]);
    let mut expected = Matrix2::<f64>::zeros();
    for (k, mut column) in expected.column_iter_mut().enumerate() {
        let h = 1.0 / 8192.0;
        for (steps, weight) in
            [(1.0, 45.0), (-1.0, -45.0), (2.0, -9.0), (-2.0, 9.0), (3.0, 1.0), (-3.0, -1.0)]
        {
            let mut x = [q, v];
            x[k] += steps * h;
            let end = next(&mut simulation, landed(x[0], x[1]))?;
            column += weight / (60.0 * h) * vector![end[0] - q, end[1] - v];
        }
    }
    // The foot stays on the ground: height changes with the leg's length.
    let all = &cycle.period.derivative;
    let along = |row: usize, column: usize| all[(row, column)] + all[(row, column + 1)];
    let found = matrix![along(0, 0), along(0, 2); along(2, 0), along(2, 2)];
    assert!((found - expected).amax() < 1e-7, "{found} {expected}");
    let values = cycle.period.eigenvalues();
    let expected = expected.complex_eigenvalues();
    let largest = expected
        .iter()
        .copied()
        .fold(Complex::new(0.0, 0.0), |a, b| if b.norm_sqr() > a.norm_sqr() { b } else { a });
    assert!((values[0] - largest).norm_sqr().sqrt() < 1e-9, "{values:?} {expected}");
    assert!((values[0].re - 0.186163392).abs() < 1e-8 && values[0].im == 0.0, "{values:?}");
    // A zero that is repeated is known to the root of rounding.
    assert!(values[1..].iter().all(|value| value.norm_sqr().sqrt() < 1e-6), "{values:?}");
    Ok(())
}
