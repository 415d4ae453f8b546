//! Contacts between solids.
//!
//! > vertex or ball of radius ρ about c, half-space n · x ≤ d:  φ = n · c − d − ρ, at c − ρ n
//! > two balls:  φ = |c_b − c_a| − ρ_a − ρ_b,  n = (c_b − c_a)/|c_b − c_a|, at c_b − ρ_b n
//!
//! A point is a ball of no radius. Pairs of boxes, and of a ball and a box, are not looked for. The row of a gap is the
//! force n at the point, which is ∂φ/∂s S whatever point of the line through it along n is taken; those of friction are
//! two tangents there.
//!
//! Solids whose extents along x do not overlap are not compared.

use alloc::vec::Vec;

use nalgebra::Vector3;

use super::body::Body;
use super::row::Row;
use super::shape::{Placed, Shape, Solid};
use crate::slices::sqrt;

/// A place where two solids touch, or may soon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Both solids, and which vertex of a box: the same from step to step.
    pub key: [usize; 3],
    /// The bodies of both.
    pub bodies: [Option<usize>; 2],
    /// μ.
    pub friction: f64,
    /// e.
    pub restitution: f64,
    /// The normal from the first to the second, and two tangents, right-handed.
    pub axes: [Vector3<f64>; 3],
    /// φ and the row of the normal, then those of the tangents, of no value.
    pub rows: [Row; 3],
}

impl Contact {
    /// φ, in m.
    pub fn gap(&self) -> f64 {
        self.rows[0].value
    }
}

/// All places of solids that are no further apart than both of their bodies' `reach` together.
pub(super) fn detect(
    solids: &[Solid],
    bodies: &[Body],
    reach: impl Fn(Option<usize>) -> f64,
) -> Vec<Contact> {
    let place = |solid: &Solid| solid.place(bodies, reach(solid.body));
    let placed: Vec<Placed> = solids.iter().map(place).collect();
    let mut order: Vec<usize> = (0..placed.len()).collect();
    order.sort_by(|&a, &b| placed[a].extent[0].total_cmp(&placed[b].extent[0]));
    let mut contacts = Vec::new();
    for (k, &first) in order.iter().enumerate() {
        for &second in &order[k + 1..] {
            if placed[second].extent[0] > placed[first].extent[1] {
                break;
            }
            let pair = [first.min(second), first.max(second)];
            touch(pair, pair.map(|k| &placed[k]), &mut contacts);
        }
    }
    contacts.sort_unstable_by_key(|contact| contact.key);
    contacts
}

fn touch([i, j]: [usize; 2], [a, b]: [&Placed; 2], contacts: &mut Vec<Contact>) {
    let touches = |solid: &Solid, other| solid.only.is_none_or(|only| only == other);
    if a.solid.body == b.solid.body || !touches(&a.solid, j) || !touches(&b.solid, i) {
        return;
    }
    let (keys, order, plane) = match (a.plane, b.plane) {
        (Some(plane), None) => ([i, j], [a, b], Some(plane)),
        (None, Some(plane)) => ([j, i], [b, a], Some(plane)),
        (None, None) => ([i, j], [a, b], None),
        (Some(_), Some(_)) => return,
    };
    let mut add = |vertex, gap, normal: Vector3<f64>, point| {
        if gap <= a.reach + b.reach {
            contacts.push(contact([keys[0], keys[1], vertex], order, gap, &normal, &point));
        }
    };
    match (plane, a.solid.shape, b.solid.shape) {
        (Some((normal, offset)), ..) => {
            for round in &order[1].rounds {
                let gap = normal.dot(&round.center) - offset - round.radius;
                add(round.vertex, gap, normal, round.center - round.radius * normal);
            }
        }
        (None, Shape::Ball { .. } | Shape::Point, Shape::Ball { .. } | Shape::Point) => {
            for (first, second) in a.rounds.iter().zip(&b.rounds) {
                let apart = second.center - first.center;
                let distance = apart.norm();
                // Balls with one centre have no normal; any parts them.
                let normal = if distance > 0.0 { apart / distance } else { Vector3::z() };
                let gap = distance - first.radius - second.radius;
                add(0, gap, normal, second.center - second.radius * normal);
            }
        }
        _ => {}
    }
}

fn contact(
    key: [usize; 3],
    [a, b]: [&Placed; 2],
    gap: f64,
    normal: &Vector3<f64>,
    point: &Vector3<f64>,
) -> Contact {
    let axes = frame(normal);
    let row = |k: usize| {
        let value = if k == 0 { gap } else { 0.0 };
        Row::along(value, &axes[k], point, [&a.center, &b.center])
    };
    Contact {
        key,
        bodies: [a.solid.body, b.solid.body],
        friction: sqrt(a.solid.friction * b.solid.friction),
        restitution: sqrt(a.solid.restitution * b.solid.restitution),
        axes,
        rows: [row(0), row(1), row(2)],
    }
}

/// A right-handed frame that begins with `normal`.
fn frame(normal: &Vector3<f64>) -> [Vector3<f64>; 3] {
    let axis = Vector3::ith(normal.iamin(), 1.0);
    let first = (axis - normal * normal.dot(&axis)).normalize();
    [*normal, first, normal.cross(&first)]
}
