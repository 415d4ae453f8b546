//! Forces for a wanted acceleration under the constraints.
//!
//! Of the coordinates some are driven; the others (index u) feel no force but the constraints'. Of all
//! accelerations x and multipliers λ that this and the constraints allow,
//!
//! > M_u x − (Hᵀ)_u λ = −b_u,  H x = g,
//!
//! those are taken that minimise ½ ‖x − v̇‖² + ½ ρ ‖λ‖². Where the wanted acceleration v̇ can be had, it
//! is, and x is v̇; elsewhere x is the nearest (the relaxed form). The force of the driven coordinates
//! is then M x + b − Hᵀ λ.
//!
//! # Source
//!
//! Koch, Mombaur et al. in RBDL (2017), `InverseDynamicsConstraints` and its relaxed form; Righetti,
//! Buchli, Mistry, Schaal, Inverse Dynamics Control of Floating-Base Robots with External Constraints
//! (2011).

use alloc::vec;
use alloc::vec::Vec;

use crate::check;
use crate::kkt::{Method, Problem, Solver};
use crate::model::Model;
use crate::space::Storage;

use super::dynamics::named;
use super::{Constrained, Error, check_weights};

/// Which forces there are.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuation {
    /// Whether each velocity coordinate is driven, (nv).
    pub driven: Vec<bool>,
    /// ρ: the weight of λ against accelerations. It has to be positive for λ to be unique where it is
    /// not determined.
    pub regularization: f64,
}

impl Actuation {
    /// All coordinates are driven.
    pub fn full<M: Model>() -> Self {
        Self { driven: vec![true; M::NV], regularization: 1e-10 }
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
    /// The largest difference between the acceleration and the wanted one.
    pub miss: f64,
}

impl<M: Model> Constrained<M> {
    /// The force that gives the acceleration `v_dot`, or the nearest that can be had.
    ///
    /// # Errors
    ///
    /// The state is not finite; `actuation` has not nv entries; the solver finds nothing.
    pub fn inverse_dynamics(
        &mut self,
        q: &M::Q,
        v: &M::V,
        v_dot: &M::V,
        t: f64,
        actuation: &Actuation,
    ) -> Result<Support<M::V>, Error> {
        self.check(q, v, t)?;
        check::finite("v_dot", v_dot.as_slice())?;
        let (n, length) = (M::NV, actuation.driven.len());
        if length != n {
            return Err(Error::Length { what: "driven", length, expected: n });
        }
        check_weights("regularization", &[actuation.regularization])?;
        self.rows.evaluate(&self.model, q, v, t);
        self.model.mass_matrix_into(q, &mut self.mass);
        self.model.bias_force_into(q, v, &mut self.force);
        self.aim_at_acceleration();
        let free: Vec<usize> = (0..n).filter(|&k| !actuation.driven[k]).collect();
        let (mut x, mut unused) = (vec![0.0; n + self.target.len()], Vec::new());
        let (weights, wish) = self.wish(v_dot, actuation.regularization);
        let (jacobian, target) = self.laws(&free);
        unused.resize(target.len(), 0.0);
        let problem = Problem::new(&weights, &jacobian, &wish, &target);
        let mut solver = Solver::new(Method::NullSpace);
        let report = solver.solve(&problem, &mut x, &mut unused).map_err(named::<M>)?;
        self.keep(report);
        Ok(self.support(&x, v_dot, &actuation.driven))
    }

    /// The diagonal of ones and ρ, and the wanted x.
    fn wish(&self, v_dot: &M::V, regularization: f64) -> (Vec<f64>, Vec<f64>) {
        let n = M::NV;
        let size = n + self.target.len();
        let mut weights = vec![0.0; size * size];
        for k in 0..size {
            weights[k * size + k] = if k < n { 1.0 } else { regularization };
        }
        let mut wish = v_dot.as_slice().to_vec();
        wish.resize(size, 0.0);
        (weights, wish)
    }

    /// The equations of what is not driven and of the rows.
    fn laws(&self, free: &[usize]) -> (Vec<f64>, Vec<f64>) {
        let (n, m) = (M::NV, self.target.len());
        let rows = free.len() + m;
        let (mass, held) = (self.mass.as_slice(), &self.rows.held.jacobian);
        let mut jacobian = vec![0.0; rows * (n + m)];
        for (j, column) in jacobian.chunks_exact_mut(rows.max(1)).enumerate() {
            for (place, &k) in free.iter().enumerate() {
                column[place] = if j < n { mass[j * n + k] } else { -held[k * m + j - n] };
            }
            if j < n {
                column[free.len()..].copy_from_slice(&held[j * m..(j + 1) * m]);
            }
        }
        let bias = self.force.as_slice();
        let target = free.iter().map(|&k| -bias[k]).chain(self.target.iter().copied());
        (jacobian, target.collect())
    }

    fn support(&mut self, x: &[f64], v_dot: &M::V, driven: &[bool]) -> Support<M::V> {
        let n = M::NV;
        let (found, multipliers) = x.split_at(n);
        self.multipliers = multipliers.to_vec();
        let mut acceleration = M::V::zeros();
        acceleration.as_mut_slice().copy_from_slice(found);
        let held = self.constraint_force();
        let mut tau = self.force.clone();
        for (column, x) in self.mass.as_slice().chunks_exact(n.max(1)).zip(found) {
            tau.as_mut_slice().iter_mut().zip(column).for_each(|(tau, m)| *tau += m * x);
        }
        let entries = tau.as_mut_slice().iter_mut().zip(held.as_slice()).zip(driven);
        entries.for_each(|((tau, held), driven)| *tau = if *driven { *tau - held } else { 0.0 });
        let misses = found.iter().zip(v_dot.as_slice()).map(|(x, wanted)| (x - wanted).abs());
        let miss = misses.fold(0.0, f64::max);
        Support { tau, v_dot: acceleration, multipliers: multipliers.to_vec(), miss }
    }
}
