//! Todorov: contact as a regularised convex program.
//!
//! > min ½ Λᵀ (A + R) Λ + Λᵀ (J v_free − ẋᵈ)  over Λ ∈ K,  A = J M̂⁻¹ Jᵀ,  R = ε diag A
//! > ẋᵈ = J v − h B J v − h K [φ, 0, 0]ᵀ,  B = 2 (1 + ε)/κ,  K = (1 + ε)/κ²
//! > M̂ = M + b 1,  M̂ (v⁺ − ṽ) = h (f − bias − d v) + Jᵀ Λ
//!
//! Its optimality is K ∋ Λ ⟂ w ∈ K* with w = J v⁺ + R Λ − ẋᵈ. The factor 1 + ε makes the velocity
//! along a row that acts alone v⁺ = v + (ẋᵈ − v)/(1 + ε) = v − (2h/κ) v − (h/κ²) φ, if nothing else changes it: critically
//! damped with the time constant κ for every ε. R makes impulses unique, and costs what it must:
//!
//! - what rests sinks in until h K φ = −R Λ;
//! - **creep**: what friction holds slides with hB v = R Λ_t, on an incline of the angle θ with
//!   v = ε κ g sin θ / (2 (1 + ε)) for a point;
//! - what comes in fast meets a force at a distance, up to the `margin`;
//! - what slides at a speed s is lifted, as in every convex form, since w ∈ K* needs w_n ≥ μ ‖w_t‖: until
//!   φ = 2 κ μ s, if that is within the margin; else it lets go, falls, and is lifted again.
//!
//! With x = φ/h and r = h/κ, and a factor s from 1 for a row alone to 1 + ε for many that press alike, a step is
//!
//! > v⁺ = v − s (2 r v + r² x),  x⁺ = x + v⁺,
//!
//! which is stable for s (4 r + r²) < 4 alone: κ must be above h / 2(√(1 + 1/(1 + ε)) − 1), or 1.21 h for small ε.
//!
//! **Restitution** is for what leaves within the step: where a constraint closes at the speed s and φ + h e s > 0,
//! n v⁺ ≥ e s is demanded, from whatever gap. What is thrown up without leaving would be kept so by a law that carries its
//! weight whatever its velocity, fall, and be thrown up again: what presses a contact at rest, with an acceleration a, makes
//! it close at up to h a after each flight of a step, for ever. As it is, a flight of two steps with s = h a/(1 + e) ends
//! by h² a (1 − e)/(1 + e) deeper than it began, and the last one too deep to leave. What closes faster than h a/e is
//! always thrown back: it is seen before it penetrates, or has penetrated by less than h² a.
//!
//! K is the round cone, or the pyramid over the polygon of a contact's directions. Implicit damping of a
//! joint with the coefficient d has b = h d; a textbook's cart, (m + b)(v⁺ − v) = h (u − b v) + Λ, has b = d.
//!
//! # Source
//!
//! Todorov: Convex and Analytically-Invertible Dynamics with Contacts and Constraints, ICRA (2014). Tedrake:
//! Underactuated Robotics, appendix on multi-body dynamics.

use super::Error;
use super::demand::{Approach, Demand};
use super::normal::NormalLaw;
use super::parameter;
use super::range::Range;
use crate::arithmetic::Lanes;
use crate::kernel::Real;
use crate::slices::sqrt;

/// The regularised convex form,
///
/// > min ½ Λᵀ (A + R) Λ + Λᵀ (J v_free − ẋᵈ)  over the friction cones,  A = J M⁻¹ Jᵀ,  R = ε diag A
///
/// where ẋᵈ is such that each row is a critically damped spring of the time constant κ: v⁺ = v − (2h/κ) v − (h/κ²) φ for
/// a row alone. It always has a solution, which is unique, and depends smoothly on the state; what that costs is
///
/// - **sinking**: what rests penetrates, under gravity by about ε κ² g/(1 + ε) where one row carries a point's weight:
///   4 µm by default;
/// - **creep**: what friction holds slides; a point on an incline of the angle θ with ε κ g sin θ/(2 (1 + ε)), which is
///   70 µm/s by default at 45°;
/// - **hovering**: what slides at a speed s is lifted up to φ = 2 κ μ s, within the margin. What lands while it slides is thrown off at
///   up to μ s where the margin is smaller than that;
/// - **depth**: what comes at a speed s goes in by about κ s/2.7, 7 mm at 1 m/s by default, and through what is thinner.
///
/// With restitution e > 0 what closes at a speed s springs back with e s, if that takes it apart within the step,
/// φ + h e s > 0; else it is at rest, or comes to it, and only the spring acts.
///
/// | parameter | default | bounds | advice |
/// |---|---|---|---|
/// | `regularization` ε | 10⁻³ | > 0 | smaller is nearer to rigid, and takes more iterations |
/// | `time_constant` κ | 0.02 s | > 1.21 h for small ε, else the first step is an error; exactly h / 2(√(1 + 1/(1 + ε)) − 1) | how fast a penetration is put right; several steps long: below 2h velocities change their sign in every step. What starts at a depth d leaves at up to d/(e κ), unless its weight holds it, g κ > d/(e κ) |
/// | `margin` | 0 | ≥ 0 m or rad | the gap from which on contacts act; with 0 what slides bounces in the order of h, with more it hovers smoothly, as much as that high: by a centimetre down an incline with a margin of one |
/// | `inertia` b, `damping` d | 0 | ≥ 0 kg or kg m², N s/m or N m s/rad | added to M and to the damping of every coordinate, implicitly |
/// | `cone` | round | | |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Todorov {
    pub(super) regularization: f64,
    pub(super) time_constant: f64,
    pub(super) inertia: f64,
    pub(super) damping: f64,
    pub(super) margin: f64,
    pub(super) cone: Cone,
}

/// The cone of a convex form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cone {
    /// ‖Λ_t‖ ≤ μ Λ_n.
    #[default]
    Round,
    /// The pyramid over the polygon of the contact's directions, inside of the round cone.
    Pyramid,
}

impl Todorov {
    pub(super) const DEFAULT: Self = Self {
        regularization: 1e-3,
        time_constant: 0.02,
        inertia: 0.0,
        damping: 0.0,
        margin: 0.0,
        cone: Cone::Round,
    };

    /// With the regularisation ε > 0 and the time constant κ > 0 in seconds, as the [type](Self) has them; no
    /// additional inertia or damping, a margin of 0, the round cone.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] names the one that is out of its range.
    pub fn new(regularization: f64, time_constant: f64) -> Result<Self, Error> {
        parameter::check("regularization", regularization, Range::Positive)?;
        parameter::check("time_constant", time_constant, Range::Positive)?;
        Ok(Self { regularization, time_constant, ..Self::default() })
    }

    /// With b ≥ 0 in kg or kg m² and d ≥ 0 in N s/m or N m s/rad at every coordinate.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] names the one that is out of its range.
    pub fn implicit_damping(self, inertia: f64, damping: f64) -> Result<Self, Error> {
        parameter::check("inertia", inertia, Range::NotNegative)?;
        parameter::check("damping", damping, Range::NotNegative)?;
        Ok(Self { inertia, damping, ..self })
    }

    /// With constraints active from this gap ≥ 0 on, in metres or radians.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`].
    pub fn margin(self, margin: f64) -> Result<Self, Error> {
        parameter::check("margin", margin, Range::NotNegative)?;
        Ok(Self { margin, ..self })
    }

    /// With this cone.
    #[must_use]
    pub fn cone(self, cone: Cone) -> Self {
        Self { cone, ..self }
    }

    /// 1 − h B and h K.
    #[inline(always)]
    fn gains(&self, h: f64) -> [f64; 2] {
        let rate = (1.0 + self.regularization) / self.time_constant;
        [1.0 - 2.0 * h * rate, h * rate / self.time_constant]
    }

    /// ẋᵈ of contacts that spring back from nothing, where φ is within the margin.
    #[inline(always)]
    pub(super) fn targets<A: Real>(&self, [gap, n, x, y]: [A::Quad; 4], h: f64) -> [A::Quad; 3] {
        let [kept, stiffness] = self.gains(h).map(A::Quad::splat);
        [kept * n - stiffness * gap, kept * x, kept * y]
    }
}

impl NormalLaw for Todorov {
    /// ẋᵈ and R, where φ is within the margin or what closes springs back.
    fn demand(&self, approach: &Approach) -> Option<Demand> {
        let Approach { gap, velocity, restitution, step_size: h } = *approach;
        let [kept, stiffness] = self.gains(h);
        let target = (gap <= self.margin).then(|| {
            let [n, x, y] = velocity.map(|v| kept * v);
            [n - stiffness * gap, x, y]
        });
        let rebound = -restitution * velocity[0];
        let leaves = restitution > 0.0 && approach.closes() && gap + h * rebound > 0.0;
        let target = match target {
            Some([n, ..]) if !leaves || rebound <= n => target,
            // An impact is rigid along the tangents too: what would let slip be kept there would feed it.
            _ => leaves.then_some([rebound, 0.0, 0.0]),
        };
        target.map(|target| Demand {
            target,
            regularization: self.regularization,
            ..Demand::default()
        })
    }

    fn margin(&self) -> f64 {
        self.margin
    }

    /// # Errors
    ///
    /// [`Error::TimeConstant`] if steps of `h` seconds would make motion grow.
    fn check(&self, h: f64) -> Result<(), Error> {
        let least = 0.5 * h / (sqrt(1.0 + 1.0 / (1.0 + self.regularization)) - 1.0);
        let value = self.time_constant;
        if value > least { Ok(()) } else { Err(Error::TimeConstant { value, least }) }
    }

    fn springs(&self) -> Option<&Todorov> {
        Some(self)
    }

    fn is_relative(&self) -> bool {
        self.regularization > 0.0
    }

    fn implicit(&self) -> [f64; 2] {
        [self.inertia, self.damping]
    }
}

impl Default for Todorov {
    /// ε = 10⁻³ and κ = 20 ms, no implicit damping, active where φ ≤ 0, the round cone.
    fn default() -> Self {
        Self::DEFAULT
    }
}
