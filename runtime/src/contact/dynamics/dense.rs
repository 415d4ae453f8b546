//! Any robot: M⁻¹ by Cholesky's factors, less what bilateral constraints take of it.
//!
//! Rows are those of Jacobians, and responses are changes of velocity N M⁻¹ p.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Cholesky, DMatrix, DMatrixViewMut, Dyn};

use super::start::{Given, Start, check_gaps};
use crate::contact::Error;
use crate::contact::bilateral::Bilateral;
use crate::contact::rows::Rows;
use crate::model::Robot;
use crate::slices::{larger, worse};

#[derive(Clone, Debug)]
pub(in crate::contact) struct Dense {
    nv: usize,
    mass: Vec<f64>,
    factor: Option<Cholesky<f64, Dyn>>,
    bias: Vec<f64>,
    /// v, (nv).
    velocity: Vec<f64>,
    /// The velocity that there would be without impulses, (nv).
    unheld: Vec<f64>,
    /// v_free, (nv): with the impulses of bilateral constraints alone.
    pub(super) free: Vec<f64>,
    bilateral: Option<Bilateral>,
    /// φ of the contacts.
    pub(super) gap: Vec<f64>,
    /// Rows normal, first and second tangent of each contact, column by column.
    jacobian: Vec<f64>,
    /// Room for a force and a change of velocity, (nv).
    room: [Vec<f64>; 2],
}

impl Dense {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        let (nv, contacts) = (robot.nv, robot.contacts.len());
        Self {
            nv,
            mass: vec![0.0; nv * nv],
            factor: None,
            bias: vec![0.0; nv],
            velocity: vec![0.0; nv],
            unheld: vec![0.0; nv],
            free: vec![0.0; nv],
            bilateral: (robot.nc > 0).then(|| Bilateral::new(robot)),
            gap: vec![0.0; contacts],
            jacobian: vec![0.0; 3 * contacts * nv],
            room: [vec![0.0; nv], vec![0.0; nv]],
        }
    }

    pub(super) fn evaluate(&mut self, robot: Robot<'_>, start: &Start<'_>) -> Result<(), Error> {
        let Start { q, v, carried, force, added, time, step_size: h, yielding } = *start;
        let nv = self.nv;
        robot.mass_matrix_into(q, &mut self.mass);
        added.iter().enumerate().for_each(|(i, added)| self.mass[(nv + 1) * i] += added);
        robot.bias_force_into(q, v, &mut self.bias);
        robot.gap_into(q, &mut self.gap);
        check_gaps(&self.gap)?;
        robot.contact_jacobian_into(q, &mut self.jacobian);
        self.velocity.copy_from_slice(v);
        self.factor_mass()?;
        self.push(carried, force, h);
        let Some(bilateral) = &mut self.bilateral else { return Ok(()) };
        bilateral.evaluate(robot, (q, v), time, (&self.mass, yielding))?;
        bilateral.violation(robot, (q, carried), None, (time, h));
        bilateral.correct(carried);
        self.unheld.copy_from_slice(&self.free);
        self.hold();
        Ok(())
    }

    /// The velocity that there would be without the impulses of bilateral constraints, (nv); empty if there are none.
    #[inline(always)]
    pub(in crate::contact) fn unheld(&self) -> &[f64] {
        if self.bilateral.is_some() { &self.unheld } else { &[] }
    }

    /// M + δ, (nv, nv).
    #[cfg(feature = "std")]
    pub(super) fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// v_free, but for constraints, of h seconds under this force.
    fn push(&mut self, carried: &[f64], force: &[f64], h: f64) {
        let forces = force.iter().zip(&self.bias);
        self.free.iter_mut().zip(forces).for_each(|(x, (f, b))| *x = h * (f - b));
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(&mut self.free, self.nv, 1));
        }
        self.free.iter_mut().zip(carried).for_each(|(x, v)| *x += v);
    }

    /// Exchanges the force of the step, before its constraints are [corrected](Self::correct).
    pub(super) fn exchange_force(&mut self, given: &Given<'_>) {
        self.push(given.carried, given.force, given.step_size);
        self.unheld.copy_from_slice(&self.free);
    }

    /// v_free, of the velocity without impulses.
    fn hold(&mut self) {
        let Some(bilateral) = &mut self.bilateral else { return };
        let change = bilateral.force(&self.unheld);
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(change, self.nv, 1));
        }
        let parts = self.free.iter_mut().zip(&self.unheld).zip(change);
        parts.for_each(|((x, unheld), change)| *x = unheld + *change);
    }

    /// The largest error of the constraints where a velocity leads; zero if there are none.
    pub(super) fn violation(
        &mut self,
        robot: Robot<'_>,
        of: (&[f64], &[f64]),
        end: Option<&[f64]>,
        during: (f64, f64),
    ) -> f64 {
        self.bilateral.as_mut().map_or(0.0, |bilateral| bilateral.violation(robot, of, end, during))
    }

    /// v_free with which the constraints, after [`violation`](Self::violation) with `w`, are to have none.
    pub(super) fn correct(&mut self, w: &[f64]) {
        if let Some(bilateral) = &mut self.bilateral {
            bilateral.correct(w);
        }
        self.hold();
    }

    /// The impulses of the bilateral constraints, (nc), beside the generalised impulse `p` of all else.
    pub(super) fn bilateral_impulses(&mut self, p: &mut [f64], impulses: &mut [f64]) {
        if let (Some(bilateral), Some(factor)) = (&mut self.bilateral, &self.factor) {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(p, self.nv, 1));
            p.iter_mut().zip(&self.unheld).for_each(|(x, v)| *x += v);
            bilateral.write_impulses(p, impulses);
        }
    }

    /// Factors M in the storage of the last step's factor.
    fn factor_mass(&mut self) -> Result<(), Error> {
        let last = self.factor.take();
        let mut matrix =
            last.map_or_else(|| DMatrix::zeros(self.nv, self.nv), Cholesky::unpack_dirty);
        matrix.copy_from_slice(&self.mass);
        self.factor = Cholesky::new(matrix);
        if self.factor.is_some() { Ok(()) } else { Err(Error::MassMatrix) }
    }

    /// Turns a row into the change of velocity that its impulse makes.
    pub(super) fn respond(&mut self, row: &mut [f64]) {
        if let Some(factor) = &self.factor {
            factor.solve_mut(&mut DMatrixViewMut::from_slice(row, self.nv, 1));
        }
        if let Some(bilateral) = &mut self.bilateral {
            bilateral.project(row);
        }
    }

    /// Writes the last rows, which are those of a contact.
    pub(super) fn write_contact<const K: usize>(&self, contact: usize, rows: &mut Rows) {
        let first = 3 * contact;
        for (j, column) in
            self.jacobian.chunks_exact(self.jacobian.len() / self.nv.max(1)).enumerate()
        {
            rows.write::<K>(j, core::array::from_fn(|k| column[first + k]));
        }
    }

    /// J times a vector, of a contact.
    pub(super) fn contact_times(&self, contact: usize, x: &[f64]) -> [f64; 3] {
        let mut product = [0.0; 3];
        for (column, x) in self.jacobian.chunks_exact(self.jacobian.len() / self.nv.max(1)).zip(x) {
            let rows = column[3 * contact..].iter().zip(&mut product);
            rows.for_each(|(j, sum)| *sum += j * x);
        }
        product
    }

    /// J v of a contact.
    pub(super) fn contact_velocity(&self, contact: usize) -> [f64; 3] {
        self.contact_times(contact, &self.velocity)
    }

    /// J v_free of a contact.
    pub(super) fn contact_free(&self, contact: usize) -> [f64; 3] {
        self.contact_times(contact, &self.free)
    }

    /// What is missing of the momentum balance of a step to the velocity `end`, as [`Dynamics`](super::Dynamics) says.
    pub(super) fn imbalance(
        &mut self,
        given: &Given<'_>,
        end: &[f64],
        rows: (&Rows, &[f64]),
        constraints: &[f64],
    ) -> f64 {
        let Self { nv, mass, bias, bilateral, room: [p, change], .. } = self;
        let nv = *nv;
        if given.pushed.is_empty() {
            p.fill(0.0);
            rows.0.add_force(0, rows.1, p);
        } else {
            p.copy_from_slice(given.pushed);
        }
        if let Some(bilateral) = bilateral {
            bilateral.add_force(constraints, p);
        }
        let h = given.step_size;
        let ends = end.iter().zip(given.carried);
        change.iter_mut().zip(ends).for_each(|(change, (to, from))| *change = to - from);
        let mut most = 0.0;
        for i in 0..nv {
            let terms = (0..nv).map(|j| mass[nv * j + i] * change[j]);
            let (mut sum, mut size) = (0.0, 0.0);
            for term in terms.chain([h * bias[i]]) {
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
