//! Broyden's method for equations that are nearly M x = b.
//!
//! > s₀ = M⁻¹ r₀,  zₖ = Πⱼ (1 + sⱼ₊₁ sⱼᵀ M/(sⱼᵀ M sⱼ)) M⁻¹ rₖ,  sₖ = zₖ / (1 − sₖ₋₁ᵀ M zₖ/(sₖ₋₁ᵀ M sₖ₋₁))
//!
//! Lengths are those of kinetic energy, so that units do not matter.
//!
//! # Source
//!
//! Kelley: Iterative Methods for Linear and Nonlinear Equations (1995), section 7.3.

use alloc::vec::Vec;

use crate::slices::{add, dot, scale};

/// The steps that were taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Broyden {
    steps: Vec<Step>,
    count: usize,
}

#[derive(Clone, Debug, Default)]
struct Step {
    /// s, (n).
    way: Vec<f64>,
    /// M s, (n).
    momentum: Vec<f64>,
    /// sᵀ M s.
    square: f64,
}

/// The next step.
#[derive(Debug, Default)]
pub(super) struct Next<'a> {
    /// s, (n).
    pub(super) way: &'a [f64],
    /// M s, (n).
    pub(super) momentum: &'a [f64],
    /// sᵀ M s.
    pub(super) square: f64,
}

impl Broyden {
    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// The next step, from what is missing, b − M x to the first order; `solve` divides by M.
    pub(super) fn next(&mut self, missing: &[f64], solve: impl FnOnce(&mut [f64])) -> Next<'_> {
        if self.count == self.steps.len() {
            self.steps.push(Step::default());
        }
        let (before, rest) = self.steps.split_at_mut(self.count);
        let Some(step) = rest.first_mut() else { return Next::default() };
        self.count += 1;
        let Step { way, momentum, square } = step;
        way.clear();
        way.extend_from_slice(missing);
        momentum.clone_from(way);
        solve(way);
        for pair in before.windows(2) {
            let [last, next] = pair else { continue };
            let share = dot(&last.momentum, way) / last.square;
            add(way, share, &next.way);
            add(momentum, share, &next.momentum);
        }
        if let Some(last) = before.last() {
            let share = 1.0 - dot(&last.momentum, way) / last.square;
            scale(way, 1.0 / share);
            scale(momentum, 1.0 / share);
        }
        *square = dot(way, momentum);
        Next { way, momentum, square: *square }
    }
}
