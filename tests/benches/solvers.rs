//! Solvers of complementarity problems and quadratic programs, cold, on random positive definite problems:
//! `cargo bench --package jourdain-tests --bench solvers`, and `-- 'Lemke'` for one.
//!
//! Half of the variables are positive in the solution. M = A Aᵀ + ¹⁄₁₀, A and q from −1 to 1.

#[path = "common/quick.rs"]
mod quick;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fastrand::Rng;
use jourdain::lcp::boxed::Problem;
use jourdain::lcp::{dantzig, gauss_seidel, lemke, newton};
use jourdain::qp::{self, dual_active_set};

use quick::quick;

const SIZES: [usize; 3] = [24, 100, 200];
/// Problems of each size.
const PROBLEMS: usize = 8;

struct Numbers {
    m: Vec<f64>,
    q: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    unit: Vec<f64>,
}

impl Numbers {
    fn new(n: usize, rng: &mut Rng) -> Self {
        let mut number = || 2.0 * rng.f64() - 1.0;
        let a: Vec<f64> = (0..n * n).map(|_| number()).collect();
        let product = |i: usize, j: usize| (0..n).map(|k| a[k * n + i] * a[k * n + j]).sum::<f64>();
        let own = |e: usize| f64::from(e.is_multiple_of(n + 1));
        Self {
            m: (0..n * n).map(|e| product(e % n, e / n) + 0.1 * own(e)).collect(),
            q: (0..n).map(|_| number()).collect(),
            lo: vec![0.0; n],
            hi: vec![f64::INFINITY; n],
            unit: (0..n * n).map(own).collect(),
        }
    }

    fn boxed(&self) -> Problem<'_> {
        Problem { a: &self.m, b: &self.q, lo: &self.lo, hi: &self.hi }
    }

    /// The minimum of ½ zᵀ M z + qᵀ z for z ≥ 0, with −q as force.
    fn program<'a>(&'a self, force: &'a [f64]) -> qp::Problem<'a> {
        qp::Problem {
            hessian: qp::Hessian::Matrix(&self.m),
            force,
            inequalities: &self.unit,
            bounds: &self.lo,
            equations: &[],
            values: &[],
        }
    }
}

/// Measures `solve` on one problem after the other.
fn bench(criterion: &mut Criterion, name: &str, n: usize, mut solve: impl FnMut(&Numbers) -> bool) {
    let mut rng = Rng::with_seed(1);
    let problems: Vec<Numbers> = (0..PROBLEMS).map(|_| Numbers::new(n, &mut rng)).collect();
    assert!(problems.iter().all(&mut solve), "{name} solves them");
    let mut next = problems.iter().cycle();
    criterion.bench_function(&format!("{name}/{n}"), |bencher| {
        bencher.iter(|| Some(black_box(solve(next.next()?))));
    });
}

fn solvers(criterion: &mut Criterion) {
    for n in SIZES {
        let mut room = lemke::Workspace::with_capacity(n);
        bench(criterion, "Lemke", n, |p| lemke::solve(&p.m, &p.q, &mut room).is_ok());
        let mut room = dantzig::Workspace::with_capacity(n);
        bench(criterion, "Dantzig", n, |p| dantzig::solve(&p.boxed(), &mut room).is_ok());
        let mut room = newton::Workspace::with_capacity(n);
        bench(criterion, "Newton-min", n, |p| newton::solve(&p.boxed(), &mut room).is_ok());
        let mut room =
            newton::Workspace::with_capacity(n).equation(newton::Equation::FischerBurmeister);
        bench(criterion, "Fischer-Burmeister", n, |p| newton::solve(&p.boxed(), &mut room).is_ok());
        // A hundred sweeps, wherever they lead.
        let mut room = gauss_seidel::Workspace::with_capacity(n).max_sweeps(100);
        bench(
            criterion,
            "Gauss-Seidel, 100 sweeps",
            n,
            |p| !matches!(gauss_seidel::solve(&p.boxed(), &mut room), Ok(s) if s.pivots > 100),
        );
        let mut room = dual_active_set::Workspace::with_capacity(n, n);
        let mut force = Vec::with_capacity(n);
        bench(criterion, "Goldfarb-Idnani", n, |p| {
            force.clear();
            force.extend(p.q.iter().map(|q| -q));
            dual_active_set::solve(&p.program(&force), &mut room).is_ok()
        });
    }
}

criterion_group! {
    name = benches;
    config = quick();
    targets = solvers
}
criterion_main!(benches);
