//! The motion that a step would make without impulses, and what impulses change of it.
//!
//! > v_free = ṽ + h (M + δ)⁻¹ (f − b(q, v))
//!
//! A row r of the step's problem has a response ρ to an impulse of one, such that entries of A are rᵢ · ρⱼ, and
//! that the responses of all impulses in sum become a change of velocity.

mod balance;
mod dense;
mod free;
mod hubs;
mod lower;
mod paths;
mod shared;
mod star;
mod start;
mod sum;
mod tree;

use alloc::boxed::Box;

use self::dense::Dense;
pub(super) use self::free::Free;
pub(super) use self::star::Beginning;
pub(super) use self::start::{Given, Start};
pub(super) use self::sum::sum_of;
pub(super) use self::tree::Tree;
use super::rows::Rows;
use super::star::Star;
use super::{Error, Impulse};
use crate::arithmetic::Baseline;
use crate::kernel::Real;
use crate::model::Robot;
use crate::slices::larger;

#[derive(Clone, Debug)]
pub(super) enum Dynamics {
    Dense(Box<Dense>),
    Tree(Box<Tree>),
}

impl Dynamics {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        if Tree::suits(robot.table()) {
            Self::Tree(Box::new(Tree::new(robot)))
        } else {
            Self::Dense(Box::new(Dense::new(robot)))
        }
    }

    /// Computes everything at the beginning of a step.
    #[inline(always)]
    pub(super) fn evaluate<A: Real>(
        &mut self,
        robot: Robot<'_>,
        start: &Start<'_>,
    ) -> Result<(), Error> {
        match self {
            Self::Dense(dense) => dense.evaluate(robot, start),
            Self::Tree(tree) => tree.evaluate::<A>(robot, start),
        }
    }

    /// v_free, (nv).
    #[inline(always)]
    pub(super) fn free(&self) -> &[f64] {
        match self {
            Self::Dense(dense) => &dense.free,
            Self::Tree(tree) => &tree.free,
        }
    }

    /// Exchanges the motion without impulses for another one, until it is exchanged again.
    pub(super) fn exchange(&mut self, other: &mut Free) {
        let free = match self {
            Self::Dense(dense) => &mut dense.free,
            Self::Tree(tree) => {
                core::mem::swap(&mut tree.step_size, &mut other.step_size);
                &mut tree.free
            }
        };
        core::mem::swap(free, &mut other.velocity);
    }

    /// φ of the contacts.
    #[inline(always)]
    pub(super) fn gap(&self) -> &[f64] {
        match self {
            Self::Dense(dense) => &dense.gap,
            Self::Tree(tree) => tree.gap(),
        }
    }

    /// The deepest penetration of a contact, m; 0 if there is none.
    #[inline(always)]
    pub(super) fn penetration(&self) -> f64 {
        match self {
            Self::Dense(dense) => dense.gap.iter().fold(0.0, |deepest, gap| larger(-gap, deepest)),
            Self::Tree(tree) => tree.penetration,
        }
    }

    /// J v of a contact: normal, first and second tangent.
    #[inline(always)]
    pub(super) fn contact_velocity(&self, contact: usize) -> [f64; 3] {
        match self {
            Self::Dense(dense) => dense.contact_velocity(contact),
            Self::Tree(tree) => tree.contact_velocity(contact),
        }
    }

    /// J v_free of a contact.
    #[inline(always)]
    pub(super) fn contact_free(&self, contact: usize) -> [f64; 3] {
        match self {
            Self::Dense(dense) => dense.contact_free(contact),
            Self::Tree(tree) => tree.contact_free(contact),
        }
    }

    /// J v⁺ of a contact at the velocity v⁺ that the last impulses led to; and the larger of its terms.
    #[inline(always)]
    pub(super) fn contact_end(&self, contact: usize, v: &[f64]) -> [[f64; 2]; 3] {
        match self {
            Self::Dense(dense) => dense.contact_times(contact, v).map(|x| [x, x.abs()]),
            Self::Tree(tree) => {
                let (free, change) = (tree.contact_free(contact), tree.contact_change(contact));
                core::array::from_fn(|k| {
                    [free[k] + change[k], larger(free[k].abs(), change[k].abs())]
                })
            }
        }
    }

    /// That of a tree.
    #[inline(always)]
    pub(super) fn tree(&mut self) -> Option<&mut Tree> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::Dense(_) => None,
        }
    }

    /// M + δ, (nv, nv), where it is at hand.
    #[cfg(feature = "std")]
    pub(super) fn mass(&self) -> Option<&[f64]> {
        match self {
            Self::Dense(dense) => Some(dense.mass()),
            Self::Tree(_) => None,
        }
    }

    /// That of a tree all of whose contacts share few coordinates.
    #[inline(always)]
    pub(super) fn star(&mut self) -> Option<&mut Tree> {
        match self {
            Self::Tree(tree) if tree.is_star() => Some(tree),
            _ => None,
        }
    }

    /// Writes what contacts share, if that is little; whether it is.
    #[inline(always)]
    pub(super) fn write_star(
        &self,
        contacts: impl Iterator<Item = usize> + Clone,
        star: &mut Star,
    ) -> bool {
        match self {
            Self::Dense(_) => false,
            Self::Tree(tree) => tree.write_star(contacts, star),
        }
    }

    /// Writes rows of a contact, its normal alone or the tangents too, which are the last ones.
    #[inline(always)]
    pub(super) fn write_contact<const K: usize>(&self, contact: usize, rows: &mut Rows) {
        match self {
            Self::Dense(dense) => dense.write_contact::<K>(contact, rows),
            Self::Tree(tree) => tree.write_contact::<K>(contact, rows),
        }
    }

    /// Writes the row of a velocity coordinate, times a sign, which is the last one.
    pub(super) fn write_coordinate(&mut self, v: usize, sign: f64, rows: &mut Rows) {
        match self {
            Self::Dense(_) => rows.write(v, [sign]),
            Self::Tree(tree) => tree.write_coordinate(v, sign, rows),
        }
    }

    /// Writes a row of a Jacobian, which is the last one.
    pub(super) fn write_row(&mut self, row: impl Iterator<Item = f64>, rows: &mut Rows) {
        match self {
            Self::Dense(_) => row.enumerate().for_each(|(k, entry)| rows.write(k, [entry])),
            Self::Tree(tree) => tree.write_row(row, rows),
        }
    }

    /// Finds the responses of all rows.
    #[inline(always)]
    pub(super) fn respond(&mut self, rows: &mut Rows) {
        match self {
            Self::Dense(dense) => rows.respond_with(|row| dense.respond(row)),
            Self::Tree(tree) => rows.respond_by(tree.inverse_pivots()),
        }
    }

    /// No impulses at all.
    #[inline(always)]
    pub(super) fn rest(&mut self) {
        if let Self::Tree(tree) = self {
            tree.rest();
        }
    }

    /// Writes v⁺ under impulses along the rows; `first` is the first row that is not of a contact.
    #[inline(always)]
    pub(super) fn accelerate(
        &mut self,
        (rows, first): (&mut Rows, usize),
        impulses: &[f64],
        impulse: &Impulse,
        velocity: &mut [f64],
    ) {
        let (free, change) = match self {
            Self::Dense(dense) => (&dense.free, &*rows.respond_to(impulses)),
            Self::Tree(tree) => {
                tree.accelerate((rows, first), impulses, impulse);
                (&tree.free, tree.change())
            }
        };
        let parts = free.iter().zip(change);
        velocity.iter_mut().zip(parts).for_each(|(v, (free, change))| *v = free + change);
    }

    /// The largest error of the constraints where a velocity leads, to `end` if that is not straight on; zero if there are none.
    #[inline]
    pub(super) fn violation(
        &mut self,
        robot: Robot<'_>,
        of: (&[f64], &[f64]),
        end: Option<&[f64]>,
        during: (f64, f64),
    ) -> f64 {
        match self {
            Self::Dense(dense) => dense.violation(robot, of, end, during),
            Self::Tree(_) => 0.0,
        }
    }

    /// Exchanges the force of a step for the given one, which is another by `change`, (nv), before constraints are corrected.
    pub(super) fn exchange_force(&mut self, given: &Given<'_>, change: &[f64]) {
        match self {
            Self::Dense(dense) => dense.exchange_force(given),
            Self::Tree(tree) => tree.add_force::<Baseline>(change),
        }
    }

    /// v_free with which the constraints, after [`violation`](Self::violation) with `w`, are to have none.
    #[inline]
    pub(super) fn correct(&mut self, w: &[f64]) {
        if let Self::Dense(dense) = self {
            dense.correct(w);
        }
    }

    /// The largest entry of (M + δ)(v⁺ − ṽ) − h (f − b) − Gᵀ Λ for a step to the velocity `end`, each by its largest
    /// term if that is above one; Λ are impulses along the rows and of bilateral constraints. Of a product with M, a tree
    /// knows the terms only by D.
    #[inline(always)]
    pub(super) fn imbalance<A: Real>(
        &mut self,
        given: &Given<'_>,
        end: &[f64],
        rows: (&Rows, &[f64]),
        constraints: &[f64],
    ) -> f64 {
        match self {
            Self::Dense(dense) => dense.imbalance(given, end, rows, constraints),
            Self::Tree(tree) => tree.imbalance::<A>(given, end),
        }
    }

    /// The impulses of the bilateral constraints, (nc), beside the generalised impulse `p` of all else.
    #[inline]
    pub(super) fn bilateral_impulses(&mut self, p: &mut [f64], impulses: &mut [f64]) {
        if let Self::Dense(dense) = self {
            dense.bilateral_impulses(p, impulses);
        }
    }
}
