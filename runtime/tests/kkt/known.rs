//! Mechanisms whose motion is known.

use jourdain::kkt::{Dense, Error, Method, Problem, Solver};
use nalgebra::{DMatrix, DVector};

use crate::problems::{DENSE, methods};

/// RBDL's planar four-bar (its tests of bilateral constraints), stretched out at q = 0: two chains of two
/// links of 2 m, 2 kg and 8/3 kg m², and a massless body at the end of one that is closed with the end of
/// the other, along x, along y and about z. The row of x vanishes there.
#[test]
fn four_bar_in_its_singular_position() {
    let chain = [76.0 / 3.0, 26.0 / 3.0, 14.0 / 3.0];
    let mut mass = DMatrix::zeros(5, 5);
    for first in [0, 2] {
        mass[(first, first)] = chain[0];
        mass[(first, first + 1)] = chain[1];
        mass[(first + 1, first)] = chain[1];
        mass[(first + 1, first + 1)] = chain[2];
    }
    let rows = [[0.0; 5], [4.0, 2.0, -4.0, -2.0, 0.0], [1.0, 1.0, -1.0, -1.0, -1.0]];
    let jacobian = DMatrix::from_fn(3, 5, |i, j| rows[i][j]);
    let parents = [None, Some(0), None, Some(2), Some(3)];
    let tau = [1.0, -2.0, 3.0, -5.0, 7.0];
    let problem =
        Problem::new(mass.as_slice(), jacobian.as_slice(), &tau, &[0.0; 3]).parents(&parents);
    let known = [-0.25846834, -0.10162003, 2.09867452, -4.81590574, 2.35714286];
    let qr_and_svd = [Method::Direct(Dense::PivotedQr), Method::Direct(Dense::Svd)];
    let singular = [Method::Adaptive, Method::NullSpace, Method::Proximal];
    for method in singular.into_iter().chain(qr_and_svd) {
        let (mut x, mut lambda) = ([0.0; 5], [0.0; 3]);
        let report = Solver::new(method).solve(&problem, &mut x, &mut lambda).unwrap();
        let wrong = (0..5).map(|i| f64::abs(x[i] - known[i])).fold(0.0, f64::max);
        assert!(wrong < 1e-8, "{method:?}: {x:?}");
        assert!(report.rank == 2 && lambda[0].abs() < 1e-14, "{method:?}: {report:?} {lambda:?}");
    }
    for method in DENSE.map(Method::RangeSpace) {
        let error = Solver::new(method).solve(&problem, &mut [0.0; 5], &mut [0.0; 3]).unwrap_err();
        assert_eq!(error, Error::SingularMass { coordinate: 4 });
    }
    let direct = &mut Solver::new(Method::Direct(Dense::Lu));
    let error = direct.solve(&problem, &mut [0.0; 5], &mut [0.0; 3]).unwrap_err();
    assert_eq!(error, Error::RankDeficient { rank: 2, rows: 3 });
}

/// A hollow ball that sticks and bounces: v⁺ = [3/5 0 −2r/5; 0 −e 0; −3/(5r) 0 2/5] v⁻ for (ẋ, ż, θ̇).
///
/// Source: Tedrake, Underactuated Robotics, appendix on multi-body dynamics.
#[test]
fn bouncing_ball_with_spin() {
    let (m, r, e) = (0.4, 0.15, 0.8);
    let inertia = DVector::from_vec(vec![m, m, 2.0 / 3.0 * m * r * r]);
    let (mass, before) = (DMatrix::from_diagonal(&inertia), [1.3, -2.0, 5.0]);
    let momentum: Vec<f64> = (0..3).map(|i| inertia[i] * before[i]).collect();
    let jacobian = [0.0, 1.0, 1.0, 0.0, 0.0, r];
    let target = [-e * before[1], 0.0];
    let problem = Problem::new(mass.as_slice(), &jacobian, &momentum, &target);
    let [dx, dz, spin] = before;
    let after = [0.6 * dx - 0.4 * r * spin, -e * dz, -0.6 / r * dx + 0.4 * spin];
    for method in methods().into_iter().filter(|method| !matches!(method, Method::Articulated(_))) {
        let (mut x, mut impulse) = ([0.0; 3], [0.0; 2]);
        Solver::new(method).solve(&problem, &mut x, &mut impulse).unwrap();
        let wrong = (0..3).map(|i| f64::abs(x[i] - after[i])).fold(0.0, f64::max);
        assert!(wrong < 1e-13, "{method:?}: {x:?}");
        assert!((impulse[0] - m * (1.0 + e) * -dz).abs() < 1e-13, "{method:?}: {impulse:?}");
    }
}
