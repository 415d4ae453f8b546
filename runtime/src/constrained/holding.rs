//! What holds, and what does not.

use nalgebra::Vector3;

use crate::description::FrameId;
use crate::frame::Pose;
use crate::model::Model;

use super::{Anchor, Constrained, Core, Error, Hold, Rows};

impl<M: Model> Constrained<M> {
    /// Makes a declared constraint hold, or releases it.
    ///
    /// # Errors
    ///
    /// [`Error::NotDeclared`]: no constraint has this name.
    pub fn set_active(&mut self, constraint: &str, active: bool) -> Result<(), Error> {
        self.core.set_active(constraint, active)
    }

    /// Holds a declared contact as a bilateral constraint of velocities, or releases it.
    ///
    /// # Errors
    ///
    /// [`Error::NotDeclared`]: no contact has this name. [`Error::Direction`].
    pub fn hold_contact(&mut self, contact: &str, hold: Option<Hold>) -> Result<(), Error> {
        self.core.hold_contact(contact, hold)
    }

    /// Holds a declared frame where it is in the world, with its axes: six rows of velocities, linear
    /// first, in axes of the world at the frame's origin; or releases it. It is several times faster where
    /// the frame is declared `held`.
    pub fn hold_frame(&mut self, frame: FrameId<M>, held: bool) {
        self.core.rows_mut().hold_frame(frame.index(), held);
    }

    /// Gives a held contact a point in the world to which it returns, or takes it away; so does holding
    /// the contact anew, or releasing it. Where it is now says
    /// [`contact_points_into`](Model::contact_points_into). Without an anchor nothing corrects what errors
    /// of integration add up to. Of a sphere, which may roll, only the distance along the normal is corrected.
    ///
    /// # Errors
    ///
    /// [`Error::NotDeclared`]: no contact has this name. [`Error::NotHeld`]. [`Error::Stabilization`].
    /// [`Error::Model`]: the point is not finite.
    pub fn anchor_contact(
        &mut self,
        contact: &str,
        anchor: Option<Anchor<Vector3<f64>>>,
    ) -> Result<(), Error> {
        self.core.anchor_contact(contact, anchor)
    }

    /// Gives a held frame a pose in the world to which it returns, or takes it away; so does holding the
    /// frame anew, or releasing it. Where it is now says [`frame_pose`](Model::frame_pose).
    ///
    /// # Errors
    ///
    /// [`Error::NotHeld`]. [`Error::Stabilization`]. [`Error::Model`]: the pose is not finite.
    /// [`Error::Rotation`].
    pub fn anchor_frame(
        &mut self,
        frame: FrameId<M>,
        anchor: Option<Anchor<Pose>>,
    ) -> Result<(), Error> {
        self.core.anchor_frame(frame.index(), anchor)
    }
}

impl Core {
    fn set_active(&mut self, constraint: &str, active: bool) -> Result<(), Error> {
        let names = self.rows.table.constraints.iter().map(|c| c.name);
        let index = position(names, "constraint", constraint)?;
        self.rows_mut().set_active(index, active);
        Ok(())
    }

    fn hold_contact(&mut self, contact: &str, hold: Option<Hold>) -> Result<(), Error> {
        let (index, name) = self.contact(contact)?;
        let unit = hold.and_then(Hold::normalized);
        if let (Some(Hold::Along(direction)), None) = (hold, unit) {
            return Err(Error::Direction { contact: name, direction: direction.into() });
        }
        self.rows_mut().hold_contact(index, unit);
        Ok(())
    }

    fn anchor_contact(
        &mut self,
        contact: &str,
        anchor: Option<Anchor<Vector3<f64>>>,
    ) -> Result<(), Error> {
        let (index, name) = self.contact(contact)?;
        if let Some(anchor) = &anchor {
            anchor.check(name)?;
        }
        self.rows_mut().anchor_contact(index, anchor).ok_or(Error::NotHeld { name })
    }

    fn anchor_frame(&mut self, frame: usize, anchor: Option<Anchor<Pose>>) -> Result<(), Error> {
        let name = self.rows.table.frames.get(frame).map_or("", |frame| frame.name);
        if let Some(anchor) = &anchor {
            anchor.check(name)?;
        }
        self.rows_mut().anchor_frame(frame, anchor).ok_or(Error::NotHeld { name })
    }

    /// Index and name of a contact.
    fn contact(&self, name: &str) -> Result<(usize, &'static str), Error> {
        let contacts = self.rows.table.contacts;
        let index = position(contacts.iter().map(|c| c.name), "contact", name)?;
        Ok((index, contacts[index].name))
    }

    /// The rows, to be changed; the last solution is no longer one of theirs.
    fn rows_mut(&mut self) -> &mut Rows {
        self.generated.forget();
        self.solved = None;
        self.multipliers.clear();
        &mut self.rows
    }
}

/// The index of a name.
fn position(
    mut names: impl Iterator<Item = &'static str>,
    kind: &'static str,
    name: &str,
) -> Result<usize, Error> {
    let found = names.position(|other| other == name);
    found.ok_or_else(|| Error::NotDeclared { kind, name: name.into() })
}
