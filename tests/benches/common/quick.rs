//! How long a bench measures.

use std::time::Duration;

use criterion::Criterion;

/// Half a second a measurement.
pub(crate) fn quick() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
}
