//! Linear complementarity problems with known answers, and laws of the solutions of random ones.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use jourdain::lcp::lemke::{self, Workspace};
use jourdain::lcp::{self, Error, Method, Status, farkas, residual};
use proptest::prelude::*;

/// Column by column from rows.
fn matrix(rows: &[&[f64]]) -> Vec<f64> {
    (0..rows.len()).flat_map(|j| rows.iter().map(move |row| row[j])).collect()
}

fn solved(m: &[f64], q: &[f64]) -> (Vec<f64>, usize) {
    let mut workspace = Workspace::default().max_pivots(20_000);
    let solution = lemke::solve(m, q, &mut workspace).unwrap();
    assert!(solution.residual <= 1e-9 * q.iter().fold(1.0, |a: f64, x| a.max(x.abs())));
    assert_eq!(solution.residual.to_bits(), residual(m, q, solution.z).to_bits());
    (solution.z.to_vec(), solution.pivots)
}

fn assert_near(z: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(z.len(), expected.len());
    let worst = z.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst <= tolerance, "{z:?}, expected {expected:?}");
}

#[test]
fn two_by_two() {
    let (z, _) = solved(&matrix(&[&[2.0, 1.0], &[1.0, 2.0]]), &[-5.0, -6.0]);
    assert_near(&z, &[4.0 / 3.0, 7.0 / 3.0], 1e-15);
}

/// z of w = M z + q with M = \[1 2; 2 1\] and q = −1 are (1, 0), (0, 1) and (⅓, ⅓): of which is found, the
/// next problem's nearest is found.
#[test]
fn a_problem_is_resumed_in_the_basis_of_the_last() {
    let (m, mut workspace) = ([1.0, 2.0, 2.0, 1.0], Workspace::default());
    for (q, near) in [([-1.0, -0.5], [-1.0, -1.0]), ([-0.5, -1.0], [-1.0, -1.0])] {
        let z = lemke::solve(&m, &q, &mut workspace).unwrap().z.to_vec();
        let resumed = lemke::resume(&m, &near, &mut workspace).unwrap();
        assert!(resumed.pivots == 0 && resumed.residual <= 1e-15, "{resumed:?}");
        let alike = z.iter().zip(resumed.z).all(|(a, b)| (*a > 0.0) == (*b > 0.0));
        assert!(alike, "{z:?} {resumed:?}");
    }
    // Where the basis does not fit, and in a workspace that has none, it is as if there were none.
    let far = lemke::resume(&m, &[3.0, -2.0], &mut workspace).unwrap().z.to_vec();
    assert_near(&far, &[0.0, 2.0], 1e-15);
    workspace.forget();
    let anew = lemke::resume(&m, &[-1.0, -1.0], &mut workspace).unwrap().z.to_vec();
    assert_eq!(anew, lemke::solve(&m, &[-1.0, -1.0], &mut Workspace::default()).unwrap().z);
    assert!(lemke::resume(&m, &[1.0, 0.0], &mut workspace).unwrap().z == [0.0; 2]);
}

#[test]
fn a_game_that_is_not_copositive() {
    let m = matrix(&[&[0.0, -1.0, 2.0], &[2.0, 0.0, -2.0], &[-1.0, 1.0, 0.0]]);
    let (z, _) = solved(&m, &[-3.0, 6.0, -1.0]);
    assert_near(&z, &[0.0, 1.0, 3.0], 1e-14);
}

#[test]
fn the_cycle_of_kostreva() {
    let m = matrix(&[&[1.0, 2.0, 0.0], &[0.0, 1.0, 2.0], &[2.0, 0.0, 1.0]]);
    let (z, pivots) = solved(&m, &[-1.0; 3]);
    assert_near(&z, &[1.0 / 3.0; 3], 1e-15);
    assert!(pivots <= 8, "{pivots}");
}

/// Ones on the diagonal and twos above it.
fn murty(n: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| {
        if i < j {
            2.0
        } else if i == j {
            1.0
        } else {
            0.0
        }
    };
    (0..n * n).map(|k| entry(k % n, k / n)).collect()
}

#[test]
fn upper_triangle_of_murty_is_easy_from_ones() {
    for n in 1..=30 {
        let (z, pivots) = solved(&murty(n), &vec![-1.0; n]);
        let mut last = vec![0.0; n];
        last[n - 1] = 1.0;
        assert_near(&z, &last, 1e-14);
        assert!(pivots <= 2 * n, "{n}: {pivots}");
    }
}

#[test]
fn upper_triangle_of_murty_costs_a_power_of_two() {
    for n in 1..=10 {
        let two = |k: usize| f64::powi(2.0, k as i32);
        let q: Vec<f64> = (0..n).map(|i| two(i) - two(n)).collect();
        let (_, pivots) = solved(&murty(n), &q);
        assert_eq!(pivots, 1 << n, "{n}");
    }
}

#[test]
fn no_solution_gives_a_ray() {
    let mut workspace = Workspace::default();
    // w = −z − 1 is negative for all z ≥ 0.
    let error = lemke::solve(&[-1.0], &[-1.0], &mut workspace).unwrap_err();
    let Error::Infeasible { y, .. } = error else { panic!("{error}") };
    assert_eq!(farkas(&[-1.0], &[-1.0], &y), f64::INFINITY);
    // Positive semidefinite: z1 - z2 = 1 and z2 - z1 = 1 at once.
    let (m, q) = (matrix(&[&[1.0, -1.0], &[-1.0, 1.0]]), [-1.0, -1.0]);
    let error = lemke::solve(&m, &q, &mut workspace).unwrap_err();
    let Error::Infeasible { y, .. } = error else { panic!("{error}") };
    assert!(y.iter().all(|&y| y >= 0.0) && farkas(&m, &q, &y) >= 1e8, "{y:?}");
}

/// Of a matrix that is not copositive, a ray proves nothing: (1, 0) is a solution.
#[test]
fn a_ray_is_no_proof_outside_the_class() {
    let (m, q) = (matrix(&[&[1.0, -1.0], &[1.0, -1.0]]), [-1.0, -1.0]);
    let error = lemke::solve(&m, &q, &mut Workspace::default()).unwrap_err();
    let Error::Ray { z, direction, .. } = error else { panic!("{error}") };
    assert_eq!((z, direction), (vec![0.0; 2], vec![0.0, 1.0]));
    assert_eq!(residual(&m, &q, &[1.0, 0.0]), 0.0);
}

#[test]
fn trivial_problems_take_no_pivot() {
    assert_eq!(solved(&[], &[]), (vec![], 0));
    assert_eq!(solved(&[-3.0], &[0.0]), (vec![0.0], 0));
    assert_eq!(solved(&[0.0; 4], &[1.0, 2.0]), (vec![0.0; 2], 0));
}

#[test]
fn bad_input_is_named() {
    let mut workspace = Workspace::default();
    let error = |m: &[f64], q: &[f64], w: &mut Workspace| lemke::solve(m, q, w).unwrap_err();
    let shape = |length, expected| Error::Length { what: "m", length, expected };
    assert_eq!(error(&[1.0; 3], &[1.0; 2], &mut workspace), shape(3, 4));
    assert_eq!(error(&[], &[1.0], &mut workspace), shape(0, 1));
    let found = error(&[1.0, f64::INFINITY, 0.0, 1.0], &[-1.0; 2], &mut workspace);
    assert_eq!(found, Error::NotFinite { what: "m", index: 1, value: f64::INFINITY });
    let found = error(&[1.0], &[f64::NAN], &mut workspace);
    assert!(matches!(found, Error::NotFinite { what: "q", index: 0, .. }));
    assert!(residual(&[1.0], &[f64::NAN], &[0.0]).is_nan());
    assert!(residual(&[1.0], &[1.0], &[f64::NAN]).is_nan());
    assert!(residual(&[1.0, 2.0], &[1.0], &[0.0]).is_nan());
}

/// The problem that is solved by all solvers in turn has the names of its own arguments.
#[test]
fn bad_input_is_named_by_the_policy_too() {
    let mut workspace = jourdain::lcp::Workspace::default();
    let mut said =
        |m: &[f64], q: &[f64]| jourdain::lcp::solve(m, q, &mut workspace).unwrap_err().to_string();
    let m = [1.0, 0.0, f64::NAN, 1.0];
    assert_eq!(said(&m, &[1.0, 1.0]), "m[2] is NaN, expected a finite number");
    let q = [1.0, f64::INFINITY];
    assert_eq!(said(&[1.0, 0.0, 0.0, 1.0], &q), "q[1] is inf, expected a finite number");
    assert_eq!(said(&m[..3], &[1.0, 1.0]), "m has 3 entries, expected 4");
}

#[test]
fn the_limit_of_pivots_is_kept() {
    let q: Vec<f64> = (0..10).map(|i| f64::powi(2.0, i) - 1024.0).collect();
    let mut workspace = Workspace::with_capacity(10).max_pivots(7);
    let error = lemke::solve(&murty(10), &q, &mut workspace).unwrap_err();
    let Error::Unsolved { z, residual: carried, pivots: 7 } = error else { panic!("{error}") };
    assert_eq!(carried.to_bits(), residual(&murty(10), &q, &z).to_bits());
    assert!(carried > 0.0);
}

/// A Aᵀ of a random (n, k) matrix A with small integers or reals: of rank k at most.
fn gram(n: usize, k: usize, a: &[f64]) -> Vec<f64> {
    let entry = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * a[j * k + l]).sum();
    (0..n * n).map(|e| entry(e % n, e / n)).collect()
}

fn positive_definite() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (1..60usize).prop_flat_map(|n| {
        let a = prop::collection::vec(-1.0..1.0f64, n * n);
        let q = prop::collection::vec(-1.0..1.0f64, n);
        (a, q).prop_map(move |(a, q)| {
            let mut m = gram(n, n, &a);
            (0..n).for_each(|i| m[i * n + i] += 0.1);
            (m, q)
        })
    })
}

/// Low rank, repeated rows, and small integers, so that most ratios tie; q is chosen so that a
/// solution exists.
fn degenerate() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (1..24usize, 1..5usize).prop_flat_map(|(n, k)| {
        let a = prop::collection::vec(-1..2i32, n * k);
        let z = prop::collection::vec(0..3i32, n);
        (a, z).prop_map(move |(a, z)| {
            let m = gram(n, k, &a.iter().map(|&x| f64::from(x)).collect::<Vec<_>>());
            let w = |i: usize| if z[i] == 0 { f64::from(i as i32 % 2) } else { 0.0 };
            let q = (0..n)
                .map(|i| w(i) - (0..n).map(|j| m[j * n + i] * f64::from(z[j])).sum::<f64>())
                .collect();
            (m, q)
        })
    })
}

proptest! {
    #[test]
    fn positive_definite_problems_are_solved((m, q) in positive_definite()) {
        let mut workspace = Workspace::default();
        let solution = lemke::solve(&m, &q, &mut workspace).unwrap();
        prop_assert!(solution.residual < 1e-12, "{}", solution.residual);
        prop_assert!(solution.z.iter().all(|&z| z >= 0.0));
    }

    /// From the basis of a problem that differs a little, fewer pivots lead to the same solution.
    #[test]
    fn a_path_is_short_from_a_basis_nearby((m, q) in positive_definite()) {
        prop_assume!(q.iter().any(|q| *q < 0.0));
        let mut workspace = Workspace::default();
        lemke::solve(&m, &q, &mut workspace).unwrap();
        let near: Vec<f64> = q.iter().enumerate().map(|(i, q)| q + [0.02, -0.03][i % 2]).collect();
        let resumed = lemke::resume(&m, &near, &mut workspace).unwrap();
        let (z, pivots, status) = (resumed.z.to_vec(), resumed.pivots, resumed.status);
        let anew = lemke::solve(&m, &near, &mut workspace).unwrap();
        prop_assert!(status == Status::Resumed(Method::Lemke) || anew.pivots == 0, "{status:?}");
        prop_assert!(pivots <= 2 + anew.pivots / 2, "{pivots} {}", anew.pivots);
        let apart = z.iter().zip(anew.z).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        prop_assert!(apart <= 1e-9 * z.iter().fold(1.0, |a: f64, z| a.max(*z)), "{apart}");
    }

    #[test]
    fn degenerate_problems_are_solved((m, q) in degenerate()) {
        let mut workspace = Workspace::default();
        let solution = lemke::solve(&m, &q, &mut workspace).unwrap();
        prop_assert!(solution.residual < 1e-11, "{}", solution.residual);
    }

    #[test]
    fn scales_do_not_matter((m, q) in positive_definite(), e in -12.0..12.0f64, f in -9.0..9.0f64) {
        let (e, f) = (10f64.powf(e), 10f64.powf(f));
        let m: Vec<f64> = m.iter().map(|x| x * f).collect();
        let q: Vec<f64> = q.iter().map(|x| x * e).collect();
        let mut workspace = Workspace::default();
        let found = lemke::solve(&m, &q, &mut workspace);
        prop_assert!(found.is_ok(), "{found:?}");
    }

    /// As between kilograms and grams, and worse: each row and its column in another unit.
    #[test]
    fn units_of_rows_do_not_matter(
        (m, q) in positive_definite(),
        powers in prop::collection::vec(-6.0..6.0f64, 60),
    ) {
        let n = q.len();
        let unit: Vec<f64> = powers.iter().map(|power| 10f64.powf(*power)).collect();
        let other: Vec<f64> = (0..n * n).map(|k| m[k] * unit[k % n] * unit[k / n]).collect();
        let force: Vec<f64> = q.iter().zip(&unit).map(|(q, unit)| q * unit).collect();
        let mut workspace = Workspace::default();
        let found = lemke::solve(&other, &force, &mut workspace).map(|found| found.z.to_vec());
        prop_assert!(found.is_ok(), "{found:?}");
        let z: Vec<f64> = found.unwrap().iter().zip(&unit).map(|(z, unit)| z * unit).collect();
        prop_assert!(residual(&m, &q, &z) < 1e-12, "{}", residual(&m, &q, &z));
    }

    #[test]
    fn nothing_panics(n in 0..6usize, values in prop::collection::vec(any::<f64>(), 42)) {
        let mut workspace = Workspace::default();
        let _ = lemke::solve(&values[..n * n], &values[36..36 + n], &mut workspace);
    }

    #[test]
    fn indefinite_problems_end(n in 1..8usize, values in prop::collection::vec(-3..4i32, 56)) {
        let values: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
        let (m, q) = (&values[..n * n], &values[49 - n..49]);
        let mut workspace = Workspace::default();
        match lemke::solve(m, q, &mut workspace) {
            Ok(solution) => prop_assert!(solution.residual < 1e-9),
            Err(Error::Ray { pivots, .. }) => prop_assert!(pivots <= 4 << n),
            Err(Error::Infeasible { y, .. }) => prop_assert!(farkas(m, q, &y) >= 1e8),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

/// In any units every method finds the same, or nothing.
#[test]
fn any_units_are_as_good() {
    let m = matrix(&[&[2.0, 1.0, 0.0], &[1.0, 2.0, 0.5], &[0.0, 0.5, 1.0]]);
    let q = [-5.0, -6.0, 4.0];
    let expected = solved(&m, &q).0;
    for of_q in (-200..=200).step_by(10) {
        for of_m in (-200..=200).step_by(20) {
            let (by_q, by_m) = (10_f64.powi(of_q), 10_f64.powi(of_m));
            let by = by_q / by_m;
            if !by.is_normal() {
                continue;
            }
            let (m, q) = (m.iter().map(|x| x * by_m).collect::<Vec<_>>(), q.map(|x| x * by_q));
            let mut found = Vec::new();
            found.push(lemke::solve(&m, &q, &mut Workspace::default()).map(|of| of.z.to_vec()));
            for method in [Method::Lemke, Method::Dantzig, Method::NewtonMin, Method::GaussSeidel] {
                let attempt = lcp::Attempt { method, pivots_per_pair: 1000 };
                let mut workspace = lcp::Workspace::default().policy(&[attempt]);
                found.push(lcp::solve(&m, &q, &mut workspace).map(|of| of.z.to_vec()));
            }
            for found in found {
                let z = found.unwrap_or_else(|e| panic!("1e{of_m}, 1e{of_q}: {e}"));
                let z: Vec<_> = z.iter().map(|z| z / by).collect();
                assert_near(&z, &expected, 1e-6);
            }
        }
    }
}
