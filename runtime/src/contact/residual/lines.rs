//! Springs and dampers of a step as rows, from the state and M alone.

use alloc::vec::Vec;

use super::Transition;
use super::response::Response;
use crate::constrained::Rows;
use crate::contact::springs::Springs;
use crate::contact::yielding::Yielding;
use crate::contact::{Conditions, Impulse};
use crate::model::Model;
use crate::space::Storage;

/// A row w = j v⁺ − target + σ Λ = 0, whose impulse is all that a damper exerts, or a spring that is implicit.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// j, (nv).
    pub(crate) row: Vec<f64>,
    /// h f/g, for the force f at the beginning.
    pub(crate) target: f64,
    /// σ = 1/g.
    pub(crate) softness: f64,
}

/// What of a step of `h` seconds is implicit, [as a step has it](super::super::springs), with dampers of coordinates as rows
/// too; and the force of what is not, (nv).
///
/// No row is beside a force that it takes away again: what is stiff by far would leave rounding of that.
pub(crate) fn lines<M: Model>(
    model: &M,
    (q, v): (&M::Q, &M::V),
    (time, h): (f64, f64),
) -> (Vec<Line>, M::V) {
    let mut springs = Springs::new(model);
    let (mut lines, mut force) = (Vec::new(), model.passive_force(q, &M::V::zeros()));
    for (i, damping) in springs.damping().iter().enumerate().filter(|(_, d)| **d > 0.0) {
        let row = (0..M::NV).map(|k| f64::from(u8::from(k == i))).collect();
        lines.push(Line { row, target: 0.0, softness: 1.0 / (h * damping) });
    }
    if springs.are_none() {
        return (lines, force);
    }
    springs.evaluate(model, (q, v));
    let (conditions, impulse) = (&Conditions::default(), &Impulse::zeros::<M>());
    let step = &Transition { conditions, time, step_size: h, q, v, force: v, v_next: v, impulse };
    let rows = (M::NC > 0).then(|| {
        let mut rows = Rows::new(model);
        rows.evaluate(model, q, v, time);
        rows
    });
    let response = Response::new(model, step, (rows.as_ref(), &Yielding::new::<M>()));
    springs.limit_by(h, |row| response.to(|i| row[i]).as_slice()[..M::NV].to_vec());
    // Those of coordinates come first, and have what is left of the force there.
    let acting: Vec<usize> = springs.acting(h).collect();
    for &line in acting.iter().rev() {
        let (row, softness): (Vec<f64>, _) =
            (springs.row(line).collect(), springs.demand(line, h).1);
        let own = match springs.coordinate(line) {
            Some(v) => force[v],
            None => -springs.pull(line),
        };
        force.as_mut_slice().iter_mut().zip(&row).for_each(|(force, j)| *force -= j * own);
        lines.push(Line { row, target: h * own * softness, softness });
    }
    (lines, force)
}
