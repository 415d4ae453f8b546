//! Derivatives of robots in contact through what happens to them, against closed forms and differences of simulated
//! motion.

use jourdain::hybrid::contact::{Guard, Mode};
use jourdain::hybrid::{Automaton, Event, Hybrid, LinearError, LinearReturn, ReturnMap, Saltation};
use jourdain::impact::{Law, Restitution};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::prelude::*;
use nalgebra::{DVector, SMatrix, SVector, dmatrix};

use super::nothing;
use super::rocking::{B, Block, H};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn phase<M: Model>(q: &[f64], v: &[f64]) -> Phase {
    Phase { q: q.into(), v: v.into(), ..Phase::neutral(&Space::of::<M>(0)) }
}

fn tolerance() -> Fallible<Tolerance> {
    Ok(Tolerance::new(1e-13, 1e-13)?)
}

/// What a guard has fired so often after.
fn simulated<M: Model>(
    simulation: &mut HybridSimulation<M>,
    mut start: Phase,
    (guard, firings): (Guard, usize),
) -> Fallible<Event<Mode>> {
    let mut automaton = simulation.automaton(nothing);
    let (guard, mode) = (automaton.id(guard), automaton.start(&mut start)?);
    let mut motion = Hybrid::new(automaton, &Space::of::<M>(0), mode, start, tolerance()?)?;
    let mut fired = 0;
    loop {
        let event = motion.advance(100.0)?.ok_or("no event")?;
        fired += usize::from(event.has_fired(guard));
        if fired == firings {
            return Ok(event.clone());
        }
    }
}

/// The derivatives of a return along curves of phases against differences of the sixth order of simulated ones.
fn check<M: Model>(
    mut simulation: HybridSimulation<M>,
    curves: &[&dyn Fn(f64) -> Phase],
    (guard, firings): (Guard, usize),
) -> Fallible<LinearReturn> {
    let start = curves[0](0.0);
    let mut automaton = simulation.automaton(nothing);
    let (id, mode) = (automaton.id(guard), automaton.start(&mut start.clone())?);
    let space = Space::of::<M>(0);
    let mut map = ReturnMap::new(automaton, &space, mode, id, tolerance()?).firings(firings)?;
    let found = map.linearise(&start)?;
    let numbers =
        |phase: &Phase| DVector::from_iterator(2 * M::NV, phase.q.iter().chain(&phase.v).copied());
    for curve in curves {
        let h = 1.0 / 16384.0;
        let (mut direction, mut expected) = (DVector::zeros(2 * M::NV), DVector::zeros(2 * M::NV));
        let mut of_time = 0.0;
        for (steps, weight) in
            [(1.0, 45.0), (-1.0, -45.0), (2.0, -9.0), (-2.0, 9.0), (3.0, 1.0), (-3.0, -1.0)]
        {
            let from = curve(steps * h);
            let weight = weight / (60.0 * h);
            direction += weight * numbers(&from);
            let end = simulated(&mut simulation, from, (guard, firings))?;
            expected += weight * (numbers(&end.phase_after) - numbers(&found.phase));
            of_time += weight * (end.time() - found.duration);
        }
        let error = (&found.derivative * &direction - &expected).amax();
        let late = ((&found.duration_derivative * &direction)[0] - of_time).abs();
        let largest = 1.0 + expected.amax();
        assert!(error < 1e-8 * largest && late < 1e-8 * largest, "{error:e} {late:e}\n{found:.9?}");
    }
    assert!(found.error < 1e-8, "{:e}", found.error);
    Ok(found)
}

/// A point that flies, with friction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(along, massless),
    joint(x, prismatic(world -> along), axis = [1, 0, 0], passive),
    link(across, massless),
    joint(y, prismatic(along -> across), axis = [0, 1, 0], passive),
    link(point, mass = 2),
    joint(z, prismatic(across -> point), axis = [0, 0, 1], passive),
    contact(ground, on = point, restitution = e, friction = mu),
)]
struct Point {
    e: f64,
    mu: f64,
}

/// v_t⁺ = v_t (1 − μ (1 + e) |v_n| / ‖v_t‖), whose slip turns with what strikes.
#[test]
fn sliding_impact_in_closed_form() -> Fallible<()> {
    let (e, mu, fall): (f64, f64, f64) = (0.8, 0.2, 3.0);
    let mut simulation = HybridSimulation::new(Point { e, mu })?.tolerance(1e-12)?;
    let mut automaton = simulation.automaton(nothing);
    let (guard, mode) = (
        automaton.id(Guard::Gap(0)),
        automaton.start(&mut phase::<Point>(&[0.0, 0.0, 1.0], &[0.0; 3]))?,
    );
    let before = phase::<Point>(&[0.1, 0.2, 0.0], &[3.0, 4.0, -fall]);
    let space = Space::of::<Point>(0);
    let (saltation, _, _) = Saltation::of(&mut automaton, &space, &mode, guard, &before)?;
    let (lost, brake) = (mu * (1.0 + e) * fall / 5.0, mu * (1.0 + e) / 5.0);
    let expected = dmatrix![
        1.0 - lost + lost * 0.36, lost * 0.48, brake * 3.0;
        lost * 0.48, 1.0 - lost + lost * 0.64, brake * 4.0;
        0.0, 0.0, -e
    ];
    let found = saltation.matrix.view((3, 3), (3, 3));
    assert!((found - expected).amax() < 1e-9, "{found}");
    assert!(saltation.error > 0.0 && saltation.error < 1e-8, "{}", saltation.error);
    // Sticking, all is known.
    let mut simulation = HybridSimulation::new(Point { e, mu: 2.0 })?.tolerance(1e-12)?;
    let mut automaton = simulation.automaton(nothing);
    let (saltation, _, _) = Saltation::of(&mut automaton, &space, &mode, guard, &before)?;
    let expected = dmatrix![0.0, 0.0, 0.0; 0.0, 0.0, 0.0; 0.0, 0.0, -e];
    assert!((saltation.matrix.view((3, 3), (3, 3)) - expected).amax() < 1e-13);
    Ok(())
}

/// A rod in a plane that lands on its ends.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(rod, mass = 1, inertia = [0.02, 0.02, 0.02]),
    joint(angle, revolute(lift -> rod), axis = [0, 1, 0], passive),
    contact(left, on = rod, at = [-0.3, 0, 0], restitution = e, friction = mu),
    contact(right, on = rod, at = [0.3, 0, 0], restitution = e, friction = mu),
)]
struct Rod {
    e: f64,
    mu: f64,
}

fn along(start: &Phase, coordinate: usize) -> impl Fn(f64) -> Phase + '_ {
    move |by| {
        let mut phase = start.clone();
        phase.q.iter_mut().chain(&mut phase.v).nth(coordinate).into_iter().for_each(|x| *x += by);
        phase
    }
}

/// Free flight, impacts that slide or stick, by three laws.
#[test]
fn rod_that_tumbles_and_bounces() -> Fallible<()> {
    let start = phase::<Rod>(&[0.1, 1.0, 0.6], &[0.4, -0.5, 1.5]);
    let curves: Vec<_> = (0..6).map(|k| along(&start, k)).collect();
    let curves: Vec<&dyn Fn(f64) -> Phase> = curves.iter().map(|c| c as _).collect();
    for mu in [0.0, 0.1, 2.0] {
        for restitution in [Restitution::Newton, Restitution::Poisson, Restitution::Stronge] {
            let law = Law { restitution, ..Law::default() };
            let rod = HybridSimulation::new(Rod { e: 0.7, mu })?.tolerance(1e-12)?;
            check(rod.impact_law(law)?, &curves, (Guard::Gap(0), 1))?;
        }
    }
    Ok(())
}

/// A block on its right edge, with the angle a and its rate.
fn on_edge(x: f64, a: f64, rate: f64) -> Phase {
    let [b, h] = [B, H];
    let (across, up) = (-b * a.cos() + h * a.sin(), b * a.sin() + h * a.cos());
    let (x_rate, z_rate) = (up * rate, (b * a.cos() - h * a.sin()) * rate);
    phase::<Block>(&[x + across, up, a], &[x_rate, z_rate, rate])
}

/// From edge to edge and back: what was closed opens at an impact elsewhere.
#[test]
fn block_that_rocks() -> Fallible<()> {
    let block = HybridSimulation::new(Block)?.tolerance(1e-12)?;
    let curves: [&dyn Fn(f64) -> Phase; 3] =
        [&|by| on_edge(0.3 + by, 0.1, -0.2), &|by| on_edge(0.3, 0.1 + by, -0.2), &|by| {
            on_edge(0.3, 0.1, -0.2 + by)
        }];
    check(block, &curves, (Guard::Gap(1), 1))?;
    Ok(())
}

/// v less what is along the rows of a contact, by the least impulse.
fn stopped(q: &SVector<f64, 3>, contact: usize, v: &SVector<f64, 3>) -> SVector<f64, 3> {
    let jacobian = Block.contact_jacobian(q);
    let rows = |k: usize| jacobian.row(3 * contact + k).transpose();
    // Nothing moves along the other tangent.
    let along = if rows(1).norm() > rows(2).norm() { rows(1) } else { rows(2) };
    let g = SMatrix::<f64, 3, 2>::from_columns(&[rows(0), along]);
    let response = Block.mass_matrix(q).cholesky().unwrap().solve(&g);
    let inertia = (g.transpose() * response).try_inverse().unwrap();
    v - response * (inertia * (g.transpose() * v))
}

/// Changes that let the edge move on which the block stands are none of its motion: an impulse takes them away before that
/// at the other edge, which lets go of this one.
#[test]
fn what_holds_before_an_impact_holds_beside_it() -> Fallible<()> {
    let mut simulation = HybridSimulation::new(Block)?.tolerance(1e-12)?;
    let mut automaton = simulation.automaton(nothing);
    let mode = automaton.start(&mut on_edge(0.3, 0.1, -0.2))?;
    let (guard, before) = (automaton.id(Guard::Gap(0)), on_edge(0.3, 0.0, -1.2));
    let mut out = [0.0; 6 * 7];
    let error = automaton.reset_derivatives(&mode, &[guard], before.at(), &mut out);
    assert!(error.is_some_and(|error| error < 1e-9), "{error:?}");
    let found = SMatrix::<f64, 6, 7>::from_column_slice(&out);
    let (q, v) = (SVector::from_column_slice(&before.q), SVector::from_column_slice(&before.v));
    let jump = |q: &SVector<f64, 3>, v: &SVector<f64, 3>| stopped(q, 0, &stopped(q, 1, v));
    for k in 0..3 {
        let unit = SVector::<f64, 3>::ith(k, 1.0);
        let h = 1e-5;
        let by_place = (jump(&(q + unit * h), &v) - jump(&(q - unit * h), &v)) / (2.0 * h);
        let of_place = found.fixed_view::<3, 1>(3, k);
        assert!((of_place - by_place).amax() < 1e-8, "{k}: {of_place} {by_place}");
        let of_speed = found.fixed_view::<3, 1>(3, 3 + k);
        assert!((of_speed - jump(&q, &unit)).amax() < 1e-12, "{k}: {of_speed}");
    }
    Ok(())
}

/// A block dragged by a spring whose other end moves steadily.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(carriage, mass = 1),
    joint(drive, prismatic(world -> carriage), axis = [1, 0, 0], passive),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(block, mass = 2),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    drive(motor, joint = drive, rate = 0.3),
    spring(rope, a = carriage @ [0, 0, 0], b = block @ [0, 0, 0], stiffness = 40, rest = 0),
    contact(foot, on = block, friction = 0.25),
)]
struct Dragged;

/// It slides, sticks and slides again.
#[test]
fn block_that_slips_and_sticks() -> Fallible<()> {
    let start = phase::<Dragged>(&[1.2, 1.0, 0.0], &[0.3, 1.1, 0.0]);
    let curves = [0, 1, 4].map(|k| along(&start, k));
    let curves: Vec<&dyn Fn(f64) -> Phase> = curves.iter().map(|c| c as _).collect();
    let block = HybridSimulation::new(Dragged)?.tolerance(1e-12)?;
    let found = check(block, &curves, (Guard::Cone(0), 1))?;
    // Where it sticks, how fast it was is forgotten: it slips again from rest.
    assert!(found.derivative.row(4).amax() < 1e-8, "{}", found.derivative);
    Ok(())
}

/// What nothing is known of is refused, and nothing panics.
#[test]
fn guards_of_no_part() -> Fallible<()> {
    let mut simulation = HybridSimulation::new(Block)?;
    let mut automaton = simulation.automaton(nothing);
    let mut start = on_edge(0.0, 0.1, 0.0);
    let (mode, space) = (automaton.start(&mut start)?, Space::of::<Block>(0));
    for guard in [Guard::Mark(3), Guard::Cone(7), Guard::Slip(9), Guard::Force(2), Guard::Gap(40)] {
        let id = automaton.id(guard);
        let error = Saltation::of(&mut automaton, &space, &mode, id, &start).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
    let short = Phase { q: vec![0.0], ..start.clone() };
    let error = Saltation::of(&mut automaton, &space, &mode, 0, &short).unwrap_err();
    assert!(matches!(error, LinearError::Phase(_)), "{error}");
    let other = Space::flat(1, 0);
    let error = Saltation::of(&mut automaton, &other, &mode, 0, &Phase::neutral(&other));
    assert!(error.is_err(), "{error:?}");
    Ok(())
}
