//! What may act in a step, and what it demands.

mod compression;
mod explicit;
mod impulses;
mod limits;
mod source;

use alloc::vec::Vec;

use super::conditions::Conditions;
use super::demand::{Approach, Demand};
use super::dynamics::Dynamics;
use super::formulation::Formulation;
use super::friction::FrictionLaw;
use super::limit::{Dry, Limit};
use super::motor::Motors;
use super::problem::Problem;
use super::rows::Rows;
use crate::cone::{Block, Coefficients};
use crate::description::ContactParameters;
use crate::model::Table;
use crate::slices::larger;

pub(super) use self::explicit::Explicit;
pub(super) use self::limits::{add_limits, list_near, list_pressing};
pub(super) use self::source::Source;

/// A violation below this, relative to the velocities it is computed from, includes no candidate.
pub(super) const VIOLATION: f64 = 1e-13;

/// The block of what pushes only.
pub(super) const UNILATERAL: Block = Block::Row { lower: 0.0, upper: f64::INFINITY };

/// The block of what holds in both senses.
pub(super) const BILATERAL: Block = Block::Row { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

/// Something that may act in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) source: Source,
    pub(super) demand: Demand,
    /// σ.
    pub(super) softness: f64,
    /// μ of a contact.
    pub(super) friction: f64,
    /// ν and ϱ of a contact, m.
    pub(super) torsion: f64,
    pub(super) rolling: f64,
    /// Whether it is part of the step's problem.
    pub(super) included: bool,
}

/// What a model can have of candidates.
#[derive(Debug)]
pub(super) struct Sources<'a> {
    pub(super) contacts: &'a [ContactParameters],
    pub(super) explicit: &'a Explicit,
}

/// Lists what may act in a step of `h` seconds from v, but for limits of coordinates and what [`list_driven`] does.
#[inline(always)]
pub(super) fn list(
    candidates: &mut Vec<Candidate>,
    sources: &Sources<'_>,
    dynamics: &Dynamics,
    v: &[f64],
    (h, conditions): (f64, &Conditions),
) {
    candidates.clear();
    let law = conditions.formulation.friction();
    for (i, contact) in sources.contacts.iter().enumerate() {
        let (velocity, gap) = (dynamics.contact_velocity(i), dynamics.gap()[i]);
        let restitution = contact.restitution;
        let approach = Approach { gap, velocity, restitution, step_size: h };
        let demand = conditions.demand_of_contact(i, &approach);
        let friction = law.coefficient(contact.friction);
        let levers = [contact.torsion, contact.rolling];
        let new = |of| {
            let contact = Candidate::new(Source::Contact(i), of, friction);
            contact.with_levers(law, levers)
        };
        candidates.extend(demand.map(new));
    }
    let Explicit { declared, pairs, yielding, springs, .. } = sources.explicit;
    for (i, point) in pairs.points.iter().enumerate() {
        let (gap, velocity) = (point.touch.gap, pairs.velocity(i, v));
        let approach = Approach { gap, velocity, restitution: point.restitution, step_size: h };
        let demand = conditions.demand_of_rigid(&approach);
        let friction = law.coefficient(point.friction);
        let levers = [point.torsion, point.rolling];
        let new = |of| {
            let pair = Candidate::new(Source::Pair(i), of, friction);
            pair.with_levers(law, levers)
        };
        candidates.extend(demand.map(new));
    }
    for (i, &gap) in declared.value.iter().enumerate() {
        let velocity = [declared.velocity(i, v), 0.0, 0.0];
        let approach = Approach { gap, velocity, restitution: 0.0, step_size: h };
        let demand = conditions.demand_of_rigid(&approach);
        candidates.extend(demand.map(|of| Candidate::new(Source::Declared(i), of, 0.0)));
    }
    for k in yielding.rows() {
        let (target, softness) = yielding.demand(k, h);
        let row = Candidate::new(Source::Constraint(k), (Demand::of_normal(target), softness), 0.0);
        candidates.push(Candidate { included: true, ..row });
    }
    for line in springs.acting(h) {
        let (target, softness) = springs.demand(line, h);
        let of = Source::Spring { line, place: springs.place(line) };
        let row = Candidate::new(of, (Demand::of_normal(target), softness), 0.0);
        candidates.push(Candidate { included: true, ..row });
    }
}

/// Lists motors, unless they are part of the motion without impulses, and dry friction.
pub(super) fn list_driven(
    candidates: &mut Vec<Candidate>,
    (motors, dry_friction): (&Motors, &[Dry]),
    h: f64,
) {
    for &(v, row) in motors.bounded() {
        let of = Source::Motor { v, bound: row.bound };
        let motor = Candidate::new(of, (Demand::of_normal(row.target), row.softness), 0.0);
        candidates.push(Candidate { included: true, ..motor });
    }
    for &Dry { v, bound, is_ball } in dry_friction {
        let bound = h * bound;
        let of = if is_ball { Source::Ball { v, bound } } else { Source::DryFriction { v, bound } };
        let friction = Candidate::new(of, (Demand::default(), 0.0), 0.0);
        candidates.push(Candidate { included: true, ..friction });
    }
}

/// Whether what has this coefficient of friction and this demand must have an impulse with this w.
#[inline(always)]
pub(super) fn lacks(
    formulation: &Formulation,
    friction: f64,
    demand: &Demand,
    w: [f64; 3],
) -> bool {
    let sizes = demand.target.iter().chain(&w);
    let scale = sizes.fold(1.0, |scale, x| larger(x.abs(), scale));
    !formulation.friction().is_open(w, friction, VIOLATION * scale)
}

impl Candidate {
    #[inline(always)]
    pub(super) fn new(source: Source, (demand, softness): (Demand, f64), friction: f64) -> Self {
        let (friction, torsion, rolling) = (demand.friction(friction), 0.0, 0.0);
        Self { source, demand, softness, friction, torsion, rolling, included: false }
    }

    /// With what a formulation makes of the coefficients of what resists turning.
    #[inline(always)]
    fn with_levers(self, law: FrictionLaw, levers: [f64; 2]) -> Self {
        let Coefficients { torsion, rolling, .. } = law.turning(levers);
        Self { torsion, rolling, ..self }
    }

    /// μ, ν and ϱ.
    #[inline(always)]
    pub(super) fn coefficients(&self) -> Coefficients {
        let Self { friction, torsion, rolling, .. } = *self;
        Coefficients { friction, torsion, rolling }
    }

    /// Whether it resists turning.
    #[inline(always)]
    pub(super) fn resists_turning(&self) -> bool {
        self.torsion > 0.0 || self.rolling > 0.0
    }

    /// The first coordinate of a motor or of dry friction, and how many it acts on.
    fn coordinates(&self) -> Option<(usize, usize)> {
        match self.source {
            Source::Motor { v, .. } | Source::DryFriction { v, .. } => Some((v, 1)),
            Source::Ball { v, .. } => Some((v, 3)),
            _ => None,
        }
    }

    /// Whether it is a motor or dry friction, whose law is of the mean velocity of a step.
    pub(super) fn holds_mean(&self) -> bool {
        self.coordinates().is_some()
    }

    /// Demands its law of a velocity that has so much beside v⁺, (nv), if it is of the mean one.
    pub(super) fn offset(&mut self, by: &[f64]) {
        if let Some((v, count)) = self.coordinates() {
            let target = self.demand.target.iter_mut().take(count);
            target.zip(&by[v..]).for_each(|(target, by)| *target -= by);
        }
    }

    pub(super) fn is_limit(&self, limit: &Limit) -> bool {
        matches!(&self.source, Source::Limit(own) if own.is(limit))
    }

    /// Whether a contact or a declared limit is not as it may be without an impulse of its own, at the velocity
    /// that others lead to.
    #[inline(always)]
    pub(super) fn is_violated(
        &self,
        formulation: &Formulation,
        explicit: &Explicit,
        dynamics: &Dynamics,
        velocity: &[f64],
    ) -> bool {
        let velocity = match self.source {
            Source::Contact(i) => dynamics.contact_end(i, velocity).map(|[velocity, _]| velocity),
            Source::Pair(i) => explicit.pairs.velocity(i, velocity),
            Source::Declared(i) => [explicit.declared.velocity(i, velocity), 0.0, 0.0],
            _ => return false,
        };
        self.lacks(formulation, core::array::from_fn(|k| velocity[k] - self.demand.target[k]))
    }

    /// Whether it must have an impulse with this w.
    #[inline(always)]
    fn lacks(&self, formulation: &Formulation, w: [f64; 3]) -> bool {
        lacks(formulation, self.friction, &self.demand, w)
    }

    /// How many rows it has.
    #[inline(always)]
    pub(super) fn rows(&self) -> usize {
        if self.resists_turning() {
            self.coefficients().rows()
        } else if self.friction > 0.0 || matches!(self.source, Source::Ball { .. }) {
            3
        } else {
            1
        }
    }

    /// Adds it to the problem.
    #[inline(always)]
    pub(super) fn push(
        &self,
        table: &Table,
        explicit: &Explicit,
        dynamics: &Dynamics,
        problem: &mut Problem,
    ) {
        let Demand { target, regularization, .. } = self.demand;
        let softness = [self.softness, regularization];
        let (contact, v) = (self.friction > 0.0 || self.resists_turning(), dynamics.free());
        let (free, directions) = match self.source {
            Source::Contact(i) => (dynamics.contact_free(i), table.contacts[i].directions),
            Source::Pair(i) => (explicit.pairs.velocity(i, v), explicit.pairs.points[i].directions),
            Source::Limit(limit) => ([limit.sign() * v[limit.v], 0.0, 0.0], 0),
            Source::Declared(i) => ([explicit.declared.velocity(i, v), 0.0, 0.0], 0),
            Source::Constraint(k) => ([explicit.yielding.velocity(k, v), 0.0, 0.0], 0),
            Source::Spring { line, .. } => ([explicit.springs.velocity(line, v), 0.0, 0.0], 0),
            Source::Motor { v: i, .. } | Source::DryFriction { v: i, .. } => ([v[i], 0.0, 0.0], 0),
            Source::Ball { v: i, .. } => ([v[i], v[i + 1], v[i + 2]], 0),
        };
        let b: [f64; 3] = core::array::from_fn(|k| free[k] - target[k]);
        let block = match self.source {
            Source::Ball { bound, .. } => {
                return problem.push(Block::Ball { radius: bound }, 0, b, softness);
            }
            _ if contact => {
                problem.push(self.coefficients().block(), directions, b, softness);
                if self.resists_turning() {
                    let turning = explicit.turning(self.source, v);
                    turning.iter().take(self.rows() - 3).for_each(|w| problem.push_beside(*w));
                }
                return;
            }
            Source::Motor { bound, .. } | Source::DryFriction { bound, .. } => {
                Block::Row { lower: -bound, upper: bound }
            }
            Source::Constraint(_) | Source::Spring { .. } => BILATERAL,
            _ => UNILATERAL,
        };
        problem.push(block, 0, [b[0]], softness);
    }

    /// Adds its rows.
    #[inline(always)]
    pub(super) fn push_rows(&self, explicit: &Explicit, dynamics: &mut Dynamics, rows: &mut Rows) {
        match self.source {
            Source::Contact(i) if self.rows() > 1 => {
                rows.push(3);
                dynamics.write_contact::<3>(i, rows);
                for row in explicit.turning.rows(i).take(self.rows() - 3) {
                    rows.push_beside();
                    dynamics.write_row(row.iter().copied(), rows);
                }
            }
            Source::Contact(i) => {
                rows.push(1);
                dynamics.write_contact::<1>(i, rows);
            }
            Source::Pair(i) => {
                for row in explicit.pairs.rows(i).take(self.rows()) {
                    rows.push(1);
                    dynamics.write_row(row.iter().copied(), rows);
                }
            }
            Source::Limit(limit) => {
                rows.push(1);
                dynamics.write_coordinate(limit.v, limit.sign(), rows);
            }
            Source::Declared(i) => {
                rows.push(1);
                dynamics.write_row(explicit.declared.row(i), rows);
            }
            Source::Constraint(k) => {
                rows.push(1);
                dynamics.write_row(explicit.yielding.row(k), rows);
            }
            Source::Spring { line, .. } => {
                rows.push(1);
                dynamics.write_row(explicit.springs.row(line), rows);
            }
            Source::Motor { v, .. } | Source::DryFriction { v, .. } => {
                rows.push(1);
                dynamics.write_coordinate(v, 1.0, rows);
            }
            Source::Ball { v, .. } => (v..v + 3).for_each(|v| {
                rows.push(1);
                dynamics.write_coordinate(v, 1.0, rows);
            }),
        }
    }

    /// The velocity coordinate, the sign and the bounds of what acts on one coordinate alone.
    #[inline(always)]
    pub(super) fn on_coordinate(&self) -> Option<(usize, f64, [f64; 2])> {
        match self.source {
            Source::Motor { v, bound } | Source::DryFriction { v, bound } => {
                Some((v, 1.0, [-bound, bound]))
            }
            Source::Limit(limit) => Some((limit.v, limit.sign(), [0.0, f64::INFINITY])),
            _ => None,
        }
    }

    /// Whether it is a contact that does not resist turning, or acts on one coordinate.
    pub(super) fn is_of_tree(&self) -> bool {
        match self.source {
            Source::Contact(_) => !self.resists_turning(),
            _ => self.on_coordinate().is_some(),
        }
    }

    /// Which contact it is, if it has friction along its tangents and no other.
    #[inline(always)]
    pub(super) fn contact(&self) -> Option<usize> {
        match self.source {
            Source::Contact(i) if self.rows() == 3 => Some(i),
            _ => None,
        }
    }
}
