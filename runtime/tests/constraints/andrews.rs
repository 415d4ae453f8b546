//! Andrews' squeezing mechanism: seven bodies, three loops through one pin, a stiff spring.
//!
//! Source: Mazzia, Iavernaro, Test Set for Initial Value Problem Solvers (2003), problem Andrews;
//! Hairer, Wanner, Solving Ordinary Differential Equations II (1996), section VII.7.

use jourdain::constrained::{Constrained, Error};
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

/// In metres, kilograms and seconds; angles are those of the test set.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(k1, mass = 0.04325, com = [0.00092, 0, 0], inertia = [1.2e-6, 1.2e-6, 2.194e-6]),
    link(k2, mass = 0.00365, com = [-0.0115, 0, 0], inertia = [2.5e-7, 2.5e-7, 4.410e-7]),
    link(k3, mass = 0.02373, com = [0.01043, -0.01874, 0], inertia = [3e-6, 3e-6, 5.255e-6]),
    link(k4, mass = 0.00706, com = [0, -0.00579, 0], inertia = [3e-7, 3e-7, 5.667e-7]),
    link(k5, mass = 0.07050, com = [0.02308, 0.00916, 0], inertia = [7e-6, 7e-6, 1.169e-5]),
    link(k6, mass = 0.00706, com = [0.00579, 0, 0], inertia = [3e-7, 3e-7, 5.667e-7]),
    link(k7, mass = 0.05498, com = [0.00449, -0.01228, 0], inertia = [1e-5, 1e-5, 1.912e-5]),
    joint(beta, revolute(world -> k1), axis = [0, 0, 1]),
    joint(theta, revolute(k1 -> k2), at = [0.007, 0, 0], axis = [0, 0, 1]),
    joint(gamma, revolute(world -> k3), at = [-0.03635, 0.03273, 0], axis = [0, 0, 1]),
    joint(phi, revolute(k5 -> k4), at = [0.04, 0, 0], axis = [0, 0, 1]),
    joint(delta, revolute(world -> k5), at = [-0.06934, -0.00227, 0], axis = [0, 0, 1]),
    joint(omega, revolute(k7 -> k6), at = [0, -0.04, 0], axis = [0, 0, 1]),
    joint(epsilon, revolute(world -> k7), at = [-0.06934, -0.00227, 0], axis = [0, 0, 1]),
    closure(pin3, a = k2 @ [-0.028, 0, 0], b = k3 @ [0, -0.035, 0], axes = [x, y]),
    closure(pin4, a = k2 @ [-0.028, 0, 0], b = k4 @ [0, -0.02, 0], axes = [x, y]),
    closure(pin6, a = k2 @ [-0.028, 0, 0], b = k6 @ [0.02, 0, 0], axes = [x, y]),
    spring(coil, a = k3 @ [0.02, -0.018, 0], b = world @ [0.014, 0.072, 0],
        stiffness = 4530, rest = 0.07785),
)]
struct Squeezer;

type V = SVector<f64, 7>;

fn start() -> V {
    vector![
        -0.061_713_890_014_276_45,
        0.0,
        0.455_279_819_163_070_4,
        0.222_668_390_165_885_88,
        0.487_364_979_543_842_55,
        -0.222_668_390_165_885_88,
        1.230_547_444_549_821_2
    ]
}

fn acceleration(squeezer: &mut Constrained<Squeezer>, q: &V, v: &V) -> Result<V, Error> {
    let mut tau = Squeezer.passive_force(q, v);
    tau[0] += 0.033;
    squeezer.forward_dynamics(q, v, &tau, 0.0)
}

#[test]
fn starts_with_the_published_acceleration() {
    let mut squeezer = Constrained::new(Squeezer);
    assert!(Squeezer.constraint(&start(), 0.0).amax() < 1e-15);
    let v_dot = acceleration(&mut squeezer, &start(), &V::zeros()).unwrap();
    assert!((v_dot[0] - 14_222.443_919_954_114).abs() < 1e-6, "{v_dot}");
    assert!((v_dot[1] + 10_666.832_939_965_585).abs() < 1e-6, "{v_dot}");
}

/// The classical method of fourth order, and the projection after each step.
#[test]
fn ends_where_the_test_set_says() {
    let mut squeezer = Constrained::new(Squeezer);
    let (mut q, mut v) = (start(), V::zeros());
    let steps = 5_000;
    let h = 0.03 / f64::from(steps);
    for _ in 0..steps {
        let mut slope = |q: &V, v: &V| acceleration(&mut squeezer, q, v).unwrap();
        let a1 = slope(&q, &v);
        let v2 = v + a1 * (h / 2.0);
        let a2 = slope(&(q + v * (h / 2.0)), &v2);
        let v3 = v + a2 * (h / 2.0);
        let a3 = slope(&(q + v2 * (h / 2.0)), &v3);
        let v4 = v + a3 * h;
        let a4 = slope(&(q + v3 * h), &v4);
        q += (v + (v2 + v3) * 2.0 + v4) * (h / 6.0);
        v += (a1 + (a2 + a3) * 2.0 + a4) * (h / 6.0);
        (q, v) = squeezer.project(&q, &v, 0.0).unwrap();
    }
    let expected = vector![
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263
    ];
    assert!((q - expected).amax() < 1e-7, "{}", q - expected);
}
