//! Values that no robot can have give a typed error that names the quantity.

use jourdain::description::Bound;
use jourdain::prelude::*;
use nalgebra::{SVector, Vector6};

/// A robot of which every number is a field.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -g],
    link(body, mass = m, com = [com, 0, 0], inertia = [ixx, iyy, izz, ixy, 0, 0]),
    joint(base, floating(world -> body)),
    link(arm, mass = 1, com = [0, 0, 0.1], sphere(radius = r)),
    joint(elbow, revolute(body -> arm), at = [at, 0, 0], axis = [ax, ay, az], actuated,
        limits = [low, high], damping = c, stiffness = k, rest = rest, friction = dry, armature = rotor),
    link(wrist, mass = 1, sphere(radius = 0.1)),
    joint(ball, spherical(arm -> wrist), at = [0, 0, 0.2]),
    contact(tip, on = arm, at = [0, 0, 0.3], sphere = rho, friction = mu, restitution = e,
        plane(normal = [nx, ny, nz], offset = d)),
    spring(tie, a = world, b = body @ [0, 0, 1], stiffness = tie, damping = slow, rest = length),
    frame(hand, on = wrist),
)]
struct Numbers {
    g: f64,
    m: f64,
    com: f64,
    ixx: f64,
    iyy: f64,
    izz: f64,
    ixy: f64,
    r: f64,
    at: f64,
    ax: f64,
    ay: f64,
    az: f64,
    low: f64,
    high: f64,
    c: f64,
    k: f64,
    rest: f64,
    dry: f64,
    rotor: f64,
    rho: f64,
    mu: f64,
    e: f64,
    nx: f64,
    ny: f64,
    nz: f64,
    d: f64,
    tie: f64,
    slow: f64,
    length: f64,
}

const GOOD: Numbers = Numbers {
    g: 9.81,
    m: 2.0,
    com: 0.1,
    ixx: 1.0,
    iyy: 1.0,
    izz: 1.0,
    ixy: 0.1,
    r: 0.1,
    at: 0.3,
    ax: 0.0,
    ay: 1.0,
    az: 0.0,
    low: -1.0,
    high: 1.0,
    c: 0.1,
    k: 1.0,
    rest: 0.2,
    dry: 0.1,
    rotor: 0.01,
    rho: 0.02,
    mu: 0.5,
    e: 0.3,
    nx: 0.0,
    ny: 0.0,
    nz: 1.0,
    d: -3.0,
    tie: 1.0,
    slow: 0.1,
    length: 0.5,
};

type Change = fn(&mut Numbers, f64);

const NAN: f64 = f64::NAN;
const INFINITE: f64 = f64::INFINITY;

/// A field, values that it cannot have, the bound they violate, and words of the quantity's name.
#[rustfmt::skip]
const BAD: &[(Change, &[f64], Bound, &[&str])] = &[
    (|x, y| x.g = y, &[NAN, INFINITE], Bound::Finite, &["gravity"]),
    (|x, y| x.m = y, &[NAN, INFINITE, -1.0], Bound::NonNegative, &["mass", "body"]),
    (|x, y| x.com = y, &[NAN, INFINITE], Bound::Finite, &["body"]),
    (|x, y| x.ixx = y, &[NAN, INFINITE, 0.0, -1.0, 2.5], Bound::Inertia, &["inertia", "body"]),
    (|x, y| x.ixy = y, &[NAN, 1.0, -7.0], Bound::Inertia, &["inertia", "body"]),
    (|x, y| x.r = y, &[NAN, 0.0, -0.1], Bound::Positive, &["radius", "arm"]),
    (|x, y| x.at = y, &[NAN, INFINITE], Bound::Finite, &["elbow"]),
    (|x, y| x.ay = y, &[NAN, INFINITE, 0.0, 1e-200, -1e200], Bound::Direction, &["axis", "elbow"]),
    (|x, y| x.low = y, &[NAN, 1.0, 7.0], Bound::Interval, &["limit", "elbow"]),
    (|x, y| x.high = y, &[NAN, -1.0, -7.0], Bound::Interval, &["limit", "elbow"]),
    (|x, y| x.c = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["damping", "elbow"]),
    (|x, y| x.k = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["stiffness", "elbow"]),
    (|x, y| x.rest = y, &[NAN, INFINITE], Bound::Finite, &["rest", "elbow"]),
    (|x, y| x.dry = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["friction", "elbow"]),
    (|x, y| x.rotor = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["armature", "elbow"]),
    (|x, y| x.rho = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["radius", "tip"]),
    (|x, y| x.mu = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["friction", "tip"]),
    (|x, y| x.e = y, &[NAN, INFINITE, -0.1, 1.5], Bound::Fraction, &["restitution", "tip"]),
    (|x, y| x.nz = y, &[NAN, INFINITE, 0.0, 1e-200, -1e200], Bound::Direction, &["normal", "tip"]),
    (|x, y| x.d = y, &[NAN, INFINITE], Bound::Finite, &["offset", "tip"]),
    (|x, y| x.tie = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["stiffness", "tie"]),
    (|x, y| x.slow = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["damping", "tie"]),
    (|x, y| x.length = y, &[NAN, INFINITE, -0.1], Bound::NonNegative, &["rest", "tie"]),
];

#[test]
fn fields_with_impossible_values() {
    let (q, v) = (GOOD.neutral(), SVector::zeros());
    assert_eq!(GOOD.check(&q, &v), Ok(()));
    for (k, (change, values, bound, words)) in BAD.iter().enumerate() {
        for &bad in *values {
            let mut model = GOOD;
            change(&mut model, bad);
            let error = model.check(&q, &v).expect_err("an impossible value");
            let ModelError::Quantity { quantity, expected, .. } = error else {
                panic!("row {k}, {bad}: {error}");
            };
            assert_eq!(expected, *bound, "{quantity} {bad}");
            let named = words.iter().all(|word| quantity.contains(word));
            assert!(named, "{quantity} does not name {words:?}");
            match Simulation::new(model) {
                Err(SimulationError::Model(refused)) => {
                    assert_eq!(refused.to_string(), error.to_string());
                }
                other => panic!("row {k}, {bad}: {other:?}"),
            }
        }
    }
}

#[test]
fn infinite_limits_are_none() -> Result<(), SimulationError> {
    let free = Numbers { low: f64::NEG_INFINITY, high: INFINITE, ..GOOD };
    Simulation::new(free)?.step(&SVector::zeros())?;
    Ok(())
}

#[test]
fn states_that_are_not_finite() {
    for bad in [NAN, INFINITE, -INFINITE] {
        for index in 0..Numbers::NQ {
            let mut q = GOOD.neutral();
            q[index] = bad;
            let error = GOOD.check(&q, &SVector::zeros());
            assert!(
                matches!(error, Err(ModelError::NotFinite { quantity: "q", index: i, .. }) if i == index)
            );
            let refused = Simulation::new(GOOD).and_then(|s| s.state(q, SVector::zeros()));
            assert!(matches!(refused, Err(SimulationError::Model(_))));
        }
        for index in 0..Numbers::NV {
            let mut v = SVector::zeros();
            v[index] = bad;
            let error = GOOD.check(&GOOD.neutral(), &v);
            assert!(
                matches!(error, Err(ModelError::NotFinite { quantity: "v", index: i, .. }) if i == index)
            );
        }
    }
}

#[test]
fn quaternions_of_wrong_length() {
    for (first, joint) in [(3, "base"), (8, "ball")] {
        for length in [0.0, 1e-300, 0.5, 1.0 - 2e-6, 1.0 + 2e-6, 2.0, 1e200] {
            let mut q = GOOD.neutral();
            q[first + 3] = length;
            match GOOD.check(&q, &SVector::zeros()) {
                Err(ModelError::NotUnitQuaternion { joint: named, norm }) => {
                    assert_eq!(named, joint);
                    assert!((norm - length).abs() < 1e-150 || norm.is_infinite(), "{norm}");
                }
                other => panic!("{joint}, {length}: {other:?}"),
            }
        }
        let mut q = GOOD.neutral();
        q[first + 3] = -1.0 - 5e-7;
        assert_eq!(GOOD.check(&q, &SVector::zeros()), Ok(()), "−1 is a unit quaternion too");
    }
}

#[test]
fn settings_of_a_simulation() -> Result<(), SimulationError> {
    for bad in [0.0, -0.0, -1e-3, NAN, INFINITE, -INFINITE] {
        let step = Simulation::new(GOOD)?.step_size(bad);
        assert!(matches!(step, Err(SimulationError::Setting { quantity: "step_size", .. })));
        let tolerance = Simulation::new(GOOD)?.tolerance(bad);
        assert!(matches!(tolerance, Err(SimulationError::Setting { quantity: "tolerance", .. })));
        let run = Simulation::new(GOOD)?.run(bad, |_: &State<Numbers>| SVector::zeros());
        assert!(matches!(run, Err(SimulationError::Setting { quantity: "duration", .. })));
    }
    Ok(())
}

/// Inputs and wrenches; the state is that before.
#[test]
fn inputs_that_are_not_finite() -> Result<(), SimulationError> {
    let mut simulation = Simulation::new(GOOD)?;
    let before = simulation.current().clone();
    let hand = FrameId::<Numbers>::named("hand").expect("declared");
    for bad in [NAN, INFINITE, -INFINITE] {
        let refused = simulation.step(&SVector::from_element(bad));
        assert!(matches!(
            refused,
            Err(SimulationError::Model(ModelError::NotFinite { quantity: "u", index: 0, .. }))
        ));
        let wrench = Vector6::new(0.0, 0.0, 0.0, 0.0, bad, 0.0);
        let refused = simulation.apply(hand, ReferenceFrame::World, wrench);
        assert!(matches!(
            refused,
            Err(SimulationError::Model(ModelError::NotFinite { quantity: "wrench", index: 4, .. }))
        ));
        assert_eq!(simulation.current(), &before);
    }
    simulation.step(&SVector::zeros())?;
    Ok(())
}

/// A plane whose normal a field turns to the world's x axis is a wall like any other.
#[test]
fn a_normal_from_fields_may_point_anywhere() -> Result<(), SimulationError> {
    for [nx, ny, nz] in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -2.0]] {
        let model = Numbers { nx, ny, nz, ..GOOD };
        Simulation::new(model)?.step(&SVector::zeros())?;
        let jacobian = model.contact_jacobian(&model.neutral());
        assert!(jacobian.iter().all(|x| x.is_finite()), "{nx} {ny} {nz}");
    }
    Ok(())
}
