//! Problems without a solution are proved to have none, wherever no z has the signs that are asked for.

use jourdain::lcp::{self, Error, boxed, boxed::Problem, dantzig, lemke};

type Matrix3 = [[f64; 3]; 3];

/// Column by column, with rows and columns in another order and other units.
fn arranged(m: &Matrix3, q: [f64; 3], order: [usize; 3], unit: [f64; 3]) -> (Vec<f64>, Vec<f64>) {
    let entry = |j: usize, i: usize| m[order[i]][order[j]] * unit[i] * unit[j];
    let m = (0..3).flat_map(|j| (0..3).map(move |i| entry(j, i))).collect();
    (m, (0..3).map(|i| q[order[i]] * unit[i]).collect())
}

fn proof(found: Result<lcp::Solution<'_>, Error>) -> Vec<f64> {
    match found {
        Err(Error::Infeasible { y, .. }) => y,
        other => panic!("{other:?}"),
    }
}

/// The vector of Farkas is a unit vector, or the sum of two or three. Units that make entries of q 10⁹ times smaller than others
/// would make this a problem that is solved within the tolerance.
#[test]
fn whatever_the_order_and_the_units() {
    let cases: [(Matrix3, [f64; 3]); 4] = [
        ([[0.0, -1.0, -1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], [-1e-4, -1.0, 1.0]),
        ([[0.0, -1.0, -1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [-1e-4, -1.0, -2.0]),
        // Only the sum of the first two rows: −3 z₃ − 1e-4 and z₁ − z₂ with its opposite.
        ([[1.0, -1.0, -1.0], [-1.0, 1.0, -2.0], [3.0, 0.0, 0.0]], [-1.0, 0.9, -1.0]),
        ([[0.0, 2.0, -1.0], [-1.0, 0.0, 2.0], [2.0, -5.0, -3.0]], [-1.0, -1.0, -2.0]),
    ];
    for (m, q) in &cases {
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 2, 1], [1, 0, 2]] {
            for unit in [[1.0; 3], [1e2, 1.0, 1e-2], [1e-2, 1e2, 3.0], [7.0, 0.3, 2e-2]] {
                let (m, q) = arranged(m, *q, order, unit);
                let by_lemke = proof(lemke::solve(&m, &q, &mut lemke::Workspace::default()));
                let by_all = proof(lcp::solve(&m, &q, &mut lcp::Workspace::default()));
                for y in [by_lemke, by_all] {
                    let far = lcp::farkas(&m, &q, &y);
                    assert!(far >= 1e8, "{m:?} {q:?}: {y:?} shows {far:e}");
                }
            }
        }
    }
}

/// Three rows that contradict one another between bounds, in a matrix of no class.
#[test]
fn between_bounds() {
    let (lo, hi) = ([0.0, -1.0, f64::NEG_INFINITY], [f64::INFINITY, 1.0, f64::INFINITY]);
    // w₁ = −λ₁ + λ₂ − 2 ≥ 0 with |λ₂| ≤ 1, in every order of rows.
    let m: Matrix3 = [[-1.0, 1.0, 0.0], [3.0, 0.0, 1.0], [0.0, -2.0, 0.0]];
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let (a, b) = arranged(&m, [-2.0, 0.0, 0.5], order, [1.0; 3]);
        let (lo, hi) = (order.map(|k| lo[k]), order.map(|k| hi[k]));
        let problem = Problem { a: &a, b: &b, lo: &lo, hi: &hi };
        let by_dantzig = proof(dantzig::solve(&problem, &mut dantzig::Workspace::default()));
        let by_all = proof(lcp::solve_boxed(&problem, &mut lcp::Workspace::default()));
        for y in [by_dantzig, by_all] {
            assert!(boxed::farkas(&problem, &y) >= 1e8, "{order:?}: {y:?}");
        }
    }
}

/// Random problems, a third of which has no solution: what is feasible is never said to be infeasible.
#[test]
fn proofs_are_of_what_has_none() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut proved = 0;
    for _ in 0..if cfg!(debug_assertions) { 400 } else { 20_000 } {
        let n = random.usize(1..8);
        let mut number = || f64::from(random.i32(-3..4));
        let m: Vec<f64> = (0..n * n).map(|_| number()).collect();
        let q: Vec<f64> = (0..n).map(|_| number()).collect();
        match lemke::solve(&m, &q, &mut lemke::Workspace::default()) {
            Err(Error::Infeasible { y, .. }) => {
                assert!(lcp::farkas(&m, &q, &y) >= 1e8, "{m:?} {q:?} {y:?}");
                proved += 1;
            }
            // w = 0 is within reach of some z ≥ 0: then a proof would be wrong, and there is none.
            Err(_) => assert!(is_feasible(&m, &q), "{m:?} {q:?}"),
            Ok(_) => assert!(is_feasible(&m, &q), "{m:?} {q:?}"),
        }
    }
    assert!(proved > 20, "{proved}");
}

/// Whether there is z ≥ 0 with M z + q ≥ 0: a linear complementarity problem of its own, of the least z.
fn is_feasible(m: &[f64], q: &[f64]) -> bool {
    let n = q.len();
    let size = 2 * n;
    // (1, −Mᵀ; M, 0) is positive semidefinite.
    let mut a = vec![0.0; size * size];
    for j in 0..n {
        a[j * size + j] = 1.0;
        for i in 0..n {
            a[j * size + n + i] = m[j * n + i];
            a[(n + i) * size + j] = -m[j * n + i];
        }
    }
    let b: Vec<f64> = core::iter::repeat_n(0.0, n).chain(q.iter().copied()).collect();
    let mut workspace = dantzig::Workspace::default();
    let (lo, hi) = (vec![0.0; size], vec![f64::INFINITY; size]);
    match dantzig::solve(&Problem { a: &a, b: &b, lo: &lo, hi: &hi }, &mut workspace) {
        Ok(_) => true,
        Err(Error::Infeasible { .. }) => false,
        Err(other) => panic!("{other}"),
    }
}
