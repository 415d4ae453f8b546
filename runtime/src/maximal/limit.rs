//! Limits of the coordinates of joints.
//!
//! A limit is a gap that never becomes negative, 0 ≤ λ ⟂ w ≥ 0:
//!
//! - of a coordinate, φ = θ − θ_min with the row of θ, and φ = θ_max − θ with its reverse. Of ranges narrower than a
//!   turn, θ is the angle that is nearest to the middle;
//! - of several, φ = C(θ₁, θ₂, …) with the row Σ (∂C/∂θₖ) Jₖ, on all bodies of these joints at once.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::f64::consts::TAU;
use core::fmt;

use nalgebra::Vector6;

use super::body::Body;
use super::joint::{Joint, Kind, entries};
use super::row::Row;

/// C, from the coordinates of joints, and its gradient, written to what is as long as they.
pub type Region = Arc<dyn Fn(&[f64], &mut [f64]) -> f64 + Send + Sync>;

/// What joints may not leave.
#[derive(Clone)]
pub enum Limit {
    /// A range of a coordinate, rad or m; its ends may be infinite.
    Range {
        /// The joint.
        joint: usize,
        /// Which of its [coordinates](Joint::coordinates_into); 0 if there is but one.
        coordinate: usize,
        /// Lower and upper end.
        ends: [f64; 2],
    },
    /// C ≥ 0 of the coordinates of hinges, sliders and screws.
    Region {
        /// The joints.
        joints: Vec<usize>,
        /// C and its gradient.
        function: Region,
    },
}

impl fmt::Debug for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { joint, coordinate, ends } => f
                .debug_struct("Range")
                .field("joint", joint)
                .field("coordinate", coordinate)
                .field("ends", ends)
                .finish(),
            Self::Region { joints, .. } => {
                f.debug_struct("Region").field("joints", joints).finish_non_exhaustive()
            }
        }
    }
}

/// φ and its row on some bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// φ, in rad, m or whatever unit C has; positive within the limit.
    pub value: f64,
    /// The row of φ̇ on each body: linear, then angular, in world axes.
    pub entries: Vec<(usize, Vector6<f64>)>,
}

impl Limit {
    /// Its gaps: one of a region, and one of each finite end of a range; none of joints that have no coordinate, as
    /// balls, or of regions of joints that have not one.
    pub fn gaps(&self, joints: &[Joint], bodies: &[Body]) -> Vec<Gap> {
        match self {
            Self::Range { joint, coordinate, ends: [lower, upper] } => {
                let Some(joint) = joints.get(*joint) else { return Vec::new() };
                let mut rows = Vec::new();
                joint.coordinates_into(bodies, &mut rows);
                let Some(row) = rows.get(*coordinate) else { return Vec::new() };
                let is_angle = row.jacobian[1].fixed_rows::<3>(0).amax() == 0.0;
                let value = match joint.kind {
                    // The displacement of a screw says how often it has gone round.
                    Kind::Helical { .. } => row.value,
                    _ if is_angle && upper - lower < TAU => {
                        nearest(row.value, 0.5 * (lower + upper))
                    }
                    _ => row.value,
                };
                let ends = [(value - lower, 1.0), (upper - value, -1.0)];
                let finite = ends.into_iter().filter(|(gap, _)| gap.is_finite());
                finite
                    .map(|(value, sign)| Gap {
                        value,
                        entries: entries(joint, row, sign).collect(),
                    })
                    .collect()
            }
            Self::Region { joints: of, function } => {
                let row = |&joint: &usize| {
                    let joint = joints.get(joint)?;
                    Some((joint, joint.coordinate(bodies)?))
                };
                let all = of.iter().map(row);
                let Some(rows) = all.collect::<Option<Vec<_>>>() else { return Vec::new() };
                let values: Vec<f64> = rows.iter().map(|(_, row)| row.value).collect();
                let mut gradient = alloc::vec![0.0; values.len()];
                let value = function(&values, &mut gradient);
                let weighted = rows.iter().zip(&gradient);
                let entries =
                    weighted.flat_map(|((joint, row), &weight)| entries(joint, row, weight));
                alloc::vec![Gap { value, entries: entries.collect() }]
            }
        }
    }

    /// The joints and which coordinate of each, which must be the only one in a region.
    pub(super) fn coordinates(&self) -> Vec<(usize, usize)> {
        match self {
            Self::Range { joint, coordinate, .. } => alloc::vec![(*joint, *coordinate)],
            Self::Region { joints, .. } => joints.iter().map(|&joint| (joint, 0)).collect(),
        }
    }
}

/// The row of a motion that a joint leaves.
pub(super) fn coordinate<'a>(
    (joint, coordinate): (usize, usize),
    joints: &'a [Joint],
    bodies: &[Body],
) -> Option<(&'a Joint, Row)> {
    let joint = joints.get(joint)?;
    Some((joint, joint.rate(coordinate, bodies)?))
}

/// The angle that differs from `angle` by whole turns and is nearest to `middle`, if that is finite.
fn nearest(angle: f64, middle: f64) -> f64 {
    if middle.is_finite() { middle + libm::remainder(angle - middle, TAU) } else { angle }
}
