//! The oracle: all bases of a small problem.

use jourdain::lcp::boxed::{Problem, residual};
use nalgebra::{DMatrix, DVector};

/// A solution at one of the bases with a regular A_FF, if there is one. A problem that has solutions has one
/// there, provided that A is positive semidefinite or all solutions are isolated, and that not both bounds
/// of a variable are infinite.
pub(crate) fn solution(problem: &Problem<'_>, tolerance: f64) -> Option<Vec<f64>> {
    let n = problem.b.len();
    let choices = 3usize.pow(n as u32);
    (0..choices).find_map(|choice| {
        let place = |i: usize| choice / 3usize.pow(i as u32) % 3;
        let bound = |i: usize| if place(i) == 1 { problem.lo[i] } else { problem.hi[i] };
        let free: Vec<usize> = (0..n).filter(|&i| place(i) == 0).collect();
        let held = (0..n).filter(|&i| place(i) != 0);
        if held.clone().any(|i| !bound(i).is_finite()) {
            return None;
        }
        let mut z = vec![0.0; n];
        held.for_each(|i| z[i] = bound(i));
        let k = free.len();
        let a = DMatrix::from_fn(k, k, |i, j| problem.a[free[j] * n + free[i]]);
        let force =
            |i: usize| problem.b[i] + (0..n).map(|j| problem.a[j * n + i] * z[j]).sum::<f64>();
        let right = DVector::from_fn(k, |i, _| -force(free[i]));
        let solved = if k == 0 { right } else { a.full_piv_lu().solve(&right)? };
        free.iter().zip(solved.iter()).for_each(|(&i, x)| z[i] = *x);
        let is_small = z.iter().all(|x| x.abs() < 1e8);
        (is_small && residual(problem, &z) <= tolerance).then_some(z)
    })
}

mod tests {
    use fastrand::Rng;
    use jourdain::lcp::{Error, lemke};

    use super::solution;
    use crate::families::{Rows, bodies, number, unsymmetric};
    use crate::solvers::EXACT;

    /// What a solver solves has a solution, and what it refuses has none.
    #[test]
    fn solvers_agree_with_all_bases() {
        let mut rng = Rng::with_seed(3);
        let mut counts = [0; 2];
        while counts[0] + counts[1] < 150 {
            let mut owned = match rng.usize(0..3) {
                0 => bodies(&mut rng, Rows::Contacts, 1.0),
                1 => bodies(&mut rng, Rows::Mixed, 1.0),
                _ => unsymmetric(&mut rng, Rows::Mixed),
            };
            for i in 0..owned.b.len() {
                if owned.lo[i].is_infinite() && owned.hi[i].is_infinite() {
                    owned.hi[i] = number(&mut rng).max(0.0);
                }
            }
            let problem = owned.problem();
            let is_lcp = problem.hi.iter().all(|hi| *hi == f64::INFINITY);
            if problem.b.len() > if is_lcp { 10 } else { 6 } {
                continue;
            }
            let expected = solution(&problem, 1e-8);
            for solver in &EXACT {
                match (solver.solve)(&problem) {
                    Ok(_) => assert!(expected.is_some(), "{}: {problem:?}", solver.name),
                    Err(Error::Infeasible { .. }) => {
                        assert!(expected.is_none(), "{}: {problem:?} {expected:?}", solver.name);
                    }
                    Err(error) => panic!("{}: {error} {problem:?}", solver.name),
                }
            }
            if is_lcp {
                let mut workspace = lemke::Workspace::default();
                match lemke::solve(problem.a, problem.b, &mut workspace) {
                    Ok(_) => assert!(expected.is_some(), "Lemke: {problem:?}"),
                    Err(_) => assert!(expected.is_none(), "Lemke: {problem:?} {expected:?}"),
                }
            }
            counts[usize::from(expected.is_some())] += 1;
        }
        assert!(counts[0] > 10 && counts[1] > 10, "{counts:?}");
    }
}
