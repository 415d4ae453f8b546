//! The kernels that descriptions ask for: against the graph, and against central differences.

use jourdain::description::Chart;
use jourdain::kernels::{
    Centroidal, FieldDerivatives, ForwardDynamicsDerivatives, InverseDynamicsDerivatives,
    InverseMassMatrix, JointColumns, JointJacobians, MassMatrixRate, Regressor,
};
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_codegen::derive::{Equations, Forms, Mechanism, Quantity};
use jourdain_codegen::expr::Graph;
use jourdain_codegen::kernels::Family;

use crate::{State, compare, each_requested, random};

/// A model that was described with `kernels(all)`.
pub(crate) trait Complete:
    InverseDynamicsDerivatives
    + ForwardDynamicsDerivatives
    + InverseMassMatrix
    + MassMatrixRate
    + Centroidal
    + JointJacobians
    + Regressor
    + FieldDerivatives
{
}

impl<M> Complete for M where
    M: InverseDynamicsDerivatives
        + ForwardDynamicsDerivatives
        + InverseMassMatrix
        + MassMatrixRate
        + Centroidal
        + JointJacobians
        + Regressor
        + FieldDerivatives
{
}

pub(crate) trait CompleteVisitor {
    fn visit<M: Complete>(&mut self, seed: u64, model: &M);
}

/// The value of a kernel by the method that users call.
fn compute<M: Complete>(model: &M, state: &State<M>, kernel: &str) -> Vec<f64> {
    let (q, v, a) = (&state.q, &state.v, &state.a);
    match kernel {
        "InverseDynamicsDerivatives" => {
            model.inverse_dynamics_derivatives(q, v, a).as_slice().to_vec()
        }
        "ForwardDynamicsDerivatives" => {
            model.forward_dynamics_derivatives(q, v, a).as_slice().to_vec()
        }
        "InverseMassMatrix" => model.inverse_mass_matrix(q).as_slice().to_vec(),
        "MassMatrixRate" => model.mass_matrix_rate(q, v).as_slice().to_vec(),
        "CentroidalMatrix" => model.centroidal_matrix(q).as_slice().to_vec(),
        "CentroidalBias" => model.centroidal_bias(q, v).as_slice().to_vec(),
        "CentroidalInertia" => model.centroidal_inertia(q).as_slice().to_vec(),
        "JointJacobians" => model.joint_jacobians(q).as_slice().to_vec(),
        "TorqueRegressor" => model.torque_regressor(q, v, a).as_slice().to_vec(),
        "EnergyRegressor" => model.energy_regressor(q, v).as_slice().to_vec(),
        "InertialParameters" => model.inertial_parameters().as_slice().to_vec(),
        "FieldDerivatives" => model.field_derivatives(q, v, a).as_slice().to_vec(),
        other => panic!("no method for {other}"),
    }
}

/// What the graph and the products at the end of the kernel make.
fn expected<M: Model>(quantity: &Quantity<'_>, graph: &Graph, state: &State<M>) -> Vec<f64> {
    let values = graph.evaluate(&quantity.outputs, |symbol| state.value(symbol));
    let Some(support) = &quantity.products else { return values };
    let (columns, inverse) = values.split_at(2 * M::NV * M::NV);
    assert_eq!(support.len(), 2 * M::NV);
    let entry = |column: &[f64], i: usize| -> f64 {
        -(0..M::NV).map(|k| inverse[M::NV * k + i] * column[k]).sum::<f64>()
    };
    let products = columns.chunks_exact(M::NV).flat_map(|x| (0..M::NV).map(|i| entry(x, i)));
    products.chain(inverse.iter().copied()).collect()
}

#[derive(Default)]
struct AgainstGraph {
    models: usize,
}

impl CompleteVisitor for AgainstGraph {
    fn visit<M: Complete>(&mut self, seed: u64, model: &M) {
        let description = random::or_on_patches(seed);
        let graph = Graph::new();
        let mechanism = Mechanism::new(&graph, &description).expect("nothing runs backwards");
        let state = State::<M>::random(seed);
        let equations = Equations::derive(&mechanism, &[], &Family::ALL, &Forms::default());
        for quantity in &equations.requested {
            let found = compute(model, &state, &quantity.kernel);
            let what = format!("{seed} {}", quantity.kernel);
            compare(&what, &found, &expected(quantity, &graph, &state));
            assert!(M::OPERATIONS.len() > Family::ALL.len());
        }
        let motion = model.joint_jacobians(&state.q);
        let poses = model.link_poses(&state.q);
        for (k, &link) in M::BODIES.iter().enumerate() {
            let pose = motion.pose(k).expect("a body");
            compare("rotation", pose.rotation.as_slice(), poses[link].rotation.as_slice());
            compare("position", pose.position.as_slice(), poses[link].position.as_slice());
        }
        assert!(motion.pose(M::BODIES.len()).is_none() && motion.column(M::NV).is_none());
        self.models += 1;
    }
}

#[test]
fn requested_kernels_compute_what_the_graph_says() {
    let mut visitor = AgainstGraph::default();
    each_requested(&mut visitor);
    assert!(visitor.models > 1);
}

/// Counts the models on a floating base.
#[derive(Default)]
struct AgainstDifferences {
    floating: usize,
}

impl CompleteVisitor for AgainstDifferences {
    fn visit<M: Complete>(&mut self, seed: u64, model: &M) {
        self.floating += M::JOINTS.iter().filter(|joint| joint.chart == Chart::Pose).count();
        let state = State::<M>::random(seed);
        let State { q, v, a, .. } = &state;
        let inverse = |s: &State<M>| model.inverse_dynamics(&s.q, &s.v, &s.a);
        let found = model.inverse_dynamics_derivatives(q, v, a);
        near(&format!("{seed} ∂ID"), found.as_slice(), &differences(model, &state, 2, inverse));
        let forward = |s: &State<M>| model.forward_dynamics(&s.q, &s.v, &s.a);
        let found = model.forward_dynamics_derivatives(q, v, a);
        near(&format!("{seed} ∂FD"), found.as_slice(), &differences(model, &state, 3, forward));
    }
}

/// Central differences of `f` by the first `sets` of q, v and a, column by column.
fn differences<M: Model>(
    model: &M,
    state: &State<M>,
    sets: usize,
    f: impl Fn(&State<M>) -> M::V,
) -> Vec<f64> {
    const STEP: f64 = 1e-5;
    let at = |set: usize, coordinate: usize, step: f64| {
        let (mut q, mut v, mut a) = (state.q.clone(), state.v.clone(), state.a.clone());
        match set {
            0 => {
                let mut moved = M::V::zeros();
                moved[coordinate] = step;
                q = model.integrate(&q, &moved);
            }
            1 => v[coordinate] += step,
            _ => a[coordinate] += step,
        }
        f(&State { q, v, a, holds: Vec::new(), asked: Vec::new() })
    };
    let mut slopes = Vec::new();
    for k in 0..sets * M::NV {
        let (set, coordinate) = (k / M::NV, k % M::NV);
        let (before, after) = (at(set, coordinate, -STEP), at(set, coordinate, STEP));
        slopes.extend((0..M::NV).map(|i| (after[i] - before[i]) / (2.0 * STEP)));
    }
    slopes
}

fn near(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / scale;
        assert!(error <= 1e-7, "{what}[{k}]: {found} instead of {expected}");
    }
}

#[test]
fn derivatives_are_the_limits_of_differences() {
    let mut visitor = AgainstDifferences::default();
    each_requested(&mut visitor);
    assert!(visitor.floating > 0);
}
