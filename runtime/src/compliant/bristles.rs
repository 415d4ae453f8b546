//! Friction by elastic bristles, which stick without creep.
//!
//! Bristles are deflected by z, a tangent vector, and yield as they come near to the longest deflection that the
//! coefficient admits:
//!
//! > ż = w − β(ρ) max(0, w·e) e,  e = z/|z|,  ρ = σ₀|z|/μ(w)
//! > f = −N (σ₀ z + σ₁(w) ż),  σ₁(w) = σ₁ / √(1 + (σ₁|w|/μ(w))²)
//!
//! β is 0 up to ρ = ½, so that what is loaded no further sticks and is elastic, without the creep under vibration that
//! β = ρ would mean (LuGre, Dahl); it is ρ from 1 on, where all of w is yielding, and twice continuously
//! differentiable in between. So f has the stiffness σ₀ N in sticking and is μ N in steady sliding, along −w; where
//! bristles have still to follow, in the first μ/σ₀ of a way, the damper adds as much at most.
//!
//! - |z| ≤ μ/σ₀ at all times if μ is constant, however N changes: elastic friction stays in its cone. This is why σ₀
//!   is by normal force.
//! - With constant N, what goes into the bristles, −f·w, is no less than the change of what they store, ½ σ₀ N |z|²: yielding
//!   takes σ₀N|z| β max(0, w·e), and σ₁(w)|w| ≤ μ keeps the damper from giving anything back where ρ > 1. A load that
//!   grows on deflected bristles stores more in them, up to ½ μ/σ₀ times itself.
//! - ż has a kink where a contact that is loaded by more than half its limit turns back. Error control deals with it.
//!
//! # Source
//!
//! Dahl: A Solid Friction Model (1968); Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with
//! Friction, IEEE Transactions on Automatic Control 40 (1995), LuGre, whose condition of passivity is σ₁|w| < 4μ;
//! Dupont, Hayward, Armstrong, Altpeter: Single State Elastoplastic Friction Models, IEEE Transactions on Automatic
//! Control 47 (2002), for β; Canudas de Wit, Tsiotras: Dynamic Tire Friction Models for Vehicle Traction Control (1999),
//! for σ₀ by normal force. The form for two dimensions and σ₁(w) are this library's.

use super::Stribeck;
use super::error::{Error, check};
use crate::contact::Range;

/// The ρ up to which bristles do not yield.
const ELASTIC: f64 = 0.5;

/// Friction that sticks by elastic bristles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristles {
    curve: Stribeck,
    stiffness: f64,
    damping: f64,
}

impl Bristles {
    /// With coefficients of which μ_d > 0, σ₀ > 0 in 1/m and σ₁ ≥ 0 in s/m, both by the normal force. Where gravity loads
    /// a contact, σ₁ = 2 √(σ₀/g) damps critically what sticks.
    ///
    /// # Errors
    ///
    /// [`Error::Setup`] names what is out of its range.
    pub fn new(curve: Stribeck, stiffness: f64, damping: f64) -> Result<Self, Error> {
        check("friction when sliding", curve.sliding(), Range::Positive)?;
        check("stiffness of bristles", stiffness, Range::Positive)?;
        check("damping of bristles", damping, Range::NotNegative)?;
        Ok(Self { curve, stiffness, damping })
    }

    /// μ_s/σ₀ in m: how far bristles are deflected when they break away.
    pub fn longest(&self) -> f64 {
        self.curve.at_rest() / self.stiffness
    }

    /// f/N and ż at the velocity w, m/s, and the deflection z, m.
    #[inline]
    pub(super) fn traction(&self, [x, y]: [f64; 2], [a, b]: [f64; 2]) -> ([f64; 2], [f64; 2]) {
        let (square, length) = (x * x + y * y, libm::sqrt(a * a + b * b));
        let friction = self.curve.at_square(square);
        let (load, along) = (self.stiffness * length / friction, x * a + y * b);
        // Of deflections whose squares are no numbers too.
        let yielding = if load > ELASTIC && along > 0.0 {
            yielding(load) * along / (length * length)
        } else {
            0.0
        };
        let rate = [x - yielding * a, y - yielding * b];
        let fast = self.damping / friction;
        let damping = self.damping / libm::sqrt(1.0 + fast * fast * square);
        let force = |z: f64, rate: f64| -(self.stiffness * z + damping * rate);
        ([force(a, rate[0]), force(b, rate[1])], rate)
    }
}

/// β.
#[inline]
fn yielding(load: f64) -> f64 {
    let x = ((load - ELASTIC) / (1.0 - ELASTIC)).clamp(0.0, 1.0);
    load * x * x * x * (10.0 - x * (15.0 - 6.0 * x))
}
