//! How well dry friction of a ball joint satisfies its law.
//!
//! - on the ball: p − P(p − w), P the projection onto ‖p‖ ≤ r;
//! - on the zonotope that laws by polygons have instead, Z = { Σ xₖ dₖ, |xₖ| ≤ r wₖ }: by how much p is outside, and what
//!   pᵀ w lacks to be the least of all in Z, −r Σ wₖ |dₖᵀ w|.

use super::super::sum::Sum;
use crate::cone::columns::ZONES;
use crate::contact::Formulation;
use crate::slices::{largest, sqrt, worse};

/// The residual of friction `p` of up to `radius`, with ω⁺.
pub(in crate::contact) fn ball(
    p: [f64; 3],
    w: [Sum; 3],
    radius: f64,
    formulation: &Formulation,
) -> f64 {
    let scale = w.iter().fold(0.0, |scale, w| worse(scale, w.scale));
    let w = w.map(|Sum { value, .. }| Sum { value, scale }.relative());
    let size = worse(largest(&p), largest(&w)).max(1.0);
    if formulation.friction().is_round() {
        let moved: [f64; 3] = core::array::from_fn(|k| p[k] - w[k]);
        let length = sqrt(dot(&moved, &moved));
        let kept = if length > radius { radius / length } else { 1.0 };
        return (0..3).map(|k| (p[k] - kept * moved[k]).abs() / size).fold(0.0, worse);
    }
    let missing = (dot(&p, &w) + radius * support(&w)).abs() / size;
    worse(missing, outside(&p, radius) / size)
}

fn dot(x: &[f64; 3], y: &[f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// Σ wₖ |dₖᵀ u|.
fn support(u: &[f64; 3]) -> f64 {
    ZONES.iter().map(|(weight, d)| weight * dot(d, u).abs()).sum()
}

/// How far p is outside of the zonotope, whose faces lie along two of its edges each.
fn outside(p: &[f64; 3], radius: f64) -> f64 {
    let beyond = |(i, j): (usize, usize)| {
        let (a, b) = (ZONES[i].1, ZONES[j].1);
        let n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        (dot(p, &n).abs() - radius * support(&n)) / sqrt(dot(&n, &n))
    };
    let faces = (0..ZONES.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    faces.map(beyond).fold(0.0, worse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Formulation;

    /// What is strongest against a spin is so by either law; half of it, or what is across, is not.
    #[test]
    fn friction_of_a_ball_dissipates_as_much_as_it_can() {
        let laws = [Formulation::coulomb(), Formulation::stewart_trinkle()];
        for (law, (_, d)) in laws.iter().flat_map(|law| ZONES.iter().map(move |zone| (law, zone))) {
            let w = d.map(|d| Sum { value: -0.3 * d, scale: 0.0 });
            let of = |size: f64| ball(d.map(|d| size * d), w, 0.5, law);
            assert!(of(0.25) > 1e-2 && of(0.6) > 1e-2 && of(-0.5) > 1e-2, "{law:?}, {d:?}");
            if law.friction().is_round() {
                assert!(of(0.5) < 1e-15, "{d:?}: {:e}", of(0.5));
            }
            let still = [Sum::default(); 3];
            assert!(ball(d.map(|d| 0.4 * d), still, 0.5, law) < 1e-15, "{law:?}, {d:?}");
        }
    }

    /// Along its edges the zonotope is as far as the ball, and nowhere nearer or a tenth farther.
    #[test]
    fn the_zonotope_is_about_the_ball() {
        for (_, d) in &ZONES {
            assert!((support(d) - 1.0).abs() < 1e-15, "{d:?}: {}", support(d));
        }
        for k in 0..2000 {
            let (z, angle) = (2.0 * (f64::from(k) + 0.5) / 2000.0 - 1.0, 2.399_963 * f64::from(k));
            let ring = (1.0 - z * z).sqrt();
            let size = support(&[ring * angle.cos(), ring * angle.sin(), z]);
            assert!((1.0 - 1e-15..1.094).contains(&size), "{size}");
        }
    }
}
