//! Friction along directions in which a robot cannot move.
//!
//! A planar robot has no motion across its plane, so that a contact's friction there is undetermined: whatever it is, all
//! velocities are the same. Polygons have their solvers' choice of it, up to μ Λ_n. With u the direction along which
//! A u = 0, the friction p of a contact is made as small as it may be,
//!
//! > min ‖p + s u‖  subject to  p + s u in the polygon of the size μ Λ_n
//!
//! which solves the same problem: w does not change, and uᵀ w = 0 where nothing moves along u, so that neither does the
//! dissipation wᵀ p.

use super::problem::Problem;
use crate::cone::Block;
use crate::slices::sqrt;

/// What mobility along a direction, by that of all three, is none: that of velocities' rounding, squared.
const IMMOBILE: f64 = 1e-14;

/// Makes undetermined friction small in a problem whose A was computed.
pub(super) fn reduce(problem: &Problem, impulses: &mut [f64]) {
    for (first, block, directions) in problem.each() {
        let Block::Contact { friction, .. } = *block else { continue };
        let p = [impulses[first + 1], impulses[first + 2]];
        if p == [0.0; 2] {
            continue;
        }
        let entry = |i: usize, j: usize| problem.a[(first + j) * problem.rows() + first + i];
        let tangents = [entry(1, 1), entry(1, 2), entry(2, 2)];
        let Some(still) = immobile(entry(0, 0), tangents) else { continue };
        let p = shortest(p, still, (friction * impulses[first], directions));
        impulses[first + 1..first + 3].copy_from_slice(&p);
    }
}

/// The direction in the tangents of a contact along which nothing moves, if there is one, by its A: of the normal, and of both
/// tangents.
pub(super) fn immobile(normal: f64, [a, b, c]: [f64; 3]) -> Option<[f64; 2]> {
    // That of the smaller eigenvalue of [a b; b c], which is about their determinant by their trace.
    let smaller = 0.5 * (a + c - sqrt((a - c) * (a - c) + 4.0 * b * b));
    let [x, y] = if a >= c { [-b, a - smaller] } else { [c - smaller, -b] };
    let length = sqrt(x * x + y * y);
    let is_still = smaller <= IMMOBILE * (normal + a + c) && length > 0.0;
    is_still.then(|| [x / length, y / length])
}

/// The shortest p + s u in the polygon whose corners, so many, are at the radius.
pub(super) fn shortest(p: [f64; 2], u: [f64; 2], (radius, corners): (f64, usize)) -> [f64; 2] {
    let half = core::f64::consts::PI / corners as f64;
    let inner = radius * libm::cos(half);
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    for k in 0..corners {
        let (sine, cosine) = libm::sincos(half * (2 * k + 1) as f64);
        let [room, along] = [inner - (cosine * p[0] + sine * p[1]), cosine * u[0] + sine * u[1]];
        // What is on an edge, to rounding, stays there.
        let bound = room.max(0.0) / along;
        if along > 0.0 {
            most = most.min(bound);
        } else if along < 0.0 {
            least = least.max(bound);
        }
    }
    let s = (-(p[0] * u[0] + p[1] * u[1])).max(least).min(most);
    [p[0] + s * u[0], p[1] + s * u[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest within the polygon, whatever its directions are to u; what slides along u⊥ stays on its edge.
    #[test]
    fn friction_becomes_as_small_as_it_may() {
        let root = 0.5_f64.sqrt();
        let cases = [
            ([0.3, 0.2], [0.0, 1.0], 4, [0.3, 0.0]),
            ([0.5, 0.4], [0.0, 1.0], 8, [0.5, 0.0]),
            // Of a square on its corner: along (1, 1), up to an edge; and all of an edge.
            ([0.5, 0.5], [root, -root], 4, [0.5, 0.5]),
            ([0.9, 0.1], [root, -root], 4, [0.5, 0.5]),
            // As short as the line would have it is outside.
            ([0.95, 0.0], [0.6, 0.8], 4, [0.95 - 0.6 * 0.25, -0.2]),
        ];
        for (p, u, corners, expected) in cases {
            let found = shortest(p, u, (1.0, corners));
            let error = (found[0] - expected[0]).hypot(found[1] - expected[1]);
            // An edge is met at an angle of 0.14 here, and its distance is a difference.
            assert!(error < 1e-14, "{p:?} along {u:?}: {found:?}");
        }
    }
}
