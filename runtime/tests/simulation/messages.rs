//! What errors say to users.

use jourdain::contact;
use jourdain::prelude::*;
use nalgebra::{SMatrix, SVector};

/// A body that floats, with an arm that turns and a foot with torsional friction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(trunk, mass = 2, inertia = [1, 1, 1]), joint(base, floating(world -> trunk)),
    link(lower, mass = 0.5, com = [0, 0, -0.2], inertia = [0.01, 0.01, 0.01]),
    joint(elbow, revolute(trunk -> lower), axis = [0, 1, 0], actuated),
    contact(foot, on = trunk, at = [0, 0, -1], friction = 0.5, torsion = nu),
)]
struct Torso {
    nu: f64,
}

type Run = Result<(), SimulationError>;

fn torso(nu: f64) -> Result<Simulation<Torso>, SimulationError> {
    let mut q = Torso { nu }.neutral();
    q[2] = 2.0;
    Simulation::new(Torso { nu })?.state(q, SVector::zeros())
}

fn said<T>(result: Result<T, SimulationError>) -> String {
    result.map(drop).unwrap_err().to_string()
}

#[test]
fn names_that_are_none_are_compared_with_those_that_are() -> Run {
    let mut torso = torso(0.0)?;
    assert_eq!(
        said(torso.set_motor("elbo", None)),
        "the robot has no joint `elbo`; did you mean `elbow`?"
    );
    assert_eq!(said(torso.soften_contact("hand", None)), "the robot has no contact `hand`");
    assert_eq!(
        said(torso.soften_limits("base", None)),
        "joint `base` has 6 coordinates, expected a joint of one"
    );
    let motor = Motor::Velocity { velocity: 0.0, force: -1.0 };
    assert_eq!(
        said(torso.set_motor("elbow", Some(motor))),
        "the motor of joint `elbow`: force is -1, expected a finite number of at least 0"
    );
    let [at, wrench] = [nalgebra::Vector3::zeros(), nalgebra::Vector3::zeros()];
    let wrench = SVector::<f64, 6>::from_iterator(at.iter().chain(&wrench).copied());
    assert_eq!(
        said(torso.apply_to_link("trunc", at, ReferenceFrame::World, wrench)),
        "the robot has no link `trunc`; did you mean `trunk`?"
    );
    Ok(())
}

#[test]
fn settings_say_what_is_expected_and_no_time() -> Run {
    let idle = |_: &State<Torso>| SVector::zeros();
    assert_eq!(
        said(torso(0.0)?.run(1e-4, idle)),
        "duration is 0.0001 s, expected from 0.0005 s, half a step, to 9e12 s"
    );
    for (h, told, least) in [
        (0.0, "0", "0"),
        (-1.0, "-1", "0"),
        (f64::INFINITY, "inf", "0"),
        (1e-320, "1e-320", "2.2e-308"),
    ] {
        let expected =
            format!("step_size is {told}, expected a finite number greater than {least}");
        assert_eq!(said(torso(0.0)?.step_size(h)), expected);
    }
    assert_eq!(
        said(torso(0.0)?.margin(-1.0)),
        "margin is -1, expected a finite number of at least 0"
    );
    assert_eq!(
        said(torso(0.0)?.recovery(2.0)),
        "recovery is 2, expected a number of at least 0 and at most 1"
    );
    Ok(())
}

/// By Coulomb's law alone there is torsional friction, and without friction none is wanted.
#[test]
fn what_a_formulation_lacks_is_said_when_it_is_set() -> Run {
    for formulation in super::every_formulation() {
        let offers = matches!(formulation, Formulation::Coulomb(_) | Formulation::Frictionless(_));
        assert!(torso(0.0)?.set_formulation(formulation).is_ok());
        let mut spinning = torso(0.1)?;
        let set = spinning.set_formulation(formulation);
        let refused = matches!(
            set,
            Err(SimulationError::Setup(contact::Error::NotOffered {
                what: "torsional friction",
                ..
            }))
        );
        assert_eq!((set.is_ok(), refused), (offers, !offers), "{formulation:?}");
        let kept = if offers { formulation } else { Formulation::default() };
        assert_eq!(spinning.conditions().formulation, kept);
        let mut built = torso(0.1)?.formulation(formulation);
        assert_eq!(
            matches!(built.step(&SVector::zeros()), Err(SimulationError::Setup(_))),
            !offers
        );
    }
    Ok(())
}

/// Gains too high for the step, and velocities whose squares are no numbers.
#[test]
fn a_motion_that_diverges_names_the_joint_and_the_time() -> Run {
    let mut torso = torso(0.0)?.step_size(0.01)?;
    let mut q = torso.current().q;
    q[7] = 0.1;
    torso.reset(q, SVector::zeros())?;
    let pd = Pd::new(torso.model(), torso.model().neutral(), 60.0, 30.0);
    // Where nobody knows that inputs are a controller's.
    let error = loop {
        let u = (&pd).input(torso.current());
        if let Err(error) = torso.step(&u) {
            break error;
        }
    };
    let SimulationError::Diverged { time, quantity: "v", value, .. } = error else {
        panic!("{error}");
    };
    assert!(time > 0.0 && time == torso.current().time && value.abs() > 100.0, "{error}");
    assert!(
        error.to_string().starts_with("at 0.07 s: the motion diverged: v of joint `"),
        "{error}"
    );
    torso.reset(q, SVector::zeros())?;
    let error = torso.run(100.0, &pd).unwrap_err();
    let SimulationError::Unstable { joint: "elbow", time, .. } = error else { panic!("{error}") };
    // The step in which it is seen is undone, and seen again.
    let before = torso.current().clone();
    assert_eq!(before.time, time);
    assert_eq!(torso.step_with(&mut &pd), Err(error.clone()));
    assert_eq!(torso.run(0.01, &pd), Err(error));
    assert_eq!(*torso.current(), before);
    Ok(())
}

/// A force whose impulse is no number is not blamed on a joint that is at rest.
#[test]
fn what_pushes_too_hard_is_no_motion_that_diverges() -> Run {
    let mut torso = torso(0.0)?;
    let mut q = torso.current().q;
    q[2] = 1.0;
    torso.reset(q, SVector::zeros())?;
    let wrench = SVector::<f64, 6>::from([0.0, 0.0, -1.0, 0.0, 1e308, 0.0]);
    let at = nalgebra::Vector3::zeros();
    torso.apply_to_link("lower", at, ReferenceFrame::World, wrench)?;
    let error = torso.step(&SVector::zeros()).unwrap_err();
    assert!(matches!(error, SimulationError::Contact { .. }), "{error}");
    Ok(())
}

/// A mass on a rail.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(cart, mass = 2),
    joint(rail, prismatic(world -> cart), axis = [1, 0, 0], actuated),
)]
struct Cart;

/// h² k + 2 h d < 4 m.
#[test]
fn explicit_gains_are_stable_up_to_their_bound_and_servos_beyond() -> Run {
    for (stiffness, damping) in [(20_000.0, 300.0), (79_000.0, 5.0), (100.0, 399.5)] {
        let start = || Simulation::new(Cart)?.step_size(0.01)?.state([1.0].into(), [0.0].into());
        let end = |gain: f64| -> Result<f64, SimulationError> {
            let pd = Pd::new(&Cart, Cart.neutral(), gain * stiffness, gain * damping);
            let mut simulation = start()?;
            simulation.run(100.0, pd)?;
            Ok(simulation.current().q[0].abs() + simulation.current().v[0].abs())
        };
        let bound = 4.0 * 2.0 / (1e-4 * stiffness + 2e-2 * damping);
        assert!(end(0.999 * bound)? < 1.0 && !end(1.001 * bound).is_ok_and(|end| end < 1e3));
        let (position, velocity, force) = (0.0, 0.0, f64::INFINITY);
        let [stiffness, damping] = [stiffness, damping].map(|gain| 1e3 * gain);
        let mut held = start()?;
        held.set_motor(
            "rail",
            Some(Motor::Servo { position, velocity, stiffness, damping, force }),
        )?;
        held.run(1.0, |_: &State<Cart>| SVector::zeros())?;
        assert!(held.current().q[0].abs() < 1.0);
    }
    Ok(())
}

/// A motion that grows from step to step ends where nothing moves so fast, and not where numbers do.
#[test]
fn what_is_faster_than_light_diverges() -> Run {
    let mut cart = Simulation::new(Cart)?.step_size(1e-3)?.state([0.0].into(), [1.0].into())?;
    // v⁺ = −3 v.
    let error = loop {
        let u = -8e3 * cart.current().v;
        if let Err(error) = cart.step(&u) {
            break error;
        }
    };
    let SimulationError::Diverged { joint: "rail", quantity: "v", value, time, .. } = error else {
        panic!("{error}");
    };
    assert!((3e8..1e9).contains(&value.abs()) && time < 0.02, "{error}");
    assert_eq!(cart.current().time, time);
    // One body turns no joints in a step, and what has no inputs has no controller.
    let text = error.to_string();
    assert!(text.contains("gains") && !text.contains("chains"), "{text}");
    let mut stone = Simulation::new(Stone)?.state([0.0].into(), [4e8].into())?;
    let text = stone.step(&SVector::zeros()).unwrap_err().to_string();
    assert!(text.ends_with("is 4e8; take smaller steps"), "{text}");
    Ok(())
}

/// A mass on a rail without a motor.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(stone, mass = 2),
    joint(rail, prismatic(world -> stone), axis = [1, 0, 0]),
)]
struct Stone;

/// Numbers have no more digits than they are given with, however large they are.
#[test]
fn numbers_are_as_long_as_they_must_be() -> Run {
    assert_eq!(
        said(torso(0.0)?.margin(-1e300)),
        "margin is -1e300, expected a finite number of at least 0"
    );
    let mut q = torso(0.0)?.current().q;
    q[3] = 1e300;
    assert!(said(torso(0.0)?.reset(q, SVector::zeros())).len() < 100);
    Ok(())
}

/// Wrenches at a link are those at a frame that is there, in all axes.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(trunk, mass = 2, inertia = [1, 2, 3]), joint(base, floating(world -> trunk)),
    link(leg, mass = 0.5, com = [0, 0.1, -0.2], inertia = [0.1, 0.2, 0.1]),
    joint(hip, universal(trunk -> leg), at = [0.3, 0.1, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    link(foot, mass = 0.1, inertia = [0.01, 0.01, 0.01]),
    joint(slide, prismatic(leg -> foot), at = [0, 0, -0.5], axis = [0, 0, 1]),
    link(post, mass = 1), joint(stands, fixed(world -> post)),
    frame(toe, on = foot, at = [0.1, 0.2, -0.3]),
)]
struct Leg;

#[test]
fn a_push_at_a_link_is_one_at_a_frame_there() -> Run {
    let v = SMatrix::from([0.1, -0.2, 0.3, 0.5, -0.4, 0.3, 0.2, -0.6, 0.1]);
    let q = Leg.integrate(&Leg.neutral(), &(3.0 * v));
    let wrench = SMatrix::from([1.0, -2.0, 3.0, 0.4, 0.5, -0.6]);
    let at = nalgebra::Vector3::new(0.1, 0.2, -0.3);
    for reference in
        [ReferenceFrame::World, ReferenceFrame::Local, ReferenceFrame::LocalWorldAligned]
    {
        let start = Simulation::new(Leg)?.state(q, v)?;
        let (mut framed, mut linked) = (start.clone(), start);
        framed.apply(Leg::TOE, reference, wrench)?;
        linked.apply_to_link("foot", at, reference, wrench)?;
        // What stands still takes no notice.
        linked.apply_to_link("post", at, reference, 1e3 * wrench)?;
        for _ in 0..20 {
            framed.step(&SVector::zeros())?;
            linked.step(&SVector::zeros())?;
        }
        let apart = (framed.current().v - linked.current().v).norm();
        assert!(apart < 1e-12 && (framed.current().v - v).norm() > 1e-2, "{reference:?} {apart}");
        linked.clear_wrenches();
        let before = linked.model().momentum(&linked.current().q, &linked.current().v);
        linked.step(&SVector::zeros())?;
        let after = linked.model().momentum(&linked.current().q, &linked.current().v);
        assert!((after - before).fixed_rows::<3>(0).norm() < 1e-4);
    }
    Ok(())
}
