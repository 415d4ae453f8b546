//! Axes of the outermost bodies turned so that fewer of their moments differ from zero.
//!
//! Nothing hangs on an outermost body, so that its axes may be turned about that of its joint by any
//! constant angle ψ at the price of one addition, q − ψ. A turn can bring the part of h across the
//! joint's axis along one axis, or make Σ_xy or Σ_yz zero (with z the joint's axis). It is chosen by
//! the operations that each moment takes in inverse dynamics.

use crate::derive::inertia::Moments;
use crate::derive::mechanism::{Body, Mechanism};
use crate::expr::{Rotation, Vector3};

impl<'g> Mechanism<'g> {
    /// The same bodies, the outermost in other axes.
    pub(super) fn with_leaf_axes(&self) -> Self {
        let mut turned = self.clone();
        for k in 0..self.bodies.len() {
            if self.bodies.iter().all(|body| body.parent != Some(k)) {
                let (body, turn) = self.bodies[k].in_better_axes();
                turned.bodies[k] = body;
                turned.links_on(k).for_each(|link| *link = link.turned(&turn));
            }
        }
        turned
    }
}

impl<'g> Body<'g> {
    /// In other axes, and the turn that leads from its own to these.
    fn in_better_axes(&self) -> (Self, Rotation<'g>) {
        let graph = self.moments.mass.graph();
        let mut best = (self.clone(), Rotation::identity());
        let Some((axis, angle)) = self.turn().filter(|_| !self.rotation.turns().is_empty()) else {
            return best;
        };
        let about = |angle| Rotation::about(Vector3::unit(graph, axis), angle);
        let zero = Vector3::zero(graph);
        let mut least = self.moments.effort();
        for psi in psis(&self.moments, axis) {
            let psi = graph.constant(psi);
            let moments = self.moments.placed(&about(psi), zero);
            let effort = moments.effort() + 1;
            if effort < least {
                let rotation = self.seat.0.clone().then(about(angle - psi));
                (best, least) = ((Self { moments, rotation, ..self.clone() }, about(psi)), effort);
            }
        }
        best
    }
}

/// The turns about `axis` that make h_j, Σ_ij or Σ_jk zero, if these are constants.
fn psis(moments: &Moments<'_>, axis: usize) -> Vec<f64> {
    let (i, j, k) = ((axis + 1) % 3, (axis + 2) % 3, axis);
    let (h, s) = (moments.first, moments.second);
    let values = [h[i], h[j], s[i][j], s[i][i], s[j][j], s[i][k], s[j][k]].map(|x| x.value());
    let [Some(x), Some(y), Some(ij), Some(ii), Some(jj), Some(ik), Some(jk)] = values else {
        return Vec::new();
    };
    vec![-y.atan2(x), -0.5 * (2.0 * ij).atan2(ii - jj), -jk.atan2(ik)]
}
