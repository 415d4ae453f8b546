//! Quadratic programs: known answers, and the conditions of optimality of random ones.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

use fastrand::Rng;
use jourdain::lcp::{boxed, dantzig};
use jourdain::qp::dual_active_set::{Workspace, resume, solve};
use jourdain::qp::{Error, Hessian, Problem, farkas, quality};
use nalgebra::{DMatrix, DVector};

#[derive(Clone, Debug)]
struct Owned {
    hessian: Vec<f64>,
    force: Vec<f64>,
    inequalities: Vec<f64>,
    bounds: Vec<f64>,
    equations: Vec<f64>,
    values: Vec<f64>,
}

impl Owned {
    fn problem(&self) -> Problem<'_> {
        Problem {
            hessian: Hessian::Matrix(&self.hessian),
            force: &self.force,
            inequalities: &self.inequalities,
            bounds: &self.bounds,
            equations: &self.equations,
            values: &self.values,
        }
    }
}

fn number(rng: &mut Rng) -> f64 {
    2.0 * rng.f64() - 1.0
}

/// Rows of which some repeat others or are sums of them, (rows, n) column by column.
fn rows(rng: &mut Rng, count: usize, n: usize) -> Vec<f64> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for k in 0..count {
        rows.push(match rng.usize(0..5) {
            0 if k > 0 => rows[rng.usize(0..k)].clone(),
            1 if k > 1 => {
                let (one, other) = (&rows[rng.usize(0..k)], &rows[rng.usize(0..k)]);
                one.iter().zip(other).map(|(x, y)| x + y).collect()
            }
            _ => (0..n).map(|_| number(rng)).collect(),
        });
    }
    (0..n).flat_map(|i| rows.iter().map(move |row| row[i])).collect()
}

/// Inertias that differ by up to 10⁶. A point satisfies the constraints, some of them as equations, if
/// `offset` is zero.
fn random(rng: &mut Rng, offset: f64) -> Owned {
    let n = rng.usize(1..=12);
    let (m, p) = (rng.usize(0..=14), rng.usize(0..=4));
    let unit: Vec<f64> = (0..n).map(|_| 10f64.powf(1.5 * number(rng))).collect();
    let root: Vec<f64> = (0..n * n).map(|_| number(rng)).collect();
    let h = |i: usize, j: usize| {
        let own = if i == j { 0.1 } else { 0.0 };
        unit[i] * unit[j] * (own + (0..n).map(|k| root[k * n + i] * root[k * n + j]).sum::<f64>())
    };
    let hessian = (0..n * n).map(|e| h(e % n, e / n)).collect();
    let (inequalities, equations) = (rows(rng, m, n), rows(rng, p, n));
    let point: Vec<f64> = (0..n).map(|_| number(rng)).collect();
    let at =
        |a: &[f64], rows: usize, k: usize| (0..n).map(|i| a[i * rows + k] * point[i]).sum::<f64>();
    let bounds = (0..m).map(|k| {
        let slack = if rng.bool() { 0.0 } else { rng.f64() };
        at(&inequalities, m, k) - slack + offset * rng.f64()
    });
    let bounds = bounds.collect();
    let values = (0..p).map(|k| at(&equations, p, k) + offset * number(rng)).collect();
    let force = (0..n).map(|i| 3.0 * unit[i] * number(rng)).collect();
    Owned { hessian, force, inequalities, bounds, equations, values }
}

#[test]
fn conditions_of_optimality_hold() {
    let mut rng = Rng::with_seed(1);
    let mut workspace = Workspace::default();
    for case in 0..1000 {
        let owned = random(&mut rng, 0.0);
        let problem = owned.problem();
        let solution = solve(&problem, &mut workspace).unwrap_or_else(|e| panic!("{case}: {e}"));
        let (x, lambda) = (solution.x, solution.inequality_multipliers);
        let found = quality(&problem, x, lambda, solution.equation_multipliers);
        assert_eq!(found, solution.quality);
        let size = owned.force.iter().fold(1.0, |most: f64, f| most.max(f.abs()));
        assert!(found.violation <= 1e-9, "{case}: {found:?}");
        assert!(found.stationarity <= 1e-9 * size, "{case}: {found:?}");
        assert!(found.gap.abs() <= 1e-8 * size && found.sign <= 0.0, "{case}: {found:?}");
        // Warm, it takes no step at all.
        let (x, again) = (x.to_vec(), resume(&problem, &mut workspace).unwrap());
        assert!(again.pivots <= 2, "{case}: {} pivots", again.pivots);
        let moved = x.iter().zip(again.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(moved <= 1e-8, "{case}: {moved:e}");
    }
}

#[test]
fn contradictions_are_refused_with_a_proof() {
    let mut rng = Rng::with_seed(2);
    let mut workspace = Workspace::default();
    let mut refused = 0;
    for case in 0..1000 {
        let owned = random(&mut rng, 1.0);
        let problem = owned.problem();
        match solve(&problem, &mut workspace) {
            Ok(solution) => assert!(solution.quality.violation <= 1e-6, "{case}: {solution:?}"),
            Err(Error::Infeasible { y, z, .. }) => {
                refused += 1;
                let shown = farkas(&problem, &y, &z);
                assert!(shown >= 1e6, "{case}: {shown:e}");
            }
            Err(error) => panic!("{case}: {error}"),
        }
    }
    assert!(refused > 100 && refused < 900, "{refused}");
}

/// The multipliers solve the boxed problem A = C H⁻¹ Cᵀ, b = C H⁻¹ f − d.
#[test]
fn dual_problem_has_the_same_motion() {
    let mut rng = Rng::with_seed(3);
    let mut workspace = Workspace::default();
    for case in 0..300 {
        let owned = random(&mut rng, 0.0);
        let (n, m, p) = (owned.force.len(), owned.bounds.len(), owned.values.len());
        let h = DMatrix::from_column_slice(n, n, &owned.hessian).cholesky().unwrap();
        let mut c = DMatrix::zeros(m + p, n);
        c.rows_mut(0, m).copy_from_slice(&owned.inequalities);
        c.rows_mut(m, p).copy_from_slice(&owned.equations);
        let d = DVector::from_iterator(m + p, owned.bounds.iter().chain(&owned.values).copied());
        let free = h.solve(&DVector::from_column_slice(&owned.force));
        let a = &c * h.solve(&c.transpose());
        let b = &c * &free - d;
        let lo: Vec<f64> = (0..m + p).map(|k| if k < m { 0.0 } else { -f64::INFINITY }).collect();
        let hi = vec![f64::INFINITY; m + p];
        let dual = boxed::Problem { a: a.as_slice(), b: b.as_slice(), lo: &lo, hi: &hi };
        let mut pivoting = dantzig::Workspace::default();
        let lambda = dantzig::solve(&dual, &mut pivoting).unwrap().z;
        let expected = free + h.solve(&(c.transpose() * DVector::from_column_slice(lambda)));
        let x = solve(&owned.problem(), &mut workspace).unwrap().x;
        let error = expected.iter().zip(x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error <= 1e-6, "{case}: {error:e}");
    }
}

#[test]
fn factor_and_matrix_are_one_problem() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..100 {
        let owned = random(&mut rng, 0.0);
        let n = owned.force.len();
        let factor = DMatrix::from_column_slice(n, n, &owned.hessian).cholesky().unwrap().l();
        let given = Problem { hessian: Hessian::Cholesky(factor.as_slice()), ..owned.problem() };
        let (mut one, mut other) = (Workspace::default(), Workspace::default());
        let x = solve(&owned.problem(), &mut one).unwrap().x;
        let y = solve(&given, &mut other).unwrap();
        assert!(y.quality.stationarity <= 1e-8, "{:?}", y.quality);
        assert!(x.iter().zip(y.x).all(|(a, b)| (a - b).abs() <= 1e-8));
    }
}

#[test]
fn small_cases() {
    let none = Problem {
        hessian: Hessian::Matrix(&[]),
        force: &[],
        inequalities: &[],
        bounds: &[],
        equations: &[],
        values: &[],
    };
    assert!(solve(&none, &mut Workspace::default()).unwrap().x.is_empty());
    // 0 ≥ −1 says nothing, 0 ≥ 1 nothing that could be.
    let zero = Problem { inequalities: &[], bounds: &[-1.0], ..none };
    assert!(solve(&zero, &mut Workspace::default()).is_ok());
    let error = solve(&Problem { bounds: &[1.0], ..zero }, &mut Workspace::default()).unwrap_err();
    assert!(matches!(&error, Error::Infeasible { y, .. } if y == &[1.0]), "{error}");
}

#[test]
fn bad_input_is_named() {
    let good = Problem {
        hessian: Hessian::Matrix(&[1.0]),
        force: &[1.0],
        inequalities: &[1.0],
        bounds: &[0.0],
        equations: &[],
        values: &[],
    };
    let error = |problem: Problem<'_>| solve(&problem, &mut Workspace::default()).unwrap_err();
    assert_eq!(
        error(Problem { inequalities: &[], ..good }),
        Error::Length { what: "inequalities", length: 0, expected: 1 }
    );
    assert!(matches!(
        error(Problem { force: &[f64::NAN], ..good }),
        Error::NotFinite { what: "force", index: 0, .. }
    ));
    for hessian in [Hessian::Matrix(&[-1.0]), Hessian::Cholesky(&[-1.0])] {
        assert_eq!(
            error(Problem { hessian, ..good }),
            Error::NotPositiveDefinite { column: 0, pivot: -1.0 }
        );
    }
}

#[cfg(feature = "clarabel")]
mod second_opinion {
    use jourdain::qp::clarabel;

    use super::*;

    #[test]
    fn it_is_the_same() {
        let mut rng = Rng::with_seed(5);
        let mut counts = [0; 2];
        for case in 0..200 {
            let owned = random(&mut rng, if case % 2 == 0 { 0.0 } else { 1.0 });
            let problem = owned.problem();
            let mut workspace = Workspace::default();
            match (solve(&problem, &mut workspace), clarabel::solve(&problem)) {
                (Ok(ours), Ok(theirs)) => {
                    counts[0] += 1;
                    let apart = |(a, b): (&f64, &f64)| (a - b).abs() / b.abs().max(1.0);
                    let error = ours.x.iter().zip(&theirs.x).map(apart).fold(0.0, f64::max);
                    assert!(error <= 1e-3, "{case}: {error:e}");
                }
                (Err(Error::Infeasible { .. }), Err(Error::Infeasible { .. })) => counts[1] += 1,
                (ours, theirs) => {
                    // Where constraints nearly contradict one another, it gives up.
                    let gave_up = matches!(theirs, Err(Error::Unsolved { .. }));
                    assert!(gave_up, "{case}: {ours:?} {theirs:?}");
                }
            }
        }
        assert!(counts[0] > 90 && counts[1] > 10, "{counts:?}");
    }
}

/// In any units of x, of the objective and of the constraints solutions are the same.
#[test]
fn any_units_are_as_good() {
    let mut rng = Rng::with_seed(11);
    let mut workspace = Workspace::default();
    for _ in 0..20 {
        let of = random(&mut rng, 0.0);
        let expected = solve(&of.problem(), &mut workspace).unwrap().x.to_vec();
        let size = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for of_x in (-150..=150).step_by(10) {
            for [of_h, of_c] in [[0, 0], [-100, 0], [100, 0], [0, -150], [0, 150], [60, -60]] {
                let [x, h, c] = [of_x, of_h, of_c].map(|k| 10_f64.powi(k));
                let by = |all: &[f64], by: f64| all.iter().map(|a| a * by).collect::<Vec<_>>();
                let scaled = Owned {
                    hessian: by(&of.hessian, h),
                    force: by(&of.force, h * x),
                    inequalities: by(&of.inequalities, c),
                    bounds: by(&of.bounds, c * x),
                    equations: by(&of.equations, c),
                    values: by(&of.values, c * x),
                };
                // The objective is of the size of h x².
                if ![h * x, c * x, h * x * x].iter().all(|size| size.is_normal()) {
                    continue;
                }
                let found = solve(&scaled.problem(), &mut workspace);
                let found = found.unwrap_or_else(|e| panic!("1e{of_x}, 1e{of_h}, 1e{of_c}: {e}"));
                let error = found.x.iter().zip(&expected).map(|(a, b)| (a / x - b).abs());
                let error = error.fold(0.0, f64::max);
                assert!(
                    error <= 1e-6 * size,
                    "1e{of_x}, 1e{of_h}, 1e{of_c}: {error:e} of {size:e}"
                );
            }
        }
    }
}
