//! What touches at a configuration, and its rows.

use alloc::vec;
use alloc::vec::Vec;

use super::{Among, Error, Law, Part};
use crate::cone::Coefficients;
use crate::contact::{self, Conditions, Declared, Ground, Pairs, Spans, Turning};
use crate::description::{ContactParameters, resistance};
use crate::model::{Robot, Table};

/// How near a point must be to be found when it is asked for, m.
const NEAR: f64 = 0.01;

/// A part that takes part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) part: Part,
    pub(super) gap: f64,
    /// As the law has them.
    pub(super) coefficients: Coefficients,
    /// e.
    pub(super) restitution: f64,
    /// The first of its rows, of which a limit has one, others normal, tangents, and what resists turning about these.
    pub(super) first: usize,
    pub(super) rows: usize,
}

impl Touch {
    /// How many of its rows have impulses.
    pub(super) fn active(&self) -> usize {
        if self.coefficients == Coefficients::default() { 1 } else { self.rows }
    }
}

/// All that may touch, and what does.
#[derive(Clone, Debug)]
pub(super) struct Touches {
    table: &'static Table,
    contacts: Vec<ContactParameters>,
    spans: Spans,
    declared: Declared,
    pub(super) pairs: Pairs,
    turning: Turning,
    conditions: Conditions,
    gaps: Vec<f64>,
    /// Of contacts, column by column.
    jacobian: Vec<f64>,
    pub(super) list: Vec<Touch>,
    /// (nv) each.
    pub(super) rows: Vec<f64>,
}

impl Touches {
    /// # Errors
    ///
    /// [`Error::NotOffered`] of what resists turning; [`Error::Contact`] of shapes.
    pub(super) fn new(robot: Robot<'_>, law: &Law) -> Result<Self, Error> {
        let (table, contacts, pairs) =
            (robot.table(), robot.contact_parameters(), robot.pair_parameters());
        let names = table.contacts.iter().map(|of| of.name);
        let names = names.chain(table.pairs.iter().map(|of| of.name));
        let of_contacts = contacts.iter().map(|of| [of.torsion, of.rolling]);
        let levers = of_contacts.chain(pairs.iter().map(|of| [of.torsion, of.rolling]));
        let mut resisting = names.zip(levers.map(resistance));
        if let Some((contact, what)) = resisting.find_map(|(name, what)| Some((name, what?))) {
            law.check_turning(what, Some(contact))?;
        }
        Ok(Self {
            table,
            gaps: vec![f64::NAN; contacts.len()],
            jacobian: vec![f64::NAN; 3 * contacts.len() * table.nv],
            contacts,
            spans: Spans::new(table.joints, &robot.coordinate_parameters()),
            declared: Declared::new(table),
            pairs: Pairs::new(robot)?,
            turning: Turning::new(robot),
            conditions: Conditions::default(),
            list: Vec::new(),
            rows: Vec::new(),
        })
    }

    pub(super) fn scale_friction(&mut self, factor: f64) {
        self.contacts.iter_mut().for_each(|contact| contact.friction *= factor);
    }

    /// # Errors
    ///
    /// [`Error::NotOffered`] of what resists turning.
    pub(super) fn check(&self, law: &Law) -> Result<(), Error> {
        let what = self.conditions.ground.as_ref().and_then(Ground::resistance);
        what.map_or(Ok(()), |what| law.check_turning(what, None))
    }

    pub(super) fn lay(&mut self, ground: Ground) {
        self.conditions.ground = Some(ground);
    }

    /// Lists what takes part at `q`, with its rows.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] of a part that there is not, [`Error::Tolerance`], and [`Error::Contact`] of a gap or a pose
    /// that is none.
    pub(super) fn evaluate(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (among, law): (Among<'_>, &Law),
    ) -> Result<(), Error> {
        self.conditions.margin = match among {
            Among::Within(gap) if gap >= 0.0 && gap.is_finite() => gap,
            Among::Within(value) => return Err(Error::Tolerance { value }),
            Among::Listed(_) => NEAR,
        };
        if !robot.contacts.is_empty() {
            robot.gap_into(q, &mut self.gaps);
            robot.contact_jacobian_into(q, &mut self.jacobian);
        }
        if let Some(contact) = self.gaps.iter().position(|gap| gap.is_nan()) {
            return Err(contact::Error::Gap { contact }.into());
        }
        self.pairs.evaluate(robot, (q, v), (0.0, &self.conditions))?;
        self.turning.evaluate(robot, q);
        self.declared.evaluate(robot, q);
        self.list.clear();
        self.rows.clear();
        let takes = |part: Part, gap: f64| match among {
            Among::Within(most) => gap <= most,
            Among::Listed(parts) => parts.contains(&part),
        };
        self.list_contacts(law, takes);
        self.list_points(law, takes);
        self.list_limits(q, law, takes);
        let Among::Listed(parts) = among else { return Ok(()) };
        let missing = parts.iter().find(|part| !self.list.iter().any(|of| of.part == **part));
        missing.map_or(Ok(()), |part| Err(Error::Unknown { part: *part }))
    }

    fn list_contacts(&mut self, law: &Law, takes: impl Fn(Part, f64) -> bool) {
        let count = 3 * self.table.contacts.len();
        for (k, contact) in self.contacts.iter().enumerate() {
            let (part, gap) = (Part::Contact(k), self.gaps[k]);
            if !takes(part, gap) {
                continue;
            }
            let of = [contact.friction, contact.torsion, contact.rolling];
            let coefficients = law.coefficients(of);
            let rows = coefficients.rows();
            self.list.push(Touch {
                part,
                gap,
                coefficients,
                restitution: contact.restitution,
                first: self.rows.len() / self.table.nv.max(1),
                rows,
            });
            for axis in 0..3 {
                let entries = self.jacobian.iter().skip(3 * k + axis).step_by(count);
                self.rows.extend(entries);
            }
            let turning = self.turning.rows(k).take(rows - 3);
            turning.for_each(|row| self.rows.extend_from_slice(row));
        }
    }

    fn list_points(&mut self, law: &Law, takes: impl Fn(Part, f64) -> bool) {
        for (k, point) in self.pairs.points.iter().enumerate() {
            let (part, gap) = (Part::Point(point.touch.of, point.touch.feature), point.touch.gap);
            if !takes(part, gap) {
                continue;
            }
            let of = [point.friction, point.torsion, point.rolling];
            let coefficients = law.coefficients(of);
            let rows = coefficients.rows();
            self.list.push(Touch {
                part,
                gap,
                coefficients,
                restitution: point.restitution,
                first: self.rows.len() / self.table.nv.max(1),
                rows,
            });
            self.pairs.rows(k).take(rows).for_each(|row| self.rows.extend_from_slice(row));
        }
    }

    fn list_limits(&mut self, q: &[f64], law: &Law, takes: impl Fn(Part, f64) -> bool) {
        let Self { table, spans, declared, list, rows, .. } = self;
        let mut push = |part, gap, row: &mut dyn Iterator<Item = f64>| {
            if takes(part, gap) {
                let (first, restitution) = (rows.len() / table.nv.max(1), law.limit_restitution);
                let coefficients = Coefficients::default();
                list.push(Touch { part, gap, coefficients, restitution, first, rows: 1 });
                rows.extend(row);
            }
        };
        for limit in spans.iter().flat_map(|span| span.limits(q)) {
            let part = Part::Limit { v: limit.v, upper: limit.upper };
            let entry = |j: usize| if j == limit.v { limit.sign() } else { 0.0 };
            push(part, limit.gap, &mut (0..table.nv).map(entry));
        }
        for (k, &gap) in declared.value.iter().enumerate() {
            push(Part::Declared(k), gap, &mut declared.row(k));
        }
    }
}
