//! Polygons of friction: the nearest point, the size that reaches a point, and the support.

use crate::contact::direction;
use crate::slices::worse;

/// The nearest point of the polygon with so many corners at radius · d_k. It is on the edge that x is beyond, of which all
/// points may be equally far to rounding.
pub(super) fn onto_polygon(x: [f64; 2], radius: f64, count: usize) -> [f64; 2] {
    let (size, edge) = beyond(x, count);
    if size <= radius {
        return x;
    }
    let corner = |k: usize| direction(k % count, count).map(|d| radius * d);
    let (a, b) = (corner(edge), corner(edge + 1));
    let along = [b[0] - a[0], b[1] - a[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    let share = (x[0] - a[0]) * along[0] + (x[1] - a[1]) * along[1];
    let share = if square > 0.0 { (share / square).clamp(0.0, 1.0) } else { 0.0 };
    [a[0] + share * along[0], a[1] + share * along[1]]
}

/// The size of the polygon that has x on its rim.
pub(super) fn gauge(x: [f64; 2], count: usize) -> f64 {
    beyond(x, count).0
}

/// The size of the polygon that has x on its rim, and on which edge, the first from d₀ to d₁.
fn beyond(x: [f64; 2], count: usize) -> (f64, usize) {
    // The middles of the edges are at cos(π/count) of the corners' radius.
    let inner = libm::cos(core::f64::consts::PI / count as f64);
    let middle = |k: usize| {
        let (sine, cosine) = libm::sincos(core::f64::consts::TAU * (k as f64 + 0.5) / count as f64);
        (x[0] * cosine + x[1] * sine) / inner
    };
    let larger = |most: (f64, usize), (size, k): (f64, usize)| {
        if size.is_nan() || size > most.0 { (size, k) } else { most }
    };
    (0..count).map(|k| (middle(k), k)).fold((0.0, 0), larger)
}

/// maxₖ d_k · x.
pub(super) fn support(x: [f64; 2], count: usize) -> f64 {
    (0..count).map(|k| direction(k, count)).map(|d| d[0] * x[0] + d[1] * x[1]).fold(0.0, worse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::slip::norm;

    /// Friction of 10⁻⁸ N s against a fast slip across an edge: all of the edge is equally far, to rounding.
    #[test]
    fn the_nearest_point_of_a_small_polygon_is_on_its_edge() {
        for count in [4, 6, 10] {
            for edge in 0..count {
                for share in [0.0, 0.3, 1.0] {
                    let [a, b] =
                        [edge, edge + 1].map(|k| direction(k % count, count).map(|d| 1e-8 * d));
                    let point = [0, 1].map(|k| a[k] + share * (b[k] - a[k]));
                    let middle = [0, 1].map(|k| 1e8 * (a[k] + b[k]));
                    let far = [0, 1].map(|k| point[k] + 0.3 * middle[k]);
                    let nearest = onto_polygon(far, 1e-8, count);
                    let error = norm([nearest[0] - point[0], nearest[1] - point[1]]);
                    assert!(error < 2e-16, "{count}, {edge}, {share}: {error:e}");
                }
            }
        }
    }
}
