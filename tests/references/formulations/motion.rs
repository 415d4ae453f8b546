//! Bodies that roll, tip and jam, motors and springs.

use fastrand::Rng;
use jourdain::contact::{Motor, Softness};
use jourdain::prelude::*;
use nalgebra::{Vector1, Vector3};

use super::{Block, G, block, exact};
use crate::{Vector0, between, close};

/// A solid ball on level ground, in the x-z plane.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(ball, mass = 7, sphere(radius = 0.11)),
    joint(plane, planar(world -> ball), axis = [0, -1, 0]),
    contact(lane, on = ball, sphere = 0.11, friction = mu),
)]
struct Bowl {
    mu: f64,
}

/// A box of the half width a and the half height b in the x-z plane, on a slope that falls along x.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope), 0, -9.81 * cos(slope)],
    link(box, mass = m, inertia = [m * (a * a + b * b) / 3.0, m * (a * a + b * b) / 3.0, m * (a * a + b * b) / 3.0]),
    joint(plane, planar(world -> box), axis = [0, -1, 0]),
    contact(front, on = box, at = [a, 0, -b], friction = 2),
    contact(back, on = box, at = [-a, 0, -b], friction = 2),
)]
struct Tall {
    m: f64,
    a: f64,
    b: f64,
    slope: f64,
}

/// A thin rod in the x-z plane whose lower end touches the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(rod, mass = 1, inertia = [1 / 12.0, 1 / 12.0, 0.001]),
    joint(plane, planar(world -> rod), axis = [0, -1, 0]),
    contact(tip, on = rod, at = [0, 0, -0.5], friction = mu),
)]
struct Chalk {
    mu: f64,
}

/// A turning table.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(table, mass = 1, com = [0.1, 0, 0], inertia = [1, 1, 0.5]),
    joint(axis, revolute(world -> table), axis = [0, 0, 1]),
)]
struct Table;

/// A ball thrown without spin slides for 2 v₀/(7 μ g) and then rolls at 5/7 v₀.
#[test]
fn a_bowling_ball_slips_and_then_rolls() -> Result<(), SimulationError> {
    let (mu, speed) = (0.12, 7.0);
    let until = 2.0 * speed / (7.0 * mu * G);
    for formulation in [Formulation::StewartTrinkle, Formulation::default()] {
        let ball = Simulation::new(Bowl { mu })?.formulation(formulation);
        let mut ball = ball.state(Vector3::new(0.0, 0.11, 0.0), Vector3::new(speed, 0.0, 0.0))?;
        ball.run(0.99 * until, |_: &State<Bowl>| Vector0::zeros())?;
        let slip = |v: &Vector3<f64>| v[0] + 0.11 * v[2];
        assert!(slip(&ball.current().v) > 0.01, "still slips");
        ball.run(0.02 * until, |_: &State<Bowl>| Vector0::zeros())?;
        let v = ball.current().v;
        assert!(slip(&v).abs() < 1e-9, "rolls: {}", slip(&v));
        close("v", &[v[0]], &[5.0 / 7.0 * speed], 1e-9);
    }
    Ok(())
}

/// On a slope steeper than a/b a box tips about its lower edge, with
/// α = g (b sin θ − a cos θ)/(4/3 (a² + b²)).
#[test]
fn a_box_tips_where_its_weight_is_beyond_its_edge() -> Result<(), SimulationError> {
    let (m, a, b) = (3.0, 0.1, 0.25);
    for formulation in exact() {
        let on = |slope: f64| -> Result<Vector3<f64>, SimulationError> {
            let tall = Simulation::new(Tall { m, a, b, slope })?.formulation(formulation);
            let mut tall = tall.state(Vector3::new(0.0, b, 0.0), Vector3::zeros())?;
            tall.run(0.05, |_: &State<Tall>| Vector0::zeros())?;
            Ok(tall.current().v)
        };
        assert!(on((0.98 * a / b).atan())?.norm() < 1e-10, "{formulation:?}");
        let slope = f64::atan(1.2 * a / b);
        let alpha = G * (b * slope.sin() - a * slope.cos()) / (4.0 / 3.0 * (a * a + b * b));
        close("ω", &[on(slope)?[2].abs()], &[0.05 * alpha], 2e-3);
    }
    Ok(())
}

/// At the beginning of a step at φ = 0, the impulses of a single contact in the plane by trying all modes, as
/// (λ, tangential impulse) along (z, x).
fn modes(a: [[f64; 2]; 2], b: [f64; 2], mu: f64) -> Vec<[f64; 2]> {
    let mut found = Vec::new();
    if b[0] >= -1e-12 {
        found.push([0.0, 0.0]);
    }
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    let stick = [
        (-b[0] * a[1][1] + b[1] * a[0][1]) / determinant,
        (-b[1] * a[0][0] + b[0] * a[1][0]) / determinant,
    ];
    if stick[0] >= 0.0 && stick[1].abs() <= mu * stick[0] {
        found.push(stick);
    }
    for sign in [-1.0, 1.0] {
        let lambda = -b[0] / (a[0][0] + sign * mu * a[0][1]);
        let slip = b[1] + lambda * (a[1][0] + sign * mu * a[1][1]);
        if lambda >= 0.0 && sign * slip <= 0.0 {
            found.push([lambda, sign * mu * lambda]);
        }
    }
    found
}

/// A rod that slides on its tip in Painlevé's way, where no acceleration would do: the step has an impulse, and
/// it is one of those that trying all modes gives.
#[test]
fn a_rod_in_painleves_region_has_a_step() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(5);
    let (h, mut paradoxical) = (1e-3, 0);
    for _ in 0..400 {
        let (angle, mu) = (between(rng, -1.2, 1.2), between(rng, 0.5, 6.0));
        let v = Vector3::new(between(rng, -3.0, 3.0), 0.0, between(rng, -3.0, 3.0));
        let chalk = Chalk { mu };
        let mut q = Vector3::new(0.0, 0.0, angle);
        q[1] -= chalk.gap(&q)[0];
        // The tip stays where it is along the normal.
        let rows = chalk.contact_jacobian(&q);
        let v = v - Vector3::new(0.0, (rows.row(0) * v)[0], 0.0);
        let inverse = chalk.mass_matrix(&q).try_inverse().expect("regular");
        let free = v - h * inverse * chalk.bias_force(&q, &v);
        // The tangent that lies in the plane is the one that moves.
        let k = if rows.row(1).norm() > rows.row(2).norm() { 1 } else { 2 };
        let (n, t) = (rows.row(0).transpose(), rows.row(k).transpose());
        let a = [
            [n.dot(&(inverse * n)), n.dot(&(inverse * t))],
            [t.dot(&(inverse * n)), t.dot(&(inverse * t))],
        ];
        let answers = modes(a, [n.dot(&free), t.dot(&free)], mu);
        paradoxical += usize::from(mu * a[0][1].abs() > a[0][0]);
        for formulation in [Formulation::StewartTrinkle, Formulation::default()] {
            let simulation = Simulation::new(chalk)?.step_size(h)?.formulation(formulation);
            let mut simulation = simulation.state(q, v)?;
            simulation.step(&Vector0::zeros())?;
            let found = [simulation.impulse().normal[0], simulation.impulse().friction[0][k - 1]];
            let apart = |x: &[f64; 2]| (x[0] - found[0]).abs().max((x[1] - found[1]).abs());
            let nearest = answers.iter().map(apart).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-8, "{formulation:?} {found:?} of {answers:?}");
        }
    }
    assert!(paradoxical > 50, "{paradoxical}");
    Ok(())
}

/// Motors: a velocity within a bound on the force; a position as limits are that are set to it; spring and damper
/// at the end of the step, with and without a bound.
#[test]
fn motors_do_what_their_rows_say() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(6);
    let inertia = 0.5 + 0.01;
    for _ in 0..300 {
        let (h, q, v) = (between(rng, 1e-3, 0.1), between(rng, -1.0, 1.0), between(rng, -2.0, 2.0));
        let force = between(rng, 0.1, 30.0);
        let within =
            |wanted: f64| v + (inertia * (wanted - v)).clamp(-h * force, h * force) / inertia;
        let (target, gamma) = (between(rng, -1.0, 1.0), rng.f64());
        let (k, d) = (between(rng, 0.0, 500.0), between(rng, 0.0, 50.0));
        let spring =
            (inertia * v + h * k * (target - q) + h * d * 0.3) / (inertia + h * d + h * h * k);
        let servo = |force: f64| Motor::Servo {
            position: target,
            velocity: 0.3,
            stiffness: k,
            damping: d,
            force,
        };
        let cases = [
            (Motor::Velocity { velocity: target, force }, within(target)),
            (
                Motor::Position { position: target, reduction: gamma, force },
                within(gamma * (target - q) / h),
            ),
            (servo(f64::INFINITY), spring),
            (servo(force), v + (spring - v).clamp(-h * force / inertia, h * force / inertia)),
        ];
        for (motor, expected) in cases {
            let mut table = Simulation::new(Table)?.step_size(h)?;
            table.reset(Vector1::new(q), Vector1::new(v))?;
            table.set_motor("axis", Some(motor))?;
            table.step(&Vector0::zeros())?;
            close(&format!("{motor:?}"), table.current().v.as_slice(), &[expected], 1e-11);
            close("Λ", &table.impulse().motors, &[inertia * (expected - v)], 1e-9);
        }
    }
    Ok(())
}

/// A contact that gives way is a spring and damper: at rest it carries the weight m g at the depth m g/k.
#[test]
fn a_soft_contact_is_a_spring() -> Result<(), SimulationError> {
    let h = 1e-3;
    for formulation in exact() {
        let mut block = block(0.0, formulation)?.step_size(h)?;
        let soft = Softness::spring(5e3, 200.0, h).expect("in range");
        block.soften_contact("sole", Some(soft))?;
        block.run(2.0, |_: &State<Block>| Vector0::zeros())?;
        close("depth", &[block.current().q[2]], &[-2.0 * G / 5e3], 1e-6);
    }
    Ok(())
}
