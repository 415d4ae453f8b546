//! What the solution is where rows depend on one another or contradict one another.

use jourdain::kkt::{Method, Problem, Solver};
use nalgebra::{DMatrix, DVector};

use crate::problems::{Case, methods, pseudo_inverse};

/// λ = A⁺ (g − J M⁻¹ f), with A⁺ by eigenvalues, for M that has an inverse.
#[test]
fn multipliers_are_those_of_moore_and_penrose() {
    let mut solver = Solver::new(Method::Adaptive);
    let mut deficient = 0;
    for seed in 0..400 {
        let case = Case::contradictory(seed);
        let Some(rank) = case.rank() else { continue };
        let Some(inverse) = case.mass.clone().try_inverse().filter(|_| case.massless.is_empty())
        else {
            continue;
        };
        let delassus = &case.jacobian * &inverse * case.jacobian.transpose();
        let delassus = 0.5 * (&delassus + delassus.transpose());
        let (pseudo, condition) = pseudo_inverse(&delassus, rank);
        if condition > 1e7 {
            continue;
        }
        let expected = pseudo * (&case.target - &case.jacobian * &inverse * &case.force);
        let (_, lambda) = solved(&mut solver, &case.problem());
        let wrong = (lambda - &expected).norm();
        assert!(wrong < 1e-13 * condition * (1.0 + expected.norm()), "seed {seed}: {wrong:e}");
        deficient += usize::from(rank < case.target.len());
    }
    assert!(deficient > 50);
}

pub(crate) fn solved(solver: &mut Solver, problem: &Problem<'_>) -> (DVector<f64>, DVector<f64>) {
    let mut x = DVector::zeros(problem.coordinates());
    let mut lambda = DVector::zeros(problem.rows());
    let report = solver.solve(problem, x.as_mut_slice(), lambda.as_mut_slice()).unwrap();
    let missed =
        DMatrix::from_column_slice(problem.rows(), problem.coordinates(), problem.jacobian) * &x
            - DVector::from_column_slice(problem.target);
    assert!((report.violation - missed.amax()).abs() < 1e-12 * (1.0 + x.norm()));
    (x, lambda)
}

/// Two rows in metres that want different accelerations of one coordinate, the second with twice the
/// coefficient: (1, 2) x nearest to (3, 1) is x = 1, and λ ∝ (1, 2).
#[test]
fn contradictions_are_settled_in_the_units_of_the_rows() {
    let (mass, jacobian) = ([2.0, 0.0, 0.0, 1.0], [1.0, 2.0, 0.0, 0.0]);
    let problem = Problem::new(&mass, &jacobian, &[7.0, 5.0], &[3.0, 1.0]);
    for method in methods().into_iter().filter(|method| takes_singular(*method)) {
        let (x, lambda) = solved(&mut Solver::new(method), &problem);
        assert!((x - DVector::from_vec(vec![1.0, 5.0])).norm() < 1e-13, "{method:?}");
        assert!((lambda - DVector::from_vec(vec![-1.0, -2.0])).norm() < 1e-13, "{method:?}");
    }
}

fn takes_singular(method: Method) -> bool {
    use jourdain::kkt::Dense::{PivotedQr, Svd};
    match method {
        Method::Adaptive | Method::NullSpace | Method::Proximal => true,
        Method::Direct(dense) | Method::RangeSpace(dense) => matches!(dense, PivotedQr | Svd),
        _ => false,
    }
}

/// Rows of 1e-8 and 1e8, and one of zeros, are as independent as rows of 1.
#[test]
fn rank_does_not_depend_on_the_units_of_rows() {
    let mass = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 2.0, 3.0, 4.0]));
    let rows = [[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0], [0.0, 0.0, 0.0, 0.0]];
    let sizes = [1e8, 1e-8, 1.0];
    let jacobian = DMatrix::from_fn(3, 4, |i, j| sizes[i] * rows[i][j]);
    let target = [1e8, 2e-8, 0.0];
    let problem =
        Problem::new(mass.as_slice(), jacobian.as_slice(), &[1.0, 0.0, 0.0, 1.0], &target);
    let expected = {
        let jacobian = DMatrix::from_fn(3, 4, |i, j| rows[i][j]);
        let problem =
            Problem { jacobian: jacobian.as_slice(), target: &[1.0, 2.0, 0.0], ..problem };
        solved(&mut Solver::default(), &problem).0
    };
    for method in methods().into_iter().filter(|method| takes_singular(*method)) {
        let (mut x, mut lambda) = ([0.0; 4], [0.0; 3]);
        let report = Solver::new(method).solve(&problem, &mut x, &mut lambda).unwrap();
        assert_eq!(report.rank, 2, "{method:?}");
        let wrong = (DVector::from_column_slice(&x) - &expected).norm();
        assert!(wrong < 1e-12 && lambda[2] == 0.0, "{method:?}: {wrong:e} {lambda:?}");
    }
}

/// A row that is much smaller than another may have other units: it counts, unless it is given as zeros.
#[test]
fn small_rows_count() {
    let mass = [1.0, 0.0, 0.0, 1.0];
    for (small, rank) in [(1e-6, 2), (6e-17, 2), (1e-300, 2), (0.0, 1)] {
        let jacobian = [1.0, 0.0, 0.0, small];
        let problem = Problem::new(&mass, &jacobian, &[1.0, 1.0], &[0.0, 0.0]);
        for method in [Method::Adaptive, Method::NullSpace] {
            let (mut x, mut lambda) = ([0.0; 2], [0.0; 2]);
            let report = Solver::new(method).solve(&problem, &mut x, &mut lambda).unwrap();
            assert_eq!(report.rank, rank, "{method:?}, {small:e}");
            assert!(
                (x[1] - f64::from(2 - rank as u8)).abs() < 1e-12,
                "{method:?}, {small:e}: {x:?}"
            );
        }
    }
}

/// A heavy and a light body, tied by a rod or free, from 1e-8 to 1e8 kg.
#[test]
fn masses_of_all_sizes() {
    for method in methods().into_iter().filter(|method| !matches!(method, Method::Articulated(_))) {
        for exponent in -8..=8 {
            let light = f64::powi(10.0, exponent);
            let mass = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, light, 2.0]));
            let jacobian = [1.0, -1.0, 0.0];
            let problem = Problem::new(mass.as_slice(), &jacobian, &[1.0, 0.5, 3.0], &[0.0]);
            let (mut x, mut lambda) = ([0.0; 3], [0.0]);
            let found = Solver::new(method).solve(&problem, &mut x, &mut lambda);
            found.unwrap_or_else(|error| panic!("{method:?}, {light:e}: {error}"));
            let together = 1.5 / (1.0 + light);
            let tension = together - 1.0;
            let wrong = (x[0] - together).abs().max((x[1] - together).abs());
            // A unit in the last place of the tension moves the bodies by so much.
            let least = 1e-15 * (1.0 + 1.0 / light);
            assert!(
                wrong < 1e-9 * together + least && (x[2] - 1.5).abs() < 1e-12,
                "{method:?}, {light:e}"
            );
            assert!((lambda[0] - tension).abs() < 1e-9, "{method:?}, {light:e}: {lambda:?}");
        }
    }
}

#[test]
fn nothing_to_constrain_and_nothing_to_move() {
    for method in methods().into_iter().filter(|method| !matches!(method, Method::Articulated(_))) {
        let mut solver = Solver::new(method);
        let mut x = [0.0];
        let free = Problem::new(&[2.0], &[], &[3.0], &[]);
        let report = solver.solve(&free, &mut x, &mut []).unwrap();
        assert!(
            (x[0] - 1.5).abs() < 1e-15 && report.rank == 0 && report.condition == 1.0,
            "{method:?}: {x:?}"
        );
        solver.solve(&Problem::new(&[], &[], &[], &[]), &mut [], &mut []).unwrap();
    }
    // Rows of no coordinates: the best that they can have is zero.
    let mut lambda = [7.0; 2];
    let stuck = Problem::new(&[], &[], &[], &[1.0, -3.0]);
    let report = Solver::default().solve(&stuck, &mut [], &mut lambda).unwrap();
    assert!(lambda == [0.0; 2] && report.rank == 0 && report.violation == 3.0);
}
