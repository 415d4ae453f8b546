//! Torsional friction.

use jourdain::contact::{self, AnitescuPotra, Normal, Todorov};
use jourdain::prelude::*;
use nalgebra::SVector;

use crate::{Vector0, run};

const G: f64 = 9.81;

/// A ball that stands on a point of the ground, free in space.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(ball, mass = 2, sphere(radius = 0.1)),
    joint(free, floating(world -> ball)),
    contact(foot, on = ball, sphere = 0.1, friction = 0.5, restitution = e, torsion = nu),
)]
struct Ball {
    nu: f64,
    e: f64,
}

/// A disc that turns about a vertical axis and stands on a point, over ground of a height that is zero.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(carrier, massless), joint(z, prismatic(world -> carrier), axis = [0, 0, 1]),
    link(disc, mass = m, inertia = [1, 1, i]),
    joint(turn, revolute(carrier -> disc), axis = [0, 0, 1]),
    contact(foot, on = disc, torsion = nu, height = 0.0 * x),
)]
struct Disc {
    m: f64,
    i: f64,
    nu: f64,
}

fn near(found: f64, expected: f64, error: f64) {
    assert!((found - expected).abs() < error, "{found} instead of {expected}");
}

/// Standing, spinning at 3 rad/s.
fn ball(nu: f64, e: f64) -> Result<Simulation<Ball>, SimulationError> {
    let ball = Simulation::new(Ball { nu, e })?;
    let mut q = ball.model().neutral();
    q[2] = 0.1;
    let mut v = SVector::<f64, 6>::zeros();
    v[5] = 3.0;
    ball.state(q, v)
}

/// ω falls by ν m g/I a second, exactly, whatever the step, and is zero from 3 I/(ν m g) on: the moment is then
/// what it takes.
#[test]
fn a_spinning_ball_slows_down_and_stops() -> Result<(), SimulationError> {
    let nu = 0.002;
    let inertia = 0.4 * 2.0 * 0.1 * 0.1;
    let rate = nu * 2.0 * G / inertia;
    let mut ball = ball(nu, 0.0)?;
    for k in 1..=600 {
        assert!(run(&mut ball, 1)? < 1e-9);
        near(ball.current().v[5], 3.0 - 1e-3 * f64::from(k) * rate, 1e-9);
        near(ball.impulse().torsion[0], -1e-3 * nu * 2.0 * G, 1e-12);
    }
    ball.run(3.0 / rate, |_: &State<Ball>| Vector0::zeros())?;
    near(ball.current().v[5], 0.0, 1e-12);
    assert!(ball.current().v.norm() < 1e-9);
    let turned = ball.current().q[5];
    ball.run(1.0, |_: &State<Ball>| Vector0::zeros())?;
    near(ball.current().q[5], turned, 1e-12);
    Ok(())
}

/// A body whose contact's normal turns, and that has no other friction.
#[test]
fn a_spinning_disc_slows_down_and_stops() -> Result<(), SimulationError> {
    let (m, i, nu) = (3.0, 0.7, 0.05);
    let rate = nu * m * G / i;
    let mut disc = Simulation::new(Disc { m, i, nu })?;
    disc.reset(SVector::from([0.0, 0.0]), SVector::from([0.0, -2.0]))?;
    assert!(run(&mut disc, 500)? < 1e-9);
    near(disc.current().v[1], -2.0 + 0.5 * rate, 1e-9);
    disc.run(2.0 / rate, |_: &State<Disc>| Vector0::zeros())?;
    near(disc.current().v[1], 0.0, 1e-12);
    Ok(())
}

/// A hit brakes the spin too: by ν m (1 + e) |v| in all, of Poisson's two phases as of Newton's one.
#[test]
fn an_impact_brakes_the_spin() -> Result<(), SimulationError> {
    let (nu, e, speed) = (0.001, 0.5, 2.0);
    let inertia = 0.4 * 2.0 * 0.1 * 0.1;
    for law in [Restitution::Newton, Restitution::Poisson] {
        let mut ball = ball(nu, e)?.restitution(law).step_size(1e-9)?;
        let state = ball.current().clone();
        let mut v = state.v;
        v[2] = -speed;
        ball.reset(state.q, v)?;
        assert!(run(&mut ball, 1)? < 1e-9);
        near(ball.current().v[2], e * speed, 1e-7);
        near(ball.current().v[5], 3.0 - nu * 2.0 * (1.0 + e) * speed / inertia, 1e-6);
    }
    Ok(())
}

/// A ball that spins on a slab, which does not move but weighs on nothing else.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(slab, mass = 1, inertia = [1, 1, i]), joint(pivot, revolute(world -> slab), axis = [0, 0, 1]),
    link(ball, mass = 2, sphere(radius = 0.1)), joint(free, floating(world -> ball)),
    shape(top, on = slab, at = [0, 0, -0.1], box = [1, 1, 0.2], friction = 0.5, restitution = e),
    shape(skin, on = ball, sphere = 0.1, friction = 0.5, restitution = e),
    pair(skin, top, torsion = nu),
)]
struct Slab {
    i: f64,
    nu: f64,
    e: f64,
}

fn on_slab(nu: f64, e: f64) -> Result<Simulation<Slab>, SimulationError> {
    let slab = Simulation::new(Slab { i: 0.05, nu, e })?;
    let mut q = slab.model().neutral();
    q[3] = 0.1;
    let mut v = SVector::<f64, 7>::zeros();
    v[6] = 3.0;
    slab.state(q, v)
}

/// The ball loses ν m g/I a second and the slab gains as much angular momentum, until they turn together.
#[test]
fn a_pair_of_solids_has_it_too() -> Result<(), SimulationError> {
    let (nu, inertia, other) = (0.002, 0.4 * 2.0 * 0.1 * 0.1, 0.05);
    let moment = nu * 2.0 * G;
    let mut slab = on_slab(nu, 0.0)?;
    for k in 1..=300 {
        assert!(run(&mut slab, 1)? < 1e-9);
        let time = 1e-3 * f64::from(k);
        near(slab.current().v[6], 3.0 - time * moment / inertia, 1e-9);
        near(slab.current().v[0], time * moment / other, 1e-9);
        near(slab.impulse().pairs[0].torsion, -1e-3 * moment, 1e-12);
    }
    let together = 3.0 * inertia / (inertia + other);
    slab.run(3.0 * inertia / moment, |_: &State<Slab>| Vector0::zeros())?;
    near(slab.current().v[6], together, 1e-9);
    near(slab.current().v[0], together, 1e-9);
    for law in [Restitution::Newton, Restitution::Poisson] {
        let mut slab = on_slab(nu, 0.5)?.restitution(law).step_size(1e-9)?;
        let State { q, mut v, .. } = slab.current().clone();
        v[3] = -2.0;
        slab.reset(q, v)?;
        assert!(run(&mut slab, 1)? < 1e-9);
        near(slab.current().v[6], 3.0 - nu * 2.0 * 1.5 * 2.0 / inertia, 1e-6);
    }
    Ok(())
}

/// No friction is none about the normal either; what says nothing of it is asked in vain.
#[test]
fn formulations_have_it_or_say_so() -> Result<(), SimulationError> {
    let frictionless = Formulation::Frictionless(Normal::Gap);
    let mut free = ball(0.01, 0.0)?.formulation(frictionless);
    run(&mut free, 100)?;
    near(free.current().v[5], 3.0, 1e-12);
    let others = [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Todorov(Todorov::default()),
        Formulation::Sticking(Normal::Gap),
    ];
    for formulation in others {
        let error = ball(0.01, 0.0)?.formulation(formulation).step(&Vector0::zeros()).unwrap_err();
        let SimulationError::Setup(contact::Error::NotOffered { what, by, .. }) = error else {
            panic!("{error}");
        };
        assert_eq!((what, by), ("torsional friction", Some("foot")));
        run(&mut ball(0.0, 0.0)?.formulation(formulation), 1)?;
    }
    assert!(Simulation::new(Ball { nu: -0.1, e: 0.0 }).is_err());
    assert!(Simulation::new(Slab { i: 0.05, nu: -0.1, e: 0.0 }).is_err());
    let mut pair = on_slab(0.01, 0.0)?.formulation(Formulation::StewartTrinkle);
    let error = pair.step(&Vector0::zeros()).unwrap_err();
    assert!(error.to_string().contains("no torsional friction, as `skin_top` has"), "{error}");
    Ok(())
}
