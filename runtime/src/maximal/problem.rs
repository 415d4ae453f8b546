//! The equations of a step, or of the displacement that puts errors right.
//!
//! > M u = p + Jᵀ λ,  w = J u − target + σ λ
//!
//! in groups of rows, each with a law between w and λ.

use alloc::vec::Vec;

use nalgebra::{Matrix6, Vector6};

use super::Error;

/// What holds between w and λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Law {
    /// w = 0.
    Holds,
    /// w ≥ 0 where λ is at its lower bound, w ≤ 0 at the upper one, w = 0 between.
    Bounded([f64; 2]),
    /// Coulomb's, with μ; normal and two tangents.
    Contact(f64),
    /// w = 0 where ‖λ‖ is below this radius, and else λ of that size against w; three rows.
    Ball(f64),
}

/// Where a group comes from; the same from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Joint(usize),
    Coupling(usize),
    /// A row of those that a robot declares.
    Constraint(usize),
    /// Which of its gaps.
    Limit(usize, usize),
    /// One that a robot declares.
    Declared(usize),
    Motor(usize),
    /// Dry friction of a ball joint.
    Friction(usize),
    /// A damper or an implicit spring of a robot.
    Spring(usize),
    Contact([usize; 3]),
    /// One of a robot's, whose normal turns.
    Turning(usize),
}

/// Consecutive rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) source: Source,
    pub(super) law: Law,
    pub(super) first: usize,
    pub(super) count: usize,
}

/// Rows with their targets; joints come first, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub(super) groups: Vec<Group>,
    pub(super) target: Vec<f64>,
    /// σ.
    pub(super) softness: Vec<f64>,
    /// The parts of rows, one row after the other: body, and J on it.
    pub(super) entries: Vec<(usize, Vector6<f64>)>,
    /// Where the parts of each row end.
    ends: Vec<usize>,
    /// M of each body.
    pub(super) mass: Vec<Matrix6<f64>>,
    /// p.
    pub(super) momentum: Vec<Vector6<f64>>,
}

impl Problem {
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.target.clear();
        self.softness.clear();
        self.entries.clear();
        self.ends.clear();
        self.mass.clear();
        self.momentum.clear();
    }

    pub(super) fn rows(&self) -> usize {
        self.target.len()
    }

    /// Begins a group without rows.
    pub(super) fn begin(&mut self, source: Source, law: Law) {
        self.groups.push(Group { source, law, first: self.rows(), count: 0 });
    }

    /// Adds a row to the last group.
    pub(super) fn push(
        &mut self,
        (target, softness): (f64, f64),
        parts: impl IntoIterator<Item = (usize, Vector6<f64>)>,
    ) {
        self.entries.extend(parts);
        self.ends.push(self.entries.len());
        self.target.push(target);
        self.softness.push(softness);
        if let Some(group) = self.groups.last_mut() {
            group.count += 1;
        }
    }

    /// Where the parts of a row are.
    #[inline(always)]
    pub(super) fn range(&self, row: usize) -> core::ops::Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        start..self.ends[row]
    }

    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[(usize, Vector6<f64>)] {
        &self.entries[self.range(row)]
    }

    /// J u.
    #[inline(always)]
    pub(super) fn rate(&self, row: usize, velocity: &[Vector6<f64>]) -> f64 {
        self.row(row).iter().map(|(body, part)| part.dot(&velocity[*body])).sum()
    }

    /// w.
    #[inline(always)]
    pub(super) fn slack(&self, row: usize, velocity: &[Vector6<f64>], impulse: &[f64]) -> f64 {
        self.rate(row, velocity) - self.target[row] + self.softness[row] * impulse[row]
    }

    /// x += Jᵀ λ.
    pub(super) fn add_impulse(&self, row: usize, impulse: f64, to: &mut [Vector6<f64>]) {
        for (body, part) in self.row(row) {
            to[*body] += impulse * part;
        }
    }

    /// M⁻¹, body by body.
    ///
    /// # Errors
    ///
    /// [`Error::Singular`] for a body whose inertia is.
    pub(super) fn inverse(&self) -> Result<Vec<Matrix6<f64>>, Error> {
        let invert = |(body, mass): (usize, &Matrix6<f64>)| {
            Ok(mass.cholesky().ok_or(Error::Singular { body })?.inverse())
        };
        self.mass.iter().enumerate().map(invert).collect()
    }

    /// u = M⁻¹ (p + Jᵀ λ).
    pub(super) fn follow(
        &self,
        inverse: &[Matrix6<f64>],
        impulse: &[f64],
        velocity: &mut Vec<Vector6<f64>>,
    ) {
        velocity.clone_from(&self.momentum);
        for (row, &lambda) in impulse.iter().enumerate() {
            self.add_impulse(row, lambda, velocity);
        }
        velocity.iter_mut().zip(inverse).for_each(|(u, inverse)| *u = inverse * *u);
    }
}
