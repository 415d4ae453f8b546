//! Constraints in numbers.
//!
//! Random numbers are made of whole ones and are the same in every build. What is computed of them differs by
//! the rounding of the platform's sines, far less than what is told apart here.
//!
//! # Source
//!
//! Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (2014), for the numbers.

use crate::description::Requirement;
use crate::expr::Expr;
use crate::joint::Chart;

use super::super::mechanism::Mechanism;
use super::super::symbols;

/// What the symbols of constraints are.
#[derive(Clone, Debug)]
pub(super) struct State<'a> {
    pub(super) fields: &'a [f64],
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) t: f64,
}

/// How many values of the fields are looked at, among so many that are tried.
const FIELD_VALUES: (usize, usize) = (8, 64);

/// Scales of fields: lengths of about a metre first.
const SCALES: [f64; 8] = [1.0, 0.5, 2.0, -1.0, 0.2, 5.0, 0.05, 20.0];

impl<'g> Mechanism<'g> {
    pub(super) fn numbers(&self, outputs: &[Expr<'g>], state: &State<'_>) -> Vec<f64> {
        self.graph.evaluate(outputs, |symbol| match symbol.set {
            symbols::FIELD => state.fields[symbol.index as usize],
            symbols::Q => state.q[symbol.index as usize],
            symbols::V => state.v[symbol.index as usize],
            symbols::TIME => state.t,
            _ => 0.0,
        })
    }

    /// Values of the fields that the requirements allow, in general position, a few at most; one of none, if
    /// there are no fields.
    pub(super) fn field_values(&self, requirements: &[Requirement]) -> Vec<Vec<f64>> {
        let count = self.description.fields.len();
        let draws = if count == 0 { 1 } else { FIELD_VALUES.1 };
        let values = |k: usize| {
            let scale = SCALES[k % SCALES.len()];
            (0..count).map(|i| scale * (1.0 + 0.4 * number(Purpose::Fields, k, i))).collect()
        };
        let allowed = |fields: &Vec<f64>| {
            let still = vec![0.0; self.nq().max(self.nv())];
            let state = State { fields, q: &still, v: &still, t: 0.0 };
            let required = self.numbers(&self.required(requirements), &state);
            let mut rest = &required[..];
            requirements.iter().all(|requirement| {
                let (own, others) = rest.split_at(requirement.values.len());
                rest = others;
                requirement.bound.admits(own)
            })
        };
        (0..draws).map(values).filter(allowed).take(FIELD_VALUES.0).collect()
    }

    /// Zeros and unit quaternions.
    pub(super) fn rest(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq()];
        self.quaternions().into_iter().for_each(|first| q[first + 3] = 1.0);
        q
    }

    /// q + N(q) δ.
    pub(super) fn moved(&self, q: &[f64], step: &[f64]) -> Vec<f64> {
        let state = State { fields: &[], q, v: step, t: 0.0 };
        let rate = self.numbers(&self.configuration_velocity(), &state);
        self.normalized(q.iter().zip(rate).map(|(q, rate)| q + rate).collect())
    }

    /// With quaternions of unit length.
    fn normalized(&self, mut q: Vec<f64>) -> Vec<f64> {
        for first in self.quaternions() {
            let quaternion = &mut q[first..first + 4];
            let length = dot(quaternion, quaternion).sqrt();
            quaternion.iter_mut().for_each(|x| *x /= length);
        }
        q
    }

    /// The first coordinate of every quaternion.
    pub(in crate::derive) fn quaternions(&self) -> Vec<usize> {
        let joints = self.description.joints.iter().zip(&self.coordinates);
        let own = joints.filter(|(joint, _)| joint.mimic.is_none());
        own.filter_map(|(joint, &(first, _))| match joint.family.chart() {
            Chart::Vector => None,
            Chart::Quaternion => Some(first),
            Chart::Pose => Some(first + 3),
        })
        .collect()
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// What numbers are drawn for; for each there are others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Values of the fields.
    Fields,
    /// Configurations from which those that satisfy the constraints are sought, and velocities at these.
    Start,
    StartVelocity,
    /// Configurations in general position, and velocities at these.
    State,
    StateVelocity,
    /// Motions along which Jacobians are seen.
    Motion,
}

/// The `k`th number from −1 to 1 of a draw for a purpose.
pub(super) fn number(purpose: Purpose, draw: usize, k: usize) -> f64 {
    let seed = split_mix(split_mix(0, purpose as usize), draw);
    (split_mix(seed, k) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// The `k`th number of SplitMix64 from a seed.
fn split_mix(seed: u64, k: usize) -> u64 {
    let mut x = (k as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Purpose, number, split_mix};

    #[test]
    fn numbers_are_those_of_split_mix() {
        let published = [0xe220_a839_7b1d_cdaf_u64, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        for (k, expected) in published.into_iter().enumerate() {
            assert_eq!(split_mix(0, k), expected, "{k}");
        }
    }

    #[test]
    fn no_number_serves_two_purposes() {
        use Purpose::{Fields, Motion, Start, StartVelocity, State, StateVelocity};
        let mut seen = HashSet::new();
        for purpose in [Fields, Start, StartVelocity, State, StateVelocity, Motion] {
            for (draw, k) in (0..64).flat_map(|draw| (0..600).map(move |k| (draw, k))) {
                let x = number(purpose, draw, k);
                assert!(x.abs() <= 1.0 && seen.insert(x.to_bits()), "{purpose:?} {draw} {k}: {x}");
            }
        }
    }
}
