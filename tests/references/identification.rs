//! How many inertial parameters motion reveals.
//!
//! A free body reveals all of its ten. A planar double pendulum, six: for each link the moment about
//! its joint and two first moments, the inner one's with the outer mass at its tip. An arm of six
//! revolute joints, 36 of 60: each joint passes three parameters of its link on to the link before, and
//! of the first one, which turns about a vertical axis, only the moment about that axis shows.
//!
//! Source: Gautier and Khalil, Direct Calculation of Minimum Set of Inertial Parameters of Serial
//! Robots (1990).

use jourdain::identification::{BaseParameters, IdentificationError};
use jourdain::kernels::Regressor;
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_models::Ur5;
use nalgebra::{DMatrix, DVector, vector};

#[derive(Robot)]
#[robot(
    link(body, mass = 2, com = [0.1, 0, 0.2], inertia = [0.3, 0.2, 0.4]),
    joint(base, floating(world -> body)),
    kernels(regressor),
)]
struct Free;

#[derive(Robot)]
#[robot(
    link(upper, mass = 1, com = [0.1, 0, -0.5], inertia = [0.1, 0.1, 0.02]),
    joint(shoulder, revolute(world -> upper), axis = [0, 1, 0]),
    link(lower, mass = 1, com = [0, 0.1, -0.4], inertia = [0.1, 0.1, 0.02]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -length], axis = [0, 1, 0]),
    kernels(regressor),
)]
struct Double {
    length: f64,
}

/// The base parameters, after testing that they explain inverse dynamics at another state.
fn base<M: Regressor>(model: &M) -> BaseParameters {
    let base = BaseParameters::of(model, 7).expect("a clear rank");
    let (mut q, mut v, mut a) = (M::V::zeros(), M::V::zeros(), M::V::zeros());
    for k in 0..M::NV {
        (q[k], v[k], a[k]) = ((k as f64).sin(), (2.0 * k as f64).cos(), (3.0 * k as f64).sin());
    }
    let q = model.integrate(&model.neutral(), &q);
    let regressor = model.torque_regressor(&q, &v, &a);
    let regressor = DMatrix::from_column_slice(M::NV, 10 * M::BODIES.len(), regressor.as_slice());
    let parameters = DVector::from_column_slice(model.inertial_parameters().as_slice());
    let reduced = base.combinations() * parameters;
    let found = regressor.select_columns(base.independent()) * reduced;
    let expected = model.inverse_dynamics(&q, &v, &a);
    crate::close("Y_i π_b", found.as_slice(), expected.as_slice(), 1e-9);
    base
}

#[test]
fn a_free_body_reveals_everything() {
    assert_eq!(base(&Free).independent(), (0..10).collect::<Vec<_>>());
}

/// h_x, h_z and I_yy of the upper link, with the mass of the lower one at its tip; the same of the
/// lower one.
#[test]
fn a_planar_double_pendulum_reveals_six() {
    let robot = Double { length: 0.8 };
    let base = base(&robot);
    assert_eq!(base.independent(), [1, 3, 6, 11, 13, 16]);
    let reduced =
        base.combinations() * DVector::from_column_slice(robot.inertial_parameters().as_slice());
    let (l, m) = (0.8, 1.0);
    // I_yy about the joint: 0.1 + m c².
    let upper = [0.1, -0.5 - m * l, 0.1 + 0.26 + m * l * l];
    let lower = [0.0, -0.4, 0.1 + 0.16];
    crate::close("π_b", reduced.as_slice(), &[upper, lower].concat(), 1e-9);
}

#[test]
fn an_arm_of_six_joints_reveals_36() {
    assert_eq!(base(&Ur5).independent().len(), 36);
}

#[test]
fn an_impossible_length_is_an_error() {
    let found = BaseParameters::of(&Double { length: f64::NAN }, 7);
    assert!(matches!(found, Err(IdentificationError::NotFinite { .. })), "{found:?}");
    let state = vector![0.1, 0.2];
    assert!(Double { length: f64::NAN }.check(&state, &state).is_err());
}
