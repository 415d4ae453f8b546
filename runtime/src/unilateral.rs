//! What acts in one sense only, contacts, ends of joints and declared limits, and its values at a configuration.

use alloc::vec;
use alloc::vec::Vec;

use crate::ends::End;
use crate::model::{Robot, Table};
use crate::slices::columns;

/// A unilateral constraint φ(q) ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unilateral {
    /// A contact, whose rows are along its normal and its tangents.
    Contact(usize),
    /// The end of a coordinate.
    End(End),
    /// A declared limit.
    Limit(usize),
}

impl Unilateral {
    /// All that a robot has: contacts, then ends, then limits.
    pub(crate) fn all(robot: Robot<'_>) -> impl Iterator<Item = Self> + use<> {
        let contacts = (0..robot.contacts.len()).map(Self::Contact);
        let limits = (0..robot.limits.len()).map(Self::Limit);
        contacts.chain(End::all(robot).map(Self::End)).chain(limits)
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        if matches!(self, Self::Contact(_)) { 3 } else { 1 }
    }

    /// The name of the contact, of the joint whose end it is, or of the limit.
    pub(crate) fn name(&self, table: &Table) -> &'static str {
        match self {
            Self::Contact(k) => table.contacts.get(*k).map_or("", |contact| contact.name),
            Self::End(end) => end.joint,
            Self::Limit(k) => table.limits.get(*k).map_or("", |limit| limit.name),
        }
    }
}

/// Gaps and Jacobians at a configuration, matrices column by column.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// φ of contacts, (contacts), in m.
    pub(crate) gaps: Vec<f64>,
    /// J of contacts, (3 contacts, nv).
    pub(crate) contacts: Vec<f64>,
    /// C of declared limits, (limits).
    limits: Vec<f64>,
    /// Its Jacobian, (limits, nv).
    pub(crate) of_limits: Vec<f64>,
}

impl Place {
    pub(crate) fn new(table: &Table) -> Self {
        let (contacts, limits) = (table.contacts.len(), table.limits.len());
        let unknown = |count: usize| vec![f64::NAN; count];
        Self {
            gaps: unknown(contacts),
            contacts: unknown(3 * contacts * table.nv),
            limits: unknown(limits),
            of_limits: unknown(limits * table.nv),
        }
    }

    /// Evaluates gaps at `q`.
    #[inline]
    pub(crate) fn measure(&mut self, robot: Robot<'_>, q: &[f64]) {
        if !self.gaps.is_empty() {
            self.gaps.fill(f64::NAN);
            robot.gap_into(q, &mut self.gaps);
        }
        if !self.limits.is_empty() {
            robot.limit_into(q, &mut self.limits);
        }
    }

    /// Evaluates Jacobians at `q`.
    #[inline]
    pub(crate) fn linearise(&mut self, robot: Robot<'_>, q: &[f64]) {
        if !self.gaps.is_empty() {
            robot.contact_jacobian_into(q, &mut self.contacts);
        }
        if !self.limits.is_empty() {
            robot.limit_jacobian_into(q, &mut self.of_limits);
        }
    }

    /// φ of one at `q`, where gaps were evaluated last, in m or rad, or whatever a declared limit is in.
    #[inline]
    pub(crate) fn gap(&self, one: &Unilateral, q: &[f64]) -> f64 {
        match *one {
            Unilateral::Contact(k) => self.gaps[k],
            Unilateral::End(end) => end.gap(q),
            Unilateral::Limit(k) => self.limits[k],
        }
    }

    /// Appends a row of one, (nv), where Jacobians were evaluated last.
    pub(crate) fn push_row(&self, one: &Unilateral, row: usize, nv: usize, to: &mut Vec<f64>) {
        match *one {
            Unilateral::Contact(k) => to.extend(self.of_contact(3 * k + row)),
            Unilateral::End(end) => {
                to.extend((0..nv).map(|j| if j == end.v { end.sign } else { 0.0 }));
            }
            Unilateral::Limit(k) => to.extend(self.of_limit(k)),
        }
    }

    /// J v along a row of one, where Jacobians were evaluated last.
    pub(crate) fn velocity(&self, one: &Unilateral, row: usize, v: &[f64]) -> f64 {
        match *one {
            Unilateral::Contact(k) => self.of_contact(3 * k + row).zip(v).map(|(j, v)| j * v).sum(),
            Unilateral::End(end) => end.sign * v[end.v],
            Unilateral::Limit(k) => self.of_limit(k).zip(v).map(|(j, v)| j * v).sum(),
        }
    }

    fn of_contact(&self, row: usize) -> impl Iterator<Item = f64> {
        columns(&self.contacts, 3 * self.gaps.len()).map(move |column| column[row])
    }

    fn of_limit(&self, k: usize) -> impl Iterator<Item = f64> {
        columns(&self.of_limits, self.limits.len()).map(move |column| column[k])
    }
}
