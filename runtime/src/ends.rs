//! The ends of the ranges of joint coordinates.

use crate::description::{Chart, Joint};
use crate::model::Robot;

/// One end of a coordinate with q̇ = v: φ = sign · (q − position) ≥ 0, with the row sign · e_v.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct End {
    /// Index of the configuration coordinate.
    pub(crate) q: usize,
    /// Index of the velocity coordinate.
    pub(crate) v: usize,
    /// Where it is, in m or rad.
    pub(crate) position: f64,
    /// 1 for a lower end, −1 for an upper one.
    pub(crate) sign: f64,
    /// The name of the joint.
    pub(crate) joint: &'static str,
}

impl End {
    /// The ends that a robot has, coordinate by coordinate, the lower one first.
    pub(crate) fn all(robot: Robot<'_>) -> impl Iterator<Item = Self> + use<> {
        let coordinates = robot.coordinate_parameters();
        let linear = robot.table().joints.iter().filter(|joint| joint.chart == Chart::Vector);
        let all = linear.flat_map(|joint: &Joint| (0..joint.nv).map(move |k| (joint, k)));
        let ends = all.flat_map(move |(joint, k)| {
            let (q, v) = (joint.q + k, joint.v + k);
            let ends = coordinates.get(v).map_or([f64::NAN; 2], |range| range.position);
            [(ends[0], 1.0), (ends[1], -1.0)].map(|(position, sign)| Self {
                q,
                v,
                position,
                sign,
                joint: joint.name,
            })
        });
        ends.filter(|end| end.position.is_finite())
    }

    /// φ in m or rad.
    #[inline]
    pub(crate) fn gap(&self, q: &[f64]) -> f64 {
        self.sign * (q[self.q] - self.position)
    }

    /// Of lower and upper, which it is: its place in a pair of both.
    #[inline]
    pub(crate) fn side(&self) -> usize {
        usize::from(self.sign < 0.0)
    }
}
