//! Torsional friction: what resists spinning about a contact's normal.
//!
//! > |m| ≤ ν λ_n,  m ω_n ≤ 0,  |m| = ν λ_n where ω_n ≠ 0
//!
//! m is an impulsive moment, N m s, on the contact's link about the normal, ω_n = n · (ω₁ − ω₂) the spin of its link
//! as seen from the one that it touches, and ν a length, of the size of the patch that touches: of a disc of radius
//! a under even pressure 2/3 μ a. It is a cone of its own, beside that of friction along the tangents, which it leaves
//! as strong as it is. The row is made at run time of the columns of joints; those of pairs of solids are among
//! [`Pairs`]' own, one for each point.
//!
//! # Source
//!
//! Todorov, Erez, Tassa: MuJoCo, A Physics Engine for Model-Based Control, IROS (2012), for torsional friction as one
//! more row of a contact; Contensou (1963) for patches, where both frictions share one.

use alloc::vec;
use alloc::vec::Vec;

use super::pairs::Pairs;
use super::residual::Sum;
use super::{Error, Formulation};
use crate::model::one_sided::ContactAxes;
use crate::model::{Robot, Table};

/// The rows of the contacts that have torsional friction.
#[derive(Clone, Debug)]
pub(crate) struct Spins {
    table: &'static Table,
    axes: ContactAxes,
    /// Which they are.
    contacts: Vec<usize>,
    columns: Vec<f64>,
    /// (nv) of each.
    rows: Vec<f64>,
}

impl Spins {
    pub(crate) fn new(robot: Robot<'_>) -> Self {
        let axes = ContactAxes::new(robot);
        let all = axes.iter().enumerate().filter(|(_, contact)| contact.torsion > 0.0);
        let contacts: Vec<usize> = all.map(|(i, _)| i).collect();
        let rows = vec![0.0; contacts.len() * robot.nv];
        let columns = vec![f64::NAN; 6 * robot.columns.len()];
        Self { table: robot.table(), axes, contacts, columns, rows }
    }

    /// # Errors
    ///
    /// [`Error::NotOffered`] where there is torsional friction and the formulation has none.
    #[inline]
    pub(super) fn check(&self, pairs: &Pairs, formulation: &Formulation) -> Result<(), Error> {
        if formulation.takes_torsion() { Ok(()) } else { self.refuse(pairs, formulation) }
    }

    fn refuse(&self, pairs: &Pairs, formulation: &Formulation) -> Result<(), Error> {
        let contact = self.contacts.first().map(|&i| self.table.contacts[i].name);
        match contact.or_else(|| pairs.with_torsion()) {
            None => Ok(()),
            by => {
                let (formulation, what) = (formulation.name(), "torsional friction");
                Err(Error::NotOffered { formulation, what, by })
            }
        }
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
        for (&i, row) in contacts.iter().zip(rows.chunks_exact_mut(robot.nv.max(1))) {
            let (contact, normal) = (&robot.contacts[i], axes[i].normal);
            robot.add_turning_row(columns, contact.link, &normal, row);
            if let Some(other) = contact.other {
                robot.add_turning_row(columns, other, &-normal, row);
            }
        }
    }

    /// The row of a contact, (nv); empty if it has none.
    pub(crate) fn row(&self, contact: usize) -> &[f64] {
        let at = self.contacts.iter().position(|&i| i == contact);
        let nv = self.table.nv;
        at.map_or(&[], |k| &self.rows[nv * k..nv * (k + 1)])
    }

    /// ω_n of a contact.
    pub(super) fn velocity(&self, contact: usize, v: &[f64]) -> f64 {
        self.row(contact).iter().zip(v).map(|(j, v)| j * v).sum()
    }

    /// ω_n at the velocity v, with the largest of its terms and of what it would be without impulses.
    pub(super) fn end(&self, contact: usize, free: &[f64], v: &[f64]) -> Sum {
        let mut sum = Sum::of(self.row(contact).iter().zip(v).map(|(j, v)| j * v));
        sum.scale = sum.scale.max(self.velocity(contact, free).abs());
        sum
    }
}
