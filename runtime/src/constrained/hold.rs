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
    pub(super) fn rows(&self) -> usize {
        match self {
            Hold::Normal | Hold::Along(_) => 1,
            Hold::Point => 3,
        }
    }

    /// Whether a row is along the contact's normal, whatever that is.
    pub(super) fn is_along_normal(self, row: usize) -> bool {
        matches!(self, Hold::Normal | Hold::Point) && row == 0
    }

    /// The direction of a row.
    pub(super) fn direction(self, row: usize, axes: &ContactParameters) -> Vector3<f64> {
        match self {
            Hold::Along(direction) => direction.normalize(),
            Hold::Normal | Hold::Point => [axes.normal, axes.tangents[0], axes.tangents[1]][row],
        }
    }
}
