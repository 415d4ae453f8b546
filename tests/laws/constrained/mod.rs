//! Constrained motion by every method, of random mechanisms under random constraints, with points and
//! frames held.
//!
//! M, the bias force, H and the bias b of the rows come from the graph, at a random configuration and at
//! the velocity nearest to a random one with which the rows keep. What no velocity keeps is left out, so
//! that H v̇ = −b has solutions, though rows may depend on others: feet on one link, six rows on a chain of
//! fewer joints, and sums of other rows.

mod equations;
mod generated;
mod rows;

pub(crate) use generated::{outermost, with_feet};

use fastrand::Rng;
use jourdain::kkt::{Dense, Error, Method};
use jourdain_codegen::derive::Forms;

use self::equations::Equations;
use self::rows::consistent;
use crate::law::with_cases;
use crate::random;

const PROBLEMS: usize = 1000;

const TOLERANCE: f64 = 1e-9;

/// All methods, and whether their class has dependent rows.
fn methods() -> Vec<(Method, bool)> {
    let dense = [Dense::Lu, Dense::Cholesky, Dense::PivotedQr, Dense::Svd];
    let takes = |dense| matches!(dense, Dense::PivotedQr | Dense::Svd);
    let of_dense = [Method::Direct, Method::RangeSpace, Method::Articulated];
    let all = of_dense.into_iter().flat_map(|of| dense.map(|dense| (of(dense), takes(dense))));
    let single = [Method::Adaptive, Method::NullSpace, Method::Proximal];
    single.map(|method| (method, true)).into_iter().chain(all).collect()
}

/// Solves a problem by all methods. Returns whether its rows are independent, and the largest error; none
/// where it is unclear which rows are.
fn by_all_methods(name: &str, equations: &Equations) -> Option<(bool, f64)> {
    let expected = equations.expected()?;
    let independent = expected.rank == equations.rows();
    let mut worst = 0.0_f64;
    for (method, takes_dependent) in methods() {
        match equations.solve(method) {
            Ok(found) => {
                let errors = expected.errors(&found);
                let are_small = errors.iter().all(|error| *error <= TOLERANCE);
                assert!(are_small, "{method:?} of {name}: errors {errors:?}");
                assert!(independent || takes_dependent, "{method:?} of {name}: not refused");
                worst = errors.into_iter().fold(worst, f64::max);
            }
            Err(Error::RankDeficient { rank, .. }) if !independent && !takes_dependent => {
                assert_eq!(rank, expected.rank, "{method:?} of {name}");
            }
            Err(error) => panic!("{method:?} of {name}: {error}"),
        }
    }
    Some((independent, worst))
}

/// The problem of a seed, with independent rows only if the seed is even.
fn problem(seed: u64) -> Option<(bool, f64)> {
    let (rng, form) = (&mut Rng::with_seed(seed), Forms::each().next()?);
    let only_independent = seed.is_multiple_of(2);
    let mut found = None;
    with_cases(seed, &random::mechanism(seed), &[form], |_, case| {
        if let Some((case, rows)) = consistent(case, rng, only_independent) {
            let further = if only_independent { 0 } else { rng.usize(0..=3) };
            let equations = Equations::new(&case, &rows, further, rng);
            found = by_all_methods(&format!("Random{seed}"), &equations);
        }
    });
    found
}

#[test]
fn every_method_finds_the_same_motion() {
    let (mut regular, mut worst, mut last) = (0, 0.0_f64, 0);
    let all = (0..).filter_map(|seed| problem(seed).map(|(regular, error)| (seed, regular, error)));
    for (seed, independent, error) in all.take(PROBLEMS) {
        regular += u32::from(independent);
        worst = worst.max(error);
        last = seed;
    }
    println!("{PROBLEMS} problems of {last} mechanisms, {regular} of full rank: {worst:.1e}");
    assert!(regular > PROBLEMS as u32 / 4 && regular < 3 * PROBLEMS as u32 / 4);
}
