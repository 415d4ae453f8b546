//! What happens at an event: which contacts stay closed, which stick and which slide.
//!
//! What approaches where it touches makes an impact. After it, contacts that slip go on so, and of those that do not,
//! and of all normals, the complementarity problem of accelerations decides ([`press`](super::press)): the accelerations
//! of a solid on many feet are unique where its forces are not, so no sign of a single force is asked for. Where a force
//! or its margin in the cone has just fallen to zero, accelerations alone leave both modes possible, and the mode ends.

use alloc::vec::Vec;

use super::error::{ContactError, Failure};
use super::guard::{Guard, margin};
use super::machine::Machine;
use super::mode::{Mode, Touch};
use super::press::Pressed;
use crate::integrate::Phase;
use crate::model::Robot;
use crate::slices::sqrt;

/// An acceleration that is none, by the terms that a part's is the sum of.
const NO_ACCELERATION: f64 = 1e-8;
/// A force, by the one that these terms ask for, that has fallen to zero if its guard has fired, or another one's.
const NO_FORCE: [f64; 2] = [1e-6, 1e-9];

/// Parts whose guards fired.
#[derive(Clone, Debug, Default)]
pub(super) struct Fired {
    /// Which are let go, and begin to slip.
    pub(super) lifting: Vec<usize>,
    pub(super) slipping: Vec<usize>,
    /// Whether what slides is about to jam.
    pub(super) is_jammed: bool,
    /// Whether what shares forces that are undetermined can hold no longer.
    pub(super) is_yielding: bool,
}

impl Fired {
    /// By the identifiers of guards of a robot with so many parts.
    pub(super) fn of(ids: &[usize], parts: usize) -> Self {
        let mut fired = Self::default();
        for &id in ids {
            match Guard::of(id, parts) {
                Guard::Force(part) => fired.lifting.push(part),
                Guard::Cone(part) => fired.slipping.push(part),
                Guard::Jam => fired.is_jammed = true,
                Guard::Hold => fired.is_yielding = true,
                _ => {}
            }
        }
        fired
    }

    /// Whether the force of anything has fallen to zero, or its margin in the cone.
    fn is_of_forces(&self) -> bool {
        !self.lifting.is_empty() || !self.slipping.is_empty()
    }
}

impl Machine {
    /// Which parts touch at the state that was seen last.
    pub(super) fn touching(&self, mode: &Mode) -> Vec<bool> {
        let is_near = |part| self.is_near(part) && !self.lets_through(mode, part);
        (0..self.gaps.len()).map(|part| mode.is_closed(part) || is_near(part)).collect()
    }

    /// Whether a part that touches, and did not before, comes nearer.
    pub(super) fn approaches(&self, mode: &Mode, touching: &[bool]) -> bool {
        let v = &self.state.v;
        let approaches = |part: usize| {
            touching[part]
                && !mode.is_closed(part)
                && self.parts.velocity(part, 0, v) < -self.still()
        };
        (0..touching.len()).any(approaches)
    }

    /// Whether anything slides that is pressed with friction.
    pub(super) fn has_slip(&self, pressed: &[Pressed]) -> bool {
        let slides = |(friction, pressed): (&f64, &Pressed)| {
            *friction > 0.0 && matches!(pressed, Pressed::Sliding(_))
        };
        self.friction.iter().zip(pressed).any(slides)
    }

    /// How parts that touch take part in the accelerations; after an impact only those that do not part.
    pub(super) fn pressed(&self, mode: &Mode, touching: &[bool], is_struck: bool) -> Vec<Pressed> {
        let v = &self.state.v;
        let of = |(part, touches): (usize, &bool)| {
            let was_closed = mode.is_closed(part) && !is_struck;
            let parts = || self.parts.velocity(part, 0, v) > self.still();
            if !touches || !was_closed && parts() {
                return Pressed::Apart;
            }
            let Some(friction) = self.friction.get(part) else { return Pressed::Still };
            if was_closed && mode.contacts[part] == Touch::Stick && *friction > 0.0 {
                return Pressed::Still;
            }
            let slip = self.parts.slip(part, v);
            let speed = sqrt(slip[0] * slip[0] + slip[1] * slip[1]);
            match (speed > self.still(), *friction > 0.0) {
                (true, _) => Pressed::Sliding(slip.map(|s| s / speed)),
                (false, true) => Pressed::Still,
                (false, false) => Pressed::Sliding([1.0, 0.0]),
            }
        };
        touching.iter().enumerate().map(of).collect()
    }

    /// The mode in which what is pressed goes on.
    ///
    /// # Errors
    ///
    /// [`ContactError::Inconsistent`], [`ContactError::Unsolved`], [`ContactError::Painleve`] and
    /// [`ContactError::MassMatrix`], at `phase`.
    pub(super) fn decide(
        &mut self,
        robot: Robot<'_>,
        (pressed, fired): (&[Pressed], &Fired),
        phase: &Phase,
    ) -> Result<Mode, ContactError> {
        let failed = |failure: Failure| failure.at(&robot, phase);
        self.linearise(robot).map_err(failed)?;
        self.press_accelerations(pressed);
        if let Err(error) = self.press.solve() {
            let closed = self.closed(pressed);
            self.accelerate(robot, &closed).map_err(failed)?;
            return Err(self.refuted(error, phase));
        }
        let mut mode = self.accelerated(pressed, fired);
        self.accelerate(robot, &mode).map_err(failed)?;
        if self.freedom() <= 0.0 {
            return Err(failed(self.jammed(&mode)));
        }
        self.determine(&mut mode);
        self.note_passing(&mut mode);
        Ok(mode)
    }

    /// Notes in the mode that was solved last whose forces are undetermined.
    pub(super) fn determine(&mut self, mode: &mut Mode) {
        if !mode.is_free() {
            mode.undetermined = self.undetermined();
        }
    }

    /// The mode in which all that is pressed is closed.
    fn closed(&self, pressed: &[Pressed]) -> Mode {
        let mut mode = self.open();
        for (part, pressed) in pressed.iter().enumerate() {
            match *pressed {
                Pressed::Apart => {}
                Pressed::Still => mode.close(part, Touch::Stick),
                Pressed::Sliding(along) => mode.close(part, Touch::Slide { along }),
            }
        }
        mode
    }

    /// The mode of the accelerations that were solved for.
    fn accelerated(&self, pressed: &[Pressed], fired: &Fired) -> Mode {
        let mut mode = self.open();
        let press = &self.press;
        for (part, pressed) in pressed.iter().enumerate() {
            let Some(rows) = press.rows(part) else { continue };
            let (force, acceleration) = (&press.z[rows.start..], &press.w[rows.start..]);
            let (none, asked) = (press.left(NO_ACCELERATION, &rows), press.asked(&rows));
            let is_zero = |force: f64, own: &[usize]| {
                let has_fired = [own.contains(&part), fired.is_of_forces()];
                has_fired.iter().zip(NO_FORCE).any(|(fired, none)| *fired && force <= none * asked)
            };
            if acceleration[0] > none || is_zero(force[0], &fired.lifting) {
                continue;
            }
            let touch = match *pressed {
                Pressed::Sliding(along) => Touch::Slide { along },
                _ if part >= mode.contacts.len() => Touch::Stick,
                _ => {
                    let margin = margin(self.friction[part], &force[..3]);
                    let onset = is_zero(margin, &fired.slipping).then(|| [-force[1], -force[2]]);
                    begin([acceleration[1], acceleration[2]], none, onset)
                }
            };
            mode.close(part, touch);
        }
        mode
    }
}

/// How a contact without slip goes on with an acceleration along its tangents, or with the slip that begins.
fn begin(acceleration: [f64; 2], none: f64, onset: Option<[f64; 2]>) -> Touch {
    let unit = |x: [f64; 2]| {
        let size = sqrt(x[0] * x[0] + x[1] * x[1]);
        (size, x.map(|x| x / size))
    };
    let (size, along) = unit(acceleration);
    if size > none {
        return Touch::Slide { along };
    }
    match onset.map(unit) {
        Some((size, along)) if size > 0.0 => Touch::Slide { along },
        _ => Touch::Stick,
    }
}
