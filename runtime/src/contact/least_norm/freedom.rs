//! What v⁺ leaves open of the impulses of a step.

use alloc::vec;
use alloc::vec::Vec;

use super::faces::{End, Face, contacts, points};
use super::place::Place;
use crate::cone::columns::ZONES;
use crate::cone::{BLOCK_ROWS, Block, Coefficients};
use crate::contact::candidate::{BILATERAL, UNILATERAL};
use crate::contact::limit::{self, Spans};
use crate::contact::residual::{Given, Motion};
use crate::contact::slip::norm;
use crate::contact::{Approach, Impulse};
use crate::model::Robot;
use crate::slices::{dot, largest};

/// The largest velocity, by the fastest coordinate if that is above one, that is none: ten times what a step may leave.
const NEAR: f64 = 1e-8;
/// The row of a coordinate.
fn coordinate(nv: usize, v: usize, sign: f64) -> Vec<f64> {
    let mut row = vec![0.0; nv];
    row[v] = sign;
    row
}

/// A number alone, or a normal.
const ONE: [f64; BLOCK_ROWS] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// A variable: so many times an impulse, along normal and tangents of a contact and about these, or of one number.
#[derive(Clone, Debug)]
struct Variable {
    place: Place,
    along: [f64; BLOCK_ROWS],
    row: Vec<f64>,
}

impl Variable {
    /// Whether it is of a contact, along normal or tangents.
    fn is_along(&self) -> bool {
        let is_touching = matches!(self.place, Place::Contact(_) | Place::Point(_));
        is_touching && self.along[..3] != [0.0; 3]
    }
}

/// What v⁺ leaves of the moments of a contact.
struct Turning {
    /// Those that it tells, by the normal impulse: of what spins or rolls.
    told: [f64; 3],
    /// ν and ϱ of what does not.
    torsion: f64,
    rolling: f64,
}

impl Turning {
    fn new(end: &End, near: f64) -> Self {
        let [_, _, _, spin, x, y] = end.w;
        let speed = norm([x, y]);
        let (spins, rolls) = (spin.abs() > near, speed > near);
        let about = if spins { -end.torsion * spin.signum() } else { 0.0 };
        let [x, y] = [x, y].map(|w| if rolls { -end.rolling * w / speed } else { 0.0 });
        let left = |lever: f64, is_told: bool| if is_told { 0.0 } else { lever };
        let (torsion, rolling) = (left(end.torsion, spins), left(end.rolling, rolls));
        Self { told: [about, x, y], torsion, rolling }
    }

    /// A contact with what is left.
    fn block(&self, friction: f64) -> Block {
        let Self { torsion, rolling, .. } = *self;
        Coefficients { friction, torsion, rolling }.block()
    }

    /// The rows of moments that this block has.
    fn free_rows(&self) -> core::ops::Range<usize> {
        3..self.block(0.0).rows()
    }
}

/// The variables, and what bounds them.
#[derive(Clone, Debug, Default)]
pub(super) struct Freedom {
    variables: Vec<Variable>,
    pub(super) blocks: Vec<Block>,
    /// Along normals and tangents of all contacts that may press, (nv) each.
    touching: Vec<f64>,
}

impl Freedom {
    pub(super) fn new(robot: Robot<'_>, step: &Motion<'_>, given: &Given, end: &[f64]) -> Self {
        let mut freedom = Self::default();
        let near = NEAR * largest(end).max(1.0);
        let formulation = &step.conditions.formulation;
        let strongest = step.impulse.strongest();
        for end in contacts(robot, step, given, end).chain(points(step, given, end)) {
            if let Some(face) = end.face(formulation, near, strongest) {
                freedom.add_contact(&end, face, near);
            }
        }
        freedom.add_limits(robot, step, given, (end, near));
        freedom.add_joints(robot, step, (end, &given.offset, near));
        if let Some(rows) = &given.rows {
            for k in (0..robot.nc).filter(|&k| !given.yielding.gives_way(k)) {
                let row = (0..robot.nv).map(|i| rows.held.jacobian[robot.nc * i + k]).collect();
                freedom.add_row(Place::Constraint(k), row, [f64::NEG_INFINITY, f64::INFINITY]);
            }
        }
        freedom
    }

    fn add_row(&mut self, place: Place, row: Vec<f64>, [lower, upper]: [f64; 2]) {
        self.variables.push(Variable { place, along: ONE, row });
        self.blocks.push(Block::Row { lower, upper });
    }

    fn add_contact(&mut self, end: &End, face: Face, near: f64) {
        if matches!(&face, Face::Rays(rays) if rays.is_empty()) {
            return;
        }
        self.touching.extend(end.rows[..3].iter().flatten());
        let turning = Turning::new(end, near);
        let axis = |k: usize| core::array::from_fn(|i| f64::from(u8::from(i == k)));
        let pressing = |[n, t, u]: [f64; 3]| {
            let [about, x, y] = turning.told;
            [n, t, u, about, x, y]
        };
        let tangents = [axis(1), axis(2)];
        match face {
            Face::Stuck => {
                self.blocks.extend([UNILATERAL, BILATERAL, BILATERAL]);
                [ONE].into_iter().chain(tangents).for_each(|along| self.push(end, along));
            }
            Face::Cone => {
                self.blocks.push(turning.block(end.friction));
                self.push(end, pressing([1.0, 0.0, 0.0]));
                tangents.into_iter().for_each(|along| self.push(end, along));
                turning.free_rows().for_each(|k| self.push(end, axis(k)));
            }
            Face::Rays(rays) => {
                for ray in rays {
                    self.push(end, pressing(ray));
                    match turning {
                        Turning { torsion: 0.0, rolling: 0.0, .. } => self.blocks.push(UNILATERAL),
                        Turning { torsion, rolling: 0.0, .. } => {
                            self.blocks.push(Block::Planar { friction: torsion });
                            self.push(end, axis(3));
                        }
                        _ => {
                            // Friction is told by the ray.
                            self.blocks.push(turning.block(0.0));
                            (0..2).for_each(|_| self.push(end, [0.0; BLOCK_ROWS]));
                            turning.free_rows().for_each(|k| self.push(end, axis(k)));
                        }
                    }
                }
            }
        }
    }

    fn push(&mut self, end: &End, along: [f64; BLOCK_ROWS]) {
        let mut row = vec![0.0; end.rows[0].len()];
        for (part, by) in end.rows.iter().zip(along) {
            row.iter_mut().zip(part).for_each(|(to, j)| *to += by * j);
        }
        self.variables.push(Variable { place: end.place, along, row });
    }

    fn add_limits(
        &mut self,
        robot: Robot<'_>,
        step: &Motion<'_>,
        given: &Given,
        (end, near): (&[f64], f64),
    ) {
        let approach = |gap, velocity| Approach {
            gap,
            velocity: [velocity, 0.0, 0.0],
            restitution: 0.0,
            step_size: step.step_size,
        };
        let presses = [0.0, f64::INFINITY];
        for (k, &gap) in given.declared.value.iter().enumerate() {
            let along = |v: &[f64]| given.declared.velocity(k, v);
            let demand = step.conditions.demand_of_rigid(&approach(gap, along(step.v)));
            let Some((demand, _)) = demand.filter(|(demand, _)| demand.regularization == 0.0)
            else {
                continue;
            };
            if along(end) - demand.target[0] <= near {
                self.add_row(Place::Declared(k), given.declared.row(k).collect(), presses);
            }
        }
        let spans = Spans::new(robot.joints, &robot.coordinate_parameters());
        for limit in spans.iter().flat_map(|span| span.limits(step.q)) {
            let along = |v: &[f64]| limit.sign() * v[limit.v];
            let approach = approach(limit.gap, along(step.v));
            let demand = step.conditions.demand_of_limit(limit.v, &approach);
            let Some((demand, _)) = demand
                .filter(|(demand, softness)| demand.regularization == 0.0 && *softness == 0.0)
            else {
                continue;
            };
            if along(end) - demand.target[0] <= near {
                let row = coordinate(robot.nv, limit.v, limit.sign());
                self.add_row(Place::Limit(limit.v, limit.upper), row, presses);
            }
        }
    }

    /// Dry friction and motors.
    fn add_joints(
        &mut self,
        robot: Robot<'_>,
        step: &Motion<'_>,
        (end, offset, near): (&[f64], &[f64], f64),
    ) {
        let mean = |v: usize| (end[v] + offset[v]).abs();
        for dry in limit::dry_friction(robot.joints, &robot.coordinate_parameters()) {
            let bound = step.step_size * dry.bound;
            if (dry.v..dry.v + dry.count()).any(|v| mean(v) > near) {
                continue;
            }
            if dry.is_ball {
                let is_round = step.conditions.formulation.friction().is_round();
                self.add_ball(robot.nv, dry.v, bound, is_round);
            } else {
                let row = coordinate(robot.nv, dry.v, 1.0);
                self.add_row(Place::DryFriction(dry.v), row, [-bound, bound]);
            }
        }
        for &(v, motor) in &step.conditions.motors {
            let place = limit::motor_place(robot.joints, step.q, v);
            let Some(row) = place.and_then(|q| motor.row(q, step.step_size)) else { continue };
            if row.softness == 0.0 && (end[v] + offset[v] - row.target).abs() <= near {
                let bounds = [-row.bound, row.bound];
                self.add_row(Place::Motor(v), coordinate(robot.nv, v, 1.0), bounds);
            }
        }
    }

    /// Dry friction of three coordinates from this one on, in a ball, or in the zonotope that laws by polygons have.
    fn add_ball(&mut self, nv: usize, v: usize, radius: f64, is_round: bool) {
        let mut add = |[x, y, z]: [f64; 3]| {
            let mut row = vec![0.0; nv];
            row[v..v + 3].copy_from_slice(&[x, y, z]);
            self.variables.push(Variable {
                place: Place::Ball(v),
                along: [x, y, z, 0.0, 0.0, 0.0],
                row,
            });
        };
        if is_round {
            self.blocks.push(Block::Ball { radius });
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().for_each(add);
            return;
        }
        for (weight, direction) in ZONES {
            let upper = weight * radius;
            self.blocks.push(Block::Row { lower: -upper, upper });
            add(direction);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.variables.len()
    }

    /// All rows, (nv) each.
    pub(super) fn rows(&self) -> Vec<f64> {
        self.variables.iter().flat_map(|variable| &variable.row).copied().collect()
    }

    /// S times ā, by what an impulse of one along a row, (nv), makes faster.
    pub(super) fn metric(&self, mobility: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let n = self.len();
        let width = self.variables.first().map_or(1, |variable| variable.row.len());
        let mean = |rows: &[f64]| {
            let rows = rows.chunks_exact(width.max(1));
            let count = rows.len() as f64;
            rows.map(&mobility).sum::<f64>() / count
        };
        let positive = |x: f64, other: f64| if x > 0.0 { x } else { other };
        let of_contacts = positive(mean(&self.touching), 1.0);
        let mut metric = vec![0.0; n * n];
        for (i, of) in self.variables.iter().enumerate() {
            let scale = match of.place {
                Place::Contact(_) | Place::Point(_) if of.is_along() => of_contacts,
                // The same along all axes.
                Place::Ball(v) => {
                    let mut rows = vec![0.0; 3 * width];
                    (0..3).for_each(|k| rows[k * width + v + k] = 1.0);
                    positive(mean(&rows), of_contacts)
                }
                // A moment that v⁺ does not tell is a variable alone.
                _ => {
                    metric[(n + 1) * i] = positive(mobility(&of.row), of_contacts);
                    continue;
                }
            };
            let of_same = |(_, other): &(usize, &Variable)| other.place == of.place;
            for (j, other) in self.variables.iter().enumerate().filter(of_same) {
                metric[n * j + i] = scale * dot(&of.along[..3], &other.along[..3]);
            }
        }
        metric
    }

    /// Sets the impulses of all variables to zero.
    pub(super) fn release(&self, impulse: &mut Impulse) {
        for variable in &self.variables {
            variable.place.write([0.0; BLOCK_ROWS], impulse);
        }
    }

    /// Adds the impulses of all variables.
    pub(super) fn add(&self, variables: &[f64], impulse: &mut Impulse) {
        for (Variable { place, along, .. }, by) in self.variables.iter().zip(variables) {
            let mut all = place.read(impulse);
            all.iter_mut().zip(along).for_each(|(to, along)| *to += by * along);
            place.write(all, impulse);
        }
    }
}
