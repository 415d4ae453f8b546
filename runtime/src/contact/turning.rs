//! Friction of turning: what resists spinning about a contact's normal, and rolling about its tangents.
//!
//! > |m| ≤ ν λ_n,  m ω_n ≤ 0,  |m| = ν λ_n where ω_n ≠ 0
//! > ‖r‖ ≤ ϱ λ_n,  r = −ϱ λ_n ω_t / ‖ω_t‖ where ω_t ≠ 0
//!
//! m and r are impulsive moments, N m s, on the contact's link about the normal and about both tangents; ω_n and ω_t are the
//! angular velocity of its link as seen from the one that it touches, along the same axes. ν and ϱ are lengths. ν is of the size of the
//! patch that touches: of a disc of radius a under even pressure 2/3 μ a. ϱ is by how much the resultant of the pressure moves
//! forward as a wheel or a ball rolls. Each is a cone of its own, beside that of friction along the tangents, which it leaves
//! as strong as it is. Rows are made at run time of the columns of joints; those of pairs of solids are among
//! [`Pairs`]' own.
//!
//! # Source
//!
//! Todorov, Erez, Tassa: MuJoCo, A Physics Engine for Model-Based Control, IROS (2012), for torsional friction and rolling as more
//! rows of a contact; Contensou (1963) for patches, where both frictions share one. Johnson: Contact Mechanics (1985), section 9.6, for the
//! moment of rolling.

use alloc::vec;
use alloc::vec::Vec;

use super::ground::Ground;
use super::pairs::Pairs;
use super::sum::Sum;
use super::{Error, Formulation};
use crate::description::{ContactParameters, resistance};
use crate::model::contact_axes::ContactAxes;
use crate::model::{Robot, Table};
use crate::slices::dot;

/// The rows of the contacts that resist turning.
#[derive(Clone, Debug)]
pub(crate) struct Turning {
    table: &'static Table,
    axes: ContactAxes,
    /// Which they are, and how many rows each has: one about its normal, and two about its tangents if it resists rolling.
    contacts: Vec<(usize, usize)>,
    columns: Vec<f64>,
    /// Three of (nv) for each.
    rows: Vec<f64>,
    /// The first of them, and what of it resists turning.
    first: Option<(&'static str, &'static str)>,
}

impl Turning {
    pub(crate) fn new(robot: Robot<'_>) -> Self {
        let axes = ContactAxes::new(robot);
        let count = |of: &ContactParameters| match of {
            of if of.rolling > 0.0 => 3,
            of if of.torsion > 0.0 => 1,
            _ => 0,
        };
        let all = axes.iter().enumerate().map(|(i, contact)| (i, count(contact)));
        let contacts: Vec<_> = all.filter(|(_, count)| *count > 0).collect();
        let rows = vec![0.0; 3 * contacts.len() * robot.nv];
        let columns = vec![f64::NAN; 6 * robot.columns.len()];
        let named = |&(i, _): &(usize, usize)| {
            Some((robot.contacts[i].name, resistance([axes[i].torsion, axes[i].rolling])?))
        };
        let first = contacts.first().and_then(named);
        Self { table: robot.table(), axes, contacts, columns, rows, first }
    }

    /// # Errors
    ///
    /// [`Error::NotOffered`] where something resists turning, a contact, a pair or the ground, and the formulation has none of that.
    #[inline]
    pub(super) fn check(
        &self,
        pairs: &Pairs,
        ground: Option<&Ground>,
        formulation: &Formulation,
    ) -> Result<(), Error> {
        if formulation.friction().takes_levers() {
            Ok(())
        } else {
            self.refuse((pairs, ground), formulation)
        }
    }

    fn refuse(
        &self,
        (pairs, ground): (&Pairs, Option<&Ground>),
        formulation: &Formulation,
    ) -> Result<(), Error> {
        let named = self.first.or_else(|| pairs.resistance());
        let of_ground = || Some((ground?.resistance()?, None));
        let found = named.map(|(name, what)| (what, Some(name)));
        found.or_else(of_ground).map_or(Ok(()), |(what, by)| {
            Err(Error::NotOffered { formulation: formulation.name(), what, by })
        })
    }

    #[inline]
    pub(crate) fn evaluate(&mut self, robot: Robot<'_>, q: &[f64]) {
        if !self.contacts.is_empty() {
            self.write(robot, q);
        }
    }

    #[cold]
    fn write(&mut self, robot: Robot<'_>, q: &[f64]) {
        let Self { axes, contacts, columns, rows, .. } = self;
        axes.turn(robot, q);
        robot.joint_columns_into(q, columns);
        rows.fill(0.0);
        let nv = robot.nv.max(1);
        for (&(i, count), rows) in contacts.iter().zip(rows.chunks_exact_mut(3 * nv)) {
            let (contact, [first, second]) = (&robot.contacts[i], axes[i].tangents);
            let along = [axes[i].normal, first, second];
            for (axis, row) in along.iter().zip(rows.chunks_exact_mut(nv)).take(count) {
                robot.add_turning_row(columns, contact.link, axis, row);
                if let Some(other) = contact.other {
                    robot.add_turning_row(columns, other, &-axis, row);
                }
            }
        }
    }

    /// The rows of a contact, (nv) each: about its normal, and about its tangents. There are none, one or three.
    pub(crate) fn rows(&self, contact: usize) -> impl Iterator<Item = &[f64]> + Clone {
        let nv = self.table.nv.max(1);
        let at = self.contacts.iter().position(|(i, _)| *i == contact);
        let count = at.map_or(0, |k| self.contacts[k].1);
        let first = 3 * self.table.nv * at.unwrap_or(0);
        self.rows.get(first..).unwrap_or_default().chunks_exact(nv).take(count)
    }

    /// ω of a contact about its normal and its tangents; zero along rows that it has not.
    pub(super) fn velocity(&self, contact: usize, v: &[f64]) -> [f64; 3] {
        let mut velocity = [0.0; 3];
        velocity.iter_mut().zip(self.rows(contact)).for_each(|(to, row)| *to = dot(row, v));
        velocity
    }

    /// ω at the velocity v, with the largest of its terms and of what it would be without impulses.
    pub(super) fn end(&self, contact: usize, free: &[f64], v: &[f64]) -> [Sum; 3] {
        let mut end = [Sum::default(); 3];
        for (sum, row) in end.iter_mut().zip(self.rows(contact)) {
            *sum = Sum::of(row.iter().zip(v).map(|(j, v)| j * v));
            sum.scale = sum.scale.max(dot(row, free).abs());
        }
        end
    }
}
