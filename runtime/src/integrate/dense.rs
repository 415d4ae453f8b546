//! Dense output: where motion is at any time of a step.
//!
//! > y(t + σh) = y₀ + σ (f₀ + (1−σ) (f₁ + σ (f₂ + (1−σ) (f₃ + …)))),  q = q₀ ⊞ θ
//!
//! in local coordinates y = \[θ | v | z\] about the step's beginning, so that quaternions are of unit length at every
//! time and both ends are those of the step, to the last bit.
//!
//! # Source
//!
//! Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I (second edition, 1993), section II.6.

use alloc::vec;
use alloc::vec::Vec;

use super::tolerance::ratio;
use super::{At, Crossing, Error, Phase, Space, first_crossing};
use crate::manifold;
use crate::slices::BLOCK;

/// The motion during one step.
#[derive(Clone, Debug)]
pub struct Dense {
    pub(super) space: Space,
    pub(super) start: Phase,
    pub(super) end: f64,
    /// y₀, (n).
    pub(super) y: Vec<f64>,
    /// f₀, f₁ …, n numbers each.
    pub(super) terms: Vec<f64>,
}

impl Dense {
    pub(super) fn new(space: &Space, terms: usize) -> Self {
        let (n, start) = (space.local(), Phase::neutral(space));
        Self {
            space: space.clone(),
            end: start.time,
            start,
            y: vec![0.0; n],
            terms: vec![0.0; n * terms],
        }
    }

    /// When the step begins, in seconds.
    pub fn start(&self) -> f64 {
        self.start.time
    }

    /// When the step ends, in seconds.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The phase at `time`, which belongs to the step; beyond its ends errors grow quickly.
    pub fn at(&self, time: f64) -> Phase {
        let mut phase = self.start.clone();
        self.write(time, &mut phase);
        phase
    }

    /// Writes the phase at `time` to one of the same space, without allocating. Nothing is written to one with other
    /// numbers of coordinates.
    pub fn write(&self, time: f64, phase: &mut Phase) {
        let (nq, nv, nz) = self.space.dimensions();
        if (phase.q.len(), phase.v.len(), phase.z.len()) != (nq, nv, nz) {
            return;
        }
        let sigma = (time - self.start.time) / (self.end - self.start.time);
        phase.time = time;
        // θ has its place where v belongs until q is known.
        self.sum(sigma, 0, &mut phase.v);
        manifold::place(self.space.joints(), &self.start.q, &phase.v, &mut phase.q);
        self.sum(sigma, nv, &mut phase.v);
        self.sum(sigma, 2 * nv, &mut phase.z);
    }

    /// The first fall of a guard from positive to not positive values from `from` to the step's end, as
    /// [`first_crossing`] finds it; `room` is a phase of the same space.
    ///
    /// # Errors
    ///
    /// [`Error::Guard`] if a value of the guard is NaN or infinite.
    pub fn first_crossing(
        &self,
        guard: &mut impl FnMut(At<'_>) -> f64,
        from: f64,
        room: &mut Phase,
    ) -> Result<Option<Crossing>, Error> {
        let mut at = |time| {
            self.write(time, room);
            guard(room.at())
        };
        first_crossing(&mut at, from, self.end)
    }

    /// Takes the beginning of a step.
    pub(super) fn begin(&mut self, phase: &Phase, end: f64) {
        let nv = phase.v.len();
        self.start.copy(phase);
        self.end = end;
        self.y[..nv].fill(0.0);
        self.y[nv..2 * nv].copy_from_slice(&phase.v);
        self.y[2 * nv..].copy_from_slice(&phase.z);
    }

    /// Writes the phase at the end, for which the first term is enough.
    pub(super) fn write_end(&self, phase: &mut Phase) {
        let nv = phase.v.len();
        let change = &self.terms[..self.y.len()];
        phase.time = self.end;
        manifold::place(self.space.joints(), &self.start.q, &change[..nv], &mut phase.q);
        let straight = self.y[nv..].iter().zip(&change[nv..]);
        let now = phase.v.iter_mut().chain(&mut phase.z);
        now.zip(straight).for_each(|(now, (y, change))| *now = y + change);
    }

    /// How much the last term amounts to at most, by what is allowed: the error of dense output without it.
    pub(super) fn error(&self, scale: &[f64]) -> f64 {
        let n = self.y.len();
        if n == 0 {
            return 0.0;
        }
        let count = self.terms.len() / n;
        let (rising, falling) = (count.div_ceil(2) as f64, (count / 2) as f64);
        // The largest value of σᵃ (1−σ)ᵇ is at σ = a/(a+b).
        let (up, down) = (rising / count as f64, falling / count as f64);
        let most = libm::pow(up, rising) * libm::pow(down, falling);
        most * ratio(&self.terms[(count - 1) * n..], scale)
    }

    /// The local coordinates from the given one on, as many as `out` has numbers.
    fn sum(&self, sigma: f64, first: usize, out: &mut [f64]) {
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        let beyond = first + BLOCK * blocks.len();
        for (block, first) in blocks.iter_mut().zip((first..).step_by(BLOCK)) {
            *block = self.some(sigma, first);
        }
        match rest {
            [a] => [*a] = self.some(sigma, beyond),
            [a, b] => [*a, *b] = self.some(sigma, beyond),
            [a, b, c] => [*a, *b, *c] = self.some(sigma, beyond),
            _ => {}
        }
    }

    /// So many local coordinates from the given one on.
    fn some<const N: usize>(&self, sigma: f64, first: usize) -> [f64; N] {
        let all = |numbers: &[f64]| -> [f64; N] {
            numbers[first..].first_chunk().copied().unwrap_or([0.0; N])
        };
        let (mut sums, factors) = ([0.0; N], [sigma, 1.0 - sigma]);
        for (k, term) in self.terms.chunks_exact(self.y.len().max(1)).enumerate().rev() {
            let (factor, term) = (factors[k % 2], all(term));
            for k in 0..N {
                sums[k] = factor * (term[k] + sums[k]);
            }
        }
        let y: [f64; N] = all(&self.y);
        core::array::from_fn(|k| y[k] + sums[k])
    }
}
