//! The parts of a residual.

use crate::slices::{larger, worse};

/// The parts of a step's natural residual, each the largest of its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// Momentum balance.
    pub momentum: f64,
    /// Contacts along their normals.
    pub normal: f64,
    /// Friction of contacts.
    pub friction: f64,
    /// Limits of joints.
    pub limits: f64,
    /// Dry friction of joints.
    pub dry_friction: f64,
    /// Springs and dampers, as far as they are rows of the step's problem.
    pub springs: f64,
    /// Motors of joints.
    pub motors: f64,
    /// Declared constraints at the end of the step: how far coordinates have to move at least for h to be
    /// zero, in m or rad, or by how much their rates have to change for h_v to be, by the fastest coordinate
    /// if that is above one. h is that of the end of the step, and h_v of v⁺ and the end's time where the step
    /// began: at q⁺ it is an error of the first order in the step, as a rolling wheel's. Of constraints that give way, the
    /// residual of their rows.
    pub constraints: f64,
}

impl Residual {
    pub(super) const UNKNOWN: Self = Self {
        momentum: f64::NAN,
        normal: f64::NAN,
        friction: f64::NAN,
        limits: f64::NAN,
        dry_friction: f64::NAN,
        springs: f64::NAN,
        motors: f64::NAN,
        constraints: f64::NAN,
    };

    /// The largest part; NaN if a part is.
    #[inline]
    pub fn max(&self) -> f64 {
        let Self { momentum, normal, friction, limits, dry_friction, springs, motors, constraints } =
            *self;
        let all = [momentum, normal, friction, limits, dry_friction, springs, motors, constraints];
        // Of numbers whose sum is one, none is NaN.
        if all.iter().sum::<f64>().is_nan() {
            all.into_iter().fold(momentum, |most, part| worse(part, most))
        } else {
            all.into_iter().fold(momentum, |most, part| larger(part, most))
        }
    }

    /// The largest part, and what it is of; NaN if a part is.
    pub fn worst(&self) -> (&'static str, f64) {
        let others = [
            ("contacts along their normals", self.normal),
            ("friction", self.friction),
            ("limits of joints", self.limits),
            ("dry friction of joints", self.dry_friction),
            ("springs and dampers", self.springs),
            ("motors of joints", self.motors),
            ("declared constraints", self.constraints),
        ];
        let first = ("the momentum balance", self.momentum);
        others.into_iter().fold(first, |worst, part| {
            if part.1.is_nan() || part.1 > worst.1 { part } else { worst }
        })
    }

    /// The larger of two residuals, part by part.
    #[must_use]
    pub fn worse(&self, other: &Self) -> Self {
        Self {
            momentum: worse(self.momentum, other.momentum),
            normal: worse(self.normal, other.normal),
            friction: worse(self.friction, other.friction),
            limits: worse(self.limits, other.limits),
            dry_friction: worse(self.dry_friction, other.dry_friction),
            springs: worse(self.springs, other.springs),
            motors: worse(self.motors, other.motors),
            constraints: worse(self.constraints, other.constraints),
        }
    }
}
