//! The rows that hold: of constraints, contacts and frames.

use alloc::vec;
use alloc::vec::Vec;

use crate::description::{Constraint, FrameId, Level, RowParameters};
use crate::frame::ReferenceFrame;
use crate::kkt::Problem;
use crate::model::one_sided::ContactAxes;
use crate::model::{Model, frames};
use crate::slices::multiply_transposed;
use crate::space::Storage;

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
pub(crate) struct Rows<M: Model> {
    /// Of each declared constraint, whether it holds.
    active: Vec<bool>,
    parameters: Vec<RowParameters>,
    pub(super) contacts: Vec<Option<Hold>>,
    pub(super) axes: ContactAxes,
    pub(super) frames: Vec<FrameId<M>>,
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

impl<M: Model> Rows<M> {
    pub(crate) fn new(model: &M) -> Self {
        let [declared, touching, framed] =
            [M::NC, 3 * M::CONTACTS.len(), 6].map(|rows| Values::zeros(rows, M::NV));
        Self {
            active: vec![true; M::CONSTRAINTS.len()],
            parameters: model.constraint_parameters(),
            contacts: vec![None; M::CONTACTS.len()],
            axes: ContactAxes::new(model),
            frames: Vec::new(),
            anchors: Anchors::new(M::CONTACTS.len()),
            declared,
            reaches: vec![1.0; M::NC],
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

    pub(super) fn hold_frame(&mut self, frame: FrameId<M>, held: bool) {
        self.frames.retain(|other| other.index() != frame.index());
        self.anchors.set_frame(frame.index(), None);
        if held {
            let place = self.frames.partition_point(|other| other.index() < frame.index());
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
        let frames = frames.flat_map(|frame| [self.anchors.frame_level(frame.index()); 6]);
        constraints.chain(contacts).chain(frames)
    }

    /// Of the rows that hold, their places among [`HELD_ROWS`](Model::HELD_ROWS); none if one is not
    /// among them, or has an anchor.
    pub(super) fn generated(&self) -> Option<Vec<usize>> {
        if !self.anchors.is_empty() {
            return None;
        }
        let mut rows: Vec<usize> = self.active_rows().map(|(_, row)| row).collect();
        let mut first = M::NC;
        for (contact, hold) in M::CONTACTS.iter().zip(&self.contacts) {
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
        for (k, _) in M::FRAMES.iter().enumerate().filter(|(_, frame)| frame.held) {
            if held.next_if(|frame| frame.index() == k).is_some() {
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
        let active = M::CONSTRAINTS.iter().zip(&self.active).filter(|(_, active)| **active);
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
    pub(super) fn evaluate_errors(&mut self, model: &M, q: &M::Q, t: f64) {
        if self.has_constraints() {
            model.constraint_into(q, t, &mut self.declared.error);
        }
    }

    /// Evaluates ḣ or h_v of the declared rows.
    pub(super) fn evaluate_rates(&mut self, model: &M, (q, v): (&M::Q, &M::V), t: f64) {
        if self.has_constraints() {
            model.constraint_rate_into(q, v, t, &mut self.declared.rate);
        }
    }

    /// Evaluates all rows; those that vanish at q are zero, without rounding.
    pub(crate) fn evaluate(&mut self, model: &M, q: &M::Q, v: &M::V, t: f64) {
        self.evaluate_all(model, (q, v), t);
        self.clear_vanished(model, (q, v), t);
    }

    pub(super) fn evaluate_all(&mut self, model: &M, (q, v): (&M::Q, &M::V), t: f64) {
        let rows = self.count();
        self.held.clear();
        self.held.resize(rows, M::NV);
        let mut next = 0;
        if self.has_constraints() {
            next = self.evaluate_constraints(model, (q, v), t);
        }
        let anchored = next;
        if self.contacts.iter().any(Option::is_some) {
            next = self.evaluate_contacts(model, (q, v), next);
        }
        for &frame in &self.frames {
            let (axes, rows) = (ReferenceFrame::LocalWorldAligned, &mut self.framed);
            let bias = frames::rows(model, frame, axes, (q, v), &mut rows.jacobian);
            rows.bias.copy_from_slice(bias.as_slice());
            multiply(&rows.jacobian, v.as_slice(), &mut rows.rate);
            self.held.copy_rows(next, rows, 0..6, M::NV);
            next += 6;
        }
        self.write_anchor_errors(model, q, anchored);
    }

    fn evaluate_constraints(&mut self, model: &M, (q, v): (&M::Q, &M::V), t: f64) -> usize {
        let Values { error, rate, jacobian, bias } = &mut self.declared;
        model.constraint_into(q, t, error);
        model.constraint_rate_into(q, v, t, rate);
        model.constraint_jacobian_into(q, v, t, jacobian);
        model.constraint_bias_into(q, v, t, bias);
        let mut next = 0;
        for (constraint, active) in M::CONSTRAINTS.iter().zip(&self.active) {
            if *active {
                let rows = constraint.first..constraint.first + constraint.levels.len();
                self.held.copy_rows(next, &self.declared, rows.clone(), M::NV);
                next += rows.len();
            }
        }
        next
    }

    fn evaluate_contacts(&mut self, model: &M, (q, v): (&M::Q, &M::V), first: usize) -> usize {
        let Values { jacobian, bias, rate, .. } = &mut self.touching;
        self.axes.turn(model, q);
        model.contact_jacobian_into(q, jacobian);
        model.contact_bias_into(q, v, bias);
        multiply(jacobian, v.as_slice(), rate);
        let mut next = first;
        let holds = self.contacts.iter().enumerate();
        for (k, hold) in holds.filter_map(|(k, hold)| hold.map(|hold| (k, hold))) {
            match hold {
                Hold::Normal => {
                    self.held.copy_rows(next, &self.touching, 3 * k..3 * k + 1, M::NV);
                }
                Hold::Point => {
                    self.held.copy_rows(next, &self.touching, 3 * k..3 * k + 3, M::NV);
                }
                Hold::Along(direction) => {
                    let axes = &self.axes[k];
                    let all = [axes.normal, axes.tangents[0], axes.tangents[1]];
                    for (row, axis) in (3 * k..).zip(all) {
                        let weight = axis.dot(&direction);
                        self.held.add_row(next, weight, &self.touching, row, M::NV);
                    }
                }
            }
            next += hold.rows();
        }
        next
    }

    /// M x − Hᵀ λ = f, H x = g with the rows that hold, in the types of the robot that they are of.
    pub(super) fn problem<'a, Mass: Storage, V: Storage>(
        &'a self,
        mass: &'a Mass,
        force: &'a V,
        target: &'a [f64],
    ) -> Problem<'a> {
        Problem::new(mass.as_slice(), &self.held.jacobian, force.as_slice(), target)
            .parents(M::PARENTS)
    }

    /// y += Hᵀ λ.
    pub(crate) fn add_transposed(&self, multipliers: &[f64], y: &mut [f64]) {
        multiply_transposed(y, &self.held.jacobian, multipliers);
    }
}
