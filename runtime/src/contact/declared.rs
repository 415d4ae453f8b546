//! Declared limits C(q) ≥ 0 at the beginning of a step.

use alloc::vec;
use alloc::vec::Vec;

use crate::model::{Robot, Table};
use crate::slices::columns;

/// Values and rows of a model's [`LIMITS`](crate::Model::LIMITS).
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    /// C, (limits).
    pub(crate) value: Vec<f64>,
    /// (limits, nv), column by column.
    jacobian: Vec<f64>,
}

impl Declared {
    pub(crate) fn new(table: &Table) -> Self {
        let count = table.limits.len();
        Self { value: vec![f64::NAN; count], jacobian: vec![f64::NAN; count * table.nv] }
    }

    pub(crate) fn evaluate(&mut self, robot: Robot<'_>, q: &[f64]) {
        if !robot.limits.is_empty() {
            robot.limit_into(q, &mut self.value);
            robot.limit_jacobian_into(q, &mut self.jacobian);
        }
    }

    /// Row `i`, (nv).
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = f64> {
        columns(&self.jacobian, self.value.len()).map(move |column| column[i])
    }

    /// Row `i` times a velocity.
    pub(super) fn velocity(&self, i: usize, v: &[f64]) -> f64 {
        self.row(i).zip(v).map(|(j, v)| j * v).sum()
    }
}
