//! Whether rounding leaves anything of the velocities of a step.
//!
//! v⁺ is what impulses leave of v_free, and known to a share of that: of rounding, or of the residual where that is more. Where
//! forces, stiffnesses or the step itself are so large that v_free is beyond all that v and v⁺ are, the share may be more
//! than these, or more than what gaps are in such a step, and a residual that is relative to v_free does not show it.

use super::dynamics::Dynamics;
use super::stepper::Core;
use crate::fours;
use crate::kernel::Real;
use crate::slices::{larger, largest};

/// The largest error of v⁺ in m/s or rad/s, or in m or rad of a step, or by what v and v⁺ are if that is more.
const MOST: f64 = 1e-6;

/// So many times the tolerance is accepted too: what is solved to that, and is a thousandth of v_free, is no accident.
const SHARE: f64 = 1e3;

/// A velocity without impulses that hides v⁺.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hidden {
    /// Its coordinate.
    pub(crate) v: usize,
    /// What it is, m/s or rad/s.
    pub(crate) velocity: f64,
    /// What it may be.
    pub(crate) most: f64,
}

/// By how many times a velocity without impulses may be more than what these leave of it, with this residual and tolerance.
#[inline(always)]
pub(crate) fn allowed(residual: f64, tolerance: f64) -> f64 {
    larger(MOST, SHARE * tolerance) / larger(residual, f64::EPSILON)
}

impl Hidden {
    /// The fastest of the velocities without impulses that are beyond what they may be.
    pub(crate) fn find<'a>(all: impl Iterator<Item = (usize, &'a f64)>, most: f64) -> Option<Self> {
        let beyond = all.filter(|(_, velocity)| velocity.abs() > most);
        let fastest = beyond.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        fastest.map(|(v, &velocity)| Self { v, velocity, most })
    }
}

impl Core {
    /// Whether v⁺ of the last step, which was of `h` seconds from `v` with this residual, is hidden in what rounding makes of
    /// v_free. As a rule the size of v_free alone says that it is not.
    #[inline(always)]
    pub(crate) fn hidden<A: Real>(
        &self,
        v: &[f64],
        h: f64,
        (residual, tolerance): (f64, f64),
    ) -> Option<Hidden> {
        let allowed = allowed(residual, tolerance);
        let mut size = fours::bound::<A>(self.dynamics.free());
        if let Dynamics::Dense(dense) = &self.dynamics {
            size = larger(fours::bound::<A>(dense.unheld()), size);
        }
        if larger(1.0, h) * size <= allowed { None } else { self.find_hidden(v, h, allowed) }
    }

    #[cold]
    fn find_hidden(&self, v: &[f64], h: f64, allowed: f64) -> Option<Hidden> {
        let moves = larger(largest(v), largest(&self.velocity));
        let most = allowed * larger(moves, f64::min(1.0, 1.0 / h));
        let unheld = match &self.dynamics {
            Dynamics::Dense(dense) => dense.unheld(),
            Dynamics::Tree(_) => &[],
        };
        let all = self.dynamics.free().iter().enumerate().chain(unheld.iter().enumerate());
        Hidden::find(all, most)
    }
}
