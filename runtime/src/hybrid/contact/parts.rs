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
use crate::model::{Events, Robot, Table};
use crate::simulate::asymmetric_configuration;
use crate::unilateral::{Place, Unilateral};

/// All that may touch, with values at the state that was looked at last.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    table: &'static Table,
    events: &'static Events,
    all: Vec<Unilateral>,
    place: Place,
    /// What of the second derivative along rows is without v̇: of contacts and limits.
    of_contacts: Vec<f64>,
    of_limits: Vec<f64>,
    /// The declared constraints.
    pub(super) closure: Closure,
}

impl Parts {
    pub(super) fn new(robot: Robot<'_>, events: &'static Events) -> Self {
        let table = robot.table();
        Self {
            table,
            events,
            all: Unilateral::all(robot).collect(),
            place: Place::new(table),
            of_contacts: vec![f64::NAN; 3 * table.contacts.len()],
            of_limits: vec![f64::NAN; table.limits.len()],
            closure: Closure::new(robot, &asymmetric_configuration(table)),
        }
    }

    /// How many parts there are.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// How many forces there are: three of each contact, one of each other part, one of each row of constraints.
    pub(super) fn forces(&self) -> usize {
        self.first_multiplier() + self.table.nc
    }

    /// The place of a part's first force.
    pub(super) fn place(&self, part: usize) -> usize {
        let contacts = self.table.contacts.len();
        3 * part.min(contacts) + part.saturating_sub(contacts)
    }

    /// The place of the first multiplier of constraints.
    pub(super) fn first_multiplier(&self) -> usize {
        self.place(self.count())
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
    pub(super) fn name(&self, part: usize) -> String {
        let name = self.get(part).map_or("", |one| one.name(self.table));
        match self.get(part) {
            Some(Unilateral::End(end)) if end.sign > 0.0 => format!("{name} lower"),
            Some(Unilateral::End(_)) => format!("{name} upper"),
            _ => name.into(),
        }
    }

    /// Writes the gaps of all parts at `q`, in m or rad, or in whatever limits are in.
    pub(super) fn write_gaps(&mut self, robot: Robot<'_>, q: &[f64], gaps: &mut [f64]) {
        let Self { all, place, .. } = self;
        place.measure(robot, q);
        gaps.iter_mut().zip(all).for_each(|(gap, one)| *gap = place.gap(one, q));
    }

    /// Evaluates rows of contacts and limits alone.
    pub(super) fn linearise(&mut self, robot: Robot<'_>, q: &[f64]) {
        self.place.linearise(robot, q);
    }

    /// Evaluates all rows.
    pub(super) fn evaluate(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64]), time: f64) {
        self.place.linearise(robot, q);
        if !robot.contacts.is_empty() {
            robot.contact_bias_into(q, v, &mut self.of_contacts);
        }
        if !robot.limits.is_empty() {
            self.events.limit_bias_into(robot, q, v, &mut self.of_limits);
        }
        self.closure.evaluate(robot, (q, v), time);
    }

    /// Appends a row of a part, (nv), where rows were evaluated last.
    pub(super) fn push_row(&self, part: usize, row: usize, to: &mut Vec<f64>) {
        if let Some(one) = self.get(part) {
            self.place.push_row(one, row, self.table.nv, to);
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
