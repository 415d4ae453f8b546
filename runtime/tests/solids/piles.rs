//! Boxes on boxes.

use jourdain::contact::{Anitescu, AnitescuPotra, Formulation, Normal, Todorov};
use jourdain::prelude::*;
use nalgebra::SVector;

use crate::run;

/// A brick on a heavier one, which stands on the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(lower, mass = 3, box(size = [0.6, 0.4, 0.2])),
    joint(a, floating(world -> lower)),
    link(upper, mass = 1, box(size = [0.2, 0.2, 0.2])),
    joint(b, floating(world -> upper)),
    contact(base, on = lower, box = [0.6, 0.4, 0.2], friction = 0.8),
    shape(slab, on = lower, box = [0.6, 0.4, 0.2], friction = 0.5),
    shape(brick, on = upper, box = [0.2, 0.2, 0.2], friction = 0.5),
    pair(brick, slab),
)]
struct Two;

/// The upper one at (x, y, gap) above the lower one.
fn on_top(x: f64, y: f64, gap: f64) -> SVector<f64, 14> {
    let mut q = Two.neutral();
    q[2] = 0.1;
    (q[7], q[8], q[9]) = (x, y, 0.3 + gap);
    q
}

#[test]
fn a_box_rests_on_a_box_in_every_formulation() -> Result<(), SimulationError> {
    let formulations = [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Todorov(Todorov::default()),
        Formulation::Coulomb(Normal::default()),
        Formulation::Frictionless(Normal::default()),
        Formulation::Sticking(Normal::default()),
    ];
    for formulation in formulations {
        let start = on_top(0.1, -0.05, 0.0);
        let mut two = Simulation::new(Two)?.formulation(formulation);
        two = two.state(start, SVector::zeros())?;
        let worst = run(&mut two, 100)?;
        assert!(worst < 1e-9, "{formulation:?}: {worst:e}");
        let impulse = two.impulse();
        assert_eq!(impulse.pairs.len(), 4, "{formulation:?}");
        let weight: f64 = impulse.pairs.iter().map(|point| point.world().z / 1e-3).sum();
        let soft = matches!(formulation, Formulation::Todorov(_));
        let (moved, error) = ((two.current().q - start).amax(), (weight - 9.81).abs());
        assert!(soft || error < 1e-6 && moved < 1e-9, "{formulation:?}: {error:e} {moved:e}");
    }
    Ok(())
}

/// Ten bricks, one on the other.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(b0, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j0, floating(world -> b0)),
    shape(s0, on = b0, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b1, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j1, floating(world -> b1)),
    shape(s1, on = b1, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b2, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j2, floating(world -> b2)),
    shape(s2, on = b2, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b3, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j3, floating(world -> b3)),
    shape(s3, on = b3, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b4, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j4, floating(world -> b4)),
    shape(s4, on = b4, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b5, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j5, floating(world -> b5)),
    shape(s5, on = b5, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b6, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j6, floating(world -> b6)),
    shape(s6, on = b6, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b7, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j7, floating(world -> b7)),
    shape(s7, on = b7, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b8, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j8, floating(world -> b8)),
    shape(s8, on = b8, box = [0.3, 0.2, 0.1], friction = 0.8),
    link(b9, mass = 1, box(size = [0.3, 0.2, 0.1])), joint(j9, floating(world -> b9)),
    shape(s9, on = b9, box = [0.3, 0.2, 0.1], friction = 0.8),
    contact(base, on = b0, box = [0.3, 0.2, 0.1], friction = 0.8),
    pair(s1, s0), pair(s2, s1), pair(s3, s2), pair(s4, s3), pair(s5, s4), pair(s6, s5), pair(s7, s6), pair(s8, s7), pair(s9, s8),
)]
struct Ten;

/// Each a little out of line with the one below.
#[test]
fn ten_boxes_stay_where_they_are_put() -> Result<(), SimulationError> {
    let mut q = Ten.neutral();
    for k in 0..10 {
        q[7 * k] = 0.01 * (k % 3) as f64;
        q[7 * k + 2] = 0.05 + 0.1 * k as f64;
    }
    let mut ten = Simulation::new(Ten)?.step_size(1e-2)?.state(q, SVector::zeros())?;
    let worst = run(&mut ten, 10)?;
    assert!(worst < 1e-9, "{worst:e}");
    let report = ten.run(crate::MINUTE, |_: &State<Ten>| SVector::zeros())?;
    let drift = (ten.current().q - q).amax();
    println!("ten boxes: drift {drift:.1e}, residual {:.1e}", report.residual.max());
    assert!(drift < 1e-6 && report.penetration < 1e-8, "{drift:e} {report:?}");
    Ok(())
}
