//! Points on bodies that rows are made for.

use crate::expr::{Matrix3, Vector3};

/// A point in the lanes of a body.
pub(super) struct Spot<'g> {
    /// `None` is the world.
    pub(super) body: Option<usize>,
    /// In the body's axes.
    pub(super) position: Vector3<'g>,
    /// Which of the described contacts or frames it is, one a lane; none in a lane without.
    pub(super) each: Vec<Option<usize>>,
    /// The lane of the body in which all of them are, if they are several points of it and not one of each lane.
    pub(super) only: Option<usize>,
}

impl<'g> Spot<'g> {
    /// Puts number `k` into a lane.
    pub(super) fn place(&mut self, lane: usize, k: usize, position: Vector3<'g>) {
        self.each[lane] = Some(k);
        let width = self.each.len();
        let in_lane = |other: usize| {
            if other == lane { position } else { Vector3(self.position.0.map(|x| x.lane(other))) }
        };
        let lanes: Vec<_> = (0..width).map(in_lane).collect();
        self.position = Vector3::pack(position[0].graph(), &lanes);
    }

    /// A vector of its body, where the spot is.
    pub(super) fn lane_of(&self, vector: Vector3<'g>) -> Vector3<'g> {
        Vector3(vector.0.map(|x| x.only(self.only)))
    }

    /// The rotation of its body, likewise.
    pub(super) fn rotation(&self, rotation: &Matrix3<'g>) -> Matrix3<'g> {
        Matrix3(rotation.0.map(|row| row.map(|x| x.only(self.only))))
    }
}
