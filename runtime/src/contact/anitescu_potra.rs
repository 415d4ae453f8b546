//! Anitescu and Potra: touching bodies do not approach each other.
//!
//! > φ(q) ≤ ε:  0 ≤ λ ⟂ γ φ(q)/h + n v⁺ ≥ 0,  else  0 ≤ λ ⟂ φ(q)/h + n v⁺ ≥ 0
//!
//! With γ = 0 and ε = 0 what touches has the velocity-level law of 1997, n v⁺ ≥ 0, for which Lemke's method always has a
//! solution. Nothing then stops the drift of φ, so that a share γ of the gap is put right in each step (Anitescu and
//! Hart, 2004). What is farther than ε may come as near as it likes, and closes exactly: if it were seen only when it has
//! penetrated, by up to h times its speed, what puts that right would throw it back.
//!
//! # Source
//!
//! Anitescu, Potra: Formulating Dynamic Multi-Rigid-Body Contact Problems with Friction as
//! Solvable Linear Complementarity Problems, Nonlinear Dynamics 14 (1997). Anitescu,
//! Hart: A Constraint-Stabilized Time-Stepping Approach for Rigid Multibody Dynamics with Joints,
//! Contact and Friction, IJNME 60 (2004).

use super::Error;
use super::demand::{Approach, Demand};
use super::normal::NormalLaw;
use super::parameter;
use super::range::Range;

/// The velocity-level formulation: what touches does not approach,
///
/// > φ ≤ ε:  0 ≤ λ ⟂ γ φ/h + n v⁺ ≥ 0,  else  0 ≤ λ ⟂ φ/h + n v⁺ ≥ 0
///
/// with friction by polygons; a linear complementarity problem, for which Lemke's method always has a solution where
/// γ = 0. Of several solutions, one with the contacts at rest is taken where there is such.
///
/// | parameter | bounds | advice |
/// |---|---|---|
/// | `stabilization` γ | 0 to 1 | the share of a gap or a penetration that a step puts right: 1 at once; 0.1 to 0.2 gently; 0 never, so that errors drift |
/// | `margin` ε | ≥ 0 m or rad | what is farther is kept from passing, and nothing more; some 10 µm keep what rests from being let go by rounding |
///
/// With γ < 1 what is within the margin is slowed down before it touches: by the share γ of its gap in each step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnitescuPotra {
    pub(super) stabilization: f64,
    pub(super) margin: f64,
}

impl AnitescuPotra {
    pub(super) const DEFAULT: Self = Self { stabilization: 1.0, margin: 1e-5 };

    /// With the share γ ∈ \[0, 1\] of a gap that is put right in a step, and the gap ε ≥ 0, in
    /// metres or radians, below which a constraint is active.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] names the one that is out of its range.
    pub fn new(stabilization: f64, margin: f64) -> Result<Self, Error> {
        parameter::check("stabilization", stabilization, Range::Share)?;
        parameter::check("margin", margin, Range::NotNegative)?;
        Ok(Self { stabilization, margin })
    }
}

impl NormalLaw for AnitescuPotra {
    /// −γ φ/h, in m/s, where φ ≤ ε, else −φ/h.
    #[inline]
    fn demand(&self, approach: &Approach) -> Option<Demand> {
        let &Approach { gap, step_size, .. } = approach;
        let share = if gap <= self.margin { self.stabilization } else { 1.0 };
        Some(approach.demand(-share * gap / step_size))
    }

    fn margin(&self) -> f64 {
        self.margin
    }

    fn stabilization(&self) -> f64 {
        self.stabilization
    }
}

impl Default for AnitescuPotra {
    /// γ = 1, ε = 10 µm: with no margin at all a contact at rest whose gap rounds to something
    /// positive would be let go for a step.
    #[inline]
    fn default() -> Self {
        Self::DEFAULT
    }
}
