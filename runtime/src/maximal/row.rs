//! Rows between two bodies.
//!
//! > Φ̇ = J_a u_a + J_b u_b,  J = (∂Φ/∂s) S
//!
//! An impulse λ along a row acts as J_bᵀ λ on b and as J_aᵀ λ on a. Φ depends on nothing but where b is relative
//! to a; so no common motion of both changes it, the row is zero on every such motion, and its two impulses
//! have neither a resulting force nor a resulting moment, whether Φ is zero or not. There are two kinds:
//!
//! - **along** a direction d at the point x: the force d at x on b, −d at x on a;
//! - **about** an axis d: the couple d on b, −d on a.
//!
//! # Source
//!
//! Erleben: Stable, Robust, and Versatile Multibody Dynamics Animation (2005), chapter 4, for the joints; every
//! row is derived anew here.

use alloc::vec::Vec;

use nalgebra::{Vector3, Vector6};

use super::body::stack;

/// A row and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Φ, in m or rad.
    pub value: f64,
    /// J_a and J_b: linear, then angular, in world axes at the centres of mass.
    pub jacobian: [Vector6<f64>; 2],
}

impl Row {
    /// A force along `direction` at `point`, where a and b have these centres of mass.
    pub(super) fn along(
        value: f64,
        direction: &Vector3<f64>,
        point: &Vector3<f64>,
        [a, b]: [&Vector3<f64>; 2],
    ) -> Self {
        let at = |center: &Vector3<f64>| stack(direction, &(point - center).cross(direction));
        Self { value, jacobian: [-at(a), at(b)] }
    }

    /// A couple about `axis`.
    pub(super) fn about(value: f64, axis: &Vector3<f64>) -> Self {
        let couple = stack(&Vector3::zeros(), axis);
        Self { value, jacobian: [-couple, couple] }
    }

    /// The sum of this and so many times another.
    pub(super) fn plus(&self, weight: f64, other: &Self) -> Self {
        let ([a, b], [c, d]) = (self.jacobian, other.jacobian);
        Self {
            value: self.value + weight * other.value,
            jacobian: [a + weight * c, b + weight * d],
        }
    }
}

/// The same with one part for each body.
pub(super) fn merged(
    parts: impl IntoIterator<Item = (usize, Vector6<f64>)>,
) -> Vec<(usize, Vector6<f64>)> {
    let mut merged: Vec<(usize, Vector6<f64>)> = Vec::new();
    for (body, part) in parts {
        match merged.iter_mut().find(|(other, _)| *other == body) {
            Some((_, sum)) => *sum += part,
            None => merged.push((body, part)),
        }
    }
    merged
}
