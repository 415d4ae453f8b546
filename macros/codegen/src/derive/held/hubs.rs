//! The rows of contacts by those of the bodies that carry them.
//!
//! > J = X J_hub,  X = [eᵀ | (r × e)ᵀ]
//!
//! J_hub leads to the velocity of a point of the body and to its angular velocity, along the axes of the world; r is the
//! arm from that point to the contact, and e its normal or a tangent.

use crate::derive::lower;
use crate::derive::mechanism::Mechanism;
use crate::description::Contact;
use crate::expr::{Expr, Vector3};

use super::rows::Motion;
use super::spot::Spot;

/// A body that carries several contacts.
#[derive(Clone, Debug)]
pub struct Hub {
    /// A link of it.
    pub link: usize,
    /// Its contacts, by their places in the description.
    pub contacts: Vec<usize>,
}

/// The rows of a hub, or of one of each lane.
pub(in crate::derive) struct HubRows<'g> {
    /// Which hubs, one a lane; none in a lane without.
    pub(in crate::derive) hubs: Vec<Option<usize>>,
    /// J_hub, (6, nv) of this mechanism.
    pub(in crate::derive) jacobian: Vec<Vec<Expr<'g>>>,
    pub(in crate::derive) arms: Vec<Arm<'g>>,
}

/// A contact of a hub, or one of each lane; or several of a hub.
pub(in crate::derive) struct Arm<'g> {
    /// Which contacts, one a lane; none in a lane without.
    pub(in crate::derive) contacts: Vec<Option<usize>>,
    /// The lane of the hub on which all of them are, if they are several of one.
    pub(in crate::derive) only: Option<usize>,
    /// X, (3, 6).
    pub(in crate::derive) rows: [Vec<Expr<'g>>; 3],
    /// φ.
    pub(in crate::derive) gap: Expr<'g>,
}

impl<'g> Mechanism<'g> {
    /// Those of all hubs; no normal of a contact turns.
    pub(in crate::derive) fn rows_of_hubs(&self, hubs: &[Hub]) -> Vec<HubRows<'g>> {
        let motion = self.motion_of_bodies();
        let contacts: Vec<_> = self.description.contacts.iter().collect();
        let middles: Vec<_> = hubs.iter().map(|hub| (hub.link, self.middle(hub))).collect();
        let arms = self.spots_side_by_side(&contacts, |_| true);
        let rows = |spot: Spot<'g>| {
            let center = motion.place(&spot);
            let columns = self.world_columns(&motion.poses, self.path(spot.body), center);
            let linear = (0..3).map(|i| self.entries(&columns, |twist| twist.linear[i]));
            let angular = (0..3).map(|i| self.entries(&columns, |twist| twist.angular[i]));
            let jacobian = linear.chain(angular).collect();
            let arms = arms.iter().filter(|arm| arm.body == spot.body);
            let arms = arms.map(|arm| self.arm(&contacts, arm, &spot, &motion)).collect();
            HubRows { hubs: spot.each, jacobian, arms }
        };
        self.spots(&middles).into_iter().map(rows).collect()
    }

    /// The mean of its contacts, in the link's frame.
    fn middle(&self, hub: &Hub) -> Vector3<'g> {
        let contacts = hub.contacts.iter().map(|&k| &self.description.contacts[k]);
        let positions = contacts.map(|contact| lower::vector(self.graph, &contact.position));
        let sum = positions.fold(Vector3::zero(self.graph), |sum, position| sum + position);
        sum * self.graph.constant(1.0 / hub.contacts.len() as f64)
    }

    /// The contacts of a spot on the same body as a hub.
    fn arm(
        &self,
        contacts: &[&Contact],
        spot: &Spot<'g>,
        hub: &Spot<'g>,
        motion: &Motion<'g>,
    ) -> Arm<'g> {
        let sphere = self.sphere(contacts, spot);
        let from_middle = spot.position - spot.lane_of(hub.position);
        let arm = motion.turned(spot, from_middle) - sphere.axes[0] * sphere.radius;
        let row = |axis: Vector3<'g>| axis.0.into_iter().chain(arm.cross(axis).0).collect();
        let gap = sphere.gap(motion.place(spot));
        let (contacts, only) = (spot.each.clone(), spot.only);
        Arm { contacts, only, rows: sphere.axes.map(row), gap }
    }
}
