//! Origins moved along the axes of their joints, so that fewer entries of positions differ from zero.
//!
//! A body that turns about or slides along an axis a may have its origin anywhere on a line along a:
//! its columns (ω, u) are the same at all of its points. With δ the way of the origin,
//!
//! > r' = r + δ R a,  r_c' = r_c − δ a,  Σ' = Σ − δ (a hᵀ + h aᵀ) + δ² m a aᵀ,  h' = h − δ m a,
//!
//! for its own position r and those r_c of what hangs on it. From the root outwards, δ is 0 or makes
//! an entry of r or of some r_c zero, whichever leaves least to compute for the body and for the
//! positions on it, each of which still has its own δ to come.
//!
//! Source: the freedom is that of the axial offset of Denavit and Hartenberg, A Kinematic Notation for
//! Lower-Pair Mechanisms Based on Matrices (1955).

use crate::derive::mechanism::{Body, Mechanism};
use crate::expr::{Expr, Rotation, Vector3};

/// Operations that an entry of a position takes in inverse dynamics.
const ENTRY: usize = 10;
/// An axis is followed to where an entry is zero only if it changes this entry so fast: far origins
/// would cost digits.
const STEEP: f64 = 0.5;

impl<'g> Mechanism<'g> {
    /// The same bodies, with other origins.
    pub(super) fn with_better_origins(&self) -> Self {
        let mut moved = self.clone();
        for k in 0..moved.bodies.len() {
            let children: Vec<usize> = (k + 1..moved.bodies.len())
                .filter(|&c| moved.bodies[c].parent == Some(k))
                .collect();
            let way = moved.best_way(k, &children);
            let Some((axis, _)) = moved.bodies[k].turn().filter(|_| !way.is_zero()) else {
                continue;
            };
            let along = Vector3::unit(self.graph, axis) * way;
            moved.bodies[k] = moved.bodies[k].moved(way);
            moved.links_on(k).for_each(|link| link.position = link.position - along);
            for child in children {
                let body = &mut moved.bodies[child];
                body.position = body.position - along;
                body.seat.1 = body.seat.1 - along;
            }
        }
        moved
    }

    /// δ of body `k`.
    fn best_way(&self, k: usize, children: &[usize]) -> Expr<'g> {
        let body = &self.bodies[k];
        let on_it = |way: Expr<'g>| -> usize {
            let along = body.turn().map(|(axis, _)| Vector3::unit(self.graph, axis) * way);
            let reach = |&c: &usize| {
                let child = &self.bodies[c];
                let seat = along.map_or(child.seat.1, |along| child.seat.1 - along);
                child.ways(seat).into_iter().map(|way| child.effort(seat, way)).min().unwrap_or(0)
            };
            children.iter().map(reach).sum()
        };
        let mut ways = body.ways(body.seat.1);
        if let Some((axis, _)) = body.turn() {
            let ends = children.iter().map(|&c| self.bodies[c].seat.1[axis]);
            ways.extend(ends.filter(|x| x.value().is_some()));
        }
        let effort = |way: &Expr<'g>| body.effort(body.seat.1, *way) + on_it(*way);
        ways.into_iter().min_by_key(effort).unwrap_or(self.graph.zero())
    }
}

impl<'g> Body<'g> {
    /// R a.
    fn direction(&self) -> Option<Vector3<'g>> {
        let graph = self.moments.mass.graph();
        self.turn().map(|(axis, _)| self.seat.0.times(Vector3::unit(graph, axis)))
    }

    /// No way, and those that make an entry of the position zero.
    fn ways(&self, seat: Vector3<'g>) -> Vec<Expr<'g>> {
        let mut ways = vec![self.moments.mass.graph().zero()];
        if let Some(direction) = self.direction() {
            let steep = |k: usize| direction[k].value().is_some_and(|x| x.abs() >= STEEP);
            let apart = |k: usize| seat[k].value().is_some_and(|x| x != 0.0);
            let entries = (0..3).filter(|&k| steep(k) && apart(k));
            ways.extend(entries.map(|k| -seat[k] / direction[k]));
        }
        ways
    }

    /// Operations that the position and the moments take after a way δ from a seat.
    fn effort(&self, seat: Vector3<'g>, way: Expr<'g>) -> usize {
        let direction = self.direction();
        let position = direction.map_or(seat, |direction| seat + direction * way);
        let entries = position.0.iter().filter(|x| !x.is_zero()).count();
        ENTRY * entries + self.moved(way).moments.effort()
    }

    fn moved(&self, way: Expr<'g>) -> Self {
        let (Some((axis, _)), Some(direction)) = (self.turn(), self.direction()) else {
            return self.clone();
        };
        let back = Vector3::unit(way.graph(), axis) * -way;
        let (rotation, seat) = &self.seat;
        Self {
            position: self.position + direction * way,
            seat: (rotation.clone(), *seat + direction * way),
            moments: self.moments.placed(&Rotation::identity(), back),
            ..self.clone()
        }
    }
}
