//! What a unilateral constraint is at the beginning of a step, and what is wanted of it.

/// A unilateral constraint at the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// φ, in metres or radians, positive apart.
    pub gap: f64,
    /// The velocity along the normal, positive when parting, and along the tangents of a contact,
    /// in m/s or rad/s.
    pub velocity: [f64; 3],
    /// e, from 0 to 1.
    pub restitution: f64,
    /// h, in seconds.
    pub step_size: f64,
}

impl Approach {
    /// Whether the constraint closes in the step at the velocity that it begins with.
    #[inline]
    pub(super) fn closes(&self) -> bool {
        self.velocity[0] < 0.0 && self.gap + self.step_size * self.velocity[0] <= 0.0
    }

    /// A least velocity along the normal, or the one at which what closes springs back by Newton's law, if that is larger.
    #[inline]
    pub(super) fn demand(&self, least: f64) -> Demand {
        let rebound = -self.restitution * self.velocity[0];
        // An impact is rigid along the tangents too: what would let slip be kept there would feed it.
        let springs_back = self.restitution > 0.0 && self.closes() && rebound > least;
        Demand::of_normal(if springs_back { rebound } else { least })
    }
}

/// What a formulation wants of the rows of a unilateral constraint: with w = J v⁺ − target + σ Λ,
/// the law is one between w and Λ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Along normal and tangents, in m/s or rad/s.
    pub target: [f64; 3],
    /// σ of each row by what an impulse of one along it makes faster, Jᵢ M⁻¹ Jᵢᵀ.
    pub regularization: f64,
    /// Whether the constraint is so far beyond the margin of the law that it has no friction in this step.
    pub is_apart: bool,
}

impl Demand {
    /// A least velocity along the normal.
    #[inline]
    pub(super) fn of_normal(least: f64) -> Self {
        Self { target: [least, 0.0, 0.0], ..Self::default() }
    }

    /// What it leaves of a coefficient of friction.
    #[inline]
    pub(super) fn friction(&self, coefficient: f64) -> f64 {
        if self.is_apart { 0.0 } else { coefficient }
    }
}
