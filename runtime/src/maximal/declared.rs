//! Rows of what a robot declares beside bodies and joints, as `collect` asks for them.

use super::World;
use super::aim::{Aim, UNBOUNDED, is_near, target};
use super::body::Body;
use super::own::{Parts, State};
use super::problem::{Law, Problem, Source};
use crate::slices::worse;

/// Lists the rows of constraints; the largest |h| of positions.
pub(super) fn constraints(
    world: &World,
    own: Option<&State>,
    aim: Aim,
    problem: &mut Problem,
) -> f64 {
    let mut error = 0.0_f64;
    let (Some(robot), Some(own)) = (&world.own, own) else { return error };
    let nc = own.terms.error.len();
    for (k, &of_positions) in robot.positions.iter().enumerate() {
        let value = own.terms.error[k];
        if of_positions {
            error = worse(value.abs(), error);
        } else if aim == Aim::Position {
            continue;
        }
        problem.begin(Source::Constraint(k), Law::Holds);
        let target = if aim == Aim::Position { -value } else { own.target(k) };
        problem.push((target, 0.0), own.row(&own.terms.jacobian, k, nc));
    }
    error
}

/// Lists the rows of dampers, and of springs that are implicit.
pub(super) fn springs(own: &State, problem: &mut Problem) {
    for (k, line) in own.terms.lines.iter().enumerate() {
        problem.begin(Source::Spring(k), Law::Holds);
        problem.push((line.target, line.softness), own.along(&line.row));
    }
}

/// Lists the rows of limits that are near; the largest depth.
pub(super) fn limits(
    world: &World,
    own: Option<&State>,
    (bodies, aim): (&[Body], Aim),
    problem: &mut Problem,
) -> f64 {
    let Some(own) = own else { return 0.0 };
    let mut depth = 0.0_f64;
    let values = &own.terms.limit;
    for (k, &value) in values.iter().enumerate() {
        depth = worse(-value, depth);
        let row = own.row(&own.terms.limit_jacobian, k, values.len());
        if is_near(value, rate(&row, bodies), aim) {
            problem.begin(Source::Declared(k), Law::Bounded(UNBOUNDED));
            problem.push((target(world, value, aim), 0.0), row);
        }
    }
    depth
}

/// Lists the rows of contacts whose normals turn; the largest depth.
pub(super) fn contacts(
    world: &World,
    own: Option<&State>,
    (bodies, aim): (&[Body], Aim),
    problem: &mut Problem,
) -> f64 {
    let (Some(robot), Some(own)) = (&world.own, own) else { return 0.0 };
    let mut depth = 0.0_f64;
    for &(k, ref of) in &robot.contacts {
        let gap = own.terms.gap[k];
        depth = worse(-gap, depth);
        let row =
            |which| own.row(&own.terms.contact_jacobian, 3 * k + which, 3 * own.terms.gap.len());
        let normal = row(0);
        let rate = rate(&normal, bodies);
        if is_near(gap, rate, aim) {
            let contact =
                Touching { gap, rate, friction: of.friction, restitution: of.restitution };
            contact.push(world, (Source::Turning(k), aim), normal, || [row(1), row(2)], problem);
        }
    }
    depth
}

fn rate(row: &Parts, bodies: &[Body]) -> f64 {
    row.iter().map(|(body, part)| part.dot(&bodies[*body].velocity())).sum()
}

/// A contact that is near.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touching {
    /// φ and J_n u⁻.
    pub(super) gap: f64,
    pub(super) rate: f64,
    /// μ and e.
    pub(super) friction: f64,
    pub(super) restitution: f64,
}

impl Touching {
    /// Lists its rows.
    pub(super) fn push(
        &self,
        world: &World,
        (source, aim): (Source, Aim),
        normal: Parts,
        tangents: impl FnOnce() -> [Parts; 2],
        problem: &mut Problem,
    ) {
        let bounce = match aim {
            Aim::Velocity { h } if self.gap + h * self.rate <= 0.0 => -self.restitution * self.rate,
            _ => 0.0,
        };
        let target = target(world, self.gap, aim);
        let target = if bounce > 0.0 { target.max(bounce) } else { target };
        let rubs = self.friction > 0.0 && aim != Aim::Position;
        let law = if rubs { Law::Contact(self.friction) } else { Law::Bounded(UNBOUNDED) };
        problem.begin(source, law);
        problem.push((target, 0.0), normal);
        if rubs {
            tangents().into_iter().for_each(|row| problem.push((0.0, 0.0), row));
        }
    }
}
