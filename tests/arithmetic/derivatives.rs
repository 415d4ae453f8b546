//! Generated derivatives against those of kernels over dual numbers.

use jourdain::kernel::Kernel;
use jourdain::kernels::{
    FieldDerivatives, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, MassMatrixRate,
};
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::dual::{Point, compare, derivative};

/// Of the largest entry.
const TOLERANCE: f64 = 1e-10;

/// Six axes in a row.
#[derive(Debug, Robot)]
#[robot(urdf = "../models/urdf/ur5.urdf", kernels(all))]
struct Arm;

/// Four legs on a floating base, computed in lanes.
#[derive(Debug, Robot)]
#[robot(urdf = "../models/urdf/solo12.urdf", base = floating, kernels(all))]
struct Quadruped;

/// Fields in masses, lengths, inertias, springs and gears.
#[derive(Debug, Robot)]
#[robot(
    gravity = [0, 0, -g],
    link(upper, mass = m1, com = [0, 0, -l1 / 2], inertia = [i1, i1, 0]),
    joint(shoulder, revolute(world -> upper), axis = [0, 1, 0], armature = rotor * gear * gear),
    link(lower, mass = m2, com = [0.1 * l2, 0, -l2 * cos(bend)], inertia = [0.01, 0.02, 0.015]),
    joint(elbow, universal(upper -> lower), at = [0, 0, -l1], axes = [[0, 1, 0], [1, 0, 0]], rpy = [bend, 0, 0]),
    kernels(all),
)]
struct Pendulum {
    g: f64,
    m1: f64,
    m2: f64,
    l1: f64,
    l2: f64,
    i1: f64,
    rotor: f64,
    gear: f64,
    bend: f64,
}

const PENDULUM: Pendulum = Pendulum {
    g: 9.81,
    m1: 1.1,
    m2: 0.8,
    l1: 0.6,
    l2: 0.5,
    i1: 0.03,
    rotor: 1e-4,
    gear: 20.0,
    bend: 0.4,
};

/// Directions of unit velocity along each coordinate of q, v or the acceleration or force.
fn directions<M: Model>(model: &M, at: &Point<M>, set: usize) -> Vec<Point<M>> {
    let along = |k: usize| {
        let mut unit = M::V::zeros();
        unit[k] = 1.0;
        let mut direction = Point::<M>::zero();
        match set {
            0 => direction.q = model.configuration_rate(&at.q, &unit),
            1 => direction.v = unit,
            _ => direction.a = unit,
        }
        direction
    };
    (0..M::NV).map(along).collect()
}

/// The derivatives of a kernel by the first `sets` of q, v and the acceleration or force.
fn derivatives<M: Model, K: Kernel>(
    model: &M,
    at: &Point<M>,
    sets: usize,
    width: usize,
) -> Vec<f64> {
    let all = (0..sets).flat_map(|set| directions(model, at, set));
    all.flat_map(|direction| derivative::<M, K>(model, at, &direction, width)).collect()
}

fn derivatives_are_exact<M>(model: &M)
where
    M: InverseDynamicsDerivatives + ForwardDynamicsDerivatives + MassMatrixRate,
{
    for seed in 0..20 {
        let at = Point::<M>::random(seed);
        let Point { q, v, a, .. } = &at;
        let expected = derivatives::<M, M::InverseDynamics>(model, &at, 2, M::NV);
        let found = model.inverse_dynamics_derivatives(q, v, a);
        compare("∂ID", found.as_slice(), &expected, TOLERANCE);
        let expected = derivatives::<M, M::ForwardDynamics>(model, &at, 3, M::NV);
        let found = model.forward_dynamics_derivatives(q, v, a);
        compare("∂FD", found.as_slice(), &expected, TOLERANCE);
        let mut motion = Point::<M>::zero();
        motion.q = model.configuration_rate(q, v);
        let expected = derivative::<M, M::MassMatrix>(model, &at, &motion, M::NV * M::NV);
        compare("Ṁ", model.mass_matrix_rate(q, v).as_slice(), &expected, TOLERANCE);
    }
}

#[test]
fn generated_derivatives_are_those_of_dual_numbers() {
    derivatives_are_exact(&Arm);
    derivatives_are_exact(&Quadruped);
    derivatives_are_exact(&PENDULUM);
}

#[test]
fn derivatives_by_fields_are_those_of_dual_numbers() {
    for seed in 0..20 {
        let at = Point::<Pendulum>::random(seed);
        let fields = PENDULUM.fields().len();
        let columns = (0..fields).flat_map(|k| {
            let mut direction = Point::zero();
            direction.fields = (0..fields).map(|i| if i == k { 1.0 } else { 0.0 }).collect();
            type Tau = <Pendulum as jourdain::quantities::Quantities>::InverseDynamics;
            derivative::<Pendulum, Tau>(&PENDULUM, &at, &direction, Pendulum::NV)
        });
        let found = FieldDerivatives::field_derivatives(&PENDULUM, &at.q, &at.v, &at.a);
        compare("∂τ/∂p", found.as_slice(), &columns.collect::<Vec<_>>(), TOLERANCE);
    }
}
