//! Where what is held is to stay.
//!
//! The rows of a held contact or frame keep its velocity at zero, and errors of integration add up. With
//! an anchor they have an error h too, and ḧ = −2α ḣ − α² h as in a constraint of positions:
//!
//! - a contact's row along the unit direction d has h = d · (x − x₀), where x is the point that touches. A
//!   sphere's travels as it rolls, which is no error; of its rows only that along the normal has one, and
//!   the others lose their slip at the rate α;
//! - a frame with the origin p and the axes R has h = (p − p₀, φ), where φ is the rotation vector of
//!   R R₀ᵀ, at most half a turn, in axes of the world as the rows are.
//!
//! The rows of φ are the angular velocity ω and not φ̇, so that multipliers are moments. Since φ̇ = J⁻¹ ω
//! with a Jacobian of which φ is an eigenvector to the eigenvalue 1, φ · φ̇ = φ · ω, and ω̇ = −2α ω − α² φ
//! takes energy: ½|ω|² + ½α²|φ|² falls by 2α|ω|². Moving by −φ comes to R₀ exactly, so that an assembly
//! or a projection by Newton's method needs no other rows either.
//!
//! # Source
//!
//! Baumgarte, Stabilization of Constraints and Integrals of Motion in Dynamical Systems (1972); for
//! rotation vectors Bullo, Murray, Proportional Derivative (PD) Control on the Euclidean Group (1995).

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use crate::check;
use crate::description::{ContactParameters, Level, RowParameters};
use crate::frame::Pose;

use super::Error;
use super::hold::Hold;

/// Allowed deviation of RᵀR from 1, as of a quaternion's length.
const ROTATION_TOLERANCE: f64 = 1e-6;

/// A place in the world to which something that is held returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor<P> {
    /// The place: a point in metres, or a [`Pose`].
    pub place: P,
    /// Rate α at which errors die out, 1/s.
    pub stabilization: f64,
}

impl<P> Anchor<P> {
    fn check_stabilization(&self, name: &'static str) -> Result<(), Error> {
        let value = self.stabilization;
        let sound = value.is_finite() && value >= 0.0;
        if sound { Ok(()) } else { Err(Error::Stabilization { name, value }) }
    }
}

impl Anchor<Vector3<f64>> {
    pub(super) fn check(&self, contact: &'static str) -> Result<(), Error> {
        self.check_stabilization(contact)?;
        Ok(check::finite("anchor", self.place.as_slice())?)
    }
}

impl Anchor<Pose> {
    pub(super) fn check(&self, frame: &'static str) -> Result<(), Error> {
        self.check_stabilization(frame)?;
        let Pose { position, rotation } = &self.place;
        check::finite("anchor", position.as_slice())?;
        check::finite("anchor", rotation.as_slice())?;
        let deviation = (rotation.tr_mul(rotation) - Matrix3::identity()).amax();
        if deviation <= ROTATION_TOLERANCE && rotation.determinant() > 0.0 {
            return Ok(());
        }
        Err(Error::Rotation { frame, rotation: rotation.transpose().into(), deviation })
    }
}

/// What a row asks for that keeps its velocity at zero.
const AT_REST: RowParameters =
    RowParameters { stabilization: 0.0, acceleration: 0.0, velocity_after: 0.0, restitution: 0.0 };

/// The anchors of a robot.
#[derive(Clone, Debug)]
pub(super) struct Anchors {
    pub(super) contacts: Vec<Option<Anchor<Vector3<f64>>>>,
    /// With the frame's index.
    pub(super) frames: Vec<(usize, Anchor<Pose>)>,
    /// Where contacts are, three numbers each.
    pub(super) points: Vec<f64>,
}

impl Anchors {
    pub(super) fn new(contacts: usize) -> Self {
        Self { contacts: vec![None; contacts], frames: Vec::new(), points: vec![0.0; 3 * contacts] }
    }

    pub(super) fn set_contact(&mut self, contact: usize, anchor: Option<Anchor<Vector3<f64>>>) {
        self.contacts[contact] = anchor;
    }

    pub(super) fn set_frame(&mut self, frame: usize, anchor: Option<Anchor<Pose>>) {
        self.frames.retain(|(other, _)| *other != frame);
        self.frames.extend(anchor.map(|anchor| (frame, anchor)));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.contacts.iter().all(Option::is_none) && self.frames.is_empty()
    }

    pub(super) fn of_frame(&self, frame: usize) -> Option<&Anchor<Pose>> {
        self.frames.iter().find(|(other, _)| *other == frame).map(|(_, anchor)| anchor)
    }

    /// What the rows of a held contact are equations of.
    pub(super) fn contact_levels(
        &self,
        contact: usize,
        hold: Hold,
        axes: &ContactParameters,
    ) -> impl Iterator<Item = (Level, RowParameters)> + use<> {
        let stabilization = self.contacts[contact].map(|anchor| anchor.stabilization);
        let (rolls, axes) = (axes.radius != 0.0, *axes);
        let stays = move |row| !rolls || hold.is_along_normal(row, &axes);
        (0..hold.rows()).map(move |row| level(stabilization, stays(row)))
    }

    /// What the rows of a held frame are equations of.
    pub(super) fn frame_level(&self, frame: usize) -> (Level, RowParameters) {
        level(self.of_frame(frame).map(|anchor| anchor.stabilization), true)
    }
}

fn level(stabilization: Option<f64>, positional: bool) -> (Level, RowParameters) {
    match stabilization {
        None => (Level::Velocity, AT_REST),
        Some(stabilization) => {
            let level = if positional { Level::Position } else { Level::Velocity };
            (level, RowParameters { stabilization, ..AT_REST })
        }
    }
}
