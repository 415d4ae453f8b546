//! Anitescu: the convex relaxation of a step with friction.
//!
//! > min ½ (v⁺ − v_free)ᵀ M (v⁺ − v_free)  subject to  φ/h + (n + μ d_k) v⁺ ≥ 0,  k = 1 … η
//!
//! with μ = 0 where φ > ε and φ + h n v > 0: a contact that is so far away has no friction in this step, but its gap does not become
//! negative. The dual of this problem over impulses β ≥ 0 along the edges n + μ d_k of the friction cone, J_β their rows, is
//!
//! > min ½ βᵀ J_β M⁻¹ J_βᵀ β + βᵀ (J_β v_free + φ/h),
//!
//! to which bounded rows (limits, motors, dry friction) come with theirs. It has a solution unless constraints or motors without bounds
//! contradict each other; v⁺ is unique, β need not be. Its gap between primal and dual is Σ βₖ wₖ, and what bounded rows add.
//!
//! Relaxed is maximum dissipation: with w_n = μ max(−d_k v⁺) instead of w_n = 0 what slides at a speed s
//! is lifted until φ = h μ s, a **boundary layer** that vanishes with the step; what sticks is as in
//! Stewart and Trinkle's.
//!
//! # Source
//!
//! Anitescu: Optimization-Based Simulation of Nonsmooth Rigid Multibody Dynamics, Mathematical Programming
//! 105 (2006).

use super::Error;
use super::demand::{Approach, Demand};
use super::normal::NormalLaw;
use super::parameter;
use super::range::Range;

/// The convex relaxation,
///
/// > min ½ (v⁺ − v_free)ᵀ M (v⁺ − v_free)  subject to  φ/h + (n + μ d_k) v⁺ ≥ 0,  k = 1 … η
///
/// with friction by polygons. This quadratic program has a solution unless constraints or motors without bounds contradict each
/// other, and v⁺ is unique. What sticks is exact and does not creep. What slides at a speed s hovers at φ = h μ s, which vanishes
/// with the step: a millimetre at 1 m/s, h = 1 ms and μ = 1. A contact beyond ε has friction only in a step that it closes in at the
/// velocity of the beginning.
///
/// | parameter | bounds | advice |
/// |---|---|---|
/// | `margin` ε | > 0, m or rad | at least h μ s for the fastest that slides: what lands while it slides leaves at up to μ s, and is thrown off where h μ s is beyond ε |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anitescu {
    pub(super) margin: f64,
}

impl Anitescu {
    pub(super) const DEFAULT: Self = Self { margin: 1e-2 };

    /// With the gap ε > 0, in metres or radians, below which a contact has friction. It must be as thick
    /// as the boundary layer h μ s of what slides.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] if ε is out of its range.
    pub fn new(margin: f64) -> Result<Self, Error> {
        Ok(Self { margin: parameter::check("margin", margin, Range::Positive)? })
    }
}

impl NormalLaw for Anitescu {
    /// −φ/h, in m/s.
    fn demand(&self, approach: &Approach) -> Option<Demand> {
        let is_apart = approach.gap > self.margin && !approach.closes();
        let demand = approach.demand(-approach.gap / approach.step_size);
        Some(Demand { is_apart, ..demand })
    }

    fn margin(&self) -> f64 {
        self.margin
    }
}

impl Default for Anitescu {
    /// ε = 1 cm.
    fn default() -> Self {
        Self::DEFAULT
    }
}
