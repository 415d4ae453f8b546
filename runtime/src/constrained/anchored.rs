//! The errors of what is held, by its anchors.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::description::Level;
use crate::frame::Pose;
use crate::model::Robot;

use super::anchor::Anchor;
use super::held::Rows;

impl Rows {
    /// None if the contact is not held.
    pub(super) fn anchor_contact(
        &mut self,
        contact: usize,
        anchor: Option<Anchor<Vector3<f64>>>,
    ) -> Option<()> {
        self.contacts[contact]?;
        self.anchors.set_contact(contact, anchor);
        Some(())
    }

    /// None if the frame is not held.
    pub(super) fn anchor_frame(
        &mut self,
        frame: usize,
        anchor: Option<Anchor<Pose>>,
    ) -> Option<()> {
        self.frames.iter().find(|held| **held == frame)?;
        self.anchors.set_frame(frame, anchor);
        Some(())
    }

    /// The errors of each held contact and frame, and its name.
    pub(super) fn anchored(&self) -> impl Iterator<Item = (&[f64], &'static str)> {
        let contacts = self.contacts.iter().zip(self.table.contacts);
        let contacts = contacts
            .filter_map(|(hold, contact)| hold.as_ref().map(|hold| (hold.rows(), contact.name)));
        let name = |frame: &usize| self.table.frames.get(*frame).map_or("", |frame| frame.name);
        let names = self.frames.iter().map(name);
        let mut next = self.active_rows().count();
        contacts.chain(names.map(|name| (6, name))).map(move |(rows, name)| {
            let first = next;
            next += rows;
            (&self.held.error[first..next], name)
        })
    }

    /// Writes the errors of the rows from `first` on, those of held contacts and then of frames.
    pub(super) fn write_anchor_errors(&mut self, robot: Robot<'_>, q: &[f64], first: usize) {
        if self.anchors.is_empty() {
            return;
        }
        robot.contact_points_into(q, &mut self.anchors.points);
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
        for &frame in &self.frames {
            if let Some(anchor) = self.anchors.of_frame(frame) {
                let pose = robot.at_frames().pose(frame, q);
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
