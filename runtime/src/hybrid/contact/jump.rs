//! Derivatives of what happens to a robot at an event.
//!
//! Where nothing is struck, only the mode changes, and small changes of the phase stay what they are. An impact obeys
//! linear equations as long as the same parts stick, slide and open:
//!
//! > M (v⁺ − v) = Gᵀ Λ + Fᵀ Λ_s,  G v⁺ = −E G v
//!
//! with the rows G of constraints, of normals that have an impulse, and of tangents that do not slip after it; E is e of
//! normals and zero of the others, F the friction of what slides; derivatives of v⁺ follow from [these](super::jolt), and are
//! exact. Laws for which that is not so (Poisson's, Stronge's, sequences, slip that may turn) are differenced themselves.
//!
//! Impacts without collision, of what jams, have none.
//!
//! What was closed before the impact moves along its rows. Changes that do not are none of the motion's, and are taken
//! away first, with the least impulse.
//!
//! # Source
//!
//! Pfeiffer, Glocker: Multibody Dynamics with Unilateral Contacts (1996), chapter 8.

use alloc::vec;
use alloc::vec::Vec;

use super::blow::Blow;
use super::decide::Fired;
use super::driven::Driven;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use super::rows::are_independent;
use crate::hybrid::tangent;
use crate::impact::{Ending, Friction, Outcome, Restitution, Sequence};
use crate::integrate::Phase;
use crate::model::Robot;
use crate::slices::{add, norm};

/// Of an impulse, by the largest, what a solver leaves of none.
const NO_IMPULSE: f64 = 1e-9;

/// What an impact did with a part.
#[derive(Clone, Copy, Debug)]
struct Hit {
    part: usize,
    /// e.
    restitution: f64,
    tangents: Tangents,
}

/// What it did along the part's tangents.
#[derive(Clone, Copy, Debug)]
enum Tangents {
    Held,
    /// Friction by impulse of the normal.
    Drag([f64; 2]),
}

/// What an impact does near a phase.
#[derive(Debug)]
enum Pattern {
    /// Linear equations.
    Linear(Vec<Hit>),
    /// Its law, among these parts, and how that ends with each.
    Law(Vec<bool>, Vec<Ending>),
}

impl Driven<'_> {
    /// As [`Automaton::reset_derivatives`](crate::hybrid::Automaton::reset_derivatives).
    pub(super) fn jump_derivatives(
        &mut self,
        (mode, ids): (&Mode, &[usize]),
        before: &Phase,
        out: &mut [f64],
    ) -> Option<f64> {
        let mut after = before.clone();
        let is_reset = self.machine.reset(ids, &mut after);
        let (mode, fired) = match is_reset {
            true => (self.machine.open(), Fired::default()),
            false => (mode.clone(), self.fired((mode, ids), &after)),
        };
        let impacts = self.impacts_of((&mode, &fired), &after)?;
        self.see(&after).ok()?;
        let touching = self.machine.touching(&mode);
        let is_struck = self.machine.approaches(&mode, &touching);
        if impacts > usize::from(is_struck) {
            return None;
        }
        let pattern =
            if is_struck { Some(self.machine.pattern(self.robot, &mode, touching)?) } else { None };
        let nv = self.robot.nv;
        let n = 2 * nv;
        match (&pattern, is_reset) {
            (_, true) => out.fill(f64::NAN),
            (Some(Pattern::Linear(hits)), _) => {
                if self.machine.write_jump(self.robot, (&mode, hits), before, out).is_some() {
                    return Some(0.0);
                }
                out.fill(f64::NAN);
            }
            (Some(Pattern::Law(..)), _) => out.fill(f64::NAN),
            (None, _) => {
                write_unit(out, n, n);
                return Some(0.0);
            }
        }
        self.machine.jump(self.robot, (&mode, pattern.as_ref()), &mut after)?;
        let space = self.machine.resolution.space.clone();
        let error = tangent::by_differences(&space, before, out, &mut |phase, out| {
            let mut phase = phase.clone();
            self.machine.reset(ids, &mut phase);
            match self.machine.jump(self.robot, (&mode, pattern.as_ref()), &mut phase) {
                Some(()) => tangent::difference(&space, &after, &phase, out),
                None => out.fill(f64::NAN),
            }
        });
        if !is_reset {
            write_unit(out, n, nv);
        }
        Some(error)
    }

    /// How many impacts the event has: more than that of what approaches, where something jams.
    fn impacts_of(&mut self, (mode, fired): (&Mode, &Fired), before: &Phase) -> Option<usize> {
        let known = self.machine.impacts.len();
        let begun = self.begin(mode, fired, &mut before.clone());
        let impacts = self.machine.impacts.drain(known..).count();
        begun.ok().map(|_| impacts)
    }
}

/// Writes ones and zeros to the first rows, so many of them: impacts move nothing.
fn write_unit(out: &mut [f64], n: usize, rows: usize) {
    for (k, column) in out.chunks_exact_mut(n.max(1)).enumerate() {
        let unit = |i: usize| if i == k { 1.0 } else { 0.0 };
        column[..rows].iter_mut().enumerate().for_each(|(i, x)| *x = unit(i));
    }
}

/// How an impact ends with each part; what a solver leaves of no impulse is none.
fn endings(outcome: &Outcome) -> Vec<Ending> {
    let most = outcome.parts.iter().fold(0.0, |most: f64, struck| most.max(struck.impulse[0]));
    let parts = outcome.parts.iter();
    let ending = parts.map(|struck| match struck.impulse[0] <= NO_IMPULSE * most {
        true if struck.separates => Ending::Apart,
        _ => struck.ending,
    });
    ending.collect()
}

impl Machine {
    /// What an impact does near the phase that was seen last; none if it has no velocity after it.
    fn pattern(&mut self, robot: Robot<'_>, mode: &Mode, touching: Vec<bool>) -> Option<Pattern> {
        let before = self.state.v.clone();
        let mut v = before.clone();
        self.follow(mode, &mut v)?;
        self.state.v = v;
        let outcome = self.strike(robot, &touching, Blow::Approach);
        self.state.v = before;
        let outcome = outcome.ok()?;
        Some(match self.hits(&touching, &outcome) {
            Some(hits) => Pattern::Linear(hits),
            None => Pattern::Law(touching, endings(&outcome)),
        })
    }

    /// What was hit, if the impact obeys linear equations.
    fn hits(&self, touching: &[bool], outcome: &Outcome) -> Option<Vec<Hit>> {
        let law = self.blows.law();
        let is_linear = matches!(law.restitution, Restitution::Newton | Restitution::Inelastic)
            && law.sequence == Sequence::Simultaneous
            && outcome.impacts == 1;
        let mut endings = endings(outcome).into_iter();
        let mut hits = Vec::new();
        for part in (0..touching.len()).filter(|part| is_linear && touching[*part]) {
            let struck = outcome.part(self.parts.part(part)?)?;
            let ending = endings.next()?;
            let restitution = match struck.before[0].abs() > self.still() {
                true => -struck.after[0] / struck.before[0],
                false => 0.0,
            };
            let drag = [1, 2].map(|k| struck.impulse[k] / struck.impulse[0]);
            let has_friction = law.friction == Friction::Sticking
                || law.friction != Friction::Frictionless && self.friction.get(part) > Some(&0.0);
            let tangents = match ending {
                Ending::Apart => continue,
                Ending::Stuck if part < self.table.contacts.len() && has_friction => Tangents::Held,
                Ending::Slid if norm(&drag) > 0.0 && self.may_turn(part) => return None,
                Ending::Slid => Tangents::Drag(drag),
                Ending::Stuck => Tangents::Drag([0.0; 2]),
            };
            hits.push(Hit { part, restitution, tangents });
        }
        is_linear.then_some(hits)
    }

    /// Whether the slip of a contact may have any direction.
    fn may_turn(&self, contact: usize) -> bool {
        let [first, second] = [1, 2].map(|row| self.row(contact, row));
        are_independent(&first, &second)
    }

    pub(super) fn row(&self, part: usize, row: usize) -> Vec<f64> {
        let mut entries = Vec::with_capacity(self.table.nv);
        self.parts.push_row(part, row, &mut entries);
        entries
    }

    /// Writes derivatives of a jump that obeys linear equations; none if it is none.
    fn write_jump(
        &mut self,
        robot: Robot<'_>,
        (mode, hits): (&Mode, &[Hit]),
        before: &Phase,
        out: &mut [f64],
    ) -> Option<()> {
        let (nv, n) = (self.table.nv, 2 * self.table.nv);
        self.look(before.at());
        self.linearise(robot).ok()?;
        let mut slopes = vec![0.0; nv * (n + 1)];
        (0..nv).for_each(|k| slopes[(nv + k) * nv + k] = 1.0);
        let mut after = before.v.clone();
        self.follow(mode, &mut after)?;
        let mut known = self.vary_jump(robot, (&before.v, &after), &mut slopes);
        let followed = after.clone();
        self.hit(hits, &mut after)?;
        known &= self.vary_jump(robot, (&followed, &after), &mut slopes);
        write_unit(out, n, nv);
        for (column, slopes) in out.chunks_exact_mut(n.max(1)).zip(slopes.chunks_exact(nv.max(1))) {
            column[nv..].copy_from_slice(slopes);
        }
        known.then_some(())
    }

    /// Lets the velocity of a phase jump as in the impact whose pattern is given; none if the law has no such impact there.
    fn jump(
        &mut self,
        robot: Robot<'_>,
        (mode, pattern): (&Mode, Option<&Pattern>),
        phase: &mut Phase,
    ) -> Option<()> {
        let Some(pattern) = pattern else { return Some(()) };
        self.look(phase.at());
        self.linearise(robot).ok()?;
        self.follow(mode, &mut phase.v)?;
        match pattern {
            Pattern::Linear(hits) => self.hit(hits, &mut phase.v),
            Pattern::Law(touching, nominal) => {
                self.state.v.copy_from_slice(&phase.v);
                let outcome = self.strike(robot, touching, Blow::Approach).ok()?;
                phase.v.copy_from_slice(&self.state.v);
                (endings(&outcome) == *nominal).then_some(())
            }
        }
    }

    /// Takes from a velocity what is not along the rows that hold in a mode.
    fn follow(&mut self, mode: &Mode, v: &mut [f64]) -> Option<()> {
        self.begin_rows();
        for part in (0..self.parts.count()).filter(|part| mode.is_closed(*part)) {
            self.push(part, 0, 0.0, v);
            if matches!(mode.contacts.get(part), Some(Touch::Stick)) {
                (1..3).for_each(|row| self.push(part, row, 0.0, v));
            }
        }
        self.held.solve(&self.mass, v).ok()
    }

    /// v⁺.
    fn hit(&mut self, hits: &[Hit], v: &mut [f64]) -> Option<()> {
        self.begin_rows();
        for Hit { part, restitution, tangents } in hits {
            self.push(*part, 0, *restitution, v);
            match tangents {
                Tangents::Held => (1..3).for_each(|row| self.push(*part, row, 0.0, v)),
                Tangents::Drag(drag) if norm(drag) > 0.0 => {
                    let start = self.held.friction.len();
                    self.held.friction.resize(start + self.table.nv, 0.0);
                    for (row, drag) in (1..3).zip(drag) {
                        let tangent = self.row(*part, row);
                        add(&mut self.held.friction[start..], *drag, &tangent);
                    }
                    self.held.slides.push(self.held.count() - 1);
                    self.dragged.push((*part, *drag));
                }
                Tangents::Drag(_) => {}
            }
        }
        self.held.solve(&self.mass, v).ok()
    }
}
