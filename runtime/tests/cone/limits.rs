//! Searches end where they are told to, with the best point and its residual.

use core::ops::ControlFlow;
use std::time::{Duration, Instant};

use jourdain::cone::{self, Block, Error, Law, Matrix, Problem, Settings, Workspace};
use jourdain::watch::{self, Progress};

use crate::problems::{Case, Gaps};

/// A case that has no solution: besides, a bolt that nothing moves is pressed upon.
fn contradiction(seed: u64) -> (Vec<f64>, Vec<f64>, Vec<Block>) {
    let case = Case::random(seed, 1.0, Gaps::Open);
    let n = case.b.len();
    let mut matrix = vec![0.0; (n + 1) * (n + 1)];
    for j in 0..n {
        matrix[j * (n + 1)..][..n].copy_from_slice(&case.matrix[j * n..][..n]);
    }
    let (mut b, mut blocks) = (case.b, case.blocks);
    b.push(-1.0);
    blocks.push(Block::Row { lower: 0.0, upper: f64::INFINITY });
    (matrix, b, blocks)
}

/// Of every stage, whatever the number of iterations: the point is no worse than that without impulses, its residual is what
/// is said, and no more was done.
#[test]
fn limits_of_iterations() {
    let mut workspace = Workspace::default();
    for seed in 0..4 {
        let (matrix, b, blocks) = contradiction(seed);
        for law in [Law::Coulomb, Law::Convex] {
            let matrix = Matrix::Delassus(&matrix);
            let problem = Problem { matrix, b: &b, blocks: &blocks, law };
            let none = cone::residual(&problem, &vec![0.0; b.len()]);
            let mut last = f64::INFINITY;
            for max_iterations in [0, 1, 2, 5, 17, 60, 300, 1200] {
                let settings = Settings { max_iterations, ..Settings::default() };
                match cone::solve(&problem, &settings, &mut workspace) {
                    Err(Error::Limit { z, residual, iterations }) => {
                        assert_eq!(iterations, max_iterations);
                        assert_eq!(cone::residual(&problem, &z), residual);
                        assert!(residual <= none && residual <= last, "{residual} {none} {last}");
                        last = residual;
                    }
                    Err(Error::Unsolved { residual, .. }) => assert!(residual <= last),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

/// A solution is not lost by a limit that it does not need.
#[test]
fn a_limit_that_is_enough_changes_nothing() {
    let mut workspace = Workspace::default();
    for seed in 0..20 {
        let case = Case::random(seed, 0.0, Gaps::Open);
        let problem = case.problem(Law::Coulomb, false);
        let free = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
        let (z, iterations) = (free.z.to_vec(), free.iterations + free.sweeps + 5000);
        let settings = Settings { max_iterations: iterations, ..Settings::default() };
        let limited = cone::solve(&problem, &settings, &mut workspace).unwrap();
        assert_eq!(limited.z, z);
    }
}

/// Told after so many iterations, of which each is reported once, with residuals that never grow.
#[test]
fn who_watches_can_stop() {
    let mut workspace = Workspace::default();
    let (matrix, b, blocks) = contradiction(5);
    for law in [Law::Coulomb, Law::Convex] {
        let problem = Problem { matrix: Matrix::Delassus(&matrix), b: &b, blocks: &blocks, law };
        for last in [0, 3, 40, 500] {
            let mut seen = Vec::new();
            let mut watch = |progress: &Progress| {
                seen.push(*progress);
                if progress.iterations < last {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            let settings = Settings::default();
            let found = cone::solve_watched(&problem, &settings, &mut workspace, &mut watch);
            let residual = match found {
                Err(Error::Stopped { z, residual, iterations }) => {
                    assert_eq!(iterations, last);
                    assert_eq!(cone::residual(&problem, &z), residual);
                    residual
                }
                Err(Error::Unsolved { residual, .. }) => residual,
                other => panic!("{other:?}"),
            };
            assert!(seen.iter().enumerate().all(|(k, progress)| progress.iterations == k));
            assert!(seen.windows(2).all(|pair| pair[1].residual <= pair[0].residual));
            assert!(residual <= seen[seen.len() - 1].residual);
        }
    }
}

/// A pile that would take long before it is said to be unsolved ends in time: no iteration takes long.
#[test]
fn a_limit_of_time() {
    let cases: Vec<_> = (0..40).map(|seed| Case::random(seed, 1.0, Gaps::Open)).collect();
    let n = cases.iter().map(|case| case.b.len()).sum::<usize>() + 1;
    let (mut matrix, mut b, mut blocks) = (vec![0.0; n * n], Vec::new(), Vec::new());
    for case in &cases {
        let (at, of) = (b.len(), case.b.len());
        for j in 0..of {
            matrix[(at + j) * n + at..][..of].copy_from_slice(&case.matrix[j * of..][..of]);
        }
        b.extend(&case.b);
        blocks.extend(&case.blocks);
    }
    b.push(-1.0);
    blocks.push(Block::Row { lower: 0.0, upper: f64::INFINITY });
    let law = Law::Coulomb;
    let problem = Problem { matrix: Matrix::Delassus(&matrix), b: &b, blocks: &blocks, law };
    let (settings, mut workspace) = (Settings::default(), Workspace::default());
    let start = Instant::now();
    let mut watch = watch::within(Duration::from_millis(200));
    let found = cone::solve_watched(&problem, &settings, &mut workspace, &mut watch);
    let Err(Error::Stopped { z, residual, iterations }) = found else { panic!("{found:?}") };
    println!("{n} rows: {iterations} iterations in {:?}, {residual}", start.elapsed());
    assert_eq!(cone::residual(&problem, &z), residual);
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// A tolerance that nothing satisfies leaves the best point all the same, whatever ends the search.
#[test]
fn the_best_point_is_there_whatever_is_asked() {
    let mut workspace = Workspace::default();
    for seed in 0..6 {
        let case = Case::random(seed, 0.0, Gaps::Open);
        for law in [Law::Coulomb, Law::Convex] {
            for with_factors in [false, true] {
                let problem = case.problem(law, with_factors);
                let free = cone::solve(&problem, &Settings::default(), &mut workspace).unwrap();
                let solved = free.residual.max(1e-14);
                let size = case.b.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
                for (tolerance, max_iterations) in [(1e-20, usize::MAX), (1e-20, 60), (1e-300, 60)]
                {
                    let settings = Settings { tolerance, max_iterations, ..Settings::default() };
                    match cone::solve(&problem, &settings, &mut workspace) {
                        Err(Error::Unsolved { z, residual } | Error::Limit { z, residual, .. }) => {
                            assert_eq!(cone::residual(&problem, &z), residual);
                            assert!(residual <= 1e-10 * size, "{seed}: {residual:e} {solved:e}");
                        }
                        Ok(solution) => assert!(solution.residual <= tolerance * size),
                        Err(error) => panic!("{error}"),
                    }
                }
            }
        }
    }
}
