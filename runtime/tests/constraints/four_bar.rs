//! A planar four-bar linkage of five revolute joints without gravity, as RBDL tests it.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use jourdain::constrained::{Assembly, Constrained, Error};
use jourdain::kkt::{self, Dense, Method};
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

/// Two chains of two links of 2 m and 2 kg from the origin; a body without mass closes them.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(second, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(third, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(fourth, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(coupler, massless),
    joint(one, revolute(world -> first), axis = [0, 0, 1]),
    joint(two, revolute(first -> second), at = [2, 0, 0], axis = [0, 0, 1]),
    joint(three, revolute(world -> third), axis = [0, 0, 1]),
    joint(four, revolute(third -> fourth), at = [2, 0, 0], axis = [0, 0, 1]),
    joint(five, revolute(fourth -> coupler), at = [2, 0, 0], axis = [0, 0, 1]),
    closure(tip, a = second @ [2, 0, 0], b = coupler, axes = [x, y, rz]),
)]
pub(crate) struct FourBar;

#[test]
fn a_state_that_closes_the_loop_has_no_error() {
    let q = vector![3.0 * FRAC_PI_4, -FRAC_PI_2, FRAC_PI_4, FRAC_PI_2, -FRAC_PI_2];
    let v = vector![-1.0, -1.0, -2.0, 1.0, -1.0];
    assert!(FourBar.constraint(&q, 0.0).amax() < 1e-15, "{}", FourBar.constraint(&q, 0.0));
    assert!(FourBar.constraint_rate(&q, &v, 0.0).amax() < 1e-15);
    assert_eq!(FourBar::CONSTRAINTS[0].levels.len(), 3);
}

/// The same with a mass on the body that closes the loop.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(second, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(third, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(fourth, mass = 2, com = [1, 0, 0], inertia = [2, 2, 8.0 / 3.0]),
    link(coupler, mass = 1, inertia = [0.1, 0.1, 0.1]),
    joint(one, revolute(world -> first), axis = [0, 0, 1]),
    joint(two, revolute(first -> second), at = [2, 0, 0], axis = [0, 0, 1]),
    joint(three, revolute(world -> third), axis = [0, 0, 1]),
    joint(four, revolute(third -> fourth), at = [2, 0, 0], axis = [0, 0, 1]),
    joint(five, revolute(fourth -> coupler), at = [2, 0, 0], axis = [0, 0, 1]),
    closure(tip, a = second @ [2, 0, 0], b = coupler, axes = [x, y, rz]),
)]
pub(crate) struct MassiveFourBar;

type V = SVector<f64, 5>;

fn closed() -> (V, V) {
    let q = vector![3.0 * FRAC_PI_4, -FRAC_PI_2, FRAC_PI_4, FRAC_PI_2, -FRAC_PI_2];
    (q, vector![-1.0, -1.0, -2.0, 1.0, -1.0])
}

#[test]
fn assembly_moves_what_has_no_weight() {
    let (q, v) = closed();
    let mut bar = Constrained::new(FourBar);
    let weights = Assembly::Weights(&[1.0, 0.0, 1.0, 0.0, 0.0]);
    let guess = q + vector![-0.2, 0.0, 0.1, -0.03, 0.05];
    let found = bar.assemble(&guess, weights, 0.0).unwrap();
    assert!(found.residual <= 1e-12, "{found:?}");
    assert!((found.value[0] - guess[0]).abs() < 1e-12 && (found.value[2] - guess[2]).abs() < 1e-12);
    assert_eq!(found.rank, 3);
    let guess = v + vector![0.01, 0.5, -0.7, -0.5, 0.3];
    let found = bar.assemble_velocity(&q, &guess, weights, 0.0).unwrap();
    assert!(found.residual <= 1e-12, "{found:?}");
    assert!((found.value[0] - guess[0]).abs() < 1e-12 && (found.value[2] - guess[2]).abs() < 1e-12);
}

#[test]
fn at_its_dead_centre_without_mass() {
    let (q, v, tau) = (V::zeros(), V::zeros(), vector![1.0, -2.0, 3.0, -5.0, 7.0]);
    let expected = vector![-0.25846834, -0.10162003, 2.09867452, -4.81590574, 2.35714286];
    let methods = [
        Method::Adaptive,
        Method::NullSpace,
        Method::Direct(Dense::PivotedQr),
        Method::Direct(Dense::Svd),
        Method::Proximal,
    ];
    for method in methods {
        let mut bar = Constrained::new(FourBar).method(method);
        let found = bar.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
        assert!((found - expected).amax() < 1e-7, "{method:?}: {found}");
        assert_eq!(bar.report().map(|report| report.rank), Some(2), "{method:?}");
    }
    for method in [Method::RangeSpace(Dense::PivotedQr), Method::Articulated(Dense::PivotedQr)] {
        let error = Constrained::new(FourBar).method(method).forward_dynamics(&q, &v, &tau, 0.0);
        assert!(matches!(error, Err(Error::SingularMass { .. })), "{method:?}: {error:?}");
    }
}

#[test]
fn with_mass_every_method_agrees() {
    let (q, v) = closed();
    let tau = vector![1.0, -2.0, 3.0, -5.0, 7.0];
    let expected = Constrained::new(MassiveFourBar).forward_dynamics(&q, &v, &tau, 0.0).unwrap();
    for dense in [Dense::Lu, Dense::Cholesky, Dense::PivotedQr, Dense::Svd] {
        for method in [
            Method::Direct(dense),
            Method::RangeSpace(dense),
            Method::Articulated(dense),
            Method::NullSpace,
            Method::Proximal,
        ] {
            let mut bar = Constrained::new(MassiveFourBar).method(method);
            let found = bar.forward_dynamics(&q, &v, &tau, 0.0).unwrap();
            assert!((found - expected).amax() < 1e-9, "{method:?}: {found}");
            let zero = V::zeros();
            let dead = bar.forward_dynamics(&zero, &zero, &tau, 0.0);
            let full = matches!(
                method,
                Method::Direct(Dense::Lu | Dense::Cholesky)
                    | Method::RangeSpace(Dense::Lu | Dense::Cholesky)
                    | Method::Articulated(Dense::Lu | Dense::Cholesky)
            );
            assert_eq!(
                full,
                matches!(
                    dead,
                    Err(Error::Unsolved(kkt::Error::RankDeficient { rank: 2, rows: 3 }))
                ),
                "{method:?}: {dead:?}"
            );
        }
    }
}
