//! The best direction of two boxes, or lines and points, by normals of faces and cross products of edges.
//!
//! In the axes of either, a box with half edges a reaches Σ aᵢ |nᵢ| along n.
//!
//! # Source
//!
//! Gottschalk, Lin, Manocha: OBBTree, SIGGRAPH 1996.

use nalgebra::Vector3;

use super::placed::Placed;
use super::separation::{PARALLEL, Separation, along};

/// As [`best`](super::separation::best), of boxes with these halves of edges.
pub(super) fn best(
    [first, second]: [&Placed<'_>; 2],
    [a, b]: [&Vector3<f64>; 2],
    (reach, tolerance): (f64, f64),
) -> Option<Separation> {
    let between = first.position - second.position;
    let [x, y] = [first, second].map(|placed| placed.rotation.tr_mul(&between));
    // Of each axis of the first along each of the second.
    let turn = first.rotation.tr_mul(&second.rotation);
    let shares = turn.abs();
    let ours = x.abs() - a - shares * b;
    let others = y.abs() - b - shares.tr_mul(a);
    let mut best = (f64::NEG_INFINITY, Vector3::zeros());
    let mut consider = |gap: f64, normal: Vector3<f64>| {
        best = if gap > best.0 + tolerance { (gap, normal) } else { best };
        gap <= reach
    };
    let near = (0..3).all(|i| consider(ours[i], first.axis(i)))
        && (0..3).all(|j| consider(others[j], second.axis(j)));
    near.then_some(())?;
    let towards = |n: Vector3<f64>| if n.dot(&between) < 0.0 { -n } else { n };
    let mut best = along(first, second, &towards(best.1));
    for i in (0..3).filter(|&i| a[i] > 0.0) {
        let [k, l] = [(i + 1) % 3, (i + 2) % 3];
        for j in (0..3).filter(|&j| b[j] > 0.0) {
            let [p, q] = [(j + 1) % 3, (j + 2) % 3];
            let [c, s] = [turn[(k, j)], turn[(l, j)]];
            let sine = libm::sqrt(c * c + s * s);
            let apart = (x[l] * c - x[k] * s).abs();
            let reached = a[k] * shares[(l, j)] + a[l] * shares[(k, j)];
            let by_other = b[p] * shares[(i, q)] + b[q] * shares[(i, p)];
            if apart - reached - by_other <= (best.gap + tolerance) * sine {
                continue;
            }
            // Rounding by a small sine is no gap.
            let across = first.axis(i).cross(&second.axis(j));
            let Some(normal) = across.try_normalize(PARALLEL) else { continue };
            let found = along(first, second, &towards(normal));
            (found.gap <= reach).then_some(())?;
            best = if found.gap > best.gap + tolerance { found } else { best };
        }
    }
    Some(best)
}
