//! Every method finds the same solution of what is in its class, and refuses the rest.

use jourdain::kkt::{Dense, Error, Method, Solver};
use nalgebra::DVector;

use crate::problems::{Case, Reference, methods};

/// Whether a problem is in a method's class.
fn admits(method: Method, case: &Case, rank: usize) -> bool {
    let full = rank == case.target.len();
    let massive = case.massless.is_empty();
    let takes = |dense| full || matches!(dense, Dense::PivotedQr | Dense::Svd);
    match method {
        Method::Direct(Dense::Cholesky) => full && massive,
        Method::Direct(dense) => takes(dense),
        Method::RangeSpace(dense) | Method::Articulated(dense) => massive && takes(dense),
        _ => true,
    }
}

/// M⁻¹, with what is not a number where there is none.
fn forward_dynamics(case: &Case) -> impl Fn(&[f64], &mut [f64]) {
    let factor = case.mass.clone().cholesky();
    move |force: &[f64], acceleration: &mut [f64]| match &factor {
        Some(factor) => {
            let solution = factor.solve(&DVector::from_column_slice(force));
            acceleration.copy_from_slice(solution.as_slice());
        }
        None => acceleration.fill(f64::NAN),
    }
}

/// The error of a solution by its size and the condition, or zero for a problem that is refused.
fn check(solver: &mut Solver, case: &Case, reference: &Reference) -> f64 {
    let (n, m, rank) = (case.force.len(), case.target.len(), reference.rank);
    let accelerate = forward_dynamics(case);
    let problem = case.problem().accelerate(&accelerate);
    let (mut x, mut lambda) = (vec![7.0; n], vec![7.0; m]);
    let method = solver.method();
    let found = solver.solve(&problem, &mut x, &mut lambda);
    if !admits(method, case, rank) {
        assert!(
            x.iter().chain(&lambda).all(|&x| x == 7.0),
            "{method:?}: {found:?} {:?} {case:?}",
            reference.condition
        );
        match found.unwrap_err() {
            Error::RankDeficient { rank: found, rows } => assert_eq!((found, rows), (rank, m)),
            Error::SingularMass { coordinate } => assert!(case.massless.contains(&coordinate)),
            Error::NotFinite { what: "acceleration", .. } => assert!(!case.massless.is_empty()),
            other => panic!("{method:?}: {other}"),
        }
        return 0.0;
    }
    let report = found.unwrap_or_else(|error| panic!("{method:?}: {error}\n{case:?}"));
    assert_eq!(report.rank, rank, "{method:?}");
    assert!(report.residual < 1e-9 && report.condition >= 1.0, "{method:?}: {report:?}");
    let x = DVector::from_vec(x) - &reference.x;
    let lambda = DVector::from_vec(lambda) - &reference.lambda;
    let reaction = case.jacobian.transpose() * &lambda;
    let size = 1.0 + reference.x.norm() + reference.lambda.norm();
    x.norm().max(lambda.norm()).max(reaction.norm()) / (size * reference.condition)
}

#[test]
fn a_thousand_consistent_problems() {
    let mut solvers: Vec<Solver> = methods().into_iter().map(Solver::new).collect();
    let mut worst = vec![0.0; solvers.len()];
    let (mut solved, mut deficient, mut massless, mut tall) = (0, 0, 0, 0);
    for seed in 0..1100 {
        let case = Case::random(seed);
        let Some(reference) = case.reference() else { continue };
        solved += 1;
        deficient += usize::from(reference.rank < case.target.len());
        massless += usize::from(!case.massless.is_empty());
        tall += usize::from(case.target.len() > case.force.len());
        for (solver, worst) in solvers.iter_mut().zip(&mut worst) {
            let wrong = check(solver, &case, &reference);
            assert!(wrong < 1e-9, "{:?}, seed {seed}: {wrong:e}", solver.method());
            *worst = f64::max(*worst, wrong);
        }
    }
    assert!(solved >= 1000 && deficient >= 200 && massless >= 100 && tall >= 30);
    for (solver, worst) in solvers.iter().zip(worst) {
        println!("{:?}: {worst:.1e}", solver.method());
    }
    println!("{solved}: {deficient} deficient, {massless} with massless coordinates, {tall} tall");
}

#[test]
fn problems_that_contradict_themselves() {
    let mut solvers: Vec<Solver> = methods().into_iter().map(Solver::new).collect();
    for seed in 0..300 {
        let case = Case::contradictory(seed);
        let Some(reference) = case.reference() else { continue };
        for solver in &mut solvers {
            let wrong = check(solver, &case, &reference);
            assert!(wrong < 1e-9, "{:?}, seed {seed}: {wrong:e}", solver.method());
        }
    }
}
