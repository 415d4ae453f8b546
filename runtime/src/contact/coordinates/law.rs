//! The law of what acts on single coordinates, four of them in the lanes of registers.

use crate::arithmetic::{Lanes, Ordered};
use crate::cone::Each;
use crate::kernel::Real;

/// What acts on one coordinate: its bounds, v* and σ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) bounds: [f64; 2],
    pub(super) target: f64,
    pub(super) softness: f64,
}

/// How laws are made linear: κ, and limits on how they switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switching {
    /// κ.
    pub(super) holding: f64,
    /// If given, no law goes from one bound to the other in one pass, and laws with smaller natural residuals than this stay where
    /// they are.
    pub(super) slowly: Option<f64>,
}

/// What acts in one way on four coordinates. Where nothing does, both bounds are zero.
///
/// > Λ ∈ [lo, hi],  w = v⁺ − v* + σ Λ,  w ≥ 0 at lo, w ≤ 0 at hi, w = 0 between
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Law {
    lower: Each,
    upper: Each,
    /// v*.
    target: Each,
    /// σ.
    softness: Each,
    /// Λ.
    pub(super) impulse: Each,
    /// G and c of Λ = c − G v⁺.
    slope: Each,
    constant: Each,
    /// The natural residual at the last v⁺; infinite before there is one.
    error: Each,
}

impl Law {
    /// Has a row act on the coordinate of a lane. Λ starts from the `impulse` of the last step; if that is zero and σ > 0, from the
    /// Λ with w = 0 at the velocity `v`. Returns false where a row acts already.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, row: &Row, impulse: f64, v: f64) -> bool {
        let Row { bounds: [lower, upper], target, softness } = *row;
        let is_free = self.lower[lane] == self.upper[lane];
        let is_new = impulse == 0.0 && softness > 0.0;
        let impulse = if is_new { (target - v) / softness } else { impulse };
        (self.lower[lane], self.upper[lane]) = (lower, upper);
        (self.target[lane], self.softness[lane]) = (target, softness);
        self.impulse[lane] = impulse.max(lower).min(upper);
        self.error[lane] = f64::INFINITY;
        is_free
    }

    /// The impulses at rest of what gives way; zero for what does not.
    #[inline(always)]
    pub(super) fn applied<A: Real>(&self) -> A::Quad {
        let (none, softness) = (A::Quad::splat(0.0), A::Quad::pack(self.softness));
        let force = self.nearest::<A>(A::Quad::pack(self.target) / softness);
        softness.select_at_most(none, none, force)
    }

    /// Takes the `change` of the applied impulses off Λ, as far as the bounds let it. Only a law with σ = 0 that is between its
    /// bounds takes any. Returns the rest of the change.
    #[inline(always)]
    pub(super) fn cancel<A: Real>(&mut self, change: A::Quad) -> A::Quad {
        let (none, impulse) = (A::Quad::splat(0.0), A::Quad::pack(self.impulse));
        let [lower, upper] = [self.lower, self.upper].map(A::Quad::pack);
        let softness = A::Quad::pack(self.softness);
        let sought = softness.select_at_most(none, impulse - change, impulse);
        let sought = impulse.select_at_most(lower, impulse, sought);
        let held = self.nearest::<A>(upper.select_at_most(impulse, impulse, sought));
        self.impulse = held.unpack();
        change - (impulse - held)
    }

    /// Finds G and c at a velocity by the projection of Λ − ρ w. Returns both, and by how much G changes.
    #[inline(always)]
    pub(super) fn linearise<A: Real>(
        &mut self,
        v: A::Quad,
        inertia: A::Quad,
        &Switching { holding, slowly }: &Switching,
    ) -> [A::Quad; 3] {
        let none = A::Quad::splat(0.0);
        let [lower, upper] = [self.lower, self.upper].map(A::Quad::pack);
        let mut change = inertia * self.w::<A>(v);
        if slowly.is_some() {
            let most = A::Quad::splat(0.5) * (upper - lower);
            change = change.select_at_most(most, change, most).maximum(-most);
        }
        let sought = A::Quad::pack(self.impulse) - change;
        let between = self.between::<A>(A::Quad::splat(holding) * inertia);
        let above = select::<A>([sought, lower], [none, lower], between);
        let mut found = select::<A>([upper, sought], [none, upper], above);
        let before = A::Quad::pack(self.slope);
        if let Some(least) = slowly {
            let kept = [none, A::Quad::pack(self.constant)];
            let stays = select::<A>([before, none], kept, between);
            let is_worse = [A::Quad::splat(least), A::Quad::pack(self.error)];
            found = select::<A>(is_worse, found, stays);
        }
        let [slope, constant] = found;
        (self.slope, self.constant) = (slope.unpack(), constant.unpack());
        [slope, constant, (slope - before).abs()]
    }

    /// G and c between the bounds. With σ = 0, or one that is next to it, the law gets a finite inertia and carries its impulse.
    #[inline(always)]
    fn between<A: Real>(&self, inertia: A::Quad) -> [A::Quad; 2] {
        let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
        let (given, softness) = (one / inertia, A::Quad::pack(self.softness));
        let carried = softness.select_at_most(given, given, none);
        let slope = one / (softness + carried);
        let target = A::Quad::pack(self.target);
        [slope, slope * carried.mul_add(A::Quad::pack(self.impulse), target)]
    }

    /// Finds Λ at v⁺; returns the natural residual as in [`NEGLIGIBLE`](super::solve::NEGLIGIBLE).
    #[inline(always)]
    pub(super) fn update<A: Real>(&mut self, v: A::Quad, inertia: A::Quad) -> A::Quad {
        let [impulse, error] = self.at::<A>(v, inertia);
        (self.impulse, self.error) = (impulse.unpack(), error.unpack());
        error
    }

    /// Λ at a velocity, and its natural residual there.
    #[inline(always)]
    pub(super) fn at<A: Real>(&self, v: A::Quad, inertia: A::Quad) -> [A::Quad; 2] {
        let impulse = A::Quad::pack(self.constant) - A::Quad::pack(self.slope) * v;
        let target = A::Quad::pack(self.target);
        let w = A::Quad::pack(self.softness).mul_add(impulse, v - target);
        let natural = self.nearest::<A>(impulse - inertia * w);
        let size = w.abs().maximum(target.abs()).maximum(A::Quad::splat(1.0));
        [impulse, (natural - impulse).abs() / (inertia * size)]
    }

    /// The rounding error of Λ for velocities up to `v`, which is that of G v, N s or N m s; divided by |Λ| if that is above one.
    #[inline(always)]
    pub(super) fn rounding<A: Real>(&self, v: A::Quad) -> A::Quad {
        let size = A::Quad::pack(self.impulse).abs().maximum(A::Quad::splat(1.0));
        A::Quad::splat(f64::EPSILON) * A::Quad::pack(self.slope) * v / size
    }

    /// |Λ − mid(lo, Λ − w, hi)| by Λ if that is above one, with w by its largest term if that is; v_free is one of them.
    #[inline(always)]
    pub(super) fn residual<A: Real>(&self, free: A::Quad, v: A::Quad) -> A::Quad {
        let (one, impulse) = (A::Quad::splat(1.0), A::Quad::pack(self.impulse));
        let (target, soft) = (A::Quad::pack(self.target), A::Quad::pack(self.softness) * impulse);
        let size = free.abs().maximum(v.abs()).maximum(target.abs()).maximum(soft.abs());
        let w = (v - target + soft) / size.maximum(one);
        let natural = self.nearest::<A>(impulse - w);
        (impulse - natural).abs() / natural.abs().maximum(impulse.abs()).maximum(one)
    }

    /// The impulses within the bounds that are nearest to these; NaN where these are.
    #[inline(always)]
    fn nearest<A: Real>(&self, impulse: A::Quad) -> A::Quad {
        let [lower, upper] = [self.lower, self.upper].map(A::Quad::pack);
        let raised = impulse.select_at_most(lower, lower, impulse);
        upper.select_at_most(impulse, upper, raised)
    }

    #[inline(always)]
    fn w<A: Real>(&self, v: A::Quad) -> A::Quad {
        let impulse = A::Quad::pack(self.impulse);
        A::Quad::pack(self.softness).mul_add(impulse, v - A::Quad::pack(self.target))
    }
}

/// The first pair in the lanes in which x ≤ y, the second in the others.
#[inline(always)]
fn select<A: Real>([x, y]: [A::Quad; 2], then: [A::Quad; 2], or: [A::Quad; 2]) -> [A::Quad; 2] {
    [x.select_at_most(y, then[0], or[0]), x.select_at_most(y, then[1], or[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Baseline;

    type Quad = <Baseline as crate::arithmetic::Arithmetic>::Quad;

    /// A bound of one, at the upper end.
    fn law() -> Law {
        let mut law = Law::default();
        for lane in 0..4 {
            let row = Row { bounds: [-1.0, 1.0], target: 0.0, softness: 0.0 };
            assert!(law.put(lane, &row, 1.0, 0.0));
        }
        law
    }

    /// G and Λ after a pass with an inertia of one.
    fn switch(law: &mut Law, v: f64, slowly: Option<f64>) -> (f64, f64) {
        let (v, inertia) = (Quad::splat(v), Quad::splat(1.0));
        law.linearise::<Baseline>(v, inertia, &Switching { holding: 10.0, slowly });
        let slope = law.slope[0];
        law.update::<Baseline>(v, inertia);
        (slope, law.impulse[0])
    }

    #[test]
    fn laws_that_switch_slowly_are_between_their_bounds_first() {
        assert_eq!(switch(&mut law(), 5.0, None), (0.0, -1.0));
        let mut law = law();
        assert_eq!(switch(&mut law, -5.0, Some(0.0)), (0.0, 1.0));
        // Λ goes on from the bound by κ ρ v.
        assert_eq!(switch(&mut law, 5.0, Some(0.0)), (10.0, 1.0 - 50.0));
        assert_eq!(switch(&mut law, 5.0, Some(0.0)), (0.0, -1.0));
    }

    #[test]
    fn laws_with_small_residuals_stay() {
        let mut law = law();
        switch(&mut law, 0.5, None);
        let (slope, impulse) = (law.slope, law.impulse);
        assert!(law.error[0] > 0.0 && slope[0] > 0.0 && impulse[0] < -1.0);
        let least = 2.0 * law.error[0];
        // Held on, though it is beyond its bound.
        assert_eq!(switch(&mut law, 0.5, Some(least)), (slope[0], impulse[0] - 5.0));
        assert_eq!(switch(&mut law, 0.5, Some(0.0)), (0.0, -1.0));
    }
}
