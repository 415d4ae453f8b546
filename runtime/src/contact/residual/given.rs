//! The rows of what acts in a step, at its beginning.

use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::motion::Motion;
use super::response::Response;
use crate::constrained::Rows;
use crate::contact::declared::Declared;
use crate::contact::demand::Demand;
use crate::contact::error::Error;
use crate::contact::impulse::Impulse;
use crate::contact::pairs::Pairs;
use crate::contact::springs::Springs;
use crate::contact::touching::{PairImpulse, known};
use crate::contact::turning::Turning;
use crate::contact::yielding::Yielding;
use crate::model::{Robot, Table};

/// Rows of what acts.
pub(in crate::contact) struct Given {
    table: &'static Table,
    /// Of the contacts, column by column.
    pub(in crate::contact) jacobian: Vec<f64>,
    pub(in crate::contact) turning: Turning,
    pub(in crate::contact) declared: Declared,
    pub(in crate::contact) pairs: Pairs,
    pub(in crate::contact) rows: Option<Rows>,
    pub(in crate::contact) springs: Springs,
    pub(in crate::contact) yielding: Yielding,
    /// What the velocity of which the laws of motors and of dry friction are has beside v⁺, (nv).
    pub(in crate::contact) offset: Vec<f64>,
    /// Found when it is asked for, as it is where regularisation is in proportion to A.
    response: OnceCell<Response>,
}

impl Given {
    /// Those of the step's beginning.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`], [`Error::Pair`] and [`Error::Pose`] of shapes that are no solids, or nowhere.
    pub(in crate::contact) fn new(robot: Robot<'_>, step: &Motion<'_>) -> Result<Self, Error> {
        let (state, during) = ((step.q, step.v), (step.time, step.step_size));
        let mut pairs = Pairs::new(robot)?;
        pairs.evaluate(robot, state, (step.step_size, step.conditions))?;
        let mut jacobian = vec![f64::NAN; 3 * robot.contacts.len() * robot.nv];
        robot.contact_jacobian_into(step.q, &mut jacobian);
        let mut declared = Declared::new(&robot);
        declared.evaluate(robot, step.q);
        let rows = (robot.nc > 0).then(|| {
            let mut rows = Rows::new(robot);
            rows.evaluate(robot, step.q, step.v, step.time);
            rows
        });
        let mut turning = Turning::new(robot);
        turning.evaluate(robot, step.q);
        let mut yielding = Yielding::new(&robot);
        if robot.nc > 0 {
            yielding.evaluate(robot, state, during, step.conditions);
        }
        let mut springs = Springs::new(robot);
        if !springs.are_none() {
            springs.evaluate(robot, state);
            let response = Response::new(robot, step, (rows.as_ref(), &yielding));
            let column = |row: &[f64]| response.to(|i| row[i]).as_slice()[..robot.nv].to_vec();
            springs.limit_by(step.step_size, column);
        }
        let (response, offset) = (OnceCell::new(), vec![0.0; robot.nv]);
        let table = robot.table();
        Ok(Self {
            table,
            offset,
            jacobian,
            turning,
            declared,
            pairs,
            rows,
            springs,
            yielding,
            response,
        })
    }

    /// Finds the points that the end of a step leads to as well, by v⁺ in the axes of its beginning.
    ///
    /// # Errors
    ///
    /// [`Error::Pose`] of a shape that is nowhere.
    pub(in crate::contact) fn find_further(
        &mut self,
        robot: Robot<'_>,
        step: &Motion<'_>,
        end: &[f64],
    ) -> Result<(), Error> {
        let laws = (step.step_size, step.conditions);
        if self.pairs.gain(end, laws) {
            self.pairs.evaluate(robot, (step.q, step.v), laws)?;
        }
        Ok(())
    }

    /// What impulses of the step change of velocities.
    pub(super) fn response(&self, robot: Robot<'_>, step: &Motion<'_>) -> &Response {
        let rows = (self.rows.as_ref(), &self.yielding);
        self.response.get_or_init(|| Response::new(robot, step, rows))
    }

    /// By how much a row, (nv), of this regularisation gives way under an impulse of one.
    pub(super) fn compliance(
        &self,
        robot: Robot<'_>,
        step: &Motion<'_>,
        demand: &Demand,
        row: impl Fn(usize) -> f64,
    ) -> f64 {
        match demand.regularization {
            0.0 => 0.0,
            regularization => regularization * self.response(robot, step).along(row),
        }
    }

    /// Hands on the terms of the generalised impulse at a coordinate.
    pub(in crate::contact) fn forces(&self, impulse: &Impulse, i: usize, mut add: impl FnMut(f64)) {
        let (nc, count) = (self.table.nc, 3 * self.table.contacts.len());
        for (k, row) in self.jacobian[count * i..count * (i + 1)].iter().enumerate() {
            add(row * impulse.local(k / 3)[k % 3]);
        }
        for contact in 0..impulse.torsion.len() {
            let rows = self.turning.rows(contact).zip(impulse.turning(contact));
            rows.for_each(|(row, impulse)| add(row[i] * impulse));
        }
        if let Some(rows) = &self.rows {
            let column = &rows.held.jacobian[nc * i..nc * (i + 1)];
            column.iter().zip(&impulse.constraints).for_each(|(row, impulse)| add(row * impulse));
        }
        forces_of_pairs(&self.pairs, &impulse.pairs, i, &mut add);
        for (k, impulse) in impulse.declared.iter().enumerate() {
            self.declared.row(k).skip(i).take(1).for_each(|row| add(row * impulse));
        }
        for line in 0..self.springs.lines() {
            let impulse = impulse.springs[self.springs.place(line)];
            self.springs.row(line).skip(i).take(1).for_each(|row| add(row * impulse));
        }
        let [lower, upper] = impulse.limits[i];
        [lower, -upper, impulse.dry_friction[i], impulse.motors[i]].into_iter().for_each(add);
    }
}

/// Hands on the terms of what points do to a coordinate.
fn forces_of_pairs(
    pairs: &Pairs,
    impulses: &[PairImpulse],
    coordinate: usize,
    mut add: impl FnMut(f64),
) {
    for (i, point) in pairs.points.iter().enumerate() {
        let impulse = known(impulses, &point.touch);
        pairs.rows(i).zip(impulse).for_each(|(row, impulse)| add(row[coordinate] * impulse));
    }
}
