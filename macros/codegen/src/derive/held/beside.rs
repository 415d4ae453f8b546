//! Contacts that lie side by side, where one body carries them: one spot with a lane for each.

use crate::derive::contact_layout::LANES;
use crate::derive::mechanism::Mechanism;
use crate::description::Contact;
use crate::expr::Vector3;

use super::spot::Spot;

impl<'g> Mechanism<'g> {
    /// The spots of contacts, but one for each [`LANES`] of them that lie side by side on a body that `suits`.
    pub(super) fn spots_side_by_side(
        &self,
        contacts: &[&Contact],
        suits: impl Fn(usize) -> bool,
    ) -> Vec<Spot<'g>> {
        let mut spots = self.contact_spots(contacts);
        let mut together = Vec::new();
        for first in (0..contacts.len()).step_by(LANES) {
            let beside = self.side_by_side_from(first, &spots);
            if let Some(spot) = beside.filter(|spot| spot.body.is_some_and(&suits)) {
                let listed = spots.iter_mut().flat_map(|spot| &mut spot.each);
                listed.filter(|k| spot.each.contains(k)).for_each(|k| *k = None);
                together.push(spot);
            }
        }
        spots.retain(|spot| spot.each.iter().any(Option::is_some));
        together.extend(spots);
        together
    }

    /// [`LANES`] contacts from the first one on, if they are points of one body.
    fn side_by_side_from(&self, first: usize, spots: &[Spot<'g>]) -> Option<Spot<'g>> {
        let each: Vec<_> = (first..first + LANES).map(Some).collect();
        let find = |k: &Option<usize>| {
            spots.iter().find_map(|spot| {
                let lane = spot.each.iter().position(|other| other == k)?;
                Some((spot.body, lane, Vector3(spot.position.0.map(|x| x.lane(lane)))))
            })
        };
        let places: Vec<_> = each.iter().map(find).collect::<Option<_>>()?;
        let (body, lane, _) = places[0];
        let positions: Vec<_> = places.iter().map(|(_, _, position)| *position).collect();
        let are_of_one = places.iter().all(|place| (place.0, place.1) == (body, lane));
        let position = Vector3::pack(self.graph, &positions);
        are_of_one.then_some(Spot { body, position, each, only: Some(lane) })
    }
}
