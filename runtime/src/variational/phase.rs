//! What acts at one end of a chord: rows, their laws, and the impulses along them.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::linear::{Bilateral, Linear, Unilateral, dependent};
use super::one_sided::{Acting, OneSided};
use crate::cone::Block;
use crate::constrained::{Rows, rank_threshold, reaches};
use crate::contact::Error;
use crate::contact::Impulse;
use crate::description::{Constraint, Level};
use crate::manifold::chord;
use crate::model::{Robot, Table};
use crate::slices::{add, columns, copy, dot, worse, zeros};

/// The largest error of a constraint, in m or rad, that a step may start from.
const VIOLATION: f64 = 1e-2;

/// The rows at a configuration and what acts along them.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    pub(super) table: &'static Table,
    constraints: Option<Box<Rows>>,
    /// ρ of the bilateral rows, by which their errors are m or rad.
    pub(super) reaches: Vec<f64>,
    /// What no forces of the bilateral rows are of.
    dependent: Vec<f64>,
    /// λ of the bilateral rows.
    pub(super) multipliers: Vec<f64>,
    /// What acts in one sense, its rows, row by row, and their laws.
    acting: Vec<Acting>,
    rows: Vec<f64>,
    blocks: Vec<Block>,
    /// σ of the rows.
    softness: Vec<f64>,
    /// How w changes with the velocity, row by row, and the errors of the bilateral rows, (nc, nv) column by column.
    pub(super) slopes: Vec<f64>,
    pub(super) error_slopes: Vec<f64>,
    /// w and Λ of these rows.
    pub(super) w: Vec<f64>,
    pub(super) impulses: Vec<f64>,
}

impl Phase {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        Self {
            table: robot.table(),
            constraints: (robot.nc > 0).then(|| Box::new(Rows::new(robot))),
            reaches: Vec::new(),
            dependent: Vec::new(),
            multipliers: Vec::new(),
            acting: Vec::new(),
            rows: Vec::new(),
            blocks: Vec::new(),
            softness: Vec::new(),
            slopes: Vec::new(),
            error_slopes: Vec::new(),
            w: Vec::new(),
            impulses: Vec::new(),
        }
    }

    /// Evaluates the bilateral rows, and lets nothing act.
    pub(super) fn begin(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64]), time: f64) {
        zeros(&mut self.multipliers, robot.nc);
        self.acting.clear();
        self.rows.clear();
        self.blocks.clear();
        self.softness.clear();
        self.impulses.clear();
        if let Some(rows) = &mut self.constraints {
            rows.evaluate(robot, q, v, time);
            let counts = robot.constraints.iter().map(|constraint| constraint.levels.len());
            let (jacobian, errors) = (&rows.held.jacobian, &rows.held.error);
            reaches(counts, (robot.nc, jacobian), &mut self.reaches);
            self.dependent = dependent(jacobian, &self.reaches, rank_threshold(jacobian, errors));
        }
    }

    /// Whether bilateral rows depend on one another.
    pub(super) fn is_dependent(&self) -> bool {
        !self.dependent.is_empty()
    }

    /// Evaluates the bilateral rows where a motion from `q` leads, in the axes that there are at `q`.
    pub(super) fn begin_ahead(
        &mut self,
        robot: Robot<'_>,
        q: &[f64],
        ahead: (&[f64], &[f64]),
        time: f64,
    ) {
        self.begin(robot, ahead, time);
        let Some(rows) = &mut self.constraints else { return };
        let jacobian = &mut rows.held.jacobian;
        for row in 0..robot.nc {
            let mut entries: Vec<f64> =
                jacobian.iter().skip(row).step_by(robot.nc).copied().collect();
            chord::turn(robot.joints, ahead.0, q, &mut entries);
            let to = jacobian.iter_mut().skip(row).step_by(robot.nc);
            to.zip(entries).for_each(|(to, entry)| *to = entry);
        }
    }

    /// The first constraint whose errors are larger than a step may start from, and by how much, in m or rad.
    pub(super) fn violated(&self) -> Option<(&'static str, f64)> {
        let errors = self.constraints.as_ref().map_or(&[][..], |rows| &rows.held.error);
        let distances = |constraint: &Constraint| {
            let rows = constraint.first..constraint.first + constraint.levels.len();
            let errors = errors[rows.clone()].iter().zip(&self.reaches[rows]);
            errors.map(|(error, reach)| error.abs() / reach).fold(0.0, worse)
        };
        let all = self.table.constraints.iter();
        let mut all = all.map(|constraint| (constraint.name, distances(constraint)));
        all.find(|(_, error)| error.is_nan() || *error > VIOLATION)
    }

    /// Lets these act, for `time` seconds, along rows where Jacobians were evaluated last; what acts already has the
    /// impulses that it has.
    pub(super) fn let_act<'a>(
        &mut self,
        one_sided: &OneSided,
        acting: impl Iterator<Item = &'a Acting>,
        time: f64,
    ) {
        let before: Vec<_> =
            self.parts().map(|(one, _, rows)| (*one, self.impulses[rows].to_vec())).collect();
        self.acting.clear();
        self.rows.clear();
        self.blocks.clear();
        self.softness.clear();
        self.impulses.clear();
        for one in acting {
            let block = one_sided.block(one, time);
            one_sided.push_rows(one, self.table.nv, &mut self.rows);
            let end = self.impulses.len() + block.rows();
            let known = before.iter().filter(|(other, _)| other == one);
            self.impulses.extend(known.flat_map(|(_, impulses)| impulses));
            self.impulses.resize(end, 0.0);
            self.softness.resize(end, one.softness());
            self.acting.push(*one);
            self.blocks.push(block);
        }
    }

    /// What acts, its law, and its rows.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&Acting, &Block, Range<usize>)> {
        let mut end = 0;
        self.acting.iter().zip(&self.blocks).map(move |(one, block)| {
            end += block.rows();
            (one, block, end - block.rows()..end)
        })
    }

    /// Whether nothing acts.
    pub(super) fn is_free(&self) -> bool {
        self.table.nc == 0 && self.acting.is_empty()
    }

    /// p += Hᵀ λ + Jᵀ Λ.
    pub(super) fn add_impulse(&self, p: &mut [f64]) {
        if let Some(rows) = &self.constraints {
            rows.add_transposed(&self.multipliers, p);
        }
        for (row, impulse) in columns(&self.rows, self.table.nv).zip(&self.impulses) {
            add(p, *impulse, row);
        }
    }

    /// Adds σ Λ to w of the rows.
    pub(super) fn add_softness(&self, w: &mut [f64]) {
        let rows = self.softness.iter().zip(&self.impulses);
        w.iter_mut().zip(rows).for_each(|(w, (sigma, impulse))| *w += sigma * impulse);
    }

    /// J x along a row of what acts.
    pub(super) fn velocity(&self, row: usize, x: &[f64]) -> f64 {
        dot(&self.rows[row * self.table.nv..][..self.table.nv], x)
    }

    /// Takes the rows to the equations of K, (nv, nv), where errors and gaps change along the slopes that are known.
    ///
    /// # Errors
    ///
    /// [`Error::MassMatrix`].
    pub(super) fn hold(&self, linear: &mut Linear, matrix: &[f64]) -> Result<(), Error> {
        linear.factor(self.table.nv, matrix, &self.bilateral())?;
        linear.press(&self.unilateral());
        Ok(())
    }

    /// Lets errors and gaps change along the rows along which forces act.
    pub(super) fn follow_rows(&mut self) {
        let jacobian = self.constraints.as_ref().map_or(&[][..], |rows| &rows.held.jacobian);
        copy(&mut self.error_slopes, jacobian);
        copy(&mut self.slopes, &self.rows);
    }

    /// Lets errors and gaps change with the end of a chord as they do about `middle` and `end`, slips along rows of the
    /// middle, where rows of what acts were evaluated last.
    pub(super) fn follow_chord(
        &mut self,
        robot: Robot<'_>,
        one_sided: &mut OneSided,
        ((middle, velocity), end): ((&[f64], &[f64]), &[f64]),
        (time, h): (f64, f64),
    ) {
        let nv = robot.nv;
        let turn = |row: &mut [f64]| chord::turn(robot.joints, middle, end, row);
        let mut slopes = core::mem::take(&mut self.slopes);
        slopes.clear();
        let acting = self.acting.iter();
        acting.clone().for_each(|one| one_sided.push_rows(one, nv, &mut slopes));
        slopes.chunks_exact_mut(nv.max(1)).for_each(turn);
        if !one_sided.is_empty() {
            one_sided.linearise(robot, end);
        }
        let mut rows = Vec::new();
        for (one, _, range) in self.parts().filter(|(one, ..)| one_sided.has_gap(one)) {
            rows.clear();
            one_sided.push_rows(one, nv, &mut rows);
            slopes[range.start * nv..][..nv].copy_from_slice(&rows[..nv]);
        }
        self.slopes = slopes;
        self.follow_errors(robot, ((middle, velocity), end), (time, h), turn);
    }

    /// H of the end for rows of positions, of the middle for those of velocities.
    fn follow_errors(
        &mut self,
        robot: Robot<'_>,
        ((middle, velocity), end): ((&[f64], &[f64]), &[f64]),
        (time, h): (f64, f64),
        turn: impl Fn(&mut [f64]),
    ) {
        let slopes = zeros(&mut self.error_slopes, robot.nc * robot.nv);
        if robot.nc == 0 {
            return;
        }
        robot.constraint_jacobian_into(end, velocity, time + h, slopes);
        let levels = robot.constraints.iter().flat_map(|constraint| constraint.levels);
        let levels = levels.enumerate().filter(|(_, level)| **level == Level::Velocity);
        let moving: Vec<usize> = levels.map(|(row, _)| row).collect();
        if moving.is_empty() {
            return;
        }
        let mut there = vec![0.0; robot.nc * robot.nv];
        robot.constraint_jacobian_into(middle, velocity, time + 0.5 * h, &mut there);
        for row in moving {
            let mut entries: Vec<f64> = there.iter().skip(row).step_by(robot.nc).copied().collect();
            turn(&mut entries);
            let to = slopes.iter_mut().skip(row).step_by(robot.nc);
            to.zip(entries).for_each(|(to, entry)| *to = entry);
        }
    }

    /// Solves the linear equations for r, (nv), and g, (nc), and adds to the impulses what they ask for.
    ///
    /// # Errors
    ///
    /// [`Error::Cone`].
    pub(super) fn solve(&mut self, linear: &mut Linear, r: &[f64], g: &[f64]) -> Result<(), Error> {
        let mut impulses = core::mem::take(&mut self.impulses);
        let solved = linear.solve((r, g), &self.unilateral(), &mut impulses);
        self.impulses = impulses;
        solved?;
        add(&mut self.multipliers, 1.0, &linear.multipliers);
        Ok(())
    }

    /// Adds all impulses to those of a step.
    pub(super) fn record(&self, to: &mut Impulse) {
        add(&mut to.constraints, 1.0, &self.multipliers);
        self.parts().for_each(|(one, _, rows)| one.record(&self.impulses[rows], to));
    }

    fn bilateral(&self) -> Bilateral<'_> {
        let values = self.constraints.as_ref().map(|rows| &rows.held);
        let jacobian = values.map_or(&[][..], |values| &values.jacobian);
        let Self { error_slopes: slopes, reaches, dependent, .. } = self;
        Bilateral { jacobian, slopes, reaches, dependent }
    }

    fn unilateral(&self) -> Unilateral<'_> {
        let Self { rows, slopes, w, blocks, softness, .. } = self;
        Unilateral { rows, slopes, w, blocks, softness }
    }
}
