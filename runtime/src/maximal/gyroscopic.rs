//! The gyroscopic term, implicit in the angular velocity.
//!
//! > F(ω) = I (ω − ω₀) + h ω × I ω = 0
//!
//! in the body's axes, where I is constant. One step of Newton's method from ω₀,
//!
//! > ω* = ω₀ − F′(ω₀)⁻¹ F(ω₀),  F′(ω) = I + h ([ω]× I − [I ω]×),
//!
//! is as accurate as the time step is, and does not make a fast body faster, as the explicit term does.
//!
//! # Source
//!
//! Catto: Numerical Methods (Game Developers Conference 2015), "Gyroscopic Torque"; derived here.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// Added to I, by its trace, where a direction has no inertia and F′ would be singular.
const REGULAR: f64 = 1e-12;

/// ω* in world axes after `h` seconds; ω₀ where F′ is singular.
pub(super) fn turned(
    inertia: &Matrix3<f64>,
    rotation: &UnitQuaternion<f64>,
    angular: &Vector3<f64>,
    h: f64,
) -> Vector3<f64> {
    let w = rotation.inverse_transform_vector(angular);
    let spin = inertia * w;
    let error = h * w.cross(&spin);
    if error == Vector3::zeros() {
        return *angular;
    }
    let regular = Matrix3::from_diagonal_element(REGULAR * inertia.trace());
    let slope = inertia + regular + h * (w.cross_matrix() * inertia - spin.cross_matrix());
    match slope.lu().solve(&error) {
        Some(step) => rotation.transform_vector(&(w - step)),
        None => *angular,
    }
}
