//! The rows that hold: of constraints, contacts and frames.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::{Constraint, Level, RowParameters};
use crate::frame::ReferenceFrame;
use crate::kkt::Problem;
use crate::model::contact_axes::ContactAxes;
use crate::model::{Robot, Table};
use crate::slices::multiply_transposed;

use super::anchor::Anchors;
use super::hold::Hold;
use super::values::{Values, multiply};

/// A declared row at a state.
pub(super) struct Declared {
    pub(super) level: Level,
    asks: RowParameters,
    /// h.
    pub(super) error: f64,
    /// ḣ or h_v.
    pub(super) rate: f64,
    /// ρ, as it was last measured.
    pub(super) reach: f64,
}

impl Declared {
    /// What its rate must change by in an impact beyond what it asks for itself, to change by `jump`.
    pub(super) fn beyond_rebound(&self, jump: f64) -> f64 {
        let RowParameters { velocity_after, restitution, .. } = self.asks;
        jump - velocity_after + (1.0 + restitution) * self.rate
    }
}

/// The rows and their values at a state, matrices column by column.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(super) table: &'static Table,
    /// Of each declared constraint, whether it holds.
    active: Vec<bool>,
    parameters: Vec<RowParameters>,
    pub(super) contacts: Vec<Option<Hold>>,
    pub(super) axes: ContactAxes,
    /// Which frames are held, in their order.
    pub(super) frames: Vec<usize>,
    pub(super) anchors: Anchors,
    /// All declared rows, before those that hold are chosen.
    pub(super) declared: Values,
    /// ρ of these, about.
    pub(super) reaches: Vec<f64>,
    touching: Values,
    /// Those of one frame.
    framed: Values,
    /// The rows that hold.
    pub(crate) held: Values,
    /// ‖Hᵢ‖² of these.
    pub(super) sizes: Vec<f64>,
}

impl Rows {
    pub(crate) fn new(robot: Robot<'_>) -> Self {
        let Table { nv, nc, contacts, .. } = *robot.table();
        let [declared, touching, framed] =
            [nc, 3 * contacts.len(), 6].map(|rows| Values::zeros(rows, nv));
        Self {
            table: robot.table(),
            active: vec![true; robot.constraints.len()],
            parameters: robot.constraint_parameters(),
            contacts: vec![None; contacts.len()],
            axes: ContactAxes::new(robot),
            frames: Vec::new(),
            anchors: Anchors::new(contacts.len()),
            declared,
            reaches: vec![1.0; nc],
            touching,
            framed,
            held: Values::default(),
            sizes: Vec::new(),
        }
    }

    pub(super) fn set_active(&mut self, constraint: usize, active: bool) {
        self.active[constraint] = active;
    }

    /// Whether a declared constraint holds.
    pub(super) fn has_constraints(&self) -> bool {
        self.active.iter().any(|active| *active)
    }

    /// A direction must be of unit length.
    pub(super) fn hold_contact(&mut self, contact: usize, hold: Option<Hold>) {
        self.contacts[contact] = hold;
        self.anchors.set_contact(contact, None);
    }

    pub(super) fn hold_frame(&mut self, frame: usize, held: bool) {
        self.frames.retain(|other| *other != frame);
        self.anchors.set_frame(frame, None);
        if held {
            let place = self.frames.partition_point(|other| *other < frame);
            self.frames.insert(place, frame);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.levels().count()
    }

    /// What each row that holds is an equation of, and what it asks for.
    pub(crate) fn levels(&self) -> impl Iterator<Item = (Level, RowParameters)> {
        let constraints = self.active_rows().map(|(level, row)| (level, self.parameters[row]));
        let contacts = self.contacts.iter().enumerate();
        let contacts = contacts.filter_map(|(k, hold)| hold.map(|hold| (k, hold)));
        let contacts =
            contacts.flat_map(|(k, hold)| self.anchors.contact_levels(k, hold, &self.axes[k]));
        let frames = self.frames.iter();
        let frames = frames.flat_map(|&frame| [self.anchors.frame_level(frame); 6]);
        constraints.chain(contacts).chain(frames)
    }

    /// Of the rows that hold, their places among [`HELD_ROWS`](crate::Model::HELD_ROWS); none if one is not
    /// among them, or has an anchor.
    pub(super) fn generated(&self) -> Option<Vec<usize>> {
        if !self.anchors.is_empty() {
            return None;
        }
        let mut rows: Vec<usize> = self.active_rows().map(|(_, row)| row).collect();
        let mut first = self.table.nc;
        for (contact, hold) in self.table.contacts.iter().zip(&self.contacts) {
            match hold {
                None => {}
                Some(_) if contact.turns => return None,
                Some(Hold::Normal) => rows.push(first),
                Some(Hold::Point) => rows.extend(first..first + 3),
                Some(Hold::Along(_)) => return None,
            }
            first += if contact.turns { 0 } else { 3 };
        }
        let mut held = self.frames.iter().peekable();
        for (k, _) in self.table.frames.iter().enumerate().filter(|(_, frame)| frame.held) {
            if held.next_if(|frame| **frame == k).is_some() {
                rows.extend(first..first + 6);
            }
            first += 6;
        }
        held.next().is_none().then_some(rows)
    }

    /// Level and index of each declared row that holds.
    pub(super) fn active_rows(&self) -> impl Iterator<Item = (Level, usize)> {
        let active = self.active_constraints();
        active.flat_map(|constraint| constraint.levels.iter().copied().zip(constraint.first..))
    }

    /// The declared constraints that hold.
    pub(super) fn active_constraints(&self) -> impl Iterator<Item = &'static Constraint> {
        let active = self.table.constraints.iter().zip(&self.active).filter(|(_, active)| **active);
        active.map(|(constraint, _)| constraint)
    }

    /// The declared rows that hold, with errors, rates and ρ as they were last evaluated.
    pub(super) fn declared(&self) -> impl Iterator<Item = Declared> {
        self.active_rows().map(|(level, row)| Declared {
            level,
            asks: self.parameters[row],
            error: self.declared.error[row],
            rate: self.declared.rate[row],
            reach: self.reaches[row],
        })
    }

    /// Evaluates h of the declared rows.
    pub(super) fn evaluate_errors(&mut self, robot: Robot<'_>, q: &[f64], t: f64) {
        if self.has_constraints() {
            robot.constraint_into(q, t, &mut self.declared.error);
        }
    }

    /// Evaluates ḣ or h_v of the declared rows.
    pub(super) fn evaluate_rates(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64]), t: f64) {
        if self.has_constraints() {
            robot.constraint_rate_into(q, v, t, &mut self.declared.rate);
        }
    }

    /// Evaluates all rows; those that vanish at q are zero, without rounding.
    pub(crate) fn evaluate(&mut self, robot: Robot<'_>, q: &[f64], v: &[f64], t: f64) {
        self.evaluate_all(robot, (q, v), t);
        self.clear_vanished(robot, (q, v), t);
    }

    pub(super) fn evaluate_all(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64]), t: f64) {
        let rows = self.count();
        self.held.clear();
        self.held.resize(rows, robot.nv);
        let mut next = 0;
        if self.has_constraints() {
            next = self.evaluate_constraints(robot, (q, v), t);
        }
        let anchored = next;
        if self.contacts.iter().any(Option::is_some) {
            next = self.evaluate_contacts(robot, (q, v), next);
        }
        for &frame in &self.frames {
            let (axes, rows) = (ReferenceFrame::LocalWorldAligned, &mut self.framed);
            let bias = robot.at_frames().rows(frame, axes, (q, v), &mut rows.jacobian);
            rows.bias.copy_from_slice(bias.as_slice());
            multiply(&rows.jacobian, v, &mut rows.rate);
            self.held.copy_rows(next, rows, 0..6, robot.nv);
            next += 6;
        }
        self.write_anchor_errors(robot, q, anchored);
    }

    fn evaluate_constraints(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        t: f64,
    ) -> usize {
        let Values { error, rate, jacobian, bias } = &mut self.declared;
        robot.constraint_into(q, t, error);
        robot.constraint_rate_into(q, v, t, rate);
        robot.constraint_jacobian_into(q, v, t, jacobian);
        robot.constraint_bias_into(q, v, t, bias);
        let mut next = 0;
        for (constraint, active) in robot.constraints.iter().zip(&self.active) {
            if *active {
                let rows = constraint.first..constraint.first + constraint.levels.len();
                self.held.copy_rows(next, &self.declared, rows.clone(), robot.nv);
                next += rows.len();
            }
        }
        next
    }

    fn evaluate_contacts(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        first: usize,
    ) -> usize {
        let nv = robot.nv;
        let Values { jacobian, bias, rate, .. } = &mut self.touching;
        self.axes.turn(robot, q);
        robot.contact_jacobian_into(q, jacobian);
        robot.contact_bias_into(q, v, bias);
        multiply(jacobian, v, rate);
        let mut next = first;
        let holds = self.contacts.iter().enumerate();
        for (k, hold) in holds.filter_map(|(k, hold)| hold.map(|hold| (k, hold))) {
            match hold {
                Hold::Normal => {
                    self.held.copy_rows(next, &self.touching, 3 * k..3 * k + 1, nv);
                }
                Hold::Point => {
                    self.held.copy_rows(next, &self.touching, 3 * k..3 * k + 3, nv);
                }
                Hold::Along(direction) => {
                    let axes = &self.axes[k];
                    let all = [axes.normal, axes.tangents[0], axes.tangents[1]];
                    for (row, axis) in (3 * k..).zip(all) {
                        let weight = axis.dot(&direction);
                        self.held.add_row(next, weight, &self.touching, row, nv);
                    }
                }
            }
            next += hold.rows();
        }
        next
    }

    /// M x − Hᵀ λ = f, H x = g with the rows that hold.
    pub(super) fn problem<'a>(
        &'a self,
        (mass, force): (&'a [f64], &'a [f64]),
        target: &'a [f64],
    ) -> Problem<'a> {
        Problem::new(mass, &self.held.jacobian, force, target).parents(self.table.parents)
    }

    /// y += Hᵀ λ.
    pub(crate) fn add_transposed(&self, multipliers: &[f64], y: &mut [f64]) {
        multiply_transposed(y, &self.held.jacobian, multipliers);
    }
}
