//! Chaotic motion against a multiprecision reference.

use jourdain::integrate::Error;
use jourdain::nalgebra::{SVector, Vector2, vector};
use jourdain::prelude::*;

use super::robots::DoublePendulum;

/// Angles from the vertical and their rates at t = 10 s, from 2 rad and 2.5 rad at rest. The equations of two masses of
/// 1 kg on rods of 1 m with g = 9.81, by the extrapolated midpoint rule of order 24 in 50 digits of mpmath 1.4; steps of
/// 12.5 ms and of 10 ms agree to 3e-18.
const REFERENCE: [f64; 4] = [
    -0.753_128_874_294_911_4,
    1.627_933_082_053_704_1,
    -4.087_368_851_344_197,
    -8.869_702_578_387_533,
];

fn end(tolerance: f64, shift: f64) -> Result<[f64; 4], Error> {
    let mut simulation = SmoothSimulation::new(DoublePendulum)?
        .tolerance(tolerance)?
        .state(vector![2.0 + shift, 0.5 - shift], Vector2::zeros())?;
    simulation.run(10.0, |_: &State<DoublePendulum>| SVector::<f64, 0>::zeros())?;
    let State { q, v, .. } = simulation.current();
    Ok([q[0], q[0] + q[1], v[0], v[0] + v[1]])
}

fn distance(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Errors are no more than what becomes of a disturbance of the tolerance's size.
#[test]
fn errors_grow_as_disturbances_do() -> Result<(), Error> {
    let growth = distance(&end(1e-13, 1e-12)?, &end(1e-13, 0.0)?) / 1e-12;
    assert!(growth > 1e8, "{growth:e}");
    for tolerance in [1e-9, 1e-10, 1e-11, 1e-12, 1e-13] {
        let error = distance(&end(tolerance, 0.0)?, &REFERENCE);
        assert!(error < growth * tolerance, "{tolerance:e}: {error:e}, growth {growth:e}");
    }
    Ok(())
}
