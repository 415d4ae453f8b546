//! Every typed error, and that nothing is written then.

use jourdain::kkt::{Dense, Error, Method, Problem, Solver};

use crate::problems::{DENSE, Numbers, methods};

const MASS: [f64; 4] = [2.0, 1.0, 1.0, 2.0];

fn refused(method: Method, problem: &Problem<'_>) -> Error {
    let mut x = vec![7.0; problem.coordinates()];
    let mut lambda = vec![8.0; problem.rows()];
    let error = Solver::new(method).solve(problem, &mut x, &mut lambda).unwrap_err();
    assert!(x.iter().all(|&x| x == 7.0) && lambda.iter().all(|&x| x == 8.0), "{method:?}");
    error
}

#[test]
fn lengths() {
    let whole = Problem::new(&MASS, &[1.0, 0.0], &[0.0; 2], &[0.0]);
    let mut solver = Solver::default();
    let mut short = |problem: &Problem<'_>, x: &mut [f64], lambda: &mut [f64]| match solver
        .solve(problem, x, lambda)
        .unwrap_err()
    {
        Error::Length { what, length, expected } => (what, length, expected),
        other => panic!("{other}"),
    };
    assert_eq!(short(&whole, &mut [0.0; 3], &mut [0.0]), ("x", 3, 2));
    assert_eq!(short(&whole, &mut [0.0; 2], &mut []), ("lambda", 0, 1));
    let (x, lambda) = (&mut [0.0; 2], &mut [0.0]);
    let mass = Problem { mass: &MASS[1..], ..whole };
    assert_eq!(short(&mass, x, lambda), ("mass", 3, 4));
    let jacobian = Problem { jacobian: &[1.0], ..whole };
    assert_eq!(short(&jacobian, x, lambda), ("jacobian", 1, 2));
    let parents = whole.parents(&[None]);
    assert_eq!(short(&parents, x, lambda), ("parents", 1, 2));
    let matrices = solver.project(&whole, &mut [0.0; 2], &mut [0.0; 4]).unwrap_err();
    assert_eq!(matrices, Error::Length { what: "inertia", length: 2, expected: 1 });
    let matrices = solver.project(&whole, &mut [0.0], &mut [0.0; 3]).unwrap_err();
    assert_eq!(matrices, Error::Length { what: "projector", length: 3, expected: 4 });
}

#[test]
fn parents_come_first() {
    let problem = Problem::new(&MASS, &[], &[0.0; 2], &[]);
    let error = refused(Method::Adaptive, &problem.parents(&[None, Some(1)]));
    assert_eq!(error, Error::Parent { coordinate: 1 });
}

#[test]
fn numbers_that_are_none() {
    let whole = Problem::new(&MASS, &[1.0, 0.0], &[1.0; 2], &[0.0]);
    for method in methods() {
        for value in [f64::NAN, f64::INFINITY] {
            let mass = [2.0, 1.0, 1.0, value];
            let problems = [
                ("mass", 3, Problem { mass: &mass, ..whole }),
                ("jacobian", 1, Problem { jacobian: &[1.0, value], ..whole }),
                ("force", 0, Problem { force: &[value, 1.0], ..whole }),
                ("target", 0, Problem { target: &[value], ..whole }),
            ];
            for (what, index, problem) in problems {
                let accelerate = |f: &[f64], x: &mut [f64]| {
                    x.copy_from_slice(&[(2.0 * f[0] - f[1]) / 3.0, (2.0 * f[1] - f[0]) / 3.0]);
                };
                match refused(method, &problem.accelerate(&accelerate)) {
                    Error::NotFinite { what: found, index: at, .. } => {
                        assert_eq!((found, at), (what, index), "{method:?}");
                    }
                    other => panic!("{method:?}, {what}: {other}"),
                }
            }
        }
    }
}

#[test]
fn singular_masses() {
    // Coordinate 1 has no inertia, and the constraint moves coordinate 0 only.
    let free = Problem::new(&[1.0, 0.0, 0.0, 0.0], &[1.0, 0.0], &[1.0; 2], &[0.0]);
    let singular = Error::SingularMass { coordinate: 1 };
    for method in methods().into_iter().filter(|method| !matches!(method, Method::Articulated(_))) {
        assert_eq!(refused(method, &free), singular, "{method:?}");
    }
    // The constraint moves it, but methods that invert M do not admit that.
    let held = Problem { jacobian: &[0.0, 1.0], ..free };
    for dense in DENSE {
        assert_eq!(refused(Method::RangeSpace(dense), &held), singular);
    }
    assert_eq!(refused(Method::Direct(Dense::Cholesky), &held), singular);
    // Two coordinates of one inertia: the difference moves without.
    let shared = Problem::new(&[1.0, 1.0, 1.0, 1.0], &[], &[0.0; 2], &[]);
    for method in [Method::Adaptive, Method::NullSpace, Method::Direct(Dense::Svd)] {
        assert!(matches!(refused(method, &shared), Error::SingularMass { .. }), "{method:?}");
    }
}

#[test]
fn dependent_rows() {
    let jacobian = [1.0, 2.0, 0.5, 0.0, 0.0, 0.0];
    let accelerate = |f: &[f64], x: &mut [f64]| {
        x.copy_from_slice(&[(2.0 * f[0] - f[1]) / 3.0, (2.0 * f[1] - f[0]) / 3.0]);
    };
    let problem =
        Problem::new(&MASS, &jacobian, &[1.0; 2], &[1.0, 2.0, 0.5]).accelerate(&accelerate);
    for dense in [Dense::Lu, Dense::Cholesky] {
        for method in [Method::Direct(dense), Method::RangeSpace(dense), Method::Articulated(dense)]
        {
            let error = Error::RankDeficient { rank: 1, rows: 3 };
            assert_eq!(refused(method, &problem), error, "{method:?}");
        }
    }
}

/// Rows whose angle is 1e-7 are independent, but not for methods that square it.
#[test]
fn nearly_dependent_rows() {
    let jacobian = [1.0, 1.0, 0.0, 1e-7];
    let problem = Problem::new(&MASS, &jacobian, &[1.0; 2], &[1.0, 1.0]);
    for dense in [Dense::Lu, Dense::Cholesky] {
        let error = refused(Method::RangeSpace(dense), &problem);
        assert!(matches!(error, Error::RankDeficient { rank: 1, rows: 2 }), "{error}");
    }
    let solve = |solver: &mut Solver| {
        let (mut x, mut lambda) = ([0.0; 2], [0.0; 2]);
        solver.solve(&problem, &mut x, &mut lambda).map(|report| (report.rank, x))
    };
    let (rank, x) = solve(&mut Solver::default()).unwrap();
    assert!(rank == 2 && (x[0] - 1.0).abs() < 1e-12 && x[1].abs() < 1e-6, "{x:?}");
    let (rank, _) = solve(&mut Solver::default().rank_threshold(1e-6)).unwrap();
    assert_eq!(rank, 1);
}

#[test]
fn forward_dynamics_that_is_missing_or_fails() {
    let problem = Problem::new(&[], &[1.0, 0.0], &[1.0; 2], &[0.0]);
    for dense in DENSE {
        let method = Method::Articulated(dense);
        assert_eq!(refused(method, &problem), Error::NoForwardDynamics);
        let fails = |_: &[f64], x: &mut [f64]| x.fill(f64::INFINITY);
        let error = refused(method, &problem.accelerate(&fails));
        assert!(matches!(error, Error::NotFinite { what: "acceleration", index: 0, .. }));
    }
}

/// Forward dynamics that is not that of M.
#[test]
fn residuals_are_looked_at() {
    let doubled = |f: &[f64], x: &mut [f64]| x.copy_from_slice(&[f[0], f[1]]);
    let problem = Problem::new(&MASS, &[1.0, 0.0], &[1.0; 2], &[0.0]).accelerate(&doubled);
    let error = refused(Method::Articulated(Dense::Cholesky), &problem);
    assert!(matches!(error, Error::NotConverged { residual, .. } if residual > 1e-9), "{error}");
}

/// Numbers of any size, matrices that are no mass matrices: there is a solution of finite numbers, or an
/// error and nothing is written.
#[test]
fn garbage() {
    let mut solvers: Vec<Solver> = methods().into_iter().map(Solver::new).collect();
    for seed in 0..600 {
        let numbers = &mut Numbers(seed);
        let (n, m) = (numbers.below(6), numbers.below(8));
        let decades = [1.0, 20.0, 150.0, 300.0][numbers.below(4)];
        let mut value = || match numbers.below(8) {
            0 => 0.0,
            1 => 1.0,
            _ => numbers.next() * numbers.size(decades),
        };
        let mut values = |count: usize| (0..count).map(|_| value()).collect::<Vec<f64>>();
        let (mut mass, jacobian, force, target) =
            (values(n * n), values(m * n), values(n), values(m));
        if seed % 2 == 0 {
            (0..n * n).for_each(|k| mass[k] = mass[k % n * n + k / n]);
        }
        let wild = |f: &[f64], x: &mut [f64]| x.iter_mut().zip(f).for_each(|(x, f)| *x = -3.0 * f);
        let problem = Problem::new(&mass, &jacobian, &force, &target).accelerate(&wild);
        for solver in &mut solvers {
            let (mut x, mut lambda) = (vec![7.0; n], vec![8.0; m]);
            let found = solver.solve(&problem, &mut x, &mut lambda);
            let untouched = x.iter().all(|&x| x == 7.0) && lambda.iter().all(|&x| x == 8.0);
            let finite = x.iter().chain(&lambda).all(|x| x.is_finite());
            let method = solver.method();
            assert!(
                if found.is_ok() { finite } else { untouched },
                "{method:?}, {seed}: {found:?}"
            );
            let (mut inertia, mut projector) = (vec![7.0; m * m], vec![8.0; n * n]);
            let found = solver.project(&problem, &mut inertia, &mut projector);
            let untouched =
                inertia.iter().all(|&x| x == 7.0) && projector.iter().all(|&x| x == 8.0);
            assert!(found.is_ok() || untouched, "{method:?}, {seed}: {found:?}");
        }
    }
}
