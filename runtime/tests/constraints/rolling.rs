//! Rolling without slip, with its height held and without.

use jourdain::constrained::Constrained;
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

/// A solid ball on a slope of 15°.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 2, sphere(radius = 0.1)),
    joint(free, floating(world -> ball)),
    rolling(slope, on = ball, radius = 0.1, plane(normal = [sin(PI / 12), 0, cos(PI / 12)], offset = 0)),
)]
struct Ball;

/// a = (5/7) g sin 15°, and the plane carries m g cos 15°.
#[test]
fn a_ball_needs_the_plane() {
    let (sine, cosine) = (std::f64::consts::PI / 12.0).sin_cos();
    let mut held = Constrained::new(Ball);
    let q = vector![0.1 * sine, 0.0, 0.1 * cosine, 0.0, 0.0, 0.0, 1.0];
    assert!(Ball.constraint(&q, 0.0).amax() < 1e-15);
    let zero = SVector::zeros();
    let v_dot = held.forward_dynamics(&q, &zero, &zero, 0.0).unwrap();
    let along = 5.0 / 7.0 * 9.81 * sine;
    let expected = vector![along * cosine, 0.0, -along * sine, 0.0, along / 0.1, 0.0];
    assert!((v_dot - expected).amax() < 1e-12, "{v_dot}");
    assert!((held.multipliers()[0] - 2.0 * 9.81 * cosine).abs() < 1e-12);
    assert_eq!(Ball::MOBILITY, Some(3));
}

macro_rules! cart {
    ($name:ident, $($height:tt)?) => {
        /// A cart in the plane z = r with a driven wheel on its axle.
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            link(cart, mass = 5, inertia = [0.1, 0.2, 0.3]),
            joint(plane, planar(world -> cart), at = [0, 0, 0.2], axis = [0, 0, 1]),
            link(wheel, mass = 2, inertia = [0.02, 0.04, 0.02]),
            joint(axle, revolute(cart -> wheel), axis = [0, 1, 0], actuated),
            rolling(tread, on = wheel, radius = 0.2, axis = [0, 1, 0], $($height)?),
        )]
        struct $name;
    };
}

cart!(Cart, tangential);
cart!(Redundant,);

/// (M + I/r²) a = τ/r, with the height of the axle as one more row or without.
#[test]
fn a_cart_keeps_its_height_by_its_joints() {
    assert_eq!((Cart::NC, Cart::MOBILITY), (2, Some(2)));
    assert_eq!((Redundant::NC, Redundant::MOBILITY), (3, Some(2)));
    let tau = vector![0.0, 0.0, 0.0, 3.0];
    let acceleration = 3.0 / 0.2 / (7.0 + 0.04 / 0.04);
    let expected = vector![acceleration, 0.0, 0.0, acceleration / 0.2];
    let (q, zero) = (SVector::zeros(), SVector::zeros());
    let mut cart = Constrained::new(Cart);
    let v_dot = cart.forward_dynamics(&q, &zero, &tau, 0.0).unwrap();
    assert!((v_dot - expected).amax() < 1e-12, "{v_dot}");
    assert_eq!(cart.report().unwrap().rank, 2);
    let mut redundant = Constrained::new(Redundant);
    let v_dot = redundant.forward_dynamics(&q, &zero, &tau, 0.0).unwrap();
    assert!((v_dot - expected).amax() < 1e-12, "{v_dot}");
    assert_eq!(redundant.report().unwrap().rank, 2);
}
