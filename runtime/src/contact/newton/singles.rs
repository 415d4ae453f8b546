//! What acts on single coordinates, four in the lanes of registers.

use alloc::vec::Vec;

use super::law::LESS;
use crate::arithmetic::{Lanes, Ordered};
use crate::cone::{Each, LANES};
use crate::kernel::Real;
use crate::slices::{sqrt, worse};

/// A row of one coordinate, with the impulse that the iteration starts from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    pub(super) v: usize,
    /// The first coordinate of its path.
    pub(super) root: usize,
    pub(super) sign: f64,
    pub(super) bounds: [f64; 2],
    pub(super) lambda: f64,
    pub(super) target: f64,
    pub(super) softness: f64,
    pub(super) rho: f64,
}

/// Four rows. A lane without a row has bounds of zero.
#[derive(Clone, Copy, Debug, Default)]
struct Four {
    sign: Each,
    lower: Each,
    upper: Each,
    lambda: Each,
    /// The part of Λ whose effect is not in w yet.
    pending: Each,
    /// w without σ Λ, and its target.
    w: Each,
    target: Each,
    softness: Each,
    rho: Each,
    /// ρ of the projection, and where that led last: −1 for the lower bound, 1 for the upper one, 0 between.
    reach: Each,
    mode: Each,
    /// δΛ and K of the last linearisation.
    change: Each,
    stiffness: Each,
    /// That of a descent.
    center: Each,
}

/// All rows of single coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct Singles {
    /// Of each row, its coordinate and the first one of its path.
    places: Vec<(usize, usize)>,
    fours: Vec<Four>,
}

impl Four {
    /// P of Λ − r (w + σ Λ) with r = `reach`, and which bound it is at.
    #[inline(always)]
    fn project<A: Real>(&self, reach: A::Quad) -> [A::Quad; 2] {
        let [lower, upper] = [self.lower, self.upper].map(A::Quad::pack);
        let (lambda, none) = (A::Quad::pack(self.lambda), A::Quad::splat(0.0));
        let slack = A::Quad::pack(self.softness).mul_add(lambda, A::Quad::pack(self.w));
        let x = lambda - reach * slack;
        let mode = x.select_at_most(lower, A::Quad::splat(-1.0), none);
        let mode = upper.select_at_most(x, A::Quad::splat(1.0), mode);
        let value = x.select_at_most(lower, lower, x);
        [upper.select_at_most(x, upper, value), mode]
    }

    /// Computes δΛ and K. Returns the natural residuals, and by how much K changes.
    #[inline(always)]
    fn linearise<A: Real>(&mut self, holding: f64) -> [A::Quad; 2] {
        let (none, one) = (A::Quad::splat(0.0), A::Quad::splat(1.0));
        let (rho, mut reach) = (A::Quad::pack(self.rho), A::Quad::pack(self.reach));
        let [mut value, mut mode] = self.project::<A>(reach);
        // The product is −1 where it jumps from one bound to the other.
        let turns = mode * A::Quad::pack(self.mode);
        if !A::Quad::splat(-0.5).are_at_most(turns) {
            reach = turns.select_at_most(A::Quad::splat(-0.5), reach * A::Quad::splat(LESS), reach);
            self.reach = reach.unpack();
            [value, mode] = self.project::<A>(reach);
        }
        let [natural, _] = self.project::<A>(rho);
        let lambda = A::Quad::pack(self.lambda);
        let missing = value - lambda;
        let given = (one / (A::Quad::splat(holding) * rho)).maximum(A::Quad::pack(self.softness));
        let by = one / (reach * given);
        let square = mode * mode;
        let stiffness = square.select_at_most(none, by * reach, none);
        let change = square.select_at_most(none, by * missing, missing);
        let moved = (stiffness - A::Quad::pack(self.stiffness)).abs();
        self.mode = mode.unpack();
        (self.change, self.stiffness) = (change.unpack(), stiffness.unpack());
        let size = A::Quad::pack(self.w).abs().maximum(one);
        [(natural - lambda).abs() / (rho * size), moved]
    }
}

impl Singles {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.fours.clear();
    }

    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    #[inline(always)]
    pub(super) fn push(&mut self, single: &Single) {
        let lane = self.places.len() % LANES;
        self.places.push((single.v, single.root));
        if lane == 0 {
            self.fours.push(Four { rho: [1.0; LANES], reach: [1.0; LANES], ..Four::default() });
        }
        let Some(four) = self.fours.last_mut() else { return };
        four.sign[lane] = single.sign;
        [four.lower[lane], four.upper[lane]] = single.bounds;
        four.lambda[lane] = single.lambda;
        four.target[lane] = single.target;
        four.softness[lane] = single.softness;
        (four.rho[lane], four.reach[lane]) = (single.rho, single.rho);
    }

    /// Computes δΛ and K of all. Returns the largest natural residual, NaN if one is, and whether K stays what it was.
    #[inline(always)]
    pub(super) fn linearise<A: Real>(&mut self, holding: f64) -> (f64, bool) {
        let none = A::Quad::splat(0.0);
        let (mut most, mut sum, mut moved) = (none, none, none);
        for four in &mut self.fours {
            let [error, change] = four.linearise::<A>(holding);
            (most, sum, moved) = (error.maximum(most), sum + error, change.maximum(moved));
        }
        let [a, b, c, d] = most.unpack();
        let largest = a.max(b).max(c.max(d));
        let largest = if sum.sum().is_nan() { f64::NAN } else { largest };
        (largest, moved.are_at_most(none))
    }

    /// Calls `of` with the coordinate of each row, its four and its lane.
    #[inline(always)]
    fn each(&mut self, mut of: impl FnMut(usize, &mut Four, usize)) {
        for (places, four) in self.places.chunks(LANES).zip(&mut self.fours) {
            for (lane, &(v, _)) in places.iter().enumerate() {
                of(v, four, lane);
            }
        }
    }

    /// Computes w from the velocity without impulses and what they change of it, (nv) each.
    #[inline(always)]
    pub(super) fn refresh(&mut self, free: &[f64], change: &[f64]) {
        self.each(|v, of, k| {
            of.w[k] = (of.sign[k] * free[v] - of.target[k]) + of.sign[k] * change[v];
        });
    }

    /// Adds δΛ, and what w does not have yet of Λ, to a generalised impulse, (nv).
    #[inline(always)]
    pub(super) fn add_force(&mut self, force: &mut [f64]) {
        self.each(|v, of, k| {
            force[v] += of.sign[k] * (of.change[k] + core::mem::take(&mut of.pending[k]));
        });
    }

    /// Updates Λ and w by a change of the velocity, (nv).
    #[inline(always)]
    pub(super) fn advance(&mut self, step: &[f64]) {
        self.each(|v, of, k| {
            let moved = of.sign[k] * step[v];
            of.lambda[k] += of.change[k] - of.stiffness[k] * moved;
            of.w[k] += moved;
        });
    }

    /// The coordinate and K of each row.
    #[inline(always)]
    pub(super) fn stiffness(&self) -> impl Iterator<Item = (usize, f64)> {
        let all = self.fours.iter().flat_map(|four| four.stiffness);
        self.places.iter().zip(all).map(|(&(v, _), stiffness)| (v, stiffness))
    }

    /// Clamps Λ to its bounds, which rounding may exceed.
    pub(super) fn keep_within_bounds(&mut self) {
        self.each(|_, of, k| of.lambda[k] = of.lambda[k].max(of.lower[k]).min(of.upper[k]));
    }

    #[inline(always)]
    pub(super) fn lambda(&self, k: usize) -> f64 {
        self.fours[k / LANES].lambda[k % LANES]
    }

    #[inline(always)]
    pub(super) fn rho(&self, k: usize) -> f64 {
        self.fours[k / LANES].rho[k % LANES]
    }

    #[inline(always)]
    pub(super) fn softness(&self, k: usize) -> f64 {
        self.fours[k / LANES].softness[k % LANES]
    }

    /// Keeps Λ and w.
    #[inline(always)]
    pub(super) fn keep(&self, kept: &mut Vec<f64>) {
        for four in &self.fours {
            [four.lambda, four.w].iter().for_each(|x| kept.extend_from_slice(x));
        }
    }

    /// Goes to what was kept.
    pub(super) fn recall(&mut self, kept: &[f64]) {
        for (four, kept) in self.fours.iter_mut().zip(kept.as_chunks::<{ 2 * LANES }>().0) {
            four.lambda.copy_from_slice(&kept[..LANES]);
            four.w.copy_from_slice(&kept[LANES..]);
        }
    }

    /// Goes half of the way back to what was kept.
    pub(super) fn go_back(&mut self, kept: &[f64]) {
        for (four, kept) in self.fours.iter_mut().zip(kept.as_chunks::<{ 2 * LANES }>().0) {
            for (x, kept) in four.lambda.iter_mut().chain(&mut four.w).zip(kept) {
                *x = 0.5 * (*x + kept);
            }
        }
    }

    /// Moves the centres to Λ, and so many times further on the same way.
    pub(super) fn center(&mut self, further: f64) {
        for Four { center, lambda, .. } in &mut self.fours {
            for (center, lambda) in center.iter_mut().zip(lambda) {
                *center = *lambda + further * (*lambda - *center);
            }
        }
    }

    /// Adds Λ less the centre of each, divided by √ρ.
    pub(super) fn add_way(&self, way: &mut Vec<f64>) {
        for Four { center, lambda, rho, .. } in &self.fours {
            way.extend((0..LANES).map(|k| (lambda[k] - center[k]) / sqrt(rho[k])));
        }
    }

    /// Computes δΛ and K about the centre. Returns the largest change, by ρ.
    pub(super) fn respond(&mut self, holding: f64) -> f64 {
        let mut most = 0.0;
        for four in &mut self.fours {
            for k in 0..LANES {
                let (value, stiffness) = four.response(k, holding);
                four.change[k] = value - four.lambda[k];
                four.stiffness[k] = stiffness;
                most = worse(most, four.change[k].abs() / four.rho[k]);
            }
        }
        most
    }

    /// The largest natural residual.
    pub(super) fn error(&self) -> f64 {
        let mut most = 0.0;
        for four in &self.fours {
            for k in 0..LANES {
                let slack = four.w[k] + four.softness[k] * four.lambda[k];
                let x = four.lambda[k] - four.rho[k] * slack;
                let value = x.max(four.lower[k]).min(four.upper[k]);
                let size = four.rho[k] * four.w[k].abs().max(1.0);
                most = worse(most, (value - four.lambda[k]).abs() / size);
            }
        }
        most
    }

    /// The part of φ' that these have at the end of a step from what was kept.
    pub(super) fn slope(&self, kept: &[f64], holding: f64) -> f64 {
        let mut slope = 0.0;
        for (four, kept) in self.fours.iter().zip(kept.as_chunks::<{ 2 * LANES }>().0) {
            for k in 0..LANES {
                let (value, _) = four.response(k, holding);
                slope += (four.w[k] - kept[LANES + k]) * (four.lambda[k] - value);
            }
        }
        slope
    }

    /// The same at its beginning, and the sum of the sizes of its terms.
    pub(super) fn slope_at(&self, kept: &[f64]) -> (f64, f64) {
        let (mut slope, mut size) = (0.0, 0.0);
        for (four, kept) in self.fours.iter().zip(kept.as_chunks::<{ 2 * LANES }>().0) {
            for k in 0..LANES {
                let moved = four.w[k] - kept[LANES + k];
                slope -= moved * four.change[k];
                size += moved.abs() * kept[k].abs().max(four.lambda[k].abs());
            }
        }
        (slope, size)
    }

    /// Goes from what was kept as far as a share of the way to what there is.
    pub(super) fn go_to(&mut self, kept: &[f64], share: f64) {
        for (four, kept) in self.fours.iter_mut().zip(kept.as_chunks::<{ 2 * LANES }>().0) {
            for (x, kept) in four.lambda.iter_mut().chain(&mut four.w).zip(kept) {
                *x = kept + share * (*x - kept);
            }
        }
    }

    /// Whether some part of Λ is not in w yet.
    pub(super) fn has_pending(&self) -> bool {
        self.fours.iter().any(|four| four.pending != [0.0; LANES])
    }

    /// Whether others act on the same coordinates.
    pub(super) fn are_like(&self, others: &Self) -> bool {
        self.places == others.places
    }

    /// Takes the impulses of `others`, on the same coordinates, without a change of w.
    pub(super) fn begin(&mut self, others: &Self) {
        for (four, other) in self.fours.iter_mut().zip(&others.fours) {
            for k in 0..LANES {
                four.pending[k] = other.lambda[k] - four.lambda[k];
            }
            four.lambda = other.lambda;
        }
    }

    /// Takes Λ and w of `others`, on the same coordinates, where the root coordinate is not `held`.
    pub(super) fn restore(&mut self, others: &Self, held: &[bool]) {
        for (k, &(_, root)) in self.places.iter().enumerate() {
            if !held[root] {
                self.fours[k / LANES].set(k % LANES, &others.fours[k / LANES]);
            }
        }
    }
}

impl Four {
    /// Λ(w) of a lane about its centre, and minus its derivative.
    fn response(&self, k: usize, holding: f64) -> (f64, f64) {
        let given = 1.0 / (holding * self.rho[k]);
        let gamma = self.softness[k] + given;
        let x = (given * self.center[k] - self.w[k]) / gamma;
        let value = x.max(self.lower[k]).min(self.upper[k]);
        (value, if value == x { 1.0 / gamma } else { 0.0 })
    }

    /// Takes of a lane what the next linearisation reads.
    fn set(&mut self, lane: usize, other: &Self) {
        self.lambda[lane] = other.lambda[lane];
        self.w[lane] = other.w[lane];
        self.reach[lane] = other.reach[lane];
        self.mode[lane] = other.mode[lane];
    }
}
