//! What acts in one sense only: contacts, ends of joints, declared limits, and dry friction.

use alloc::vec;
use alloc::vec::Vec;

use crate::cone::Block;
use crate::contact::{Dry, Impulse, Motor, MotorRow as Row, dry_friction, motor_place};
use crate::description::ContactParameters;
use crate::model::{Robot, Table};
use crate::unilateral::{Place, Unilateral};

/// A gap in m or rad up to which something touches.
pub(super) const TOUCHING: f64 = 1e-9;

/// What may act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Acting {
    /// A contact, an end of a coordinate, or a declared limit.
    Unilateral(Unilateral),
    /// Dry friction of a joint.
    Dry(Dry),
    /// A servo.
    Servo(Servo),
}

/// The law of a servo at one end of a step: w = v − v* + σ Λ, |Λ| ≤ ½ h F.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Servo {
    v: usize,
    motor: Motor,
    /// Its place at the beginning.
    place: f64,
    row: Row,
}

impl Servo {
    /// Its law at the end of a step of `h` seconds along a chord with the velocity ξ(½), as it is half a step later.
    pub(super) fn at_end(&self, velocity: &[f64], h: f64) -> Option<Acting> {
        let row = self.motor.row(self.place + h * velocity[self.v], 0.5 * h)?;
        Some(Acting::Servo(Self { row, ..*self }))
    }
}

/// All that may act, and what does in a step.
#[derive(Clone, Debug)]
pub(super) struct OneSided {
    table: &'static Table,
    parameters: Vec<ContactParameters>,
    /// What is declared, then servos.
    candidates: Vec<Acting>,
    declared: usize,
    acts: Vec<bool>,
    /// What gaps have to be at the end of the motion, in m or rad: below zero only of what is put right by and by.
    floors: Vec<f64>,
    place: Place,
}

impl OneSided {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        let coordinates = robot.coordinate_parameters();
        let dry = dry_friction(robot.joints, &coordinates).into_iter().map(Acting::Dry);
        let candidates: Vec<_> =
            Unilateral::all(robot).map(Acting::Unilateral).chain(dry).collect();
        Self {
            table: robot.table(),
            parameters: robot.contact_parameters(),
            acts: vec![false; candidates.len()],
            floors: vec![0.0; candidates.len()],
            declared: candidates.len(),
            candidates,
            place: Place::new(&robot),
        }
    }

    /// Has these servos, and no others, in a step of `h` seconds from `q`.
    pub(super) fn serve(&mut self, servos: &[(usize, Motor)], q: &[f64], h: f64) {
        self.candidates.truncate(self.declared);
        for &(v, motor) in servos {
            let place = motor_place(self.table.joints, q, v);
            let Some((place, row)) = place.and_then(|at| Some((at, motor.row(at, h)?))) else {
                continue;
            };
            // Half of the impulse acts at this end.
            let row = Row { softness: 2.0 * row.softness, bound: 0.5 * row.bound, ..row };
            self.candidates.push(Acting::Servo(Servo { v, motor, place, row }));
        }
        self.acts.resize(self.candidates.len(), false);
        self.floors.resize(self.candidates.len(), 0.0);
    }

    /// Whether there is anything that may act.
    pub(super) fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Lets act what touches at `q`, and dry friction, and nothing else; a share of what is violated there is to be put
    /// right.
    pub(super) fn begin(&mut self, robot: Robot<'_>, q: &[f64], share: f64) {
        self.measure(robot, q);
        let all = self.acts.iter_mut().zip(&mut self.floors);
        for ((acts, floor), one) in all.zip(&self.candidates) {
            let gap = gap(&self.place, one, q);
            *acts = gap.is_none_or(|gap| gap <= TOUCHING);
            *floor = (1.0 - share) * gap.unwrap_or_default().min(0.0);
        }
    }

    /// Lets act what would be violated at `q` too; whether there is any.
    pub(super) fn include_violated(&mut self, robot: Robot<'_>, q: &[f64]) -> bool {
        self.measure(robot, q);
        let mut found = false;
        let all = self.acts.iter_mut().zip(&self.floors);
        for ((acts, floor), one) in all.zip(&self.candidates) {
            let violated = gap(&self.place, one, q).is_some_and(|gap| gap < *floor);
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
            Acting::Unilateral(Unilateral::Contact(k)) => self.parameters[*k].restitution,
            _ => 0.0,
        }
    }

    /// Its law, where dry friction acts for `time` seconds.
    pub(super) fn block(&self, one: &Acting, time: f64) -> Block {
        match *one {
            Acting::Unilateral(Unilateral::Contact(k)) => {
                Block::Contact { friction: self.parameters[k].friction, torsion: None }
            }
            Acting::Unilateral(_) => Block::Row { lower: 0.0, upper: f64::INFINITY },
            Acting::Dry(Dry { bound, is_ball: true, .. }) => Block::Ball { radius: bound * time },
            Acting::Dry(Dry { bound, .. }) => {
                Block::Row { lower: -bound * time, upper: bound * time }
            }
            Acting::Servo(Servo { row: Row { bound, .. }, .. }) => {
                Block::Row { lower: -bound, upper: bound }
            }
        }
    }

    /// Whether it has a gap, as all but dry friction and servos.
    pub(super) fn has_gap(&self, one: &Acting) -> bool {
        matches!(one, Acting::Unilateral(_))
    }

    /// Evaluates gaps at `q`.
    pub(super) fn measure(&mut self, robot: Robot<'_>, q: &[f64]) {
        self.place.measure(robot, q);
    }

    /// The gap of one at `q`, where gaps were evaluated last, in m or rad; dry friction and servos have none.
    pub(super) fn gap(&self, one: &Acting, q: &[f64]) -> Option<f64> {
        gap(&self.place, one, q)
    }

    /// By how much the gap of one at `q`, where gaps were evaluated last, is more than it has to be, in m or rad.
    pub(super) fn room(&self, one: &Acting, q: &[f64]) -> Option<f64> {
        let floor = self.candidates.iter().zip(&self.floors).find(|(other, _)| *other == one);
        Some(gap(&self.place, one, q)? - floor.map_or(0.0, |(_, floor)| *floor))
    }

    /// How deep contacts penetrate at `q`, where gaps were evaluated last, by name, in m.
    pub(super) fn penetrating(&self, q: &[f64]) -> impl Iterator<Item = (&'static str, f64)> {
        let all = self.unilateral().filter(|one| matches!(one, Unilateral::Contact(_)));
        all.map(move |one| (one.name(self.table), -self.place.gap(one, q)))
    }

    /// How far ends of joints and declared limits are passed at `q`, where gaps were evaluated last, by name.
    pub(super) fn beyond_limits(&self, q: &[f64]) -> impl Iterator<Item = (&'static str, f64)> {
        let all = self.unilateral().filter(|one| !matches!(one, Unilateral::Contact(_)));
        all.map(move |one| (one.name(self.table), -self.place.gap(one, q)))
    }

    /// Whether something overlaps at `q`, where gaps were evaluated last, or is beyond its limit.
    pub(super) fn overlaps(&self, q: &[f64]) -> bool {
        let mut all = self.penetrating(q).chain(self.beyond_limits(q));
        all.any(|(_, depth)| depth > TOUCHING)
    }

    fn unilateral(&self) -> impl Iterator<Item = &Unilateral> {
        self.candidates.iter().filter_map(|one| match one {
            Acting::Unilateral(one) => Some(one),
            Acting::Dry(_) | Acting::Servo(_) => None,
        })
    }

    /// Evaluates Jacobians at `q`.
    pub(super) fn linearise(&mut self, robot: Robot<'_>, q: &[f64]) {
        self.place.linearise(robot, q);
    }

    /// Appends the rows of one, (nv) each, where Jacobians were evaluated last.
    pub(super) fn push_rows(&self, one: &Acting, nv: usize, rows: &mut Vec<f64>) {
        match one {
            Acting::Unilateral(one) => {
                (0..one.rows()).for_each(|row| self.place.push_row(one, row, nv, rows));
            }
            Acting::Dry(dry) => {
                (dry.v..dry.v + dry.count()).for_each(|v| push_coordinate(v, nv, rows));
            }
            Acting::Servo(servo) => push_coordinate(servo.v, nv, rows),
        }
    }

    /// Appends J v of one, of a servo less v*, where Jacobians were evaluated last.
    pub(super) fn push_velocity(&self, one: &Acting, v: &[f64], w: &mut Vec<f64>) {
        match one {
            Acting::Unilateral(one) => {
                w.extend((0..one.rows()).map(|row| self.place.velocity(one, row, v)));
            }
            Acting::Dry(dry) => w.extend_from_slice(&v[dry.v..][..dry.count()]),
            Acting::Servo(servo) => w.push(v[servo.v] - servo.row.target),
        }
    }
}

/// Appends the row of a velocity coordinate.
fn push_coordinate(v: usize, nv: usize, rows: &mut Vec<f64>) {
    rows.extend((0..nv).map(|j| f64::from(u8::from(j == v))));
}

/// The gap of one at `q`, where gaps were evaluated last; dry friction and servos have none.
fn gap(place: &Place, one: &Acting, q: &[f64]) -> Option<f64> {
    match one {
        Acting::Unilateral(one) => Some(place.gap(one, q)),
        Acting::Dry(_) | Acting::Servo(_) => None,
    }
}

impl Acting {
    /// v* of a servo.
    pub(super) fn target(&self) -> f64 {
        if let Acting::Servo(servo) = self { servo.row.target } else { 0.0 }
    }

    /// σ of its rows.
    pub(super) fn softness(&self) -> f64 {
        if let Acting::Servo(servo) = self { servo.row.softness } else { 0.0 }
    }

    /// Adds what it does to the impulses of a step.
    pub(super) fn record(&self, impulse: &[f64], to: &mut Impulse) {
        match (*self, impulse) {
            (Acting::Unilateral(Unilateral::Contact(k)), &[n, x, y]) => {
                to.normal[k] += n;
                to.friction[k][0] += x;
                to.friction[k][1] += y;
            }
            (Acting::Unilateral(Unilateral::End(end)), &[n]) => {
                to.limits[end.v][end.side()] += n;
            }
            (Acting::Unilateral(Unilateral::Limit(k)), &[n]) => to.declared[k] += n,
            (Acting::Dry(dry), impulse) => {
                let own = to.dry_friction[dry.v..].iter_mut().zip(impulse);
                own.for_each(|(to, n)| *to += n);
            }
            (Acting::Servo(servo), &[n]) => to.motors[servo.v] += n,
            _ => {}
        }
    }
}
