//! Steps of every formulation against dense problems that are solved by another method.
//!
//! > M̂ (v⁺ − v_free) = Jᵀ Λ,  w = J v⁺ − target + σ Λ,  and the law of each block between w and Λ
//!
//! [`problem`] makes them of a model's public quantities, [`solve`] finds v⁺ and Λ, with no part of the solvers of steps. A
//! step is right if its residual says so from outside, and if v⁺ is that of the reference where there is one such v⁺: under
//! convex laws always, under others where several starts lead to the same. A step fails only where no solution is known.
//!
//! # How near
//!
//! Under convex laws, with another solution v*, Λ*,
//!
//! > ‖v⁺ − v*‖²_M̂ ≤ Σ (Λ − Λ*)ᵀ (w − w*) ≤ Σ (Λᵀ w + Λ*ᵀ w* − Λᵀ w* − Λ*ᵀ w) ≤ 3 n r s
//!
//! for n blocks, a residual r of either and the largest s of impulses, velocities and one: Λᵀ w is up to r s, and so is what Λ or w
//! outside of its cone adds. So light parts have velocities that are the less known, whatever the method is. Masses from 1 g to
//! 1 t need that once in ten thousand steps; all others are within [`SAME`], which knows no condition number.
//!
//! # Source
//!
//! The definitions in the header of `contact/mod.rs`; Boyd, Vandenberghe: Convex Optimization (2004), 9.1.2, for the bound.

mod cases;
mod cones;
mod linear;
mod margins;
mod problem;
mod recorded;
mod solve;
mod sticking;
mod tally;

use jourdain::contact::{Conditions, Formulation, Impulse, Stepper, Transition, residual};
use jourdain::description::Chart;
use jourdain::nalgebra::{UnitQuaternion, Vector3};
use jourdain::prelude::*;
use jourdain::space::Storage;

use self::linear::{dot, largest};
use self::problem::{Problem, Start};
use self::solve::{Solution, solve};
use self::tally::{Finding, Tally};
use crate::numbers::Numbers;

/// What a residual may be.
const SOLVED: f64 = 1e-9;
/// By how much velocities differ at most that are the same, by the fastest coordinate if that is above one.
const SAME: f64 = 1e-8;
/// The same where a residual cannot tell them apart.
const UNSURE: f64 = 1e-6;

/// A step that is to be made.
struct Case<'a, M: Model> {
    model: &'a M,
    start: Start<'a, M>,
    conditions: &'a Conditions,
}

impl<M: Model> Case<'_, M> {
    /// What becomes of it.
    fn judge(&self, stepper: &mut Stepper<M>, numbers: &mut Numbers) -> Finding {
        let Start { q, v, force, h } = self.start;
        let problem = Problem::new(self.model, &self.start, self.conditions);
        let solutions = self.solutions(&problem, numbers);
        let step = stepper.step(self.model, (q, v), force, (0.0, h), self.conditions);
        // Laws by polygons end with what rounding leaves, which a simulation refuses where it is too much.
        let own = stepper.residual(h, self.conditions).max();
        if step.is_err() || own > SOLVED || own.is_nan() {
            let left = step.map(|_| own);
            let none = !solutions.iter().any(|(_, audit)| *audit <= SOLVED);
            return if none { Finding::Unsolvable } else { self.flaw(&format!("left {left:?}")) };
        }
        let (velocity, impulse) = (stepper.velocity().as_slice(), stepper.impulse());
        let audit = self.audit(velocity, impulse);
        if audit > SOLVED || audit.is_nan() {
            return self.flaw(&format!("residual {audit:e}, {own:e} by the step itself"));
        }
        self.compare(&problem, (velocity, impulse), audit, &solutions)
    }

    /// The residual of v⁺ and Λ, v⁺ in the axes of the beginning.
    fn audit(&self, velocity: &[f64], impulse: &Impulse) -> f64 {
        let mut v_next = M::V::zeros();
        v_next.as_mut_slice().copy_from_slice(velocity);
        turn::<M>(v_next.as_mut_slice(), self.start.h);
        let Start { q, v, force, h } = self.start;
        let (conditions, v_next) = (self.conditions, &v_next);
        let step = Transition { conditions, time: 0.0, step_size: h, q, v, force, v_next, impulse };
        residual(self.model, &step).max()
    }

    /// v⁺ of the reference, from several starts if there may be several, and their residuals.
    fn solutions(&self, problem: &Problem, numbers: &mut Numbers) -> Vec<(Vec<f64>, f64)> {
        let found: Vec<_> = if let Formulation::Sticking(_) = self.conditions.formulation {
            sticking::solve_any(problem).into_iter().collect()
        } else {
            let count = if problem.blocks.iter().any(|block| block.is_maximal) { 2 } else { 1 };
            let starts = (0..count).map(|k| start(problem, k, numbers));
            starts.filter_map(|start| solve(problem, &start)).collect()
        };
        let judged = |solution: Solution| {
            let impulse = problem.impulse::<M>(&solution.velocity, &solution.impulses);
            let audit = self.audit(&solution.velocity, &impulse);
            (solution.velocity, audit)
        };
        found.into_iter().map(judged).collect()
    }

    fn compare(
        &self,
        problem: &Problem,
        (velocity, impulse): (&[f64], &Impulse),
        audit: f64,
        solutions: &[(Vec<f64>, f64)],
    ) -> Finding {
        let change = |(other, _): &(Vec<f64>, f64)| -> Vec<f64> {
            velocity.iter().zip(other).map(|(x, y)| x - y).collect()
        };
        let changes: Vec<_> = solutions.iter().map(change).collect();
        let sizes = changes.iter().map(|change| largest(change) / largest(velocity).max(1.0));
        let (most, formulation) = (sizes.fold(0.0, f64::max), &self.conditions.formulation);
        let Some(first) = changes.first() else { return Finding::Alone };
        if most <= SAME {
            return Finding::Equal(most);
        }
        if !is_convex(formulation) {
            let are_known = solutions.iter().all(|(_, audit)| *audit <= SOLVED);
            return if are_known { Finding::Several } else { Finding::Alone };
        }
        let strongest = impulse.normal.iter().fold(largest(velocity), |most, x| most.max(*x));
        let known = solutions.iter().map(|(_, audit)| *audit).filter(|audit| *audit <= SOLVED);
        let audit = known.fold(audit, f64::max);
        let bound = 3.0 * problem.blocks.len() as f64 * audit * strongest.max(1.0);
        if most <= UNSURE && dot(first, &problem.mass.times(first)) <= bound {
            return Finding::Near;
        }
        self.flaw(&format!("v⁺ differs by {most:e}, {velocity:?} from {solutions:?}"))
    }

    /// What is wrong, and where.
    fn flaw(&self, how: &str) -> Finding {
        let Start { q, v, force, h } = self.start;
        let (q, v, force) = (q.as_slice(), v.as_slice(), force.as_slice());
        let fields = self.model.fields();
        Finding::Flaw(format!(
            "{how}\nof {} {:?} at {q:?}, {v:?} with {force:?} in {h} s, {:?}",
            M::NAME,
            fields.as_ref(),
            self.conditions,
        ))
    }
}

/// Where the reference starts: from nothing, and from something random.
fn start(problem: &Problem, k: usize, numbers: &mut Numbers) -> Solution {
    let mut velocity = problem.free.clone();
    let mut impulses = vec![[0.0; 3]; problem.blocks.len()];
    if k > 0 {
        let speed = largest(&velocity).max(0.1);
        velocity.iter_mut().for_each(|v| *v += speed * numbers.next());
        for (impulse, block) in impulses.iter_mut().zip(&problem.blocks) {
            let random = [0; 3].map(|_| speed / block.mobility * numbers.next());
            *impulse = block.law.project(random).point;
        }
    }
    Solution { velocity, impulses }
}

/// Whether v⁺ is unique.
fn is_convex(formulation: &Formulation) -> bool {
    matches!(
        formulation,
        Formulation::Anitescu(_) | Formulation::Todorov(_) | Formulation::Frictionless(_)
    )
}

/// Brings linear velocities of floating joints into the axes at the end of a step.
fn turn<M: Model>(v: &mut [f64], h: f64) {
    for joint in M::JOINTS.iter().filter(|joint| joint.chart == Chart::Pose) {
        let [u, w] = [0, 3].map(|k| Vector3::from_column_slice(&v[joint.v + k..][..3]));
        let turned = UnitQuaternion::from_scaled_axis(h * w).inverse() * u;
        v[joint.v..joint.v + 3].copy_from_slice(turned.as_slice());
    }
}

#[test]
fn steps_are_those_of_a_dense_reference() {
    let mut tally = Tally::default();
    cases::all(&mut tally);
    println!("{tally}");
    tally.check();
}
