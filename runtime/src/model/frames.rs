//! Poses and Jacobians of declared frames, from what the kernels give in the frames' own axes.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector6;

use crate::description::FrameId;
use crate::frame::{Pose, ReferenceFrame};
use crate::space::{self, Storage};

use super::{Model, Robot, with_data};

/// What is generated for each declared frame, in the frame's own axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameQuantity {
    /// Its pose in the world: rotation (9, column by column), position (3).
    Pose,
    /// Its Jacobian, (6, nv), linear rows first.
    Jacobian,
    /// Its classical acceleration at v̇ = 0, (6), linear first.
    Bias,
}

pub(super) fn pose<M: Model>(model: &M, frame: FrameId<M>, q: &M::Q) -> Pose {
    with_data(model, |robot| pose_of(robot, frame.index(), q.as_slice()))
}

/// The pose of a frame in the world.
pub(crate) fn pose_of(robot: Robot<'_>, frame: usize, q: &[f64]) -> Pose {
    let mut out = [f64::NAN; 12];
    robot.frame_into(frame, FrameQuantity::Pose, (q, &[]), &mut out);
    Pose::from_slice(&out)
}

pub(super) fn jacobian<M: Model>(
    model: &M,
    frame: FrameId<M>,
    reference: ReferenceFrame,
    q: &M::Q,
    out: &mut [f64],
) {
    with_data(model, |robot| {
        let (frame, q) = (frame.index(), q.as_slice());
        robot.frame_into(frame, FrameQuantity::Jacobian, (q, &[]), out);
        if reference != ReferenceFrame::Local {
            reference.turn_columns(&pose_of(robot, frame, q), out);
        }
    });
}

pub(super) fn bias<M: Model>(
    model: &M,
    frame: FrameId<M>,
    reference: ReferenceFrame,
    q: &M::Q,
    v: &M::V,
) -> Vector6<f64> {
    let mut jacobian = vec![f64::NAN; 6 * M::NV];
    let state = (q.as_slice(), v.as_slice());
    with_data(model, |robot| rows(robot, frame.index(), reference, state, &mut jacobian))
}

/// Writes the Jacobian, (6, nv), and returns the bias.
pub(crate) fn rows(
    robot: Robot<'_>,
    frame: usize,
    reference: ReferenceFrame,
    (q, v): (&[f64], &[f64]),
    jacobian: &mut [f64],
) -> Vector6<f64> {
    let mut bias = Vector6::zeros();
    robot.frame_into(frame, FrameQuantity::Bias, (q, v), bias.as_mut_slice());
    robot.frame_into(frame, FrameQuantity::Jacobian, (q, v), jacobian);
    let velocity = space::combine_columns(jacobian, v);
    let pose = pose_of(robot, frame, q);
    if reference != ReferenceFrame::Local {
        reference.turn_columns(&pose, jacobian);
    }
    reference.turn_bias(&pose, &velocity, &bias)
}

/// τ, (nv), of a wrench at a frame.
pub(crate) fn wrench_force(
    robot: Robot<'_>,
    frame: usize,
    reference: ReferenceFrame,
    q: &[f64],
    wrench: &Vector6<f64>,
) -> Vec<f64> {
    let mut columns = vec![f64::NAN; 6 * robot.nv];
    robot.frame_into(frame, FrameQuantity::Jacobian, (q, &[]), &mut columns);
    if reference != ReferenceFrame::Local {
        let mut pose = [f64::NAN; 12];
        robot.frame_into(frame, FrameQuantity::Pose, (q, &[]), &mut pose);
        reference.turn_columns(&Pose::from_slice(&pose), &mut columns);
    }
    let along = |column: &[f64]| column.iter().zip(wrench.iter()).map(|(j, w)| j * w).sum();
    columns.chunks_exact(6).map(along).collect()
}
