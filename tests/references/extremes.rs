//! Wild numbers: every call returns, and a simulation that cannot go on says so.

use fastrand::Rng;
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_models::DoublePendulum;
use nalgebra::{Vector2, Vector6};

const INPUTS: usize = 10_000;

/// All joint families, and everything that can hang on a link.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(body, mass = m, inertia = [1, 1, 1]),
    joint(base, floating(world -> body)),
    link(a, mass = 1, inertia = [1, 1, 1]),
    joint(turn, revolute(body -> a), axis = [1, 1, 0], actuated, limits = [-1, 1], friction = 0.1),
    link(b, mass = 1, inertia = [1, 1, 1]),
    joint(slide, prismatic(a -> b), at = [0, 0, 0.1], axis = [0, 0, 1], actuated, limits = [0, 0.5], damping = 1),
    link(c, mass = 1, inertia = [1, 1, 1]),
    joint(screw, helical(body -> c), axis = [0, 1, 0], pitch = 0.1, friction = 0.2),
    link(d, mass = 1, inertia = [1, 1, 1]),
    joint(tube, cylindrical(c -> d), axis = [1, 0, 0], stiffness = 1),
    link(e, mass = 1, inertia = [1, 1, 1]),
    joint(cross, universal(d -> e), axes = [[1, 0, 0], [0, 1, 0]]),
    link(f, mass = 1, inertia = [1, 1, 1]),
    joint(ball, spherical(e -> f), at = [0.2, 0, 0]),
    link(g, mass = 1, inertia = [1, 1, 1]),
    joint(table, planar(world -> g), axis = [0, 0, 1]),
    frame(eye, on = f, at = [0.1, 0.2, 0.3], rpy = [1, 2, 3]),
    contact(one, on = b, sphere = 0.1, friction = mu, restitution = 0.5),
    contact(two, on = f, at = [0.3, 0, 0], friction = 0.4, directions = 6),
    spring(tie, a = b, b = g @ [0, 0, 1], stiffness = 10, damping = 1, rest = 0.3),
)]
struct Zoo {
    m: f64,
    mu: f64,
}

const ZOO: Zoo = Zoo { m: 1.0, mu: 0.7 };

#[rustfmt::skip]
const WILD: [f64; 18] = [
    0.0, -0.0, 1.0, -1.0, 1e-3, std::f64::consts::PI, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX,
    f64::MIN, f64::MIN_POSITIVE, 5e-324, -1e-310, 1e300, -1e154, 1e-300, 1e17,
];

/// Fills `x` with moderate numbers, and one in `rarity` wild ones.
fn fill(x: &mut impl Storage, rng: &mut Rng, rarity: usize) {
    for x in x.as_mut_slice() {
        *x = match rng.usize(..rarity) {
            0 => WILD[rng.usize(..WILD.len())],
            _ => 2.0 * rng.f64() - 1.0,
        };
    }
}

/// Calls everything that a model has.
fn call<M: Model>(model: &M, q: &M::Q, [v, a]: [&M::V; 2]) {
    let _ = (model.mass_matrix(q), model.coriolis_matrix(q, v), model.gravity_force(q));
    let _ = (model.bias_force(q, v), model.inverse_dynamics(q, v, a));
    let _ = (model.forward_dynamics(q, v, a), model.passive_force(q, v));
    let _ = (model.kinetic_energy(q, v), model.potential_energy(q));
    let _ = (model.center_of_mass(q), model.momentum(q, v), model.link_poses(q));
    let _ = (model.input_matrix(), model.contact_parameters(), model.coordinate_parameters());
    let next = model.integrate(q, v);
    let _ = (model.difference(q, &next), model.configuration_rate(q, v));
    let _ = (model.check(q, v), model.check_mass_matrix(q));
    let mut rows = vec![0.0; 3 * M::CONTACTS.len() * M::NV.max(1)];
    model.gap_into(q, &mut rows);
    model.contact_jacobian_into(q, &mut rows);
    model.contact_bias_into(q, v, &mut rows);
    model.contact_points_into(q, &mut rows);
    for frame in M::FRAMES.iter().filter_map(|frame| FrameId::<M>::named(frame.name)) {
        let _ = (model.frame_pose(frame, q), model.frame_bias(frame, ReferenceFrame::World, q, v));
        let _ = model.wrench_force(frame, ReferenceFrame::Local, q, &Vector6::repeat(f64::MAX));
    }
}

#[test]
fn kernels_take_anything() {
    let rng = &mut Rng::with_seed(9);
    for _ in 0..INPUTS {
        let model = Zoo { m: WILD[rng.usize(..WILD.len())], ..ZOO };
        let (mut q, mut v, mut a) = (model.neutral(), model.neutral(), model.neutral());
        fill(&mut q, rng, 2);
        fill(&mut v, rng, 2);
        fill(&mut a, rng, 2);
        let (v, a) = (v.fixed_rows::<{ Zoo::NV }>(0).into(), a.fixed_rows::<{ Zoo::NV }>(0).into());
        call(&model, &q, [&v, &a]);
    }
}

/// Calls what writes into a slice that is too short, and says what it panics with.
fn refusal(write: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(write).expect_err("a slice that is too short");
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

/// A slice that is too short is refused with both lengths.
#[test]
fn short_slices_are_refused_with_both_lengths() {
    let (q, v) = (ZOO.neutral(), nalgebra::SVector::<f64, { Zoo::NV }>::zeros());
    let contacts = Zoo::CONTACTS.len();
    let eye = FrameId::named("eye").expect("a frame");
    for length in 0..contacts {
        let out = || vec![7.0; length];
        let refusals = [
            (contacts, refusal(|| ZOO.gap_into(&q, &mut out()))),
            (3 * contacts * Zoo::NV, refusal(|| ZOO.contact_jacobian_into(&q, &mut out()))),
            (3 * contacts, refusal(|| ZOO.contact_bias_into(&q, &v, &mut out()))),
            (3 * contacts, refusal(|| ZOO.contact_points_into(&q, &mut out()))),
            (
                6 * Zoo::NV,
                refusal(|| ZOO.frame_jacobian_into(eye, ReferenceFrame::World, &q, &mut out())),
            ),
        ];
        for (needed, refusal) in refusals {
            assert!(refusal.contains(&format!("{length} numbers")), "{refusal}");
            assert!(refusal.contains(&format!("needed are {needed}")), "{refusal}");
        }
    }
}

fn unit(q: &mut [f64]) {
    let norm = q.iter().fold(0.0, |sum: f64, x| sum.hypot(*x));
    if norm > 0.0 && norm.is_finite() {
        q.iter_mut().for_each(|x| *x /= norm);
    } else {
        q.copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
    }
}

/// From any state that `check` accepts, a step is a state whose entries are finite or an error that
/// leaves the state.
#[test]
fn steps_from_anywhere_return() -> Result<(), SimulationError> {
    let rng = &mut Rng::with_seed(10);
    let [mut done, mut failed] = [0, 0];
    let velocity_level = Formulation::AnitescuPotra(AnitescuPotra::default());
    let mut simulations =
        [Simulation::new(ZOO)?, Simulation::new(ZOO)?.formulation(velocity_level)]
            .map(|simulation| simulation.recovery(1.0).expect("in range"));
    for k in 0..INPUTS {
        let simulation = &mut simulations[k % 2];
        let rarity = [2, 40, 400][k % 3];
        let (mut q, mut v) = (ZOO.neutral(), nalgebra::SVector::<f64, { Zoo::NV }>::zeros());
        let mut u = nalgebra::Vector2::zeros();
        fill(&mut q, rng, rarity);
        fill(&mut v, rng, rarity);
        fill(&mut u, rng, rarity);
        unit(&mut q.as_mut_slice()[3..7]);
        let ball = Zoo::JOINTS.iter().find(|joint| joint.name == "ball").expect("declared");
        unit(&mut q.as_mut_slice()[ball.q..ball.q + 4]);
        if ZOO.check(&q, &v).is_err() {
            assert!(simulation.reset(q, v).is_err());
            continue;
        }
        simulation.reset(q, v)?;
        let before = simulation.current().clone();
        match simulation.step(&u) {
            Ok(report) => {
                let State { q, v, .. } = simulation.current();
                assert!(q.iter().chain(v.iter()).all(|x| x.is_finite()));
                assert!(report.residual.max() <= 1e-9);
                done += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(simulation.current(), &before);
                failed += 1;
            }
        }
    }
    println!("{done} steps, {failed} typed errors");
    assert!(done > INPUTS / 4 && failed > INPUTS / 20);
    Ok(())
}

/// Links whose masses differ by a factor of 10¹²: solved to a small residual, or refused by name.
#[test]
fn masses_far_apart() {
    for (m1, m2) in [(1e12, 1.0), (1.0, 1e12), (1e-12, 1.0), (1.0, 1e-12), (1e-300, 1e-300)] {
        let model = DoublePendulum { m1, m2, l1: 1.0, l2: 1.0 };
        let (q, v) = (Vector2::new(0.3, 1.0), Vector2::new(1.0, -2.0));
        let tau = Vector2::new(0.1, 0.2) * m1.min(m2);
        let v_dot = model.forward_dynamics(&q, &v, &tau);
        let back = model.inverse_dynamics(&q, &v, &v_dot);
        let scale =
            (model.mass_matrix(&q).abs() * v_dot.abs() + model.bias_force(&q, &v).abs()).max();
        assert!((back - tau).amax() <= 1e-14 * scale, "{m1} {m2}: {back} {tau}");
        match Simulation::new(model).and_then(|s| s.state(q, v)) {
            Ok(mut simulation) => assert!(simulation.step(&Vector2::zeros()).is_ok(), "{m1} {m2}"),
            Err(error) => assert!(matches!(
                error,
                SimulationError::Model(ModelError::SingularMassMatrix { .. })
            )),
        }
    }
}
