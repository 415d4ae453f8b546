//! Laws of normals: what velocity a formulation demands along the normal of what may touch.

use super::Error;
use super::anitescu::Anitescu;
use super::anitescu_potra::AnitescuPotra;
use super::demand::{Approach, Demand};
use super::stewart_trinkle::Gap;
use super::todorov::Todorov;

/// What a formulation demands of a unilateral constraint, beside friction.
pub(super) trait NormalLaw {
    /// What a constraint demands, or `None` where it is not active.
    fn demand(&self, approach: &Approach) -> Option<Demand>;

    /// The gap from which on no constraint demands anything of what does not close it.
    fn margin(&self) -> f64;

    /// # Errors
    ///
    /// [`Error::TimeConstant`] of one that is too short for steps of `h` seconds.
    fn check(&self, _h: f64) -> Result<(), Error> {
        Ok(())
    }

    /// Whether all that it demands is that no gap is negative at the end of the step.
    fn is_of_gaps(&self) -> bool {
        false
    }

    /// The springs that contacts are, if they are; their overlaps are not put right by a displacement.
    fn springs(&self) -> Option<&Todorov> {
        None
    }

    /// The share of a depth that a step puts right.
    fn stabilization(&self) -> f64 {
        1.0
    }

    /// Whether what penetrates is put right within one step, whatever its depth.
    fn recovers_at_once(&self) -> bool {
        self.springs().is_none() && self.stabilization() == 1.0
    }

    /// Whether its regularisation is in proportion to A.
    fn is_relative(&self) -> bool {
        false
    }

    /// Inertia in kg or kg m² and damping in N s/m or N m s/rad that it adds to each coordinate.
    fn implicit(&self) -> [f64; 2] {
        [0.0; 2]
    }
}

/// Any law of normals: a variant for each type.
#[derive(Clone, Copy)]
pub(crate) enum AnyNormalLaw<'a> {
    Gap,
    AnitescuPotra(&'a AnitescuPotra),
    Anitescu(&'a Anitescu),
    Todorov(&'a Todorov),
}

impl<'a> AnyNormalLaw<'a> {
    /// What the law says of itself. Each arm knows its type, so that nothing is called through a pointer.
    #[inline(always)]
    fn ask<T>(self, of: impl Fn(&'a dyn NormalLaw) -> T) -> T {
        match self {
            Self::Gap => of(&Gap),
            Self::AnitescuPotra(law) => of(law),
            Self::Anitescu(law) => of(law),
            Self::Todorov(law) => of(law),
        }
    }

    #[inline(always)]
    pub(super) fn demand(self, approach: &Approach) -> Option<Demand> {
        self.ask(|law| law.demand(approach))
    }

    #[inline(always)]
    pub(super) fn margin(self) -> f64 {
        self.ask(NormalLaw::margin)
    }

    #[inline(always)]
    pub(super) fn check(self, h: f64) -> Result<(), Error> {
        self.ask(|law| law.check(h))
    }

    #[inline(always)]
    pub(super) fn is_of_gaps(self) -> bool {
        self.ask(NormalLaw::is_of_gaps)
    }

    #[inline(always)]
    pub(super) fn springs(self) -> Option<&'a Todorov> {
        self.ask(NormalLaw::springs)
    }

    #[inline(always)]
    pub(super) fn stabilization(self) -> f64 {
        self.ask(NormalLaw::stabilization)
    }

    #[inline(always)]
    pub(crate) fn recovers_at_once(self) -> bool {
        self.ask(NormalLaw::recovers_at_once)
    }

    #[inline(always)]
    pub(super) fn is_relative(self) -> bool {
        self.ask(NormalLaw::is_relative)
    }

    #[inline(always)]
    pub(super) fn implicit(self) -> [f64; 2] {
        self.ask(NormalLaw::implicit)
    }
}

/// What a unilateral constraint demands along its normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Normal {
    /// No gap is negative at the end of the step, as Stewart and Trinkle have it.
    #[default]
    Gap,
    /// What touches does not approach, as Anitescu and Potra have it.
    Velocity(AnitescuPotra),
}

impl Normal {
    /// The law of normals that this stands for.
    #[inline]
    pub(super) fn law(&self) -> AnyNormalLaw<'_> {
        match self {
            Self::Gap => AnyNormalLaw::Gap,
            Self::Velocity(law) => AnyNormalLaw::AnitescuPotra(law),
        }
    }
}
