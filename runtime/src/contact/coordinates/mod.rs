//! What acts on single coordinates, which needs no rows: motors with bounds, dry friction and limits.
//!
//! Each is at one of its bounds, where its impulse is known, or between them, where it is linear in the velocity of its
//! coordinate: there it adds to the inertia of that coordinate and to the momentum of the step,
//!
//! > Λ = c − G s v⁺:  (M + δ + G)(v⁺ − ṽ) = h (f − b) + s c − G ṽ + Jᵀ Λ_J
//!
//! so that a problem of contacts is left, which is solved exactly. The projection of Λ − ρ w says whether a law is at a bound or
//! between. It is asked again after each solution until nothing changes, which is Newton's method for a piecewise linear function.
//! Where joints of one limb rub, laws that change together may do so in a cycle. So after a few passes none goes from one bound to
//! the other without being between them, and soon only those change that are furthest from where they should be. A pass in which no
//! solution of the contacts is found by Coulomb's law goes on from that of the convex law; the last pass does not.
//!
//! A law with σ = 0 holds its coordinate. It gets the finite inertia κ ρ and carries its impulse, Λ ← Λ − κ ρ w, so that w = 0
//! exactly where Λ no longer changes. ρ is the entry of the coordinate in the diagonal of M + δ.
//!
//! Where laws are regularised in proportion to A, that is A without G: it is known from dynamics without these laws.
//!
//! The start of Λ is that of the last step. Where a law held its coordinate, the change of the applied impulses since then is taken
//! off. If nothing moves, this is the solution.
//!
//! The balance of momentum is judged with M + δ and the impulses Λ, not with G and c: G is so large that errors would hide in it.
//!
//! # Source
//!
//! Derived here. Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton Like Solution Methods (1991) for
//! the projections; Rockafellar: Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex Programming
//! (1976) for what holds.

mod law;
mod list;
mod solve;
#[cfg(test)]
mod tests;

use alloc::vec;
use alloc::vec::Vec;

use self::law::{Law, Row};
use super::impulse::Impulse;
use super::limit::configuration_index;
use crate::arithmetic::Lanes;
use crate::cone::LANES;
use crate::fours;
use crate::kernel::Real;
use crate::manifold;
use crate::model::{Robot, Table};

/// What a law is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Motor,
    DryFriction,
    /// The lower end of a coordinate, which pushes up.
    Lower,
    /// The upper end, which pushes down: its impulse is at most zero here.
    Upper,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Motor, Self::DryFriction, Self::Lower, Self::Upper];

    /// The impulse of a step on a coordinate.
    fn read(self, impulse: &Impulse, v: usize) -> f64 {
        match self {
            Self::Motor => impulse.motors[v],
            Self::DryFriction => impulse.dry_friction[v],
            Self::Lower => impulse.limits[v][0],
            Self::Upper => -impulse.limits[v][1],
        }
    }

    /// Adds the impulses to those of the coordinates from `v` on.
    #[inline(always)]
    fn add<A: Real>(self, of: &[f64; LANES], v: usize, impulse: &mut Impulse) {
        match self {
            Self::Motor => fours::add::<A>(&mut impulse.motors, v, A::Quad::pack(*of)),
            Self::DryFriction => fours::add::<A>(&mut impulse.dry_friction, v, A::Quad::pack(*of)),
            Self::Lower => {
                impulse.limits[v..].iter_mut().zip(of).for_each(|(to, of)| to[0] += *of);
            }
            Self::Upper => {
                impulse.limits[v..].iter_mut().zip(of).for_each(|(to, of)| to[1] -= *of);
            }
        }
    }
}

/// A law that acts on some of four successive coordinates.
#[derive(Clone, Debug)]
struct Acting {
    kind: Kind,
    /// The first coordinate of the four.
    first: usize,
    law: Law,
}

/// The laws that act, of each kind one for every four successive coordinates of which it acts on some.
///
/// Two fours may share coordinates; each coordinate has its laws in one of them.
#[derive(Clone, Debug)]
struct Laws {
    /// The first coordinate of each four.
    firsts: Vec<usize>,
    /// Of each coordinate its four, and its lane; `None` of those that turn with others, which have no laws here.
    places: Vec<Option<(usize, usize)>>,
    acting: Vec<Acting>,
    /// Where these are, by kind and four.
    indices: [Vec<Option<usize>>; Kind::ALL.len()],
}

impl Laws {
    fn new(table: &Table) -> Self {
        let (mut firsts, mut places) = (Vec::new(), vec![None; table.nv]);
        let has_place = |of: &(usize, _)| configuration_index(table.joints, of.0).is_some();
        for (v, place) in places.iter_mut().enumerate().filter(has_place) {
            let is_in = |first: &&usize| v < **first + LANES;
            let first = firsts.last().filter(is_in).copied().unwrap_or_else(|| {
                let first = v.min(table.nv.saturating_sub(LANES));
                firsts.push(first);
                first
            });
            *place = Some((firsts.len() - 1, v - first));
        }
        let indices = Kind::ALL.map(|_| vec![None; firsts.len()]);
        Self { firsts, places, acting: Vec::new(), indices }
    }

    fn clear(&mut self) {
        self.acting.clear();
        self.indices.iter_mut().for_each(|of| of.fill(None));
    }

    /// That of a kind for a four.
    #[inline(always)]
    fn get_mut(&mut self, kind: Kind, four: usize) -> Option<&mut Law> {
        let index = self.indices[kind as usize][four]?;
        self.acting.get_mut(index).map(|acting| &mut acting.law)
    }

    /// Adds the impulses to these.
    #[inline(always)]
    fn write<A: Real>(&self, impulse: &mut Impulse) {
        for Acting { kind, first, law } in &self.acting {
            kind.add::<A>(&law.impulse, *first, impulse);
        }
    }

    /// Has a row of a kind act on a coordinate, as [`Law::put`] does. Returns false if a row of this kind acts there already, or if
    /// the coordinate has no laws here.
    #[inline(always)]
    fn put(&mut self, kind: Kind, v: usize, row: &Row, (impulse, velocity): (f64, f64)) -> bool {
        let Some((four, lane)) = self.places[v] else { return false };
        let Self { acting, indices, firsts, .. } = self;
        let index = *indices[kind as usize][four].get_or_insert(acting.len());
        if index == acting.len() {
            acting.push(Acting { kind, first: firsts[four], law: Law::default() });
        }
        acting[index].law.put(lane, row, impulse, velocity)
    }
}

/// What acts on single coordinates in a step, and room for it.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    laws: Laws,
    /// Whether the step was solved with these laws.
    pub(super) are_used: bool,
    /// Whether the laws and the contacts have impulses from which the next solver may start.
    has_start: bool,
    /// Whether a law has no bounds and does not give way.
    insists: bool,
    /// How many of the step's candidates have a law.
    taken: usize,
    /// Impulses of all that acts on coordinates but does not hold them, (nv): in the step before, and in this one.
    applied: [Vec<f64>; 2],
    /// Whether the latter are known.
    knows_applied: bool,
    /// ρ, (nv), and what it is before it is known: that in the neutral configuration.
    inertia: Vec<f64>,
    typical: Vec<f64>,
    /// G of each coordinate, (nv).
    slopes: Vec<f64>,
    /// δ and the force beside what they add, (nv).
    added: Vec<f64>,
    force: Vec<f64>,
    /// By how much the force changes, (nv).
    change: Vec<f64>,
}

impl Coordinates {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        let table = robot.table();
        let zeros = || vec![0.0; table.nv];
        let (mut q, mut mass) = (vec![0.0; table.nq], vec![0.0; table.nv * table.nv]);
        manifold::neutral(table.joints, &mut q);
        robot.mass_matrix_into(&q, &mut mass);
        // There it may be singular.
        let typical = |mass: f64| if mass > 0.0 && mass.is_finite() { mass } else { 1.0 };
        let typical: Vec<f64> = mass.iter().step_by(table.nv + 1).map(|m| typical(*m)).collect();
        Self {
            laws: Laws::new(table),
            are_used: false,
            has_start: false,
            insists: false,
            taken: 0,
            applied: [zeros(), zeros()],
            knows_applied: false,
            inertia: typical.clone(),
            typical,
            slopes: zeros(),
            added: zeros(),
            force: zeros(),
            change: zeros(),
        }
    }

    /// G of the laws that the last step was solved with, (nv), if it was.
    #[inline(always)]
    pub(super) fn slopes(&self) -> Option<&[f64]> {
        self.are_used.then_some(&self.slopes)
    }

    /// Begins a step, without laws so far. Returns whether what else acted in the step before is known.
    #[inline(always)]
    pub(super) fn begin(&mut self) -> bool {
        (self.are_used, self.has_start) = (false, false);
        core::mem::take(&mut self.knows_applied)
    }

    /// Forgets the last step.
    pub(super) fn forget(&mut self) {
        self.inertia.copy_from_slice(&self.typical);
        self.knows_applied = false;
    }
}
