//! The laws of contact side by side, on scenes with known answers.

use fastrand::Rng;
use jourdain::contact::{Anitescu, AnitescuPotra, Cone, Motor, Normal, Softness, Todorov};
use jourdain::prelude::*;
use nalgebra::{Vector1, Vector3};

use crate::{Vector0, between, close};

const G: f64 = 9.81;
const MU: f64 = 0.6;

/// A block on a slope that falls along its x axis, free along all three.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope), 0, -9.81 * cos(slope)],
    link(first, massless),
    joint(x, prismatic(world -> first), axis = [1, 0, 0]),
    link(second, massless),
    joint(y, prismatic(first -> second), axis = [0, 1, 0]),
    link(block, mass = 2),
    joint(z, prismatic(second -> block), axis = [0, 0, 1]),
    contact(sole, on = block, friction = 0.6),
)]
struct Block {
    slope: f64,
}

/// The same on a slope that falls in another direction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope) * cos(heading), 9.81 * sin(slope) * sin(heading), -9.81 * cos(slope)],
    link(first, massless),
    joint(x, prismatic(world -> first), axis = [1, 0, 0]),
    link(second, massless),
    joint(y, prismatic(first -> second), axis = [0, 1, 0]),
    link(block, mass = 2),
    joint(z, prismatic(second -> block), axis = [0, 0, 1]),
    contact(sole, on = block, friction = 0.6),
)]
struct Turned {
    slope: f64,
    heading: f64,
}

/// A cart against a wall at x = 0.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(cart, mass = m),
    joint(rail, prismatic(world -> cart), axis = [1, 0, 0], actuated),
    contact(bumper, on = cart, plane(normal = [1, 0, 0])),
)]
struct Cart {
    m: f64,
}

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

fn exact() -> [Formulation; 4] {
    [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Coulomb(Normal::Gap),
    ]
}

fn block(slope: f64, formulation: Formulation) -> Result<Simulation<Block>, SimulationError> {
    Ok(Simulation::new(Block { slope })?.formulation(formulation))
}

#[test]
fn what_friction_holds_does_not_creep() -> Result<(), SimulationError> {
    for formulation in exact() {
        let mut block = block((0.999 * MU).atan(), formulation)?;
        block.run(10.0, |_: &State<Block>| Vector0::zeros())?;
        let speed = block.current().v.norm();
        assert!(speed < 1e-9, "{formulation:?} creeps at {speed:e}");
    }
    Ok(())
}

/// v = ε κ g sin θ / (2 (1 + ε)).
///
/// Source: the optimality of the regularised program, see `contact::Todorov`.
#[test]
fn the_regularised_form_creeps_as_its_theory_says() -> Result<(), SimulationError> {
    for (epsilon, kappa) in [(1e-3, 0.02), (1e-2, 0.05), (0.1, 0.01)] {
        for cone in [Cone::Round, Cone::Pyramid] {
            let law = Todorov::new(epsilon, kappa).expect("in range").cone(cone);
            let slope = (0.5 * MU).atan();
            let mut block = block(slope, Formulation::Todorov(law))?;
            block.run(3.0, |_: &State<Block>| Vector0::zeros())?;
            let expected = epsilon * kappa * G * slope.sin() / (2.0 * (1.0 + epsilon));
            close("creep", &[block.current().v[0] / expected], &[1.0], 1e-6);
        }
    }
    Ok(())
}

/// a = g (sin θ − μ cos θ); convex forms lift what slides, by h μ s or 2 κ μ s, and press it while they do.
#[test]
fn what_friction_does_not_hold_slides() -> Result<(), SimulationError> {
    let slope = (1.5 * MU).atan();
    let a = G * (slope.sin() - MU * slope.cos());
    let stiff = Todorov::new(1e-4, 2e-3).and_then(|law| law.margin(0.1)).expect("in range");
    let convex =
        [(Formulation::Anitescu(Anitescu::default()), 1e-2), (Formulation::Todorov(stiff), 1e-2)];
    let with_maximum_dissipation =
        exact().into_iter().filter(|f| !matches!(f, Formulation::Anitescu(_)));
    for (formulation, tolerance) in with_maximum_dissipation.map(|f| (f, 1e-9)).chain(convex) {
        let mut block = block(slope, formulation)?;
        block.run(0.5, |_: &State<Block>| Vector0::zeros())?;
        let (found, expected) = (block.current().v[0], 0.5 * a);
        assert!((found / expected - 1.0).abs() < tolerance, "{formulation:?}: {found} {expected}");
    }
    Ok(())
}

/// What slides at the speed s rises to φ = h μ s.
///
/// Source: Tedrake, Underactuated Robotics, appendix "Multi-Body Dynamics", on Anitescu's relaxation.
#[test]
fn the_relaxation_has_a_boundary_layer() -> Result<(), SimulationError> {
    for h in [1e-3, 1e-4] {
        let mut block =
            block(MU.atan(), Formulation::Anitescu(Anitescu::default()))?.step_size(h)?;
        block.reset(Vector3::zeros(), Vector3::new(1.0, 0.0, 0.0))?;
        block.run(0.2, |_: &State<Block>| Vector0::zeros())?;
        let state = block.current();
        close("φ / (h μ s)", &[state.q[2] / (h * MU * state.v[0])], &[1.0], 1e-3);
    }
    Ok(())
}

/// The round cone holds alike in all directions, where a polygon is weaker between two of its own.
#[test]
fn the_round_cone_has_no_directions() -> Result<(), SimulationError> {
    let slope = (0.9999 * MU).atan();
    for heading in [0.1, 0.39, 0.7, 1.3, 2.9] {
        let mut simulation = Simulation::new(Turned { slope, heading })?;
        simulation.run(0.05, |_: &State<Turned>| Vector0::zeros())?;
        assert!(simulation.current().v.norm() < 1e-11, "{heading}");
        let mut polygon = Simulation::new(Turned { slope, heading: std::f64::consts::FRAC_PI_8 })?
            .formulation(Formulation::StewartTrinkle);
        polygon.run(0.05, |_: &State<Turned>| Vector0::zeros())?;
        assert!(polygon.current().v.norm() > 1e-3);
    }
    Ok(())
}

/// (m + b)(v⁺ − v) = h (u − b v) + Λ, Λ = max(0, (m + b)(v* − v⁻)/(1 + ε)),
/// v⁻ = v + h (u − b v)/(m + b), v* = v − 2h (1 + ε)/κ v − h (1 + ε)/κ² q.
///
/// Source: Tedrake, Underactuated Robotics, appendix "Multi-Body Dynamics", "Relaxed complementarity-free
/// formulation: Normal force", the impulse in N s.
#[test]
fn the_textbooks_cart_is_regularised() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(8);
    let mut pushed = 0;
    for _ in 0..500 {
        let (m, b, h) = (between(rng, 0.5, 3.0), between(rng, 0.0, 2.0), between(rng, 0.001, 0.1));
        let (epsilon, kappa) = (between(rng, 1e-4, 0.5), between(rng, 0.02, 1.0));
        let (q, v, u) = (between(rng, -0.1, 0.1), between(rng, -2.0, 2.0), between(rng, -9.0, 9.0));
        let law = Todorov::new(epsilon, kappa).and_then(|law| law.implicit_damping(b, b));
        let law = law.and_then(|law| law.margin(1.0)).expect("in range");
        let cart = Simulation::new(Cart { m })?.formulation(Formulation::Todorov(law));
        let mut cart = cart.step_size(h)?.state(Vector1::new(q), Vector1::new(v))?;
        cart.step(&Vector1::new(u))?;
        let before = v + h * (u - b * v) / (m + b);
        let wanted =
            v - 2.0 * h * (1.0 + epsilon) / kappa * v - h * (1.0 + epsilon) / (kappa * kappa) * q;
        let impulse = ((m + b) * (wanted - before) / (1.0 + epsilon)).max(0.0);
        close("Λ", &cart.impulse().normal, &[impulse], 1e-12);
        close("v⁺", cart.current().v.as_slice(), &[before + impulse / (m + b)], 1e-12);
        pushed += usize::from(impulse > 0.0);
    }
    assert!((50..450).contains(&pushed), "{pushed}");
    Ok(())
}

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

/// The gap between the relaxation's primal and dual, Λᵀ (J v⁺ + [φ/h, 0, 0]), in N m.
#[test]
fn the_relaxation_is_optimal() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(7);
    for _ in 0..300 {
        let mut block = block(between(rng, 0.0, 1.2), Formulation::Anitescu(Anitescu::default()))?;
        let q = Vector3::new(0.0, 0.0, between(rng, -1e-3, 1e-3));
        let v = Vector3::from_fn(|_, _| between(rng, -1.0, 1.0));
        block.reset(q, v)?;
        block.step(&Vector0::zeros())?;
        let (model, after) = (*block.model(), block.current().v);
        let mut w = model.contact_jacobian(&q) * after;
        w[0] += model.gap(&q)[0] / block.time_step();
        let gap: f64 = block.impulse().local(0).dot(&w.fixed_rows::<3>(0));
        assert!(gap.abs() < 1e-10, "{gap:e}");
    }
    Ok(())
}

#[test]
fn frictionless_contact_keeps_what_slides() -> Result<(), SimulationError> {
    let mut block = block(0.3, Formulation::Frictionless(Normal::Gap))?;
    block.run(1.0, |_: &State<Block>| Vector0::zeros())?;
    close("v", &[block.current().v[0]], &[G * f64::sin(0.3)], 1e-12);
    Ok(())
}

#[test]
fn infinite_friction_holds_on_any_slope() -> Result<(), SimulationError> {
    let mut block = block(1.5, Formulation::Sticking(Normal::Gap))?;
    block.run(1.0, |_: &State<Block>| Vector0::zeros())?;
    assert!(block.current().v.norm() < 1e-12);
    Ok(())
}
