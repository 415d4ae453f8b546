//! What benches have in common.

use std::time::Duration;

use criterion::Criterion;
use fastrand::Rng;
use jourdain::space::Storage;

/// Numbers from −`bound` to `bound`.
pub(crate) fn random<V: Storage>(random: &mut Rng, bound: f64) -> V {
    let mut out = V::zeros();
    out.as_mut_slice().fill_with(|| bound * (2.0 * random.f64() - 1.0));
    out
}

/// Half a second a measurement.
pub(crate) fn quick() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
}
