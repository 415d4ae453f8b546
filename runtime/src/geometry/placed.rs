//! A solid where it is.

use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use super::core_shape::Core;
use super::feature::Corner;
use super::solid::Solid;

/// A solid's core in axes of the world, about any origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) solid: &'a Solid,
    pub(super) rotation: Matrix3<f64>,
    pub(super) position: Vector3<f64>,
}

impl Placed<'_> {
    pub(super) fn core(&self) -> &Core {
        &self.solid.core
    }

    /// A point within the core.
    pub(super) fn middle(&self) -> Vector3<f64> {
        self.world(&self.core().middle())
    }

    /// A point of the core that is the furthest along `d`.
    pub(super) fn support(&self, d: &Vector3<f64>) -> Vector3<f64> {
        self.world(&self.core().support(&self.rotation.tr_mul(d)))
    }

    /// What of the core looks along the unit vector `d`.
    pub(super) fn feature(&self, d: &Vector3<f64>, corners: &mut Vec<Corner>) {
        self.core().feature(&self.rotation.tr_mul(d), corners);
        corners.iter_mut().for_each(|corner| corner.point = self.world(&corner.point));
    }

    pub(super) fn world(&self, local: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * local + self.position
    }

    pub(super) fn local(&self, world: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.tr_mul(&(world - self.position))
    }

    pub(super) fn axis(&self, k: usize) -> Vector3<f64> {
        self.rotation.column(k).into_owned()
    }
}
