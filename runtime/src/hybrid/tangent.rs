//! Derivatives at a phase, in the coordinates x = (δ, v, z) of its tangent space.
//!
//! What an automaton does not know it is asked for by central differences of the sixth order, with dₖ = f(kh) − f(−kh):
//!
//! > f′ = (45 d₁ − 9 d₂ + d₃) / 60 h − h⁶ f⁽⁷⁾ / 140
//!
//! Those of the fourth order, which differ from it by (5 d₁ − 4 d₂ + d₃) / 60 h, estimate its error; with h = 2⁻¹⁰ (1 + |x|)
//! that is some 3e-14 of f where its scale is one, and rounding some 2e-13. Where the estimate says that the scale is
//! less, h is shortened.

use alloc::vec;
use alloc::vec::Vec;

use super::flow::InMode;
use super::watch::moved;
use crate::integrate::{At, Phase, Space};
use crate::manifold;

const STEP: f64 = 1.0 / 1024.0;
/// By which h is shortened, and how often at most.
const SHORTER: f64 = 0.125;
const TRIES: usize = 4;
/// An estimate of error, by 1 + |f′|, with which nothing needs to be shortened.
const GOOD: f64 = 1e-10;

/// Number of coordinates (δ, v, z).
pub(super) fn dimension(space: &Space) -> usize {
    let (_, nv, nz) = space.dimensions();
    2 * nv + nz
}

/// A phase of the space from what an automaton sees.
pub(super) fn phase(at: At<'_>) -> Phase {
    Phase { time: at.time, q: at.q.into(), v: at.v.into(), z: at.z.into() }
}

/// b ⊖ a in (δ, v, z), written to `out`.
pub(super) fn difference(space: &Space, a: &Phase, b: &Phase, out: &mut [f64]) {
    let nv = a.v.len();
    let (of_place, straight) = out.split_at_mut(nv);
    manifold::difference(space.joints(), &a.q, &b.q, of_place);
    let (a, b) = (a.v.iter().chain(&a.z), b.v.iter().chain(&b.z));
    straight.iter_mut().zip(a.zip(b)).for_each(|(out, (a, b))| *out = b - a);
}

/// x ⊕ change, with the time kept.
pub(super) fn changed(space: &Space, phase: &Phase, change: &[f64]) -> Phase {
    let (of_place, straight) = change.split_at(phase.v.len());
    let mut changed = phase.clone();
    manifold::integrate(space.joints(), of_place, 1.0, &mut changed.q);
    let coordinates = changed.v.iter_mut().chain(&mut changed.z);
    coordinates.zip(straight).for_each(|(x, by)| *x += by);
    changed
}

/// ẋ = (v, v̇, ż).
pub(super) fn rate(flow: &mut dyn InMode, phase: &Phase) -> Vec<f64> {
    let nv = phase.v.len();
    let mut rate = phase.v.clone();
    rate.resize(2 * nv + phase.z.len(), f64::NAN);
    let (v_dot, z_dot) = rate[nv..].split_at_mut(nv);
    flow.rates(phase.at(), v_dot, z_dot);
    rate
}

/// ∂(v̇, ż)/∂(δ, v, z, t), written to `out`, column by column; returns an estimate of the error, zero if they are known.
pub(super) fn rate_derivatives(
    flow: &mut dyn InMode,
    space: &Space,
    phase: &Phase,
    out: &mut [f64],
) -> f64 {
    if let Some(error) = flow.derivatives(phase.at(), out) {
        return error;
    }
    let nv = phase.v.len();
    out.fill(f64::NAN);
    by_differences(space, phase, out, &mut |phase, out| {
        out.copy_from_slice(&rate(flow, phase)[nv..]);
    })
}

/// ∂g/∂(δ, v, z, t), written to `out`, with an estimate of the error likewise.
pub(super) fn guard_derivatives(
    flow: &mut dyn InMode,
    space: &Space,
    (guard, phase): (usize, &Phase),
    out: &mut [f64],
) -> f64 {
    if let Some(error) = flow.guard_derivatives(guard, phase.at(), out) {
        return error;
    }
    out.fill(f64::NAN);
    by_differences(space, phase, out, &mut |phase, out| {
        out[0] = flow.guard(guard, phase.at());
    })
}

/// Writes the derivatives of f by (δ, v, z, t) to those columns of `out` that are NaN; returns an estimate of their error,
/// the largest by 1 + |f′|.
pub(super) fn by_differences(
    space: &Space,
    phase: &Phase,
    out: &mut [f64],
    f: &mut dyn FnMut(&Phase, &mut [f64]),
) -> f64 {
    let rows = out.len() / (dimension(space) + 1);
    let nv = phase.v.len();
    let mut worst: f64 = 0.0;
    for (coordinate, column) in out.chunks_exact_mut(rows.max(1)).enumerate() {
        if !column.iter().any(|entry| entry.is_nan()) {
            continue;
        }
        let straight = coordinate.checked_sub(nv);
        let size = straight.and_then(|i| phase.v.iter().chain(&phase.z).nth(i));
        let mut h = STEP * (1.0 + size.map_or(0.0, |x| x.abs()));
        let mut least = f64::INFINITY;
        for _ in 0..TRIES {
            let (found, error) = column_by_differences(rows, h, &mut |by, value| {
                f(&moved(space, phase, coordinate, by), value);
            });
            if error < least || least == f64::INFINITY {
                column.copy_from_slice(&found);
                least = if error.is_nan() { f64::INFINITY } else { error };
            }
            if least <= GOOD {
                break;
            }
            h *= SHORTER;
        }
        worst = f64::max(worst, least);
    }
    worst
}

/// f′ by differences with the step h, and an estimate of its error.
fn column_by_differences(
    rows: usize,
    h: f64,
    f: &mut impl FnMut(f64, &mut [f64]),
) -> (Vec<f64>, f64) {
    let (mut there, mut back) = (vec![0.0; rows], vec![0.0; rows]);
    let (mut slope, mut change, mut size) = (vec![0.0; rows], vec![0.0; rows], vec![1.0; rows]);
    for (steps, weight, other) in [(1.0, 45.0, 5.0), (2.0, -9.0, -4.0), (3.0, 1.0, 1.0)] {
        f(steps * h, &mut there);
        f(-steps * h, &mut back);
        for row in 0..rows {
            // Equal values leave nothing, so that what does not depend on a coordinate is known not to.
            let difference = (there[row] - back[row]) / (60.0 * h);
            slope[row] += weight * difference;
            change[row] += other * difference;
            size[row] = f64::max(size[row], f64::max(there[row].abs(), back[row].abs()));
        }
    }
    let errors = (0..rows).map(|row| {
        let error = change[row].abs() + f64::EPSILON * size[row] / h;
        if slope[row] == 0.0 && change[row] == 0.0 { 0.0 } else { error / (1.0 + slope[row].abs()) }
    });
    let error = errors.fold(0.0, crate::slices::worse);
    (slope, error)
}
