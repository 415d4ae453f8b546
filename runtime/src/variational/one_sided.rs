//! What acts in one sense only: contacts, ends of joints, declared limits, and dry friction.

use alloc::vec;
use alloc::vec::Vec;

use crate::cone::Block;
use crate::contact::Impulse;
use crate::description::{Chart, ContactParameters, Joint};
use crate::model::Model;
use crate::slices::{columns, dot};
use crate::space::Storage;

/// A gap in m or rad up to which something touches.
pub(super) const TOUCHING: f64 = 1e-9;

/// What may act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Acting {
    /// A contact.
    Contact(usize),
    /// The end of a coordinate: sign · (q − end) ≥ 0.
    End { q: usize, v: usize, end: f64, sign: f64 },
    /// A declared limit.
    Limit(usize),
    /// Dry friction of a coordinate with a bound in N or N m.
    Dry { v: usize, bound: f64 },
}

/// Values at a configuration, matrices column by column.
#[derive(Clone, Debug)]
struct Place {
    gaps: Vec<f64>,
    contacts: Vec<f64>,
    limits: Vec<f64>,
    of_limits: Vec<f64>,
}

/// All that may act, and what does in a step.
#[derive(Clone, Debug)]
pub(super) struct OneSided {
    parameters: Vec<ContactParameters>,
    candidates: Vec<Acting>,
    acts: Vec<bool>,
    place: Place,
}

impl OneSided {
    pub(super) fn new<M: Model>(model: &M) -> Self {
        let coordinates = model.coordinate_parameters();
        let linear = M::JOINTS.iter().filter(|joint| joint.chart == Chart::Vector);
        let all =
            linear.flat_map(|joint: &Joint| (0..joint.nv).map(|k| (joint.q + k, joint.v + k)));
        let ends = all.flat_map(|(q, v)| {
            let ends = coordinates.get(v).map_or([f64::NAN; 2], |range| range.position);
            let both = [(ends[0], 1.0), (ends[1], -1.0)].into_iter();
            both.map(move |(end, sign)| Acting::End { q, v, end, sign })
        });
        let is_there = |one: &Acting| !matches!(one, Acting::End { end, .. } if !end.is_finite());
        let dry = coordinates.iter().enumerate().filter(|(_, one)| one.friction > 0.0);
        let contacts = (0..M::CONTACTS.len()).map(Acting::Contact);
        let candidates: Vec<_> = contacts
            .chain(ends.filter(is_there))
            .chain((0..M::LIMITS.len()).map(Acting::Limit))
            .chain(dry.map(|(v, one)| Acting::Dry { v, bound: one.friction }))
            .collect();
        Self {
            parameters: model.contact_parameters(),
            acts: vec![false; candidates.len()],
            candidates,
            place: Place {
                gaps: vec![f64::NAN; M::CONTACTS.len()],
                contacts: vec![f64::NAN; 3 * M::CONTACTS.len() * M::NV],
                limits: vec![f64::NAN; M::LIMITS.len()],
                of_limits: vec![f64::NAN; M::LIMITS.len() * M::NV],
            },
        }
    }

    /// Whether there is anything that may act.
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Lets act what touches at `q`, and dry friction, and nothing else.
    pub(super) fn begin<M: Model>(&mut self, model: &M, q: &M::Q) {
        self.measure(model, q);
        for (acts, one) in self.acts.iter_mut().zip(&self.candidates) {
            *acts = self.place.gap(one, q.as_slice()).is_none_or(|gap| gap <= TOUCHING);
        }
    }

    /// Lets act what would be violated at `q` too; whether there is any.
    pub(super) fn include_violated<M: Model>(&mut self, model: &M, q: &M::Q) -> bool {
        self.measure(model, q);
        let mut found = false;
        for (acts, one) in self.acts.iter_mut().zip(&self.candidates) {
            let violated = self.place.gap(one, q.as_slice()).is_some_and(|gap| gap < 0.0);
            found |= violated && !*acts;
            *acts |= violated;
        }
        found
    }

    /// The contact whose gap is NaN at the place that was looked at last.
    pub(super) fn unknown(&self) -> Option<usize> {
        self.place.gaps.iter().position(|gap| gap.is_nan())
    }

    /// What acts.
    pub(super) fn acting(&self) -> impl Iterator<Item = &Acting> {
        self.candidates.iter().zip(&self.acts).filter(|(_, acts)| **acts).map(|(one, _)| one)
    }

    /// Restitution of a contact; of nothing else.
    pub(super) fn restitution(&self, one: &Acting) -> f64 {
        match one {
            Acting::Contact(k) => self.parameters[*k].restitution,
            _ => 0.0,
        }
    }

    /// Its law, where dry friction acts for `time` seconds.
    pub(super) fn block(&self, one: &Acting, time: f64) -> Block {
        match *one {
            Acting::Contact(k) => {
                Block::Contact { friction: self.parameters[k].friction, torsion: None }
            }
            Acting::End { .. } | Acting::Limit(_) => {
                Block::Row { lower: 0.0, upper: f64::INFINITY }
            }
            Acting::Dry { bound, .. } => Block::Row { lower: -bound * time, upper: bound * time },
        }
    }

    /// Evaluates gaps at `q`.
    pub(super) fn measure<M: Model>(&mut self, model: &M, q: &M::Q) {
        self.place.gaps.fill(f64::NAN);
        model.gap_into(q, &mut self.place.gaps);
        if !M::LIMITS.is_empty() {
            model.limit_into(q, &mut self.place.limits);
        }
    }

    /// The gap of one at `q`, where gaps were evaluated last, in m or rad; dry friction has none.
    pub(super) fn gap(&self, one: &Acting, q: &[f64]) -> Option<f64> {
        self.place.gap(one, q)
    }

    /// Evaluates Jacobians at `q`.
    pub(super) fn linearise<M: Model>(&mut self, model: &M, q: &M::Q) {
        if !M::CONTACTS.is_empty() {
            model.contact_jacobian_into(q, &mut self.place.contacts);
        }
        if !M::LIMITS.is_empty() {
            model.limit_jacobian_into(q, &mut self.place.of_limits);
        }
    }

    /// Appends the rows of one, (nv) each, where Jacobians were evaluated last.
    pub(super) fn push_rows(&self, one: &Acting, nv: usize, rows: &mut Vec<f64>) {
        let Place { gaps, contacts, limits, of_limits } = &self.place;
        let unit = |v: usize, size: f64| (0..nv).map(move |j| if j == v { size } else { 0.0 });
        match *one {
            Acting::Contact(k) => {
                let height = 3 * gaps.len();
                for row in 3 * k..3 * k + 3 {
                    rows.extend((0..nv).map(|j| contacts[j * height + row]));
                }
            }
            Acting::End { v, sign, .. } => rows.extend(unit(v, sign)),
            Acting::Limit(k) => rows.extend((0..nv).map(|j| of_limits[j * limits.len() + k])),
            Acting::Dry { v, .. } => rows.extend(unit(v, 1.0)),
        }
    }

    /// Appends J v of one where Jacobians were evaluated last.
    pub(super) fn push_velocity(&self, one: &Acting, v: &[f64], w: &mut Vec<f64>) {
        let mut rows = Vec::new();
        self.push_rows(one, v.len(), &mut rows);
        w.extend(columns(&rows, v.len()).map(|row| dot(row, v)));
    }
}

impl Place {
    fn gap(&self, one: &Acting, q: &[f64]) -> Option<f64> {
        match *one {
            Acting::Contact(k) => Some(self.gaps[k]),
            Acting::End { q: index, end, sign, .. } => Some(sign * (q[index] - end)),
            Acting::Limit(k) => Some(self.limits[k]),
            Acting::Dry { .. } => None,
        }
    }
}

impl Acting {
    /// Adds what it does to the impulses of a step.
    pub(super) fn record(&self, impulse: &[f64], to: &mut Impulse) {
        match (*self, impulse) {
            (Acting::Contact(k), &[n, x, y]) => {
                to.normal[k] += n;
                to.friction[k][0] += x;
                to.friction[k][1] += y;
            }
            (Acting::End { v, sign, .. }, &[n]) => to.limits[v][usize::from(sign < 0.0)] += n,
            (Acting::Limit(k), &[n]) => to.declared[k] += n,
            (Acting::Dry { v, .. }, &[n]) => to.dry_friction[v] += n,
            _ => {}
        }
    }
}
