//! The unilateral constraints and the dry friction of a model, listed once.

use alloc::vec::Vec;

use crate::description::{Chart, CoordinateParameters, Joint};

/// One end of a joint coordinate's range: φ = sign · (q − position) with the row sign · e_v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limit {
    /// Index of the configuration coordinate.
    pub(super) q: usize,
    /// Index of the velocity coordinate.
    pub(super) v: usize,
    /// Whether it is the upper end.
    pub(super) upper: bool,
    position: f64,
}

impl Limit {
    /// 1 for a lower end, −1 for an upper one.
    pub(super) fn sign(&self) -> f64 {
        if self.upper { -1.0 } else { 1.0 }
    }

    /// φ, in metres or radians.
    pub(super) fn gap(&self, q: &[f64]) -> f64 {
        self.sign() * (q[self.q] - self.position)
    }
}

/// The limits of all coordinates that q̇ = v moves.
pub(super) fn limits(joints: &[Joint], coordinates: &[CoordinateParameters]) -> Vec<Limit> {
    let linear = joints.iter().filter(|joint| joint.chart == Chart::Vector);
    linear
        .flat_map(|joint| (0..joint.nv).map(|k| (joint.q + k, joint.v + k)))
        .flat_map(|(q, v)| {
            let ends = coordinates.get(v).map_or([f64::NAN; 2], |c| c.position);
            [(false, ends[0]), (true, ends[1])].map(|(upper, position)| Limit {
                q,
                v,
                upper,
                position,
            })
        })
        .filter(|limit| limit.position.is_finite())
        .collect()
}

/// The velocity coordinates that have dry friction, and its bound in N or N m.
pub(super) fn dry_friction(coordinates: &[CoordinateParameters]) -> Vec<(usize, f64)> {
    let bounds = coordinates.iter().map(|coordinate| coordinate.friction).enumerate();
    bounds.filter(|&(_, bound)| bound > 0.0).collect()
}

/// The configuration coordinate that a velocity coordinate moves with q̇ = v; `None` where there is none.
pub(super) fn configuration_index(joints: &[Joint], v: usize) -> Option<usize> {
    let joint = joints.iter().find(|joint| (joint.v..joint.v + joint.nv).contains(&v))?;
    (joint.chart == Chart::Vector).then(|| joint.q + v - joint.v)
}
