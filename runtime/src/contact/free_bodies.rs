//! The torque-free motion of bodies that turn freely and carry nothing: energy and momentum are kept to rounding.
//!
//! With the inertia I about the centre of mass, or about a fixed point, a step without forces takes ω to ω₁,
//!
//! > I (ω₁ − ω) = −h ω_m × I ω_m,  ω_m = ½ (ω + ω₁),  so that  I ω₁ = Qᵀ I ω,  Q = cay(h ω_m)
//!
//! It keeps ωᵀ I ω, and turned by Q the body keeps its angular momentum in the world. A further turn about that momentum
//! changes neither; it makes the angle that of the exponential, h |ω_m| instead of 2 atan(½ h |ω_m|). The centre of mass
//! moves along a straight line. Where a body turns by more than this rule converges for, from about a radian, it does so in
//! parts of a step, each by this rule, if nothing but known forces acts on it.
//!
//! Known forces come first: ω is that after h I⁻¹ τ, with the moment τ at the beginning of all forces but dampers and springs
//! that a step does not resolve, which is then turned with it. So is the motion of a top under its weight symplectic. Forces that
//! would change ω by more than itself do not come first: what they press on a body at rest is not turned.
//!
//! A body's velocity at the end is then not quite the one that it moves with. A step solves for the former, with a force
//! that makes it v_free where nothing else acts,
//!
//! > F = C v + M (v_free − ṽ)/h − f
//!
//! and where the step leads is q ⊕ h (v⁺ + d), d being the difference of the two without other forces, of the size h ω². Where
//! impulses slow a body down, |ω⁺| < |ω_free|, d is multiplied by |ω⁺|²/|ω_free|²: a body that they hold does not move.
//!
//! # Source
//!
//! Hairer, Lubich, Wanner: Geometric Numerical Integration (2006), VII.5 for Euler's equations, whose invariants the
//! midpoint rule keeps since they are quadratic; the turn about the momentum is derived here.

use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::TAU;

use nalgebra::{Matrix3, Quaternion, Vector3};

use super::Error;
use super::springs::Springs;
use crate::description::{Chart, Joint};
use crate::manifold;
use crate::model::{Robot, Table};

/// Squares of angles per step below which a step is exact to rounding without this.
const STILL: f64 = 1e-20;
/// Squares of angles that a moment may turn a body by in a step.
const STIFF: f64 = 1.0;
/// How far a body that turns in parts may end from ω_free, relative to it: nothing but rounding.
const HELD: f64 = 1e-6;
/// Iterations for ω₁. Each gains a factor of h |ω|; where more are needed, shorter parts of a step need fewer.
const ITERATIONS: usize = 30;
/// The most parts of a step.
const PARTS: u32 = 1 << 12;
/// Relative differences of principal moments that are rounding.
const ROUND: f64 = 1e-14;
/// The change of ω₁, relative to ω, that is rounding.
const ROUNDING: f64 = 4e-16;

/// The bodies of a model that turn freely and carry nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct FreeBodies {
    bodies: Vec<Body>,
    /// d, (nv); empty where there are no such bodies.
    ahead: Vec<f64>,
    /// Room for what acts beside known forces, (nv); empty where there are no such bodies.
    beside: Vec<f64>,
    /// Whether d is not zero in this step.
    turn: bool,
}

/// A body, in the principal axes of its inertia.
#[derive(Clone, Debug)]
struct Body {
    joint: Joint,
    mass: f64,
    /// From the origin to the centre of mass; zero where a point is fixed.
    center: Vector3<f64>,
    /// The principal axes in those of the joint's child, one after the other.
    axes: [Vector3<f64>; 3],
    /// The principal moments I₁, I₂, I₃.
    inertia: Vector3<f64>,
    /// (I₂ − I₃)/I₁ and so on: ω̇₁ is as many times ω₂ ω₃.
    ratios: Vector3<f64>,
    /// ω_free of the step, in the axes of its beginning.
    free: Vector3<f64>,
    /// Whether the body turns in parts of the step, or by more than they follow: ω_free is then not finite.
    turns_far: bool,
}

/// The torque-free motion of a step.
struct Turn {
    /// By how much the body turns, of any length.
    quaternion: Quaternion<f64>,
    /// The same as a rotation vector.
    vector: Vector3<f64>,
    /// The angular velocity at the end, in the axes of the beginning.
    end: Vector3<f64>,
}

impl FreeBodies {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        // Where coordinates form no tree, and where constraints may tie them, none is known to be free.
        if robot.parents.len() != robot.nv || robot.nc > 0 {
            return Self::default();
        }
        let mut neutral = vec![0.0; robot.nq];
        manifold::neutral(robot.joints, &mut neutral);
        let mut mass = vec![f64::NAN; robot.nv * robot.nv];
        robot.mass_matrix_into(&neutral, &mut mass);
        let entry = |i: usize, j: usize| mass[j * robot.nv + i];
        let free = robot.joints.iter().filter(|joint| is_free(&robot, joint));
        let bodies: Vec<_> = free.filter_map(|joint| Body::new(*joint, entry)).collect();
        let ahead = if bodies.is_empty() { Vec::new() } else { vec![0.0; robot.nv] };
        Self { bodies, beside: ahead.clone(), ahead, turn: false }
    }

    /// Whether bodies turn in this step, so that [`move_from`](Self::move_from) is theirs.
    #[inline(always)]
    pub(super) fn turn(&self) -> bool {
        self.turn
    }

    /// Lets none turn in this step.
    #[inline(always)]
    pub(super) fn stop(&mut self) {
        self.turn = false;
    }

    /// The joints of all others.
    pub(super) fn others(&self, joints: &[Joint]) -> Vec<Joint> {
        let is_own = |joint: &Joint| self.bodies.iter().any(|body| body.joint.v == joint.v);
        joints.iter().filter(|joint| !is_own(joint)).copied().collect()
    }

    /// Adds F, and finds d, of a step of `h` seconds that begins at (q, v), as springs know, with the force f of all but
    /// gravity, dampers among it. What [`check`](Self::check) finds is told at the end of the step.
    #[inline(always)]
    pub(super) fn add_force(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (known, springs, h): (&[f64], &Springs, f64),
        force: &mut [f64],
    ) {
        if self.bodies.is_empty() {
            return;
        }
        let Self { bodies, ahead, beside, turn } = self;
        beside.fill(0.0);
        if bodies.iter().any(|body| body.joint.chart == Chart::Quaternion) {
            robot.gravity_force_into(q, beside);
        }
        *turn = false;
        springs.take_back(v, beside, |stiffness, row| {
            bodies.iter().any(|body| h * h * stiffness * body.compliance(row) > 1.0)
        });
        for body in bodies {
            let at = body.joint.v..body.joint.v + body.joint.nv;
            let mut acting = [0.0; 6];
            for (to, i) in acting.iter_mut().zip(at.clone()) {
                *to = known[i] + beside[i];
            }
            let to = &mut force[at.clone()];
            *turn |= body.add_force(&v[at.clone()], (acting, h), to, &mut ahead[at]);
        }
    }

    /// Writes where these bodies come from `q` with v⁺, in the axes of the beginning, and v⁺ in those of the end.
    #[inline(always)]
    pub(super) fn move_from(
        &self,
        h: f64,
        (q, v): (&[f64], &[f64]),
        (q_end, v_end): (&mut [f64], &mut [f64]),
    ) {
        for body in &self.bodies {
            let Joint { q: at_q, nq, v: at_v, nv, chart, .. } = body.joint;
            let (q_of, v_of) = (at_q..at_q + nq, at_v..at_v + nv);
            let ahead = body.ahead(&v[v_of.clone()], &self.ahead[v_of.clone()]);
            let from = (&q[q_of.clone()], &v[v_of.clone()], &ahead[..nv]);
            manifold::move_ahead(chart, h, from, (&mut q_end[q_of], &mut v_end[v_of]));
        }
    }

    /// Whether bodies that turn far end with ω_free; v⁺ is in the axes of the beginning.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] where something acts on one that is not known before, or where none follows it.
    #[inline(always)]
    pub(super) fn check(&self, h: f64, v: &[f64]) -> Result<(), Error> {
        for body in &self.bodies {
            if body.turns_far {
                body.check(h, v)?;
            }
        }
        Ok(())
    }

    /// Turns v⁺ of these bodies, which is in the axes of the end, back to those of the beginning; whether that was found.
    #[must_use]
    pub(super) fn turn_back(&self, h: f64, v: &mut [f64]) -> bool {
        self.bodies.iter().all(|body| {
            let at = body.joint.v..body.joint.v + body.joint.nv;
            let ahead = body.ahead(&v[at.clone()], &self.ahead[at.clone()]);
            manifold::turn_back_ahead(h, (&ahead[..at.len()], &body.free), &mut v[at])
        })
    }
}

/// Whether a joint lets its body turn in the world, and no other coordinate moves it or hangs on it.
fn is_free(table: &Table, joint: &Joint) -> bool {
    matches!(joint.chart, Chart::Pose | Chart::Quaternion) && is_alone(table, joint)
}

/// Whether no coordinate of another joint moves those of this one or hangs on them, where coordinates form a tree.
pub(super) fn is_alone(table: &Table, joint: &Joint) -> bool {
    let own = joint.v..joint.v + joint.nv;
    let is_apart = |(v, parent): (usize, &Option<usize>)| {
        parent.is_none_or(|parent| own.contains(&parent) == own.contains(&v))
    };
    table.parents.iter().enumerate().all(is_apart)
}

impl Body {
    /// From the entries of M; `None` where they are not those of a body.
    fn new(joint: Joint, entry: impl Fn(usize, usize) -> f64) -> Option<Self> {
        let turning = joint.v + joint.nv - 3;
        let about_origin = Matrix3::from_fn(|i, j| entry(turning + i, turning + j));
        let (mass, center) = match joint.chart {
            Chart::Pose => {
                let mass = entry(joint.v, joint.v);
                let moment = |i: usize, j: usize| entry(turning + i, joint.v + j);
                (mass, Vector3::new(moment(2, 1), moment(0, 2), moment(1, 0)) / mass)
            }
            _ => (0.0, Vector3::zeros()),
        };
        let hat = center.cross_matrix();
        let inertia = about_origin + mass * hat * hat;
        let numbers = inertia.iter().chain(center.iter());
        if !numbers.copied().all(f64::is_finite) {
            return None;
        }
        let principal = inertia.symmetric_eigen();
        let mut axes = principal.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.neg_mut();
        }
        let inertia = principal.eigenvalues;
        let [a, b, c] = inertia.into();
        let is_body = a > 0.0 && b > 0.0 && c > 0.0;
        let ratios = Vector3::new((b - c) / a, (c - a) / b, (a - b) / c);
        let axes = [0, 1, 2].map(|k| axes.column(k).into_owned());
        let center = Vector3::from(axes.map(|axis| axis.dot(&center)));
        // What turns alike about all axes, and about its centre, does so exactly without this.
        let is_round = ratios.amax() < ROUND && center == Vector3::zeros();
        let free = Vector3::zeros();
        let turns_far = false;
        (is_body && !is_round).then_some(Self {
            joint,
            mass,
            center,
            axes,
            inertia,
            ratios,
            free,
            turns_far,
        })
    }

    /// d with v⁺, from that without impulses; v⁺ may be in any axes.
    #[inline(always)]
    fn ahead(&self, v: &[f64], free: &[f64]) -> [f64; 6] {
        let [x, y, z] = [3, 2, 1].map(|k| v[v.len() - k]);
        let (speed, most) = (x * x + y * y + z * z, self.free.norm_squared());
        let share = if speed < most { speed / most } else { 1.0 };
        let mut ahead = [0.0; 6];
        ahead.iter_mut().zip(free).for_each(|(to, free)| *to = share * free);
        ahead
    }

    /// Adds F, and finds d; whether the body turns.
    #[inline(always)]
    fn add_force(
        &mut self,
        v: &[f64],
        (acting, h): ([f64; 6], f64),
        force: &mut [f64],
        ahead: &mut [f64],
    ) -> bool {
        let (first, c) = (v.len() - 3, &self.center);
        ahead.fill(0.0);
        self.turns_far = false;
        let w = self.own(v, first);
        let is_pushed = acting.iter().any(|force| *force != 0.0);
        let (mut moment, mut kick) = (Vector3::zeros(), Vector3::zeros());
        if is_pushed {
            let about_origin = self.own(&acting, first);
            let lever = if first == 0 { Vector3::zeros() } else { c.cross(&self.own(&acting, 0)) };
            moment = about_origin - lever;
            kick = h * moment.component_div(&self.inertia);
            // A stiff force, and one that may press on what is at rest, is for the step itself to follow.
            let square = kick.norm_squared();
            if h * h * square >= STIFF || square > w.norm_squared() || square.is_nan() {
                (moment, kick) = (Vector3::zeros(), Vector3::zeros());
            }
        }
        let rate = 1.0 / h;
        if h * h * w.norm_squared().max((w + kick).norm_squared()) < STILL {
            return false;
        }
        let once = self.turn(&(w + kick), h);
        self.turns_far = once.is_none();
        let Some(Turn { quaternion, vector, end }) =
            once.or_else(|| self.turn_in_parts(&(w + kick), h))
        else {
            self.free.fill(f64::INFINITY);
            return true;
        };
        self.free = self.of_child(&end);
        write(&mut ahead[first..], &self.of_child(&(rate * vector - end)));
        let change = rate * (end - w);
        let torque =
            w.cross(&self.inertia.component_mul(&w)) + self.inertia.component_mul(&change) - moment;
        if first == 0 {
            add(force, &self.of_child(&torque));
            return true;
        }
        // Of the origin, while the centre of mass goes straight.
        let turned = manifold::rotate_by_any(&quaternion, c);
        let swing = end.cross(&turned);
        write(&mut ahead[..3], &self.of_child(&(swing - rate * (turned - c))));
        let push = self.mass * (w.cross(&w.cross(c)) + rate * (end.cross(c) - swing));
        add(&mut force[..3], &self.of_child(&push));
        add(&mut force[3..], &self.of_child(&(torque + c.cross(&push))));
        true
    }

    /// By how much a row, (nv), gives way under an impulse of one.
    fn compliance(&self, row: &[f64]) -> f64 {
        let own = &row[self.joint.v..self.joint.v + self.joint.nv];
        let about_origin = self.own(own, own.len() - 3);
        let turning = |about: Vector3<f64>| about.dot(&about.component_div(&self.inertia));
        if own.len() == 3 {
            return turning(about_origin);
        }
        let along = self.own(own, 0);
        turning(about_origin - self.center.cross(&along)) + along.norm_squared() / self.mass
    }

    /// Three numbers from a place on, along the principal axes.
    #[inline(always)]
    fn own(&self, x: &[f64], at: usize) -> Vector3<f64> {
        let [a, b, c] = &self.axes;
        let along = |axis: &Vector3<f64>| axis.x * x[at] + axis.y * x[at + 1] + axis.z * x[at + 2];
        Vector3::new(along(a), along(b), along(c))
    }

    /// A vector along the principal axes, in those of the joint's child.
    #[inline(always)]
    fn of_child(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let [a, b, c] = &self.axes;
        a * x.x + b * x.y + c * x.z
    }

    /// The torque-free motion of a step from ω; `None` where a step cannot follow it.
    #[inline(always)]
    fn turn(&self, w: &Vector3<f64>, h: f64) -> Option<Turn> {
        let momentum = self.inertia.component_mul(w);
        let share = 1.0 / momentum.norm_squared().max(f64::MIN_POSITIVE);
        // Squares of lengths: of what is rounding, and of the last change of ω_m.
        let rates = 0.5 * h * self.ratios;
        let (mut mean, mut change) = (*w, w.norm_squared());
        let most = 0.25 * ROUNDING * ROUNDING * change;
        let mut is_found = false;
        for _ in 0..ITERATIONS {
            let [x, y, z] = mean.into();
            let next = w + rates.component_mul(&Vector3::new(y * z, z * x, x * y));
            let before = core::mem::replace(&mut change, (next - mean).norm_squared());
            mean = next;
            // Changes shrink by the same factor each time.
            is_found = change * change <= most * before;
            if is_found {
                break;
            }
        }
        let half = 0.5 * h * mean;
        let square = half.norm_squared();
        if !is_found || square >= 1.0 {
            return None;
        }
        let share = share * mean.dot(&momentum);
        let beside = 0.5 * h * manifold::excess_of_tangent(square) * share * momentum;
        // The tangents of half the angles, as quaternions of any length.
        let quaternion = Quaternion::from_parts(1.0, beside) * Quaternion::from_parts(1.0, half);
        let end = manifold::rotate_by_any(&quaternion, &(2.0 * mean - w));
        Some(Turn { quaternion, vector: manifold::vector_of(&quaternion), end })
    }

    /// The same in as few equal parts of a step as can follow it, each of which keeps what a whole one does.
    #[cold]
    fn turn_in_parts(&self, w: &Vector3<f64>, h: f64) -> Option<Turn> {
        let mut parts = 2;
        while parts <= PARTS {
            if let Some(turn) = self.turn_in(parts, w, h) {
                return Some(turn);
            }
            parts *= 2;
        }
        None
    }

    fn turn_in(&self, parts: u32, w: &Vector3<f64>, h: f64) -> Option<Turn> {
        let (mut quaternion, mut own) = (Quaternion::identity(), *w);
        for _ in 0..parts {
            let part = self.turn(&own, h / f64::from(parts))?;
            own = manifold::rotate_by_any(&part.quaternion.conjugate(), &part.end);
            quaternion = (quaternion * part.quaternion).normalize();
        }
        // Of all vectors of this turn along its axis, the one nearest to that of a constant velocity.
        let principal = manifold::logarithm(&quaternion);
        let axis =
            if principal.norm() > f64::from(parts) * ROUND { principal } else { *w }.normalize();
        let times = libm::round((h * w - principal).dot(&axis) / TAU);
        let end = manifold::rotate_by_any(&quaternion, &own);
        Some(Turn { quaternion, vector: principal + times * TAU * axis, end })
    }

    /// Whether v⁺, in the axes of the beginning, is ω_free. If not, a step in which the body turns by a radian would do.
    #[cold]
    fn check(&self, h: f64, v: &[f64]) -> Result<(), Error> {
        let at = self.joint.v + self.joint.nv - 3;
        let end = Vector3::new(v[at], v[at + 1], v[at + 2]);
        let speed = self.free.norm();
        if speed.is_finite() && (end - self.free).norm() <= HELD * speed {
            return Ok(());
        }
        let most = (1.0 / end.norm()).min(0.5 * h);
        Err(Error::TooLong { step_size: h, most })
    }
}

#[inline(always)]
fn add(to: &mut [f64], x: &Vector3<f64>) {
    to.iter_mut().zip(x.iter()).for_each(|(to, x)| *to += x);
}

#[inline(always)]
fn write(to: &mut [f64], x: &Vector3<f64>) {
    to.iter_mut().zip(x.iter()).for_each(|(to, x)| *to = *x);
}
