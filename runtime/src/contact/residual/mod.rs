//! How well a step satisfies its equations, computed from its result alone.
//!
//! > r = M(q) (v⁺ − ṽ) − h (f − b(q, v)) − Gᵀ Λ,  min(λ, n v⁺ − l),  min(β_k, d_k v⁺ + σ) and
//! > min(σ, μ λ − Σβ) with σ = max(0, maxₖ(−d_k v⁺)),  p − mid(−h τ_f, p − v_j⁺, h τ_f),  h(q⁺, t⁺) / ρ,  h_v(q, v⁺, t⁺) / ρ
//!
//! The multiplier σ of friction is the speed that maximum dissipation gives it, so that nothing
//! of a solver but the impulses enters; min(λ, …) and p − mid(…) are natural residuals, the latter of a dry
//! friction p.
//! Where rounding of a gap decides what is demanded of it, either counts.
//! Each sum is divided by its largest term, if that is above one; the velocity of a single row is one of its velocity at
//! the beginning and what impulses change, so that the former is among its terms, as what is brought from 30 rad/s to rest
//! is at rest to rounding of 30 rad/s. The slack of a cone is divided by the strongest one: for robots of human size the numbers are N s and m/s. Those of declared constraints do not
//! depend on the units of their rows: ρ is the length of the longest row of H of the same constraint.

mod ball;
mod bounded;
mod ends;
mod given;
mod law;
mod leapfrog;
mod lines;
mod motion;
mod pairs;
mod parts;
mod phase;
mod polygon;
mod response;
mod rows;
mod side_by_side;

pub(super) use self::ball::ball;
pub(super) use self::bounded::bounded;
pub(super) use self::ends::Ends;
pub(super) use self::given::Given;
pub(crate) use self::law::{Contact, Turn};
pub(crate) use self::lines::{Line, lines};
pub(crate) use self::motion::Motion;
pub use self::motion::Transition;
pub use self::parts::Residual;
use self::phase::Phase;
use self::rows::{dry_friction, limits, motors, soft_constraints, springs};

use alloc::vec;
use alloc::vec::Vec;

use super::bilateral::missed;
use super::chains::Chains;
use super::free_bodies::FreeBodies;
use super::springs::Springs;
use super::sum::Sum;
use super::yielding::Yielding;
use super::{Approach, Demand};
use crate::constrained::{Rows, reaches};
use crate::manifold;
use crate::model::{Model, Robot, Table, with_data};
use crate::slices::{larger, largest, worse};

/// Units of rounding of the largest coordinate, if that is above one, between gaps that are computed in different orders.
const ROUNDINGS: f64 = 16.0;

/// How much faster demands change with a gap, where no law begins to demand something, than the velocity that closes it in a step.
const JUMP: f64 = 8.0;

/// The residual of a step of `model`, from the definition of its formulation and nothing of its
/// solver; NaN where a number of it is, and all NaN for impulses of another model's shape.
///
/// # Source
///
/// The definitions in the header of the module [`contact`](super).
pub fn residual<M: Model>(model: &M, step: &Transition<'_, M>) -> Residual {
    with_data(model, |robot| of_motion(robot, &step.motion()))
}

fn of_motion(robot: Robot<'_>, step: &Motion<'_>) -> Residual {
    if !step.impulse.fits(&robot) {
        return Residual::UNKNOWN;
    }
    let Ok(mut given) = Given::new(robot, step) else { return Residual::UNKNOWN };
    let Some(back) = turned_back(robot, step, &given.springs) else { return Residual::UNKNOWN };
    given.offset = back.offset;
    let step = &Motion { v_next: &back.velocity, ..*step };
    if given.find_further(robot, step, &back.velocity).is_err() {
        return Residual::UNKNOWN;
    }
    let last = given.residual(robot, step, &Phase::last(step));
    let compression = Phase::compression(robot, step, &given);
    let others = compression.map(|phase| given.residual(robot, step, &phase));
    let all = others.map_or(last, |others| last.worse(&others));
    let rows = given.rows.as_ref().map(|rows| (rows, &given.yielding));
    let rigid = rows.map_or(0.0, |rows| constraints(robot, step, rows, back.end));
    Residual {
        momentum: momentum(robot, step, &given, &back.turning),
        constraints: worse(all.constraints, rigid),
        ..all
    }
}

/// What a step is made of, from where it leads.
pub(super) struct Back {
    /// The velocity that impulses led to, in the axes of the beginning.
    pub(super) velocity: Vec<f64>,
    /// What the mean velocity of a step of chains has beside that, (nv).
    pub(super) offset: Vec<f64>,
    /// The force of what turns freely and of chains.
    turning: Vec<f64>,
    /// Where chains are at the end.
    end: Option<Vec<f64>>,
}

/// Nothing where chains did not come to this end by the leapfrog, nor bodies alone by their free turn.
pub(super) fn turned_back(robot: Robot<'_>, step: &Motion<'_>, springs: &Springs) -> Option<Back> {
    let mut v_next = step.v_next.to_vec();
    let (mut free_bodies, mut turning) = (FreeBodies::new(robot), vec![0.0; robot.nv]);
    let known = (step.force, springs, step.step_size);
    if step.conditions.free_rotation {
        free_bodies.add_force(robot, (step.q, step.v), known, &mut turning);
    }
    let others = free_bodies.others(robot.joints);
    manifold::turn_back(&others, step.step_size, &mut v_next);
    if !free_bodies.turn_back(step.step_size, &mut v_next) {
        return None;
    }
    let (mut chains, mut carried) = (Chains::new(robot.table()), vec![0.0; robot.nv]);
    manifold::carry(robot.joints, step.v, step.step_size, &mut carried);
    let (drift, state) = (step.conditions.allowed_drift(), (step.q, step.v, &carried[..]));
    chains.add_force(robot, drift, state, known, &mut turning).ok()?;
    if !chains.is_used() {
        let offset = vec![0.0; robot.nv];
        return Some(Back { velocity: v_next, offset, turning, end: None });
    }
    let (h, from) = (step.step_size, displaced(&robot, step));
    let (of, to) = ((step.q, &from[..]), (step.v_next, &v_next[..]));
    let (velocity, offset, end) = leapfrog::middle(robot, h, of, to, chains.belongs())?;
    chains.renew(robot, h, (step.q, &velocity), &mut turning);
    Some(Back { velocity, offset, turning, end: Some(end) })
}

/// Where the step moves from: q ⊕ h c.
fn displaced(table: &Table, step: &Motion<'_>) -> Vec<f64> {
    let mut q = step.q.to_vec();
    manifold::integrate(table.joints, &step.impulse.displacement, 1.0, &mut q);
    q
}

impl Given {
    /// How well impulses satisfy their laws, in a step of one phase to a velocity in the axes of its beginning.
    pub(in crate::contact) fn laws(&self, robot: Robot<'_>, step: &Motion<'_>) -> f64 {
        self.residual(robot, step, &Phase::last(step)).max()
    }

    /// How well the impulses of a phase satisfy their laws.
    fn residual(&self, robot: Robot<'_>, step: &Motion<'_>, phase: &Phase) -> Residual {
        let of_contacts = contacts(robot, step, phase, self);
        let of_pairs = self::pairs::residual(robot, step, phase, self);
        Residual {
            normal: worse(of_contacts[0], of_pairs[0]),
            friction: worse(of_contacts[1], of_pairs[1]),
            limits: limits(robot, step, phase, self),
            dry_friction: dry_friction(robot, step, phase, &self.offset),
            springs: springs(step, phase, &self.springs),
            motors: motors(&robot, step, phase, &self.offset),
            constraints: soft_constraints(step, phase, &self.yielding),
            ..Residual::default()
        }
    }
}

fn momentum(robot: Robot<'_>, step: &Motion<'_>, given: &Given, turning: &[f64]) -> f64 {
    let nv = robot.nv;
    let (mut mass, mut bias) = (vec![f64::NAN; nv * nv], vec![f64::NAN; nv]);
    robot.mass_matrix_into(step.q, &mut mass);
    robot.bias_force_into(step.q, step.v, &mut bias);
    let [inertia, damping] = step.conditions.formulation.normal().implicit();
    (0..nv).for_each(|i| mass[(nv + 1) * i] += inertia);
    let mut carried = vec![0.0; nv];
    manifold::carry(robot.joints, step.v, step.step_size, &mut carried);
    let h = step.step_size;
    let mut passive = vec![0.0; nv];
    for (i, &damping) in given.springs.damping().iter().enumerate() {
        mass[(nv + 1) * i] += h * damping;
        passive[i] = damping * (carried[i] - step.v[i]);
    }
    let mut largest = 0.0;
    for i in 0..nv {
        let mut sum = Sum::of((0..nv).map(|j| mass[nv * j + i] * (step.v_next[j] - carried[j])));
        sum.add(-h * (step.force[i] - bias[i] - damping * step.v[i] - passive[i] + turning[i]));
        given.forces(step.impulse, i, |term| sum.add(-term));
        largest = worse(largest, sum.relative().abs());
    }
    largest
}

/// The largest |h(q⁺, t⁺)| / ρ and |h_v(q, v⁺, t⁺)| / ρ of what does not give way.
fn constraints(
    robot: Robot<'_>,
    step: &Motion<'_>,
    (rows, yielding): (&Rows, &Yielding),
    end: Option<Vec<f64>>,
) -> f64 {
    let end = end.unwrap_or_else(|| {
        let (mut end, mut turned) = (displaced(&robot, step), step.v_next.to_vec());
        manifold::move_on(robot.joints, step.step_size, &mut end, &mut turned);
        end
    });
    let (mut errors, mut rates) = (vec![f64::NAN; robot.nc], vec![f64::NAN; robot.nc]);
    let mut by = Vec::new();
    let counts = robot.constraints.iter().map(|constraint| constraint.levels.len());
    reaches(counts, (robot.nc, &rows.held.jacobian), &mut by);
    let time = step.time + step.step_size;
    let rows = (&by[..], |k| yielding.gives_way(k));
    missed(robot, (step.q, &end, step.v_next), time, rows, (&mut errors, &mut rates))
}

/// Residuals of the contacts' normals and of their friction.
fn contacts(robot: Robot<'_>, step: &Motion<'_>, phase: &Phase, given: &Given) -> [f64; 2] {
    let Given { jacobian, turning, .. } = given;
    let (conditions, rows) = (step.conditions, 3 * robot.contacts.len());
    let law = conditions.formulation.friction();
    let mut gap = vec![f64::NAN; robot.contacts.len()];
    robot.gap_into(step.q, &mut gap);
    let times =
        |row: usize, v: &[f64]| Sum::of((0..robot.nv).map(|j| jacobian[j * rows + row] * v[j]));
    let strongest = phase.whole.strongest();
    let rounding = ROUNDINGS * f64::EPSILON * larger(largest(step.q), 1.0);
    let (mut normal, mut friction) = (0.0, 0.0);
    for (i, parameters) in robot.contact_parameters().iter().enumerate() {
        let (impulse, whole) = (phase.impulse.local(i), phase.whole.local(i));
        let velocity = [0, 1, 2].map(|k| times(3 * i + k, step.v).value);
        let (restitution, h) = (parameters.restitution, step.step_size);
        let demand = |gap: f64| {
            let approach = Approach { gap, velocity, restitution, step_size: h };
            (approach, conditions.demand_of_contact(i, &approach))
        };
        let judge = |gap: f64| {
            let (approach, Some((demand, softness))) = demand(gap) else {
                return [impulse.amax(), largest(&phase.impulse.turning(i))];
            };
            let demand = phase.demand(demand, &approach);
            let w = [0, 1, 2].map(|k| {
                let row = |j: usize| jacobian[j * rows + 3 * i + k];
                let mut w = times(3 * i + k, &phase.end);
                w.add(-demand.target[k]);
                w.add((softness + given.compliance(robot, step, &demand, row)) * whole[k]);
                w
            });
            let contact = Contact {
                impulse: impulse.into(),
                floor: phase.floor(i, restitution),
                w,
                friction: demand.friction(law.coefficient(parameters.friction)),
                directions: robot.contacts[i].directions,
                strongest,
            };
            let [n, t] = contact.residual(&conditions.formulation);
            let of = law.turning([parameters.torsion, parameters.rolling]);
            let w = turning.end(i, &phase.end, &phase.end);
            let turned = Turn { impulse: phase.impulse.turning(i), w }.residual(impulse.x, of);
            [n, worse(t, turned)]
        };
        let [low, high] = [gap[i] - rounding, gap[i] + rounding];
        let [n, t] = match do_jump([demand(low).1, demand(high).1], rounding / h) {
            true => least([judge(low), judge(gap[i]), judge(high)]),
            false => judge(gap[i]),
        };
        (normal, friction) = (worse(normal, n), worse(friction, t));
    }
    [normal, friction]
}

/// Whether demands of two gaps differ by more than gaps do whose difference takes the velocity `by` in a step: a law begins to
/// demand something between them.
fn do_jump(demands: [Option<(Demand, f64)>; 2], by: f64) -> bool {
    match demands {
        [None, None] => false,
        [Some((low, _)), Some((high, _))] => {
            let mut targets = low.target.iter().zip(&high.target);
            low.is_apart != high.is_apart
                || targets.any(|(low, high)| (low - high).abs() > JUMP * by)
        }
        _ => true,
    }
}

/// The residuals whose worst is the least; NaN if those of the first are.
fn least([first, others @ ..]: [[f64; 2]; 3]) -> [f64; 2] {
    let worst = |[n, t]: [f64; 2]| worse(n, t);
    others.into_iter().fold(first, |best, of| if worst(of) < worst(best) { of } else { best })
}
