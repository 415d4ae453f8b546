//! What contacts touch with.

use crate::derive::lower;
use crate::derive::mechanism::Mechanism;
use crate::description::{Contact, Surface};
use crate::expr::{Expr, Vector3, tangents};

/// A contact as it touches.
pub(super) struct Sphere<'g> {
    pub(super) radius: Expr<'g>,
    pub(super) axes: [Vector3<'g>; 3],
    offset: Expr<'g>,
}

impl<'g> Sphere<'g> {
    pub(super) fn pack(mechanism: &Mechanism<'g>, contacts: &[&Contact]) -> Self {
        let graph = mechanism.graph;
        let radii: Vec<_> = contacts.iter().map(|c| lower::scalar(graph, &c.radius)).collect();
        let normal = |contact: &&Contact| match &contact.surface {
            Surface::Plane { normal, .. } => lower::direction(graph, normal),
            Surface::Height(_) | Surface::Sphere { .. } => Vector3::constant(graph, [f64::NAN; 3]),
        };
        let normals: Vec<_> = contacts.iter().map(normal).collect();
        let tangents: Vec<_> = normals.iter().map(|&normal| tangents(normal)).collect();
        let side = |k: usize| tangents.iter().map(|both| both[k]).collect::<Vec<_>>();
        let all = [normals, side(0), side(1)];
        let offset = |contact: &&Contact| match &contact.surface {
            Surface::Plane { offset, .. } => lower::scalar(graph, offset),
            Surface::Height(_) | Surface::Sphere { .. } => graph.constant(f64::NAN),
        };
        let offsets: Vec<_> = contacts.iter().map(offset).collect();
        Self {
            radius: graph.pack(&radii),
            axes: all.map(|axes| Vector3::pack(graph, &axes)),
            offset: graph.pack(&offsets),
        }
    }

    /// φ of a centre.
    pub(super) fn gap(&self, center: Vector3<'g>) -> Expr<'g> {
        self.axes[0].dot(center) - self.offset - self.radius
    }
}
