//! Poses and Jacobians of declared frames, from what the kernels give in the frames' own axes.

use alloc::vec;

use nalgebra::Vector6;

use crate::description::FrameId;
use crate::frame::{Pose, ReferenceFrame};
use crate::space::{self, Storage};

use super::Model;
use super::quantity::input;

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
    let mut out = [f64::NAN; 12];
    model.with_prepared(|prepared| {
        let state = input(prepared, [q.as_slice()]);
        model.write_frame(frame.index(), FrameQuantity::Pose, &state, &mut out);
    });
    Pose::from_slice(&out)
}

pub(super) fn jacobian<M: Model>(
    model: &M,
    frame: FrameId<M>,
    reference: ReferenceFrame,
    q: &M::Q,
    out: &mut [f64],
) {
    model.with_prepared(|prepared| {
        let state = input(prepared, [q.as_slice()]);
        model.write_frame(frame.index(), FrameQuantity::Jacobian, &state, out);
    });
    if reference != ReferenceFrame::Local {
        reference.turn_columns(&pose(model, frame, q), out);
    }
}

pub(super) fn bias<M: Model>(
    model: &M,
    frame: FrameId<M>,
    reference: ReferenceFrame,
    q: &M::Q,
    v: &M::V,
) -> Vector6<f64> {
    let mut jacobian = vec![f64::NAN; 6 * M::NV];
    rows(model, frame, reference, (q, v), &mut jacobian)
}

/// Writes the Jacobian, (6, nv), and returns the bias.
pub(crate) fn rows<M: Model>(
    model: &M,
    frame: FrameId<M>,
    reference: ReferenceFrame,
    (q, v): (&M::Q, &M::V),
    jacobian: &mut [f64],
) -> Vector6<f64> {
    let mut bias = Vector6::zeros();
    model.with_prepared(|prepared| {
        let state = input(prepared, [q.as_slice(), v.as_slice()]);
        let frame = frame.index();
        model.write_frame(frame, FrameQuantity::Bias, &state, bias.as_mut_slice());
        model.write_frame(frame, FrameQuantity::Jacobian, &state, jacobian);
    });
    let velocity = space::combine_columns(jacobian, v.as_slice());
    let pose = pose(model, frame, q);
    if reference != ReferenceFrame::Local {
        reference.turn_columns(&pose, jacobian);
    }
    reference.turn_bias(&pose, &velocity, &bias)
}

pub(super) fn wrench_force<M: Model>(
    model: &M,
    frame: FrameId<M>,
    reference: ReferenceFrame,
    q: &M::Q,
    wrench: &Vector6<f64>,
) -> M::V {
    let mut columns = vec![f64::NAN; 6 * M::NV];
    jacobian(model, frame, reference, q, &mut columns);
    let mut out = M::V::zeros();
    for (tau, column) in out.as_mut_slice().iter_mut().zip(columns.chunks_exact(6)) {
        *tau = column.iter().zip(wrench.iter()).map(|(j, w)| j * w).sum();
    }
    out
}
