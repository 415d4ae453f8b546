//! Small robots whose motion is known in closed form, and values that no robot can have.
//!
//! Each reference restates its source; the library's own kernels enter no expected value.

mod balls;
mod bricks;
mod empty;
mod extremes;
mod files;
mod formulations;
mod garbled;
mod geometry;
mod identification;
mod incline;
mod linkages;
mod many;
mod names;
mod pendulum;
mod posture;
mod prepared;
mod shapes;
mod statics;
mod values;
mod variational;
mod work;
mod zeros;

use fastrand::Rng;
use nalgebra::SVector;

/// No inputs, or no coordinates.
type Vector0 = SVector<f64, 0>;

/// A number between two others.
fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let near = (found - expected).abs() <= tolerance * scale;
        assert!(near, "{what}[{k}]: {found} instead of {expected}");
    }
}
