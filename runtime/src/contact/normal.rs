//! Laws of normals: what velocity a formulation demands along the normal of what may touch.

use super::Error;
use super::anitescu_potra::AnitescuPotra;
use super::demand::{Approach, Demand};
use super::stewart_trinkle::Gap;
use super::todorov::Todorov;

/// What a formulation demands of a unilateral constraint, beside friction.
pub(crate) trait NormalLaw {
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
    #[inline]
    pub(super) fn law(&self) -> &dyn NormalLaw {
        match self {
            Self::Gap => &Gap,
            Self::Velocity(law) => law,
        }
    }
}
