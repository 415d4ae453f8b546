//! Points between robots, which are contacts with rows on both.

use alloc::vec::Vec;

use super::super::Conditions;
use super::super::candidate::{UNILATERAL, lacks};
use super::super::demand::{Approach, Demand};
use super::super::formulation::Formulation;
use super::super::overlap::must_move;
use super::super::problem::Problem;
use super::super::slip::is_at_rest;
use super::part::Part;
use crate::cone::{BLOCK_ROWS, Coefficients};
use crate::slices::dot;

/// Most rows of a point: three along its axes, one about its normal, two about its tangents.
pub(crate) const ROWS: usize = BLOCK_ROWS;

/// A robot at one side of a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// Which robot of the step.
    pub(crate) part: usize,
    /// Where its rows begin among those of all, of (nv) each.
    pub(crate) first: usize,
}

/// A point where solids of two robots may touch, or one of a robot and what stands still.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// φ at the beginning, m.
    pub(crate) gap: f64,
    /// On the first side along normal and tangents, and about these; before a step those that it starts from.
    pub(crate) impulse: [f64; ROWS],
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
    /// ν and ϱ, m.
    pub(crate) torsion: f64,
    pub(crate) rolling: f64,
    pub(crate) directions: usize,
    pub(crate) sides: [Option<Side>; 2],
    /// J v at the beginning.
    velocity: [f64; ROWS],
    /// What its law demands, if anything, and σ.
    demand: Option<(Demand, f64)>,
    included: bool,
    /// Its first row in the problem.
    row: usize,
    /// The impulses that it starts from.
    start: [f64; ROWS],
}

impl Between {
    /// A point with a gap and the impulses of the last step, without friction, at no robots.
    pub(crate) fn new(gap: f64, impulse: [f64; ROWS]) -> Self {
        Self {
            gap,
            impulse,
            friction: 0.0,
            restitution: 0.0,
            torsion: 0.0,
            rolling: 0.0,
            directions: 4,
            sides: [None; 2],
            velocity: [0.0; ROWS],
            demand: None,
            included: false,
            row: 0,
            start: impulse,
        }
    }

    /// How many rows it has.
    pub(super) fn rows(&self) -> usize {
        if self.resists_turning() || self.friction > 0.0 { self.coefficients().rows() } else { 1 }
    }

    /// μ, ν and ϱ.
    pub(super) fn coefficients(&self) -> Coefficients {
        let Self { friction, torsion, rolling, .. } = *self;
        Coefficients { friction, torsion, rolling }
    }

    /// Whether it resists turning.
    pub(super) fn resists_turning(&self) -> bool {
        self.torsion > 0.0 || self.rolling > 0.0
    }

    /// How many rows tell how it moves.
    pub(crate) fn lines(&self) -> usize {
        self.coefficients().rows()
    }

    /// Whether it does not slide at the beginning.
    pub(super) fn is_at_rest(&self) -> bool {
        let [n, x, y, ..] = self.velocity;
        is_at_rest([n, x, y])
    }

    pub(super) fn demand(&self) -> Option<(Demand, f64)> {
        self.demand
    }

    pub(super) fn is_included(&self) -> bool {
        self.included
    }

    /// Its first row in the problem.
    pub(super) fn row(&self) -> usize {
        self.row
    }
}

/// All points between the robots of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    pub(crate) points: Vec<Between>,
    /// Of each side of each point, rows of (nv).
    pub(crate) rows: Vec<f64>,
}

impl Contacts {
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.rows.clear();
    }

    /// J x of a point, for one x of each robot.
    pub(super) fn velocity<'x>(
        &self,
        point: &Between,
        of: impl Fn(usize) -> &'x [f64],
    ) -> [f64; ROWS] {
        let mut velocity = [0.0; ROWS];
        for side in point.sides.iter().flatten() {
            let x = of(side.part);
            let rows = self.rows[side.first..].chunks_exact(x.len()).take(point.lines());
            velocity.iter_mut().zip(rows).for_each(|(to, row)| *to += dot(row, x));
        }
        velocity
    }

    /// Begins a step from the velocities of the robots.
    pub(super) fn begin(&mut self, parts: &[Part<'_>]) {
        let mut points = core::mem::take(&mut self.points);
        for point in &mut points {
            point.velocity = self.velocity(point, |k| parts[k].state.1);
        }
        self.points = points;
    }

    /// What the law demands of each point in a step.
    pub(super) fn demand(&mut self, (h, conditions): (f64, &Conditions)) {
        for point in &mut self.points {
            let [n, x, y, ..] = point.velocity;
            let approach = Approach {
                gap: point.gap,
                velocity: [n, x, y],
                restitution: point.restitution,
                step_size: h,
            };
            point.demand = conditions.demand_of_pair(&approach);
            point.friction = conditions.formulation.friction(point.friction);
            for lever in [&mut point.torsion, &mut point.rolling] {
                *lever = conditions.formulation.lever(*lever);
            }
            // What pressed in the last step mostly does so again.
            point.included = point.demand.is_some() && point.start[0] > 0.0;
        }
    }

    /// What a displacement that puts right what overlaps demands of each point, which has no friction then.
    pub(super) fn demand_apart(&mut self, (h, conditions): (f64, &Conditions)) -> bool {
        let mut found = false;
        for point in &mut self.points {
            let [rate, ..] = point.velocity;
            let least = conditions.separation([point.gap, rate], h);
            let demand = |least| Demand { target: [rate + least, 0.0, 0.0], regularization: 0.0 };
            point.demand = least.map(|least| (demand(least), 0.0));
            point.included = least.is_some_and(|least| must_move(point.gap, least, h));
            found |= point.included;
        }
        found
    }

    /// Lets every row give way by this share of its own mobility.
    pub(super) fn give_way(&mut self, by: f64) {
        for (demand, _) in self.points.iter_mut().filter_map(|point| point.demand.as_mut()) {
            demand.regularization = by;
        }
    }

    /// No impulses yet.
    pub(super) fn begin_solution(&mut self) {
        for point in &mut self.points {
            point.impulse = [0.0; ROWS];
        }
    }

    /// Goes on from the impulses of the last solution.
    pub(super) fn start_again(&mut self) {
        self.points.iter_mut().for_each(|point| point.start = point.impulse);
    }

    /// Whether a point does not slide at the beginning.
    pub(super) fn have_rest(&self) -> bool {
        self.points.iter().any(Between::is_at_rest)
    }

    /// Whether any point is included.
    pub(super) fn act(&self) -> bool {
        self.points.iter().any(|point| point.included)
    }

    /// Includes the points that the velocities of the last solution violate; whether there are any.
    pub(super) fn include_violated(
        &mut self,
        parts: &[Part<'_>],
        formulation: &Formulation,
    ) -> bool {
        let mut points = core::mem::take(&mut self.points);
        let mut found = false;
        for point in points.iter_mut().filter(|point| !point.included) {
            let Some((demand, _)) = point.demand else { continue };
            let velocity = self.velocity(point, |k| parts[k].core.velocity());
            let w = core::array::from_fn(|k| velocity[k] - demand.target[k]);
            point.included = lacks(formulation, point.friction, &demand, w);
            found |= point.included;
        }
        self.points = points;
        found
    }

    /// The rows of what is included on a robot, one after the other.
    pub(super) fn rows_of(&self, part: usize, nv: usize) -> impl Iterator<Item = &[f64]> + Clone {
        self.sides_of(part).flat_map(move |(point, first)| {
            self.rows[first..].chunks_exact(nv.max(1)).take(point.rows())
        })
    }

    /// What is included on a robot, and where its rows begin.
    fn sides_of(&self, part: usize) -> impl Iterator<Item = (&Between, usize)> + Clone {
        let included = self.points.iter().filter(|point| point.included);
        let sides =
            included.flat_map(|point| point.sides.iter().flatten().map(move |s| (point, s)));
        sides.filter(move |(_, side)| side.part == part).map(|(point, side)| (point, side.first))
    }

    /// Adds what is included to the problem.
    pub(super) fn push(&mut self, problem: &mut Problem, parts: &[Part<'_>]) {
        let mut points = core::mem::take(&mut self.points);
        for point in points.iter_mut().filter(|point| point.included) {
            let Some((Demand { target, regularization }, softness)) = point.demand else {
                continue;
            };
            point.row = problem.rows();
            let free = self.velocity(point, |k| parts[k].core.free());
            let b: [f64; 3] = core::array::from_fn(|k| free[k] - target[k]);
            let softness = [softness, regularization];
            let directions = point.directions;
            if point.rows() == 1 {
                problem.push(UNILATERAL, 0, [b[0]], softness);
                continue;
            }
            problem.push(point.coefficients().block(), directions, b, softness);
            free[3..point.rows()].iter().for_each(|w| problem.push_beside(*w));
        }
        self.points = points;
    }

    /// The places in the problem of the rows of what is included on a robot.
    pub(super) fn add_places(&self, part: usize, places: &mut Vec<usize>) {
        let rows = |(point, _): (&Between, usize)| point.row..point.row + point.rows();
        places.extend(self.sides_of(part).flat_map(rows));
    }

    /// Writes the impulses that its rows start from.
    pub(super) fn write_start(&self, impulses: &mut [f64]) {
        for point in self.points.iter().filter(|point| point.included) {
            let to = &mut impulses[point.row..][..point.rows()];
            to.iter_mut().zip(point.start).for_each(|(to, start)| *to = start);
        }
    }

    /// Reads the impulses of what is included.
    pub(super) fn read(&mut self, impulses: &[f64]) {
        for point in self.points.iter_mut().filter(|point| point.included) {
            let of = &impulses[point.row..][..point.rows()];
            point.impulse.iter_mut().zip(of).for_each(|(to, of)| *to = *of);
        }
    }

    /// The impulses of what is included along its rows on a robot.
    pub(super) fn impulses_on(&self, part: usize) -> impl Iterator<Item = f64> {
        self.sides_of(part).flat_map(|(point, _)| point.impulse.into_iter().take(point.rows()))
    }
}
