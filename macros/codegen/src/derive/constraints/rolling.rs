//! A ball or a disc that rolls on a plane of the world.
//!
//! With the centre c, the normal n and the arm ρ s from the centre to the point that touches,
//!
//! > h = n · c − d − ρ |s·n|,  h_v = t · (ċ + ω × ρ s)
//!
//! for both tangents t. A ball has s = −n; a disc of the unit axis a has
//! s = −(n − (n·a) a) / √(1 − (n·a)²), its lowest point, and cannot lie flat.
//!
//! The first row is one of positions, and its derivative is the velocity of the touching point along
//! the normal, as the second and third are along the plane. Where joints keep the height, it depends on
//! them and may be left out.

use crate::description::Rolling;
use crate::expr::{Vector3, tangents};

use super::super::lower;
use super::relative::{Gradient, Relative};

/// The rows along the normal, if it is held, and both tangents; `relative` is the motion of the centre.
pub(super) fn gradients<'g>(relative: &Relative<'g>, rolling: &Rolling) -> Vec<Gradient<'g>> {
    let graph = relative.position[0].graph();
    let radius = lower::scalar(graph, &rolling.radius);
    let normal = lower::direction(graph, &rolling.normal);
    let offset = lower::scalar(graph, &rolling.offset);
    let zero = Vector3::zero(graph);
    let (arm, arm_rate, reach) = match &rolling.axis {
        None => (normal * -radius, zero, radius),
        Some(axis) => {
            let axis = relative.rotation * lower::direction(graph, axis);
            let turning = relative.velocity.angular.cross(axis);
            let (tilt, tilting) = (normal.dot(axis), normal.dot(turning));
            let reach = (graph.one() - tilt * tilt).sqrt();
            let arm = (axis * tilt - normal) * (radius / reach);
            let shrinking = tilt * tilting / reach.squared();
            let turned = (axis * tilting + turning * tilt) * (radius / reach);
            (arm, turned + arm * shrinking, radius * reach)
        }
    };
    let row = |direction: Vector3<'g>| Gradient {
        angular: arm.cross(direction),
        angular_rate: arm_rate.cross(direction),
        ..relative.along(direction)
    };
    let [first, second] =
        tangents(normal).map(|tangent| Gradient { error: graph.zero(), ..row(tangent) });
    if rolling.tangential {
        return vec![first, second];
    }
    let height = row(normal);
    vec![Gradient { error: height.error - offset - reach, ..height }, first, second]
}
