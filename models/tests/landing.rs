//! A humanoid lands on soles of four points each, whose constraints agree to rounding only.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use jourdain::prelude::*;
use jourdain_models::G1;
use nalgebra::SVector;

/// With arms stretched forward and a drop of 1 cm, the complementarity problem of one step is solved
/// only where entries of w and z are brought to one scale.
#[test]
fn soles_that_contradict_each_other_by_rounding_do_not_stop_a_landing() {
    let mut q = G1::standing(0.0);
    q.fixed_rows_mut::<14>(22).fill(0.0);
    q[2] = 0.01 - G1.gap(&q).min();
    let (limits, mass) = (G1.coordinate_parameters(), G1.mass_matrix(&q));
    let stiffness = SVector::from_fn(|k, _| match k {
        0..6 => 0.0,
        6..21 => 5.0 * limits[k].effort,
        _ => 400.0 * mass[(k, k)],
    });
    let damping = SVector::from_fn(|k, _| match k {
        0..6 => 0.0,
        6..21 => stiffness[k] / 60.0,
        _ => 40.0 * mass[(k, k)],
    });
    let controller = Pd::new(&G1, q, 0.0, 0.0).gains(stiffness, damping);
    let mut simulation = Simulation::new(G1).unwrap().state(q, SVector::zeros()).unwrap();
    let report = simulation.run(0.15, controller).unwrap();
    assert!(report.residual.max() <= 1e-9, "{report:?}");
}
