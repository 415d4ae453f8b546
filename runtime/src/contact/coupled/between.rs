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
    /// σ of what gives way, along normal and tangents.
    pub(super) sigma: [f64; 3],
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
            sigma: [0.0; 3],
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

    pub(super) fn start(&self) -> [f64; ROWS] {
        self.start
    }

    /// J x, by the rows of all points, for one x of each robot.
    pub(super) fn velocity<'x>(
        &self,
        rows: &[f64],
        of: impl Fn(usize) -> &'x [f64],
    ) -> [f64; ROWS] {
        let mut velocity = [0.0; ROWS];
        for side in self.sides.iter().flatten() {
            let x = of(side.part);
            let rows = rows[side.first..].chunks_exact(x.len()).take(self.lines());
            velocity.iter_mut().zip(rows).for_each(|(to, row)| *to += dot(row, x));
        }
        velocity
    }

    /// Has no impulse yet, but still starts from the one that it was given.
    pub(super) fn begin_solution(&mut self) {
        self.impulse = [0.0; ROWS];
        self.sigma = [0.0; 3];
    }

    /// Goes on from the impulse of the last solution.
    pub(super) fn start_again(&mut self) {
        self.start = self.impulse;
    }

    /// Gives way by this share of its mobility.
    pub(super) fn give_way(&mut self, by: f64) {
        if let Some((demand, _)) = &mut self.demand {
            demand.regularization = by;
        }
    }

    /// Is included if it is not, and the velocities of the last solution violate it; whether that is so.
    pub(super) fn include_if_violated(
        &mut self,
        parts: &[Part<'_>],
        rows: &[f64],
        formulation: &Formulation,
    ) -> bool {
        let (false, Some((demand, _))) = (self.included, &self.demand) else { return false };
        let velocity = self.velocity(rows, |k| parts[k].core.velocity());
        let w = core::array::from_fn(|k| velocity[k] - demand.target[k]);
        self.included = lacks(formulation, self.friction, demand, w);
        self.included
    }

    /// Adds it to the problem.
    pub(super) fn push(&mut self, problem: &mut Problem, rows: &[f64], parts: &[Part<'_>]) {
        let Some((Demand { target, regularization, .. }, softness)) = self.demand else { return };
        self.row = problem.rows();
        let free = self.velocity(rows, |k| parts[k].core.free());
        let b: [f64; 3] = core::array::from_fn(|k| free[k] - target[k]);
        let softness = [softness, regularization];
        if self.rows() == 1 {
            problem.push(UNILATERAL, 0, [b[0]], softness);
            return;
        }
        problem.push(self.coefficients().block(), self.directions, b, softness);
        free[3..self.rows()].iter().for_each(|w| problem.push_beside(*w));
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

    /// Begins a step from the velocities of the robots.
    pub(super) fn begin(&mut self, parts: &[Part<'_>]) {
        for point in &mut self.points {
            point.velocity = point.velocity(&self.rows, |k| parts[k].state.1);
        }
    }

    /// What the law demands of each point in a step.
    pub(super) fn demand(&mut self, (h, conditions): (f64, &Conditions)) {
        let law = conditions.formulation.friction();
        for point in &mut self.points {
            let [n, x, y, ..] = point.velocity;
            let approach = Approach {
                gap: point.gap,
                velocity: [n, x, y],
                restitution: point.restitution,
                step_size: h,
            };
            point.demand = conditions.demand_of_rigid(&approach);
            let demand = point.demand.map_or(Demand::default(), |(demand, _)| demand);
            point.friction = demand.friction(law.coefficient(point.friction));
            for lever in [&mut point.torsion, &mut point.rolling] {
                *lever = law.lever(*lever);
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
            point.demand = least.map(|least| (Demand::of_normal(rate + least), 0.0));
            point.included = least.is_some_and(|least| must_move(point.gap, least, h));
            found |= point.included;
        }
        found
    }
}
