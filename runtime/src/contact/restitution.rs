//! How contacts spring back: Newton's law of velocities, and Poisson's of impulses.
//!
//! **Newton**: where a constraint closes, n v⁺ ≥ −e n v is demanded beside what the formulation demands.
//!
//! **Poisson**: a step has two phases. In the compression no finite force acts, and nothing springs back,
//!
//! > v_c = v + N M⁻¹ Gᵀ Λ_c,  0 ≤ Λ_c,n ⟂ n v_c − l_c ≥ 0,  Λ_c,t by the friction of Λ_c,n,
//!
//! with l_c = 0 where a constraint with e > 0 closes, and else the least velocity of the formulation, but none that
//! puts a penetration right. In the expansion all forces of the step act, and at least the share e of each
//! impulse of the compression comes back,
//!
//! > M(q) (v⁺ − ṽ) = h (f − b) + Gᵀ (Λ_c + Λ_e),  e Λ_c,n ≤ Λ_e,n,  Λ_e,n − e Λ_c,n ⟂ n v⁺ − l ≥ 0,
//!
//! with friction of the size μ Λ_e,n that opposes the slip at the end. So what rests has no compression and is not
//! thrown up, and what another body's impact is passed on through springs back too, though it did not approach.
//! Limits and declared constraints spring back nowhere; motors and dry friction with finite bounds are no part of the
//! compression, motors without hold their velocities in it.
//!
//! With one e and no friction neither phase adds energy to what begins apart, φ ≥ 0: v_c is the projection of v, in
//! the metric of M, onto the velocities that are allowed, which zero is among, and v⁺ that of v_c + e (v_c − v).
//! Newton's law has that too, but gives energy with friction where Poisson's takes it, as a rod at 45° shows.
//!
//! # Source
//!
//! Anitescu, Potra: Formulating Dynamic Multi-Rigid-Body Contact Problems with Friction as Solvable Linear
//! Complementarity Problems, Nonlinear Dynamics 14 (1997); Pfeiffer, Glocker: Multibody Dynamics with Unilateral
//! Contacts (1996), chapter 8.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::candidate::{Candidate, Sources};
use super::dynamics::Free;
use super::solver::NEGLIGIBLE;
use super::solver::Solved;
use super::solver::{Outcome, TOLERANCE};
use super::stepper::Core;
use super::{Approach, Conditions, Error, Formulation, Impulse, Residual};
use crate::cone::{BLOCK_ROWS, Settings};
use crate::model::Table;
use crate::slices;

/// What the coefficient of restitution e of a contact is a ratio of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restitution {
    /// Of velocities along the normal, after and before. With friction it may give energy, the more the larger e is and the
    /// more a mechanism's joints couple normal and tangents; the work of each impact is reported.
    #[default]
    Newton,
    /// Of impulses along the normal, of expansion and of compression. Forces of the step act in the expansion: where gravity
    /// presses, a bounce loses about h g of its speed.
    Poisson,
    /// Of the work of the normal force: expansion returns e² of what compression took. For one contact at a time, in
    /// [`impact`](crate::impact) alone.
    Stronge,
    /// Nothing springs back, whatever the coefficients are.
    Inelastic,
}

/// What Newton's method aims at, as a share of the residual that a step may have: it measures errors by another norm.
const SHARE: f64 = 0.1;

/// The largest residual of a solution, by b, in a step of the usual tolerance. Where weight presses, an impulse of m g h does
/// a work of m (g h)² times this in a step: with 10 ms less than 10⁻¹² of the energy of what fell by 2 cm.
const RELATIVE: f64 = 2e-11;

/// No residual that is less, relative to b, is asked of a solver: whether a step is good enough is said of its result.
const FINEST: f64 = 1e-14;

/// What the problem of a step is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// All of it, where nothing is compressed.
    Whole,
    Compression,
    Expansion,
}

impl Phase {
    /// What a solver of cones is asked for. What rests has velocities of rounding alone in a compression, relative to
    /// which nothing can be solved, and so may what rebounds in an expansion. Beside a motor, which asks for 1/h rad/s
    /// where it is a radian away, b is so large that a residual relative to it is too much for the step.
    pub(super) fn settings(self, tolerance: f64) -> Settings {
        let aim = f64::max(SHARE * tolerance, f64::MIN_POSITIVE);
        let negligible = if self == Self::Whole { 0.0 } else { NEGLIGIBLE.min(aim) };
        let tolerance = f64::max(RELATIVE * f64::min(tolerance / TOLERANCE, 1.0), FINEST);
        Settings { tolerance, negligible, aim, ..Settings::default() }
    }
}

/// The compression of a step, and room for it.
#[derive(Clone, Debug)]
pub(super) struct Compression {
    /// What is solved now.
    pub(super) phase: Phase,
    /// Λ_c.
    impulse: Impulse,
    /// How well it satisfies its law.
    pub(super) residual: Residual,
    /// The candidates and the free motion of the other phase.
    candidates: Vec<Candidate>,
    free: Free,
    /// Λ_c along the rows of the expansion, (n).
    along: Vec<f64>,
    /// Where Λ_c is kept beside Λ, while there is none.
    room: Option<Box<Impulse>>,
}

impl Restitution {
    /// # Errors
    ///
    /// [`Error::NotOffered`] of Poisson's law in convex forms, whose friction is no matter of a phase, and of Stronge's in
    /// all, whose work is no matter of a step.
    pub(super) fn check(self, formulation: &Formulation) -> Result<(), Error> {
        let not = |what| Err(Error::NotOffered { formulation: formulation.name(), what, by: None });
        match (self, formulation) {
            (Self::Poisson, Formulation::Anitescu(_) | Formulation::Todorov(_)) => {
                not("restitution by Poisson's law")
            }
            (Self::Stronge, _) => not("restitution by Stronge's law, which impacts alone have"),
            _ => Ok(()),
        }
    }

    /// The approach as demands of velocities see it, to which Newton's law alone adds something.
    #[inline]
    pub(super) fn of_velocities(self, approach: &Approach) -> Approach {
        match self {
            Self::Newton => *approach,
            _ => Approach { restitution: 0.0, ..*approach },
        }
    }
}

/// l_c, from the demand l of the expansion.
pub(super) fn least_in_compression(least: f64, approach: &Approach) -> f64 {
    if approach.restitution > 0.0 && approach.closes() { 0.0 } else { least.min(0.0) }
}

impl Compression {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            phase: Phase::Whole,
            impulse: Impulse::zeros_of(table),
            residual: Residual::default(),
            candidates: Vec::new(),
            free: Free::default(),
            along: Vec::new(),
            room: None,
        }
    }

    /// Λ_c along the rows of a candidate in the expansion, else zeros.
    #[inline]
    pub(super) fn of(&self, candidate: &Candidate) -> [f64; BLOCK_ROWS] {
        let mut along = [0.0; BLOCK_ROWS];
        if self.phase == Phase::Expansion {
            let rows = &mut along[..candidate.rows()];
            candidate.read(&self.impulse, &self.impulse.pairs, rows);
        }
        along
    }

    /// Keeps Λ_c beside Λ, if there is one.
    #[inline]
    pub(super) fn keep(&mut self, whole: &mut Impulse) {
        if self.phase == Phase::Expansion {
            let mut kept = self.room.take().unwrap_or_else(|| Box::new(self.impulse.clone()));
            kept.copy(&self.impulse);
            whole.compression = Some(kept);
        }
    }

    /// Makes room of what was kept.
    #[inline]
    pub(super) fn forget(&mut self, whole: &mut Impulse) {
        if let Some(kept) = whole.compression.take() {
            self.room = Some(kept);
        }
    }
}

impl Core {
    /// Finds the compression of a step, and includes what it presses in the problem of the expansion.
    #[inline]
    pub(super) fn compress(
        &mut self,
        state: (&[f64], &[f64]),
        laws: (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.compression.phase = Phase::Whole;
        self.compression.forget(&mut self.impulse);
        match laws.1.restitution {
            Restitution::Poisson => self.compress_by_poisson(state, laws, outcome),
            _ => Ok(()),
        }
    }

    #[cold]
    fn compress_by_poisson(
        &mut self,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
        outcome: &mut Outcome,
    ) -> Result<(), Error> {
        self.begin_compression(v, h);
        let solved = self.solve((q, v), (h, conditions), outcome);
        self.compression.residual = Residual::default();
        if solved.is_ok() {
            let mut residual = Residual::default();
            self.add_candidates(conditions, &mut residual);
            self.compression.residual = residual;
        }
        self.end_compression(v, (h, conditions));
        solved
    }

    fn begin_compression(&mut self, v: &[f64], h: f64) {
        self.compression.candidates.clone_from(&self.candidates);
        let Self { candidates, contacts, explicit, dynamics, compression, .. } = self;
        let sources = &Sources { contacts, explicit };
        candidates.retain_mut(|candidate| {
            let approach = candidate.approach(sources, dynamics, (v, h));
            candidate.compress(approach.as_ref(), v)
        });
        compression.free.set(v);
        dynamics.exchange(&mut compression.free);
        compression.phase = Phase::Compression;
    }

    fn end_compression(&mut self, v: &[f64], laws: (f64, &Conditions)) {
        let Self { candidates, compression, dynamics, impulse, start, .. } = self;
        let pressed = self.impulses.iter().any(|&impulse| impulse != 0.0);
        compression.phase = if pressed { Phase::Expansion } else { Phase::Whole };
        dynamics.exchange(&mut compression.free);
        core::mem::swap(candidates, &mut compression.candidates);
        core::mem::swap(impulse, &mut compression.impulse);
        // What was last is again what solvers start from.
        core::mem::swap(impulse, start);
        for candidate in candidates.iter_mut() {
            candidate.included |= compression.of(candidate) != [0.0; BLOCK_ROWS];
        }
        let pressed =
            compression.candidates.iter().filter(|of| compression.of(of) != [0.0; BLOCK_ROWS]);
        candidates.extend(pressed.filter_map(|of| of.limit_in_expansion(v, laws)));
    }

    /// Finds Λ of the expansion, (n).
    #[cold]
    pub(super) fn expand(&mut self, formulation: &Formulation) -> Result<Solved, Error> {
        let Self {
            candidates, contacts, explicit, compression, problem, solvers, impulses, ..
        } = self;
        slices::zeros(&mut compression.along, problem.rows());
        let mut along = core::mem::take(&mut compression.along);
        slices::zeros(&mut problem.floors, along.len());
        let included = candidates.iter().filter(|candidate| candidate.included);
        for (candidate, &first) in included.zip(&problem.firsts) {
            let rows = &mut along[first..][..candidate.rows()];
            rows.copy_from_slice(&compression.of(candidate)[..candidate.rows()]);
            problem.floors[first] = candidate.restitution(contacts, explicit) * along[first];
        }
        problem.begin_with(&along);
        slices::zeros(impulses, problem.rows());
        let solved = solvers.solve(formulation, problem, impulses);
        slices::add(impulses, 1.0, &along);
        compression.along = along;
        solved
    }
}
