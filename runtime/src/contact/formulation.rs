//! Which velocity a unilateral constraint demands at the end of a step.
//!
//! > n v⁺ ≥ l,  l from the formulation; where the constraint closes and e > 0, l ≥ −e n v as well
//!
//! The latter is Newton's law of impact. A constraint closes in a step if its velocity at the
//! beginning takes it to φ + h n v ≤ 0 with n v < 0, so that a body at rest is not thrown up by
//! what gravity adds within the step. Restitution is a matter of the normal row alone. With e = 0
//! the formulation decides alone: Stewart and Trinkle's lets the gap close first.

use super::anitescu_potra::AnitescuPotra;
use super::stewart_trinkle;

/// What a unilateral constraint demands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Formulation {
    /// No gap is negative at the end of the step.
    #[default]
    StewartTrinkle,
    /// What touches does not approach.
    AnitescuPotra(AnitescuPotra),
}

/// A unilateral constraint at the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// φ, in metres or radians, positive apart.
    pub gap: f64,
    /// n v, in m/s or rad/s, positive when parting.
    pub velocity: f64,
    /// e, from 0 to 1.
    pub restitution: f64,
    /// h, in seconds.
    pub step_size: f64,
}

impl Formulation {
    /// The least n v⁺ in m/s or rad/s, or `None` where the constraint is not active.
    ///
    /// # Source
    ///
    /// The headers of the two formulations' files, and Newton's law.
    pub fn least_velocity(&self, approach: &Approach) -> Option<f64> {
        let Approach { gap, velocity, restitution, step_size } = *approach;
        let least = match self {
            Formulation::StewartTrinkle => stewart_trinkle::least_velocity(gap, step_size),
            Formulation::AnitescuPotra(law) => law.least_velocity(gap, step_size)?,
        };
        let closes = velocity < 0.0 && gap + step_size * velocity <= 0.0;
        if closes && restitution > 0.0 {
            Some(least.max(-restitution * velocity))
        } else {
            Some(least)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AnitescuPotra, Approach, Formulation};

    const APPROACH: Approach =
        Approach { gap: 0.5, velocity: -2.0, restitution: 0.5, step_size: 0.25 };

    fn least(formulation: Formulation, gap: f64, velocity: f64) -> Option<f64> {
        formulation.least_velocity(&Approach { gap, velocity, ..APPROACH })
    }

    #[test]
    fn restitution_acts_where_the_gap_closes() {
        let law = Formulation::StewartTrinkle;
        assert_eq!(least(law, 0.5, -2.0), Some(1.0));
        assert_eq!(least(law, 0.51, -2.0), Some(-2.04));
        assert_eq!(least(law, -1.0, -2.0), Some(4.0));
        assert_eq!(least(law, 0.0, 0.0), Some(0.0));
        assert_eq!(least(law, -0.5, 1.0), Some(2.0));
    }

    #[test]
    fn velocity_level_sees_what_is_within_its_margin() -> Result<(), super::super::Error> {
        let law = Formulation::AnitescuPotra(AnitescuPotra::new(0.5, 0.1)?);
        assert_eq!(least(law, 0.11, -2.0), None);
        assert_eq!(least(law, 0.1, 0.0), Some(-0.2));
        assert_eq!(least(law, -0.1, 0.0), Some(0.2));
        assert_eq!(least(law, 0.1, -2.0), Some(1.0));
        assert_eq!(least(law, f64::NAN, -2.0), None);
        Ok(())
    }

    #[test]
    fn parameters_out_of_range_are_named() {
        for (gamma, margin) in
            [(-0.1, 0.0), (1.1, 0.0), (f64::NAN, 0.0), (1.0, -1.0), (1.0, f64::NAN)]
        {
            assert!(AnitescuPotra::new(gamma, margin).is_err(), "{gamma} {margin}");
        }
    }
}
