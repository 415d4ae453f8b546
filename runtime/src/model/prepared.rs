//! A robot that has computed once what depends on its fields alone.
//!
//! Kernels read prepared numbers instead of the struct's fields. A robot prepares them in every call;
//! here they are kept.

use alloc::vec::Vec;

use crate::description::{
    Constraint, Contact, Frame, Joint, Limit, Link, Operations, Pair, Requirement, Shape, Spring,
};
use crate::kernel::Input;
use crate::quantities::{Quantities, those_of_the_robot};

use super::{FrameQuantity, Model};

/// A robot prepared by [`Model::prepare`]: the same quantities, sooner. The frames of `M` are those
/// of `Prepared<M>` by [`into`](Into::into).
#[derive(Clone, Debug)]
pub struct Prepared<M> {
    robot: M,
    numbers: Vec<f64>,
}

impl<M: Model> Prepared<M> {
    pub(super) fn new(robot: M) -> Self {
        let numbers = robot.with_prepared(<[f64]>::to_vec);
        Self { robot, numbers }
    }
}

impl<M> Prepared<M> {
    /// What kernels read.
    #[inline]
    pub(crate) fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// The robot, whose fields are as they were prepared.
    pub fn robot(&self) -> &M {
        &self.robot
    }

    /// The robot, whose fields can be changed.
    pub fn into_robot(self) -> M {
        self.robot
    }
}

impl<M: Model> Quantities for Prepared<M> {
    those_of_the_robot!();
}

impl<M: Model> Model for Prepared<M> {
    type Q = M::Q;
    type V = M::V;
    type U = M::U;
    type Mass = M::Mass;
    type Input = M::Input;
    type Fields = M::Fields;

    const NAME: &'static str = M::NAME;
    const NQ: usize = M::NQ;
    const NV: usize = M::NV;
    const NU: usize = M::NU;
    const NC: usize = M::NC;
    const JOINTS: &'static [Joint] = M::JOINTS;
    const LINKS: &'static [Link] = M::LINKS;
    const BODIES: &'static [usize] = M::BODIES;
    const FRAMES: &'static [Frame] = M::FRAMES;
    const CONTACTS: &'static [Contact] = M::CONTACTS;
    const MOBILITY: Option<usize> = M::MOBILITY;
    const PARENTS: &'static [Option<usize>] = M::PARENTS;
    const ALIKE: &'static [&'static [usize]] = M::ALIKE;
    const HUBS: &'static [usize] = M::HUBS;
    const HELD_ROWS: usize = M::HELD_ROWS;
    const CONSTRAINTS: &'static [Constraint] = M::CONSTRAINTS;
    const LIMITS: &'static [Limit] = M::LIMITS;
    const SPRINGS: &'static [Spring] = M::SPRINGS;
    const SHAPES: &'static [Shape] = M::SHAPES;
    const PAIRS: &'static [Pair] = M::PAIRS;
    const COLUMNS: &'static [usize] = M::COLUMNS;
    const SUPPORTS: &'static [&'static [usize]] = M::SUPPORTS;
    const INPUTS: &'static [&'static str] = M::INPUTS;
    const REQUIREMENTS: &'static [Requirement] = M::REQUIREMENTS;
    const OPERATIONS: &'static [(&'static str, Operations)] = M::OPERATIONS;

    fn fields(&self) -> M::Fields {
        self.robot.fields()
    }

    #[inline]
    fn with_prepared<T>(&self, read: impl FnOnce(&[f64]) -> T) -> T {
        read(&self.numbers)
    }

    fn write_frame(
        frame: usize,
        quantity: FrameQuantity,
        input: &Input<'_, f64>,
        output: &mut [f64],
    ) {
        M::write_frame(frame, quantity, input, output);
    }
}
