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

/// A point in the space of configurations, velocities and accelerations, or a direction there.
struct Point<M: Model>(M::Q, M::V, M::V);

impl<M: Model> Point<M> {
    fn random(seed: u64) -> Self {
        let (q, v, a) = random_state::<M>(&mut Rng::with_seed(seed));
        Self(q, v, a)
    }

    fn zero() -> Self {
        Self(M::Q::zeros(), M::V::zeros(), M::V::zeros())
    }
}

/// The derivative of a kernel's `count` results in a direction.
fn derivative<M: Model, K: Kernel>(
    model: &M,
    at: &Point<M>,
    direction: &Point<M>,
    count: usize,
) -> Vec<f64> {
    let dual = |x: &[f64], dx: &[f64]| -> Vec<Dual64> {
        x.iter().zip(dx).map(|(&x, &dx)| Dual64::new(x, dx)).collect()
    };
    let fields = model.with_prepared(|numbers| dual(numbers, &vec![0.0; numbers.len()]));
    let q = dual(at.0.as_slice(), direction.0.as_slice());
    let v = dual(at.1.as_slice(), direction.1.as_slice());
    let a = dual(at.2.as_slice(), direction.2.as_slice());
    let mut output = vec![Dual64::from(f64::NAN); count];
    evaluate_with::<K, Dual>(&Input { fields: &fields, q: &q, v: &v, a: &a }, &mut output);
    output.iter().map(|x| x.eps).collect()
}

fn compare(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
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
    let mass = model.mass_matrix(&at.0);
    let mut momentum = M::V::zeros();
    for k in 0..M::NV {
        let (mut by_acceleration, mut by_velocity) = (Point::<M>::zero(), Point::<M>::zero());
        by_acceleration.2[k] = 1.0;
        by_velocity.1[k] = 1.0;
        type Tau<M> = <M as Quantities>::InverseDynamics;
        let column = derivative::<M, Tau<M>>(model, &at, &by_acceleration, M::NV);
        compare("∂τ/∂v̇", &column, &mass.as_slice()[k * M::NV..][..M::NV], 1e-12);
        momentum[k] = derivative::<M, M::KineticEnergy>(model, &at, &by_velocity, 1)[0];
    }
    let expected: Vec<f64> =
        (0..M::NV).map(|i| (0..M::NV).map(|k| mass[(i, k)] * at.1[k]).sum()).collect();
    compare("∂T/∂v", momentum.as_slice(), &expected, 1e-12);
}

/// Derivatives by the configuration against central differences along the direction v.
fn configuration_derivatives_are_those_of_differences<M: Model>(model: &M) {
    const STEP: f64 = 1e-5;
    let at = Point::<M>::random(2);
    let mut direction = Point::<M>::zero();
    direction.0 = model.configuration_rate(&at.0, &at.2);
    let found = derivative::<M, M::ForwardDynamics>(model, &at, &direction, M::NV);
    let value = |h: f64| {
        let mut step = at.2.clone();
        step.as_mut_slice().iter_mut().for_each(|x| *x *= h);
        model.forward_dynamics(&model.integrate(&at.0, &step), &at.1, &at.2)
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
