//! What may touch, its gaps and its rows: contacts, ends of coordinates, declared limits; and declared constraints.
//!
//! Parts are counted contacts first, then ends, then limits. A contact has three rows, normal and tangents, any other
//! part one.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::constrained::{first_missed, reaches};
use crate::description::{Level, RowParameters};
use crate::impact::Part;
use crate::model::Model;
use crate::simulate::somewhere;
use crate::slices::{columns, worse};
use crate::space::Storage;
use crate::unilateral::{Place, Unilateral};

/// An entry of a row by its size that is rounding.
const VANISHED: f64 = 1e-5;

/// All that may touch, with values at the state that was looked at last.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    all: Vec<Unilateral>,
    place: Place,
    /// What of the second derivative along rows is without v̇: of contacts, limits and constraints.
    of_contacts: Vec<f64>,
    of_limits: Vec<f64>,
    of_constraints: Vec<f64>,
    /// H, (nc, nv).
    constraints: Vec<f64>,
    /// ρ of its rows somewhere, by which they are of unit size.
    sizes: Vec<f64>,
    /// h and its rate, or h_v, of constraints.
    errors: Vec<f64>,
    rates: Vec<f64>,
    levels: Vec<(Level, RowParameters)>,
}

impl Parts {
    pub(super) fn new<M: Model>(model: &M) -> Self {
        let levels = M::CONSTRAINTS.iter().flat_map(|constraint| constraint.levels.iter().copied());
        Self {
            all: Unilateral::all(model).collect(),
            place: Place::new::<M>(),
            of_contacts: vec![f64::NAN; 3 * M::CONTACTS.len()],
            of_limits: vec![f64::NAN; M::LIMITS.len()],
            of_constraints: vec![f64::NAN; M::NC],
            constraints: vec![f64::NAN; M::NC * M::NV],
            sizes: sizes(model),
            errors: vec![0.0; M::NC],
            rates: vec![0.0; M::NC],
            levels: levels.zip(model.constraint_parameters()).collect(),
        }
    }

    /// How many parts there are.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// How many forces there are: three of each contact, one of each other part, one of each row of constraints.
    pub(super) fn forces<M: Model>(&self) -> usize {
        self.first_multiplier::<M>() + M::NC
    }

    /// The place of a part's first force.
    pub(super) fn place<M: Model>(&self, part: usize) -> usize {
        let contacts = M::CONTACTS.len();
        3 * part.min(contacts) + part.saturating_sub(contacts)
    }

    /// The place of the first multiplier of constraints.
    pub(super) fn first_multiplier<M: Model>(&self) -> usize {
        self.place::<M>(self.count())
    }

    /// A part itself.
    pub(super) fn get(&self, part: usize) -> Option<&Unilateral> {
        self.all.get(part)
    }

    /// A part as impacts call it.
    pub(super) fn part(&self, part: usize) -> Option<Part> {
        Some(match *self.get(part)? {
            Unilateral::Contact(k) => Part::Contact(k),
            Unilateral::End(end) => Part::Limit { v: end.v, upper: end.sign < 0.0 },
            Unilateral::Limit(k) => Part::Declared(k),
        })
    }

    /// A part as people call it.
    pub(super) fn name<M: Model>(&self, part: usize) -> String {
        let name = self.get(part).map_or("", Unilateral::name::<M>);
        match self.get(part) {
            Some(Unilateral::End(end)) if end.sign > 0.0 => format!("{name} lower"),
            Some(Unilateral::End(_)) => format!("{name} upper"),
            _ => name.into(),
        }
    }

    /// Writes the gaps of all parts at `q`, in m or rad, or in whatever limits are in.
    pub(super) fn write_gaps<M: Model>(&mut self, model: &M, q: &M::Q, gaps: &mut [f64]) {
        let Self { all, place, .. } = self;
        place.measure(model, q);
        gaps.iter_mut().zip(all).for_each(|(gap, one)| *gap = place.gap(one, q.as_slice()));
    }

    /// Evaluates rows of contacts and limits alone.
    pub(super) fn linearise<M: Model>(&mut self, model: &M, q: &M::Q) {
        self.place.linearise(model, q);
    }

    /// Evaluates all rows.
    pub(super) fn evaluate<M: Model>(&mut self, model: &M, (q, v): (&M::Q, &M::V), time: f64) {
        self.place.linearise(model, q);
        if !M::CONTACTS.is_empty() {
            model.contact_bias_into(q, v, &mut self.of_contacts);
        }
        if !M::LIMITS.is_empty() {
            model.limit_bias_into(q, v, &mut self.of_limits);
        }
        if M::NC > 0 {
            model.constraint_into(q, time, &mut self.errors);
            model.constraint_rate_into(q, v, time, &mut self.rates);
            model.constraint_jacobian_into(q, v, time, &mut self.constraints);
            self.clear_vanished();
            model.constraint_bias_into(q, v, time, &mut self.of_constraints);
        }
    }

    /// Makes rows zero that vanish, as in singular positions, where their direction is rounding.
    fn clear_vanished(&mut self) {
        for (row, size) in self.sizes.iter().enumerate() {
            let rows = self.sizes.len();
            let entries = self.constraints.iter().skip(row).step_by(rows);
            if entries.fold(0.0, |most, entry| worse(most, entry.abs())) < VANISHED * size {
                let entries = self.constraints.iter_mut().skip(row).step_by(rows);
                entries.for_each(|entry| *entry = 0.0);
            }
        }
    }

    /// Appends a row of a part, (nv), where rows were evaluated last.
    pub(super) fn push_row<M: Model>(&self, part: usize, row: usize, to: &mut Vec<f64>) {
        if let Some(one) = self.get(part) {
            self.place.push_row(one, row, M::NV, to);
        }
    }

    /// What of the acceleration along a row is without v̇.
    pub(super) fn bias(&self, part: usize, row: usize) -> f64 {
        match self.get(part) {
            Some(Unilateral::Contact(k)) => self.of_contacts[3 * k + row],
            Some(Unilateral::Limit(k)) => self.of_limits[*k],
            _ => 0.0,
        }
    }

    /// The velocity along a row.
    pub(super) fn velocity(&self, part: usize, row: usize, v: &[f64]) -> f64 {
        self.get(part).map_or(0.0, |one| self.place.velocity(one, row, v))
    }

    /// The slip of a contact along its tangents.
    pub(super) fn slip(&self, contact: usize, v: &[f64]) -> [f64; 2] {
        [1, 2].map(|row| self.velocity(contact, row, v))
    }

    /// Appends a row of the constraints, (nv).
    pub(super) fn push_constraint(&self, row: usize, to: &mut Vec<f64>) {
        to.extend(columns(&self.constraints, self.rates.len()).map(|column| column[row]));
    }

    /// What the acceleration along a row of the constraints must be, less what of it is without v̇, so that errors die
    /// out at their own rate, or at `rate` if none is declared.
    pub(super) fn constraint_target(&self, row: usize, rate: f64) -> f64 {
        let [of_rate, of_error] = self.constraint_pull(row, rate);
        let pull = of_rate * self.rates[row] + of_error * self.errors[row];
        self.levels[row].1.acceleration - self.of_constraints[row] - pull
    }

    /// Whether a row of the constraints is to accelerate, and so leaves what it is an equation of.
    pub(super) fn departs(&self) -> bool {
        self.levels.iter().any(|(_, asks)| asks.acceleration != 0.0)
    }

    /// By how much that pulls back, of the rate of the row and of its error.
    pub(super) fn constraint_pull(&self, row: usize, rate: f64) -> [f64; 2] {
        let (level, asks) = &self.levels[row];
        let alpha = if asks.stabilization > 0.0 { asks.stabilization } else { rate };
        match level {
            Level::Position => [2.0 * alpha, alpha * alpha],
            Level::Velocity => [alpha, 0.0],
        }
    }

    /// The first constraint of which more than `allowed` is missing where rows were evaluated last, and how much: in m or rad
    /// of the coordinates, or in these a second.
    pub(super) fn violated<M: Model>(&self, allowed: f64) -> Option<(&'static str, f64)> {
        let missing = |row: usize| {
            let (h, rate) = self.constraint_error(row);
            worse(h.abs(), rate.abs())
        };
        first_missed::<M>(missing, &self.constraints, allowed)
    }

    /// What a row of the constraints misses: h of one of positions, and its rate.
    pub(super) fn constraint_error(&self, row: usize) -> (f64, f64) {
        match self.levels[row].0 {
            Level::Position => (self.errors[row], self.rates[row]),
            Level::Velocity => (0.0, self.rates[row]),
        }
    }
}

/// ρ of the rows of constraints at a configuration in general position.
fn sizes<M: Model>(model: &M) -> Vec<f64> {
    let (mut jacobian, mut sizes) = (vec![f64::NAN; M::NC * M::NV], Vec::new());
    if M::NC > 0 {
        let (q, v) = (somewhere(model), M::V::zeros());
        model.constraint_jacobian_into(&q, &v, 0.0, &mut jacobian);
    }
    let counts = M::CONSTRAINTS.iter().map(|constraint| constraint.levels.len());
    reaches(counts, (M::NC, &jacobian), &mut sizes);
    sizes
}
