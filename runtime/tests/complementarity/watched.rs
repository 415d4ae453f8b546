//! Each solver stops when it is told to, and returns what it has found by then.

use core::ops::ControlFlow;

use jourdain::lcp::{self, Error, Solution, boxed::Problem, dantzig, gauss_seidel, lemke, newton};
use jourdain::qp::{self, Hessian};
use jourdain::watch::{Progress, Watch};

/// A positive definite matrix, and impulses that many pairs have.
fn coupled(n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut random = fastrand::Rng::with_seed(n as u64);
    let factor: Vec<f64> = (0..n * n).map(|_| random.f64() - 0.5).collect();
    let row = |i: usize| &factor[i * n..][..n];
    let product = |i: usize, j: usize| row(i).iter().zip(row(j)).map(|(x, y)| x * y).sum::<f64>();
    let unit = |i: usize, j: usize| if i == j { 0.1 } else { 0.0 };
    let m = (0..n * n).map(|k| product(k % n, k / n) + unit(k % n, k / n)).collect();
    (m, (0..n).map(|i| 0.3 - (i % 3) as f64).collect())
}

fn stopped_after(
    last: usize,
    solve: impl FnOnce(&mut Watch<'_>) -> Result<Vec<f64>, Error>,
) -> (Vec<f64>, f64, usize) {
    let mut reports = Vec::new();
    let mut watch = |progress: &Progress| {
        reports.push(progress.iterations);
        if progress.iterations < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let found = solve(&mut watch);
    assert!(reports.iter().enumerate().all(|(k, done)| *done == k), "{reports:?}");
    assert_eq!(reports.len(), last + 1, "asked on after it was told to stop");
    match found {
        Err(Error::Stopped { z, residual, pivots }) => (z, residual, pivots),
        other => panic!("{other:?}"),
    }
}

fn owned(found: Result<Solution<'_>, Error>) -> Result<Vec<f64>, Error> {
    found.map(|solution| solution.z.to_vec())
}

#[test]
fn every_solver_stops() {
    let (m, q) = coupled(14);
    let (lo, hi) = (vec![0.0; 14], vec![f64::INFINITY; 14]);
    let problem = Problem { a: &m, b: &q, lo: &lo, hi: &hi };
    for last in [0, 1, 2, 3] {
        let by = [
            stopped_after(last, |watch| {
                owned(lemke::resume_watched(&m, &q, &mut lemke::Workspace::default(), watch))
            }),
            stopped_after(last, |watch| {
                let mut workspace = dantzig::Workspace::default();
                owned(dantzig::resume_watched(&problem, &mut workspace, watch))
            }),
            stopped_after(last, |watch| {
                let mut workspace =
                    newton::Workspace::default().equation(newton::Equation::FischerBurmeister);
                owned(newton::resume_watched(&problem, &mut workspace, watch))
            }),
            stopped_after(last, |watch| {
                let mut workspace = gauss_seidel::Workspace::default().relaxation(0.5);
                owned(gauss_seidel::resume_watched(&problem, &mut workspace, watch))
            }),
            stopped_after(last, |watch| {
                owned(lcp::resume_watched(&m, &q, &mut lcp::Workspace::default(), watch))
            }),
            stopped_after(last, |watch| {
                owned(lcp::resume_boxed_watched(&problem, &mut lcp::Workspace::default(), watch))
            }),
        ];
        for (k, (z, residual, _)) in by.iter().enumerate() {
            assert_eq!(lcp::residual(&m, &q, z), *residual, "{k}");
            assert!(residual.is_finite() && *residual > 0.0, "{k}: {residual}");
        }
    }
}

/// The policy goes on to no further solver, also where the first one had come to its end.
#[test]
fn a_policy_stops_in_any_of_its_solvers() {
    let (m, q) = coupled(60);
    let mut workspace = lcp::Workspace::default().policy(&[
        lcp::Attempt { method: lcp::Method::Lemke, pivots_per_pair: 0 },
        lcp::Attempt { method: lcp::Method::Dantzig, pivots_per_pair: 0 },
    ]);
    let (z, residual, _) =
        stopped_after(30, |watch| owned(lcp::resume_watched(&m, &q, &mut workspace, watch)));
    assert_eq!(lcp::residual(&m, &q, &z), residual);
}

#[test]
fn a_quadratic_program_stops() {
    let n = 6;
    let mut unit = vec![0.0; n * n];
    unit.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
    let problem = qp::Problem {
        hessian: Hessian::Matrix(&unit),
        force: &vec![0.0; n],
        inequalities: &unit,
        bounds: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        equations: &[],
        values: &[],
    };
    for last in 0..n {
        let mut violations = Vec::new();
        let mut watch = |progress: &Progress| {
            violations.push(progress.residual);
            if progress.iterations < last {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let mut workspace = qp::Workspace::default();
        let stopped = qp::resume_watched(&problem, &mut workspace, &mut watch);
        match stopped {
            Err(qp::Error::Stopped { quality, pivots, x }) => {
                assert_eq!((pivots, x.len()), (last, n));
                assert_eq!(quality.violation, 6.0 - last as f64);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(violations.last().copied(), Some(6.0 - last as f64));
    }
}
