//! Springs and dampers of a step as rows, from the state and M alone.

use alloc::vec;
use alloc::vec::Vec;

use super::motion::Motion;
use super::response::Response;
use crate::constrained::Rows;
use crate::contact::springs::Springs;
use crate::contact::yielding::Yielding;
use crate::contact::{Conditions, Impulse};
use crate::model::Robot;

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
pub(crate) fn lines(
    robot: Robot<'_>,
    (q, v): (&[f64], &[f64]),
    (time, h): (f64, f64),
) -> (Vec<Line>, Vec<f64>) {
    let mut springs = Springs::new(robot);
    let (mut lines, mut force) = (Vec::new(), vec![f64::NAN; robot.nv]);
    robot.passive_force_into(q, &vec![0.0; robot.nv], &mut force);
    for (i, damping) in springs.damping().iter().enumerate().filter(|(_, d)| **d > 0.0) {
        let row = (0..robot.nv).map(|k| f64::from(u8::from(k == i))).collect();
        lines.push(Line { row, target: 0.0, softness: 1.0 / (h * damping) });
    }
    if springs.are_none() {
        return (lines, force);
    }
    springs.evaluate(robot, (q, v));
    let (conditions, impulse) = (&Conditions::default(), &Impulse::zeros_of(&robot));
    let step = &Motion { conditions, time, step_size: h, q, v, force: v, v_next: v, impulse };
    let rows = (robot.nc > 0).then(|| {
        let mut rows = Rows::new(robot);
        rows.evaluate(robot, q, v, time);
        rows
    });
    let response = Response::new(robot, step, (rows.as_ref(), &Yielding::new(&robot)));
    springs.limit_by(h, |row| response.to(|i| row[i]).as_slice()[..robot.nv].to_vec());
    // Those of coordinates come first, and have what is left of the force there.
    let acting: Vec<usize> = springs.acting(h).collect();
    for &line in acting.iter().rev() {
        let (row, softness): (Vec<f64>, _) =
            (springs.row(line).collect(), springs.demand(line, h).1);
        let own = match springs.coordinate(line) {
            Some(v) => force[v],
            None => -springs.pull(line),
        };
        force.iter_mut().zip(&row).for_each(|(force, j)| *force -= j * own);
        lines.push(Line { row, target: h * own * softness, softness });
    }
    (lines, force)
}
