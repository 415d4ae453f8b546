//! How large the error of a step may be.
//!
//! > |eᵢ| ≤ a + r max(|xᵢ(t)|, |xᵢ(t + h)|) for every coordinate
//!
//! Further states z may have an a of their own, since what is small among them need not be small beside metres.
//!
//! A rotation has no size, since none of its directions is distinguished; the error of its rotation vector is measured
//! against one radian, |eᵢ| ≤ a + r.

use super::error::positive;
use super::space::lines;
use super::{Error, Phase, Space};
use crate::slices::worse;

/// What a robot's tolerance can be.
const RANGE: [f64; 2] = [1e-14, 0.1];

/// Absolute and relative tolerance of every coordinate's error in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    absolute: f64,
    relative: f64,
    /// Absolute, of z.
    further: f64,
}

impl Tolerance {
    /// `absolute` in the units of the coordinates, `relative` to their size.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] unless both are finite and greater than zero.
    pub fn new(absolute: f64, relative: f64) -> Result<Self, Error> {
        Ok(Self {
            absolute: positive("absolute tolerance", absolute)?,
            relative: positive("relative tolerance", relative)?,
            further: absolute,
        })
    }

    /// The same absolute and relative, for robots, whose coordinates are in metres and radians: below the range steps
    /// follow their rounding, above it they go where they like.
    ///
    /// # Errors
    ///
    /// [`Error::Between`] unless it is within [`RANGE`].
    pub(crate) fn of_robots(tolerance: f64) -> Result<Self, Error> {
        let [least, most] = RANGE;
        if (least..=most).contains(&tolerance) {
            Self::new(tolerance, tolerance)
        } else {
            Err(Error::Between { quantity: "tolerance", value: tolerance, least, most })
        }
    }

    /// What is allowed for a coordinate of this size.
    pub(crate) fn allowed(&self, x: f64) -> f64 {
        self.absolute + self.relative * x.abs()
    }

    /// With another `absolute` tolerance of the further states z, in their units.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] unless it is finite and greater than zero.
    pub fn further(self, absolute: f64) -> Result<Self, Error> {
        let further = positive("absolute tolerance of further states", absolute)?;
        Ok(Self { further, ..self })
    }

    /// The largest |xᵢ| by what is allowed, from what is allowed, (2 nv + nz).
    pub(super) fn size(&self, space: &Space, scale: &[f64]) -> f64 {
        let (_, nv, _) = space.dimensions();
        let (phase, further) = scale.split_at(2 * nv);
        let size = |absolute: f64| move |scale: &f64| (scale - absolute) / (self.relative * scale);
        let phase = phase.iter().map(size(self.absolute));
        phase.chain(further.iter().map(size(self.further))).fold(0.0, worse)
    }

    /// What is allowed for each local coordinate in a step that changes them by `change`, written to `scale`; both
    /// (2 nv + nz).
    pub(crate) fn scale(&self, space: &Space, from: &Phase, change: &[f64], scale: &mut [f64]) {
        let (_, nv, _) = space.dimensions();
        let size = |x: f64, change: f64| worse(x.abs(), (x + change).abs());
        let allowed = |x: f64, change: f64| self.absolute + self.relative * size(x, change);
        scale[..nv].fill(self.absolute + self.relative);
        for joint in space.joints() {
            for i in 0..lines(joint) {
                scale[joint.v + i] = allowed(from.q[joint.q + i], change[joint.v + i]);
            }
        }
        let velocities = from.v.iter().zip(&change[nv..]);
        let scales = scale[nv..].iter_mut().zip(velocities);
        scales.for_each(|(scale, (x, d))| *scale = allowed(*x, *d));
        let further = from.z.iter().zip(&change[2 * nv..]);
        let scales = scale[2 * nv..].iter_mut().zip(further);
        scales.for_each(|(scale, (x, d))| *scale = self.further + self.relative * size(*x, *d));
    }
}

impl Default for Tolerance {
    /// 1e-9, absolute and relative.
    fn default() -> Self {
        Self { absolute: 1e-9, relative: 1e-9, further: 1e-9 }
    }
}

/// The largest |eᵢ| by what is allowed; NaN if one is.
pub(super) fn ratio(error: &[f64], scale: &[f64]) -> f64 {
    error.iter().zip(scale).map(|(error, scale)| (error / scale).abs()).fold(0.0, worse)
}
