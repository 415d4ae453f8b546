//! A step's problem with dense matrices, from what a model says of itself.
//!
//! > M̂ (v⁺ − v_free) = Jᵀ Λ,  M̂ v_free = M ṽ + h (f − b) + Σ v*/σ,  w = J v⁺ − target + σ Λ
//!
//! ṽ is v, but u + h ω × u for the linear velocity of a floating joint. M̂ is M and 1/σ of servos without bound. Rows are
//! those of contacts, of the ends of joints, of dry friction, motors and declared constraints that are linear in q. What they
//! demand is the [`Formulation`]'s, of gaps φ̂ = max(φ, h min(n v, 0)) where φ < 0, but for Todorov's.
//!
//! # Source
//!
//! The headers of `contact/mod.rs`, `contact/motor.rs` and `contact/overlap.rs`.

use jourdain::contact::{Approach, Conditions, Cone, Formulation, Impulse, Motor};
use jourdain::description::Chart;
use jourdain::prelude::*;
use jourdain::space::Storage;

use super::cones::Law;
use super::linear::{Square, add, dot};

/// What slides under infinite friction has a hundred times its normal force.
const INFINITE: f64 = 100.0;

/// Where impulses of a block belong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Contact(usize),
    Limit(usize, bool),
    Motor(usize),
    DryFriction(usize),
    Constraint(usize),
}

/// Rows with a law of their own.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) law: Law,
    /// Whether friction dissipates as much as it can, which makes no convex law.
    pub(super) is_maximal: bool,
    pub(super) rows: Vec<Vec<f64>>,
    pub(super) target: [f64; 3],
    pub(super) sigma: [f64; 3],
    /// The largest entry of the diagonal of A.
    pub(super) mobility: f64,
    pub(super) place: Place,
}

/// A step's problem.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) mass: Square,
    pub(super) free: Vec<f64>,
    pub(super) blocks: Vec<Block>,
    /// 1/σ and v* of servos without bound, with their coordinates.
    servos: Vec<(usize, f64, f64)>,
}

/// What a step begins with.
pub(super) struct Start<'a, M: Model> {
    pub(super) q: &'a M::Q,
    pub(super) v: &'a M::V,
    pub(super) force: &'a M::V,
    pub(super) h: f64,
}

impl Problem {
    pub(super) fn new<M: Model>(model: &M, start: &Start<'_, M>, conditions: &Conditions) -> Self {
        let n = M::NV;
        let mut mass = Square { size: n, entries: model.mass_matrix(start.q).as_slice().to_vec() };
        let mut momentum = mass.times(&carried::<M>(start.v.as_slice(), start.h));
        add(&mut momentum, start.h, start.force.as_slice());
        add(&mut momentum, -start.h, model.bias_force(start.q, start.v).as_slice());
        let motors = motors(model, start, conditions);
        let mut servos = Vec::new();
        for &(v, target, sigma, bound) in &motors {
            if bound == f64::INFINITY && sigma > 0.0 {
                mass.entries[(n + 1) * v] += 1.0 / sigma;
                momentum[v] += target / sigma;
                servos.push((v, 1.0 / sigma, target));
            }
        }
        let free = mass.solve(&momentum);
        let mut problem = Self { mass, free, blocks: Vec::new(), servos };
        problem.add_contacts(model, start, conditions);
        problem.add_limits(model, start, conditions);
        problem.add_dry_friction(model, start.h);
        problem.add_constraints(model, start);
        for (v, target, sigma, bound) in motors {
            if bound < f64::INFINITY || sigma == 0.0 {
                let law = Law::Row { lower: -bound, upper: bound };
                problem.add_row(Place::Motor(v), law, unit(n, v, 1.0), (target, sigma));
            }
        }
        problem
    }

    fn add_contacts<M: Model>(&mut self, model: &M, start: &Start<'_, M>, conditions: &Conditions) {
        let (n, count) = (M::NV, M::CONTACTS.len());
        let (mut jacobian, mut gap) = (vec![0.0; 3 * count * n], vec![0.0; count]);
        model.contact_jacobian_into(start.q, &mut jacobian);
        model.gap_into(start.q, &mut gap);
        for (i, of) in model.contact_parameters().iter().enumerate() {
            let row = |k| (0..n).map(|j| jacobian[3 * count * j + 3 * i + k]).collect();
            let mut rows: Vec<Vec<f64>> = (0..3).map(row).collect();
            let velocity = [0, 1, 2].map(|k| dot(&rows[k], start.v.as_slice()));
            let restitution = of.restitution;
            let approach = Approach { gap: gap[i], velocity, restitution, step_size: start.h };
            let Some((demand, is_apart)) = demand(&conditions.formulation, approach) else {
                continue;
            };
            let friction = if is_apart { 0.0 } else { of.friction };
            let (law, is_maximal) =
                law(&conditions.formulation, friction, M::CONTACTS[i].directions);
            rows.truncate(law.rows());
            self.add(Place::Contact(i), (law, is_maximal), rows, demand);
        }
    }

    fn add_limits<M: Model>(&mut self, model: &M, start: &Start<'_, M>, conditions: &Conditions) {
        let coordinates = model.coordinate_parameters();
        let coordinates = coordinates.as_slice();
        for (v, q) in linear::<M>() {
            for (upper, sign) in [(false, 1.0), (true, -1.0)] {
                let end = coordinates[v].position[usize::from(upper)];
                if !end.is_finite() {
                    continue;
                }
                let gap = sign * (start.q.as_slice()[q] - end);
                let velocity = [sign * start.v.as_slice()[v], 0.0, 0.0];
                let approach = Approach { gap, velocity, restitution: 0.0, step_size: start.h };
                let Some((demand, _)) = demand(&conditions.formulation, approach) else {
                    continue;
                };
                let law = Law::Row { lower: 0.0, upper: f64::INFINITY };
                let rows = vec![unit(M::NV, v, sign)];
                self.add(Place::Limit(v, upper), (law, false), rows, demand);
            }
        }
    }

    fn add_dry_friction<M: Model>(&mut self, model: &M, h: f64) {
        let coordinates = model.coordinate_parameters();
        for (v, _) in linear::<M>() {
            let bound = h * coordinates.as_slice()[v].friction;
            if bound > 0.0 {
                let law = Law::Row { lower: -bound, upper: bound };
                self.add_row(Place::DryFriction(v), law, unit(M::NV, v, 1.0), (0.0, 0.0));
            }
        }
    }

    /// h(q⁺) = h(q) + h H v⁺ = 0.
    fn add_constraints<M: Model>(&mut self, model: &M, start: &Start<'_, M>) {
        let (mut jacobian, mut value) = (vec![0.0; M::NC * M::NV], vec![0.0; M::NC]);
        model.constraint_jacobian_into(start.q, start.v, 0.0, &mut jacobian);
        model.constraint_into(start.q, 0.0, &mut value);
        let law = Law::Row { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        for (k, value) in value.into_iter().enumerate() {
            let row = (0..M::NV).map(|j| jacobian[M::NC * j + k]).collect();
            self.add_row(Place::Constraint(k), law, row, (-value / start.h, 0.0));
        }
    }

    fn add_row(&mut self, at: Place, law: Law, row: Vec<f64>, (target, sigma): (f64, f64)) {
        self.add(at, (law, false), vec![row], ([target, 0.0, 0.0], 0.0));
        let last = self.blocks.last_mut().unwrap();
        last.sigma[0] = sigma;
    }

    /// Rows with their targets, and σ by what an impulse of one makes faster.
    fn add(
        &mut self,
        place: Place,
        (law, is_maximal): (Law, bool),
        rows: Vec<Vec<f64>>,
        (target, regularization): ([f64; 3], f64),
    ) {
        let (mut sigma, mut mobility) = ([0.0; 3], 0.0);
        for (row, sigma) in rows.iter().zip(&mut sigma) {
            let own = dot(row, &self.mass.solve(row));
            *sigma = regularization * own;
            mobility = f64::max(mobility, own);
        }
        self.blocks.push(Block { law, is_maximal, rows, target, sigma, mobility, place });
    }

    /// The same with w = J v⁺ + √σ y − target of contacts, where y are velocities of slacks of mass one: σ differs along normal and
    /// tangents, and a projection that knows it would be none of a round cone.
    pub(super) fn with_slacks(&self) -> Self {
        let is_soft = |block: &&Block| block.rows.len() > 1 && block.sigma != [0.0; 3];
        let (n, slacks) = (self.mass.size, 3 * self.blocks.iter().filter(is_soft).count());
        let size = n + slacks;
        let mut mass = Square { size, entries: vec![0.0; size * size] };
        let rows = mass.entries.chunks_exact_mut(size).zip(self.mass.entries.chunks_exact(n));
        rows.for_each(|(to, row)| to[..n].copy_from_slice(row));
        (n..size).for_each(|k| mass.entries[(size + 1) * k] = 1.0);
        let (mut free, mut blocks, mut next) = (self.free.clone(), self.blocks.clone(), n);
        free.resize(size, 0.0);
        for block in &mut blocks {
            block.rows.iter_mut().for_each(|row| row.resize(size, 0.0));
            if is_soft(&&*block) {
                for (row, sigma) in block.rows.iter_mut().zip(&mut block.sigma) {
                    row[next] = core::mem::take(sigma).sqrt();
                    next += 1;
                }
            }
        }
        Self { mass, free, blocks, servos: self.servos.clone() }
    }

    /// Impulses of the blocks as a step reports them.
    pub(super) fn impulse<M: Model>(&self, velocity: &[f64], impulses: &[[f64; 3]]) -> Impulse {
        let mut all = Impulse::zeros::<M>();
        for (block, &[x, y, z]) in self.blocks.iter().zip(impulses) {
            match block.place {
                Place::Contact(i) => (all.normal[i], all.friction[i]) = (x, [y, z]),
                Place::Limit(v, upper) => all.limits[v][usize::from(upper)] = x,
                Place::Motor(v) => all.motors[v] = x,
                Place::DryFriction(v) => all.dry_friction[v] = x,
                Place::Constraint(k) => all.constraints[k] = x,
            }
        }
        for &(v, gain, target) in &self.servos {
            all.motors[v] = gain * (target - velocity[v]);
        }
        all
    }
}

/// The target along the rows, and σ by A, of what demands something; and whether it has no friction.
fn demand(formulation: &Formulation, mut approach: Approach) -> Option<(([f64; 3], f64), bool)> {
    let came = approach.step_size * approach.velocity[0].min(0.0);
    // What penetrates by less than 10⁻¹⁰ m is put right as it is.
    if !matches!(formulation, Formulation::Todorov(_)) && approach.gap < -1e-10 {
        approach.gap = approach.gap.max(came);
    }
    let demand = formulation.demand(&approach)?;
    Some(((demand.target, demand.regularization), demand.is_apart))
}

/// The set of a contact's impulses, and whether friction dissipates as much as it can.
fn law(formulation: &Formulation, friction: f64, corners: usize) -> (Law, bool) {
    let (round, polygon) = (Law::Round { friction }, Law::Polygon { friction, corners });
    match formulation {
        Formulation::StewartTrinkle | Formulation::AnitescuPotra(_) => (polygon, true),
        Formulation::Anitescu(_) => (polygon, false),
        Formulation::Todorov(law) if *law == law.cone(Cone::Round) => (round, false),
        Formulation::Todorov(_) => (polygon, false),
        Formulation::Coulomb(_) => (round, true),
        Formulation::Sticking(_) => (Law::Round { friction: INFINITE }, true),
        _ => (Law::Row { lower: 0.0, upper: f64::INFINITY }, false),
    }
}

/// Each velocity coordinate with q̇ = v, and its q.
fn linear<M: Model>() -> impl Iterator<Item = (usize, usize)> {
    let joints = M::JOINTS.iter().filter(|joint| joint.chart == Chart::Vector);
    joints.flat_map(|joint| (0..joint.nv).map(|k| (joint.v + k, joint.q + k)))
}

/// Coordinate, v*, σ and largest impulse of each motor.
fn motors<M: Model>(
    _: &M,
    start: &Start<'_, M>,
    conditions: &Conditions,
) -> Vec<(usize, f64, f64, f64)> {
    let (h, all) = (start.h, &conditions.motors);
    let row = |&(v, motor): &(usize, Motor)| {
        let place = linear::<M>().find(|at| at.0 == v);
        let q = place.map_or(0.0, |(_, q)| start.q.as_slice()[q]);
        match motor {
            Motor::Velocity { velocity, force } => (v, velocity, 0.0, h * force),
            Motor::Position { position, reduction, force } => {
                (v, reduction * (position - q) / h, 0.0, h * force)
            }
            Motor::Servo { position, velocity, stiffness, damping, force } => {
                let gain = damping + h * stiffness;
                let target = (damping * velocity + stiffness * (position - q)) / gain;
                (v, target, 1.0 / (h * gain), h * force)
            }
        }
    };
    all.iter().map(row).collect()
}

/// ṽ.
fn carried<M: Model>(v: &[f64], h: f64) -> Vec<f64> {
    let mut carried = v.to_vec();
    for joint in M::JOINTS.iter().filter(|joint| joint.chart == Chart::Pose) {
        let (u, w) = (&v[joint.v..][..3], &v[joint.v + 3..][..3]);
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            carried[joint.v + k] += h * (w[i] * u[j] - w[j] * u[i]);
        }
    }
    carried
}

fn unit(size: usize, at: usize, entry: f64) -> Vec<f64> {
    (0..size).map(|k| if k == at { entry } else { 0.0 }).collect()
}
