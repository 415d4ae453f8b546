//! Contacts of bodies that carry several each, as the feet of a humanoid do.
//!
//! > Y = X Y_hub,  J v = X J_hub v
//!
//! Y_hub = J_hub L⁻¹ is of a body, with six rows, and X of each of its contacts. So the work for a contact is that of X
//! only, and the problem of a step is one of six velocities of each body, however many contacts it has.

use crate::expr::Expr;

use super::contact_layout::{COLUMNS, GAP, LANES, RATE, VELOCITY, WIDTH};
use super::factor::Factor;
use super::held::{Hub, HubRows};
use super::mechanism::Mechanism;

/// More bodies than these are no gain.
const MOST: usize = 4;

impl Mechanism<'_> {
    /// The bodies that carry contacts, if it is they whose velocities are to be solved for; none otherwise.
    ///
    /// That is so where contacts share more coordinates than a body has velocities, or some of them only, and have more
    /// rows than the bodies. Contacts that lie side by side must be of one body.
    pub fn contact_hubs(&self, coordinates: &[Vec<usize>]) -> Vec<Hub> {
        let contacts = &self.description.contacts;
        let turn = contacts.iter().any(|contact| contact.surface.turns());
        if turn || are_few(self.nv(), coordinates) {
            return Vec::new();
        }
        let body = |link: usize| self.links[link].body;
        let mut hubs: Vec<Hub> = Vec::new();
        for (k, contact) in contacts.iter().enumerate() {
            let (carrier, beside) = (body(contact.link), &contacts[LANES * (k / LANES)]);
            if carrier.is_none() || carrier != body(beside.link) {
                return Vec::new();
            }
            match hubs.iter_mut().find(|hub| body(hub.link) == carrier) {
                Some(hub) => hub.contacts.push(k),
                None => hubs.push(Hub { link: contact.link, contacts: vec![k] }),
            }
        }
        let gain = 3 * contacts.len() > WIDTH * hubs.len() && hubs.len() <= MOST;
        if gain { hubs } else { Vec::new() }
    }
}

/// Whether contacts share no more coordinates than a body has, and all others move one contact only: these are solved for
/// as they are.
fn are_few(nv: usize, coordinates: &[Vec<usize>]) -> bool {
    let moved = |k: &usize| coordinates.iter().filter(|of| of.contains(k)).count();
    let several: Vec<_> = (0..nv).filter(|k| moved(k) > 1).collect();
    several.len() <= WIDTH && coordinates.iter().all(|of| of.starts_with(&several))
}

/// The numbers of contacts on hubs.
pub(super) struct Numbers<'g> {
    /// J v, J (α + c) and φ of each contact.
    pub(super) contacts: Vec<Vec<Expr<'g>>>,
    /// X of each contact, column by column.
    pub(super) arms: Vec<Vec<Expr<'g>>>,
    /// Y_hub of each hub at the coordinates of its contacts, column by column.
    pub(super) hubs: Vec<Vec<Expr<'g>>>,
}

impl<'g> Mechanism<'g> {
    /// Those of contacts that `hubs` carry, where velocities change at this `rate`.
    pub(super) fn numbers_on_hubs(
        &self,
        hubs: &[Hub],
        (factor, rate): (&Factor<'g>, &[Expr<'g>]),
        coordinates: &[Vec<usize>],
    ) -> Numbers<'g> {
        let zero = self.graph.zero();
        let of_hub = |hub: &Hub| vec![zero; WIDTH * coordinates[hub.contacts[0]].len()];
        let mut numbers = Numbers {
            contacts: vec![vec![zero; COLUMNS]; coordinates.len()],
            arms: vec![vec![zero; 3 * WIDTH]; coordinates.len()],
            hubs: hubs.iter().map(of_hub).collect(),
        };
        for rows in self.rows_of_hubs(hubs) {
            let answers: Vec<_> =
                rows.jacobian.iter().map(|row| factor.transposed(row.clone())).collect();
            for (lane, hub) in each(&rows.hubs) {
                for (j, &i) in coordinates[hubs[hub].contacts[0]].iter().enumerate() {
                    for (k, answer) in answers.iter().enumerate() {
                        numbers.hubs[hub][WIDTH * j + k] = self.in_lane(answer, lane, i);
                    }
                }
            }
            self.write_arms(&rows, rate, &mut numbers);
        }
        numbers
    }

    /// Writes what is of the contacts of a hub.
    fn write_arms(&self, rows: &HubRows<'g>, rate: &[Expr<'g>], numbers: &mut Numbers<'g>) {
        let times = |x: &[Expr<'g>], y: &[Expr<'g>]| {
            x.iter().zip(y).fold(self.graph.zero(), |sum, (&x, &y)| sum + x * y)
        };
        let [velocity, rate] = [&self.state.v[..], rate]
            .map(|v| rows.jacobian.iter().map(|row| times(row, v)).collect::<Vec<_>>());
        for arm in &rows.arms {
            let of_hub = |x: &[Expr<'g>]| x.iter().map(|x| x.only(arm.only)).collect::<Vec<_>>();
            let (velocity, rate) = (of_hub(&velocity), of_hub(&rate));
            for (axis, x) in arm.rows.iter().enumerate() {
                let (velocity, rate) = (times(x, &velocity), times(x, &rate));
                for (lane, contact) in each(&arm.contacts) {
                    let of = &mut numbers.contacts[contact];
                    of[VELOCITY + axis] = velocity.lane(lane);
                    of[RATE + axis] = rate.lane(lane);
                    of[GAP] = arm.gap.lane(lane);
                    for (k, x) in x.iter().enumerate() {
                        numbers.arms[contact][3 * k + axis] = x.lane(lane);
                    }
                }
            }
        }
    }
}

/// Lanes, and what is in each.
pub(super) fn each(lanes: &[Option<usize>]) -> impl Iterator<Item = (usize, usize)> {
    lanes.iter().enumerate().filter_map(|(lane, of)| Some((lane, (*of)?)))
}
