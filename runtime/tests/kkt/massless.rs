//! Problems in which nothing, or little, has mass: the rows alone say what moves, and the forces what they bear.
//!
//! > J x = g,  −Jᵀ λ = f  for M = 0

use jourdain::kkt::{Dense, Error, Method, Problem, Solver};
use nalgebra::{DMatrix, DVector};

use crate::problems::Numbers;

const METHODS: [Method; 7] = [
    Method::Adaptive,
    Method::NullSpace,
    Method::Proximal,
    Method::Direct(Dense::Lu),
    Method::Direct(Dense::PivotedQr),
    Method::Direct(Dense::Svd),
    Method::Direct(Dense::Cholesky),
];

/// Rows near those of 1, in units of 10^±decades.
fn jacobian(n: usize, decades: f64, numbers: &mut Numbers) -> DMatrix<f64> {
    let units = DVector::from_fn(n, |_, _| numbers.size(decades));
    let near = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) + 0.3 * numbers.next());
    DMatrix::from_diagonal(&units) * near
}

/// As many rows as coordinates, forces and targets of all sizes, zero among them: x = J⁻¹ g and λ = −J⁻ᵀ f.
#[test]
fn rows_move_what_has_no_mass() {
    let numbers = &mut Numbers(5);
    for trial in 0..200 {
        let n = 1 + numbers.below(5);
        let jacobian = jacobian(n, 2.0, numbers);
        let sizes = [0.0, 1e-6, 1.0, 1e6];
        let force = numbers.vector(n) * sizes[numbers.below(4)];
        let target = numbers.vector(n) * sizes[numbers.below(4)];
        let inverse = jacobian.clone().try_inverse().unwrap();
        let (x, lambda) = (&inverse * &target, -inverse.transpose() * &force);
        let mass = vec![0.0; n * n];
        let problem = Problem::new(&mass, jacobian.as_slice(), force.as_slice(), target.as_slice());
        for method in METHODS.into_iter().filter(|method| *method != METHODS[6]) {
            let (mut found, mut multipliers) = (DVector::zeros(n), DVector::zeros(n));
            let solved = Solver::new(method).solve(
                &problem,
                found.as_mut_slice(),
                multipliers.as_mut_slice(),
            );
            let report = match solved {
                Ok(report) => report,
                // Beyond its class: units that differ by more than 1e4.
                Err(_) if method == Method::Proximal => continue,
                Err(error) => panic!("{trial}, {method:?}: {error}"),
            };
            assert!(report.rank == n && report.residual <= 1e-9, "{method:?}: {report:?}");
            let wrong = ((&found - &x).amax(), (&multipliers - &lambda).amax());
            // What is solved beside rounds into both.
            let scale = 1e-9 * (inverse.amax() + 1.0);
            assert!(
                wrong.0 <= scale * target.amax() + 1e-12 * force.amax(),
                "{method:?}: {wrong:?}"
            );
            assert!(
                wrong.1 <= scale * force.amax() + 1e-12 * target.amax(),
                "{method:?}: {wrong:?}"
            );
        }
    }
}

/// More rows than coordinates: those that contradict one another are met as nearly as can be, and of the
/// multipliers that bear the force the smallest are found.
#[test]
fn redundant_rows_without_mass() {
    let jacobian = DMatrix::from_row_slice(3, 2, &[1.0, 0.0, 0.0, 2.0, 1.0, 2.0]);
    let (force, target) = ([3.0, -4.0], [1.0, 2.0, 6.0]);
    let problem = Problem::new(&[0.0; 4], jacobian.as_slice(), &force, &target);
    let pseudo = jacobian.clone().pseudo_inverse(1e-12).unwrap();
    let x = &pseudo * DVector::from_column_slice(&target);
    let lambda = -pseudo.transpose() * DVector::from_column_slice(&force);
    for method in [Method::Adaptive, Method::NullSpace, Method::Proximal, METHODS[4], METHODS[5]] {
        let (mut found, mut multipliers) = (DVector::zeros(2), DVector::zeros(3));
        let solved =
            Solver::new(method).solve(&problem, found.as_mut_slice(), multipliers.as_mut_slice());
        let report = solved.unwrap();
        assert!(report.rank == 2 && report.residual <= 1e-9, "{method:?}: {report:?}");
        let missed = (&jacobian * &x - DVector::from_column_slice(&target)).amax();
        assert!((report.violation - missed).abs() < 1e-9, "{method:?}: {report:?} {missed}");
        assert!((found - &x).amax() < 1e-9 && (multipliers - &lambda).amax() < 1e-9, "{method:?}");
    }
}

/// What no row holds and no mass slows would move without end.
#[test]
fn a_free_motion_without_mass_is_refused() {
    let jacobian = [1.0, 1.0, 0.0];
    let problem = Problem::new(&[0.0; 9], &jacobian, &[1.0, 2.0, 3.0], &[0.0]);
    for method in METHODS {
        let (mut x, mut lambda) = ([7.0; 3], [8.0]);
        let error = Solver::new(method).solve(&problem, &mut x, &mut lambda).unwrap_err();
        assert!(matches!(error, Error::SingularMass { .. }), "{method:?}: {error}");
        assert!(x == [7.0; 3] && lambda == [8.0]);
    }
}

/// Nothing acts and nothing is asked for: zeros, and a residual of zero, not of zero by zero.
#[test]
fn nothing_at_all() {
    let jacobian = [2.0, 0.0, 1.0, -1.0];
    let problem = Problem::new(&[0.0; 4], &jacobian, &[0.0; 2], &[0.0; 2]);
    for method in &METHODS[..6] {
        let (mut x, mut lambda) = ([7.0; 2], [8.0; 2]);
        let report = Solver::new(*method).solve(&problem, &mut x, &mut lambda).unwrap();
        assert!(report.residual == 0.0 && report.violation == 0.0, "{method:?}: {report:?}");
        assert!(x == [0.0; 2] && lambda == [0.0; 2], "{method:?}");
    }
}

/// One coordinate of many has mass, a row moves another by lever: what the force on the massless one does,
/// the mass feels.
#[test]
fn a_lever_without_mass() {
    for ratio in [1e-4, 1e-2, 1.0, 1e2, 1e4] {
        // x₁ = ratio x₀, so that m x₀ is moved by f₁ ratio.
        let (mass, jacobian) = ([3.0, 0.0, 0.0, 0.0], [ratio, -1.0]);
        let problem = Problem::new(&mass, &jacobian, &[0.0, 6.0], &[0.0]);
        for method in &METHODS[..6] {
            let (mut x, mut lambda) = ([0.0; 2], [0.0]);
            let solved = Solver::new(*method).solve(&problem, &mut x, &mut lambda);
            let report = match solved {
                Ok(report) => report,
                Err(_) if *method == Method::Proximal => continue,
                Err(error) => panic!("{method:?}, {ratio}: {error}"),
            };
            assert!(report.residual <= 1e-9, "{method:?}, {ratio}: {report:?}");
            let expected = 2.0 * ratio;
            assert!((x[0] - expected).abs() < 1e-8 * expected, "{method:?}, {ratio}: {x:?}");
            assert!((lambda[0] - 6.0).abs() < 1e-8, "{method:?}, {ratio}: {lambda:?}");
        }
    }
}
