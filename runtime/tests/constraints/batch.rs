//! The ends of constraints for many states at once.

use jourdain::prelude::*;
use nalgebra::SVector;

use crate::four_bar::FourBar;

#[test]
fn ends_are_where_they_are_for_one_state() {
    const STATES: usize = 11;
    let q = |s: usize| SVector::<f64, 5>::from_fn(|k, _| (0.7 * s as f64 + 1.3 * k as f64).sin());
    let all: Vec<f64> = (0..STATES).flat_map(|s| q(s).as_slice().to_vec()).collect();
    let mut found = [f64::NAN; 6 * STATES];
    FourBar.batch().constraint_points(&all, &mut found).unwrap();
    for (s, found) in found.chunks_exact(6).enumerate() {
        let mut expected = [f64::NAN; 6];
        FourBar.constraint_points_into(&q(s), &mut expected);
        let error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-14, "{s}: {found:?} {expected:?}");
    }
}
