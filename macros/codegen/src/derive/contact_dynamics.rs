//! What a time step with contact starts from.
//!
//! > M + δ = Lᵀ D L,  α = (M + δ)⁻¹ (τ − b),  b = C v − τ_g,  Y = J L⁻¹,  J v,  J (α + c),  φ
//!
//! With them J (M + δ)⁻¹ Jᵀ = Y D⁻¹ Yᵀ, and a velocity changes by L⁻¹ D⁻¹ (Yᵀ Λ) under impulses Λ. δ is what a
//! step adds to the inertia of each coordinate. c is the rate at which the velocity of a floating joint turns with
//! its child, ω × u in its linear part: J v + h J (α + c) is the velocity of contacts after h without impulses.
//!
//! L and Y have entries only between a coordinate and those that it hangs on, and between a contact and the
//! coordinates that move it. Numbers of contacts lie side by side for four of them, as the solver takes them.
//!
//! Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5; the limbs in lanes as in `factor`.

use crate::description::Contact;
use crate::expr::{Expr, Vector3};
use crate::joint::Chart;

use super::contact_hubs::each;
use super::contact_layout::{COLUMNS, GAP, LANES, RATE, VELOCITY};
use super::contact_numbers::Arrangement;
use super::factor::Factor;
use super::forms::Choice;
use super::held::{ContactRow, Run};
use super::mass_matrix::Square;
use super::mechanism::Mechanism;
use super::quantity::Quantity;
use super::rounds::Rounds;
use super::symbols;

/// The quantities, and their arrangement.
pub(super) struct ContactDynamics<'g> {
    /// α, D⁻¹, b; L beside its diagonal, row by row, then M + δ up to its diagonal, row by row, as they are
    /// [arranged](Arrangement); then for each [`LANES`] contacts J v, J (α + c), φ, Y column by column in the order of
    /// `coordinates`, every number for one contact after the other, with zeros for contacts and columns that there are
    /// not. If bodies are solved for, no Y of contacts, but then Y_hub of each body at its coordinates, column by column,
    /// and X for each [`LANES`] contacts, as Y. None of them where it is not generated.
    pub(super) quantity: Quantity<'g>,
    /// What impulses change, from these numbers.
    pub(super) response: Quantity<'g>,
    /// What a change of velocity takes, from these numbers.
    pub(super) momentum: Quantity<'g>,
    /// Of each contact the coordinates that move it, from the root to the outermost.
    pub(super) coordinates: Vec<Vec<usize>>,
    /// Coordinates whose numbers lie side by side; none where nothing is generated.
    pub(super) alike: Vec<Vec<usize>>,
    /// Of each [`LANES`] contacts the body that carries them, if it is bodies that are solved for.
    pub(super) hubs: Vec<usize>,
}

impl<'g> ContactDynamics<'g> {
    /// In the cheapest form; none for a robot without contacts, or whose coordinates form no tree.
    pub(super) fn derive(choice: &Choice<'_, 'g>) -> Self {
        let m = choice.mechanism;
        let vector = |name: &str, numbers| Quantity::vector(m.graph, name, numbers);
        let Some(arrangement) = m.arrangement() else {
            return Self {
                quantity: vector("ContactDynamics", Vec::new()),
                response: vector("ContactResponse", Vec::new()),
                momentum: vector("ContactMomentum", Vec::new()),
                coordinates: m.contact_coordinates(),
                alike: Vec::new(),
                hubs: Vec::new(),
            };
        };
        let derive = |m: &Mechanism<'g>| {
            let (outputs, rounds) = m.contact_dynamics(&arrangement);
            vector("ContactDynamics", outputs).in_rounds(m.graph, rounds)
        };
        let quantity = if m.description.contacts.iter().any(|contact| contact.surface.turns()) {
            derive(m)
        } else {
            choice.choose(derive)
        };
        let written = &quantity.outputs;
        let (response, rounds) = m.contact_response(&arrangement, written, &quantity.rounds);
        let response = vector("ContactResponse", response).in_rounds(m.graph, rounds);
        let momentum = vector("ContactMomentum", m.contact_momentum(&arrangement, written));
        let fours = 0..arrangement.coordinates.len().div_ceil(LANES);
        let hubs = fours.filter_map(|four| arrangement.hub(four)).collect();
        let Arrangement { alike, coordinates, .. } = arrangement;
        Self { quantity, response, momentum, coordinates, alike, hubs }
    }
}

impl<'g> Mechanism<'g> {
    /// The coordinates that move each contact, from the root to the outermost, which have larger numbers.
    pub fn contact_coordinates(&self) -> Vec<Vec<usize>> {
        let of_link = |link: usize| {
            let bodies = self.path(self.links[link].body).map(|k| &self.bodies[k]);
            bodies.flat_map(|body| body.columns.iter().map(|column| column.dof))
        };
        let coordinates = |contact: &Contact| {
            let others = contact.surface.link().into_iter().flat_map(of_link);
            let mut all: Vec<_> = of_link(contact.link).chain(others).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        self.description.contacts.iter().map(coordinates).collect()
    }

    /// What the head of this file says, as it is arranged for the described mechanism, and what of it is computed in rounds.
    pub fn contact_dynamics(&self, arrangement: &Arrangement) -> (Vec<Expr<'g>>, Vec<Rounds<'g>>) {
        let Arrangement { coordinates, hubs, .. } = arrangement;
        let mass = self.mass_with_added();
        let lanes = self.lanes.iter().map(Vec::len).collect();
        let factor = Factor::of_inertia(mass.clone(), self.elimination_order(), lanes);
        let bias = self.bias_force_in_lanes();
        let force = self.state.a.iter().zip(&bias).map(|(&tau, &bias)| tau - bias).collect();
        let acceleration = factor.solve(force);
        let turning = self.turning();
        let rate: Vec<_> = acceleration.iter().zip(&turning).map(|(&a, &c)| a + c).collect();
        let mut outputs = self.spread(&acceleration);
        outputs.extend(self.spread(&factor.inverse));
        outputs.extend(self.spread(&bias));
        let places = self.places();
        arrangement.each_entry(false, |k, i| {
            outputs.push(self.entry(&factor.rows[places[k].0], places[k].1, i));
        });
        arrangement.each_entry(true, |k, i| {
            outputs.push(self.in_lane(&mass[places[k].0], places[k].1, i));
        });
        let mut rounds = Vec::new();
        if hubs.is_empty() {
            let (contacts, runs) = self.numbers_of_contacts(&factor, &rate, coordinates);
            rounds.extend(runs.into_iter().map(|run| rounds_of(run, &contacts, outputs.len())));
            outputs.extend(self.side_by_side(&contacts));
        } else {
            let numbers = self.numbers_on_hubs(hubs, (&factor, &rate), coordinates);
            outputs.extend(self.side_by_side(&numbers.contacts));
            outputs.extend(numbers.hubs.concat());
            outputs.extend(self.side_by_side(&numbers.arms));
        }
        (outputs, rounds)
    }

    /// J v, J times `rate`, φ and Y of each contact, and the runs among them.
    fn numbers_of_contacts(
        &self,
        factor: &Factor<'g>,
        rate: &[Expr<'g>],
        coordinates: &[Vec<usize>],
    ) -> (Vec<Vec<Expr<'g>>>, Vec<Run<'g>>) {
        let zero = self.graph.zero();
        let mut numbers: Vec<_> =
            coordinates.iter().map(|of| vec![zero; COLUMNS + 3 * of.len()]).collect();
        let mut axes = vec![0; coordinates.len()];
        let (rows, runs) = self.contact_rows_in_lanes();
        for row in rows {
            let answer = factor.transposed(row.jacobian.clone());
            for (lane, contact) in each(&row.contacts) {
                let (of, axis) = (&mut numbers[contact], axes[contact]);
                [of[VELOCITY + axis], of[RATE + axis], of[GAP]] = row.in_lane(lane, self, rate);
                for (k, &i) in coordinates[contact].iter().enumerate() {
                    of[COLUMNS + 3 * k + axis] = self.in_lane(&answer, lane, i);
                }
                axes[contact] += 1;
            }
        }
        (numbers, runs)
    }

    /// The numbers of [`LANES`] contacts side by side.
    fn side_by_side(&self, contacts: &[Vec<Expr<'g>>]) -> Vec<Expr<'g>> {
        let zero = self.graph.zero();
        let of_four = |contacts: &[Vec<Expr<'g>>]| -> Vec<_> {
            let count = contacts.iter().map(Vec::len).max().unwrap_or(0);
            let number = |k: usize| {
                let of = |lane: usize| contacts.get(lane).and_then(|of| of.get(k)).copied();
                (0..LANES).map(move |lane| of(lane).unwrap_or(zero)).collect::<Vec<_>>()
            };
            (0..count).flat_map(number).collect()
        };
        contacts.chunks(LANES).flat_map(of_four).collect()
    }

    /// M + δ.
    fn mass_with_added(&self) -> Square<'g> {
        let mut mass = self.mass_matrix_in_lanes();
        for (k, dofs) in self.lanes.iter().enumerate() {
            let added = dofs.iter().map(|&dof| self.graph.symbol(symbols::ASKED, dof));
            mass[k][k] += self.graph.pack(&added.collect::<Vec<_>>());
        }
        mass
    }

    /// c.
    fn turning(&self) -> Vec<Expr<'g>> {
        let mut turning = vec![self.graph.zero(); self.nv()];
        let places = self.places();
        for (joint, &(_, first)) in self.description.joints.iter().zip(&self.coordinates) {
            if joint.family.chart() != Chart::Pose {
                continue;
            }
            let place = |k: usize| places[first + k].0;
            let part = |k: usize| Vector3([k, k + 1, k + 2].map(|k| self.state.v[place(k)]));
            let rate = part(3).cross(part(0));
            (0..3).for_each(|k| turning[place(k)] = rate[k]);
        }
        turning
    }

    /// Where each coordinate of the description is: among those of this mechanism, and in which lane.
    fn places(&self) -> Vec<(usize, usize)> {
        let count = self.lanes.iter().map(Vec::len).sum();
        let mut places = vec![(0, 0); count];
        for (k, dofs) in self.lanes.iter().enumerate() {
            dofs.iter().enumerate().for_each(|(lane, &dof)| places[dof] = (k, lane));
        }
        places
    }

    /// The entry of a sparse row at the described coordinate `i`, in a lane.
    fn entry(&self, row: &[(usize, Expr<'g>)], lane: usize, i: usize) -> Expr<'g> {
        let entry = row.iter().find(|(k, _)| self.is_at(*k, lane, i));
        entry.map_or(self.graph.zero(), |(_, entry)| entry.lane(lane))
    }

    /// The entry of a vector at the described coordinate `i`, in a lane.
    pub(super) fn in_lane(&self, vector: &[Expr<'g>], lane: usize, i: usize) -> Expr<'g> {
        let found = (0..self.nv()).find(|&k| self.is_at(k, lane, i));
        found.map_or(self.graph.zero(), |k| vector[k].lane(lane))
    }

    fn is_at(&self, k: usize, lane: usize, i: usize) -> bool {
        self.lanes[k][lane % self.lanes[k].len()] == i
    }
}

/// A run among contacts whose numbers stand side by side from the output `first` on.
fn rounds_of<'g>(run: Run<'g>, contacts: &[Vec<Expr<'g>>], first: usize) -> Rounds<'g> {
    let size = |four: &[Vec<_>]| LANES * four.iter().map(Vec::len).max().unwrap_or(0);
    let sizes: Vec<_> = contacts.chunks(LANES).map(size).collect();
    let first = first + sizes[..run.first].iter().sum::<usize>();
    let outputs = first..first + sizes[run.first];
    Rounds { count: run.count, columns: run.columns, outputs, sums: Vec::new() }
}

impl<'g> ContactRow<'g> {
    /// J v, J times `rate`, and φ, in a lane.
    fn in_lane(&self, lane: usize, m: &Mechanism<'g>, rate: &[Expr<'g>]) -> [Expr<'g>; 3] {
        let times = |x: &[Expr<'g>]| {
            let terms = self.jacobian.iter().zip(x).map(|(&j, &x)| j * x);
            terms.fold(m.graph.zero(), |sum, term| sum + term).lane(lane)
        };
        [times(&m.state.v), times(rate), self.gap.lane(lane)]
    }
}
