//! Poisson's restitution.

use jourdain::contact::{self, Anitescu, AnitescuPotra, Normal, Todorov};
use jourdain::prelude::*;
use nalgebra::{Vector2, Vector3};

use crate::{Vector0, near, run};

/// Three balls in a row, whose contacts are generated.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(a, mass = 1), joint(x, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, mass = 1), joint(y, prismatic(world -> b), axis = [1, 0, 0], at = [0.2, 0, 0]),
    link(c, mass = 1), joint(z, prismatic(world -> c), axis = [1, 0, 0], at = [0.4, 0, 0]),
    shape(first, on = a, sphere = 0.1),
    shape(second, on = b, sphere = 0.1),
    shape(third, on = c, sphere = 0.1),
    pair(first, second, restitution = near), pair(second, third, restitution = far),
)]
struct Balls {
    near: f64,
    far: f64,
}

/// A thin rod in the x-z plane without weight, whose lower end touches the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(rod, mass = 1, inertia = [1 / 12.0, 1 / 12.0, 0.001]),
    joint(plane, planar(world -> rod), axis = [0, -1, 0]),
    contact(tip, on = rod, at = [0, 0, -0.5], friction = mu, restitution = e),
)]
struct Rod {
    mu: f64,
    e: f64,
}

/// Two blocks under gravity, one on the ground and one above it, that nothing joins.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -10],
    link(a, mass = 1), joint(za, prismatic(world -> a), axis = [0, 0, 1]),
    link(b, mass = 2), joint(zb, prismatic(world -> b), axis = [0, 0, 1]),
    contact(left, on = a, restitution = 0.5),
    contact(right, on = b, restitution = 0.5),
)]
struct Blocks;

fn offered() -> [Formulation; 3] {
    [
        Formulation::default(),
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
    ]
}

/// What three balls do when the first one comes in at 1 m/s, with this distance between them.
fn after(balls: Balls, law: Restitution, gap: f64) -> Result<Vector3<f64>, SimulationError> {
    let balls = Simulation::new(balls)?.restitution(law);
    let q = Vector3::new(-gap, 0.0, gap);
    let mut balls = balls.state(q, Vector3::new(1.0, 0.0, 0.0))?;
    let steps = if gap > 0.0 { 100 } else { 1 };
    assert!(run(&mut balls, steps)? < 1e-9);
    Ok(balls.current().v)
}

/// (−⅓, ⅔, ⅔) where they touch, (0, 0, 1) where they do not, by either law.
#[test]
fn balls_hit_each_other_in_a_row() -> Result<(), SimulationError> {
    let elastic = Balls { near: 1.0, far: 1.0 };
    for law in [Restitution::Newton, Restitution::Poisson] {
        let third = 1.0 / 3.0;
        near(after(elastic, law, 0.0)?.as_slice(), &[-third, 2.0 * third, 2.0 * third], 1e-9);
        near(after(elastic, law, 0.01)?.as_slice(), &[0.0, 0.0, 1.0], 1e-9);
    }
    Ok(())
}

/// What did not approach springs back if an impulse is passed on through it, though the hit itself is inelastic:
/// the compression ends at (⅓, ⅓, ⅓) with ⅓ between the last two; as much comes back, and then the first two part by
/// an impulse p of their own, 2 p = ⅓.
#[test]
fn what_passes_an_impulse_on_springs_back() -> Result<(), SimulationError> {
    let inelastic = Balls { near: 0.0, far: 1.0 };
    let sixth = 1.0 / 6.0;
    let by_poisson = after(inelastic, Restitution::Poisson, 0.0)?;
    near(by_poisson.as_slice(), &[sixth, sixth, 4.0 * sixth], 1e-9);
    let by_newton = after(inelastic, Restitution::Newton, 0.0)?;
    near(by_newton.as_slice(), &[2.0 * sixth; 3], 1e-9);
    Ok(())
}

/// Velocities (normal, tangential) at the tip after an impact from (−1, u), and the energy by what it was.
fn rebound(
    rod: Rod,
    u: f64,
    formulation: Formulation,
    law: Restitution,
) -> Result<(Vector2<f64>, f64), SimulationError> {
    let rod = Simulation::new(rod)?.formulation(formulation).restitution(law);
    let mut q = Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_4);
    q[1] -= rod.model().gap(&q)[0];
    let mut rod = rod.state(q, Vector3::new(u, -1.0, 0.0))?;
    let rows = rod.model().contact_jacobian(&q);
    let before = rod.model().kinetic_energy(&q, &rod.current().v);
    assert!(run(&mut rod, 1)? < 1e-9);
    let v = rod.current().v;
    // The tangent along x.
    let k = if rows.row(1).norm() > rows.row(2).norm() { 1 } else { 2 };
    let along_x = rows[(k, 0)];
    let velocity = Vector2::new((rows.row(0) * v)[0], (rows.row(k) * v)[0] * along_x);
    Ok((velocity, rod.model().kinetic_energy(&q, &v) / before))
}

/// At the tip of a rod at 45°, A = [5/2 a; a 5/2] with a = ±3/2. It sticks in the compression,
///
/// > Λ_c = A⁻¹ (1, −u),
///
/// and by the share e of its normal part, Λ, it slides apart if μ < |a| · 2/5, against μ sign(a):
///
/// > n v⁺ = Λ (5/2 − μ |a|),  t v⁺ = Λ (a − μ sign(a) 5/2).
///
/// Newton's law has n v⁺ = e, and gains 8.06 % of energy.
#[test]
fn a_rod_tells_the_laws_apart() -> Result<(), SimulationError> {
    let (rod, speed) = (Rod { mu: 0.5, e: 0.9 }, 0.53);
    // The tip is below the middle and at its left or right.
    let rows = rod.contact_jacobian(&Vector3::new(0.0, 0.0, std::f64::consts::FRAC_PI_4));
    let mass = rod.mass_matrix(&Vector3::zeros());
    let inverse = mass.try_inverse().expect("regular");
    let along_x = if rows.row(1).norm() > rows.row(2).norm() { rows.row(1) } else { rows.row(2) };
    let a = (rows.row(0) * inverse * along_x.transpose())[0] * along_x[0];
    near(&[a.abs()], &[1.5], 1e-12);
    let sign = a.signum();
    let u = -speed * sign;
    let part = rod.e * (2.5 * 1.0 + a * u) / 4.0;
    let expected = Vector2::new(part * (2.5 - rod.mu * 1.5), sign * part * (1.5 - rod.mu * 2.5));
    for formulation in offered() {
        let (v, energy) = rebound(rod, u, formulation, Restitution::Poisson)?;
        near(v.as_slice(), expected.as_slice(), 1e-9);
        assert!(energy < 0.9, "{formulation:?} {energy}");
        let (v, energy) = rebound(rod, u, formulation, Restitution::Newton)?;
        near(&[v[0], energy], &[rod.e, 1.0806], 1e-4);
    }
    let (v, _) = rebound(rod, u, Formulation::Frictionless(Normal::Gap), Restitution::Poisson)?;
    near(&[v[0]], &[rod.e], 1e-9);
    // What sticks in both phases has n v⁺ = e (1 + a u/(5/2)) and no slip.
    let (v, _) = rebound(rod, u, Formulation::Sticking(Normal::Gap), Restitution::Poisson)?;
    near(v.as_slice(), &[rod.e * (1.0 + a * u / 2.5), 0.0], 1e-9);
    Ok(())
}

/// What rests beside an impact stays at rest, and what hits rebounds with e, less the weight of the step.
#[test]
fn what_rests_is_not_thrown_up() -> Result<(), SimulationError> {
    for formulation in offered() {
        let blocks = Simulation::new(Blocks)?.formulation(formulation);
        let blocks = blocks.restitution(Restitution::Poisson);
        let mut blocks = blocks.state(Vector2::zeros(), Vector2::new(0.0, -3.0))?;
        assert!(run(&mut blocks, 1)? < 1e-9);
        near(blocks.current().v.as_slice(), &[0.0, 1.5 - 0.01], 1e-9);
        blocks.run(2.0, |_: &State<Blocks>| Vector0::zeros())?;
        near(blocks.current().v.as_slice(), &[0.0, 0.0], 1e-9);
        near(blocks.current().q.as_slice(), &[0.0, 0.0], 1e-9);
    }
    Ok(())
}

/// An audit sees a compression that is not one, and one that is missing.
#[test]
fn an_audit_sees_a_wrong_compression() -> Result<(), SimulationError> {
    use jourdain::contact::{Transition, residual};
    let (balls, force) = (Balls { near: 1.0, far: 1.0 }, Vector3::zeros());
    let mut simulation = Simulation::new(balls)?.restitution(Restitution::Poisson);
    simulation.reset(Vector3::zeros(), Vector3::new(1.0, 0.0, 0.0))?;
    let before = simulation.current().clone();
    simulation.step(&Vector0::zeros())?;
    let audit = |impulse: &contact::Impulse| {
        let transition = Transition {
            conditions: simulation.conditions(),
            time: 0.0,
            step_size: simulation.time_step(),
            q: &before.q,
            v: &before.v,
            force: &force,
            v_next: &simulation.current().v,
            impulse,
        };
        residual(&balls, &transition)
    };
    let mut impulse = simulation.impulse().clone();
    assert!(audit(&impulse).max() < 1e-9);
    let compression = impulse.compression.as_mut().expect("balls hit");
    near(&compression.normal, &[2.0 / 3.0, 1.0 / 3.0], 1e-12);
    compression.normal[1] += 1e-3;
    assert!(audit(&impulse).normal > 1e-4);
    impulse.compression = None;
    assert!(audit(&impulse).normal > 0.1);
    Ok(())
}

#[test]
fn convex_forms_have_no_phases() -> Result<(), SimulationError> {
    let convex =
        [Formulation::Anitescu(Anitescu::default()), Formulation::Todorov(Todorov::default())];
    for formulation in convex {
        let blocks = Simulation::new(Blocks)?.restitution(Restitution::Poisson);
        let error = blocks.formulation(formulation).step(&Vector0::zeros()).unwrap_err();
        let SimulationError::Setup(contact::Error::NotOffered { what, .. }) = error else {
            panic!("{error}");
        };
        assert_eq!(what, "restitution by Poisson's law");
    }
    Ok(())
}

/// Whatever the coefficients are, nothing springs back; and the work of a normal force is no matter of a step.
#[test]
fn steps_may_be_inelastic_and_not_energetic() -> Result<(), SimulationError> {
    let mut formulations = offered().to_vec();
    formulations.extend([Formulation::anitescu(), Formulation::frictionless()]);
    for formulation in formulations.iter().copied() {
        let start = |law| {
            let blocks = Simulation::new(Blocks)?.restitution(law).formulation(formulation);
            blocks.state(Vector2::zeros(), Vector2::new(-2.0, -1.0))
        };
        let (mut inelastic, mut elastic) =
            (start(Restitution::Inelastic)?, start(Restitution::Newton)?);
        assert!(run(&mut inelastic, 1)? < 1e-9 && run(&mut elastic, 1)? < 1e-9);
        near(inelastic.current().v.as_slice(), &[0.0, 0.0], 1e-12);
        near(elastic.current().v.as_slice(), &[1.0, 0.5], 1e-12);
        let mut energetic = start(Restitution::Stronge)?;
        let before = energetic.current().clone();
        let error = energetic.step(&Vector0::zeros()).unwrap_err();
        let SimulationError::Setup(contact::Error::NotOffered { what, .. }) = error else {
            panic!("{formulation:?}: {error}");
        };
        assert_eq!(what, "restitution by Stronge's law, which impacts alone have");
        assert_eq!(energetic.current(), &before);
    }
    Ok(())
}
