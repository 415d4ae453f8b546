//! Joints as constraints Φ(s) = 0 between two bodies.
//!
//! A joint has a frame on each body: an anchor and right-handed axes, of which z is the joint's. Φ is what the
//! frame of b is relative to that of a, and zero where the joint is together. One file a kind; its rows are in
//! the order of its file.
//!
//! | kind | rows | leaves |
//! |---|---|---|
//! | [`Ball`](Kind::Ball) | 3 | any turn |
//! | [`Hinge`](Kind::Hinge) | 5 | a turn about z |
//! | [`Slider`](Kind::Slider) | 5 | a displacement along z |
//! | [`Helical`](Kind::Helical) | 5 | a turn about z that goes along with a displacement |
//! | [`Cylindrical`](Kind::Cylindrical) | 4 | a turn about z and a displacement along it |
//! | [`Planar`](Kind::Planar) | 3 | displacements along x and y and a turn about z |
//! | [`Wheel`](Kind::Wheel) | 4 | turns about z of a and z of b, at a given angle |
//! | [`Universal`](Kind::Universal) | 4 | the same at a right angle |
//! | [`Fixed`](Kind::Fixed) | 6 | nothing |

mod ball;
mod cylindrical;
mod fixed;
mod free;
mod helical;
mod hinge;
mod locked;
mod planar;
mod seat;
mod slider;
mod universal;
mod wheel;

use alloc::vec::Vec;

use nalgebra::{UnitQuaternion, Vector3};

pub(super) use self::free::entries;
use self::seat::Seat;
use super::Error;
use super::body::Body;
use super::parameter::{self, Range};
use super::row::Row;
use crate::contact::Softness;
use crate::frame::Pose;

/// Which motion a joint leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A point of both bodies stays together.
    Ball,
    /// And an axis of both.
    Hinge,
    /// Both have the same axes, and move along z.
    Slider,
    /// Both have the same axis z, and b moves along it as it turns.
    Helical {
        /// In m/rad.
        pitch: f64,
    },
    /// Both have the same axis z.
    Cylindrical,
    /// Both have the same plane x y.
    Planar,
    /// A point stays together, and the z axes at an angle.
    Wheel {
        /// Between the z axis of a and that of b, rad; between 0 and π, neither of them.
        angle: f64,
    },
    /// The same at a right angle.
    Universal,
    /// Nothing moves.
    Fixed,
}

/// A joint between two bodies, or a body and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Which motion it leaves.
    pub kind: Kind,
    /// a and b; `None` is the world.
    pub bodies: [Option<usize>; 2],
    /// Its frame on each, from the centre of mass in the body's axes; in the world's for the world.
    pub frames: [Pose; 2],
    /// How each row gives way, in the order of the kind; those that it has not are not read.
    ///
    /// > w = J u⁺ + γ Φ/h + (K/h) Λ  where K > 0:  spring and damper k = γ/(h K), d = (1 − γ)/K
    /// > w = J u⁺,  and then a displacement δ with J δ = −γ Φ  where K = 0
    ///
    /// So a hard row gains no velocity by being put right, and a soft one stores what energy a spring does.
    pub softness: [Softness; 6],
    /// Inertia a ≥ 0 of a rotor on each of the [coordinates](Self::coordinates_into) θ, of which it has the kinetic
    /// energy ½ a θ̇²; of a ball, about the axes of b. In kg m² of angles, kg of displacements.
    pub armature: [f64; 3],
    /// For each of the coordinates, the angle that it has, or had at the last step: of those that differ by turns it is
    /// the nearest to this.
    pub near: [f64; 3],
}

impl Joint {
    /// Where both frames are `frame` now, given in the world, but for the z axis of b of a wheel or universal joint,
    /// which is turned from that of a about x.
    ///
    /// # Errors
    ///
    /// [`Error::Body`] for a body that is not there.
    pub fn here(
        kind: Kind,
        bodies: [Option<usize>; 2],
        frame: &Pose,
        all: &[Body],
    ) -> Result<Self, Error> {
        let angle = match kind {
            Kind::Wheel { angle } => angle,
            Kind::Universal => core::f64::consts::FRAC_PI_2,
            _ => 0.0,
        };
        let turn = UnitQuaternion::from_scaled_axis(Vector3::x() * angle).to_rotation_matrix();
        let second = Pose { rotation: frame.rotation * turn.into_inner(), ..*frame };
        let on = |body: Option<usize>, frame: &Pose| match body {
            None => Ok(*frame),
            Some(k) => all.get(k).map(|body| body.local(frame)).ok_or(Error::Body { body: k }),
        };
        let frames = [on(bodies[0], frame)?, on(bodies[1], &second)?];
        let (softness, zero) = ([Softness::default(); 6], [0.0; 3]);
        Ok(Self { kind, bodies, frames, softness, armature: zero, near: zero })
    }

    /// The same with one softness for all rows.
    #[must_use]
    pub fn softened(mut self, softness: Softness) -> Self {
        self.softness = [softness; 6];
        self
    }

    /// Φ and J of all rows, written to `rows`; nothing if a body is not among `all`.
    pub fn rows_into(&self, all: &[Body], rows: &mut Vec<Row>) {
        let Some([a, b]) = self.seats(all) else { return };
        match self.kind {
            Kind::Ball => rows.extend(ball::rows(&a, &b)),
            Kind::Hinge => rows.extend(hinge::rows(&a, &b)),
            Kind::Slider => rows.extend(slider::rows(&a, &b)),
            Kind::Helical { pitch } => rows.extend(helical::rows(&a, &b, pitch, self.near[0])),
            Kind::Cylindrical => rows.extend(cylindrical::rows(&a, &b)),
            Kind::Planar => rows.extend(planar::rows(&a, &b)),
            Kind::Wheel { angle } => rows.extend(wheel::rows(&a, &b, angle)),
            Kind::Universal => rows.extend(universal::rows(&a, &b)),
            Kind::Fixed => rows.extend(fixed::rows(&a, &b)),
        }
    }

    /// # Errors
    ///
    /// [`Error::Body`] and [`Error::Joint`] for bodies that are not there or the same, and [`Error::Parameter`].
    pub(super) fn check(&self, count: usize) -> Result<(), Error> {
        if let Some(&body) = self.bodies.iter().flatten().find(|&&body| body >= count) {
            return Err(Error::Body { body });
        }
        if self.bodies[0] == self.bodies[1] {
            return Err(Error::Joint);
        }
        if let Kind::Wheel { angle } = self.kind {
            parameter::check("the sine of a wheel's angle", libm::sin(angle), Range::Positive)?;
        }
        if let Kind::Helical { pitch } = self.kind {
            parameter::check("the pitch of a screw", pitch, Range::Finite)?;
        }
        for &armature in &self.armature {
            parameter::check("an armature", armature, Range::NotNegative)?;
        }
        for frame in &self.frames {
            let length = frame.rotation.amax() + frame.position.amax();
            parameter::check("a frame of a joint", length, Range::Finite)?;
        }
        Ok(())
    }

    fn seats(&self, all: &[Body]) -> Option<[Seat; 2]> {
        let on = |k: usize| match self.bodies[k] {
            None => Some(Seat::on_world(&self.frames[k])),
            Some(body) => Some(Seat::on(all.get(body)?, &self.frames[k])),
        };
        Some([on(0)?, on(1)?])
    }
}
