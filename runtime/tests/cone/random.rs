//! Ten thousand random problems.

use std::collections::BTreeMap;

use jourdain::cone::{self, Error, Law, Settings, Workspace};

use crate::problems::{Case, Gaps, Turning};

/// What a solution may leave, by the largest number of b.
const LEFT: f64 = 1e-9;
/// Of each kind so many; without optimisation, only a part of them.
const CASES: u64 = if cfg!(debug_assertions) { 25 } else { 2_500 };

#[derive(Debug, Default)]
struct Count {
    unsolved: Vec<(u64, f64)>,
    worst: f64,
    iterations: usize,
    stages: BTreeMap<String, usize>,
}

fn count(law: Law, decades: f64, gaps: Gaps, factored: bool) -> Count {
    count_with(Turning::default(), law, decades, gaps, factored)
}

fn count_with(turning: Turning, law: Law, decades: f64, gaps: Gaps, factored: bool) -> Count {
    let mut count = Count::default();
    let start = std::time::Instant::now();
    let mut workspace = Workspace::with_capacity(0);
    for seed in 0..CASES {
        let case = Case::with(seed, decades, gaps, turning);
        let case = if gaps == Gaps::Prescribed { case.opened() } else { case };
        let problem = case.problem(law, factored);
        let largest = case.b.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        match cone::solve(&problem, &Settings::default(), &mut workspace) {
            Ok(solution) => {
                *count.stages.entry(format!("{:?}", solution.status)).or_default() += 1;
                count.iterations += solution.iterations;
                let residual = cone::residual(&problem, solution.z);
                assert_eq!(residual.to_bits(), solution.residual.to_bits());
                count.worst = count.worst.max(residual / largest);
            }
            Err(Error::Unsolved { residual, .. }) => count.unsolved.push((seed, residual)),
            Err(error) => panic!("{seed}: {error}"),
        }
    }
    println!("{law:?} {decades} {gaps:?} {factored}: {:?} {count:?}", start.elapsed());
    count
}

#[test]
fn coulomb_with_gaps() {
    for decades in [0.0, 1.0, 2.0, 3.0] {
        let count = count(Law::Coulomb, decades, Gaps::Open, false);
        assert!(count.unsolved.is_empty() && count.worst <= LEFT, "{count:?}");
    }
}

#[test]
fn coulomb_with_velocities() {
    for decades in [0.0, 1.0, 2.0, 3.0] {
        let count = count(Law::Coulomb, decades, Gaps::Prescribed, false);
        assert!(count.unsolved.is_empty() && count.worst <= LEFT, "{count:?}");
    }
}

#[test]
fn convex() {
    for gaps in [Gaps::Open, Gaps::Prescribed] {
        for decades in [0.0, 1.0, 2.0, 3.0] {
            let count = count(Law::Convex, decades, gaps, false);
            // A few with masses that differ by 10⁶ need impulses of up to 10⁸ times b by the mobility, whose last places are
            // 2e-8 of b in w.
            let left = if decades < 3.0 { LEFT } else { 1e-7 };
            assert!(count.unsolved.is_empty() && count.worst <= left, "{count:?}");
        }
    }
}

/// Y instead of A: the same problems, without A.
#[test]
fn factors() {
    for law in [Law::Coulomb, Law::Convex] {
        for decades in [0.0, 1.0] {
            let count = count(law, decades, Gaps::Open, true);
            assert!(count.unsolved.is_empty() && count.worst <= LEFT, "{count:?}");
        }
    }
}

/// Friction of ball joints between all this.
#[test]
fn balls() {
    turn(Turning { balls: 4, rolls: false });
}

/// Contacts that resist rolling.
#[test]
fn rolling() {
    turn(Turning { balls: 0, rolls: true });
}

fn turn(turning: Turning) {
    for law in [Law::Coulomb, Law::Convex] {
        for decades in [0.0, 1.0, 2.0] {
            for (gaps, factored) in
                [(Gaps::Open, false), (Gaps::Open, true), (Gaps::Prescribed, false)]
            {
                let count = count_with(turning, law, decades, gaps, factored);
                assert!(count.unsolved.is_empty() && count.worst <= LEFT, "{count:?}");
            }
        }
    }
}

/// Numbers so large and so small that products of them are none: a solution or an error, and never a panic.
#[test]
fn scales_beyond_numbers() {
    let mut workspace = Workspace::default();
    for seed in 0..if cfg!(debug_assertions) { 3 } else { 60 } {
        for (mobility, velocity) in
            [(1e-300, 1e100), (1e-160, 1e100), (1e160, 1e160), (1e300, 1.0), (1.0, 1e300)]
        {
            let mut case = Case::random(seed, 0.0, Gaps::Open);
            case.matrix.iter_mut().for_each(|a| *a *= mobility);
            case.damping.iter_mut().for_each(|a| *a *= mobility);
            case.rows.iter_mut().for_each(|y| *y *= mobility.sqrt());
            case.b.iter_mut().for_each(|b| *b *= velocity);
            for (law, factored) in
                [Law::Coulomb, Law::Convex].into_iter().flat_map(|law| [(law, false), (law, true)])
            {
                let problem = case.problem(law, factored);
                match cone::solve(&problem, &Settings::default(), &mut workspace) {
                    Ok(solution) => {
                        let residual = cone::residual(&problem, solution.z);
                        assert!(residual <= 1e-9 * velocity, "{seed}: {residual:e}");
                    }
                    // λ is of the size of b/A.
                    Err(Error::NotFinite { what: "lambda", .. }) => {
                        assert!((velocity / mobility).is_infinite(), "{seed}: {mobility:e}");
                    }
                    Err(error) => {
                        assert!(matches!(error, Error::Unsolved { .. }), "{seed}: {error}");
                    }
                }
            }
        }
    }
}
