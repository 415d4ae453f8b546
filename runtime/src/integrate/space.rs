//! Phase spaces: which coordinates there are, and how large an error of each is.

use alloc::vec;
use alloc::vec::Vec;

use super::{At, Error};
use crate::description::{Chart, Joint};
use crate::manifold;
use crate::model::Model;

/// The coordinates of a phase: nq and nv of joints, and nz further ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// Joints in the order of their coordinates; neighbours with q̇ = v are one.
    joints: Vec<Joint>,
    nq: usize,
    nv: usize,
    nz: usize,
}

impl Space {
    /// That of joints, and of `extra` further states.
    pub fn new(joints: &[Joint], extra: usize) -> Self {
        let end =
            |joint: &Joint| (joint.q.saturating_add(joint.nq), joint.v.saturating_add(joint.nv));
        let ends = || joints.iter().map(end);
        let nq = ends().map(|(q, _)| q).max().unwrap_or(0);
        let nv = ends().map(|(_, v)| v).max().unwrap_or(0);
        Self { joints: merged(joints), nq, nv, nz: extra }
    }

    /// That of a robot, and of `extra` further states.
    pub fn of<M: Model>(extra: usize) -> Self {
        Self::new(M::JOINTS, extra)
    }

    /// That of so many coordinates with q̇ = v, and of `extra` further states; none of them, for an equation of
    /// first order.
    pub fn flat(coordinates: usize, extra: usize) -> Self {
        let joint = Joint {
            name: "",
            family: "",
            q: 0,
            nq: coordinates,
            v: 0,
            nv: coordinates,
            chart: Chart::Vector,
        };
        Self::new(&[joint], extra)
    }

    /// Numbers of coordinates: q, v, z.
    pub fn dimensions(&self) -> (usize, usize, usize) {
        (self.nq, self.nv, self.nz)
    }

    /// The same with so many further states more.
    pub(crate) fn extended(&self, extra: usize) -> Self {
        Self { nz: self.nz + extra, ..self.clone() }
    }

    /// Number of local coordinates y = \[θ | v | z\].
    pub(super) fn local(&self) -> usize {
        2 * self.nv + self.nz
    }

    /// The size of a local coordinate in the world, at θ = 0: one radian for those of rotations.
    pub(super) fn size(&self, q: &[f64], y: &[f64], coordinate: usize) -> f64 {
        if coordinate >= self.nv {
            return y[coordinate].abs();
        }
        let own = |joint: &&Joint| (joint.v..joint.v + lines(joint)).contains(&coordinate);
        let joint = self.joints.iter().find(own);
        joint.map_or(1.0, |joint| q[joint.q + coordinate - joint.v].abs())
    }

    pub(crate) fn joints(&self) -> &[Joint] {
        &self.joints
    }
}

/// A point of phase space at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Time in seconds.
    pub time: f64,
    /// Configuration, (nq).
    pub q: Vec<f64>,
    /// Velocity, (nv).
    pub v: Vec<f64>,
    /// Further states, (nz).
    pub z: Vec<f64>,
}

impl Phase {
    /// At rest at time zero: zeros and unit quaternions.
    pub fn neutral(space: &Space) -> Self {
        let (nq, nv, nz) = space.dimensions();
        let mut q = vec![0.0; nq];
        manifold::neutral(&space.joints, &mut q);
        Self { time: 0.0, q, v: vec![0.0; nv], z: vec![0.0; nz] }
    }

    /// As a right-hand side sees it.
    pub fn at(&self) -> At<'_> {
        At { time: self.time, q: &self.q, v: &self.v, z: &self.z }
    }

    /// Takes the numbers of another phase of the same space.
    pub(super) fn copy(&mut self, other: &Self) {
        self.time = other.time;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.z.copy_from_slice(&other.z);
    }

    /// # Errors
    ///
    /// [`Error::Length`] or [`Error::Model`] unless it is a phase of this space.
    pub(crate) fn check(&self, space: &Space) -> Result<(), Error> {
        let (nq, nv, nz) = space.dimensions();
        let parts = [("q", &self.q, nq), ("v", &self.v, nv), ("z", &self.z, nz)];
        for (quantity, values, expected) in parts {
            if values.len() != expected {
                return Err(Error::Length { quantity, expected, found: values.len() });
            }
            crate::check::finite(quantity, values)?;
        }
        crate::check::finite("time", &[self.time])?;
        Ok(manifold::check_quaternions(&space.joints, &self.q)?)
    }
}

/// Neighbours that are lines become one joint, so that loops over them are long.
fn merged(joints: &[Joint]) -> Vec<Joint> {
    let mut merged: Vec<Joint> = Vec::with_capacity(joints.len());
    for joint in joints {
        match merged.last_mut() {
            Some(last)
                if (last.chart, joint.chart) == (Chart::Vector, Chart::Vector)
                    && (last.q + last.nq, last.v + last.nv) == (joint.q, joint.v) =>
            {
                last.nq += joint.nq;
                last.nv += joint.nv;
            }
            _ => merged.push(*joint),
        }
    }
    merged
}

/// How many of a joint's local coordinates are lines: the first ones.
pub(super) fn lines(joint: &Joint) -> usize {
    let lines = match joint.chart {
        Chart::Vector => joint.nv,
        Chart::Quaternion => 0,
        Chart::Pose => 3,
    };
    lines.min(joint.nq).min(joint.nv)
}
