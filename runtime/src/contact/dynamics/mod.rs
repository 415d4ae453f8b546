//! The motion that a step would make without impulses, and what impulses change of it.
//!
//! > v_free = ṽ + h (M + δ)⁻¹ (f − b(q, v))
//!
//! A row r of the step's problem has a response ρ to an impulse of one, such that entries of A are rᵢ · ρⱼ, and
//! that the responses of all impulses in sum become a change of velocity.

mod dense;
mod tree;

use alloc::boxed::Box;

use self::dense::Dense;
use self::tree::Tree;
use super::Error;
use super::rows::Rows;
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

/// Where a step starts.
#[derive(Debug)]
pub(super) struct Start<'a, M: Model> {
    pub(super) q: &'a M::Q,
    pub(super) v: &'a M::V,
    /// The generalised force without the bias force, (nv).
    pub(super) force: &'a M::V,
    /// δ, what is added to the inertia of each coordinate, (nv).
    pub(super) added: &'a [f64],
    pub(super) time: f64,
    pub(super) step_size: f64,
}

#[derive(Clone, Debug)]
pub(super) enum Dynamics<M: Model> {
    Dense(Box<Dense<M>>),
    Tree(Box<Tree<M>>),
}

impl<M: Model> Dynamics<M> {
    pub(super) fn new(model: &M) -> Self {
        if Tree::<M>::suits() {
            Self::Tree(Box::new(Tree::new()))
        } else {
            Self::Dense(Box::new(Dense::new(model)))
        }
    }

    /// Computes everything at the beginning of a step.
    pub(super) fn evaluate(&mut self, model: &M, start: &Start<'_, M>) -> Result<(), Error> {
        match self {
            Self::Dense(dense) => dense.evaluate(model, start),
            Self::Tree(tree) => tree.evaluate(model, start),
        }
    }

    /// v_free, (nv).
    pub(super) fn free(&self) -> &[f64] {
        match self {
            Self::Dense(dense) => &dense.free,
            Self::Tree(tree) => &tree.free,
        }
    }

    /// φ of the contacts.
    pub(super) fn gap(&self) -> &[f64] {
        match self {
            Self::Dense(dense) => &dense.gap,
            Self::Tree(tree) => &tree.gap,
        }
    }

    /// J v of a contact: normal, first and second tangent.
    pub(super) fn contact_velocity(&self, contact: usize) -> [f64; 3] {
        match self {
            Self::Dense(dense) => dense.contact_velocity(contact),
            Self::Tree(tree) => tree.contact_velocity(contact),
        }
    }

    /// J v_free of a contact.
    pub(super) fn contact_free(&self, contact: usize) -> [f64; 3] {
        match self {
            Self::Dense(dense) => dense.contact_free(contact),
            Self::Tree(tree) => tree.contact_free(contact),
        }
    }

    /// J v⁺ of a contact, where impulses have made a response and the velocity v⁺; and the larger of its terms.
    pub(super) fn contact_end(
        &self,
        contact: usize,
        (response, v): (&[f64], &[f64]),
    ) -> [[f64; 2]; 3] {
        match self {
            Self::Dense(dense) => dense.contact_times(contact, v).map(|x| [x, x.abs()]),
            Self::Tree(tree) => {
                let (free, change) =
                    (tree.contact_free(contact), tree.contact_change(contact, response));
                core::array::from_fn(|k| [free[k] + change[k], free[k].abs().max(change[k].abs())])
            }
        }
    }

    /// Writes the rows of a contact, its normal alone or the tangents too, which are the last ones.
    pub(super) fn write_contact(&self, contact: usize, count: usize, rows: &mut Rows) {
        match self {
            Self::Dense(dense) => dense.write_contact(contact, count, rows),
            Self::Tree(tree) => tree.write_contact(contact, count, rows),
        }
    }

    /// Writes the row of a velocity coordinate, times a sign, which is the last one.
    pub(super) fn write_coordinate(&mut self, v: usize, sign: f64, rows: &mut Rows) {
        match self {
            Self::Dense(_) => rows.write(v, &[sign]),
            Self::Tree(tree) => tree.write_coordinate(v, sign, rows),
        }
    }

    /// Writes a row of a Jacobian, which is the last one.
    pub(super) fn write_row(&mut self, row: impl Iterator<Item = f64>, rows: &mut Rows) {
        match self {
            Self::Dense(_) => row.enumerate().for_each(|(k, entry)| rows.write(k, &[entry])),
            Self::Tree(tree) => tree.write_row(row, rows),
        }
    }

    /// Finds the responses of all rows.
    pub(super) fn respond(&mut self, rows: &mut Rows) {
        match self {
            Self::Dense(dense) => rows.respond_with(|row| dense.respond(row)),
            Self::Tree(tree) => rows.respond_by(tree.inverse_pivots()),
        }
    }

    /// Turns a response into the change of velocity.
    pub(super) fn realize(&self, response: &mut [f64]) {
        match self {
            Self::Dense(_) => {}
            Self::Tree(tree) => tree.realize(response),
        }
    }

    /// The largest error of the constraints where a velocity leads; zero if there are none.
    pub(super) fn violation(&mut self, model: &M, of: (&M::Q, &M::V), during: (f64, f64)) -> f64 {
        match self {
            Self::Dense(dense) => dense.violation(model, of, during),
            Self::Tree(_) => 0.0,
        }
    }

    /// v_free with which the constraints, after [`violation`](Self::violation) with `w`, are to have none.
    pub(super) fn correct(&mut self, w: &M::V) {
        if let Self::Dense(dense) = self {
            dense.correct(w);
        }
    }

    /// Turns what impulses give along rows, (nv), into the generalised impulse of them and of those of bilateral
    /// constraints.
    pub(super) fn generalize(&self, constraints: &[f64], p: &mut [f64]) {
        match self {
            Self::Dense(dense) => dense.generalize(constraints, p),
            Self::Tree(tree) => tree.generalize(p),
        }
    }

    /// (M + δ)(v⁺ − ṽ) + h b of a step to the velocity `end`, and how large terms of these sums are.
    pub(super) fn inverse(&self, model: &M, start: &Start<'_, M>, end: &M::V) -> [M::V; 2] {
        let (h, mut change) = (start.step_size, M::V::zeros());
        manifold::carry(M::JOINTS, start.v.as_slice(), h, change.as_mut_slice());
        (0..M::NV).for_each(|i| change[i] = end[i] - change[i]);
        match self {
            Self::Dense(dense) => dense.inverse(&change, h),
            Self::Tree(tree) => tree.inverse(model, start, &change),
        }
    }

    /// The impulses of the bilateral constraints, (nc), beside the generalised impulse `p` of all else.
    pub(super) fn bilateral_impulses(&mut self, p: &mut [f64], impulses: &mut [f64]) {
        if let Self::Dense(dense) = self {
            dense.bilateral_impulses(p, impulses);
        }
    }
}
