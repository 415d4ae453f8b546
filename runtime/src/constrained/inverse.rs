//! Forces for a wanted acceleration under the constraints.
//!
//! Of the coordinates some are driven; the others (index u) feel no force but the constraints'. Of all
//! accelerations x for which there are multipliers,
//!
//! > M_u x + b_u = (Hᵀ)_u λ,  H x = g,
//!
//! the one with the least Σ wₖ (xₖ − v̇ₖ)² is taken: the wanted v̇ itself where it can be had, the relaxed
//! form elsewhere.
//! With P = 1 − (Hᵀ)_u (Hᵀ)_u⁺ the first equation says P (M_u x + b_u) = 0, so that x comes first and then
//! the smallest λ. The force of the driven coordinates is M x + b − Hᵀ λ.
//!
//! # Source
//!
//! Felis, RBDL (2017), `InverseDynamicsConstraints` and its relaxed form; Righetti, Buchli, Mistry,
//! Schaal, Inverse Dynamics Control of Floating-Base Robots with External Constraints (2011).

use alloc::vec;
use alloc::vec::Vec;

use crate::check;
use crate::kkt::{Method, Problem, Report, Solver};
use crate::model::{Model, Robot};
use crate::slices::largest;
use crate::space::Storage;

use super::assembly::check_weights;
use super::dynamics::{At, check_state, named};
use super::{Constrained, Core, Error, rank_threshold};

/// Entries of a projector below this are zero.
const ROUNDING: f64 = 1e-12;

/// What given multipliers and the motion leave of the equations, by the largest term, that is no rounding.
const CONTRADICTION: f64 = 1e-8;

/// Which forces there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuation {
    /// Whether each velocity coordinate is driven, (nv).
    pub driven: Vec<bool>,
    /// How much the difference of each acceleration from the wanted one counts, (nv), none negative; zero
    /// for what the other coordinates and the constraints determine.
    pub weights: Vec<f64>,
    /// λ, one number a row, where it is to be as given; the smallest that will do unless given.
    pub multipliers: Option<Vec<f64>>,
}

impl Actuation {
    /// All coordinates are driven.
    pub fn full<M: Model>() -> Self {
        Self { driven: vec![true; M::NV], weights: vec![1.0; M::NV], multipliers: None }
    }

    /// Those are driven that an input moves.
    pub fn of_inputs<M: Model>(robot: &M) -> Self {
        let inputs = robot.input_matrix();
        let row = |k: usize| (0..M::NU).any(|j| inputs.as_slice()[j * M::NV + k] != 0.0);
        Self { driven: (0..M::NV).map(row).collect(), ..Self::full::<M>() }
    }
}

/// What supports a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Support<V> {
    /// The generalised force, zero where nothing is driven.
    pub tau: V,
    /// The acceleration that it gives.
    pub v_dot: V,
    /// λ of all rows.
    pub multipliers: Vec<f64>,
    /// The largest difference between the acceleration and the wanted one, of those that count.
    pub miss: f64,
}

impl<M: Model> Constrained<M> {
    /// The force that gives the acceleration `v_dot`, or the nearest that can be had. The last solution stays
    /// as it is.
    ///
    /// # Errors
    ///
    /// The state is not finite; `actuation` has not nv entries, or multipliers not one for each row;
    /// [`Error::Weight`] if a weight is negative;
    /// [`Error::Singular`] if multipliers are given that no motion under the rows has where nothing is driven;
    /// [`Error::Unsolved`].
    pub fn inverse_dynamics(
        &mut self,
        q: &M::Q,
        v: &M::V,
        v_dot: &M::V,
        t: f64,
        actuation: &Actuation,
    ) -> Result<Support<M::V>, Error> {
        self.model.check_fields()?;
        let at = (q.as_slice(), v.as_slice(), t);
        let robot = self.model.as_data();
        let found = self.core.inverse_dynamics(robot, at, v_dot.as_slice(), actuation)?;
        let typed = |numbers: &[f64]| {
            let mut all = M::V::zeros();
            all.as_mut_slice().copy_from_slice(numbers);
            all
        };
        let Support { tau, v_dot, multipliers, miss } = found;
        Ok(Support { tau: typed(&tau), v_dot: typed(&v_dot), multipliers, miss })
    }
}

impl Core {
    fn inverse_dynamics(
        &mut self,
        robot: Robot<'_>,
        at: At<'_>,
        v_dot: &[f64],
        actuation: &Actuation,
    ) -> Result<Support<Vec<f64>>, Error> {
        check_state(&robot, at)?;
        check::finite("v_dot", v_dot)?;
        check_length("driven", actuation.driven.len(), robot.nv)?;
        check_length("weights", actuation.weights.len(), robot.nv)?;
        check_weights(&actuation.weights)?;
        if let Some(given) = &actuation.multipliers {
            check_length("multipliers", given.len(), self.rows.count())?;
            check::finite("multipliers", given)?;
        }
        self.aside(|core| core.supported(robot, at, v_dot, actuation))
    }

    fn supported(
        &mut self,
        robot: Robot<'_>,
        at: At<'_>,
        v_dot: &[f64],
        actuation: &Actuation,
    ) -> Result<Support<Vec<f64>>, Error> {
        self.evaluate(robot, at);
        let free: Vec<usize> = (0..robot.nv).filter(|&k| !actuation.driven[k]).collect();
        let held = self.held_columns(&free);
        let mut solver = Solver::new(Method::NullSpace);
        let rows = &self.rows.held;
        solver.set_rank_threshold(rank_threshold(&rows.jacobian, &rows.error));
        let x = self.acceleration(&mut solver, v_dot, &free, &held, actuation)?;
        let multipliers = match &actuation.multipliers {
            Some(given) => given.clone(),
            None => {
                let load = self.load(&free, &x);
                nearest(
                    &mut solver,
                    &vec![1.0; self.target.len()],
                    &vec![0.0; self.target.len()],
                    &transposed(&held, free.len()),
                    &load,
                )?
                .0
            }
        };
        Ok(self.support(&x, multipliers, v_dot, actuation))
    }

    /// H of the coordinates `free`, (rows, free).
    fn held_columns(&self, free: &[usize]) -> Vec<f64> {
        let rows = self.target.len();
        let column = |&k: &usize| self.rows.held.jacobian[k * rows..(k + 1) * rows].iter().copied();
        free.iter().flat_map(column).collect()
    }

    /// x.
    fn acceleration(
        &self,
        solver: &mut Solver,
        v_dot: &[f64],
        free: &[usize],
        held: &[f64],
        actuation: &Actuation,
    ) -> Result<Vec<f64>, Error> {
        let (n, u, rows) = (v_dot.len(), free.len(), self.target.len());
        let (mut projector, mut load) = (identity(u), self.load(free, &vec![0.0; n]));
        if let Some(given) = &actuation.multipliers {
            for (load, column) in load.iter_mut().zip(held.chunks_exact(rows.max(1))) {
                *load -= column.iter().zip(given).map(|(h, x)| h * x).sum::<f64>();
            }
        } else {
            let (none, nothing) = (vec![0.0; u], vec![0.0; rows]);
            let (mass, mut inertia) = (identity(u), vec![0.0; rows * rows]);
            let problem = Problem::new(&mass, held, &none, &nothing);
            solver
                .project(&problem, &mut inertia, &mut projector)
                .map_err(|error| named(self.rows.table, error))?;
            // What rounding leaves of a row would count as one, since rows count whatever their size.
            projector.iter_mut().filter(|x| x.abs() < ROUNDING).for_each(|x| *x = 0.0);
        }
        let all = u + rows;
        let mut jacobian = vec![0.0; all * n];
        for (j, column) in jacobian.chunks_exact_mut(all.max(1)).enumerate() {
            let (mass, own) = (&self.mass, &self.rows.held.jacobian);
            for (k, projected) in free.iter().zip(projector.chunks_exact(u.max(1))) {
                let entry = mass[j * n + k];
                column.iter_mut().zip(projected).for_each(|(x, p)| *x += p * entry);
            }
            column[u..].copy_from_slice(&own[j * rows..(j + 1) * rows]);
        }
        let mut target = vec![0.0; u];
        for (load, projected) in load.iter().zip(projector.chunks_exact(u.max(1))) {
            target.iter_mut().zip(projected).for_each(|(x, p)| *x -= p * load);
        }
        target.extend(&self.target);
        let (x, report) = nearest(solver, &actuation.weights, v_dot, &jacobian, &target)?;
        let (rows, rank, violation) = (all, report.rank, report.violation);
        let contradicts = violation > CONTRADICTION * (1.0 + largest(&load) + largest(&target));
        if contradicts && actuation.multipliers.is_some() {
            return Err(Error::Singular { rows, rank, violation });
        }
        Ok(x)
    }

    /// M_u x + b_u.
    fn load(&self, free: &[usize], x: &[f64]) -> Vec<f64> {
        let (n, mass, bias) = (x.len(), &self.mass, &self.force);
        let row = |&k: &usize| bias[k] + (0..n).map(|j| mass[j * n + k] * x[j]).sum::<f64>();
        free.iter().map(row).collect()
    }

    fn support(
        &self,
        x: &[f64],
        multipliers: Vec<f64>,
        v_dot: &[f64],
        actuation: &Actuation,
    ) -> Support<Vec<f64>> {
        let mut held = vec![0.0; x.len()];
        self.rows.add_transposed(&multipliers, &mut held);
        let all: Vec<usize> = (0..x.len()).collect();
        let entries = self.load(&all, x).into_iter().zip(held).zip(&actuation.driven);
        let tau = entries.map(|((load, held), driven)| if *driven { load - held } else { 0.0 });
        let tau = tau.collect();
        let counted = x.iter().zip(v_dot).zip(&actuation.weights);
        let misses =
            counted.filter(|(_, weight)| **weight > 0.0).map(|((x, wanted), _)| x - wanted);
        let miss = misses.fold(0.0, |most: f64, x| most.max(x.abs()));
        Support { tau, v_dot: x.to_vec(), multipliers, miss }
    }
}

/// The x nearest to `wanted`, by these weights, with J x nearest to `target`.
fn nearest(
    solver: &mut Solver,
    weights: &[f64],
    wanted: &[f64],
    jacobian: &[f64],
    target: &[f64],
) -> Result<(Vec<f64>, Report), Error> {
    let (mut x, mut unused) = (vec![0.0; wanted.len()], vec![0.0; target.len()]);
    let n = wanted.len();
    let mut mass = vec![0.0; n * n];
    mass.iter_mut().step_by(n + 1).zip(weights).for_each(|(m, weight)| *m = *weight);
    let wish: Vec<f64> = weights.iter().zip(wanted).map(|(weight, x)| weight * x).collect();
    let problem = Problem::new(&mass, jacobian, &wish, target);
    let report = solver.solve(&problem, &mut x, &mut unused).map_err(Error::Unsolved)?;
    Ok((x, report))
}

fn identity(n: usize) -> Vec<f64> {
    let mut ones = vec![0.0; n * n];
    ones.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
    ones
}

/// The transpose of a matrix with so many columns.
fn transposed(matrix: &[f64], columns: usize) -> Vec<f64> {
    let rows = matrix.len().checked_div(columns).unwrap_or(0);
    (0..rows).flat_map(|i| (0..columns).map(move |j| matrix[j * rows + i])).collect()
}

fn check_length(what: &'static str, length: usize, expected: usize) -> Result<(), Error> {
    if length == expected { Ok(()) } else { Err(Error::Length { what, length, expected }) }
}
