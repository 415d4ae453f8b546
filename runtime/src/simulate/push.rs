//! Wrenches that act until they are cleared.

use nalgebra::{Vector3, Vector6};

use super::rows::place;
use super::wrench::Place;
use super::{Simulation, SimulationError};
use crate::check;
use crate::description::FrameId;
use crate::frame::ReferenceFrame;
use crate::model::Model;

impl<M: Model> Simulation<M> {
    /// Lets a wrench (force in N, then moment in N m, expressed as `reference` says) act at a
    /// frame, with all others, until [`clear_wrenches`](Self::clear_wrenches).
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if an entry is not finite.
    pub fn apply(
        &mut self,
        frame: FrameId<M>,
        reference: ReferenceFrame,
        wrench: Vector6<f64>,
    ) -> Result<(), SimulationError> {
        self.core.wrenches.push(Place::Frame(frame.index()), reference, wrench)
    }

    /// As [`apply`](Self::apply), at a point of any link, in the link's frame in m: what `reference` calls the frame has
    /// its origin there, and the link's axes. To push with a force in world axes, that is
    /// [`ReferenceFrame::LocalWorldAligned`].
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if a number is not finite, [`SimulationError::NotDeclared`] for a link that there is
    /// not.
    pub fn apply_to_link(
        &mut self,
        link: &str,
        point: Vector3<f64>,
        reference: ReferenceFrame,
        wrench: Vector6<f64>,
    ) -> Result<(), SimulationError> {
        check::finite("point", point.as_slice())?;
        let names = M::LINKS.iter().map(|link| link.name);
        let link = place("link", link, names)?;
        self.core.wrenches.push(Place::Link(link, point), reference, wrench)
    }

    /// Ends all external wrenches.
    pub fn clear_wrenches(&mut self) {
        self.core.wrenches.clear();
    }
}
