//! The normal of two cores to rounding, from a direction near it.
//!
//! Of the support points a of the first core along −n and b of the second along n, where s(n) = n · (a − b) is the
//! largest and smooth, a − b is along n. If an edge e touches, s has a kink across the plane of all n with n · e = 0, and
//! is smooth in it. With the projection P onto what is across n, and e, Newton's method is
//!
//! > P (R_A + R_B + s 1) P δ = P (a − b),  n ← (n + δ) / |n + δ|
//!
//! R is the second derivative of a support function: for the rim of a cylinder of radius r with the tangent t it is
//! r/ρ t tᵀ, where ρ is the length of the part of n across the axis; for corners and edges it is zero. Only where the
//! matrix is positive definite there is a maximum.
//!
//! # Source
//!
//! Schneider: Convex Bodies, The Brunn–Minkowski Theory (2014), section 2.5 (second derivatives of support functions).

use nalgebra::{Matrix3, Vector3};

use super::core_shape::Core;
use super::placed::Placed;
use super::separation::{self, Separation};

/// Each squares the error, of which a start has some thousandths.
const ITERATIONS: usize = 8;
/// A step that is no longer than this is due to rounding.
const ENDED: f64 = 1e-13;
/// A direction that is across an axis, or along it, to this sine has no projection.
const DEGENERATE: f64 = 1e-9;

/// The best that is found near `start`, a unit vector: with no edge, and with each that may touch.
pub(super) fn sharpen(
    first: &Placed<'_>,
    second: &Placed<'_>,
    start: &Vector3<f64>,
) -> Option<Separation> {
    let edges = edges(first, &-start).chain(edges(second, start)).map(Some);
    let found = edges.chain([None]).filter_map(|edge| climb([first, second], start, edge));
    found.max_by(|a, b| a.gap.total_cmp(&b.gap))
}

/// Directions of the edges that end where the core is the furthest along `d`.
fn edges<'a>(placed: &'a Placed<'a>, d: &Vector3<f64>) -> impl Iterator<Item = Vector3<f64>> + 'a {
    let hull = if let Core::Hull(hull) = placed.core() { Some(hull) } else { None };
    let local = placed.rotation.tr_mul(d);
    let of_hull = hull.into_iter().flat_map(move |hull| hull.edges_at(hull.furthest(&local)));
    let of_hull = of_hull.filter_map(|edge| (placed.rotation * edge).try_normalize(0.0));
    separation::axes(placed).chain(of_hull)
}

/// Where the iterations end; `None` where that is no maximum.
fn climb(
    [first, second]: [&Placed<'_>; 2],
    start: &Vector3<f64>,
    edge: Option<Vector3<f64>>,
) -> Option<Separation> {
    let edge = edge.unwrap_or_else(Vector3::zeros);
    let bound = |n: Vector3<f64>| (n - edge * edge.dot(&n)).try_normalize(DEGENERATE);
    let mut n = bound(*start)?;
    for _ in 0..ITERATIONS {
        let away = first.support(&-n) - second.support(&n);
        let fixed = n * n.transpose() + edge * edge.transpose();
        let across = Matrix3::identity() - fixed;
        let round = curvature(first, &n) + curvature(second, &n);
        let bent = round + Matrix3::from_diagonal_element(n.dot(&away));
        let step = (across * bent * across + fixed).cholesky()?.solve(&(across * away));
        n = bound(n + step)?;
        if step.norm() <= ENDED {
            return Some(separation::along(first, second, &n));
        }
    }
    None
}

/// R along the unit vector `n`, which is the same along its reverse.
fn curvature(placed: &Placed<'_>, n: &Vector3<f64>) -> Matrix3<f64> {
    let Core::Cylinder { radius, .. } = placed.core() else { return Matrix3::zeros() };
    let tangent = placed.axis(2).cross(n);
    let across = tangent.norm();
    if across <= DEGENERATE {
        return Matrix3::zeros();
    }
    tangent * tangent.transpose() * (radius / (across * across * across))
}
