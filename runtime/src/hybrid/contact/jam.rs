//! Impacts without collision: what slides and has no acceleration.
//!
//! In Painlevé's paradox friction presses a contact into what it slides on, and no finite force obeys Coulomb's law. What
//! does is an impulse: that of the problem of a step,
//!
//! > w⁺ = w⁻ + h b + A Λ,
//!
//! with the accelerations b < 0 without what touches, as h tends to zero. Where accelerations exist Λ vanishes with h; where
//! they do not it tends to the impulse that brings the slip to an end, which takes energy as any friction does.
//!
//! # The edge
//!
//! What slides comes to the paradox where det(1 + K) falls to zero ([`held`](super::held)), mostly in one of two ways. Its force
//! grows beyond all bounds; then the impulse ends the slip. Or what presses it, b, vanishes as what resists does, and its
//! force stays finite; behind the edge there is an acceleration still with which it opens. That is taken, since impulses are
//! of what no finite force can do (Kilmister's principle of constraints). Should it fall back, it comes to the impulse then.
//!
//! # Source
//!
//! Moreau: Unilateral Contact and Dry Friction in Finite Freedom Dynamics (1988), section 12, frictional catching;
//! Stewart: Rigid-Body Dynamics with Friction and Impact, SIAM Review 42 (2000), for the limit of steps; Génot,
//! Brogliato: New Results on Painlevé Paradoxes, European Journal of Mechanics A 18 (1999), for the edge.

use alloc::vec::Vec;

use super::blow::Blow;
use super::decide::Fired;
use super::driven::Driven;
use super::error::ContactError;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::integrate::Phase;
use crate::model::Robot;
use crate::slices::{add, largest};

/// What falls so slowly, by the largest acceleration of what slides without it, is pressed by nothing.
const FINITE: f64 = 1e-6;
/// An approach along normals, by the speed of what touches, that impacts tell from none.
const APPROACH: f64 = 1e-8;

impl Machine {
    /// How fast a part falls without what touches, in m/s² or rad/s².
    fn fall(&self, part: usize, v_dot: &[f64]) -> f64 {
        -self.parts.velocity(part, 0, v_dot) - self.parts.bias(part, 0)
    }

    /// The largest acceleration of a contact along normal and tangents, in m/s².
    fn largest_row(&self, contact: usize, v_dot: &[f64]) -> f64 {
        let along = |row| self.parts.velocity(contact, row, v_dot) + self.parts.bias(contact, row);
        largest(&[0, 1, 2].map(along))
    }

    /// The mode in which a part is open, if what stays closed then bears, and it does not fall.
    fn opened(
        &mut self,
        robot: Robot<'_>,
        (mode, part): (&Mode, usize),
        slowest: f64,
    ) -> Option<Mode> {
        let mut next = mode.clone();
        next.close(part, Touch::Open);
        next.undetermined.fill(false);
        self.accelerate(robot, &next).ok()?;
        let rests = self.fall(part, &self.v_dot) <= slowest;
        self.determine(&mut next);
        let closed = (0..self.gaps.len()).filter(|part| next.is_closed(*part));
        (rests && self.freedom() > 0.0 && self.bears(&next, closed, 0.0)).then_some(next)
    }

    /// Lets normals approach in the ratio in which they fall, no faster than is told from rest, by the least change of the
    /// velocity: nothing else moves, and what it adds of energy is of the second order.
    fn press_on(&mut self, touching: &[bool]) {
        let falls: Vec<(usize, f64)> = (0..touching.len())
            .filter(|part| touching[*part])
            .map(|part| (part, self.fall(part, &self.free)))
            .collect();
        let fastest = falls.iter().fold(0.0, |most: f64, (_, fall)| most.max(*fall));
        let contacts = falls.iter().filter(|(part, _)| *part < self.table.contacts.len());
        let v = &self.state.v;
        let slips = contacts.map(|(part, _)| largest(&self.parts.slip(*part, v)));
        let approach = f64::max(0.5 * self.still(), APPROACH * slips.fold(0.0, f64::max));
        let Self { parts, held, mass, state, change, .. } = self;
        held.clear(self.table.nv);
        for row in 0..self.table.nc {
            parts.closure.push_row(row, &mut held.rows);
            held.target.push(0.0);
        }
        for (part, fall) in falls {
            parts.push_row(part, 0, &mut held.rows);
            held.target.push(-approach * f64::max(fall / fastest, -1.0));
        }
        change.fill(0.0);
        if fastest > 0.0 && held.solve(mass, change).is_ok() {
            add(&mut state.v, 1.0, change);
        }
    }
}

impl Driven<'_> {
    /// The mode in which one of what slides opens at the edge of the paradox; none where forces are not finite.
    pub(super) fn let_go(
        &mut self,
        (mode, touching): (&Mode, &[bool]),
        phase: &mut Phase,
    ) -> Option<Mode> {
        let pressed = self.machine.pressed(mode, touching, false);
        self.stop(&pressed, phase);
        let Self { robot, machine, .. } = self;
        machine.linearise(*robot).ok()?;
        let slides = |part: &usize| {
            matches!(mode.contacts[*part], Touch::Slide { .. }) && machine.friction[*part] > 0.0
        };
        let sliding: Vec<usize> = (0..robot.contacts.len()).filter(slides).collect();
        let free = sliding.iter().map(|part| machine.largest_row(*part, &machine.free));
        let slowest = FINITE * free.fold(0.0, f64::max);
        sliding.into_iter().find_map(|part| machine.opened(*robot, (mode, part), slowest))
    }

    /// The mode after an impact without collision of what touches.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub(super) fn jam(
        &mut self,
        (mode, touching): (&Mode, &[bool]),
        phase: &mut Phase,
    ) -> Result<Mode, ContactError> {
        self.see(phase)?;
        self.machine.press_on(touching);
        self.strike(touching, Blow::Jam, phase)?;
        self.machine.has_jammed = true;
        let next = self.go_on((mode, &Fired::default()), (touching, true), phase);
        self.machine.has_jammed = false;
        next
    }
}
