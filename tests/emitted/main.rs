//! Emitted and compiled code against the values of the graph that it came from.

mod limbs;
mod patches;
#[path = "../random/mod.rs"]
mod random;
mod requested;
#[path = "../laws/robots.rs"]
mod robots;

use fastrand::Rng;
use jourdain::description::{Chart, FrameId};
use jourdain::kernel::{Input, Kernel, evaluate};
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_codegen::derive::{Equations, Forms, Mechanism, Quantity, Shape, symbols, unrolled};
use jourdain_codegen::expr::{Graph, Symbol};

use requested::CompleteVisitor;

include!(concat!(env!("OUT_DIR"), "/random.rs"));

/// The time that constraints are evaluated at.
const TIME: f64 = 0.3;

/// One form by itself.
fn form(k: usize) -> Forms {
    Forms::each().nth(k).expect("one of the forms")
}

trait Visitor {
    fn visit<M: Model>(&mut self, seed: u64, forms: &Forms, model: &M);
}

/// Compares every kernel of a model with the graph, at a random state.
#[derive(Default)]
struct AgainstGraph {
    models: usize,
    /// Kernels that compute in rounds.
    in_rounds: usize,
}

impl Visitor for AgainstGraph {
    fn visit<M: Model>(&mut self, seed: u64, forms: &Forms, model: &M) {
        let description = random::or_on_patches(seed);
        let graph = Graph::new();
        let mechanism = Mechanism::new(&graph, &description).expect("nothing runs backwards");
        let equations = Equations::derive(&mechanism, &[], &[], forms);
        assert_eq!((M::NQ, M::NV), (mechanism.nq(), mechanism.nv()));
        let mut state = State::<M>::random(seed);
        state.hold_what_is_independent(&graph, &equations);
        let constrained = |name: &str| name.starts_with("Constrained");
        let compiled = equations.quantities.iter();
        for quantity in compiled.filter(|q| M::HELD_ROWS > 0 || !constrained(&q.kernel)) {
            let outputs = unrolled(&graph, &quantity.outputs, &quantity.rounds);
            let expected = graph.evaluate(&outputs, |symbol| state.value(symbol));
            self.in_rounds += usize::from(!quantity.rounds.is_empty());
            let found = state.compute(model, &quantity.kernel, expected.len());
            compare(&format!("{seed} {} {}", quantity.kernel, quantity.form), &found, &expected);
            if let Shape::Matrix(rows, columns) = quantity.shape {
                assert_eq!(rows * columns, expected.len());
            }
        }
        for (k, [pose, jacobian, bias]) in equations.frames.iter().enumerate() {
            let frame = FrameId::<M>::named(&description.frames[k].name.text).expect("declared");
            let value = |symbol| state.value(symbol);
            let found = model.frame_pose(frame, &state.q);
            let flat: Vec<f64> =
                found.rotation.iter().chain(found.position.iter()).copied().collect();
            compare("pose", &flat, &graph.evaluate(&pose.outputs, value));
            let mut flat = vec![0.0; 6 * M::NV];
            model.frame_jacobian_into(frame, ReferenceFrame::Local, &state.q, &mut flat);
            compare("jacobian", &flat, &graph.evaluate(&jacobian.outputs, value));
            let reference = ReferenceFrame::LocalWorldAligned;
            let found = model.frame_bias(frame, reference, &state.q, &state.v);
            let local = graph.evaluate(&bias.outputs, value);
            let rotation = model.frame_pose(frame, &state.q).rotation;
            let turned =
                |k: usize| rotation * nalgebra::Vector3::from_column_slice(&local[k..k + 3]);
            let expected: Vec<f64> = turned(0).iter().chain(turned(3).iter()).copied().collect();
            compare("bias", found.as_slice(), &expected);
        }
        self.models += 1;
    }
}

struct State<M: Model> {
    q: M::Q,
    v: M::V,
    a: M::V,
    holds: Vec<f64>,
    asked: Vec<f64>,
}

impl<M: Model> State<M> {
    fn random(seed: u64) -> Self {
        let rng = &mut Rng::with_seed(!seed);
        let mut fill = |x: &mut [f64]| x.iter_mut().for_each(|x| *x = 2.0 * rng.f64() - 1.0);
        let (mut q, mut v, mut a) = (M::Q::zeros(), M::V::zeros(), M::V::zeros());
        fill(q.as_mut_slice());
        fill(v.as_mut_slice());
        fill(a.as_mut_slice());
        for joint in M::JOINTS.iter().filter(|joint| joint.chart != Chart::Vector) {
            let last = joint.q + joint.nq;
            let quaternion = &mut q.as_mut_slice()[last - 4..last];
            let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
            quaternion.iter_mut().for_each(|x| *x /= norm);
        }
        let mut numbers = |count: usize| (0..count).map(|_| 2.0 * rng.f64() - 1.0).collect();
        let asked: Vec<f64> =
            numbers(M::HELD_ROWS.max(M::NV).max(3 * M::CONTACTS.len().next_multiple_of(4)));
        // The response to contacts reads all numbers of contact dynamics, which are fewer than these.
        let mut holds: Vec<f64> =
            numbers(M::HELD_ROWS + (M::NV + 3) * (M::NV + 7 * M::CONTACTS.len()));
        holds[..M::HELD_ROWS].fill(0.0);
        Self { q, v, a, holds, asked }
    }

    /// Rows that depend on others would leave nothing but rounding to compare.
    fn hold_what_is_independent(&mut self, graph: &Graph, equations: &Equations<'_>) {
        let of = |quantity: &&Quantity<'_>| quantity.kernel == "ConstrainedDynamics";
        let quantity = equations.quantities.iter().find(of).expect("a quantity of every robot");
        let doubt = quantity.outputs.last().copied();
        for row in 0..M::HELD_ROWS {
            self.holds[row] = 1.0;
            let doubt = graph.evaluate(doubt.as_slice(), |symbol| self.value(symbol));
            if !doubt.iter().all(|doubt| (0.0..=1.0).contains(doubt)) {
                self.holds[row] = 0.0;
            }
        }
    }

    fn value(&self, symbol: Symbol) -> f64 {
        let k = symbol.index as usize;
        match symbol.set {
            symbols::Q => self.q[k],
            symbols::V => self.v[k],
            symbols::A => self.a[k],
            symbols::TIME => TIME,
            symbols::HOLDS => self.holds[k],
            symbols::ASKED => self.asked[k],
            _ => f64::NAN,
        }
    }

    /// The value of a quantity by the method that users call.
    fn compute(&self, model: &M, kernel: &str, length: usize) -> Vec<f64> {
        let (q, v, a) = (&self.q, &self.v, &self.a);
        let mut slice = vec![f64::NAN; length];
        match kernel {
            "MassMatrix" => model.mass_matrix(q).as_slice().to_vec(),
            "CoriolisMatrix" => model.coriolis_matrix(q, v).as_slice().to_vec(),
            "GravityForce" => model.gravity_force(q).as_slice().to_vec(),
            "BiasForce" => model.bias_force(q, v).as_slice().to_vec(),
            "InverseDynamics" => model.inverse_dynamics(q, v, a).as_slice().to_vec(),
            "ForwardDynamics" => model.forward_dynamics(q, v, a).as_slice().to_vec(),
            "KineticEnergy" => vec![model.kinetic_energy(q, v)],
            "PotentialEnergy" => vec![model.potential_energy(q)],
            "TotalMass" => vec![model.total_mass()],
            "Gravity" => model.gravity().iter().copied().collect(),
            "CenterOfMass" => model.center_of_mass(q).as_slice().to_vec(),
            "Momentum" => model.momentum(q, v).as_slice().to_vec(),
            "PassiveForce" => model.passive_force(q, v).as_slice().to_vec(),
            "InputMatrix" => model.input_matrix().as_slice().to_vec(),
            "LinkPoses" => {
                let flat = |pose: Pose| -> Vec<f64> {
                    pose.rotation.iter().chain(pose.position.iter()).copied().collect()
                };
                model.link_poses(q).into_iter().flat_map(flat).collect()
            }
            "Gap" => {
                model.gap_into(q, &mut slice);
                slice
            }
            "ContactJacobian" => {
                model.contact_jacobian_into(q, &mut slice);
                slice
            }
            "ContactBias" => {
                model.contact_bias_into(q, v, &mut slice);
                slice
            }
            "ContactPoints" => {
                model.contact_points_into(q, &mut slice);
                slice
            }
            "ContactFrames" => {
                model.contact_frames_into(q, &mut slice);
                slice
            }
            "ShapeParameters" => {
                let flat = |shape: jourdain::description::ShapeParameters| {
                    let pose = shape.pose.rotation.iter().chain(shape.pose.position.iter());
                    let coefficients = [shape.friction, shape.restitution];
                    pose.copied().chain(shape.sizes.clone()).chain(coefficients).collect::<Vec<_>>()
                };
                model.shape_parameters().into_iter().flat_map(flat).collect()
            }
            "PairParameters" => {
                let pairs = model.pair_parameters().into_iter();
                pairs.flat_map(|of| [of.friction, of.restitution, of.torsion, of.rolling]).collect()
            }
            "JointColumns" => {
                model.joint_columns_into(q, &mut slice);
                slice
            }
            "Limit" => {
                model.limit_into(q, &mut slice);
                slice
            }
            "LimitJacobian" => {
                model.limit_jacobian_into(q, &mut slice);
                slice
            }
            "LimitBias" => {
                model.limit_bias_into(q, v, &mut slice);
                slice
            }
            "SpringParameters" => {
                let springs = model.spring_parameters().into_iter();
                springs.flat_map(|spring| [spring.stiffness, spring.damping, spring.rest]).collect()
            }
            "SpringSpans" => {
                model.spring_spans_into(q, &mut slice);
                slice
            }
            "Constraint" => {
                model.constraint_into(q, TIME, &mut slice);
                slice
            }
            "ConstraintRate" => {
                model.constraint_rate_into(q, v, TIME, &mut slice);
                slice
            }
            "ConstraintJacobian" => {
                model.constraint_jacobian_into(q, v, TIME, &mut slice);
                slice
            }
            "ConstraintBias" => {
                model.constraint_bias_into(q, v, TIME, &mut slice);
                slice
            }
            "GeneralizedMomentum" => {
                model.generalized_momentum_into(q, v, &mut slice);
                slice
            }
            "ConstraintPoints" => {
                model.constraint_points_into(q, &mut slice);
                slice
            }
            "ConstraintParameters" => {
                let flat = |row: jourdain::description::RowParameters| {
                    [row.stabilization, row.acceleration, row.velocity_after, row.restitution]
                };
                model.constraint_parameters().into_iter().flat_map(flat).collect()
            }
            "ContactParameters" => {
                let flat = |c: jourdain::description::ContactParameters| {
                    let axes = [c.normal, c.tangents[0], c.tangents[1]];
                    let axes = axes.iter().flat_map(|x| x.iter()).copied().collect::<Vec<_>>();
                    [vec![c.friction, c.restitution], axes, vec![c.radius, c.torsion, c.rolling]]
                        .concat()
                };
                model.contact_parameters().into_iter().flat_map(flat).collect()
            }
            "CoordinateParameters" => {
                let flat = |c: jourdain::description::CoordinateParameters| {
                    let limits = [c.position[0], c.position[1], c.velocity, c.effort];
                    [limits.as_slice(), &[c.friction, c.damping, c.stiffness]].concat()
                };
                model.coordinate_parameters().into_iter().flat_map(flat).collect()
            }
            "ConstrainedDynamics" => self.constrained::<M::ConstrainedDynamics>(model, slice),
            "ConstrainedImpact" => self.constrained::<M::ConstrainedImpact>(model, slice),
            "ContactDynamics" => self.constrained::<M::ContactDynamics>(model, slice),
            "ContactResponse" => self.constrained::<M::ContactResponse>(model, slice),
            "ContactMomentum" => self.constrained::<M::ContactMomentum>(model, slice),
            "Requirements" => Vec::new(),
            other => panic!("no method for {other}"),
        }
    }
}

impl<M: Model> State<M> {
    fn constrained<K: Kernel>(&self, model: &M, mut out: Vec<f64>) -> Vec<f64> {
        let (q, v, a) = (self.q.as_slice(), self.v.as_slice(), self.a.as_slice());
        model.with_prepared(|fields| {
            let (holds, asked) = (&self.holds, &self.asked);
            let input = Input { fields, q, v, a, t: &[TIME], holds, asked };
            evaluate::<K>(&input, &mut out);
        });
        out
    }
}

fn compare(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().filter(|x| x.is_finite()).fold(1.0, |s: f64, x| s.max(x.abs()));
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = found == expected
            || found.is_nan() && expected.is_nan()
            || (found - expected).abs() <= 1e-11 * scale;
        assert!(same, "{what}[{k}]: {found} instead of {expected}");
    }
}

#[test]
fn compiled_kernels_compute_what_the_graph_says() {
    let mut visitor = AgainstGraph::default();
    each(&mut visitor);
    assert_eq!(visitor.models, MODELS);
    assert!(visitor.in_rounds >= MODELS / 2, "{}", visitor.in_rounds);
}
