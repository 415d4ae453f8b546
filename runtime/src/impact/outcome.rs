//! What an impact did.

use alloc::vec::Vec;
use core::fmt;

use crate::contact::{Impulse, Touching};
use crate::geometry::Feature;

/// What can be struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Of [`CONTACTS`](crate::Model::CONTACTS) the one at this place.
    Contact(usize),
    /// A point where solids, or a solid and ground, touch.
    Point(Touching, Feature),
    /// An end of the range of a velocity coordinate.
    Limit {
        /// The coordinate.
        v: usize,
        /// Whether it is the upper one.
        upper: bool,
    },
    /// Of [`LIMITS`](crate::Model::LIMITS) the one at this place.
    Declared(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Contact(k) => write!(f, "contact {k}"),
            Part::Point(Touching::Pair(k), feature) => write!(f, "point {feature:?} of pair {k}"),
            Part::Point(Touching::Ground(k), feature) => {
                write!(f, "point {feature:?} of shape {k} on the ground")
            }
            Part::Limit { v, upper: false } => write!(f, "the lower limit of coordinate {v}"),
            Part::Limit { v, upper: true } => write!(f, "the upper limit of coordinate {v}"),
            Part::Declared(k) => write!(f, "declared limit {k}"),
        }
    }
}

/// What takes part in an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Among<'a> {
    /// All whose gap is at most this, m or rad.
    Within(f64),
    /// These, whatever their gaps are, but that points of solids are found up to 1 cm apart.
    Listed(&'a [Part]),
}

/// How a part took part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It had no impulse.
    Apart,
    /// It had an impulse, and does not slip when the impact is over; limits, which have no tangents, never slip.
    Stuck,
    /// It had an impulse, and slips when the impact is over.
    Slid,
}

/// A part that took part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Struck {
    /// Which.
    pub part: Part,
    /// The gap, m or rad.
    pub gap: f64,
    /// Along normal, first and second tangent, N s or N m s; no tangents of limits.
    pub impulse: [f64; 3],
    /// The velocity along these before, m/s or rad/s; negative along the normal where it approaches.
    pub before: [f64; 3],
    /// The same after.
    pub after: [f64; 3],
    /// How.
    pub ending: Ending,
    /// Whether it moves apart when the impact is over, faster than rounding and the tolerance of solvers.
    pub separates: bool,
}

/// An impact: impulses, energy, and what each part did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Λ, of all impacts that were one after the other in sum; N s and N m s.
    pub impulse: Impulse,
    /// What took part, in the order contacts, points, limits, declared limits.
    pub parts: Vec<Struck>,
    /// The kinetic energy before and after, J.
    pub kinetic_energy: [f64; 2],
    /// ½ Λᵀ (J v⁺ + J v⁻), J: the work of all impulses, those of declared constraints among them. Negative where
    /// the impact takes energy, positive where its law gives some.
    pub work: f64,
    /// How many problems were solved one after the other.
    pub impacts: usize,
    /// Of all laws and of momentum, recomputed outside of the solvers: velocities by the largest one before, momentum
    /// by its largest term. By Stronge's law also, by the work of that speed, what of the normal force's misses e² of what
    /// compression took, and what friction gave.
    pub residual: f64,
}

impl Outcome {
    pub(super) fn new(impulse: Impulse) -> Self {
        Self {
            impulse,
            parts: Vec::new(),
            kinetic_energy: [0.0; 2],
            work: 0.0,
            impacts: 0,
            residual: 0.0,
        }
    }

    /// The change of kinetic energy, J: the same as the work, computed from velocities.
    pub fn energy_change(&self) -> f64 {
        self.kinetic_energy[1] - self.kinetic_energy[0]
    }

    /// What a part did, if it took part.
    pub fn part(&self, part: Part) -> Option<&Struck> {
        self.parts.iter().find(|struck| struck.part == part)
    }
}
