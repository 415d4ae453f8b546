//! What solves steps, in storage that is allocated once.

use alloc::vec;
use alloc::vec::Vec;

use super::advance::Step;
use super::candidate::{Candidate, Explicit};
use super::chains::{Beginning, Chains};
use super::declared::Declared;
use super::dynamics::Dynamics;
use super::free_bodies::FreeBodies;
use super::limit::{self, Dry, Spans};
use super::overlap::Overlap;
use super::pairs::Pairs;
use super::parameter::{Range, check};
use super::problem::Problem;
use super::restitution::Compression;
use super::rows::Rows;
use super::solver::{Solved, Solver};
use super::solvers::Solvers;
use super::spin::Spins;
use super::springs::Springs;
use super::together::Together;
use super::yielding::Yielding;
use super::{Conditions, Error, Impulse};
use crate::description::{ContactParameters, Joint};
use crate::kernel::compute;
use crate::manifold;
use crate::model::Model;
use crate::space::Storage;

/// The largest residual of a step, unless stated.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// What solving a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Pivots or iterations of the solvers.
    pub pivots: usize,
    /// Problems solved.
    pub problems: usize,
    /// What solved them.
    pub solver: Solver,
}

impl Outcome {
    /// Takes one more problem into account.
    pub(super) fn add(&mut self, Solved { pivots, solver }: Solved) {
        let Self { pivots: before, problems, .. } = *self;
        *self = Self { pivots: before + pivots, problems: problems + 1, solver };
    }
}

/// Solves steps of a model in storage that is allocated once.
#[derive(Clone, Debug)]
pub struct Stepper<M: Model> {
    pub(super) contacts: Vec<ContactParameters>,
    pub(super) spans: Spans,
    pub(super) dry_friction: Vec<Dry>,
    pub(super) explicit: Explicit<M>,
    pub(super) dynamics: Dynamics<M>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) rows: Rows,
    pub(super) problem: Problem,
    pub(super) solvers: Solvers,
    pub(super) compression: Compression,
    pub(super) together: Together,
    /// ṽ, the generalised force and what is added to the inertia of each coordinate, (nv).
    pub(super) carried: M::V,
    pub(super) force: M::V,
    pub(super) added: Vec<f64>,
    /// Along the rows.
    pub(super) impulses: Vec<f64>,
    /// Of each candidate in the rows, if it is a contact, which, and how many rows it has.
    pub(super) listed: Vec<Option<(usize, usize)>>,
    /// Rows of contacts, which are the first ones.
    pub(super) contact_rows: usize,
    pub(super) velocity: M::V,
    pub(super) impulse: Impulse,
    /// The largest residual that steps shall have.
    pub(super) tolerance: f64,
    /// The largest error of a bilateral constraint at the end of the step.
    pub(super) violation: f64,
    /// Whether steps start from the impulses of the last one.
    pub(super) is_warm: bool,
    /// What solvers start from: that of the last step, or of this one's last problem.
    pub(super) start: Impulse,
    /// Those of the model, [merged](manifold::merge).
    pub(super) joints: Vec<Joint>,
    pub(super) free_bodies: FreeBodies,
    pub(super) overlap: Overlap,
    pub(super) chains: Chains<M>,
    /// The joints of all but free bodies, merged.
    pub(super) others: Vec<Joint>,
    /// Of the corrections of a step, those that left the least error.
    pub(super) best: (M::V, Impulse),
}

impl<M: Model> Stepper<M> {
    /// Reads friction, restitution, limits and shapes from the model, once.
    ///
    /// # Errors
    ///
    /// [`Error::Shape`] and [`Error::Pair`] name a shape that is no solid, or a pair that cannot touch.
    pub fn new(model: &M) -> Result<Self, Error> {
        let coordinates = model.coordinate_parameters();
        let free_bodies = FreeBodies::new(model);
        Ok(Self {
            contacts: model.contact_parameters(),
            spans: Spans::new(M::JOINTS, &coordinates),
            dry_friction: limit::dry_friction(M::JOINTS, &coordinates),
            explicit: Explicit {
                declared: Declared::new::<M>(),
                pairs: Pairs::new(model)?,
                spins: Spins::new(model),
                yielding: Yielding::new::<M>(),
                springs: Springs::new(model),
            },
            dynamics: Dynamics::new(model),
            candidates: Vec::new(),
            rows: Rows::default(),
            problem: Problem::default(),
            solvers: Solvers::default(),
            compression: Compression::new::<M>(),
            together: Together::new(&model.contact_parameters()),
            carried: M::V::zeros(),
            force: M::V::zeros(),
            added: vec![0.0; M::NV],
            impulses: Vec::new(),
            listed: Vec::new(),
            contact_rows: 0,
            velocity: M::V::zeros(),
            impulse: Impulse::zeros::<M>(),
            tolerance: TOLERANCE,
            violation: 0.0,
            is_warm: true,
            start: Impulse::zeros::<M>(),
            joints: manifold::merge(M::JOINTS),
            others: manifold::merge(&free_bodies.others(M::JOINTS)),
            free_bodies,
            overlap: Overlap::new::<M>(),
            chains: Chains::new(),
            best: (M::V::zeros(), Impulse::zeros::<M>()),
        })
    }

    /// Has solvers of cones aim at steps of another [`Residual::max`](super::Residual::max), which is 1e-9 unless stated.
    /// Those of polygons and pyramids end with what rounding leaves.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] unless it is finite and greater than zero.
    pub fn tolerance(&mut self, tolerance: f64) -> Result<(), Error> {
        self.tolerance = check("tolerance", tolerance, Range::Positive)?;
        Ok(())
    }

    /// v⁺ of the last step; that of a floating joint in the axes that its child has at the beginning. Where
    /// [chains](Conditions::symplectic) move by the leapfrog, it is the velocity that impulses led to, in the middle of the step.
    pub fn velocity(&self) -> &M::V {
        &self.velocity
    }

    /// Where the last step leads, which began at `q` and was of `step_size` seconds, and v⁺ there, in the axes of its end: what
    /// a [`Simulation`](crate::Simulation) takes for its next state. What overlapped is displaced, bodies that turn freely turn by
    /// their own law, and [chains](Conditions::symplectic) end their leapfrog.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] of chains.
    ///
    /// ```
    /// use jourdain::contact::{Conditions, Stepper};
    /// use jourdain::prelude::*;
    /// use nalgebra::vector;
    ///
    /// /// A ball that falls.
    /// #[derive(Robot, Clone, Copy, Debug)]
    /// #[robot(
    ///     link(ball, mass = 2),
    ///     joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
    ///     contact(foot, on = ball, sphere = 0.1),
    /// )]
    /// struct Ball;
    ///
    /// let (mut stepper, conditions, h) = (Stepper::new(&Ball)?, Conditions::default(), 1e-3);
    /// let (mut q, mut v) = (vector![0.3], vector![0.0]);
    /// for k in 0..1000 {
    ///     let force = Ball.passive_force(&q, &v);
    ///     stepper.step(&Ball, (&q, &v), &force, (f64::from(k) * h, h), &conditions)?;
    ///     assert!(stepper.residual(h, &conditions).max() < 1e-9);
    ///     (q, v) = stepper.end(&Ball, &q, h)?;
    /// }
    /// assert!((q[0] - 0.1).abs() < 1e-6 && v[0].abs() < 1e-9);
    /// # Ok::<(), jourdain::contact::Error>(())
    /// ```
    pub fn end(&mut self, model: &M, q: &M::Q, step_size: f64) -> Result<(M::Q, M::V), Error> {
        let (mut q_end, mut v_end) = (q.clone(), M::V::zeros());
        self.write_end(model, q, step_size, (&mut q_end, &mut v_end))?;
        Ok((q_end, v_end))
    }

    /// As [`end`](Self::end), written.
    #[inline(always)]
    pub(crate) fn write_end(
        &mut self,
        model: &M,
        q: &M::Q,
        step_size: f64,
        (q_end, v_end): (&mut M::Q, &mut M::V),
    ) -> Result<(), Error> {
        let displaced = self.overlap.displaced::<M>(q);
        let begin = Beginning { q, from: displaced.as_ref(), w: &self.velocity };
        let from = (begin.from.unwrap_or(q).as_slice(), self.velocity.as_slice());
        let to = (q_end.as_mut_slice(), v_end.as_mut_slice());
        if self.free_bodies.turn() {
            self.free_bodies.check(step_size, from.1)?;
            manifold::move_from(&self.others, step_size, from, (&mut *to.0, &mut *to.1));
            self.free_bodies.move_from(step_size, from, to);
        } else {
            manifold::move_from(&self.joints, step_size, from, to);
        }
        self.chains.write_end(model, step_size, begin, (q_end, v_end))
    }

    /// Λ of the last step; the axes of contacts are those of
    /// [`contact_parameters_at`](Model::contact_parameters_at) where it began.
    pub fn impulse(&self) -> &Impulse {
        &self.impulse
    }

    /// φ of the contacts at the beginning of the last step.
    pub fn gaps(&self) -> &[f64] {
        self.dynamics.gap()
    }

    /// The deepest penetration of a contact at the beginning of the last step, m; 0 if there is none.
    #[inline(always)]
    pub(crate) fn penetration(&self) -> f64 {
        self.dynamics.penetration()
    }

    /// What the mean velocity of the last step has beside v⁺, (nv), if chains moved by the leapfrog.
    pub(crate) fn offset(&self) -> Option<&[f64]> {
        self.chains.is_used().then(|| self.chains.offset())
    }

    /// v_free of the last step, (nv): that of all but impulses.
    pub(crate) fn free_velocity(&self) -> &[f64] {
        self.dynamics.free()
    }

    /// ṽ of the last step, (nv).
    pub(crate) fn carried(&self) -> &M::V {
        &self.carried
    }

    /// What a velocity has of chains, but for how fast they float.
    pub(crate) fn of_joints(&self, v: &M::V) -> M::V {
        let counts = self.chains.counts();
        self.part(v, |i| counts.get(i).copied().unwrap_or(0.0))
    }

    /// What a velocity has of chains.
    pub(crate) fn of_chains(&self, v: &M::V) -> M::V {
        let belongs = self.chains.belongs();
        self.part(v, |i| f64::from(belongs.get(i) == Some(&true)))
    }

    /// A velocity times the shares of its coordinates.
    fn part(&self, v: &M::V, share: impl Fn(usize) -> f64) -> M::V {
        let mut part = v.clone();
        (0..M::NV).for_each(|i| part[i] *= share(i));
        part
    }

    /// Whether chains moved by the leapfrog in the last step.
    pub(crate) fn moves_chains(&self) -> bool {
        self.chains.is_used()
    }

    /// Forgets the last step, from whose impulses and bases the next one would start.
    pub fn forget(&mut self) {
        self.compression.forget(&mut self.impulse);
        self.impulse.clear();
        self.together.forget();
        self.solvers.forget();
        self.chains.forget();
    }

    /// Whether steps start from the impulses of the last one, as they do if nothing is said.
    #[inline]
    pub fn warm_start(&mut self, is_warm: bool) {
        self.is_warm = is_warm;
    }

    /// Finds v⁺ and Λ of a step of `step_size` seconds from `state` = (q, v) at `time` under the
    /// generalised force `force` (inputs, springs, dampers, wrenches; the bias force is not among
    /// it). What it finds is to be judged by its [`residual`](super::residual), and leads to its [`end`](Self::end).
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] of a motor, the margin or the recovery; [`Error::TimeConstant`] of the formulation;
    /// [`Error::TooLong`] of a step in which chains turn too far;
    /// [`Error::MassMatrix`], [`Error::Gap`], [`Error::Pose`] and [`Error::Violated`] of the state;
    /// [`Error::Bilateral`], [`Error::Complementarity`], [`Error::Cone`], [`Error::Jammed`] and
    /// [`Error::TooLarge`] of the problem. `velocity` and `impulse` then hold nothing of use.
    pub fn step(
        &mut self,
        model: &M,
        state: (&M::Q, &M::V),
        force: &M::V,
        (time, step_size): (f64, f64),
        conditions: &Conditions,
    ) -> Result<Outcome, Error> {
        let (during, mut result) = ((time, step_size), Ok(Outcome::default()));
        let (stepper, outcome) = (self, &mut result);
        compute(Step { stepper, model, state, force, during, conditions, outcome });
        result
    }
}
