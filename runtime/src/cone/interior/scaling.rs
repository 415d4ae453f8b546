//! The scaling of Nesterov and Todd in second-order cones of four dimensions.
//!
//! > W z = W⁻¹ s,  W⁻² = (2 (J w) (J w)ᵀ − J) / η²,  J = diag(1, −1, −1, −1)
//! > w = (s̄ + J z̄) / (2 γ),  γ² = (1 + s̄ᵀ z̄) / 2,  η⁴ = sᵀ J s / zᵀ J z
//!
//! for s̄ = s / √(sᵀ J s) and z̄ likewise. A number that is not negative is (x, 0, 0, 0), the
//! cone of a contact (x, y, z, 0).
//!
//! # Source
//!
//! Vandenberghe: The CVXOPT Linear and Quadratic Cone Program Solvers (2010), sections 4 and 5.

use crate::kernel::Real;

/// A vector in the space of a cone.
pub(super) type Vector = [f64; 4];

/// The unit of the product.
pub(super) const UNIT: Vector = [1.0, 0.0, 0.0, 0.0];

/// W; the identity before there is any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling {
    w: Vector,
    eta: f64,
}

impl Default for Scaling {
    fn default() -> Self {
        Self { w: UNIT, eta: 1.0 }
    }
}

/// xᵀ y.
#[inline(always)]
pub(super) fn dot(x: &Vector, y: &Vector) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]
}

/// a + f b.
#[inline(always)]
pub(super) fn plus(a: &Vector, f: f64, b: &Vector) -> Vector {
    [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2], a[3] + f * b[3]]
}

/// How far a vector is within the cone: its smaller eigenvalue.
#[inline(always)]
pub(super) fn depth<A: Real>(x: &Vector) -> f64 {
    x[0] - A::sqrt(x[1] * x[1] + x[2] * x[2] + x[3] * x[3])
}

/// xᵀ J x by its factors, which do not cancel.
#[inline(always)]
fn square<A: Real>(x: &Vector) -> f64 {
    let length = A::sqrt(x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    (x[0] - length) * (x[0] + length)
}

/// x ∘ y.
#[inline(always)]
pub(super) fn product(x: &Vector, y: &Vector) -> Vector {
    let [_, a, b, c] = core::array::from_fn(|k| x[0] * y[k] + y[0] * x[k]);
    [dot(x, y), a, b, c]
}

/// y with x ∘ y = d, for x within the cone.
#[inline(always)]
pub(super) fn quotient<A: Real>(x: &Vector, d: &Vector) -> Vector {
    let determinant = square::<A>(x);
    let along = x[1] * d[1] + x[2] * d[2] + x[3] * d[3];
    let first = (x[0] * d[0] - along) / determinant;
    let [_, a, b, c] = core::array::from_fn(|k| (d[k] - first * x[k]) / x[0]);
    [first, a, b, c]
}

/// The longest step, at most 1, along which x + α d stays in the cone.
#[inline(always)]
pub(super) fn step<A: Real>(x: &Vector, d: &Vector) -> f64 {
    // The roots of c + 2 b α + a α² = (x + α d)ᵀ J (x + α d).
    let (a, c) = (square::<A>(d), square::<A>(x));
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2] - x[3] * d[3];
    let discriminant = b * b - a * c;
    let mut longest = 1.0;
    if discriminant >= 0.0 {
        let root = A::sqrt(discriminant);
        let q = if b < 0.0 { root - b } else { -root - b };
        for alpha in [q / a, c / q] {
            if alpha > 0.0 && alpha < longest {
                longest = alpha;
            }
        }
    }
    if d[0] < 0.0 { f64::min(longest, -x[0] / d[0]) } else { longest }
}

impl Scaling {
    /// Of s and z within the cone.
    #[inline(always)]
    pub(super) fn new<A: Real>(s: &Vector, z: &Vector) -> Self {
        let (s_size, z_size) = (A::sqrt(square::<A>(s)), A::sqrt(square::<A>(z)));
        let (s, z) = (s.map(|x| x / s_size), z.map(|x| x / z_size));
        let gamma = A::sqrt(0.5 * (1.0 + dot(&s, &z)));
        let half = 0.5 / gamma;
        let [_, a, b, c] = core::array::from_fn(|k| half * (s[k] - z[k]));
        let w = [half * (s[0] + z[0]), a, b, c];
        Self { w, eta: A::sqrt(s_size / z_size) }
    }

    /// W x.
    #[inline(always)]
    pub(super) fn apply(&self, x: &Vector) -> Vector {
        let w = &self.w;
        let along = w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
        let factor = x[0] + along / (1.0 + w[0]);
        let [_, a, b, c] = core::array::from_fn(|k| x[k] + factor * w[k]);
        [w[0] * x[0] + along, a, b, c].map(|y| y * self.eta)
    }

    /// W⁻¹ x.
    #[inline(always)]
    pub(super) fn invert(&self, x: &Vector) -> Vector {
        let w = [self.w[0], -self.w[1], -self.w[2], -self.w[3]];
        Self { w, eta: 1.0 / self.eta }.apply(x)
    }

    /// W⁻² x.
    #[inline(always)]
    pub(super) fn invert_twice(&self, x: &Vector) -> Vector {
        self.invert(&self.invert(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Plain;

    #[test]
    fn both_are_scaled_to_the_same() {
        let (s, z) = ([2.0, 1.0, -1.5, 0.5], [3.0, -0.5, 2.0, 1.0]);
        let scaling = Scaling::new::<Plain>(&s, &z);
        let (a, b) = (scaling.apply(&z), scaling.invert(&s));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14), "{a:?} {b:?}");
        let y = quotient::<Plain>(&s, &product(&s, &z));
        assert!(y.iter().zip(z).all(|(a, b)| (a - b).abs() < 1e-14), "{y:?}");
    }

    #[test]
    fn a_step_ends_at_the_boundary() {
        for (x, d) in [
            ([2.0, 1.0, -1.5, 0.5], [-3.0, 0.5, 2.0, 1.0]),
            ([1.0, 0.0, 0.0, 0.0], [-4.0, 0.0, 0.0, 0.0]),
            ([1.0, 0.5, 0.0, 0.0], [0.0, 5.0, 1.0, 0.0]),
        ] {
            let alpha = step::<Plain>(&x, &d);
            assert!(alpha < 1.0 && depth::<Plain>(&plus(&x, alpha, &d)).abs() < 1e-14, "{alpha}");
        }
        assert_eq!(step::<Plain>(&[1.0, 0.5, 0.0, 0.1], &[2.0, 1.0, 0.5, 0.1]), 1.0);
    }
}
