//! Coriolis and centrifugal forces of chains at the velocity in the middle of a step.
//!
//! > F = c(q, v) − c(q, v_m),  v_m = ½ (v + v_free)
//!
//! c is the bias force in axes that stand still during the step, b − M [ω × u] for the linear velocities u of floating
//! joints, and v_free is where the step would come to without impulses, those of constraints among them. With F beside
//! others a step is M (v⁺ − v) = h (f − c(q, v_m)) + Gᵀ Λ.
//!
//! Since v_mᵀ C(q, v_m) v_m = ½ v_mᵀ Ṁ v_m, such a step without other forces changes T by as much as ¼ h vᵀ Ṁ v changes, but for
//! terms of third order. (Where a step does not resolve a spring, h² k j M⁻¹ jᵀ > 1, v_free is not where it comes to, and forces are
//! those of the beginning.) With forces at its beginning, at v, T has a trend of second order: of h ω² in a second, where this
//! has one of h² ω³.
//!
//! # Source
//!
//! Derived here. The midpoint rule in the velocity alone keeps a step explicit: configurations are those of its beginning.

use alloc::vec::Vec;

use super::chains::belonging;
use crate::description::Chart;
use crate::manifold;
use crate::model::Model;
use crate::slices::larger;
use crate::space::Storage;

/// F of the steps of a model.
#[derive(Clone, Debug)]
pub(super) struct Midpoint<M: Model> {
    /// Whether each coordinate belongs to a chain, (nv); empty where there are none.
    belongs: Vec<bool>,
    /// Whether v has parts in turning axes.
    has_poses: bool,
    /// v_m, and [ω × u] at the beginning less that there.
    velocity: M::V,
    turned: M::V,
    force: M::V,
}

impl<M: Model> Midpoint<M> {
    pub(super) fn new() -> Self {
        Self {
            belongs: belonging::<M>(),
            has_poses: M::JOINTS.iter().any(|joint| joint.chart == Chart::Pose),
            velocity: M::V::zeros(),
            turned: M::V::zeros(),
            force: M::V::zeros(),
        }
    }

    /// Whether energy would have a trend h v² beyond the allowed one in a step of `h` seconds that begins with v.
    #[inline(always)]
    pub(super) fn acts(&self, v: &M::V, h: f64, allowed: f64) -> bool {
        if self.belongs.is_empty() {
            return false;
        }
        let fastest = v.as_slice().iter().fold(0.0, |fastest, v| larger(v.abs(), fastest));
        h * fastest * fastest > allowed
    }

    /// F of a step that begins at (q, v) with the bias force b, and comes to v_free; nothing where velocities
    /// change so much within the step that none is in its middle.
    pub(super) fn force(
        &mut self,
        model: &M,
        (q, v): (&M::Q, &M::V),
        (free, bias): (&[f64], &[f64]),
    ) -> Option<&M::V> {
        let Self { belongs, has_poses, velocity, turned, force } = self;
        let (mut change, mut size) = (0.0, 0.0);
        for i in 0..M::NV {
            velocity[i] = 0.5 * (v[i] + free[i]);
            change = larger((free[i] - v[i]).abs(), change);
            size = larger(v[i].abs(), size);
        }
        if change > size {
            return None;
        }
        if *has_poses {
            let mut carried = M::V::zeros();
            manifold::carry(M::JOINTS, v.as_slice(), 1.0, carried.as_mut_slice());
            manifold::carry(M::JOINTS, velocity.as_slice(), 1.0, turned.as_mut_slice());
            for i in 0..M::NV {
                turned[i] = (carried[i] - v[i]) - (turned[i] - velocity[i]);
            }
            model.inverse_dynamics_into(q, velocity, turned, force);
        } else {
            model.bias_force_into(q, velocity, force);
        }
        for i in 0..M::NV {
            force[i] = if belongs[i] { bias[i] - force[i] } else { 0.0 };
        }
        Some(force)
    }
}
