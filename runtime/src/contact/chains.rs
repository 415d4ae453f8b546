//! The motion of chains of bodies without impulses: energy has no trend, and momentum is kept to rounding.
//!
//! A step is the generalised leapfrog in momenta p = M v. With Γ = ∂T/∂q where v stays,
//!
//! > M(q) w = M(q) v + h (½ Γ(q, w) + f + τ_g)
//! >
//! > M(q₁) w₁ = M(q) w,  q₁ = q ⊕ ½ h w ⊕ ½ h w₁
//! >
//! > M(q₁) v₁ = M(q₁) w₁ + ½ h Γ(q₁, w₁)
//!
//! w is the velocity that a step solves for; f is the force at the beginning of all but dampers and
//! springs that it does not resolve. A step is given a force that
//! makes it w where nothing else acts,
//!
//! > F = C v + M (w − ṽ)/h − f
//!
//! A rotation R₁ = R exp(x), x = ½ h ω, hands its momentum l, in the axes of its child, on from R to R₁ as one of the world,
//!
//! > R (l + ½ x × l + c x × (x × l)) = R₁ (l − ½ x × l + c x × (x × l)),  c = (1 − ½ θ cot ½ θ)/θ²,  θ = |x|
//!
//! and the origin of a pose moves along the linear velocity as it is at q, and at q₁.
//!
//! # Source
//!
//! Hairer, Lubich, Wanner: Geometric Numerical Integration (2006), VI.3, (3.4), for the leapfrog; Bou-Rabee, Marsden:
//! Hamilton–Pontryagin Integrators on Lie Groups (2009), (4.13), for rotations.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use super::broyden::Broyden;
use super::springs::Springs;
use crate::description::{Chart, Joint};
use crate::kkt;
use crate::manifold;
use crate::model::Model;
use crate::slices::{add, dot, multiply};
use crate::space::Storage;

/// Squares of angles or ways per step below which a step is exact to rounding without this.
const STILL: f64 = 1e-20;
/// What known forces may move a coordinate by in a step; stiffer ones are for the step itself to follow.
const STIFF: f64 = 0.1;
/// Iterations for a velocity. Each gains a factor of h |ω|, so that more turn faster than a step can follow.
const ITERATIONS: usize = 30;
/// What is left of a velocity's momentum, relative to it, by kinetic energy.
const ROUNDING: f64 = 1e-15;
/// The same, of what may be all that rounding leaves.
const SMALL: f64 = 1e-10;

/// The trees of more than one coordinate in a model.
#[derive(Clone, Debug)]
pub(super) struct Chains<M: Model> {
    /// Whether each coordinate belongs to one, (nv); empty where there are none.
    belongs: Vec<bool>,
    /// Their joints that turn freely.
    turning: Vec<Joint>,
    mass: Box<M::Mass>,
    factor: kkt::Tree,
    /// The same where the step ends.
    end: (Box<M::Mass>, kkt::Tree),
    /// p and Γ of `velocity`, (nv) each.
    momenta: Vec<f64>,
    velocity: M::V,
    /// What the momentum shall be, and what is missing of it, (nv).
    target: Vec<f64>,
    missing: Vec<f64>,
    broyden: Broyden,
    /// w₁ − w to the first order, (nv).
    drift: Vec<f64>,
    /// Whether the last step is one of theirs.
    is_found: bool,
}

impl<M: Model> Chains<M> {
    pub(super) fn new() -> Self {
        let belongs = belonging::<M>();
        let turns =
            |joint: &&Joint| joint.chart != Chart::Vector && belongs.get(joint.v) == Some(&true);
        let room = belongs.len();
        Self {
            turning: M::JOINTS.iter().filter(turns).copied().collect(),
            mass: Box::new(M::Mass::zeros()),
            factor: kkt::Tree::default(),
            end: (Box::new(M::Mass::zeros()), kkt::Tree::default()),
            momenta: vec![0.0; 2 * room],
            velocity: M::V::zeros(),
            target: vec![0.0; room],
            missing: vec![0.0; room],
            broyden: Broyden::default(),
            drift: vec![0.0; room],
            is_found: false,
            belongs,
        }
    }

    /// Adds F of a step of `h` seconds that begins at (q, v), as springs know, with the force f of all but gravity, dampers
    /// among it.
    #[inline]
    pub(super) fn add_force(
        &mut self,
        model: &M,
        (q, v, carried): (&M::Q, &M::V, &M::V),
        (known, springs, h): (&M::V, &Springs, f64),
        force: &mut M::V,
    ) {
        let is_moving = |(i, belongs): (usize, &bool)| *belongs && h * h * v[i] * v[i] > STILL;
        self.is_found = self.belongs.iter().enumerate().any(is_moving)
            && self.find(model, (q, v, carried), (known, springs, h), force).is_some();
    }

    /// Finds w; nothing where a step cannot follow the motion.
    fn find(
        &mut self,
        model: &M,
        (q, v, carried): (&M::Q, &M::V, &M::V),
        (known, springs, h): (&M::V, &Springs, f64),
        force: &mut M::V,
    ) -> Option<()> {
        factor(model, q, (&mut self.mass, &mut self.factor))?;
        let (mut weight, mut coriolis) = (M::V::zeros(), M::V::zeros());
        model.gravity_force_into(q, &mut weight);
        model.bias_force_into(q, v, &mut coriolis);
        let mut first = M::V::zeros();
        for i in 0..M::NV {
            coriolis[i] += weight[i];
            first[i] = known[i] + weight[i];
        }
        springs.take_back(v.as_slice(), first.as_mut_slice(), |stiffness, row| {
            self.missing.copy_from_slice(row);
            solve(&self.factor, &mut self.missing);
            h * h * stiffness * dot(row, &self.missing) > 1.0
        });
        self.missing.copy_from_slice(first.as_slice());
        solve(&self.factor, &mut self.missing);
        if self.missing.iter().any(|rate| h * h * rate.abs() >= STIFF) {
            first.as_mut_slice().fill(0.0);
        }
        self.velocity.clone_from(v);
        self.evaluate(model, q);
        for i in 0..M::NV {
            self.target[i] = self.momenta[i] + h * first[i];
            self.drift[i] = -h * (coriolis[i] + self.momenta[M::NV + i]);
        }
        solve(&self.factor, &mut self.drift);
        let lacking = |chains: &mut Self| {
            let Self { turning, momenta, velocity, target, missing, .. } = chains;
            hand_on(turning, 0.5 * h, velocity.as_slice(), &mut momenta[..M::NV]);
            let parts = target.iter().zip(&momenta[..M::NV]).zip(&momenta[M::NV..]);
            missing
                .iter_mut()
                .zip(parts)
                .for_each(|(x, ((to, p), rate))| *x = to + 0.5 * h * rate - p);
        };
        self.iterate(lacking, |chains| chains.evaluate(model, q))?;
        let change = self.velocity.as_slice().iter().zip(carried.as_slice());
        self.missing.iter_mut().zip(change).for_each(|(x, (w, v))| *x = w - v);
        let mut change = M::V::zeros();
        multiply(change.as_mut_slice(), self.mass.as_slice(), &self.missing);
        for i in (0..M::NV).filter(|i| self.belongs[*i]) {
            force[i] += change[i] / h + coriolis[i] - first[i];
        }
        Some(())
    }

    /// Writes p and Γ of `velocity`, as of velocities in axes that stand still.
    fn evaluate(&mut self, model: &M, q: &M::Q) {
        let Self { turning, momenta, velocity, .. } = self;
        model.generalized_momentum_into(q, velocity, momenta);
        let (momentum, rate) = momenta.split_at_mut(M::NV);
        for joint in turning {
            let w = three(velocity.as_slice(), joint.v + joint.nv - 3);
            for at in (joint.v..joint.v + joint.nv).step_by(3) {
                let turn = w.cross(&three(momentum, at));
                rate[at..at + 3].iter_mut().zip(turn.iter()).for_each(|(to, x)| *to += x);
            }
        }
    }

    /// Moves `velocity`, which is evaluated, until no momentum is `lacking`.
    fn iterate(
        &mut self,
        mut lacking: impl FnMut(&mut Self),
        mut evaluate: impl FnMut(&mut Self),
    ) -> Option<()> {
        self.broyden.clear();
        let mut change = f64::NAN;
        for _ in 0..ITERATIONS {
            lacking(self);
            let Self { belongs, momenta, missing, velocity, broyden, factor, .. } = self;
            let of_others = missing.iter_mut().zip(&*belongs).filter(|(_, belongs)| !**belongs);
            of_others.for_each(|(missing, _)| *missing = 0.0);
            let scale = dot(&momenta[..M::NV], velocity.as_slice());
            let (way, square) = broyden.next(missing, |x| solve(factor, x));
            let before = core::mem::replace(&mut change, square);
            velocity.as_mut_slice().iter_mut().zip(way).for_each(|(v, x)| *v += x);
            // Changes shrink by the same factor each time at least, down to rounding. Where M and p do not fit together,
            // nothing is found.
            let is_last = change * change <= ROUNDING * ROUNDING * scale * before;
            let is_rounding = change > 0.25 * before && change <= SMALL * SMALL * scale;
            if scale > 0.0 && (is_last || is_rounding) {
                return Some(());
            }
            evaluate(self);
        }
        None
    }

    /// Writes where a step leads that begins at `q` with w; nothing where it is not one of theirs.
    #[inline]
    pub(super) fn write_end(
        &mut self,
        model: &M,
        h: f64,
        from: (&M::Q, &M::V),
        (q_end, v_end): (&mut M::Q, &mut M::V),
    ) {
        if !self.is_found {
            return;
        }
        let Some(end) = self.finish(model, h, from) else { return };
        for joint in M::JOINTS.iter().filter(|joint| self.belongs[joint.v]) {
            (joint.q..joint.q + joint.nq).for_each(|i| q_end[i] = end[i]);
            (joint.v..joint.v + joint.nv).for_each(|i| v_end[i] = self.velocity[i]);
        }
    }

    /// q₁, and v₁ as `velocity`.
    fn finish(&mut self, model: &M, h: f64, (q, w): (&M::Q, &M::V)) -> Option<M::Q> {
        let half = 0.5 * h;
        self.target.fill(0.0);
        multiply(&mut self.target, self.mass.as_slice(), w.as_slice());
        hand_on(&self.turning, -half, w.as_slice(), &mut self.target);
        turn_linear(&self.turning, -half, w.as_slice(), &mut self.target);
        let (mut middle, mut end) = (q.clone(), q.clone());
        self.velocity.clone_from(w);
        manifold::move_on(M::JOINTS, half, middle.as_mut_slice(), self.velocity.as_mut_slice());
        self.velocity.clone_from(w);
        add(self.velocity.as_mut_slice(), 1.0, &self.drift);
        let mut evaluate = |chains: &mut Self| {
            end.clone_from(&middle);
            let mut turned = chains.velocity.clone();
            turn_linear(&chains.turning, half, chains.velocity.as_slice(), turned.as_mut_slice());
            manifold::move_on(M::JOINTS, half, end.as_mut_slice(), turned.as_mut_slice());
            chains.evaluate(model, &end);
        };
        evaluate(self);
        let lacking = |chains: &mut Self| {
            let Self { turning, momenta, velocity, target, missing, .. } = chains;
            missing.copy_from_slice(&momenta[..M::NV]);
            hand_on(turning, half, velocity.as_slice(), missing);
            turn_linear(turning, half, velocity.as_slice(), missing);
            missing
                .iter_mut()
                .zip(&*target)
                .for_each(|(missing, target)| *missing = target - *missing);
        };
        self.iterate(lacking, evaluate)?;
        factor(model, &end, (&mut self.end.0, &mut self.end.1))?;
        let Self { turning, momenta, velocity, missing, .. } = self;
        // A rotation's momentum is that of the middle, half a turn before.
        let (momentum, rate) = momenta.split_at_mut(M::NV);
        missing.copy_from_slice(momentum);
        hand_on(turning, -half, velocity.as_slice(), missing);
        let parts = missing.iter_mut().zip(momentum).zip(rate);
        parts.for_each(|((missing, p), rate)| *missing += half * *rate - *p);
        solve(&self.end.1, missing);
        add(velocity.as_mut_slice(), 1.0, missing);
        Some(end)
    }

    /// The inverse of [`write_end`](Self::write_end): w of a step that begins at `q`, from near it and v₁.
    pub(super) fn undo(&mut self, model: &M, h: f64, q: &M::Q, (w, v_end): (&mut M::V, &M::V)) {
        let mut last = f64::INFINITY;
        for _ in 0..3 * ITERATIONS {
            if !self.is_found || self.finish(model, h, (q, w)).is_none() {
                return;
            }
            let mut change: f64 = 0.0;
            for i in (0..M::NV).filter(|i| self.belongs[*i]) {
                change += (v_end[i] - self.velocity[i]).abs();
                w[i] += v_end[i] - self.velocity[i];
            }
            // Each time it is nearer, down to rounding.
            if change == 0.0 || change >= last {
                return;
            }
            last = change;
        }
    }
}

/// M at `q` and its factor; nothing where it is not positive definite.
fn factor<M: Model>(
    model: &M,
    q: &M::Q,
    (mass, factor): (&mut M::Mass, &mut kkt::Tree),
) -> Option<()> {
    model.mass_matrix_into(q, mass);
    factor.factor(mass.as_slice(), M::PARENTS, M::NV, 0.0).ok().map(drop)
}

/// Whether each coordinate moves others, or is moved by some; empty where none is, and where constraints tie them.
fn belonging<M: Model>() -> Vec<bool> {
    if M::NC > 0 {
        return Vec::new();
    }
    // Where coordinates form no tree, what one moves is not told.
    if M::PARENTS.len() != M::NV {
        return vec![true; M::NV];
    }
    let root = |mut i: usize| {
        while let Some(parent) = M::PARENTS[i] {
            i = parent;
        }
        i
    };
    let roots: Vec<usize> = (0..M::NV).map(root).collect();
    let is_alone = |i: usize| {
        let own = |joint: &&Joint| (joint.v..joint.v + joint.nv).contains(&i);
        M::JOINTS.iter().find(own).is_some_and(|joint| {
            let count = roots.iter().filter(|root| **root == roots[i]).count();
            count == joint.nv && (count == 1 || joint.chart != Chart::Vector)
        })
    };
    let belongs: Vec<bool> = (0..M::NV).map(|i| !is_alone(i)).collect();
    if belongs.contains(&true) { belongs } else { Vec::new() }
}

/// x ← M⁻¹ x.
fn solve(factor: &kkt::Tree, x: &mut [f64]) {
    factor.solve_transposed(x);
    factor.solve(x);
}

/// Three numbers from a place on.
fn three(x: &[f64], at: usize) -> Vector3<f64> {
    Vector3::new(x[at], x[at + 1], x[at + 2])
}

/// Turns angular momenta to the world's of the beginning of a turn by `time` ω, or of its end by a `time` below zero.
fn hand_on(turning: &[Joint], time: f64, v: &[f64], momentum: &mut [f64]) {
    for joint in turning {
        let at = joint.v + joint.nv - 3;
        let (x, l) = (time * three(v, at), three(momentum, at));
        momentum[at..at + 3].copy_from_slice(manifold::retreat(&-x, &l).as_slice());
    }
}

/// Turns the linear parts of poses by `time` ω.
fn turn_linear(turning: &[Joint], time: f64, v: &[f64], x: &mut [f64]) {
    for joint in turning.iter().filter(|joint| joint.chart == Chart::Pose) {
        let turned = manifold::turn(&(time * three(v, joint.v + 3)), &three(x, joint.v));
        x[joint.v..joint.v + 3].copy_from_slice(turned.as_slice());
    }
}
