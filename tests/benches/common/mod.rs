//! What benches have in common.

mod quick;

use fastrand::Rng;
use jourdain::space::Storage;

pub(crate) use quick::quick;

/// Numbers from −`bound` to `bound`.
pub(crate) fn random<V: Storage>(random: &mut Rng, bound: f64) -> V {
    let mut out = V::zeros();
    out.as_mut_slice().fill_with(|| bound * (2.0 * random.f64() - 1.0));
    out
}
