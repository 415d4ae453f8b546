//! Motors of joints, as rows of the step's problem.
//!
//! > w = v⁺ − v* + σ Λ,  |Λ| ≤ h F,  w ≥ 0 where Λ is at −h F, w ≤ 0 where it is at h F, w = 0 between
//!
//! - **velocity**: v* is the wanted velocity, σ = 0: as much force as it takes, up to F.
//! - **position**: v* = γ (q* − q)/h, σ = 0: the limits of a joint set to one place, with a motor's bound;
//! - **servo**: proportional and derivative control at the end of the step, Λ = h k (q* − q − h v⁺) + h d (v_d − v⁺),
//!   is σ = 1/(h (d + h k)), v* = (d v_d + k (q* − q))/(d + h k): stable for every step and every gain.
//!
//! # Source
//!
//! Derived here; Stewart and Trinkle (1996) for such rows; Tan, Liu, Turk: Stable Proportional-Derivative
//! Controllers (2011) for gains at the end of the step.

use alloc::vec::Vec;

use super::parameter;
use super::range::Range;
use super::{Error, limit};
use crate::model::Table;

/// A motor at a velocity coordinate. Forces in N or N m. Where not q̇ = v, its position counts from where a step begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motor {
    /// Seeks a velocity.
    Velocity {
        /// In m/s or rad/s.
        velocity: f64,
        /// Largest force F ≥ 0, of which 0 does nothing; may be infinite.
        force: f64,
    },
    /// Seeks a position as limits do that are set to it.
    Position {
        /// In m or rad.
        position: f64,
        /// The share γ of what is missing that a step makes up for, from 0 to 1.
        reduction: f64,
        /// Largest force F ≥ 0, of which 0 does nothing; may be infinite.
        force: f64,
    },
    /// Spring and damper towards a position and a velocity, implicit in both.
    Servo {
        /// In m or rad.
        position: f64,
        /// In m/s or rad/s.
        velocity: f64,
        /// k ≥ 0, in N/m or N m/rad.
        stiffness: f64,
        /// d ≥ 0, in N s/m or N m s/rad.
        damping: f64,
        /// Largest force F ≥ 0, of which 0 does nothing; may be infinite.
        force: f64,
    },
}

/// The row that a motor is in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// v*.
    pub(crate) target: f64,
    /// σ.
    pub(crate) softness: f64,
    /// h F.
    pub(crate) bound: f64,
}

impl Row {
    /// Whether it is part of the motion without impulses: with no bound and σ > 0, Λ = (v* − v⁺)/σ.
    pub(super) fn is_implicit(&self) -> bool {
        self.bound == f64::INFINITY && self.softness > 0.0
    }
}

/// The rows of motors in a step.
#[derive(Clone, Debug)]
pub(super) struct Motors {
    /// Of each velocity coordinate, the configuration coordinate that it moves with q̇ = v, if it does.
    places: Vec<Option<usize>>,
    /// Each with its velocity coordinate.
    rows: Vec<(usize, Row)>,
}

impl Motors {
    pub(super) fn new(table: &Table) -> Self {
        let place = |v| limit::configuration_index(table.joints, v);
        Self { places: (0..table.nv).map(place).collect(), rows: Vec::with_capacity(table.nv) }
    }

    /// Finds the rows in a step of `h` seconds from `q`.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, q: &[f64], h: f64, motors: &[(usize, Motor)]) {
        self.rows.clear();
        if !motors.is_empty() {
            self.list(q, h, motors);
        }
    }

    fn list(&mut self, q: &[f64], h: f64, motors: &[(usize, Motor)]) {
        let Self { places, rows } = self;
        for (v, motor) in motors {
            let Some(place) = places.get(*v) else { continue };
            let row = motor.row(place.map_or(0.0, |place| q[place]), h);
            rows.extend(row.map(|row| (*v, row)));
        }
    }

    /// Those that are part of the motion without impulses.
    #[inline(always)]
    pub(super) fn implicit(&self) -> impl Iterator<Item = &(usize, Row)> {
        self.rows.iter().filter(|(_, row)| row.is_implicit())
    }

    /// Those that are rows of the step's problem.
    #[inline(always)]
    pub(super) fn bounded(&self) -> impl Iterator<Item = &(usize, Row)> {
        self.rows.iter().filter(|(_, row)| !row.is_implicit())
    }
}

impl Motor {
    /// The row of a step of `h` seconds from `q`; `None` for a servo without stiffness and damping, and for what has no force.
    pub(crate) fn row(&self, q: f64, h: f64) -> Option<Row> {
        let row = |target, softness, force: f64| {
            (force > 0.0).then_some(Row { target, softness, bound: h * force })
        };
        match *self {
            Self::Velocity { velocity, force } => row(velocity, 0.0, force),
            Self::Position { position, reduction, force } => {
                row(reduction * (position - q) / h, 0.0, force)
            }
            Self::Servo { position, velocity, stiffness, damping, force } => {
                let gain = damping + h * stiffness;
                let target = (damping * velocity + stiffness * (position - q)) / gain;
                if gain > 0.0 { row(target, 1.0 / (h * gain), force) } else { None }
            }
        }
    }

    /// The velocity that it has in a step of `h` seconds from `q`, whatever the force: that of a motor
    /// without bound that is no spring.
    pub(crate) fn insists_on(&self, q: f64, h: f64) -> Option<f64> {
        let row = self.row(q, h)?;
        (row.bound == f64::INFINITY && row.softness == 0.0).then_some(row.target)
    }

    /// Whether all entries are in their ranges.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] names the one that is not.
    #[inline]
    pub fn check(&self) -> Result<(), Error> {
        if self.is_possible() { Ok(()) } else { self.check_each() }
    }

    /// Whether all entries are in their ranges, by a sum, which is not finite where a term is not.
    #[inline]
    fn is_possible(&self) -> bool {
        match *self {
            Self::Velocity { velocity, force } => velocity.is_finite() & (force >= 0.0),
            Self::Position { position, reduction, force } => {
                position.is_finite() & Range::Share.contains(reduction) & (force >= 0.0)
            }
            Self::Servo { position, velocity, stiffness, damping, force } => {
                let are_positive = (stiffness >= 0.0) & (damping >= 0.0) & (force >= 0.0);
                are_positive & (position + velocity + stiffness + damping).is_finite()
            }
        }
    }

    /// One after the other.
    #[cold]
    fn check_each(&self) -> Result<(), Error> {
        let bounded = |force: f64| {
            if force == f64::INFINITY {
                Ok(force)
            } else {
                parameter::check("force", force, Range::NotNegative)
            }
        };
        match *self {
            Self::Velocity { velocity, force } => {
                parameter::check("velocity", velocity, Range::Finite)?;
                bounded(force)?;
            }
            Self::Position { position, reduction, force } => {
                parameter::check("position", position, Range::Finite)?;
                parameter::check("reduction", reduction, Range::Share)?;
                bounded(force)?;
            }
            Self::Servo { position, velocity, stiffness, damping, force } => {
                // Gains first: what is beside them is a place and a velocity by them.
                parameter::check("stiffness", stiffness, Range::NotNegative)?;
                parameter::check("damping", damping, Range::NotNegative)?;
                parameter::check("position", position, Range::Finite)?;
                parameter::check("velocity", velocity, Range::Finite)?;
                bounded(force)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What passes by its sum passes one after the other, and all that is ordinary passes so.
    #[test]
    fn both_checks_agree() {
        let all = [0.0, 1.0, -1.0, 1e308, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let servo = |[position, velocity, stiffness, damping, force]: [f64; 5]| Motor::Servo {
            position,
            velocity,
            stiffness,
            damping,
            force,
        };
        for k in 0..all.len().pow(5) {
            let entries = [1, 7, 49, 343, 2401].map(|by| all[k / by % all.len()]);
            let [position, velocity, reduction, _, force] = entries;
            let motors = [
                servo(entries),
                Motor::Velocity { velocity, force },
                Motor::Position { position, reduction, force },
            ];
            for motor in motors {
                let is_huge = entries.iter().filter(|x| x.abs() == 1e308).count() > 1;
                let (quick, thorough) = (motor.is_possible(), motor.check_each().is_ok());
                assert!(quick == thorough || (is_huge && thorough), "{motor:?}");
            }
        }
    }
}
