//! The motion of chains of bodies without impulses: energy has no trend, and momentum is kept to rounding.
//!
//! A step is the generalised leapfrog in momenta p = M v. With Γ = ∂T/∂q at fixed v,
//!
//! > M(q) w = M(q) v + h (½ Γ(q, w) + f + τ_g)
//! >
//! > M(q₁) w₁ = M(q) w,  q₁ = q ⊕ ½ h w ⊕ ½ h w₁
//! >
//! > M(q₁) v₁ = M(q₁) w₁ + ½ h Γ(q₁, w₁)
//!
//! w is the velocity that a step solves for. f is the force at the beginning of all but dampers. With the force
//!
//! > F = C v + M (w − ṽ)/h − f
//!
//! beside others, a step comes to w where nothing else acts. Where impulses, dampers or servos do, w is the velocity with them: F is
//! found anew, and the step solved anew, until it is of the velocity that the step has. Else a joint that is held would act on
//! others as if it moved, and what acts between bodies would change their momentum.
//!
//! A joint that turns from R to R₁ = R exp(x), x = ½ h ω, keeps its angular momentum in the world. With l in the axes of its
//! child,
//!
//! > R (l + ½ x × l + c x × (x × l)) = R₁ (l − ½ x × l + c x × (x × l)),  c = (1 − ½ θ cot ½ θ)/θ²,  θ = |x|
//!
//! The origin of a pose moves for half of the step with the linear velocity of w, and for the other half with that of w₁.
//!
//! The law of motors and of dry friction is of the mean velocity of a step, ½ (w + w₁), so that what they hold does not move.
//!
//! What overlaps at q is displaced to q ⊕ h c, where the second half begins, and keeps its momentum: each joint what it has in the
//! axes of what carries it, and poses in the world, about the centre of mass of what they carry.
//!
//! Rigid constraints of positions have impulses beside, such that M w = p + ½ h Γ(q, w) + h (f + τ_g) + Hᵀ Λ and h(q₁) = 0. Those
//! of both ends of successive steps are one, so that v is not among the velocities that H leaves, by h ω².
//!
//! # Source
//!
//! Hairer, Lubich, Wanner: Geometric Numerical Integration (2006), VI.3, (3.4), for the leapfrog, and VII.1.4 for constraints; Bou-Rabee, Marsden:
//! Hamilton–Pontryagin Integrators on Lie Groups (2009), (4.13), for rotations.

mod beginning;
mod belonging;
mod broyden;
mod end;
mod held;
mod known;
mod solving;
mod trend;
mod turning;

use alloc::vec;
use alloc::vec::Vec;

pub(super) use self::beginning::Beginning;
use self::belonging::belonging;
use self::broyden::Broyden;
use self::known::Known;
use self::solving::{Solving, solve};
use self::trend::Trend;
pub(super) use self::turning::arms;
use self::turning::{hand_on, three};
use super::Error;
use super::springs::Springs;
use crate::description::{Chart, Joint};
use crate::model::{Robot, Table};
use crate::slices::{add, dot, larger};

/// Squares of angles or ways per step below which a step is exact to rounding without this.
const STILL: f64 = 1e-20;
/// An angle, or a way, per step in which Coriolis forces at its beginning change energy by at most a four-hundredth.
pub(crate) const LITTLE: f64 = 0.05;
/// What known forces may move a coordinate by in a step; stiffer ones are for the step itself to follow.
const STIFF: f64 = 0.1;
/// Iterations for a velocity. Each gains a factor of h |ω|, so that more turn faster than a step can follow.
const ITERATIONS: usize = 30;
/// What is left of a velocity's momentum, relative to it, by kinetic energy.
const LEFT: f64 = 1e-13;
/// What is below rounding.
const ROUNDING: f64 = 2e-16;
/// The least square of a gain that is counted on: by chance a change may be much smaller than the one before.
const GAIN: f64 = 1e-4;
/// The same, of what may be all that rounding leaves.
const SMALL: f64 = 1e-10;

/// By how much of itself kinetic energy may change beside known forces, and its inverse that of a change of velocity.
const FAR: f64 = 4.0;
/// How often a step is halved, of which it is to be told which would do.
const HALVINGS: usize = 40;

/// The trees of more than one coordinate in a model.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    table: &'static Table,
    /// Whether each coordinate belongs to one, (nv); empty where there are none.
    belongs: Vec<bool>,
    /// One for each coordinate of theirs but how fast poses move, and zero for others, (nv).
    counts: Vec<f64>,
    /// Their joints that turn freely.
    turning: Vec<Joint>,
    /// Where `velocity` is evaluated.
    place: Vec<f64>,
    /// p and Γ of `velocity`, (nv) each.
    momenta: Vec<f64>,
    velocity: Vec<f64>,
    /// p of ṽ, and room for Γ, (nv) each.
    before: Vec<f64>,
    /// F; by how much it was changed last; and what of it does not depend on w, (nv).
    acting: Vec<f64>,
    change: Vec<f64>,
    rest: Vec<f64>,
    /// What the momentum of w is without Γ, (nv).
    given: Vec<f64>,
    /// What the momentum of w₁ shall be, and what is missing of one, (nv).
    target: Vec<f64>,
    missing: Vec<f64>,
    broyden: Broyden,
    /// That for F of what is held.
    held: Broyden,
    /// M (w₁ − w) as expected where steps before are not known, (nv).
    expected: Vec<f64>,
    /// What the mean velocity of a step has beside w, ½ (w₁ − w), and by how much that was changed last, (nv).
    offset: Vec<f64>,
    moved: Vec<f64>,
    /// w of a step that nothing holds.
    free: Vec<f64>,
    /// That w less v, w₁ − w, and what holds of w, of the steps before.
    trends: [Trend; 3],
    /// Whether the last step is one of theirs.
    is_found: bool,
    /// w of the step, as it was evaluated last.
    begun: Known,
    /// w₁ to which that leads where nothing is displaced, and in how many seconds.
    ended: Known,
    ended_after: f64,
    /// Weight and bias force at the beginning, and what of forces is known, (nv).
    weight: Vec<f64>,
    bias: Vec<f64>,
    first: Vec<f64>,
    /// The middle of a step, (nq), w where its second half begins, and room for a velocity in other axes, (nv).
    middle: Vec<f64>,
    begin: Vec<f64>,
    turned: Vec<f64>,
    solving: Solving,
}

impl Chains {
    pub(super) fn new(table: &'static Table) -> Self {
        let belongs = belonging(table);
        let turns =
            |joint: &&Joint| joint.chart != Chart::Vector && belongs.get(joint.v) == Some(&true);
        let room = belongs.len();
        let turning: Vec<Joint> = table.joints.iter().filter(turns).copied().collect();
        let mut counts: Vec<f64> = belongs.iter().map(|&belongs| f64::from(belongs)).collect();
        for joint in turning.iter().filter(|joint| joint.chart == Chart::Pose) {
            counts[joint.v..joint.v + 3].fill(0.0);
        }
        Self {
            table,
            counts,
            turning,
            place: vec![0.0; table.nq],
            momenta: vec![0.0; 2 * room],
            velocity: vec![0.0; table.nv],
            before: vec![0.0; 2 * room],
            acting: vec![0.0; room],
            change: vec![0.0; room],
            rest: vec![0.0; room],
            given: vec![0.0; room],
            target: vec![0.0; room],
            missing: vec![0.0; room],
            broyden: Broyden::default(),
            held: Broyden::default(),
            expected: vec![0.0; room],
            offset: vec![0.0; room],
            moved: vec![0.0; room],
            free: vec![0.0; table.nv],
            trends: core::array::from_fn(|_| Trend::new(table.nc > 0)),
            is_found: false,
            begun: Known::new(table),
            ended: Known::new(table),
            ended_after: 0.0,
            weight: vec![0.0; room],
            bias: vec![0.0; room],
            first: vec![0.0; room],
            middle: vec![0.0; table.nq],
            begin: vec![0.0; table.nv],
            turned: vec![0.0; table.nv],
            solving: Solving::new(room),
            belongs,
        }
    }

    /// Adds F of a step of `h` seconds that begins at (q, v), as springs know, with the force f of all but gravity, dampers
    /// among it. Adds nothing where the trend of energy without it is within `drift`, and where the step does not resolve a spring:
    /// w is then not known before the step is solved.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] where the step cannot follow the motion.
    #[inline]
    pub(super) fn add_force(
        &mut self,
        robot: Robot<'_>,
        drift: f64,
        state: (&[f64], &[f64], &[f64]),
        acts: (&[f64], &Springs, f64),
        force: &mut [f64],
    ) -> Result<(), Error> {
        if self.drifts(state.1, acts.2, drift) {
            return self.add_found(robot, state, acts, force);
        }
        self.is_found = false;
        self.forget();
        Ok(())
    }

    /// Whether energy would have a trend h v² beyond the allowed one in a step of `h` seconds that begins with v.
    #[inline]
    fn drifts(&self, v: &[f64], h: f64, allowed: f64) -> bool {
        if allowed == f64::INFINITY {
            return false;
        }
        let parts = self.counts.iter().zip(v);
        let fastest = parts.fold(0.0, |fastest, (counts, v)| larger(counts * v.abs(), fastest));
        h * fastest * fastest > allowed
    }

    #[inline(never)]
    fn add_found(
        &mut self,
        robot: Robot<'_>,
        (q, v, carried): (&[f64], &[f64], &[f64]),
        (known, springs, h): (&[f64], &Springs, f64),
        force: &mut [f64],
    ) -> Result<(), Error> {
        self.is_found = self.drifts(v, h, STILL / h) && self.resolves(robot, q, (springs, h));
        if !self.is_found {
            self.forget();
            return Ok(());
        }
        let (state, acts) = ((q, v, carried), (known, springs));
        if self.find(robot, state, (acts, h)).is_none() {
            self.forget();
            self.is_found = false;
            // Where no step would do, what is wrong is not its length, and is told by others.
            return self
                .shorter(robot, state, (acts, h))
                .map_or(Ok(()), |most| Err(Error::TooLong { step_size: h, most }));
        }
        for i in (0..robot.nv).filter(|i| self.belongs[*i]) {
            force[i] += self.acting[i];
        }
        Ok(())
    }

    /// Whether the last step is one of the leapfrog.
    pub(super) fn is_used(&self) -> bool {
        self.is_found
    }

    /// One for each coordinate of theirs but how fast poses move, and zero for others, (nv); empty where there are none.
    pub(super) fn counts(&self) -> &[f64] {
        &self.counts
    }

    /// Whether each coordinate belongs to one, (nv); empty where there are none.
    pub(super) fn belongs(&self) -> &[bool] {
        &self.belongs
    }

    /// A step that would do, shorter than `h`, if there is one.
    #[cold]
    fn shorter(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64], &[f64]),
        (acts, mut h): ((&[f64], &Springs), f64),
    ) -> Option<f64> {
        for _ in 0..HALVINGS {
            h *= 0.5;
            if self.find(robot, state, (acts, h)).is_some() {
                let w = self.velocity.clone();
                if self.go_to_end(robot, h, Beginning { q: state.0, from: None, w: &w }).is_some() {
                    self.forget();
                    return Some(h);
                }
            }
            self.forget();
        }
        None
    }

    /// Forgets the steps before.
    pub(super) fn forget(&mut self) {
        self.trends.iter_mut().for_each(Trend::forget);
    }

    /// Finds w, and F of what is expected to be of it; nothing where a step cannot follow the motion.
    fn find(
        &mut self,
        robot: Robot<'_>,
        (q, v, carried): (&[f64], &[f64], &[f64]),
        ((known, springs), h): ((&[f64], &Springs), f64),
    ) -> Option<()> {
        self.begun.forget();
        self.ended.forget();
        robot.gravity_force_into(q, &mut self.weight);
        robot.bias_force_into(q, v, &mut self.bias);
        self.place.copy_from_slice(q);
        self.first.clone_from(&self.weight);
        add(&mut self.first, 1.0, known);
        springs.take_back(v, &mut self.first, |_, _| false);
        self.velocity.copy_from_slice(v);
        self.evaluate(robot);
        self.before.copy_from_slice(&self.momenta);
        for i in 0..robot.nv {
            self.given[i] = self.momenta[i] + h * self.first[i];
            self.expected[i] = -h * (self.bias[i] + self.weight[i] + self.momenta[robot.nv + i]);
        }
        let pushed = self.rise(robot, v, h);
        let is_slow = |(w, v): (&f64, &f64)| h * (w - v).abs() < STIFF;
        if pushed.is_none() || !self.velocity.iter().zip(v).all(is_slow) {
            self.forget();
            (0..robot.nv).for_each(|i| self.given[i] -= h * self.first[i]);
            self.first.fill(0.0);
            self.rise(robot, v, h)?;
        }
        self.trends[0].note(&self.velocity, v);
        if !self.turning.is_empty() {
            robot.generalized_momentum_into(q, carried, &mut self.before);
        }
        for i in 0..robot.nv {
            let forces = self.bias[i] + self.weight[i] - self.first[i];
            self.rest[i] = forces - self.before[i] / h;
        }
        self.free.clone_from(&self.velocity);
        self.expect_offset();
        self.expect_held();
        self.evaluate_at_beginning(robot, q);
        self.write_force(h);
        Some(())
    }

    /// Writes F with `velocity` as w. What is missing of its momentum belongs to it too: momentum is then as exact as Γ.
    fn write_force(&mut self, h: f64) {
        for (i, rest) in self.rest.iter().enumerate() {
            self.acting[i] = self.momenta[i] / h + rest;
        }
        self.lack_at_beginning(h);
        add(&mut self.acting, 1.0 / h, &self.missing);
    }

    /// Whether a step of `h` seconds resolves each spring, h² k j M⁻¹ jᵀ ≤ 1.
    fn resolves(&mut self, robot: Robot<'_>, q: &[f64], (springs, h): (&Springs, f64)) -> bool {
        let Self { missing: row, solving, .. } = self;
        (0..springs.lines()).all(|line| {
            row.clear();
            row.extend(springs.row(line));
            solve(robot, q, row, solving);
            h * h * springs.stiffness(line) * springs.velocity(line, row) <= 1.0
        })
    }

    /// From v to w as `velocity`, not evaluated; nothing where a step cannot follow the motion.
    fn rise(&mut self, robot: Robot<'_>, v: &[f64], h: f64) -> Option<()> {
        loop {
            let is_known = self.trends[0].is_known();
            self.velocity.copy_from_slice(v);
            if is_known {
                self.trends[0].expect(&mut self.missing);
                add(&mut self.velocity, 1.0, &self.missing);
            }
            self.evaluate(robot);
            match self.iterate(robot, 0, |chains| chains.lack_at_beginning(h), |_| {}) {
                None if is_known => self.forget(),
                found => return found,
            }
        }
    }

    /// Writes what is missing of the momentum of `velocity` as w.
    fn lack_at_beginning(&mut self, h: f64) {
        let Self { turning, momenta, velocity, given, missing, .. } = self;
        let (momentum, rate) = momenta.split_at_mut(velocity.len());
        hand_on(turning, 0.5 * h, velocity, momentum);
        let parts = given.iter().zip(&*momentum).zip(&*rate);
        let lacking = missing.iter_mut().zip(parts);
        lacking.for_each(|(x, ((given, p), rate))| *x = given + 0.5 * h * rate - p);
    }

    /// Writes p and Γ of `velocity` in its place, as of velocities in axes that stand still.
    fn evaluate(&mut self, robot: Robot<'_>) {
        let Self { turning, momenta, velocity, place, .. } = self;
        robot.generalized_momentum_into(place, velocity, momenta);
        let (momentum, rate) = momenta.split_at_mut(robot.nv);
        for joint in turning {
            let w = three(velocity, joint.v + joint.nv - 3);
            for at in (joint.v..joint.v + joint.nv).step_by(3) {
                let turn = w.cross(&three(momentum, at));
                rate[at..at + 3].iter_mut().zip(turn.iter()).for_each(|(to, x)| *to += x);
            }
        }
    }

    /// The same at q, where a step begins, unless that is known. It then leads elsewhere.
    fn evaluate_at_beginning(&mut self, robot: Robot<'_>, q: &[f64]) {
        self.place.copy_from_slice(q);
        if self.begun.is_of(q, &self.velocity) {
            self.momenta.copy_from_slice(&self.begun.momenta);
            return;
        }
        self.evaluate(robot);
        self.begun.note(q, &self.velocity, &self.momenta);
        self.ended.forget();
    }

    /// Changes `velocity`, which is evaluated before and not after, until no momentum is `lacking`; each comes to its place by `go`.
    /// The trend is that of what is found.
    fn iterate(
        &mut self,
        robot: Robot<'_>,
        trend: usize,
        mut lacking: impl FnMut(&mut Self),
        mut go: impl FnMut(&mut Self),
    ) -> Option<()> {
        self.broyden.clear();
        let mut gain = self.trends[trend].gain();
        let (mut change, mut size) = (f64::NAN, 0.0);
        for iteration in 0..ITERATIONS {
            lacking(self);
            let Self { belongs, momenta, missing, velocity, broyden, place, solving, .. } = self;
            let of_others = missing.iter_mut().zip(&*belongs).filter(|(_, belongs)| !**belongs);
            of_others.for_each(|(missing, _)| *missing = 0.0);
            let scale = dot(&momenta[..robot.nv], velocity);
            let broyden::Next { way, square, .. } =
                broyden.next(missing, |x| solve(robot, place, x, solving));
            // Rounding is that of what the velocity was, or of what it changes by, if it comes to rest.
            match iteration {
                0 => size = larger(scale, square),
                1 => size = larger(scale, size),
                // The equations have other solutions, far away, which are no motion.
                _ if scale > FAR * size => return None,
                _ => {}
            }
            // What rounding leaves tells Broyden's method nothing: what it then leads to is not gone to.
            let is_more = square.is_nan() || square > 0.25 * change;
            if iteration > 0 && change <= SMALL * SMALL * size && is_more {
                go(self);
                return Some(());
            }
            if iteration > 0 && FAR * square > size {
                return None;
            }
            let before = core::mem::replace(&mut change, square);
            add(velocity, 1.0, way);
            if before > 0.0 {
                gain = Some((square / before).max(GAIN));
            }
            // Changes shrink by the same factor each time at least, down to rounding. Where M and p do not fit together,
            // nothing is found.
            let is_last = gain.is_some_and(|gain| square * gain <= LEFT * LEFT * size);
            let is_rounding = square <= ROUNDING * ROUNDING * size
                || square > 0.25 * before && square <= SMALL * SMALL * size;
            go(self);
            if size > 0.0 && (is_last || is_rounding) {
                if let (true, Some(gain)) = (before > 0.0, gain) {
                    self.trends[trend].note_gain(gain);
                }
                return Some(());
            }
            self.evaluate(robot);
        }
        None
    }
}
