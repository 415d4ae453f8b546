//! What may touch, its gaps and its rows: contacts, ends of coordinates, declared limits; and declared constraints.
//!
//! Parts are counted contacts first, then ends, then limits. A contact has three rows, normal and tangents, any other
//! part one.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::constrained::Closure;
use crate::impact::Part;
use crate::model::Model;
use crate::simulate::somewhere;
use crate::space::Storage;
use crate::unilateral::{Place, Unilateral};

/// All that may touch, with values at the state that was looked at last.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    all: Vec<Unilateral>,
    place: Place,
    /// What of the second derivative along rows is without v̇: of contacts and limits.
    of_contacts: Vec<f64>,
    of_limits: Vec<f64>,
    /// The declared constraints.
    pub(super) closure: Closure,
}

impl Parts {
    pub(super) fn new<M: Model>(model: &M) -> Self {
        Self {
            all: Unilateral::all(model).collect(),
            place: Place::new::<M>(),
            of_contacts: vec![f64::NAN; 3 * M::CONTACTS.len()],
            of_limits: vec![f64::NAN; M::LIMITS.len()],
            closure: Closure::new(model, &somewhere(model)),
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
        self.closure.evaluate(model, (q, v), time);
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
}
