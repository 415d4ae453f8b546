//! How a solid moves in a step, and so how far away there may be what it touches.
//!
//! Points are looked for as far as solids can come nearer at the velocities of the beginning. What impulses make faster may go
//! further: what its end leads it into has been missed, and the step is solved again with points from further away.

use nalgebra::Vector3;

use crate::frame::Pose;

/// A solid where it is, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolidMotion {
    pub(crate) pose: Pose,
    /// How far its points are from the origin of its frame at most, m.
    extent: f64,
    /// Of the origin of its frame, m/s, and rad/s, at the beginning of a step and, when that is solved, at its end.
    velocity: [Vector3<f64>; 2],
    end: [Vector3<f64>; 2],
    /// By how much its points become faster within the step as far as that is known, m/s.
    pub(crate) gain: f64,
}

impl SolidMotion {
    /// At rest.
    pub(crate) fn new(pose: Pose, extent: f64) -> Self {
        let rest = [Vector3::zeros(); 2];
        Self { pose, extent, velocity: rest, end: rest, gain: 0.0 }
    }

    /// The beginning of a step, in which it may gain as much as is known.
    pub(crate) fn begin(&mut self, velocity: [Vector3<f64>; 2]) {
        (self.velocity, self.end) = (velocity, velocity);
    }

    /// How fast its points are at most, m/s.
    pub(crate) fn speed(&self) -> f64 {
        self.velocity[0].norm() + self.turning() + self.gain
    }

    /// How fast points of two solids come nearer to each other at most, m/s.
    pub(crate) fn approach(&self, other: &Self) -> f64 {
        let between = (self.velocity[0] - other.velocity[0]).norm();
        between + self.turning() + other.turning() + self.gain + other.gain
    }

    fn turning(&self) -> f64 {
        self.velocity[1].norm() * self.extent
    }

    /// Whether two solids are too far from each other to touch, if gaps are not above `reach`, m.
    pub(crate) fn is_beyond(&self, other: &Self, reach: f64) -> bool {
        let between = (self.pose.position - other.pose.position).norm();
        between > self.extent + other.extent + reach
    }

    /// Knows the velocity at the end; whether its points have gained more than was known and `slack`, m/s.
    pub(crate) fn end(&mut self, end: [Vector3<f64>; 2], slack: f64) -> bool {
        self.end = end;
        let [linear, angular] = [0, 1].map(|k| (end[k] - self.velocity[k]).norm());
        let gain = linear + angular * self.extent;
        let has_gained = gain > self.gain + slack;
        if has_gained {
            self.gain = gain;
        }
        has_gained
    }

    /// How fast a point of it moves along a direction at the end, m/s.
    pub(crate) fn end_along(&self, direction: &Vector3<f64>, point: &Vector3<f64>) -> f64 {
        let [linear, angular] = self.end;
        direction.dot(&(linear + angular.cross(&(point - self.pose.position))))
    }
}
