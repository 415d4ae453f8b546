//! The impact of one contact by Stronge's law, followed along its normal impulse.
//!
//! With p = Λ_n as the independent variable, forces of contact being so large that nothing else matters and
//! positions stay,
//!
//! > dw/dp = A (1, r),  r = −μ ŝ where it slips along ŝ = w_t/‖w_t‖,  r = f* = −A_tt⁻¹ a where it sticks,
//!
//! for A = J M⁻¹ Jᵀ = [A_nn aᵀ; a A_tt]. It sticks if ‖f*‖ ≤ μ, and so to the end; else slip begins again, along the
//! one direction that keeps to itself, a − μ A_tt ŝ = k ŝ with k > 0, hence
//!
//! > ŝ = (μ A_tt + k)⁻¹ a,  ‖ŝ‖ = 1,
//!
//! whose left side falls from ‖f*‖/μ > 1 to zero as k grows: there is one k. The work of the normal force is
//! W = ∫ w_n dp. What w_n < 0 takes is compression, and the impact is over when w_n > 0 has returned e² of it,
//!
//! > ∫ w_n⁺ dp = e² ∫ w_n⁻ dp,
//!
//! so that friction is not made up for, and no energy can be gained. Newton's e, of velocities, and Poisson's, of impulses, are
//! the same wherever slip keeps its direction.
//!
//! Slip in a plane, or along a direction that stays, is straight: w is linear in p, W quadratic, and all events are in closed
//! form. Other slip turns; its angle θ and speed s obey equations that are regular where slip ends,
//!
//! > θ' = ŝ⊥ · c(θ),  (ln s)' = ŝ · c(θ),  w_n' = s (A_nn + aᵀ r),  p' = s,  W' = s w_n,  c = a + A_tt r,
//!
//! with the derivative along dp/s (see `slip`).
//!
//! # Source
//!
//! Routh: Dynamics of a System of Rigid Bodies, Advanced Part (1905), chapter on impulses, for p as the variable and for
//! planar impacts; Keller: Impact with Friction, Journal of Applied Mechanics 53 (1986), for its equations in space;
//! Stronge: Rigid Body Collisions with Friction, Proceedings of the Royal Society A 431 (1990), and Impact Mechanics
//! (2000), for the energetic coefficient; Batlle: Rough Balanced Collisions, Journal of Applied Mechanics 63 (1996), for
//! the direction along which slip begins again.

mod onset;
mod path;
mod single;
mod slip;
mod stretch;

use crate::slices::worse;

pub(super) use path::Path;
pub(super) use single::{Failure, Single};

impl Path<'_> {
    /// How far an end with the velocities w⁺ along normal and tangents is from the law: by the impulse, what pulls and what
    /// is outside of the cone; by the speed of the impact s, what still approaches; and by s²/A_nn, what expansion has not
    /// returned of e² of the work of compression, and what all forces did beyond the normal one, friction being a loss.
    pub(super) fn residual(&self, after: [f64; 3]) -> f64 {
        let [n, x, y] = self.impulse;
        let largest = n.abs().max(f64::MIN_POSITIVE);
        let outside = (libm::hypot(x, y) - self.of.friction * n).max(0.0) / largest;
        let (pulls, approach) = ((-n).max(0.0) / largest, (-after[0]).max(0.0));
        let ends = self.impulse.iter().zip(self.of.w.iter().zip(after));
        let work: f64 =
            ends.map(|(impulse, (before, after))| 0.5 * impulse * (before + after)).sum();
        let gained = (work - (self.returned - self.taken)).max(0.0);
        let [owed, gained] = [self.owed().abs(), gained].map(|work| self.of.a[0][0] * work);
        [outside, pulls, approach, owed, gained].into_iter().fold(0.0, worse)
    }
}

/// Straight and turning stretches of a path, more than which no impact has.
const STRETCHES: usize = 64;

impl Single {
    /// The path to the end of the impact.
    pub(super) fn path(&self) -> Result<Path<'_>, Failure> {
        if self.a[0][0] <= 0.0 {
            return Err(Failure::Immovable);
        }
        let mut path = Path::new(self);
        for _ in 0..STRETCHES {
            if path.is_over() {
                return Ok(path);
            }
            path.go_on()?;
        }
        Err(Failure::Unending)
    }
}

#[cfg(test)]
mod tests {
    use super::Single;

    /// A path that returns too much or too little, and an end that has gained energy, are seen.
    #[test]
    fn what_is_not_the_law_has_a_residual() {
        let a = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        let single = Single { a, w: [-1.0, 0.5, 0.2], friction: 0.1, restitution: 0.5 };
        let Ok(path) = single.path() else { panic!("it bounces") };
        let after = path.w;
        assert!((after[0] - 0.5).abs() < 1e-14 && path.residual(after) < 1e-14);
        let mut other = path;
        other.returned += 0.01;
        assert!((other.residual(after) - 0.01).abs() < 1e-12);
        let gained = [after[0] + 0.5, after[1], after[2]];
        assert!(path.residual(gained) > 0.2);
    }
}
