//! Successive parallel axes share one sine and cosine of the sum of their angles.
//!
//! Where a body turns about or slides along an axis that its parent turns about or slides along as
//! well, both can be seen from the same axes: then nothing is rotated from one to the other, and only
//! a rotation by the sum of all angles is left, from outside such a run to inside. With the axes
//!
//! > x' = Q x,  Q = R_a(Θ) C,
//!
//! of a body, C constant and Θ a sum of angles, its moments and the position of what hangs on it are
//! turned by Q, which costs less than turning velocities, forces or composites. Every algorithm holds
//! in any axes, since angular velocities and accelerations are those of the body whatever axes they
//! are written in, and a column along a is the same in all axes that differ by a turn about a.
//!
//! The axes of a run are those at its outer end, before any of its joints, in which a planar chain
//! turns nothing at all; or those of the body at its inner end, which serves limbs.
//!
//! Source: Kleinfinger and Khalil, Dynamic Modelling of Closed-Loop Robots (1986), which merges the
//! transformations of parallel joints.

use crate::derive::mechanism::{Body, Column, Mechanism};
use crate::derive::symbols;
use crate::expr::{Expr, Graph, Rotation, Vector3};
use crate::joint::{Still, Twist};

use super::Axes;

/// Off a coordinate axis by more than this, an axis is not parallel to it.
const PARALLEL: f64 = 4.0 * f64::EPSILON;

/// Q of a body in a run.
#[derive(Clone)]
struct Seen<'g> {
    axis: usize,
    angle: Expr<'g>,
    constant: Rotation<'g>,
    /// Which of ± a the axis of the body's own joint becomes.
    sign: Expr<'g>,
}

/// The runs of parallel axes of a mechanism.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    /// The parent of each body, if it moves along the same axis.
    outer: Vec<Option<usize>>,
    /// The kind of the run that each body is in; those of one kind are as long and carry as much.
    kind: Vec<Option<usize>>,
    /// How many kinds there are.
    pub(super) kinds: usize,
}

impl<'g> Mechanism<'g> {
    /// The same bodies, those of runs in axes that are given for each kind; masses are regrouped
    /// before, if at all.
    pub(super) fn in_axes(&self, runs: &Runs, axes: &[Axes]) -> Self {
        let longest = self.longest_runs(&runs.outer);
        let outside = self.seen_from_outside(&runs.outer);
        let inside = self.seen_from_inside(&longest);
        let chosen = |k: usize| runs.kind[k].map_or(Axes::Own, |kind| axes[kind]);
        let seen = |k: usize| match chosen(k) {
            Axes::Own => None,
            Axes::Outer => outside[k].as_ref(),
            Axes::Inner => inside[k].as_ref(),
        };
        let joined = |k: usize| match chosen(k) {
            Axes::Own => false,
            Axes::Outer => runs.outer[k].is_some(),
            Axes::Inner => longest[k].is_some(),
        };
        let bodies = self.bodies.iter().enumerate().map(|(k, body)| {
            let turned = body.seen(body.parent.and_then(seen), seen(k));
            if joined(k) { Body { rotation: Rotation::identity(), ..turned } } else { turned }
        });
        let links = self.links.iter().map(|link| match link.body.and_then(seen) {
            Some(seen) => link.turned(&seen.rotation()),
            None => link.clone(),
        });
        Self { bodies: bodies.collect(), links: links.collect(), ..self.clone() }
    }

    /// All runs of at least two bodies.
    pub(super) fn runs(&self) -> Runs {
        let outer = self.parallel_parents();
        let mut carried = vec![1; outer.len()];
        let mut length = vec![1; outer.len()];
        for (k, body) in self.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent {
                carried[parent] += carried[k];
            }
            if let Some(parent) = outer[k] {
                length[parent] += length[k];
            }
        }
        let mut shapes = Vec::new();
        let mut kind: Vec<Option<usize>> = Vec::new();
        for k in 0..outer.len() {
            let shape = (length[k], carried[k]);
            kind.push(match outer[k] {
                Some(parent) => kind[parent],
                None if length[k] == 1 => None,
                None => {
                    Some(shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
                        shapes.push(shape);
                        shapes.len() - 1
                    }))
                }
            });
        }
        Runs { outer, kind, kinds: shapes.len() }
    }

    /// Of each configuration coordinate a number that it shares with those that turn bodies about axes parallel to its own,
    /// with nothing between that turns about others: of such angles sums are natural.
    pub fn parallel_coordinates(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.nq()).collect();
        let mut seen: Vec<Option<(usize, Vector3<'g>)>> = Vec::new();
        for body in &self.bodies {
            let above = body.parent.and_then(|parent| seen[parent]);
            seen.push(match body.rotation.turns()[..] {
                [] => above.map(|(number, axis)| (number, body.seat.0.transposed_times(axis))),
                [(axis, angle)] => {
                    let unit = Vector3::unit(self.graph, axis);
                    let outside = body.seat.0.times(unit);
                    let same = above.filter(|(_, above)| {
                        let across = outside.cross(*above);
                        across.0.iter().all(|x| x.value().is_some_and(|x| x.abs() <= PARALLEL))
                    });
                    let within = self.graph.reachable(&[angle]);
                    let within =
                        within.into_iter().filter_map(|id| self.graph.expr(id).as_symbol());
                    let turned: Vec<_> =
                        within.filter(|s| s.set == symbols::Q).map(|s| s.index as usize).collect();
                    let number = same.map(|(number, _)| number).or(turned.first().copied());
                    number.map(|number| {
                        turned.iter().for_each(|&q| numbers[q] = number);
                        (number, unit)
                    })
                }
                _ => None,
            });
        }
        numbers
    }

    /// The parent of each body that moves along the same axis as its parent does.
    fn parallel_parents(&self) -> Vec<Option<usize>> {
        let parallel = |body: &Body<'g>| {
            let parent = body.parent?;
            let (axis, above) = (body.turn()?.0, self.bodies[parent].turn()?.0);
            sign(body.seat.0.times(Vector3::unit(self.graph, axis)), above).map(|_| parent)
        };
        self.bodies.iter().map(parallel).collect()
    }

    /// Of several bodies parallel to one parent, the one whose run goes on longest.
    fn longest_runs(&self, outer: &[Option<usize>]) -> Vec<Option<usize>> {
        let mut length = vec![1; outer.len()];
        let mut inner: Vec<Option<usize>> = vec![None; outer.len()];
        for k in (0..outer.len()).rev() {
            if let Some(parent) = outer[k]
                && length[parent] <= length[k]
            {
                length[parent] = length[k] + 1;
                inner[parent] = Some(k);
            }
        }
        (0..outer.len()).map(|k| outer[k].filter(|&parent| inner[parent] == Some(k))).collect()
    }

    /// Q from the axes outside each run.
    fn seen_from_outside(&self, outer: &[Option<usize>]) -> Vec<Option<Seen<'g>>> {
        let mut seen: Vec<Option<Seen<'g>>> = Vec::new();
        for (k, body) in self.bodies.iter().enumerate() {
            let joins = outer[k].is_some() || outer.contains(&Some(k));
            let above = outer[k].and_then(|parent| seen[parent].clone());
            seen.push(body.turn().filter(|_| joins).map(|(axis, angle)| match above {
                None => Seen { angle, ..Seen::own(self.graph, axis) },
                Some(above) => {
                    let constant = above.constant.then(body.seat.0.clone()).folded(self.graph);
                    let image = constant.times(Vector3::unit(self.graph, axis));
                    let sign = sign(image, above.axis).unwrap_or(self.graph.one());
                    Seen { axis: above.axis, angle: above.angle + sign * angle, constant, sign }
                }
            }));
        }
        seen
    }

    /// Q from the axes of the innermost body of each run.
    fn seen_from_inside(&self, joined: &[Option<usize>]) -> Vec<Option<Seen<'g>>> {
        let mut seen: Vec<Option<Seen<'g>>> = vec![None; joined.len()];
        for (k, body) in self.bodies.iter().enumerate().rev() {
            let (Some(parent), Some((axis, angle))) = (joined[k], body.turn()) else {
                continue;
            };
            let own = seen[k].take().unwrap_or_else(|| Seen::own(self.graph, axis));
            let back = body.seat.0.transposed(self.graph);
            let constant = own.constant.clone().then(back).folded(self.graph);
            let above = self.bodies[parent].turn().map_or(axis, |(axis, _)| axis);
            let image = constant.times(Vector3::unit(self.graph, above));
            let sign = sign(image, own.axis).unwrap_or(self.graph.one());
            let angle = own.angle - own.sign * angle;
            seen[parent] = Some(Seen { axis: own.axis, angle, constant, sign });
            seen[k] = Some(own);
        }
        seen
    }
}

impl<'g> Seen<'g> {
    /// A body's own axes.
    fn own(graph: &'g Graph, axis: usize) -> Self {
        Self { axis, angle: graph.zero(), constant: Rotation::identity(), sign: graph.one() }
    }

    fn about(&self, angle: Expr<'g>) -> Rotation<'g> {
        Rotation::about(Vector3::unit(angle.graph(), self.axis), angle)
    }

    fn rotation(&self) -> Rotation<'g> {
        self.about(self.angle).then(self.constant.clone())
    }
}

impl<'g> Body<'g> {
    /// The axis of coordinates that all columns keep, and the angle by which the joint turns the body
    /// about it.
    pub(super) fn turn(&self) -> Option<(usize, Expr<'g>)> {
        let graph = self.moments.mass.graph();
        let along = |x: Vector3<'g>, axis: usize| (0..3).all(|k| k == axis || x[k].is_zero());
        let keeps = |column: &Column<'g>, axis: usize| {
            along(column.twist.angular, axis) && along(column.twist.linear, axis)
        };
        let axis = (0..3).find(|&axis| self.columns.iter().all(|column| keeps(column, axis)))?;
        let turns = self.columns.iter().any(|column| !column.twist.angular[axis].is_zero());
        match self.rotation.turns()[..] {
            [] => (!turns).then_some((axis, graph.zero())),
            [(about, angle)] => (about == axis).then_some((axis, angle)),
            _ => None,
        }
    }

    /// In the axes `own` and hanging on a parent in the axes `above`.
    fn seen(&self, above: Option<&Seen<'g>>, own: Option<&Seen<'g>>) -> Self {
        let graph = self.moments.mass.graph();
        let outside = above.map_or(Rotation::identity(), Seen::rotation);
        let position = outside.times(self.position);
        let still = Still::nothing();
        let (Some(own), Some((axis, angle))) = (own, self.turn()) else {
            let rotation = outside.then(self.rotation.clone());
            return Self { rotation, position, still, ..self.clone() };
        };
        let back = self.seat.0.clone().then(own.constant.transposed(graph)).folded(graph);
        let inside = own.about(own.sign * angle - own.angle);
        let moved = |x: Vector3<'g>| Vector3::unit(graph, own.axis) * (own.sign * x[axis]);
        let columns = self.columns.iter().map(|column| Column {
            twist: Twist {
                angular: moved(column.twist.angular),
                linear: moved(column.twist.linear),
            },
            ..*column
        });
        Self {
            position,
            rotation: outside.then(back).then(inside),
            moments: self.moments.placed(&own.rotation(), Vector3::zero(graph)),
            columns: columns.collect(),
            still,
            ..self.clone()
        }
    }
}

/// The sign of a unit vector that is ± an axis of coordinates, or constant and off it by rounding.
fn sign<'g>(x: Vector3<'g>, axis: usize) -> Option<Expr<'g>> {
    let graph = x[axis].graph();
    let small = |k: usize| x[k].value().is_some_and(|x| x.abs() <= PARALLEL);
    let off = (0..3).all(|k| k == axis || small(k));
    x[axis].value().filter(|_| off).map(|x| graph.constant(x.signum()))
}
