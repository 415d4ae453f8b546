//! One contact, or one ball, by itself, exactly.
//!
//! > w = A λ + q,  A (3, 3), Coulomb's law with μ
//!
//! Open if qₙ ≥ 0. Else λₙ follows from wₙ = 0 and leaves B λₜ + c = wₜ, B (2, 2) positive semidefinite. The
//! contact sticks if that is solved with wₜ = 0 within the disc; else wₜ = −σ λₜ and
//!
//! > λₜ(σ) = −(B + σ)⁻¹ c,  ‖λₜ(σ)‖ − μ λₙ(σ) = 0
//!
//! which changes its sign in (0, ∞); the root is found by Newton's method kept within a bracket.
//!
//! A ball of radius r has λ = −A⁻¹ q if ‖λ‖ ≤ r. Else w = −σ λ with λ(σ) = −(A + σ)⁻¹ q, and ‖λ(σ)‖ = r. As 1 / ‖λ(σ)‖ grows with
//! σ and is concave, Newton's method for 1 / ‖λ(σ)‖ = 1 / r rises to the root from any smaller σ.
//!
//! # Source
//!
//! Bonnefon, Daviet: Quartic Formulation of Coulomb 3D Frictional Contact (2011), for the equation in σ. Moré, Sorensen:
//! Computing a Trust Region Step (1983), for that of balls.

use super::vector::length;
use crate::kernel::Real;
use crate::slices::{dot, larger};

/// B counts as singular below this, by its trace squared.
const SINGULAR: f64 = 1e-14;
const ITERATIONS: usize = 60;
/// The error of a root, by the radius of the disc.
const EXACT: f64 = 1e-14;

/// λ of one contact. `a` is symmetric, its normal entry positive.
#[inline(always)]
pub(super) fn solve<A: Real>(a: &[[f64; 3]; 3], q: [f64; 3], friction: f64) -> [f64; 3] {
    if q[0] >= 0.0 {
        return [0.0; 3];
    }
    let inverse = 1.0 / a[0][0];
    let alone = [-q[0] * inverse, 0.0, 0.0];
    if friction == 0.0 {
        return alone;
    }
    let (u, v) = (a[0][1] * inverse, a[0][2] * inverse);
    let reduced = Reduced {
        b: [a[1][1] - u * a[0][1], a[1][2] - u * a[0][2], a[2][2] - v * a[0][2]],
        c: [q[1] - u * q[0], q[2] - v * q[0]],
        normal: [alone[0], u, v],
        friction,
    };
    let [b, o, d] = reduced.b;
    let regular = b * d - o * o > SINGULAR * (b + d) * (b + d);
    if regular {
        let stuck = reduced.at::<A>(0.0);
        if stuck.excess <= 0.0 {
            return stuck.impulse;
        }
        return reduced.slide::<A>(-stuck.excess / stuck.slope);
    }
    reduced.slide::<A>(0.0)
}

/// λ of one ball. `a` is symmetric.
#[inline(always)]
pub(super) fn ball<A: Real>(a: &[[f64; 3]; 3], q: [f64; 3], radius: f64) -> [f64; 3] {
    let trace = a[0][0] + a[1][1] + a[2][2];
    let speed = A::sqrt(dot(&q, &q));
    if radius <= 0.0 || speed <= 0.0 {
        return [0.0; 3];
    }
    // ‖λ(σ)‖ ≥ ‖q‖ / (tr A + σ) is more than r below this.
    let mut sigma = larger(speed / radius - trace, 0.0);
    let mut impulse = damped(a, q, (sigma, trace));
    for _ in 0..ITERATIONS {
        let size = A::sqrt(dot(&impulse, &impulse));
        let next = damped(a, impulse, (sigma, trace));
        let step = (size / radius - 1.0) * size * size / -dot(&impulse, &next);
        // Within the ball, or at its surface.
        if step.is_nan() || step <= f64::EPSILON * (sigma + trace) {
            break;
        }
        sigma += step;
        impulse = damped(a, q, (sigma, trace));
    }
    let size = A::sqrt(dot(&impulse, &impulse));
    let kept = if size > radius { radius / size } else { 1.0 };
    impulse.map(|x| kept * x)
}

/// −(A + σ)⁻¹ x, by A + σ = L D Lᵀ. A pivot is at least 10⁻¹⁴ of the trace of A, which rounding makes of a singular one.
#[inline(always)]
fn damped(a: &[[f64; 3]; 3], x: [f64; 3], (sigma, trace): (f64, f64)) -> [f64; 3] {
    let least = SINGULAR * trace;
    let d = larger(a[0][0] + sigma, least);
    let (l, m) = (a[1][0] / d, a[2][0] / d);
    let e = larger(a[1][1] + sigma - l * a[1][0], least);
    let f = a[2][1] - m * a[1][0];
    let n = f / e;
    let g = larger(a[2][2] + sigma - m * a[2][0] - n * f, least);
    let y = x[1] - l * x[0];
    let z = (x[2] - m * x[0] - n * y) / g;
    let y = y / e - n * z;
    let x = x[0] / d - l * y - m * z;
    [-x, -y, -z]
}

/// The tangential problem.
struct Reduced {
    /// B₁₁, B₁₂, B₂₂.
    b: [f64; 3],
    c: [f64; 2],
    /// λₙ = n₀ − n₁ λ₁ − n₂ λ₂.
    normal: [f64; 3],
    friction: f64,
}

/// λ(σ) with ‖λₜ‖ − μ λₙ and its derivative.
struct Slide {
    impulse: [f64; 3],
    excess: f64,
    slope: f64,
}

impl Reduced {
    #[inline(always)]
    fn at<A: Real>(&self, sigma: f64) -> Slide {
        let ([b, o, d], [n, u, v]) = (self.b, self.normal);
        let (b, d) = (b + sigma, d + sigma);
        let inverse = 1.0 / (b * d - o * o);
        let solve = |x: f64, y: f64| ((d * x - o * y) * -inverse, (b * y - o * x) * -inverse);
        let (x, y) = solve(self.c[0], self.c[1]);
        let (dx, dy) = solve(x, y);
        let size = length::<A>(x, y);
        let normal = n - u * x - v * y;
        let grows = if size > 0.0 { (x * dx + y * dy) / size } else { 0.0 };
        Slide {
            impulse: [normal, x, y],
            excess: size - self.friction * normal,
            slope: grows + self.friction * (u * dx + v * dy),
        }
    }

    /// From a guess of σ.
    #[inline(always)]
    fn slide<A: Real>(&self, guess: f64) -> [f64; 3] {
        let trace = self.b[0] + self.b[2];
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut sigma = match guess > 0.0 && guess < f64::INFINITY {
            true => guess,
            false if trace > 0.0 => 0.05 * trace,
            false => 1.0,
        };
        for _ in 0..ITERATIONS {
            let Slide { impulse, excess, slope } = self.at::<A>(sigma);
            if excess.abs() <= EXACT * self.friction * impulse[0] {
                return impulse;
            }
            if excess > 0.0 {
                low = sigma;
            } else {
                high = sigma;
            }
            let newton = sigma - excess / slope;
            let next = if newton > low && newton < high {
                newton
            } else if high < f64::INFINITY {
                0.5 * (low + high)
            } else {
                4.0 * sigma
            };
            if next == sigma {
                return impulse;
            }
            sigma = next;
        }
        self.at::<A>(sigma).impulse
    }
}
