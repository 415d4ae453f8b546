//! What may touch, its gaps and its rows: contacts, ends of coordinates, declared limits; and declared constraints.
//!
//! Parts are counted contacts first, then ends, then limits. A contact has three rows, normal and tangents, any other
//! part one.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::description::{Level, RowParameters};
use crate::ends::End;
use crate::impact::Part;
use crate::model::Model;
use crate::slices::columns;
use crate::space::Storage;

/// Values of rows at a state: the Jacobian column by column, and what of the second derivative is without v̇.
#[derive(Clone, Debug, Default)]
struct Rows {
    jacobian: Vec<f64>,
    bias: Vec<f64>,
}

impl Rows {
    fn new(rows: usize, nv: usize) -> Self {
        Self { jacobian: vec![f64::NAN; rows * nv], bias: vec![f64::NAN; rows] }
    }

    fn row(&self, row: usize) -> impl Iterator<Item = f64> {
        columns(&self.jacobian, self.bias.len()).map(move |column| column[row])
    }
}

/// All that may touch, with values at the state that was looked at last.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    ends: Vec<End>,
    contacts: Rows,
    limits: Rows,
    constraints: Rows,
    /// h and its rate, or h_v, of constraints.
    errors: Vec<f64>,
    rates: Vec<f64>,
    levels: Vec<(Level, RowParameters)>,
}

impl Parts {
    pub(super) fn new<M: Model>(model: &M) -> Self {
        let levels = M::CONSTRAINTS.iter().flat_map(|constraint| constraint.levels.iter().copied());
        Self {
            ends: End::all(model).collect(),
            contacts: Rows::new(3 * M::CONTACTS.len(), M::NV),
            limits: Rows::new(M::LIMITS.len(), M::NV),
            constraints: Rows::new(M::NC, M::NV),
            errors: vec![0.0; M::NC],
            rates: vec![0.0; M::NC],
            levels: levels.zip(model.constraint_parameters()).collect(),
        }
    }

    /// How many parts there are.
    pub(super) fn count<M: Model>(&self) -> usize {
        M::CONTACTS.len() + self.ends.len() + M::LIMITS.len()
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
        self.place::<M>(self.count::<M>())
    }

    /// The velocity coordinate and the sense of an end; none of other parts.
    pub(super) fn end<M: Model>(&self, part: usize) -> Option<(usize, f64)> {
        let end = self.ends.get(part.checked_sub(M::CONTACTS.len())?)?;
        Some((end.v, end.sign))
    }

    /// The index of a declared limit; none of other parts.
    pub(super) fn limit<M: Model>(&self, part: usize) -> Option<usize> {
        part.checked_sub(M::CONTACTS.len() + self.ends.len())
    }

    /// A part as impacts call it.
    pub(super) fn part<M: Model>(&self, part: usize) -> Option<Part> {
        if part < M::CONTACTS.len() {
            return Some(Part::Contact(part));
        }
        let end = self.end::<M>(part).map(|(v, sign)| Part::Limit { v, upper: sign < 0.0 });
        end.or_else(|| self.limit::<M>(part).map(Part::Declared))
    }

    /// A part as people call it.
    pub(super) fn name<M: Model>(&self, part: usize) -> String {
        if let Some(contact) = M::CONTACTS.get(part) {
            return contact.name.into();
        }
        match self.ends.get(part - M::CONTACTS.len()) {
            Some(End { joint, sign, .. }) if *sign > 0.0 => format!("{joint} lower"),
            Some(End { joint, .. }) => format!("{joint} upper"),
            None => {
                let limit = self.limit::<M>(part).and_then(|limit| M::LIMITS.get(limit));
                limit.map_or(String::new(), |limit| limit.name.into())
            }
        }
    }

    /// Writes the gaps of all parts at `q`, in m or rad, or in whatever limits are in.
    pub(super) fn write_gaps<M: Model>(&self, model: &M, q: &M::Q, gaps: &mut [f64]) {
        let (contacts, rest) = gaps.split_at_mut(M::CONTACTS.len());
        let (ends, limits) = rest.split_at_mut(self.ends.len());
        if !contacts.is_empty() {
            contacts.fill(f64::NAN);
            model.gap_into(q, contacts);
        }
        let q_now = q.as_slice();
        ends.iter_mut().zip(&self.ends).for_each(|(gap, end)| *gap = end.gap(q_now));
        if !limits.is_empty() {
            model.limit_into(q, limits);
        }
    }

    /// Evaluates all rows.
    pub(super) fn evaluate<M: Model>(&mut self, model: &M, (q, v): (&M::Q, &M::V), time: f64) {
        if !M::CONTACTS.is_empty() {
            model.contact_jacobian_into(q, &mut self.contacts.jacobian);
            model.contact_bias_into(q, v, &mut self.contacts.bias);
        }
        if !M::LIMITS.is_empty() {
            model.limit_jacobian_into(q, &mut self.limits.jacobian);
            model.limit_bias_into(q, v, &mut self.limits.bias);
        }
        if M::NC > 0 {
            model.constraint_into(q, time, &mut self.errors);
            model.constraint_rate_into(q, v, time, &mut self.rates);
            model.constraint_jacobian_into(q, v, time, &mut self.constraints.jacobian);
            model.constraint_bias_into(q, v, time, &mut self.constraints.bias);
        }
    }

    /// Appends a row of a part, (nv), where rows were evaluated last.
    pub(super) fn push_row<M: Model>(&self, part: usize, row: usize, to: &mut Vec<f64>) {
        if part < M::CONTACTS.len() {
            to.extend(self.contacts.row(3 * part + row));
        } else if let Some((v, sign)) = self.end::<M>(part) {
            to.extend((0..M::NV).map(|j| if j == v { sign } else { 0.0 }));
        } else if let Some(limit) = self.limit::<M>(part) {
            to.extend(self.limits.row(limit));
        }
    }

    /// What of the acceleration along a row is without v̇.
    pub(super) fn bias<M: Model>(&self, part: usize, row: usize) -> f64 {
        match (part < M::CONTACTS.len(), self.limit::<M>(part)) {
            (true, _) => self.contacts.bias[3 * part + row],
            (_, Some(limit)) => self.limits.bias[limit],
            _ => 0.0,
        }
    }

    /// The velocity along a row.
    pub(super) fn velocity<M: Model>(&self, part: usize, row: usize, v: &[f64]) -> f64 {
        let along = |row: &mut dyn Iterator<Item = f64>| row.zip(v).map(|(j, v)| j * v).sum();
        match (part < M::CONTACTS.len(), self.end::<M>(part), self.limit::<M>(part)) {
            (true, ..) => along(&mut self.contacts.row(3 * part + row)),
            (_, Some((coordinate, sign)), _) => sign * v[coordinate],
            (_, _, Some(limit)) => along(&mut self.limits.row(limit)),
            _ => 0.0,
        }
    }

    /// The slip of a contact along its tangents.
    pub(super) fn slip<M: Model>(&self, contact: usize, v: &[f64]) -> [f64; 2] {
        [1, 2].map(|row| self.velocity::<M>(contact, row, v))
    }

    /// Appends a row of the constraints, (nv).
    pub(super) fn push_constraint(&self, row: usize, to: &mut Vec<f64>) {
        to.extend(self.constraints.row(row));
    }

    /// What the acceleration along a row of the constraints must be, less what of it is without v̇, so that errors die
    /// out at their own rate, or at `rate` if none is declared.
    pub(super) fn constraint_target(&self, row: usize, rate: f64) -> f64 {
        let (level, asks) = &self.levels[row];
        let alpha = if asks.stabilization > 0.0 { asks.stabilization } else { rate };
        let pull = match level {
            Level::Position => 2.0 * alpha * self.rates[row] + alpha * alpha * self.errors[row],
            Level::Velocity => alpha * self.rates[row],
        };
        asks.acceleration - self.constraints.bias[row] - pull
    }

    /// What a row of the constraints misses: h of one of positions, and its rate.
    pub(super) fn constraint_error(&self, row: usize) -> (f64, f64) {
        match self.levels[row].0 {
            Level::Position => (self.errors[row], self.rates[row]),
            Level::Velocity => (0.0, self.rates[row]),
        }
    }
}
