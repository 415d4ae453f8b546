//! What kernels say of a robot at a state, with exact slopes along its coordinates (δ, v, t).

use alloc::vec::Vec;
use core::array;

use crate::arithmetic::{DIRECTIONS, Differentiate, Dual};
use crate::kernel::{Input, Kernel, evaluate_with};
use crate::manifold;
use crate::model::{Model, Prepared};
use crate::space::Storage;
use crate::state::State;
use crate::unilateral::Unilateral;

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
}

impl Duals {
    /// Evaluates what moves at a state with an acceleration.
    pub(super) fn evaluate<M: Model>(
        &mut self,
        model: &Prepared<M>,
        (state, v_dot): (&State<M>, &M::V),
        first: usize,
    ) {
        self.first = first;
        self.seeds.sow(model, state, first);
        constants(v_dot.as_slice(), &mut self.seeds.a);
        let Seeds { fields, q, v, a, t } = &self.seeds;
        let all = Input { fields, q, v, a, t, ..Input::default() };
        run::<M::InverseDynamics>(&all, M::NV, &mut self.force);
        run::<M::PassiveForce>(&all, M::NV, &mut self.passive);
        for (force, passive) in self.force.iter_mut().zip(&self.passive) {
            *force = *force - *passive;
        }
        self.run_rows::<M>();
        let Seeds { fields, q, v, t, .. } = &self.seeds;
        let all = Input { fields, q, v, t, ..Input::default() };
        run::<M::ContactBias>(&all, 3 * M::CONTACTS.len(), &mut self.of_contacts);
        run::<M::LimitBias>(&all, M::LIMITS.len(), &mut self.of_limits);
        run::<M::ConstraintBias>(&all, M::NC, &mut self.of_constraints);
        run::<M::Constraint>(&all, M::NC, &mut self.errors);
    }

    /// Evaluates M and the rows alone, and what constraints have of velocity.
    pub(super) fn evaluate_rows<M: Model>(
        &mut self,
        model: &Prepared<M>,
        state: &State<M>,
        first: usize,
    ) {
        self.first = first;
        self.seeds.sow(model, state, first);
        self.run_rows::<M>();
        self.evaluate_mass::<M>();
        // Parts are counted by what is without v̇, which nothing asks for here.
        self.of_contacts.resize(3 * M::CONTACTS.len(), Dual::constant(f64::NAN));
        self.of_limits.resize(M::LIMITS.len(), Dual::constant(f64::NAN));
        self.of_constraints.resize(M::NC, Dual::constant(f64::NAN));
        self.errors.resize(M::NC, Dual::constant(f64::NAN));
    }

    fn run_rows<M: Model>(&mut self) {
        let Seeds { fields, q, v, t, .. } = &self.seeds;
        let all = Input { fields, q, v, t, ..Input::default() };
        run::<M::ContactJacobian>(&all, 3 * M::CONTACTS.len() * M::NV, &mut self.contacts);
        run::<M::LimitJacobian>(&all, M::LIMITS.len() * M::NV, &mut self.limits);
        run::<M::ConstraintJacobian>(&all, M::NC * M::NV, &mut self.constraints);
        run::<M::ConstraintRate>(&all, M::NC, &mut self.rates);
    }

    /// Evaluates M where all else was evaluated.
    pub(super) fn evaluate_mass<M: Model>(&mut self) {
        let Seeds { fields, q, .. } = &self.seeds;
        let input = Input { fields, q, ..Input::default() };
        run::<M::MassMatrix>(&input, M::NV * M::NV, &mut self.mass);
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
    fn sow<M: Model>(&mut self, model: &Prepared<M>, state: &State<M>, first: usize) {
        if self.fields.is_empty() {
            model.with_prepared(|numbers| constants(numbers, &mut self.fields));
        }
        constants(state.q.as_slice(), &mut self.q);
        constants(state.v.as_slice(), &mut self.v);
        constants(&[state.time], &mut self.t);
        let (mut unit, mut rate) = (M::V::zeros(), M::Q::zeros());
        for k in 0..DIRECTIONS {
            let coordinate = first + k;
            if coordinate < M::NV {
                unit.as_mut_slice()[coordinate] = 1.0;
                manifold::rate(M::JOINTS, state.q.as_slice(), unit.as_slice(), rate.as_mut_slice());
                unit.as_mut_slice()[coordinate] = 0.0;
                let rates = self.q.iter_mut().zip(rate.as_slice());
                rates.for_each(|(q, rate)| q.slopes[k] = *rate);
            } else if let Some(v) = self.v.get_mut(coordinate - M::NV) {
                v.slopes[k] = 1.0;
            } else if coordinate == 2 * M::NV {
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

fn run<K: Kernel>(input: &Input<'_, Dual>, count: usize, output: &mut Vec<Dual>) {
    output.clear();
    output.resize(count, Dual::constant(f64::NAN));
    if count > 0 {
        evaluate_with::<K, Differentiate>(input, output);
    }
}
