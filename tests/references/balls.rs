//! Balls and rods that hit, roll and bounce.

use fastrand::Rng;
use jourdain::prelude::*;
use nalgebra::{Matrix2x3, Matrix3, Vector1, Vector3};

use crate::{Vector0, between, close};

/// A hollow ball of radius r in the x-z plane; the contact's tangential velocity is ẋ + r θ̇.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(ball, mass = m, inertia = [2.0 / 3.0 * m * r * r, 2.0 / 3.0 * m * r * r, 2.0 / 3.0 * m * r * r]),
    joint(plane, planar(world -> ball), axis = [0, -1, 0]),
    contact(ground, on = ball, sphere = r, friction = 50, restitution = e),
)]
struct Hollow {
    m: f64,
    r: f64,
    e: f64,
}

/// A thin rod of length 2 l in the x-z plane, whose lower end can hit the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(rod, mass = m, inertia = [m * l * l / 3.0, m * l * l / 3.0, m * l * l / 100.0]),
    joint(plane, planar(world -> rod), axis = [0, -1, 0]),
    contact(tip, on = rod, at = [0, 0, -l], friction = 50, restitution = 0.5),
)]
struct Rod {
    m: f64,
    l: f64,
}

/// A solid ball on a slope that falls along x.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(ball, mass = m, sphere(radius = r)),
    joint(plane, planar(world -> ball), axis = [0, -1, 0]),
    contact(slope, on = ball, sphere = r, friction = mu, plane(normal = [sin(slope), 0, cos(slope)])),
)]
struct Solid {
    m: f64,
    r: f64,
    mu: f64,
    slope: f64,
}

/// A point that falls and bounces.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(point, mass = 1),
    joint(fall, prismatic(world -> point), axis = [0, 0, 1]),
    contact(ground, on = point, restitution = e),
)]
struct Point {
    e: f64,
}

/// v⁺ = [3/5 0 −2r/5; 0 −e 0; −3/(5r) 0 2/5] v⁻.
///
/// Source: Tedrake, Underactuated Robotics, appendix "Multi-Body Dynamics", "A spinning ball
/// bouncing on the ground".
#[test]
fn hollow_ball_sticks_and_bounces() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(4);
    for _ in 0..200 {
        let (m, r, e) = (between(rng, 0.1, 5.0), between(rng, 0.05, 1.0), rng.f64());
        let v = Vector3::new(
            between(rng, -2.0, 2.0),
            between(rng, -3.0, -0.5),
            between(rng, -9.0, 9.0),
        );
        let mut ball = Simulation::new(Hollow { m, r, e })?
            .state(Vector3::new(between(rng, -1.0, 1.0), r, between(rng, -3.0, 3.0)), v)?;
        ball.step(&Vector0::zeros())?;
        #[rustfmt::skip]
        let impact = Matrix3::new(
            0.6, 0.0, -0.4 * r,
            0.0, -e, 0.0,
            -0.6 / r, 0.0, 0.4,
        );
        close("v⁺", ball.current().v.as_slice(), (impact * v).as_slice(), 1e-12);
    }
    Ok(())
}

/// v⁺ = v⁻ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ diag(1 + e, 1) J v⁻; the factors do not commute for a rod that
/// lands askew.
#[test]
fn rod_sticks_and_bounces() -> Result<(), SimulationError> {
    let (m, l) = (2.0, 0.5);
    let (sine, cosine) = std::f64::consts::FRAC_PI_4.sin_cos();
    // The tip is at x + l sin θ, z − l cos θ.
    let jacobian = Matrix2x3::new(0.0, 1.0, l * sine, 1.0, 0.0, l * cosine);
    let inverse = Matrix3::from_diagonal(&Vector3::new(1.0 / m, 1.0 / m, 3.0 / (m * l * l)));
    let v = Vector3::new(0.3, -2.0, -0.4);
    let wanted = nalgebra::Vector2::new(1.5, 1.0).component_mul(&(jacobian * v));
    let delassus = jacobian * inverse * jacobian.transpose();
    let impulse = delassus.try_inverse().expect("regular") * wanted;
    let expected = v - inverse * jacobian.transpose() * impulse;
    let start = Vector3::new(0.0, l * cosine, std::f64::consts::FRAC_PI_4);
    let mut rod = Simulation::new(Rod { m, l })?.state(start, v)?;
    rod.step(&Vector0::zeros())?;
    close("v⁺", rod.current().v.as_slice(), expected.as_slice(), 1e-12);
    Ok(())
}

/// Slope, friction, and the acceleration down the slope: (5/7) g sin α while
/// μ ≥ (2/7) tan α, g (sin α − μ cos α) below.
#[test]
fn solid_ball_rolls_down_a_slope() -> Result<(), SimulationError> {
    let slope = 15f64.to_radians();
    let limit = 2.0 / 7.0 * slope.tan();
    let mus = [0.8, 1.001 * limit, 0.9 * limit, 0.3 * limit, 0.0];
    let laws = [(Formulation::StewartTrinkle, 1e-12), (Formulation::default(), 1e-10)];
    for (mu, (formulation, accuracy)) in mus.into_iter().flat_map(|mu| laws.map(|law| (mu, law))) {
        let rolls = mu >= limit;
        let expected = if rolls {
            5.0 / 7.0 * 9.81 * slope.sin()
        } else {
            9.81 * (slope.sin() - mu * slope.cos())
        };
        let (r, duration) = (0.2, 0.5);
        let model = Solid { m: 3.0, r, mu, slope };
        let touching = Vector3::new(r * slope.sin(), r * slope.cos(), 0.0);
        let ball = Simulation::new(model)?.formulation(formulation);
        let mut ball = ball.state(touching, Vector3::zeros())?;
        ball.run(duration, |_: &State<Solid>| Vector0::zeros())?;
        let v = ball.current().v;
        let along = v[0] * slope.cos() - v[1] * slope.sin();
        close("a", &[along / duration], &[expected], 10.0 * accuracy);
        let slip = along + r * v[2];
        assert_eq!(slip.abs() < 10.0 * accuracy, rolls, "{slip}");
        let away = v[0] * slope.sin() + v[1] * slope.cos();
        assert!(away.abs() < accuracy, "it stays on the slope");
    }
    Ok(())
}

/// From 1 m the point lands at √(2/g) = 0.451523641 s, and each flight is e times as long as the
/// one before; all impacts are over at 8.578949179 s for e = 0.9.
#[test]
fn point_bounces() -> Result<(), SimulationError> {
    let h = 1e-4;
    let mut point = Simulation::new(Point { e: 0.9 })?
        .step_size(h)?
        .state(Vector1::new(1.0), Vector1::zeros())?;
    let mut impacts = Vec::new();
    while impacts.len() < 3 {
        let before = point.current().v[0];
        point.step(&Vector0::zeros())?;
        let State { v, time, .. } = point.current();
        if v[0] > 0.0 && before < 0.0 {
            close("v⁺", &[v[0]], &[-0.9 * before], 1e-12);
            impacts.push(*time);
        }
    }
    let first = 0.451523641;
    let flight = 2.0 * 0.9 * first;
    close("first impact", &impacts[..1], &[first], 2.0 * h);
    close("second impact", &impacts[1..2], &[first + flight], 6.0 * h);
    point.run(9.0 - point.current().time, |_: &State<Point>| Vector0::zeros())?;
    assert!(point.current().v[0].abs() < 1e-3, "at rest when all is over");
    Ok(())
}
