//! How contacts are held.

use nalgebra::Vector3;

use crate::description::ContactParameters;

/// How much of a contact's motion is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// Along its normal: one row. It slides freely.
    Normal,
    /// Along a direction of the world, of any length but zero: one row.
    Along(Vector3<f64>),
    /// Altogether: three rows, normal and both tangents.
    Point,
}

impl Hold {
    /// The same along a unit direction; None if the direction has no length, or is not finite.
    pub(super) fn normalized(self) -> Option<Self> {
        let Hold::Along(direction) = self else { return Some(self) };
        let largest = direction.amax();
        let finite = direction.iter().all(|x| x.is_finite()) && largest > 0.0;
        finite.then(|| Hold::Along((direction / largest).normalize()))
    }

    pub(super) fn rows(&self) -> usize {
        match self {
            Hold::Normal | Hold::Along(_) => 1,
            Hold::Point => 3,
        }
    }

    /// Whether a row is along the contact's normal, in whichever sense.
    pub(super) fn is_along_normal(self, row: usize, axes: &ContactParameters) -> bool {
        match self {
            Hold::Along(direction) => direction.cross(&axes.normal).norm() <= 1e-9,
            Hold::Normal | Hold::Point => row == 0,
        }
    }

    /// The direction of a row, once normalised.
    pub(super) fn direction(self, row: usize, axes: &ContactParameters) -> Vector3<f64> {
        match self {
            Hold::Along(direction) => direction,
            Hold::Normal | Hold::Point => [axes.normal, axes.tangents[0], axes.tangents[1]][row],
        }
    }
}
