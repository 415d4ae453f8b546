//! The motion that a step would make without impulses.
//!
//! > v_free = ṽ + h M(q)⁻¹ (f − b(q, v))
//!
//! and what impulses change of it: M⁻¹ and the contact Jacobian at the beginning of the step.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Cholesky, DMatrix, DMatrixViewMut, Dyn};

use super::Error;
use super::bilateral::Bilateral;
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

#[derive(Clone, Debug)]
pub(super) struct Dynamics<M: Model> {
    mass: Box<M::Mass>,
    factor: Option<Cholesky<f64, Dyn>>,
    bias: M::V,
    /// ṽ, (nv).
    carried: M::V,
    /// The velocity that there would be without impulses, (nv).
    unheld: Vec<f64>,
    /// v_free, (nv): with the impulses of bilateral constraints alone.
    pub(super) free: Vec<f64>,
    bilateral: Option<Bilateral<M>>,
    /// φ of the contacts.
    pub(super) gap: Vec<f64>,
    /// Rows normal, first and second tangent of each contact, column by column.
    pub(super) jacobian: Vec<f64>,
}

impl<M: Model> Dynamics<M> {
    pub(super) fn new(model: &M) -> Self {
        let contacts = M::CONTACTS.len();
        Self {
            mass: Box::new(M::Mass::zeros()),
            factor: None,
            bias: M::V::zeros(),
            carried: M::V::zeros(),
            unheld: vec![0.0; M::NV],
            free: vec![0.0; M::NV],
            bilateral: (M::NC > 0).then(|| Bilateral::new(model)),
            gap: vec![0.0; contacts],
            jacobian: vec![0.0; 3 * contacts * M::NV],
        }
    }

    /// Computes everything at the beginning of a step of `h` seconds at `time` under the force `f`, with a
    /// formulation's inertia and damping at each coordinate.
    pub(super) fn evaluate(
        &mut self,
        model: &M,
        (q, v): (&M::Q, &M::V),
        (f, [inertia, damping]): (&M::V, [f64; 2]),
        (time, h): (f64, f64),
    ) -> Result<(), Error> {
        model.mass_matrix_into(q, &mut self.mass);
        (0..M::NV).for_each(|i| self.mass[(i, i)] += inertia);
        model.bias_force_into(q, v, &mut self.bias);
        model.gap_into(q, &mut self.gap);
        model.contact_jacobian_into(q, &mut self.jacobian);
        self.factor_mass()?;
        let forces = f.as_slice().iter().zip(self.bias.as_slice()).zip(v.as_slice());
        let parts = self.free.iter_mut().zip(forces);
        parts.for_each(|(x, ((f, bias), v))| *x = h * (f - bias - damping * v));
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(&mut self.free, M::NV, 1));
        }
        manifold::carry(M::JOINTS, v.as_slice(), h, self.carried.as_mut_slice());
        self.free.iter_mut().zip(self.carried.as_slice()).for_each(|(x, v)| *x += v);
        let Some(bilateral) = &mut self.bilateral else { return Ok(()) };
        bilateral.evaluate(model, (q, v), time, self.mass.as_slice())?;
        bilateral.violation(model, (q, &self.carried), (time, h));
        bilateral.correct(self.carried.as_slice());
        self.unheld.copy_from_slice(&self.free);
        self.hold();
        Ok(())
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
    pub(super) fn violation(&mut self, model: &M, of: (&M::Q, &M::V), during: (f64, f64)) -> f64 {
        self.bilateral.as_mut().map_or(0.0, |bilateral| bilateral.violation(model, of, during))
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
            impulses.copy_from_slice(bilateral.impulses(p));
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

    /// Turns generalised impulses, as many columns of nv numbers as there are, into the changes of
    /// velocity that they make: M⁻¹ p, less what bilateral constraints take of it.
    pub(super) fn respond(&mut self, impulses: &mut [f64]) {
        let columns = impulses.len().checked_div(M::NV).unwrap_or(0);
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(impulses, M::NV, columns));
        }
        if let Some(bilateral) = &mut self.bilateral {
            impulses.chunks_exact_mut(M::NV.max(1)).for_each(|column| bilateral.project(column));
        }
    }

    /// Row `weights` · (normal, first tangent, second tangent) of a contact's Jacobian.
    pub(super) fn contact_row(
        &self,
        contact: usize,
        weights: [f64; 3],
    ) -> impl Iterator<Item = f64> {
        let columns = self.jacobian.chunks_exact((3 * M::CONTACTS.len()).max(1));
        columns.map(move |column| {
            let rows = &column[3 * contact..3 * contact + 3];
            rows.iter().zip(weights).map(|(j, w)| j * w).sum()
        })
    }
}
