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
    let mut best = (f64::NEG_INFINITY, [None; 2]);
    let mut consider = |gap: f64, axes: [Option<usize>; 2]| {
        best = if gap > best.0 + tolerance { (gap, axes) } else { best };
        gap <= reach
    };
    let near = (0..3).all(|i| consider(ours[i], [Some(i), None]))
        && (0..3).all(|j| consider(others[j], [None, Some(j)]));
    near.then_some(())?;
    for i in (0..3).filter(|&i| a[i] > 0.0) {
        let [k, l] = [(i + 1) % 3, (i + 2) % 3];
        for j in (0..3).filter(|&j| b[j] > 0.0) {
            let [p, q] = [(j + 1) % 3, (j + 2) % 3];
            let [c, s] = [turn[(k, j)], turn[(l, j)]];
            let sine = libm::sqrt(c * c + s * s);
            let apart = (x[l] * turn[(k, j)] - x[k] * turn[(l, j)]).abs();
            let reached = a[k] * shares[(l, j)] + a[l] * shares[(k, j)];
            let by_other = b[p] * shares[(i, q)] + b[q] * shares[(i, p)];
            let gap = (apart - reached - by_other) / sine;
            if sine > PARALLEL && !consider(gap, [Some(i), Some(j)]) {
                return None;
            }
        }
    }
    let normal = match best.1 {
        [Some(i), Some(j)] => first.axis(i).cross(&second.axis(j)).try_normalize(PARALLEL)?,
        [Some(i), None] => first.axis(i),
        [None, Some(j)] => second.axis(j),
        [None, None] => return None,
    };
    let towards = if normal.dot(&between) < 0.0 { -normal } else { normal };
    Some(along(first, second, &towards))
}
