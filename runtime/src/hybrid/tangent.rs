//! Derivatives at a phase, in the coordinates x = (δ, v, z) of its tangent space.
//!
//! What an automaton does not know it is asked for by central differences of the fourth order,
//!
//! > f′ = (8 (f(h) − f(−h)) − (f(2h) − f(−2h))) / 12 h + h⁴ f⁽⁵⁾ / 30,
//!
//! which with h = 2⁻¹⁰ (1 + |x|) err by some 3e-13 of f where its scale is one.

use alloc::vec;
use alloc::vec::Vec;

use super::Automaton;
use super::watch::moved;
use crate::integrate::{At, Phase, Space};
use crate::manifold;

const STEP: f64 = 1.0 / 1024.0;

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
pub(super) fn rate<A: Automaton>(automaton: &mut A, mode: &A::Mode, phase: &Phase) -> Vec<f64> {
    let nv = phase.v.len();
    let mut rate = phase.v.clone();
    rate.resize(2 * nv + phase.z.len(), f64::NAN);
    let (v_dot, z_dot) = rate[nv..].split_at_mut(nv);
    automaton.rates(mode, phase.at(), v_dot, z_dot);
    rate
}

/// ∂(v̇, ż)/∂(δ, v, z, t), written to `out`, column by column.
pub(super) fn rate_derivatives<A: Automaton>(
    automaton: &mut A,
    (mode, space): (&A::Mode, &Space),
    phase: &Phase,
    out: &mut [f64],
) {
    if !automaton.derivatives(mode, phase.at(), out) {
        let nv = phase.v.len();
        let columns = dimension(space) + 1;
        by_differences(space, phase, columns, out, &mut |phase, out| {
            out.copy_from_slice(&rate(automaton, mode, phase)[nv..]);
        });
    }
}

/// ∂g/∂(δ, v, z, t), written to `out`.
pub(super) fn guard_derivatives<A: Automaton>(
    automaton: &mut A,
    (mode, space): (&A::Mode, &Space),
    guard: usize,
    phase: &Phase,
    out: &mut [f64],
) {
    if !automaton.guard_derivatives(mode, guard, phase.at(), out) {
        let columns = dimension(space) + 1;
        by_differences(space, phase, columns, out, &mut |phase, out| {
            out[0] = automaton.guard(mode, guard, phase.at());
        });
    }
}

/// The derivatives of f by the first coordinates (δ, v, z, t), so many of them, written to `out` column by column.
pub(super) fn by_differences(
    space: &Space,
    phase: &Phase,
    columns: usize,
    out: &mut [f64],
    f: &mut impl FnMut(&Phase, &mut [f64]),
) {
    let rows = out.len() / columns.max(1);
    let nv = phase.v.len();
    let mut value = vec![0.0; rows];
    for (coordinate, column) in out.chunks_exact_mut(rows.max(1)).enumerate() {
        let straight = coordinate.checked_sub(nv);
        let size = straight.and_then(|i| phase.v.iter().chain(&phase.z).nth(i));
        let h = STEP * (1.0 + size.map_or(0.0, |x| x.abs()));
        column.fill(0.0);
        for (steps, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            f(&moved(space, phase, coordinate, steps * h), &mut value);
            let factor = weight / (12.0 * h);
            column.iter_mut().zip(&value).for_each(|(sum, value)| *sum += factor * value);
        }
    }
}
