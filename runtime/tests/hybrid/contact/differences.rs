//! Derivatives by (δ, v, t) from differences.

use jourdain::integrate::Phase;
use jourdain::manifold;
use jourdain::prelude::*;

/// Of derivatives by 1 + the largest of them.
const AGREEMENT: f64 = 1e-7;

/// A phase with one of its coordinates (δ, v, t) moved.
fn moved<M: Model>(phase: &Phase, coordinate: usize, by: f64) -> Phase {
    let mut moved = phase.clone();
    let mut change = vec![0.0; 2 * M::NV + 1];
    change[coordinate] = by;
    manifold::integrate(M::JOINTS, &change[..M::NV], 1.0, &mut moved.q);
    moved.v.iter_mut().zip(&change[M::NV..]).for_each(|(v, by)| *v += by);
    moved.time += change[2 * M::NV];
    moved
}

/// Differences of the sixth order of `rows` numbers, column by column; none where those of steps of a quarter are others, as
/// beside the tip of a cone.
pub(super) fn differences<M: Model>(
    phase: &Phase,
    rows: usize,
    mut f: impl FnMut(&Phase, &mut [f64]),
) -> Option<Vec<f64>> {
    let [long, short] =
        [8192.0, 32768.0].map(|steps: f64| differences_by::<M>(phase, rows, 1.0 / steps, &mut f));
    let largest = long.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let are_same = long.iter().zip(&short).all(|(a, b)| (a - b).abs() < 0.1 * AGREEMENT * largest);
    are_same.then_some(long)
}

fn differences_by<M: Model>(
    phase: &Phase,
    rows: usize,
    h: f64,
    f: &mut impl FnMut(&Phase, &mut [f64]),
) -> Vec<f64> {
    let mut slopes = vec![0.0; rows * (2 * M::NV + 1)];
    let mut value = vec![0.0; rows];
    for (coordinate, column) in slopes.chunks_exact_mut(rows).enumerate() {
        for (steps, weight) in
            [(1.0, 45.0), (-1.0, -45.0), (2.0, -9.0), (-2.0, 9.0), (3.0, 1.0), (-3.0, -1.0)]
        {
            f(&moved::<M>(phase, coordinate, steps * h), &mut value);
            column.iter_mut().zip(&value).for_each(|(x, y)| *x += weight / (60.0 * h) * y);
        }
    }
    slopes
}

/// Whether derivatives are those by differences.
pub(super) fn agree(what: &str, found: &[f64], expected: &[f64]) {
    let largest = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let is_same = (found - expected).abs() <= AGREEMENT * largest;
        assert!(is_same, "{what}, entry {k}: {found} instead of {expected}");
    }
}
