//! What walkers on two legs have in common: which leg stands, where, and the motion of one of them.

use jourdain::Pose;
use jourdain::integrate::Phase;
use jourdain::playback::Plane;
use nalgebra::{Rotation3, Vector3};

use crate::portrait::Piece;

/// The legs of a walk, whose phases begin with the angle from the vertical of the leg that stands, and that between the
/// legs.
pub struct Stride {
    length: f64,
    /// Where the foot is that stands.
    pub foot: Vector3<f64>,
    /// Whether the leg that is followed stands.
    pub is_standing: bool,
    /// Its angle from the vertical and its rate, from event to event.
    pub pieces: Vec<Piece>,
}

impl Stride {
    /// On legs of this length, in m.
    pub fn new(length: f64) -> Self {
        Self { length, foot: Vector3::zeros(), is_standing: true, pieces: vec![Vec::new()] }
    }

    /// The other foot comes down, and stands from now on.
    pub fn exchange(&mut self, end: &Phase) {
        self.foot += self.length * (up(end.q[0]) - up(end.q[0] + end.q[1]));
        self.is_standing = !self.is_standing;
    }

    /// Adds where the leg is that is followed.
    pub fn trace(&mut self, Phase { q, v, .. }: &Phase) {
        let point = if self.is_standing { (q[0], v[0]) } else { (q[0] + q[1], v[0] + v[1]) };
        self.pieces.last_mut().into_iter().for_each(|piece| piece.push(point));
    }

    /// Where the hip is.
    pub fn hip(&self, phase: &Phase) -> Vector3<f64> {
        self.foot + self.length * up(phase.q[0])
    }

    /// What is of the leg that stands and of the other one, as that which is followed and the other.
    pub fn sides<T>(&self, standing: T, swinging: T) -> [T; 2] {
        if self.is_standing { [standing, swinging] } else { [swinging, standing] }
    }
}

/// From a foot to the hip.
pub fn up(angle: f64) -> Vector3<f64> {
    Vector3::new(angle.sin(), 0.0, angle.cos())
}

/// A place, turned from the vertical.
pub fn leaning(position: Vector3<f64>, angle: f64) -> Pose {
    let rotation = Rotation3::from_axis_angle(&Vector3::y_axis(), angle).into_inner();
    Pose { rotation, position }
}

/// Ground that falls along x, by an angle in rad.
pub fn slope(angle: f64) -> Vec<Plane> {
    vec![Plane { normal: Vector3::new(angle.sin(), 0.0, angle.cos()), offset: 0.0 }]
}
