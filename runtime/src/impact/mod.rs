//! Impacts: what changes velocities while no time passes.
//!
//! > M(q) (v⁺ − v⁻) = Jᵀ Λ + Hᵀ Λ_h,  w = J v,
//!
//! with the impulses Λ of all that touches at q, by normal and tangents, and those of the declared constraints, Λ_h, which hold
//! their rows as [`Constrained::impact`](crate::constrained::Constrained::impact) does: at the velocity that is prescribed, less
//! e times what it was. Forces without impulses, gravity and motors and springs, have no part in it.
//!
//! | friction | | what presses |
//! |---|---|---|
//! | [`Cone`](Friction::Cone) | ‖Λ_t‖ ≤ μ Λ_n, Λ_t = −μ Λ_n w_t⁺/‖w_t⁺‖ | sticks or slides |
//! | [`Polygon`](Friction::Polygon) | Λ_t in a polygon of the size μ Λ_n, and there the furthest against w_t⁺ | sticks, or slides |
//! | [`Frictionless`](Friction::Frictionless) | Λ_t = 0 | slides |
//! | [`Sticking`](Friction::Sticking) | w_t⁺ = 0 | sticks |
//!
//! | restitution | | gives energy |
//! |---|---|---|
//! | [`Newton`](Restitution::Newton) | 0 ≤ Λ_n ⟂ w_n⁺ + e w_n⁻ ≥ 0 | may, but not with one e and no friction |
//! | [`Poisson`](Restitution::Poisson) | compression to 0 ≤ Λ_c ⟂ w_n ≥ 0, then e Λ_c ≤ Λ_e ⟂ w_n⁺ ≥ 0, each with friction of its own | may, but not with one e and no friction |
//! | [`Stronge`](Restitution::Stronge) | ∫ w_n⁺ dΛ_n = e² ∫ w_n⁻ dΛ_n along the impact | never |
//! | [`Inelastic`](Restitution::Inelastic) | 0 ≤ Λ_n ⟂ w_n⁺ ≥ 0 | never |
//!
//! Limits are contacts without friction, with one e for all, [`Law::limit_restitution`].
//!
//! Newton's and Poisson's problems are those of a [step](crate::contact) without finite forces, solved by the same solvers;
//! Stronge's law is followed along the impulse, through slip that turns, ends, sticks and begins again.
//! With infinite friction and Newton's law at contacts that all press,
//!
//! > v⁺ = v⁻ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁺ diag(1 + e, 1, 1) J v⁻.
//!
//! # Several contacts
//!
//! With [`Sequence::Simultaneous`] all that touches is one problem, what rests and what already parts among it. Under
//! Newton's law in this form, which is Moreau's, without friction and with one e, the velocity that is added by expansion is e
//! times that of compression, and no energy is gained; but what had parted may come nearer after it, and is then struck again.
//! With [`Sequence::Sequential`] one part at a time is struck, the one that approaches fastest (of equal ones the first), until
//! none does. A row of three equal balls that touch, of which the first is hit with e = 1, has v⁺ = (−⅓, ⅔, ⅔) by the one and
//! (0, 0, 1) by the other. Neither law follows from mechanics of rigid bodies.
//!
//! Where contacts depend on one another, as those of four feet of a table do, v⁺ is the same for all Λ that solve the problem, which
//! is what the pseudo-inverse above means; but Poisson's expansion follows one Λ_c of its compression, and with friction v⁺
//! depends on which. Coulomb's law may have several solutions besides; the one that is returned is a function of the arguments.
//!
//! # Energy
//!
//! > T⁺ − T⁻ = ½ Λᵀ (J v⁺ + J v⁻)
//!
//! An [`Outcome`] has both sides. A gain is the law's: a rod at 45° that lands with e = 0.9, μ = 0.5 gains 8 % by Newton's.
//!
//! ```
//! use jourdain::impact::{Among, Impacts, Law, Part, Restitution};
//! use jourdain::prelude::*;
//! use nalgebra::vector;
//!
//! /// A ball on a line above the ground.
//! #[derive(Robot)]
//! #[robot(
//!     link(ball, mass = 2),
//!     joint(height, prismatic(world -> ball), axis = [0, 0, 1]),
//!     contact(bottom, on = ball, restitution = 0.5),
//! )]
//! struct Ball;
//!
//! let law = Law { restitution: Restitution::Stronge, ..Law::default() };
//! let mut impacts = Impacts::new(&Ball, law)?;
//! let (q, v, mut v_plus) = (vector![0.0], vector![-3.0], vector![0.0]);
//! let outcome = impacts.resolve(&Ball, 0.0, &q, &v, Among::Listed(&[Part::Contact(0)]), &mut v_plus)?;
//! assert!((v_plus[0] - 1.5).abs() < 1e-12);
//! assert!((outcome.impulse.normal[0] - 9.0).abs() < 1e-12);
//! assert!((outcome.work + 6.75).abs() < 1e-12);
//! # Ok::<(), jourdain::impact::Error>(())
//! ```
//!
//! # Source
//!
//! Moreau: Unilateral Contact and Dry Friction in Finite Freedom Dynamics (1988), for Newton's law as one problem; Pfeiffer,
//! Glocker: Multibody Dynamics with Unilateral Contacts (1996), chapters 8 and 9, for Poisson's; Tedrake: Underactuated
//! Robotics, appendix on multi-body dynamics, for infinite friction (with the order put right); `stronge` for the others.

mod error;
mod law;
mod mobility;
mod outcome;
mod resolution;
mod strike;
mod stronge;
mod touches;

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

pub use crate::contact::Restitution;
pub use error::Error;
pub use law::{Friction, Law, Sequence};
pub use outcome::{Among, Ending, Outcome, Part, Struck};

use crate::check;
use crate::contact::{self, Ground, Impulse};
use crate::manifold;
use crate::model::{Model, Robot, with_data};
use crate::space::Storage;
use mobility::Mobility;
use strike::Strike;
use touches::Touches;

/// Solves impacts of a model in storage that is allocated once, but for slip that turns under Stronge's law, and constraints.
#[derive(Clone, Debug)]
pub struct Impacts<M: Model> {
    core: Core,
    robot: PhantomData<fn() -> M>,
}

/// Solves impacts of a robot as data.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    law: Law,
    touches: Touches,
    mobility: Mobility,
    strike: Strike,
    outcome: Outcome,
    responses: Vec<f64>,
    a: Vec<f64>,
    /// J v before, and now.
    before: Vec<f64>,
    w: Vec<f64>,
    impulses: Vec<f64>,
    /// v_free, and the velocity now, (nv).
    free: Vec<f64>,
    velocity: Vec<f64>,
    momentum: Vec<f64>,
}

impl Core {
    /// Reads friction, restitution, limits and shapes, once; fields are those of a robot that was checked.
    ///
    /// # Errors
    ///
    /// As [`Impacts::new`].
    pub(crate) fn new(robot: Robot<'_>, law: Law) -> Result<Self, Error> {
        law.check()?;
        Ok(Self {
            touches: Touches::new(robot, &law)?,
            law,
            mobility: Mobility::new(robot),
            strike: Strike::default(),
            outcome: Outcome::new(Impulse::zeros_of(&robot)),
            responses: Vec::new(),
            a: Vec::new(),
            before: Vec::new(),
            w: Vec::new(),
            impulses: Vec::new(),
            free: vec![0.0; robot.nv],
            velocity: vec![0.0; robot.nv],
            momentum: Vec::new(),
        })
    }

    /// With coefficients of friction of contacts that are so much larger.
    pub(crate) fn with_friction_by(mut self, factor: f64) -> Self {
        self.touches.scale_friction(factor);
        self
    }

    /// The law.
    pub(crate) fn law(&self) -> &Law {
        &self.law
    }

    /// As [`Impacts::resolve`].
    ///
    /// # Errors
    ///
    /// As [`Impacts::resolve`]; `v_plus` is then unchanged.
    pub(crate) fn resolve(
        &mut self,
        robot: Robot<'_>,
        t: f64,
        (q, v): (&[f64], &[f64]),
        among: Among<'_>,
        v_plus: &mut [f64],
    ) -> Result<&Outcome, Error> {
        check::finite("q", q)?;
        check::finite("v", v)?;
        manifold::check_quaternions(robot.joints, q)?;
        check::finite("t", &[t])?;
        self.touches.evaluate(robot, (q, v), (among, &self.law))?;
        self.mobility.evaluate(robot, (q, v), t)?;
        self.linearise(v);
        let speed = self.begin(v);
        self.run(speed)?;
        self.conclude(v, speed)?;
        v_plus.copy_from_slice(&self.velocity);
        Ok(&self.outcome)
    }
}

impl<M: Model> Impacts<M> {
    /// Reads friction, restitution, limits and shapes from the model, once.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] of a field, friction and restitution of contacts among them, [`Error::Restitution`] of limits,
    /// [`Error::Directions`] of a polygon, [`Error::NotOffered`] of what a law has not, and [`Error::Contact`] of a shape that is no solid.
    pub fn new(model: &M, law: Law) -> Result<Self, Error> {
        law.check()?;
        model.check_fields()?;
        let core = with_data(model, |robot| Core::new(robot, law))?;
        Ok(Self { core, robot: PhantomData })
    }

    /// Lets shapes touch this ground too; contacts touch that of the description.
    ///
    /// # Errors
    ///
    /// [`Error::Contact`] of a robot without shapes, and [`Error::NotOffered`] of ground that resists turning, as the law does not.
    pub fn ground(mut self, ground: Ground) -> Result<Self, Error> {
        if M::SHAPES.is_empty() {
            return Err(contact::Error::NoShape.into());
        }
        self.core.touches.lay(ground);
        self.core.touches.check(&self.core.law)?;
        Ok(self)
    }

    /// The law.
    pub fn law(&self) -> &Law {
        &self.core.law
    }

    /// Writes the velocity v⁺ after the impact of what takes part, at `q` and the time `t` in seconds, from the velocity
    /// `v` before; constraints that depend on time read `t`. Where nothing approaches, and the constraints hold,
    /// nothing changes. The result depends on nothing that was before.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] of a state or a time that is none; [`Error::Unknown`] and [`Error::Tolerance`] of what takes part;
    /// [`Error::Several`] of Stronge's law; [`Error::Contact`], [`Error::Bilateral`], [`Error::Immovable`], [`Error::Slip`],
    /// [`Error::Endless`] and [`Error::Unsolved`] of the problem. `v_plus` is then unchanged.
    pub fn resolve(
        &mut self,
        model: &M,
        t: f64,
        q: &M::Q,
        v: &M::V,
        among: Among<'_>,
        v_plus: &mut M::V,
    ) -> Result<&Outcome, Error> {
        let (state, v_plus) = ((q.as_slice(), v.as_slice()), v_plus.as_mut_slice());
        with_data(model, |robot| self.core.resolve(robot, t, state, among, v_plus))
    }
}
