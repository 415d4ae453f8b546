//! The convex forms and what they relax.

use fastrand::Rng;
use jourdain::contact::{self, Anitescu, Cone, Todorov};
use jourdain::prelude::*;
use nalgebra::{Vector1, Vector3};

use super::{Block, G, MU, block};
use crate::{Vector0, between, close};

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

/// (m + b)(v⁺ − v) = h (u − b v) + Λ, Λ = max(0, (m + b)(v* − v⁻)/(1 + ε)),
/// v⁻ = v + h (u − b v)/(m + b), v* = v − 2h (1 + ε)/κ v − h (1 + ε)/κ² q.
///
/// Source: Tedrake, Underactuated Robotics, appendix "Multi-Body Dynamics", "Relaxed complementarity-free
/// formulation: Normal force", the impulse in N s.
#[test]
fn the_textbooks_cart_is_regularised() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(8);
    let (mut pushed, mut refused) = (0, 0);
    for _ in 0..500 {
        let (m, b, h) = (between(rng, 0.5, 3.0), between(rng, 0.0, 2.0), between(rng, 0.001, 0.1));
        let (epsilon, kappa) = (between(rng, 1e-4, 0.5), between(rng, 0.02, 1.0));
        let (q, v, u) = (between(rng, -0.1, 0.1), between(rng, -2.0, 2.0), between(rng, -9.0, 9.0));
        let law = Todorov::new(epsilon, kappa).and_then(|law| law.implicit_damping(b, b));
        let law = law.and_then(|law| law.margin(1.0)).expect("in range");
        let cart = Simulation::new(Cart { m })?.formulation(Formulation::Todorov(law));
        let mut cart = cart.step_size(h)?.state(Vector1::new(q), Vector1::new(v))?;
        let least = h / (2.0 * (f64::sqrt(1.0 + 1.0 / (1.0 + epsilon)) - 1.0));
        let stepped = cart.step(&Vector1::new(u));
        if kappa <= least {
            let expected =
                Err(SimulationError::Setup(contact::Error::TimeConstant { value: kappa, least }));
            assert_eq!(stepped.map(|_| ()), expected, "{kappa} s, least {least} s");
            refused += 1;
            continue;
        }
        stepped?;
        let before = v + h * (u - b * v) / (m + b);
        let wanted =
            v - 2.0 * h * (1.0 + epsilon) / kappa * v - h * (1.0 + epsilon) / (kappa * kappa) * q;
        let impulse = ((m + b) * (wanted - before) / (1.0 + epsilon)).max(0.0);
        close("Λ", &cart.impulse().normal, &[impulse], 1e-12);
        close("v⁺", cart.current().v.as_slice(), &[before + impulse / (m + b)], 1e-12);
        pushed += usize::from(impulse > 0.0);
    }
    assert!((50..450).contains(&pushed) && (10..100).contains(&refused), "{pushed}, {refused}");
    Ok(())
}

/// A heavy body on a light foot.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 2), joint(lift, prismatic(world -> body), axis = [0, 0, 1]),
    link(foot, mass = 0.05), joint(leg, prismatic(body -> foot), axis = [0, 0, 1], actuated),
    contact(sole, on = foot, restitution = e),
)]
struct Hopper {
    e: f64,
}

/// What is held on a light foot and lands comes to rest on it, as without restitution: a motor presses it down at 400 m/s²
/// whenever it leaves.
#[test]
fn what_springs_back_softly_comes_to_rest() -> Result<(), SimulationError> {
    for (e, h) in [(0.3, 1e-3), (0.9, 1e-3), (0.3, 1e-2), (0.9, 1e-4)] {
        for (epsilon, kappa) in [(1e-3, 0.02), (1e-6, 0.02), (1e-2, 0.05)] {
            let law = Todorov::new(epsilon, kappa).expect("in range");
            let mut hopper = Simulation::new(Hopper { e })?
                .formulation(Formulation::Todorov(law))
                .step_size(h)?
                .state([0.1, 0.0].into(), [0.0; 2].into())?;
            let servo = Motor::Servo {
                position: 0.0,
                velocity: 0.0,
                stiffness: 2e3,
                damping: 30.0,
                force: 1e3,
            };
            hopper.set_motor("leg", Some(servo))?;
            hopper.run(5.0, |_: &State<Hopper>| Vector1::zeros())?;
            let mut fastest = 0.0_f64;
            for _ in 0..100 {
                hopper.step(&Vector1::zeros())?;
                fastest = fastest.max(hopper.current().v.amax());
            }
            assert!(fastest < 1e-5, "e {e}, h {h}, {law:?}: {fastest:e}");
        }
    }
    Ok(())
}

/// What comes in fast springs back with e of its speed wherever within a step it touches.
#[test]
fn what_closes_fast_springs_back() -> Result<(), SimulationError> {
    for place in 0..200 {
        let (e, h, s) = (0.3, 1e-3, 1.0);
        let height = h * s * (3.0 + 0.005 * f64::from(place));
        let mut hopper = Simulation::new(Hopper { e })?.formulation(Formulation::todorov());
        hopper = hopper.step_size(h)?.state([height, 0.0].into(), [-s, 0.0].into())?;
        let mut before = -s;
        while hopper.current().v[0] + hopper.current().v[1] < 0.0 {
            before = hopper.current().v.sum();
            hopper.step(&Vector1::zeros())?;
        }
        let after = hopper.current().v.sum();
        close("rebound", &[after / (-e * before)], &[1.0], 1e-2);
    }
    Ok(())
}

/// The gap between the relaxation's primal and dual, Λᵀ (J v⁺ + [φ/h, 0, 0]), in N m.
#[test]
fn the_relaxation_is_optimal() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(7);
    for _ in 0..300 {
        let block = block(between(rng, 0.0, 1.2), Formulation::Anitescu(Anitescu::default()))?;
        let mut block = block.recovery(1.0)?;
        let q = Vector3::new(0.0, 0.0, between(rng, -1e-3, 1e-3));
        let v = Vector3::from_fn(|_, _| between(rng, -1.0, 1.0));
        block.reset(q, v)?;
        block.step(&Vector0::zeros())?;
        let (model, after) = (*block.model(), block.current().v);
        let (jacobian, gap, h) = (model.contact_jacobian(&q), model.gap(&q)[0], block.time_step());
        let mut w = jacobian * after;
        // What overlaps more than it came within the step is displaced.
        let came = h * (jacobian * v)[0].min(0.0);
        w[0] += if gap < 0.0 { gap.max(came) } else { gap } / h;
        let gap: f64 = block.impulse().local(0).dot(&w.fixed_rows::<3>(0));
        assert!(gap.abs() < 1e-10, "{gap:e}");
    }
    Ok(())
}
