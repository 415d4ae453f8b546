//! Starts where contacts penetrate or limits are passed.

use nalgebra::{Vector2, vector};

use super::bench::{Bench, QUARTERS, STARTS};
use super::*;

type Run = Result<(), SimulationError>;

fn start(lift: f64, slide: f64) -> Result<Variational<Bench>, SimulationError> {
    Variational::new(Bench)?.state(vector![lift, slide], Vector2::zeros())
}

/// They are refused as by a `Simulation`, and the state stays.
#[test]
fn what_is_deepest_is_named() -> Run {
    for (lift, slide, expected) in STARTS {
        let mut run = start(lift, slide)?;
        let before = run.current().clone();
        let found = match run.step(&SVector::zeros()) {
            Err(SimulationError::Overlap { contact, depth, .. }) => Some((contact, depth)),
            Err(SimulationError::BeyondLimit { limit, excess, .. }) => Some((limit, excess)),
            Ok(_) => None,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(found.map(|(name, _)| name), expected.map(|(name, _)| name));
        if let (Some((_, depth)), Some((_, expected))) = (found, expected) {
            assert!((depth - expected).abs() < 1e-15, "{depth} {expected}");
            assert_eq!(*run.current(), before);
        }
    }
    Ok(())
}

/// Only the first step from a state that is given asks.
#[test]
fn another_state_is_another_start() -> Run {
    let mut run = start(0.0, 0.0)?;
    run.step(&SVector::zeros())?;
    run.reset(vector![-0.1, 0.0], Vector2::zeros())?;
    assert!(matches!(run.step(&SVector::zeros()), Err(SimulationError::Overlap { .. })));
    let mut slow = run.recovery(0.1)?;
    slow.reset(vector![-0.2, 0.0], Vector2::zeros())?;
    slow.step(&SVector::zeros())?;
    Ok(())
}

/// A share is put right in each step, until nothing is left of it.
#[test]
fn a_share_is_put_right_where_that_is_asked_for() -> Run {
    for rule in RULES {
        for (from, to) in QUARTERS {
            let mut run = start(from[0], from[1])?.recovery(0.25)?.rule(rule);
            let report = run.step(&SVector::zeros())?;
            assert!(report.residual.max() < 1e-9, "{report:?}");
            let near = (run.current().q - Vector2::from(to)).norm() < 1e-12;
            assert!(near, "{} {to:?}", run.current().q);
        }
    }
    let mut run = start(-0.1, 1.5)?.recovery(0.25)?;
    run.run(0.1, |_: &State<Bench>| SVector::zeros())?;
    let q = run.current().q;
    assert!(q[0] > -1e-9 && q[1] < 1.0 + 1e-9, "{q}");
    Ok(())
}

#[test]
fn a_share_is_from_0_to_1() -> Run {
    for bad in [-0.1, 1.1, f64::NAN] {
        let error = Variational::new(Bench)?.recovery(bad).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("recovery is {bad}, expected a number of at least 0 and at most 1")
        );
    }
    Ok(())
}
