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
//! | [`Newton`](Restitution::Newton) | 0 ≤ Λ_n ⟂ w_n⁺ + e w_n⁻ ≥ 0 | with friction, and with several e |
//! | [`Poisson`](Restitution::Poisson) | compression to 0 ≤ Λ_c ⟂ w_n ≥ 0, then e Λ_c ≤ Λ_e ⟂ w_n⁺ ≥ 0, each with friction of its own | with several e |
//! | [`Stronge`](Restitution::Stronge) | ∫ w_n⁺ dΛ_n = e² ∫ w_n⁻ dΛ_n along the impact | never |
//! | [`Inelastic`](Restitution::Inelastic) | 0 ≤ Λ_n ⟂ w_n⁺ ≥ 0 | never |
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
//! Contacts that depend on one another have one v⁺, but for what friction leaves open, and not one Λ.
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
mod strike;
mod stronge;
mod touches;

use alloc::vec::Vec;
use core::ops::Range;

pub use error::Error;
pub use law::{Friction, Law, Restitution, Sequence};
pub use outcome::{Among, Ending, Outcome, Part, Struck};

use crate::check;
use crate::contact::{Ground, Impulse};
use crate::model::Model;
use crate::slices::{columns, dot, worse, zeros};
use crate::space::Storage;
use mobility::Mobility;
use strike::{Motion, Strike};
use touches::{Touch, Touches};

/// An approach below this, by the speed of the impact, is none, nor is a slip or a parting.
const STILL: f64 = 1e-9;
/// The largest residual of an outcome.
const ACCURATE: f64 = 1e-9;
/// How many impacts may follow one another.
const MOST: usize = 100_000;

/// Solves impacts of a model in storage that is allocated once.
#[derive(Clone, Debug)]
pub struct Impacts<M: Model> {
    law: Law,
    touches: Touches<M>,
    mobility: Mobility<M>,
    strike: Strike,
    outcome: Outcome,
    responses: Vec<f64>,
    a: Vec<f64>,
    /// J v before, and now.
    before: Vec<f64>,
    w: Vec<f64>,
    impulses: Vec<f64>,
    /// v_free, and the velocity now, (nv).
    free: M::V,
    velocity: M::V,
    momentum: Vec<f64>,
}

impl<M: Model> Impacts<M> {
    /// Reads friction, restitution, limits and shapes from the model, once.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] of a field, [`Error::Friction`], [`Error::Restitution`] and [`Error::Directions`] of coefficients,
    /// [`Error::NotOffered`] of what a law has not, and [`Error::Contact`] of a shape that is no solid.
    pub fn new(model: &M, law: Law) -> Result<Self, Error> {
        law.check()?;
        model.check_fields()?;
        Ok(Self {
            touches: Touches::new(model, &law)?,
            law,
            mobility: Mobility::new(model),
            strike: Strike::default(),
            outcome: Outcome::new(Impulse::zeros::<M>()),
            responses: Vec::new(),
            a: Vec::new(),
            before: Vec::new(),
            w: Vec::new(),
            impulses: Vec::new(),
            free: M::V::zeros(),
            velocity: M::V::zeros(),
            momentum: Vec::new(),
        })
    }

    /// Lets shapes touch this ground too.
    #[must_use]
    pub fn ground(mut self, ground: Ground) -> Self {
        self.touches.lay(ground);
        self
    }

    /// The law.
    pub fn law(&self) -> &Law {
        &self.law
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
        model.check(q, v)?;
        check::finite("t", &[t])?;
        self.touches.evaluate(model, (q, v), (among, &self.law))?;
        self.mobility.evaluate(model, (q, v), t)?;
        self.linearise(v);
        let speed = self.begin(v);
        self.run(speed)?;
        self.conclude(v, speed)?;
        v_plus.clone_from(&self.velocity);
        Ok(&self.outcome)
    }

    /// Responses N M⁻¹ Jᵀ, A, and v_free.
    fn linearise(&mut self, v: &M::V) {
        let (nv, rows) = (M::NV.max(1), &self.touches.rows);
        self.responses.clear();
        self.responses.extend_from_slice(rows);
        self.responses.chunks_exact_mut(nv).for_each(|row| self.mobility.respond(row));
        self.a.clear();
        for response in self.responses.chunks_exact(nv) {
            self.a.extend(rows.chunks_exact(nv).map(|row| dot(row, response)));
        }
        self.free.clone_from(v);
        self.mobility.free(self.free.as_mut_slice());
    }

    /// Starts at v_free; returns the speed of the impact, the largest term of J v⁻ and J v_free.
    fn begin(&mut self, v: &M::V) -> f64 {
        let (nv, rows) = (M::NV.max(1), &self.touches.rows);
        self.velocity.clone_from(&self.free);
        let times = |v: &M::V, to: &mut Vec<f64>| {
            to.clear();
            to.extend(rows.chunks_exact(nv).map(|row| dot(row, v.as_slice())));
        };
        times(v, &mut self.before);
        times(&self.free, &mut self.w);
        zeros(&mut self.impulses, self.w.len());
        let size = |v: &M::V| {
            let terms = rows.chunks_exact(nv).flat_map(|row| row.iter().zip(v.as_slice()));
            terms.map(|(j, v)| (j * v).abs()).fold(0.0, f64::max)
        };
        size(v).max(size(&self.free))
    }

    /// Strikes what approaches until nothing does.
    fn run(&mut self, speed: f64) -> Result<(), Error> {
        let Self { law, touches, strike, outcome, responses, a, w, impulses, velocity, .. } = self;
        let Touches { list, rows, .. } = &*touches;
        (outcome.impacts, outcome.residual) = (0, 0.0);
        let velocity = velocity.as_mut_slice();
        let residual = &mut outcome.residual;
        let mut motion = Motion {
            law,
            touches: list,
            rows,
            responses,
            a,
            speed,
            velocity,
            w,
            impulses,
            residual,
        };
        while let Some((chosen, approach)) = next(&motion) {
            if outcome.impacts == MOST {
                return Err(Error::Endless { impacts: MOST, approach });
            }
            strike.apply(&mut motion, chosen)?;
            outcome.impacts += 1;
        }
        Ok(())
    }

    /// Writes the outcome, and judges it.
    fn conclude(&mut self, v: &M::V, speed: f64) -> Result<(), Error> {
        self.write_impulses(v);
        self.write_parts(speed);
        let Self { mobility, outcome, before, w, impulses, velocity, free, momentum, .. } = self;
        let (v, v_plus) = (v.as_slice(), velocity.as_slice());
        outcome.kinetic_energy = [mobility.energy(v), mobility.energy(v_plus)];
        let sums = before.iter().zip(&*w).map(|(before, after)| before + after);
        let of_parts: f64 = impulses.iter().zip(sums).map(|(impulse, sum)| impulse * sum).sum();
        let of_constraints = mobility.constraint_power(v) + mobility.constraint_power(v_plus);
        outcome.work = 0.5 * (of_parts + of_constraints);
        let missing = imbalance(mobility.mass(), (v, v_plus), momentum);
        outcome.residual = worse(outcome.residual, missing);
        let moved = mobility.constraint_error(free.as_slice(), v_plus);
        outcome.residual = worse(outcome.residual, moved);
        let residual = outcome.residual;
        if residual <= ACCURATE { Ok(()) } else { Err(Error::Unsolved { residual }) }
    }

    /// Λ of parts and constraints, and their generalised impulse.
    fn write_impulses(&mut self, v: &M::V) {
        let Self { touches, mobility, outcome, impulses, momentum, .. } = self;
        let impulse = &mut outcome.impulse;
        impulse.clear();
        touches.pairs.list(&mut impulse.pairs);
        for Touch { part, first, rows, .. } in &touches.list {
            let along = |k: usize| if k < *rows { impulses[first + k] } else { 0.0 };
            match *part {
                Part::Contact(k) => {
                    (impulse.normal[k], impulse.friction[k]) = (along(0), [along(1), along(2)]);
                    impulse.torsion[k] = along(3);
                }
                Part::Point(of, feature) => {
                    let points = impulse.pairs.iter_mut();
                    for point in points.filter(|point| point.identity() == (of, feature)) {
                        (point.impulse, point.torsion) = ([along(0), along(1), along(2)], along(3));
                    }
                }
                Part::Limit { v, upper } => impulse.limits[v][usize::from(upper)] = along(0),
                Part::Declared(k) => impulse.declared[k] = along(0),
            }
        }
        let p = zeros(momentum, M::NV);
        add_force((&touches.rows, impulses), p);
        let of_constraints = mobility.constraint_impulses(v.as_slice(), p);
        impulse.constraints.copy_from_slice(of_constraints);
        p.fill(0.0);
        add_force((&touches.rows, impulses), p);
        mobility.add_constraint_force(p);
    }

    fn write_parts(&mut self, speed: f64) {
        let Self { touches, outcome, before, w, impulses, .. } = self;
        outcome.parts.clear();
        outcome.parts.extend(touches.list.iter().map(|touch| {
            let of = |all: &[f64]| {
                [0, 1, 2].map(|k| if k < touch.rows { all[touch.first + k] } else { 0.0 })
            };
            let (impulse, after) = (of(impulses), of(w));
            let slips = after[1].hypot(after[2]) > STILL * speed;
            let ending = match impulse == [0.0; 3] {
                true => Ending::Apart,
                false if slips => Ending::Slid,
                false => Ending::Stuck,
            };
            let separates = after[0] > STILL * speed;
            let (part, gap) = (touch.part, touch.gap);
            Struck { part, gap, impulse, before: of(before), after, ending, separates }
        }));
    }
}

/// What is struck next, and the fastest approach; none if nothing approaches.
fn next(motion: &Motion<'_>) -> Option<(Range<usize>, f64)> {
    let mut fastest = (0, 0.0);
    for (k, touch) in motion.touches.iter().enumerate() {
        let approach = -motion.w[touch.first];
        if approach > STILL * motion.speed && approach > fastest.1 {
            fastest = (k, approach);
        }
    }
    let (k, approach) = fastest;
    let chosen = match motion.law.sequence {
        Sequence::Simultaneous => 0..motion.touches.len(),
        Sequence::Sequential => k..k + 1,
    };
    (approach > 0.0).then_some((chosen, approach))
}

/// p += Jᵀ Λ.
fn add_force((rows, impulses): (&[f64], &[f64]), p: &mut [f64]) {
    let rows = rows.chunks_exact(p.len().max(1));
    rows.zip(impulses).for_each(|(row, impulse)| crate::slices::add(p, *impulse, row));
}

/// What is missing of M (v⁺ − v⁻) = p, by the largest term.
fn imbalance(mass: &[f64], (v, v_plus): (&[f64], &[f64]), p: &[f64]) -> f64 {
    let nv = p.len();
    let (mut most, mut size): (f64, f64) = (0.0, f64::MIN_POSITIVE);
    for (i, p) in p.iter().enumerate() {
        let mut sum = -p;
        for ((column, after), before) in columns(mass, nv).zip(v_plus).zip(v) {
            sum += column[i] * (after - before);
            size = size.max((column[i] * after).abs()).max((column[i] * before).abs());
        }
        most = worse(most, sum.abs());
        size = size.max(p.abs());
    }
    most / size
}
