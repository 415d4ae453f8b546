//! What kernels say of a robot at a state, with exact slopes along its coordinates (δ, v, t).

use alloc::vec::Vec;
use core::array;

use crate::arithmetic::{DIRECTIONS, Differentiate, Dual};
use crate::integrate::Phase;
use crate::kernel::{Input, evaluate_with};
use crate::manifold;
use crate::model::{Model, Robot, Table};
use crate::slices::zeros;
use crate::unilateral::Unilateral;

/// Evaluates a kernel in dual numbers.
type Entry = fn(&Input<'_, Dual>, &mut [Dual]);

/// The kernels of a robot in dual numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernels {
    inverse_dynamics: Entry,
    passive_force: Entry,
    mass_matrix: Entry,
    contact_jacobian: Entry,
    contact_bias: Entry,
    limit_jacobian: Entry,
    limit_bias: Entry,
    constraint: Entry,
    constraint_rate: Entry,
    constraint_jacobian: Entry,
    constraint_bias: Entry,
}

impl Kernels {
    pub(super) fn of<M: Model>() -> &'static Self {
        const {
            &Self {
                inverse_dynamics: evaluate_with::<M::InverseDynamics, Differentiate>,
                passive_force: evaluate_with::<M::PassiveForce, Differentiate>,
                mass_matrix: evaluate_with::<M::MassMatrix, Differentiate>,
                contact_jacobian: evaluate_with::<M::ContactJacobian, Differentiate>,
                contact_bias: evaluate_with::<M::ContactBias, Differentiate>,
                limit_jacobian: evaluate_with::<M::LimitJacobian, Differentiate>,
                limit_bias: evaluate_with::<M::LimitBias, Differentiate>,
                constraint: evaluate_with::<M::Constraint, Differentiate>,
                constraint_rate: evaluate_with::<M::ConstraintRate, Differentiate>,
                constraint_jacobian: evaluate_with::<M::ConstraintJacobian, Differentiate>,
                constraint_bias: evaluate_with::<M::ConstraintBias, Differentiate>,
            }
        }
    }
}

/// Values of kernels in dual numbers along up to as many coordinates as these have directions, the first of which is given.
#[derive(Clone, Debug, Default)]
pub(super) struct Duals {
    first: usize,
    seeds: Seeds,
    /// M v̇ + C v − τ_g − τ_p, (nv), and room for τ_p.
    pub(super) force: Vec<Dual>,
    passive: Vec<Dual>,
    /// M, (nv, nv), where it was asked for.
    mass: Vec<Dual>,
    /// Rows of contacts, limits and constraints, (rows, nv) column by column, and what of accelerations along them is
    /// without v̇.
    contacts: Vec<Dual>,
    of_contacts: Vec<Dual>,
    limits: Vec<Dual>,
    of_limits: Vec<Dual>,
    constraints: Vec<Dual>,
    of_constraints: Vec<Dual>,
    /// h of constraints.
    errors: Vec<Dual>,
    rates: Vec<Dual>,
}

/// What kernels read.
#[derive(Clone, Debug, Default)]
struct Seeds {
    /// What no coordinate changes.
    fields: Vec<Dual>,
    q: Vec<Dual>,
    v: Vec<Dual>,
    a: Vec<Dual>,
    t: Vec<Dual>,
    /// Room for a velocity along a coordinate, (nv), and its q̇, (nq).
    unit: Vec<f64>,
    rate: Vec<f64>,
}

impl Duals {
    /// Evaluates what moves at a state with an acceleration.
    pub(super) fn evaluate(
        &mut self,
        (robot, kernels): (Robot<'_>, &Kernels),
        (state, v_dot): (&Phase, &[f64]),
        first: usize,
    ) {
        let Table { nv, nc, contacts, limits, .. } = *robot.table();
        self.first = first;
        self.seeds.sow(robot, state, first);
        constants(v_dot, &mut self.seeds.a);
        let Seeds { fields, q, v, a, t, .. } = &self.seeds;
        let all = Input { fields, q, v, a, t, ..Input::default() };
        run(kernels.inverse_dynamics, &all, nv, &mut self.force);
        run(kernels.passive_force, &all, nv, &mut self.passive);
        for (force, passive) in self.force.iter_mut().zip(&self.passive) {
            *force = *force - *passive;
        }
        self.run_rows(kernels, &robot);
        let Seeds { fields, q, v, t, .. } = &self.seeds;
        let all = Input { fields, q, v, t, ..Input::default() };
        run(kernels.contact_bias, &all, 3 * contacts.len(), &mut self.of_contacts);
        run(kernels.limit_bias, &all, limits.len(), &mut self.of_limits);
        run(kernels.constraint_bias, &all, nc, &mut self.of_constraints);
        run(kernels.constraint, &all, nc, &mut self.errors);
    }

    /// Evaluates M and the rows alone, and what constraints have of velocity.
    pub(super) fn evaluate_rows(
        &mut self,
        (robot, kernels): (Robot<'_>, &Kernels),
        state: &Phase,
        first: usize,
    ) {
        self.first = first;
        self.seeds.sow(robot, state, first);
        self.run_rows(kernels, &robot);
        self.evaluate_mass(kernels);
        // Parts are counted by what is without v̇, which nothing asks for here.
        let unknown = Dual::constant(f64::NAN);
        self.of_contacts.resize(3 * robot.contacts.len(), unknown);
        self.of_limits.resize(robot.limits.len(), unknown);
        self.of_constraints.resize(robot.nc, unknown);
        self.errors.resize(robot.nc, unknown);
    }

    fn run_rows(&mut self, kernels: &Kernels, table: &Table) {
        let Table { nv, nc, contacts, limits, .. } = *table;
        let Seeds { fields, q, v, t, .. } = &self.seeds;
        let all = Input { fields, q, v, t, ..Input::default() };
        run(kernels.contact_jacobian, &all, 3 * contacts.len() * nv, &mut self.contacts);
        run(kernels.limit_jacobian, &all, limits.len() * nv, &mut self.limits);
        run(kernels.constraint_jacobian, &all, nc * nv, &mut self.constraints);
        run(kernels.constraint_rate, &all, nc, &mut self.rates);
    }

    /// Evaluates M where all else was evaluated.
    pub(super) fn evaluate_mass(&mut self, kernels: &Kernels) {
        let Seeds { fields, q, v, .. } = &self.seeds;
        let input = Input { fields, q, ..Input::default() };
        run(kernels.mass_matrix, &input, v.len() * v.len(), &mut self.mass);
    }

    /// Writes M a to `force`.
    pub(super) fn write_product(&self, a: &[f64], force: &mut Vec<Dual>) {
        force.clear();
        force.extend((0..a.len()).map(|i| along(&self.mass[i * a.len()..][..a.len()], a)));
    }

    /// Writes M of a change of velocity to `force`.
    pub(super) fn write_momentum(&self, change: &[Dual], force: &mut Vec<Dual>) {
        force.clear();
        let nv = change.len();
        force.extend((0..nv).map(|i| moving(&self.mass[i * nv..][..nv], change)));
    }

    /// v.
    pub(super) fn velocity(&self) -> &[Dual] {
        &self.seeds.v
    }

    /// Appends a sum of a part's rows by weights.
    pub(super) fn push_row(
        &self,
        part: &Unilateral,
        weights: [f64; 3],
        nv: usize,
        to: &mut Vec<Dual>,
    ) {
        let entry = |row: usize, j: usize| match *part {
            Unilateral::Contact(k) => self.contacts[j * self.of_contacts.len() + 3 * k + row],
            Unilateral::End(end) => Dual::constant(if end.v == j { end.sign } else { 0.0 }),
            Unilateral::Limit(k) => self.limits[j * self.of_limits.len() + k],
        };
        to.extend((0..nv).map(|j| combined(weights, |row| entry(row, j))));
    }

    /// What of the acceleration along such a sum is without v̇.
    pub(super) fn bias(&self, part: &Unilateral, weights: [f64; 3]) -> Dual {
        combined(weights, |row| match *part {
            Unilateral::Contact(k) => self.of_contacts[3 * k + row],
            Unilateral::End(_) => Dual::constant(0.0),
            Unilateral::Limit(k) => self.of_limits[k],
        })
    }

    /// A gap of this value, of which the normal row is the gradient.
    pub(super) fn gap(&self, value: f64, normal: &[Dual]) -> Dual {
        let slope = |k: usize| normal.get(self.first + k).map_or(0.0, |entry| entry.value);
        Dual { value, slopes: array::from_fn(slope) }
    }

    /// Appends a row of the constraints.
    pub(super) fn push_constraint(&self, row: usize, nv: usize, to: &mut Vec<Dual>) {
        to.extend((0..nv).map(|j| self.constraints[j * self.rates.len() + row]));
    }

    /// What of the acceleration along a row of the constraints is without v̇, its rate and its error.
    pub(super) fn constraint(&self, row: usize) -> [Dual; 3] {
        [self.of_constraints[row], self.rates[row], self.errors[row]]
    }
}

impl Seeds {
    /// Takes a state, which changes along the coordinates from the first one on.
    fn sow(&mut self, robot: Robot<'_>, state: &Phase, first: usize) {
        let Phase { time, q, v, .. } = state;
        if self.fields.is_empty() {
            constants(robot.numbers(), &mut self.fields);
        }
        constants(q, &mut self.q);
        constants(v, &mut self.v);
        constants(&[*time], &mut self.t);
        let Self { unit, rate, .. } = self;
        zeros(unit, robot.nv);
        zeros(rate, robot.nq);
        for k in 0..DIRECTIONS {
            let coordinate = first + k;
            if coordinate < robot.nv {
                unit[coordinate] = 1.0;
                manifold::rate(robot.joints, q, unit, rate);
                unit[coordinate] = 0.0;
                let rates = self.q.iter_mut().zip(&*rate);
                rates.for_each(|(q, rate)| q.slopes[k] = *rate);
            } else if let Some(v) = self.v.get_mut(coordinate - robot.nv) {
                v.slopes[k] = 1.0;
            } else if coordinate == 2 * robot.nv {
                self.t[0].slopes[k] = 1.0;
            }
        }
    }
}

/// A sum by weights, of which none asks for nothing.
fn combined(weights: [f64; 3], of: impl Fn(usize) -> Dual) -> Dual {
    let terms = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
    let terms = terms.map(|(row, weight)| of(row).times(*weight));
    terms.fold(Dual::constant(0.0), |sum, term| sum + term)
}

/// Σ gⱼ xⱼ of a row and numbers that do not change.
pub(super) fn along(row: &[Dual], x: &[f64]) -> Dual {
    let terms = row.iter().zip(x).map(|(entry, x)| entry.times(*x));
    terms.fold(Dual::constant(0.0), |sum, term| sum + term)
}

/// Σ gⱼ xⱼ.
pub(super) fn moving(row: &[Dual], x: &[Dual]) -> Dual {
    let terms = row.iter().zip(x).map(|(entry, x)| *entry * *x);
    terms.fold(Dual::constant(0.0), |sum, term| sum + term)
}

/// Numbers that no coordinate changes.
fn constants(numbers: &[f64], to: &mut Vec<Dual>) {
    to.clear();
    to.extend(numbers.iter().map(|x| Dual::constant(*x)));
}

fn run(kernel: Entry, input: &Input<'_, Dual>, count: usize, output: &mut Vec<Dual>) {
    output.clear();
    output.resize(count, Dual::constant(f64::NAN));
    if count > 0 {
        kernel(input, output);
    }
}
