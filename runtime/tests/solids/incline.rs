//! A brick on a slab that is tilted, which is no part of any motion.

use jourdain::contact::{Formulation, Normal};
use jourdain::prelude::*;
use nalgebra::{SVector, UnitQuaternion, Vector3};

use crate::run;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slab, massless), joint(bolted, fixed(world -> slab), rpy = [0, 0.3, 0]),
    link(brick, mass = 2, box(size = [0.2, 0.1, 0.1])), joint(free, floating(world -> brick)),
    shape(plane, on = slab, box = [4, 1, 0.2]),
    shape(block, on = brick, box = [0.2, 0.1, 0.1]),
    pair(block, plane, friction = mu),
)]
struct Incline {
    mu: f64,
}

const SLOPE: f64 = 0.3;

/// On the slab's upper side.
fn resting() -> SVector<f64, 7> {
    let rotation = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), SLOPE);
    let mut q = SVector::<f64, 7>::zeros();
    q.fixed_rows_mut::<3>(0).copy_from(&(rotation * Vector3::new(-0.5, 0.0, 0.15)));
    q.fixed_rows_mut::<4>(3).copy_from(&rotation.coords);
    q
}

/// It holds where μ > tan θ, and slides with g (sin θ − μ cos θ) where it is less, along the first tangent, which is an
/// edge of the polygon, by polygons too.
#[test]
fn a_brick_holds_or_slides() -> Result<(), SimulationError> {
    for formulation in [Formulation::Coulomb(Normal::default()), Formulation::StewartTrinkle] {
        for mu in [0.32, 0.2, 0.0] {
            let model = Incline { mu };
            let mut incline = Simulation::new(model)?.formulation(formulation);
            incline = incline.state(resting(), SVector::zeros())?;
            let worst = run(&mut incline, 200)?;
            let v = incline.current().v;
            let expected = (9.81 * 0.2 * (SLOPE.sin() - mu * SLOPE.cos())).max(0.0);
            assert!(worst < 1e-9, "{worst:e}");
            assert!((v.x - expected).abs() < 1e-9 && v.yz().norm() < 1e-9, "{mu}: {v}");
        }
    }
    Ok(())
}
