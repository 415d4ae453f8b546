//! Problems with known answers, for every solver whose class they are of.

use jourdain::lcp::boxed::Problem;

use crate::solvers::EXACT;

/// Column by column from rows.
fn matrix<const N: usize>(rows: [[f64; N]; N]) -> Vec<f64> {
    (0..N * N).map(|e| rows[e % N][e / N]).collect()
}

#[test]
fn two_by_two() {
    let a = matrix([[2.0, 1.0], [1.0, 2.0]]);
    let problem = Problem { a: &a, b: &[-5.0, -6.0], lo: &[0.0; 2], hi: &[f64::INFINITY; 2] };
    for solver in &EXACT {
        let z = (solver.solve)(&problem).unwrap();
        let error = (z[0] - 4.0 / 3.0).abs().max((z[1] - 7.0 / 3.0).abs());
        assert!(error < 1e-14, "{}: {z:?}", solver.name);
    }
}
