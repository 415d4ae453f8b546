//! Poses and Jacobians of declared frames, from what the kernels give in the frames' own axes.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector6;

use crate::frame::{Pose, ReferenceFrame};
use crate::kernel::Input;
use crate::space;

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

/// [`Model::write_frame`](super::Model::write_frame).
pub(super) type FrameEntry = fn(usize, FrameQuantity, &Input<'_, f64>, &mut [f64]);

/// The declared frames of a robot, each by its place in [`FRAMES`](super::Model::FRAMES).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames<'a> {
    pub(super) write: FrameEntry,
    pub(super) numbers: &'a [f64],
}

impl Frames<'_> {
    fn write(
        &self,
        frame: usize,
        quantity: FrameQuantity,
        (q, v): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        let input = Input { fields: self.numbers, q, v, ..Input::default() };
        (self.write)(frame, quantity, &input, out);
    }

    /// The pose of a frame in the world.
    pub(crate) fn pose(&self, frame: usize, q: &[f64]) -> Pose {
        let mut out = [f64::NAN; 12];
        self.write(frame, FrameQuantity::Pose, (q, &[]), &mut out);
        Pose::from_slice(&out)
    }

    /// Writes the Jacobian, (6, nv) column by column, linear first.
    pub(crate) fn jacobian(
        &self,
        frame: usize,
        reference: ReferenceFrame,
        q: &[f64],
        out: &mut [f64],
    ) {
        self.write(frame, FrameQuantity::Jacobian, (q, &[]), out);
        if reference != ReferenceFrame::Local {
            reference.turn_columns(&self.pose(frame, q), out);
        }
    }

    /// Writes the Jacobian, (6, nv), and returns J̇ v.
    pub(crate) fn rows(
        &self,
        frame: usize,
        reference: ReferenceFrame,
        (q, v): (&[f64], &[f64]),
        jacobian: &mut [f64],
    ) -> Vector6<f64> {
        let mut bias = Vector6::zeros();
        self.write(frame, FrameQuantity::Bias, (q, v), bias.as_mut_slice());
        self.write(frame, FrameQuantity::Jacobian, (q, v), jacobian);
        let velocity = space::combine_columns(jacobian, v);
        let pose = self.pose(frame, q);
        if reference != ReferenceFrame::Local {
            reference.turn_columns(&pose, jacobian);
        }
        reference.turn_bias(&pose, &velocity, &bias)
    }

    /// Jᵀ w of a wrench at a frame, (nv).
    pub(crate) fn wrench_force(
        &self,
        frame: usize,
        reference: ReferenceFrame,
        (q, nv): (&[f64], usize),
        wrench: &Vector6<f64>,
    ) -> Vec<f64> {
        let mut columns = vec![f64::NAN; 6 * nv];
        self.jacobian(frame, reference, q, &mut columns);
        let along = |column: &[f64]| column.iter().zip(wrench.iter()).map(|(j, w)| j * w).sum();
        columns.chunks_exact(6).map(along).collect()
    }
}
