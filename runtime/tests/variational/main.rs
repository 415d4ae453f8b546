//! Discrete mechanics: the principle itself, what follows from it, forces, constraints, contact, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/bench.rs"]
mod bench;
#[path = "../common/linkages.rs"]
mod linkages;
#[path = "../common/numbers.rs"]
#[allow(dead_code, reason = "other tests draw whole numbers")]
mod numbers;
#[path = "../common/unoffered.rs"]
mod unoffered;

mod constrained;
mod contact;
mod convergence;
mod forced;
mod geometric;
mod order;
mod principle;
mod refusals;
mod robots;
mod singular;
mod starts;

use jourdain::prelude::*;
use jourdain::variational::Rule;
use nalgebra::{DMatrix, DVector, SVector};

use numbers::Numbers;

/// No inputs.
type Vector0 = SVector<f64, 0>;

const RULES: [Rule; 2] = [Rule::Midpoint, Rule::Trapezoidal];

/// A configuration and a velocity in general position, joints far from their neutral one.
fn anywhere<M: Model>(model: &M, seed: u64, speed: f64) -> (M::Q, M::V) {
    let mut numbers = Numbers(seed);
    let mut random = |size: f64| {
        let mut v = model.difference(&model.neutral(), &model.neutral());
        (0..M::NV).for_each(|k| v[k] = size * numbers.next());
        v
    };
    (model.integrate(&model.neutral(), &random(1.0)), random(speed))
}

/// M⁻¹ p.
fn velocity<M: Model>(model: &M, q: &M::Q, p: &[f64]) -> M::V {
    let mass = model.mass_matrix(q);
    let mass = DMatrix::from_fn(M::NV, M::NV, |i, j| mass[(i, j)]);
    let solved = mass.lu().solve(&DVector::from_column_slice(p)).unwrap();
    let mut v = model.difference(q, q);
    (0..M::NV).for_each(|k| v[k] = solved[k]);
    v
}

/// One step of h seconds.
fn stepped<M: Model<U = Vector0> + Copy>(
    model: M,
    rule: Rule,
    h: f64,
    (q, v): (&M::Q, &M::V),
) -> Variational<M> {
    let run = Variational::new(model).unwrap().rule(rule).step_size(h).unwrap();
    let mut run = run.state(q.clone(), v.clone()).unwrap();
    run.step(&Vector0::zeros()).unwrap();
    run
}
