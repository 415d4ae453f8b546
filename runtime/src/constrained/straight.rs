//! Motion beside singular positions of declared constraints, straight on along the branch that it is on.
//!
//! Beside a singular position a row u of the closure, which vanishes there, is h = ½ xᵀ B x: branches cross. What integration
//! leaves of h makes hyperbolas of them, which a motion with small steps would follow round their corner into another
//! branch. So after each step errors of places and velocities are put right to rounding, except along rows that nearly
//! vanish; where these are so short that rounding counts, they hold nothing, and the motion goes straight on.
//!
//! That it does is watched: no force that acts makes accelerations there such as turning round a corner takes.

use alloc::vec;
use alloc::vec::Vec;

use super::closure::Closure;
use super::singular::{Singular, nearest_singular};
use crate::check;
use crate::kkt::{Cholesky, Held};
use crate::manifold;
use crate::model::Robot;
use crate::slices::{add, largest};

/// What S must show of a row for its error to be put right: rows of a thousandth of their size.
pub(crate) const NEAR: f64 = 1e-10;
/// Newton's steps after which an error is what rounding leaves.
pub(crate) const STEPS: usize = 4;
/// A motion that is rounding, in m or rad.
pub(crate) const ROUNDING: f64 = 1e-15;
/// A distance to a singular position from which on motions may turn into another branch, in m or rad.
pub(crate) const BESIDE: f64 = 1e-2;
/// A pivot of M, relative to its diagonal entry, that is no inertia.
const MASSLESS: f64 = 1e-13;
/// Accelerations beside a singular position by those of forces and of the velocity that are no smooth motion.
const SUDDEN: f64 = 100.0;
/// A distance at which rows that vanish hold nothing, in m or rad.
const WINDOW: f64 = 1e-5;
/// The square of a speed by free accelerations and that distance with which a motion is through before these have led it
/// aside by a tenth of the distance.
const SLOW: f64 = 20.0;
/// A speed that is none, in m/s or rad/s.
const REST: f64 = 1e-6;

/// How fast a motion is, and what forces make of it where nothing holds it: the largest of a velocity and of an acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) fastest: f64,
    pub(crate) free: f64,
}

impl Pace {
    /// Whether that much is too slow to come through a singular position.
    fn is_slow(self, speed: f64) -> bool {
        speed < REST || speed * speed < SLOW * self.free * WINDOW
    }

    /// Whether no branch is said by the velocity in a singular position that is so near.
    pub(crate) fn is_lost(self, near: &Singular) -> bool {
        near.distance < WINDOW && (self.is_slow(near.speed) || near.is_aside())
    }

    /// The singular position where accelerations `v_dot` are those of a motion that turns into another branch, or which it is
    /// too slow for; whether rows are independent there, and what is near, is asked where it counts.
    pub(crate) fn lost(
        self,
        (v_dot, is_regular): (&[f64], bool),
        nearest: impl Fn() -> Option<Singular>,
    ) -> Option<Singular> {
        if !is_regular && self.is_slow(self.fastest) {
            let near = nearest().filter(|near| near.distance < WINDOW && self.is_slow(near.speed));
            if near.is_some() {
                return near;
            }
        }
        let square = self.fastest * self.fastest;
        let sudden = |curvature: f64| largest(v_dot) > SUDDEN * (self.free + curvature * square);
        if !sudden(0.1) {
            return None;
        }
        nearest().filter(|near| near.distance < BESIDE && sudden(near.curvature))
    }
}

/// Room for accelerations and for what steps leave, with the rows and the inertia of the state that was looked at last.
#[derive(Clone, Debug)]
pub(crate) struct Straight {
    closure: Closure,
    held: Held,
    /// (nv, nv).
    mass_matrix: Vec<f64>,
    mass: Cholesky,
    /// v̇ without constraints, and with them.
    free: Vec<f64>,
    v_dot: Vec<f64>,
    /// Room for a motion, (nv).
    change: Vec<f64>,
}

impl Straight {
    /// As [`Closure::new`].
    pub(crate) fn new(robot: Robot<'_>, somewhere: &[f64]) -> Self {
        let nv = robot.nv;
        Self {
            closure: Closure::new(robot, somewhere),
            held: Held::default(),
            mass_matrix: vec![0.0; nv * nv],
            mass: Cholesky::default(),
            free: vec![0.0; nv],
            v_dot: vec![0.0; nv],
            change: vec![0.0; nv],
        }
    }

    /// λ of the last accelerations, (nc).
    pub(crate) fn multipliers(&self) -> &[f64] {
        &self.held.lambda
    }

    /// v̇ under the generalised force `tau`, without a number where M is singular.
    pub(crate) fn accelerate(
        &mut self,
        robot: Robot<'_>,
        (q, v, time): (&[f64], &[f64], f64),
        tau: &[f64],
    ) -> &[f64] {
        robot.forward_dynamics_into(q, v, tau, &mut self.free);
        self.look(robot, (q, v, time));
        let Self { closure, held, mass, free, v_dot, .. } = self;
        held.clear(robot.nv);
        for row in 0..robot.nc {
            closure.push_row(row, &mut held.rows);
            held.target.push(closure.target(row, 0.0));
        }
        v_dot.copy_from_slice(free);
        // Nothing slides, so there is no paradox.
        if held.solve(mass, v_dot).is_err() {
            v_dot.fill(f64::NAN);
        }
        v_dot
    }

    /// Puts right what a step has left of errors of places and velocities; a constraint of which that leaves some is named,
    /// with how much, in m or rad, or in these a second.
    pub(crate) fn put_right(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&mut [f64], &mut [f64]),
        time: f64,
    ) -> Option<(&'static str, f64)> {
        for _ in 0..STEPS {
            self.look(robot, (q, v, time));
            self.find_least_change(|closure, row| -closure.error(row).0);
            if largest(&self.change) <= ROUNDING {
                break;
            }
            manifold::integrate(robot.joints, &self.change, 1.0, q);
        }
        self.look(robot, (q, v, time));
        self.find_least_change(|closure, row| -closure.error(row).1);
        add(v, 1.0, &self.change);
        self.closure.evaluate(robot, (q, v), time);
        self.closure.violated(&robot, check::ROUNDING)
    }

    /// The singular position where a motion is to begin, if its velocity leads along no branch; where it was accelerated last.
    pub(crate) fn lost_at_start(
        &self,
        robot: Robot<'_>,
        (q, v, time): (&[f64], &[f64], f64),
    ) -> Option<Singular> {
        let pace = self.pace(v);
        nearest_singular(robot, (q, v), time).filter(|near| pace.is_lost(near))
    }

    /// The singular position where a motion turns into another branch, or rests; where it was accelerated last.
    pub(crate) fn lost(
        &self,
        robot: Robot<'_>,
        (q, v, time): (&[f64], &[f64], f64),
    ) -> Option<Singular> {
        let now = (&self.v_dot[..], self.held.is_regular());
        self.pace(v).lost(now, || nearest_singular(robot, (q, v), time))
    }

    fn pace(&self, v: &[f64]) -> Pace {
        Pace { fastest: largest(v), free: largest(&self.free) }
    }

    /// Evaluates rows and factors M.
    fn look(&mut self, robot: Robot<'_>, (q, v, time): (&[f64], &[f64], f64)) {
        self.closure.evaluate(robot, (q, v), time);
        robot.mass_matrix_into(q, &mut self.mass_matrix);
        let (lower, stride) = self.mass.reset(robot.nv);
        let columns = self.mass_matrix.chunks_exact(robot.nv.max(1));
        for (to, column) in lower.chunks_exact_mut(stride.max(1)).zip(columns) {
            to[..robot.nv].copy_from_slice(column);
        }
        // Where that fails, no number follows.
        if self.mass.factor(MASSLESS).is_err() {
            self.free.fill(f64::NAN);
        }
    }

    /// Finds what fulfils the rows by the least motion in the metric of M, but for those that nearly vanish.
    fn find_least_change(&mut self, target: impl Fn(&Closure, usize) -> f64) {
        let Self { closure, held, mass, change, .. } = self;
        held.clear(change.len());
        for row in 0..closure.count() {
            closure.push_row(row, &mut held.rows);
            held.target.push(target(closure, row));
        }
        held.leave(NEAR);
        change.fill(0.0);
        if held.solve(mass, change).is_err() {
            change.fill(0.0);
        }
    }
}
