//! Kernels over the dual numbers of `num-dual`, an arithmetic that the runtime does not know: they give
//! exact derivatives.

use fastrand::Rng;
use jourdain::arithmetic::{Arithmetic, Array};
use jourdain::kernel::{Input, Kernel, evaluate_with};
use jourdain::prelude::*;
use jourdain::quantities::Quantities;
use jourdain::space::Storage;
use jourdain_models::{Go2, Ur5};
use num_dual::{Dual64, DualNum};

use crate::batch::{ACROBOT, random_state};

/// The arithmetic of x + x′ε with ε² = 0.
enum Dual {}

impl Arithmetic for Dual {
    type Scalar = Dual64;
    type Pair = Array<Self, 2>;
    type Quad = Array<Self, 4>;

    fn literal(x: f64) -> Dual64 {
        x.into()
    }

    fn mul_add(a: Dual64, b: Dual64, c: Dual64) -> Dual64 {
        a * b + c
    }

    fn sqrt(x: Dual64) -> Dual64 {
        x.sqrt()
    }

    fn sin_cos<const N: usize>(angles: [Dual64; N]) -> ([Dual64; N], [Dual64; N]) {
        (angles.map(|x| x.sin()), angles.map(|x| x.cos()))
    }
}

/// A point in the space of configurations, velocities, accelerations and fields, or a direction there.
pub(crate) struct Point<M: Model> {
    pub(crate) q: M::Q,
    pub(crate) v: M::V,
    /// Acceleration or force.
    pub(crate) a: M::V,
    /// Directions alone have these; a point has the model's.
    pub(crate) fields: Vec<f64>,
}

impl<M: Model> Point<M> {
    pub(crate) fn random(seed: u64) -> Self {
        let (q, v, a) = random_state::<M>(&mut Rng::with_seed(seed));
        Self { q, v, a, fields: vec![] }
    }

    pub(crate) fn zero() -> Self {
        let (q, v, a) = (M::Q::zeros(), M::V::zeros(), M::V::zeros());
        Self { q, v, a, fields: vec![] }
    }
}

/// The derivative of a kernel's `count` results in a direction.
pub(crate) fn derivative<M: Model, K: Kernel>(
    model: &M,
    at: &Point<M>,
    direction: &Point<M>,
    count: usize,
) -> Vec<f64> {
    let dual = |x: &[f64], dx: &[f64]| -> Vec<Dual64> {
        let dx = dx.iter().copied().chain(std::iter::repeat(0.0));
        x.iter().zip(dx).map(|(&x, dx)| Dual64::new(x, dx)).collect()
    };
    let run = |kernel: fn(&Input<'_, Dual64>, &mut [Dual64]), input: Input<'_, Dual64>, count| {
        let mut output = vec![Dual64::from(f64::NAN); count];
        kernel(&input, &mut output);
        output
    };
    let fields = dual(model.fields().as_ref(), &direction.fields);
    let input = Input { fields: &fields, ..Input::default() };
    let prepared =
        run(evaluate_with::<M::Preparation, Dual>, input, model.with_prepared(<[_]>::len));
    let q = dual(at.q.as_slice(), direction.q.as_slice());
    let v = dual(at.v.as_slice(), direction.v.as_slice());
    let a = dual(at.a.as_slice(), direction.a.as_slice());
    let input = Input { fields: &prepared, q: &q, v: &v, a: &a, ..Input::default() };
    run(evaluate_with::<K, Dual>, input, count).iter().map(|x| x.eps).collect()
}

pub(crate) fn compare(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        let same = (found - expected).abs() <= tolerance * scale;
        assert!(same, "{what}: {found} instead of {expected}");
    }
}

/// ∂τ/∂v̇ = M, and ∂T/∂v = M v.
fn mass_matrix_is_a_derivative<M: Model>(model: &M) {
    let at = Point::<M>::random(1);
    let mass = model.mass_matrix(&at.q);
    let mut momentum = M::V::zeros();
    for k in 0..M::NV {
        let (mut by_acceleration, mut by_velocity) = (Point::<M>::zero(), Point::<M>::zero());
        by_acceleration.a[k] = 1.0;
        by_velocity.v[k] = 1.0;
        type Tau<M> = <M as Quantities>::InverseDynamics;
        let column = derivative::<M, Tau<M>>(model, &at, &by_acceleration, M::NV);
        compare("∂τ/∂v̇", &column, &mass.as_slice()[k * M::NV..][..M::NV], 1e-12);
        momentum[k] = derivative::<M, M::KineticEnergy>(model, &at, &by_velocity, 1)[0];
    }
    let expected: Vec<f64> =
        (0..M::NV).map(|i| (0..M::NV).map(|k| mass[(i, k)] * at.v[k]).sum()).collect();
    compare("∂T/∂v", momentum.as_slice(), &expected, 1e-12);
}

/// Derivatives by the configuration against central differences along the direction v.
fn configuration_derivatives_are_those_of_differences<M: Model>(model: &M) {
    const STEP: f64 = 1e-5;
    let at = Point::<M>::random(2);
    let mut direction = Point::<M>::zero();
    direction.q = model.configuration_rate(&at.q, &at.a);
    let found = derivative::<M, M::ForwardDynamics>(model, &at, &direction, M::NV);
    let value = |h: f64| {
        let mut step = at.a.clone();
        step.as_mut_slice().iter_mut().for_each(|x| *x *= h);
        model.forward_dynamics(&model.integrate(&at.q, &step), &at.v, &at.a)
    };
    let (after, before) = (value(STEP), value(-STEP));
    let expected: Vec<f64> = (0..M::NV).map(|k| (after[k] - before[k]) / (2.0 * STEP)).collect();
    compare("∂v̇/∂q", &found, &expected, 1e-6);
}

#[test]
fn kernels_over_dual_numbers_give_derivatives() {
    mass_matrix_is_a_derivative(&ACROBOT);
    mass_matrix_is_a_derivative(&Ur5);
    mass_matrix_is_a_derivative(&Go2);
    configuration_derivatives_are_those_of_differences(&ACROBOT);
    configuration_derivatives_are_those_of_differences(&Ur5);
    configuration_derivatives_are_those_of_differences(&Go2);
}
