//! How well the impulse of a contact and what it leads to satisfy a law.
//!
//! - normal: min(λ, w_n);
//! - a friction with maximum dissipation over a set C, disc or polygon of the size μ λ: p − P_C(p − w_t), P the
//!   projection, zero exactly where −w_t is in the normal cone of C at p;
//! - torsional friction: p − mid(−ν λ, p − ω_n, ν λ);
//! - the convex forms, K ∋ Λ ⟂ w ∈ K*: what Λ lacks to be in K, what w lacks to be in K*, and Λᵀ w by the
//!   larger of both.

use super::bounded;
use super::sum::{Sum, relative};
use crate::contact::formulation::norm;
use crate::contact::{Cone, Formulation, direction, sticking};
use crate::lcp::natural;
use crate::slices::{larger, largest, sqrt, worse};

/// A contact at the end of a step.
pub(crate) struct Contact {
    /// Along normal and tangents, in the phase of the step that friction is one of.
    pub(crate) impulse: [f64; 3],
    /// The least normal impulse.
    pub(crate) floor: f64,
    /// J v⁺ − target + σ Λ.
    pub(crate) w: [Sum; 3],
    pub(crate) friction: f64,
    pub(crate) directions: usize,
    /// The strongest normal impulse of the step.
    pub(crate) strongest: f64,
}

/// K contacts at the end of a step, with what [`Contact`] has of one.
pub(in crate::contact) struct Ends<const K: usize> {
    pub(in crate::contact) impulse: [[f64; K]; 3],
    pub(in crate::contact) floor: [f64; K],
    /// The sums w, and the largest of their terms.
    pub(in crate::contact) w: [[f64; K]; 3],
    pub(in crate::contact) scale: [[f64; K]; 3],
    pub(in crate::contact) friction: [f64; K],
    pub(in crate::contact) strongest: f64,
}

impl<const K: usize> Ends<K> {
    /// The worst along the normals, and of friction, by Coulomb's law.
    #[inline(always)]
    pub(in crate::contact) fn coulomb(&self) -> [f64; 2] {
        let [normal, p, q] = &self.impulse;
        let (mut along, mut friction) = ([0.0; K], [0.0; K]);
        for k in 0..K {
            let (pressed, w) =
                (normal[k] - self.floor[k], self.w[0][k] / larger(self.scale[0][k], 1.0));
            // The smaller one; NaN if one of them is.
            along[k] = (if pressed < w { pressed } else { w + 0.0 * pressed }).abs();
            let scale = larger(larger(self.scale[1][k], self.scale[2][k]), 1.0);
            let (x, y) = (p[k] - self.w[1][k] / scale, q[k] - self.w[2][k] / scale);
            let radius = larger(self.friction[k] * normal[k], 0.0);
            // Onto the disc.
            let length = sqrt(x * x + y * y);
            let kept = if length > radius { radius / length } else { 1.0 };
            let (x, y) = (p[k] - kept * x, q[k] - kept * y);
            let scale = larger(self.friction[k] * self.strongest, sqrt(p[k] * p[k] + q[k] * q[k]));
            friction[k] = worse(x.abs(), y.abs()) / larger(scale, 1.0);
        }
        [along, friction].map(|errors| errors.into_iter().fold(0.0, worse))
    }

    /// The worst of the contacts by the law of any formulation.
    pub(in crate::contact) fn one_by_one(&self, formulation: &Formulation) -> [f64; 2] {
        let of = |lane: usize| {
            let (w, scale) = (self.w.map(|row| row[lane]), self.scale.map(|row| row[lane]));
            let contact = Contact {
                impulse: self.impulse.map(|row| row[lane]),
                floor: self.floor[lane],
                w: [0, 1, 2].map(|axis| Sum { value: w[axis], scale: scale[axis] }),
                friction: self.friction[lane],
                directions: 0,
                strongest: self.strongest,
            };
            contact.residual(formulation)
        };
        let worst = |[n, f]: [f64; 2], one: [f64; 2]| [worse(n, one[0]), worse(f, one[1])];
        (0..K).map(of).fold([0.0; 2], worst)
    }
}

/// The spin of a contact at the end of a step.
pub(crate) struct Spin {
    /// About the normal, in the phase of the step that friction is one of.
    pub(crate) impulse: f64,
    /// ω_n.
    pub(crate) w: Sum,
}

impl Spin {
    /// Of friction up to a bound, which is not negative in a solution.
    pub(crate) fn residual(&self, bound: f64) -> f64 {
        bounded(self.impulse, self.w.relative(), [-bound.max(0.0), bound.max(0.0)])
    }
}

impl Contact {
    /// Along the normal, and of friction.
    #[inline]
    pub(crate) fn residual(&self, formulation: &Formulation) -> [f64; 2] {
        let normal = natural(self.impulse[0] - self.floor, self.w[0].relative());
        let polygon = Some(self.directions);
        match formulation {
            Formulation::StewartTrinkle | Formulation::AnitescuPotra(_) => {
                [normal, self.dissipation(self.directions)]
            }
            Formulation::Coulomb(_) => self.side_by_side().coulomb(),
            Formulation::Frictionless(_) => [normal, norm([self.impulse[1], self.impulse[2]])],
            Formulation::Sticking(_) => [normal, self.sticking()],
            Formulation::Anitescu(_) => self.convex(polygon),
            Formulation::Todorov(law) => {
                self.convex((law.cone == Cone::Pyramid).then_some(self.directions))
            }
        }
    }

    /// Alone.
    #[inline(always)]
    fn side_by_side(&self) -> Ends<1> {
        Ends {
            impulse: self.impulse.map(|impulse| [impulse]),
            floor: [self.floor],
            w: self.w.map(|w| [w.value]),
            scale: self.w.map(|w| [w.scale]),
            friction: [self.friction],
            strongest: self.strongest,
        }
    }

    fn dissipation(&self, count: usize) -> f64 {
        let radius = larger(self.friction * self.impulse[0], 0.0);
        let (p, slip) = ([self.impulse[1], self.impulse[2]], self.relative_slip());
        let moved = [p[0] - slip[0], p[1] - slip[1]];
        let nearest = onto_polygon(moved, radius, count);
        // Scales below one do not matter, and the square of what is below one is so too.
        let square = p[0] * p[0] + p[1] * p[1];
        let length = if square > 1.0 { norm(p) } else { 1.0 };
        let scale = larger(self.friction * self.strongest, length);
        relative(worse((p[0] - nearest[0]).abs(), (p[1] - nearest[1]).abs()), scale)
    }

    /// What presses does not slip, or has friction against its slip that is as large as in the limit, and what does not
    /// press is held entirely or has none.
    fn sticking(&self) -> f64 {
        let [normal, x, y] = self.impulse;
        let (friction, slip) = (norm([x, y]), self.relative_slip());
        let speed = norm(slip);
        if speed.is_nan() || friction == 0.0 {
            return speed.min(larger(normal, 0.0));
        }
        if normal <= 0.0 || normal.is_nan() {
            return friction.min(worse(speed, self.w[0].relative().abs()));
        }
        // As under Coulomb's law with the coefficient of the limit.
        let moved = [x - slip[0], y - slip[1]];
        let kept = (sticking::LIMIT * normal / norm(moved)).min(1.0);
        let scale = (sticking::LIMIT * self.strongest).max(friction).max(1.0);
        let slides = norm([x - kept * moved[0], y - kept * moved[1]]) / scale;
        speed.min(normal).min(slides)
    }

    fn convex(&self, polygon: Option<usize>) -> [f64; 2] {
        let [n, p, q] = self.impulse;
        // All by one scale, since Λᵀ w is a sum.
        let common = self.w.iter().fold(0.0, |scale, w| worse(w.scale, scale));
        let w = self.w.map(|w| Sum { scale: common, ..w }.relative());
        let [_, x, y] = w;
        let scale = (self.friction * self.strongest).max(1.0);
        let outside = (gauge([p, q], polygon) - self.friction * n).max(-n).max(0.0) / scale;
        let along = match polygon {
            None => norm([x, y]),
            Some(count) => support([-x, -y], count),
        };
        let missing = (self.friction * along - w[0]).max(0.0);
        let sizes = [largest(&self.impulse), largest(&w)];
        let product: f64 = self.impulse.iter().zip(w).map(|(p, w)| p * w).sum();
        let product = product.abs() / sizes[0].max(sizes[1]).max(1.0);
        [worse(missing, product), outside]
    }

    /// w_t, by the larger of its parts.
    #[inline]
    fn relative_slip(&self) -> [f64; 2] {
        let scale = larger(self.w[1].scale, self.w[2].scale);
        [1, 2].map(|k| Sum { value: self.w[k].value, scale }.relative())
    }
}

/// The nearest point of the polygon with so many corners at radius · d_k. It is on the edge that x is beyond, of which all
/// points may be equally far to rounding.
fn onto_polygon(x: [f64; 2], radius: f64, count: usize) -> [f64; 2] {
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

/// The size of the disc or polygon that has x on its rim.
fn gauge(x: [f64; 2], polygon: Option<usize>) -> f64 {
    polygon.map_or_else(|| norm(x), |count| beyond(x, count).0)
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
fn support(x: [f64; 2], count: usize) -> f64 {
    (0..count).map(|k| direction(k, count)).map(|d| d[0] * x[0] + d[1] * x[1]).fold(0.0, worse)
}

#[cfg(test)]
mod tests {
    use super::*;

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
