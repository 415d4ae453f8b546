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

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::check;
use crate::description::{ContactParameters, FrameId, Level, RowParameters};
use crate::frame::Pose;
use crate::model::Model;

use super::Error;
use super::held::{AT_REST, Hold, Rows};

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

/// The anchors of a robot.
#[derive(Clone, Debug)]
pub(super) struct Anchors {
    contacts: Vec<Option<Anchor<Vector3<f64>>>>,
    /// With the frame's index.
    frames: Vec<(usize, Anchor<Pose>)>,
    /// Where contacts are, three numbers each.
    points: Vec<f64>,
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

    fn of_frame(&self, frame: usize) -> Option<&Anchor<Pose>> {
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
        let rolls = axes.radius != 0.0;
        (0..hold.rows()).map(move |row| level(stabilization, !rolls || hold.is_along_normal(row)))
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

impl Hold {
    /// Whether a row is along the contact's normal, whatever that is.
    fn is_along_normal(self, row: usize) -> bool {
        matches!(self, Hold::Normal | Hold::Point) && row == 0
    }

    /// The direction of a row.
    fn direction(self, row: usize, axes: &ContactParameters) -> Vector3<f64> {
        match self {
            Hold::Along(direction) => direction.normalize(),
            Hold::Normal | Hold::Point => [axes.normal, axes.tangents[0], axes.tangents[1]][row],
        }
    }
}

impl<M: Model> Rows<M> {
    /// None if the contact is not held.
    pub(super) fn anchor_contact(
        &mut self,
        contact: usize,
        anchor: Option<Anchor<Vector3<f64>>>,
    ) -> Option<()> {
        self.contacts[contact]?;
        self.anchors.contacts[contact] = anchor;
        Some(())
    }

    /// None if the frame is not held.
    pub(super) fn anchor_frame(
        &mut self,
        frame: usize,
        anchor: Option<Anchor<Pose>>,
    ) -> Option<()> {
        self.frames.iter().find(|held| held.index() == frame)?;
        self.anchors.set_frame(frame, anchor);
        Some(())
    }

    /// The errors of each held contact and frame, and its name.
    pub(super) fn anchored(&self) -> impl Iterator<Item = (&[f64], &'static str)> {
        let contacts = self.contacts.iter().zip(M::CONTACTS);
        let contacts = contacts
            .filter_map(|(hold, contact)| hold.as_ref().map(|hold| (hold.rows(), contact.name)));
        let name = |frame: &FrameId<M>| M::FRAMES.get(frame.index()).map_or("", |frame| frame.name);
        let names = self.frames.iter().map(name);
        let mut next = self.active_rows().count();
        contacts.chain(names.map(|name| (6, name))).map(move |(rows, name)| {
            let first = next;
            next += rows;
            (&self.held.error[first..next], name)
        })
    }

    /// Writes the errors of the rows from `first` on, those of held contacts and then of frames.
    pub(super) fn write_anchor_errors(&mut self, model: &M, q: &M::Q, first: usize) {
        let Anchors { contacts, frames, points } = &mut self.anchors;
        if frames.is_empty() && contacts.iter().all(Option::is_none) {
            return;
        }
        model.contact_points_into(q, points);
        let mut next = first;
        for (k, hold) in self.contacts.iter().enumerate() {
            let Some(hold) = hold else { continue };
            if let Some(anchor) = &self.anchors.contacts[k] {
                let point = Vector3::from_column_slice(&self.anchors.points[3 * k..3 * k + 3]);
                let levels = self.anchors.contact_levels(k, *hold, &self.axes[k]);
                for (row, (level, _)) in levels.enumerate() {
                    if level == Level::Position {
                        let direction = hold.direction(row, &self.axes[k]);
                        self.held.error[next + row] = direction.dot(&(point - anchor.place));
                    }
                }
            }
            next += hold.rows();
        }
        for frame in &self.frames {
            if let Some(anchor) = self.anchors.of_frame(frame.index()) {
                let pose = model.frame_pose(*frame, q);
                let away = pose.position - anchor.place.position;
                let turned = rotation_vector(&(pose.rotation * anchor.place.rotation.transpose()));
                self.held.error[next..next + 3].copy_from_slice(away.as_slice());
                self.held.error[next + 3..next + 6].copy_from_slice(turned.as_slice());
            }
            next += 6;
        }
    }
}

/// φ with exp \[φ\] = R, at most half a turn.
fn rotation_vector(rotation: &Matrix3<f64>) -> Vector3<f64> {
    let rotation = Rotation3::from_matrix_unchecked(*rotation);
    UnitQuaternion::from_rotation_matrix(&rotation).scaled_axis()
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation3, Vector3};

    use super::rotation_vector;

    /// φ · φ̇ = φ · ω, which makes ω a rate of φ.
    #[test]
    fn the_rotation_vector_grows_as_the_rotation_does_along_it() {
        let spin = Vector3::new(0.7, -1.1, 0.4);
        for start in [[0.3, 0.2, -0.5], [1e-9, 0.0, 0.0], [2.0, -1.0, 1.5], [0.0, 0.0, 3.1]] {
            let start = Rotation3::from_scaled_axis(Vector3::from(start));
            let at =
                |t: f64| rotation_vector((Rotation3::from_scaled_axis(spin * t) * start).matrix());
            let (h, phi) = (1e-5, at(0.0));
            let rate = (at(h) - at(-h)) / (2.0 * h);
            let error = phi.dot(&rate) - phi.dot(&spin);
            assert!(error.abs() < 1e-8, "{phi}: {error}");
        }
        assert_eq!(rotation_vector(Rotation3::identity().matrix()), Vector3::zeros());
    }
}
