//! The law of what acts on one coordinate.

use super::super::candidate::Candidate;

/// A motor, dry friction or a limit.
///
/// > Λ ∈ [lo, hi],  w = s v⁺ − v* + σ Λ,  w ≥ 0 at lo, w ≤ 0 at hi, w = 0 between
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    /// The velocity coordinate.
    pub(super) v: usize,
    /// s.
    sign: f64,
    bounds: [f64; 2],
    /// v*.
    target: f64,
    /// σ.
    softness: f64,
    /// Λ.
    pub(super) impulse: f64,
    /// G and c of Λ = c − G s v⁺.
    slope: f64,
    constant: f64,
}

impl Law {
    /// The law of a candidate that acts on one coordinate.
    pub(super) fn new(candidate: &Candidate) -> Option<Self> {
        let (v, sign, bounds) = candidate.on_coordinate()?;
        let target = candidate.demand.target[0];
        let softness = candidate.softness;
        Some(Self { v, sign, bounds, target, softness, impulse: 0.0, slope: 0.0, constant: 0.0 })
    }

    /// Whether it has no bounds and does not give way.
    pub(super) fn insists(&self) -> bool {
        self.bounds == [f64::NEG_INFINITY, f64::INFINITY] && self.softness == 0.0
    }

    /// Takes the impulse to start from, that of the last step; where that is zero and σ > 0, the one with w = 0 at a velocity.
    pub(super) fn start(&mut self, impulse: f64, v: f64) {
        let [lower, upper] = self.bounds;
        let missing = self.target - self.sign * v;
        let impulse =
            if impulse == 0.0 && self.softness > 0.0 { missing / self.softness } else { impulse };
        self.impulse = impulse.max(lower).min(upper);
    }

    /// Finds G and c at a velocity by the projection of Λ − ρ w. `holding` is κ.
    #[inline(always)]
    pub(super) fn linearise(&mut self, v: f64, inertia: f64, holding: f64) {
        let [lower, upper] = self.bounds;
        let sought = self.impulse - inertia * self.w(v);
        (self.slope, self.constant) = if sought >= upper {
            (0.0, upper)
        } else if sought <= lower {
            (0.0, lower)
        } else {
            self.between(holding * inertia)
        };
    }

    /// G and c between the bounds. With σ = 0, or one that is next to it, the law gets a finite inertia and carries its impulse.
    #[inline(always)]
    fn between(&self, inertia: f64) -> (f64, f64) {
        if inertia * self.softness > 1.0 {
            let slope = 1.0 / self.softness;
            return (slope, slope * self.target);
        }
        let slope = inertia / (1.0 + inertia * self.softness);
        (slope, slope * (self.impulse / inertia + self.target))
    }

    /// G, and s c: what it adds to the inertia of its coordinate, and to the momentum at rest.
    #[inline(always)]
    pub(super) fn inertia_and_momentum(&self) -> [f64; 2] {
        [self.slope, self.sign * self.constant]
    }

    /// s Λ.
    #[inline(always)]
    pub(super) fn momentum(&self) -> f64 {
        self.sign * self.impulse
    }

    /// Finds the impulse at v⁺; returns the natural residual as in [`NEGLIGIBLE`](super::solve::NEGLIGIBLE).
    #[inline(always)]
    pub(super) fn update(&mut self, v: f64, inertia: f64) -> f64 {
        let [lower, upper] = self.bounds;
        self.impulse = self.constant - self.slope * self.sign * v;
        let w = self.w(v);
        let natural = (self.impulse - inertia * w).max(lower).min(upper);
        let size = w.abs().max(self.target.abs()).max(1.0);
        (natural - self.impulse).abs() / (inertia * size)
    }

    /// Rounding of G times velocities, relative to the impulse if that is above one, N s or N m s.
    #[inline(always)]
    pub(super) fn rounding(&self, [before, after]: [f64; 2]) -> f64 {
        let velocity = before.abs().max(after.abs());
        f64::EPSILON * self.slope * velocity / self.impulse.abs().max(1.0)
    }

    #[inline(always)]
    fn w(&self, v: f64) -> f64 {
        self.sign * v - self.target + self.softness * self.impulse
    }
}
