//! Starts where contacts penetrate or limits are passed.

use jourdain::contact::{AnitescuPotra, Formulation, Normal, Softness, Todorov};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector2, vector};

use crate::bench::{Bench, QUARTERS, STARTS};

type Run = Result<(), SimulationError>;

fn start(lift: f64, slide: f64) -> Result<Simulation<Bench>, SimulationError> {
    Simulation::new(Bench)?.state(vector![lift, slide], Vector2::zeros())
}

fn refused(mut simulation: Simulation<Bench>) -> Option<(&'static str, f64)> {
    match simulation.step(&SVector::zeros()) {
        Err(SimulationError::Overlap { contact, depth, .. }) => Some((contact, depth)),
        Err(SimulationError::BeyondLimit { limit, excess, .. }) => Some((limit, excess)),
        _ => None,
    }
}

#[test]
fn what_is_deepest_is_named() -> Run {
    for (lift, slide, expected) in STARTS {
        let found = refused(start(lift, slide)?);
        assert_eq!(found.map(|(name, _)| name), expected.map(|(name, _)| name));
        if let (Some((_, depth)), Some((_, expected))) = (found, expected) {
            assert!((depth - expected).abs() < 1e-15, "{depth} {expected}");
        }
    }
    let said = |mut of: Simulation<Bench>| of.step(&SVector::zeros()).unwrap_err().to_string();
    assert_eq!(
        said(start(-0.05, 0.0)?),
        "at 0 s: `foot` overlaps what it touches by 0.05 m; start apart, or let \
         `recovery` put it right by and by"
    );
    assert_eq!(
        said(start(0.0, 1.5)?),
        "at 0 s: the limit of `slide` is passed by 0.5 m or rad; start within it, or let \
         `recovery` put it right by and by"
    );
    Ok(())
}

/// A share of a penetration and of what limits are passed by is put right in each step, in every formulation.
#[test]
fn a_share_is_put_right_where_that_is_asked_for() -> Run {
    for formulation in super::every_formulation() {
        if matches!(formulation, Formulation::Todorov(_)) {
            continue;
        }
        for ([lift, slide], end) in QUARTERS {
            let simulation = start(lift, slide)?.recovery(0.25)?;
            let mut simulation = simulation.formulation(formulation);
            let report = simulation.step(&SVector::zeros())?;
            assert!(report.residual.max() < 1e-12, "{formulation:?} {report:?}");
            let near = (simulation.current().q - Vector2::from(end)).norm() < 1e-12;
            assert!(near, "{formulation:?}: {} {end:?}", simulation.current().q);
        }
    }
    Ok(())
}

/// What gives way is as deep as it must be, and some laws put nothing right at once.
#[test]
fn what_gives_way_may_start_deep() -> Run {
    let spring = Softness::spring(1e4, 10.0, 1e-3).unwrap();
    let mut soft = start(-0.05, 1.5)?;
    soft.soften_contact("foot", Some(spring))?;
    assert_eq!(refused(soft.clone()), Some(("slide", 0.5)));
    soft.soften_limits("slide", Some(spring))?;
    assert_eq!(refused(soft), None);
    let share = |share| AnitescuPotra::new(share, 1e-5).unwrap();
    for (formulation, is_refused) in [
        (Formulation::Todorov(Todorov::default()), false),
        (Formulation::AnitescuPotra(share(0.5)), false),
        (Formulation::Sticking(Normal::Velocity(share(0.5))), false),
        (Formulation::AnitescuPotra(share(1.0)), true),
        (Formulation::Coulomb(Normal::Velocity(share(1.0))), true),
    ] {
        let found = refused(start(-0.05, 0.0)?.formulation(formulation));
        assert_eq!(found.is_some(), is_refused, "{formulation:?}");
    }
    Ok(())
}
