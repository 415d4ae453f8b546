//! The solvers of boxed problems, one like another.

use jourdain::lcp::boxed::{Problem, farkas, residual};
use jourdain::lcp::{Error, dantzig, gauss_seidel, newton};

/// A solver that starts without foreknowledge in a workspace of its own.
pub(crate) struct Solver {
    pub(crate) name: &'static str,
    pub(crate) solve: fn(&Problem<'_>) -> Result<Vec<f64>, Error>,
}

macro_rules! solver {
    ($name:literal, $module:ident, $workspace:expr) => {
        Solver {
            name: $name,
            solve: |problem| {
                let mut workspace = $workspace;
                $module::solve(problem, &mut workspace).map(|solution| {
                    let recomputed = residual(problem, solution.z);
                    assert_eq!(solution.residual.to_bits(), recomputed.to_bits());
                    solution.z.to_vec()
                })
            },
        }
    };
}

/// All solvers that solve, or refuse with a proof, every positive semidefinite problem.
pub(crate) const EXACT: [Solver; 1] = [solver!("Dantzig", dantzig, dantzig::Workspace::default())];

/// All that step towards a solution.
pub(crate) const ITERATIVE: [Solver; 4] = [
    solver!("Newton-min", newton, newton::Workspace::default()),
    solver!(
        "Fischer-Burmeister",
        newton,
        newton::Workspace::default().equation(newton::Equation::FischerBurmeister)
    ),
    solver!(
        "Gauss-Seidel",
        gauss_seidel,
        gauss_seidel::Workspace::default().max_sweeps(1000).tolerance(2e-10)
    ),
    solver!(
        "over-relaxed",
        gauss_seidel,
        gauss_seidel::Workspace::default().max_sweeps(1000).relaxation(1.5).tolerance(2e-10)
    ),
];

/// The natural residual in units in which the diagonal of A and the largest entry of b are one, relative to
/// the largest number that bounds bring along.
pub(crate) fn scaled_residual(problem: &Problem<'_>, z: &[f64]) -> f64 {
    let n = z.len();
    let d: Vec<f64> = (0..n)
        .map(|i| match problem.a[i * n + i] {
            x if x > 0.0 => 1.0 / x.sqrt(),
            _ => 1.0,
        })
        .collect();
    let b: Vec<f64> = problem.b.iter().zip(&d).map(|(b, d)| b * d).collect();
    let rest = (0..n).map(|i| 0f64.max(problem.lo[i]).min(problem.hi[i]).abs() / d[i]);
    let s = b.iter().map(|b| b.abs()).chain(rest).fold(0.0, f64::max);
    let s = if s > 0.0 { s } else { 1.0 };
    let a: Vec<f64> = (0..n * n).map(|e| problem.a[e] * d[e % n] * d[e / n]).collect();
    let b: Vec<f64> = b.iter().map(|b| b / s).collect();
    let over = |x: &[f64]| x.iter().zip(&d).map(|(x, d)| x / (s * d)).collect::<Vec<f64>>();
    let at_bound = |i: &usize| z[*i] == problem.lo[*i] || z[*i] == problem.hi[*i];
    let held: Vec<usize> = (0..n).filter(at_bound).collect();
    let (lo, hi, z) = (over(problem.lo), over(problem.hi), over(z));
    let bounds = held.iter().map(|&i| z[i].abs());
    let scale = bounds.fold(1.0, f64::max);
    // Where prescribed velocities nearly contradict one another, λ is large, and w rounded.
    let rounding = 1e-5 * z.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
    residual(&Problem { a: &a, b: &b, lo: &lo, hi: &hi }, &z) / scale.max(rounding.min(1e3))
}

/// Whether the solver is right: a solution has no residual, and what is refused a proof.
pub(crate) fn assert_right(solver: &Solver, problem: &Problem<'_>, what: &str) -> bool {
    let name = solver.name;
    match (solver.solve)(problem) {
        Ok(z) => {
            let left_over = scaled_residual(problem, &z);
            assert!(
                left_over <= 1e-9,
                "{name}, {what}: residual {left_over:e}\n{problem:?}\n{z:?}"
            );
            for (i, x) in z.iter().enumerate() {
                assert!(*x >= problem.lo[i] && *x <= problem.hi[i], "{name}, {what}: {x}");
            }
            true
        }
        Err(Error::Infeasible { y, .. }) => {
            let shown = farkas(problem, &y);
            assert!(shown >= 1e6, "{name}, {what}: {y:?} shows {shown:e} of {problem:?}");
            false
        }
        Err(error) => panic!("{name}, {what}: {error}\n{problem:?}"),
    }
}
