//! Stewart and Trinkle: no gap is negative at the end of the step.
//!
//! > 0 ≤ λ ⟂ φ(q)/h + n v⁺ ≥ 0
//!
//! is φ(q ⊕ h v⁺) ≥ 0 to first order, divided by h: the least velocity is −φ/h. It holds for
//! every constraint at every distance. What is open stays open until the step in which it closes
//! and then closes exactly; what has penetrated is put right within one step, which may add
//! energy.
//!
//! # Source
//!
//! Stewart, Trinkle: An Implicit Time-Stepping Scheme for Rigid Body Dynamics with Inelastic
//! Collisions and Coulomb Friction, IJNME 39 (1996).

/// −φ/h, in m/s.
#[inline]
pub(super) fn least_velocity(gap: f64, step_size: f64) -> f64 {
    -gap / step_size
}
