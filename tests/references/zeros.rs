//! Values that mechanics allows at the edge of their ranges: no mass, no extent, no friction, and forces
//! without bound.

use jourdain::prelude::*;
use nalgebra::vector;

use super::Vector0;

/// An arm with a payload at its end.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -0.5], inertia = [ix, iy, iz]),
    joint(hinge, revolute(world -> arm), at = [0, 0, 2], axis = [0, 1, 0], limits = [-1, 1]),
    link(load, mass = m, inertia = [m * r * r, m * r * r, m * r * r]),
    joint(grip, fixed(arm -> load), at = [0, 0, -1]),
    contact(tip, on = load, friction = mu, restitution = e),
)]
struct Arm {
    ix: f64,
    iy: f64,
    iz: f64,
    m: f64,
    r: f64,
    mu: f64,
    e: f64,
}

const ROD: Arm = Arm { ix: 1.0 / 12.0, iy: 1.0 / 12.0, iz: 0.0, m: 0.0, r: 0.0, mu: 0.0, e: 0.0 };

#[test]
fn an_arm_without_its_payload_is_a_thin_rod() -> Result<(), SimulationError> {
    let q = vector![0.3];
    assert!((ROD.mass_matrix(&q)[0] - 1.0 / 3.0).abs() < 1e-15);
    let mut simulation = Simulation::new(ROD)?.step_size(1e-3)?.state(q, vector![0.0])?;
    simulation.run(0.1, |_: &State<Arm>| Vector0::zeros())?;
    let point = Arm { ix: 0.0, iy: 0.0, ..ROD };
    assert!((point.mass_matrix(&q)[0] - 0.25).abs() < 1e-15);
    let mut simulation = Simulation::new(point)?.step_size(1e-3)?.state(q, vector![0.0])?;
    simulation.run(0.1, |_: &State<Arm>| Vector0::zeros())?;
    Ok(())
}

/// Weights on a slide, either of which may be nothing, and with both M is singular.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = m),
    joint(slide, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, mass = n, inertia = [0, i, i]),
    joint(turn, revolute(a -> b), axis = [0, 0, 1]),
)]
struct Weights {
    m: f64,
    n: f64,
    i: f64,
}

#[test]
fn a_singular_mass_matrix_is_an_error_of_its_joint() {
    let state = (vector![0.0, 0.0], vector![0.0, 0.0]);
    for (weights, expected) in [
        (Weights { m: 0.0, n: 1.0, i: 1.0 }, None),
        (Weights { m: 1.0, n: 0.0, i: 0.0 }, Some("turn")),
        (Weights { m: 1.0, n: 1.0, i: 0.0 }, Some("turn")),
        (Weights { m: 0.0, n: 0.0, i: 1.0 }, Some("slide")),
    ] {
        let started = Simulation::new(weights).and_then(|s| s.state(state.0, state.1));
        let joint = match started {
            Err(SimulationError::Model(ModelError::SingularMassMatrix { joint, .. })) => {
                Some(joint)
            }
            Err(error) => panic!("{weights:?}: {error}"),
            Ok(_) => None,
        };
        assert_eq!(joint, expected, "{weights:?}");
    }
    for bad in [Weights { m: -1.0, n: 1.0, i: 1.0 }, Weights { m: 1.0, n: 1.0, i: -1.0 }] {
        assert!(matches!(bad.check(&state.0, &state.1), Err(ModelError::Quantity { .. })));
    }
}

#[test]
fn a_motor_without_bound_and_the_stop_that_it_meets_are_named() -> Result<(), SimulationError> {
    for motor in [
        Motor::Velocity { velocity: 1.0, force: f64::INFINITY },
        Motor::Position { position: 2.0, reduction: 1.0, force: f64::INFINITY },
    ] {
        let start = Simulation::new(ROD)?.step_size(1e-3)?;
        let mut simulation = start.state(vector![0.99], vector![0.0])?;
        simulation.set_motor("hinge", Some(motor))?;
        let error = simulation
            .run(0.1, |_: &State<Arm>| Vector0::zeros())
            .expect_err("nothing can give way");
        let text = error.to_string();
        assert!(
            text.contains("motor") && text.contains("stop") && text.contains("hinge"),
            "{text}"
        );
    }
    Ok(())
}

/// A rotor that has no extent of its own about its axis, and a pendulum on it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(rotor, mass = 1, inertia = [1, 1, i]),
    joint(axle, revolute(world -> rotor), axis = [0, 0, 1], armature = a),
    link(bob, massless),
    joint(string, revolute(rotor -> bob), axis = [1, 0, 0], armature = 2),
)]
struct Rotor {
    i: f64,
    a: f64,
}

#[test]
fn what_has_armature_needs_no_inertia() {
    let rotor = Rotor { i: 0.0, a: 0.5 };
    let (q, v) = (vector![0.3, 0.2], vector![1.0, -2.0]);
    let v_dot = rotor.forward_dynamics(&q, &v, &vector![1.0, 1.0]);
    assert!((v_dot - vector![2.0, 0.5]).norm() < 1e-15, "{v_dot}");
    let still = vector![0.0, 0.0];
    let start = |rotor: Rotor| Simulation::new(rotor)?.state(still, still);
    assert!(start(rotor).is_ok());
    let singular = |error: &SimulationError| {
        matches!(
            error,
            SimulationError::Model(ModelError::SingularMassMatrix { joint: "axle", .. })
        )
    };
    assert!(start(Rotor { a: 0.0, ..rotor }).is_err_and(|error| singular(&error)));
}

/// A ball on the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1, inertia = [0.1, 0.1, 0.1]),
    joint(base, floating(world -> ball)),
    contact(skin, on = ball, sphere = 1, friction = mu, restitution = e, torsion = c),
)]
struct Ball {
    mu: f64,
    e: f64,
    c: f64,
}

#[test]
fn without_friction_and_restitution_a_ball_slides() -> Result<(), SimulationError> {
    let q = vector![0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let v = vector![1.0, 0.0, -1.0, 0.0, 0.0, 3.0];
    let ice = Ball { mu: 0.0, e: 0.0, c: 0.0 };
    let mut simulation = Simulation::new(ice)?.step_size(1e-3)?.state(q, v)?;
    simulation.run(0.1, |_: &State<Ball>| Vector0::zeros())?;
    let expected = vector![1.0, 0.0, 0.0, 0.0, 0.0, 3.0];
    let found = simulation.current().v;
    assert!((found.fixed_rows::<3>(3) - expected.fixed_rows::<3>(3)).norm() < 1e-9, "{found}");
    assert!((found.fixed_rows::<3>(0).norm() - 1.0).abs() < 1e-9, "{found}");
    Ok(())
}
