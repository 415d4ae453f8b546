//! Any robot: M⁻¹ by Cholesky's factors, less what bilateral constraints take of it.
//!
//! Rows are those of Jacobians, and responses are changes of velocity N M⁻¹ p.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Cholesky, DMatrix, DMatrixViewMut, Dyn};

use super::{Given, Start, check_gaps};
use crate::contact::Error;
use crate::contact::bilateral::Bilateral;
use crate::contact::rows::Rows;
use crate::model::Model;
use crate::slices::{larger, worse};
use crate::space::Storage;

#[derive(Clone, Debug)]
pub(in crate::contact) struct Dense<M: Model> {
    mass: Box<M::Mass>,
    factor: Option<Cholesky<f64, Dyn>>,
    bias: M::V,
    /// v, (nv).
    velocity: M::V,
    /// The velocity that there would be without impulses, (nv).
    unheld: Vec<f64>,
    /// v_free, (nv): with the impulses of bilateral constraints alone.
    pub(super) free: Vec<f64>,
    bilateral: Option<Bilateral<M>>,
    /// φ of the contacts.
    pub(super) gap: Vec<f64>,
    /// Rows normal, first and second tangent of each contact, column by column.
    jacobian: Vec<f64>,
}

impl<M: Model> Dense<M> {
    pub(super) fn new(model: &M) -> Self {
        let contacts = M::CONTACTS.len();
        Self {
            mass: Box::new(M::Mass::zeros()),
            factor: None,
            bias: M::V::zeros(),
            velocity: M::V::zeros(),
            unheld: vec![0.0; M::NV],
            free: vec![0.0; M::NV],
            bilateral: (M::NC > 0).then(|| Bilateral::new(model)),
            gap: vec![0.0; contacts],
            jacobian: vec![0.0; 3 * contacts * M::NV],
        }
    }

    pub(super) fn evaluate(&mut self, model: &M, start: &Start<'_, M>) -> Result<(), Error> {
        let Start { q, v, carried, force, added, time, step_size: h, yielding } = *start;
        model.mass_matrix_into(q, &mut self.mass);
        added.iter().enumerate().for_each(|(i, added)| self.mass[(i, i)] += added);
        model.bias_force_into(q, v, &mut self.bias);
        model.gap_into(q, &mut self.gap);
        check_gaps(&self.gap)?;
        model.contact_jacobian_into(q, &mut self.jacobian);
        self.velocity.clone_from(v);
        self.factor_mass()?;
        self.push(carried, force, h);
        let Some(bilateral) = &mut self.bilateral else { return Ok(()) };
        bilateral.evaluate(model, (q, v), time, (self.mass.as_slice(), yielding))?;
        bilateral.violation(model, (q, carried), None, (time, h));
        bilateral.correct(carried.as_slice());
        self.unheld.copy_from_slice(&self.free);
        self.hold();
        Ok(())
    }

    /// The velocity that there would be without the impulses of bilateral constraints, (nv); empty if there are none.
    #[inline(always)]
    pub(in crate::contact) fn unheld(&self) -> &[f64] {
        if self.bilateral.is_some() { &self.unheld } else { &[] }
    }

    /// v_free, but for constraints, of h seconds under this force.
    fn push(&mut self, carried: &M::V, force: &M::V, h: f64) {
        let forces = force.as_slice().iter().zip(self.bias.as_slice());
        self.free.iter_mut().zip(forces).for_each(|(x, (f, b))| *x = h * (f - b));
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(&mut self.free, M::NV, 1));
        }
        self.free.iter_mut().zip(carried.as_slice()).for_each(|(x, v)| *x += v);
    }

    /// Exchanges the force of the step, before its constraints are [corrected](Self::correct).
    pub(super) fn exchange_force(&mut self, given: &Given<'_, M>) {
        self.push(given.carried, given.force, given.step_size);
        self.unheld.copy_from_slice(&self.free);
    }

    /// v_free, of the velocity without impulses.
    fn hold(&mut self) {
        let Some(bilateral) = &mut self.bilateral else { return };
        let change = bilateral.force(&self.unheld);
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(change, M::NV, 1));
        }
        let parts = self.free.iter_mut().zip(&self.unheld).zip(change);
        parts.for_each(|((x, unheld), change)| *x = unheld + *change);
    }

    /// The largest error of the constraints where a velocity leads; zero if there are none.
    pub(super) fn violation(
        &mut self,
        model: &M,
        of: (&M::Q, &M::V),
        end: Option<&M::Q>,
        during: (f64, f64),
    ) -> f64 {
        self.bilateral.as_mut().map_or(0.0, |bilateral| bilateral.violation(model, of, end, during))
    }

    /// v_free with which the constraints, after [`violation`](Self::violation) with `w`, are to have none.
    pub(super) fn correct(&mut self, w: &M::V) {
        if let Some(bilateral) = &mut self.bilateral {
            bilateral.correct(w.as_slice());
        }
        self.hold();
    }

    /// The impulses of the bilateral constraints, (nc), beside the generalised impulse `p` of all else.
    pub(super) fn bilateral_impulses(&mut self, p: &mut [f64], impulses: &mut [f64]) {
        if let (Some(bilateral), Some(factor)) = (&mut self.bilateral, &self.factor) {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(p, M::NV, 1));
            p.iter_mut().zip(&self.unheld).for_each(|(x, v)| *x += v);
            bilateral.write_impulses(p, impulses);
        }
    }

    /// Factors M in the storage of the last step's factor.
    fn factor_mass(&mut self) -> Result<(), Error> {
        let last = self.factor.take();
        let mut matrix = last.map_or_else(|| DMatrix::zeros(M::NV, M::NV), Cholesky::unpack_dirty);
        matrix.copy_from_slice(self.mass.as_slice());
        self.factor = Cholesky::new(matrix);
        if self.factor.is_some() { Ok(()) } else { Err(Error::MassMatrix) }
    }

    /// Turns a row into the change of velocity that its impulse makes.
    pub(super) fn respond(&mut self, row: &mut [f64]) {
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(row, M::NV, 1));
        }
        if let Some(bilateral) = &mut self.bilateral {
            bilateral.project(row);
        }
    }

    /// Writes the last rows, which are those of a contact.
    pub(super) fn write_contact<const K: usize>(&self, contact: usize, rows: &mut Rows) {
        let first = 3 * contact;
        for (j, column) in self.jacobian.chunks_exact(3 * M::CONTACTS.len()).enumerate() {
            rows.write::<K>(j, core::array::from_fn(|k| column[first + k]));
        }
    }

    /// J times a vector, of a contact.
    pub(super) fn contact_times(&self, contact: usize, x: &[f64]) -> [f64; 3] {
        let mut product = [0.0; 3];
        for (column, x) in self.jacobian.chunks_exact(3 * M::CONTACTS.len()).zip(x) {
            let rows = column[3 * contact..].iter().zip(&mut product);
            rows.for_each(|(j, sum)| *sum += j * x);
        }
        product
    }

    /// J v of a contact.
    pub(super) fn contact_velocity(&self, contact: usize) -> [f64; 3] {
        self.contact_times(contact, self.velocity.as_slice())
    }

    /// J v_free of a contact.
    pub(super) fn contact_free(&self, contact: usize) -> [f64; 3] {
        self.contact_times(contact, &self.free)
    }

    /// What is missing of the momentum balance of a step to the velocity `end`, as [`Dynamics`](super::Dynamics) says.
    pub(super) fn imbalance(
        &self,
        given: &Given<'_, M>,
        end: &M::V,
        rows: (&Rows, &[f64]),
        constraints: &[f64],
    ) -> f64 {
        let mut p = M::V::zeros();
        rows.0.add_force(0, rows.1, p.as_mut_slice());
        if let Some(bilateral) = &self.bilateral {
            bilateral.add_force(constraints, p.as_mut_slice());
        }
        let h = given.step_size;
        let (mut change, mut most) = (M::V::zeros(), 0.0);
        (0..M::NV).for_each(|j| change[j] = end[j] - given.carried[j]);
        for i in 0..M::NV {
            let terms = (0..M::NV).map(|j| self.mass[(i, j)] * change[j]);
            let (mut sum, mut size) = (0.0, 0.0);
            for term in terms.chain([h * self.bias[i]]) {
                sum += term;
                size = worse(size, term.abs());
            }
            most = worse(most, missing([sum, -h * given.force[i], -p[i]], size).abs());
        }
        most
    }
}

/// The sum of the terms by the largest one, or by `size`, or by one.
#[inline(always)]
fn missing(terms: [f64; 3], size: f64) -> f64 {
    let [a, b, c] = terms.map(f64::abs);
    (terms[0] + terms[1] + terms[2]) / larger(size, larger(c, larger(b, larger(a, 1.0))))
}
