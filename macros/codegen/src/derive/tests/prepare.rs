//! Kernels read prepared numbers: nothing in them depends on the fields alone.

use super::{close, describe_struct, with};
use crate::derive::{Equations, Forms, symbols};
use crate::expr::{Graph, Node, NodeId};

const CRANE: &str = "
    gravity = [0, 0, -g],
    link(trolley, mass = m, com = [0, 0, l], inertia = [m * l * l, 1, 1]),
    joint(rail, prismatic(world -> trolley), at = [0, 0, height], axis = [1, 0, 0], damping = 0.1 * m),
    link(boom, mass = 2 * m, com = [l, 0, 0], inertia = [1, 1, 1]),
    joint(turn, revolute(trolley -> boom), at = [0, l, 0], axis = [0, 0, 1]),
    link(hook, mass = m + 1, com = [0, l, 0], inertia = [m, m, m]),
    joint(swing, revolute(boom -> hook), at = [l, 0, -l], axis = [0, sin(tilt), cos(tilt)]),
    frame(tip, on = hook, at = [0, 2 * l, 0])";

fn follows_from_fields(graph: &Graph, id: NodeId) -> bool {
    match graph.node(id) {
        Node::Symbol(symbol) => symbol.set == symbols::FIELD,
        node => node.operands().all(|id| follows_from_fields(graph, id)),
    }
}

const FIELDS: &str = "struct Crane { g: f64, m: f64, l: f64, height: f64, tilt: f64 }";

#[test]
fn kernels_compute_nothing_from_fields_alone() {
    with(&describe_struct(CRANE, FIELDS), |m| {
        let equations = Equations::derive(m, &[], &[], &Forms::default());
        assert!(!equations.preparation.outputs.is_empty());
        for quantity in equations.quantities.iter().chain(equations.frames.iter().flatten()) {
            for id in m.graph.reachable(&quantity.outputs) {
                let node = m.graph.node(id);
                let leaf = matches!(node, Node::Constant(_) | Node::Symbol(_) | Node::Neg(_));
                assert!(leaf || !follows_from_fields(m.graph, id), "{}", quantity.kernel);
            }
        }
    });
}

#[test]
fn kernels_from_prepared_numbers_have_the_values_of_those_from_fields() {
    let fields = [9.81, 1.5, 0.7, 2.0, 0.4];
    let state = |set: u8, k: usize| (1.0 + k as f64 + 10.0 * f64::from(set)).sin();
    with(&describe_struct(CRANE, FIELDS), |m| {
        let value = |fields: &[f64], set: u8, k: u32| match set {
            symbols::FIELD => fields[k as usize],
            set => state(set, k as usize),
        };
        let equations = Equations::derive(m, &[], &[], &Forms::default());
        let numbers = &equations.preparation.outputs;
        let numbers = m.graph.evaluate(numbers, |s| value(&fields, s.set, s.index));
        for (kernel, direct) in [
            ("InverseDynamics", m.inverse_dynamics(&m.state.v, &m.state.a)),
            ("PotentialEnergy", vec![m.potential_energy()]),
            ("PassiveForce", m.passive_force()),
        ] {
            let quantity = equations.quantities.iter().find(|quantity| quantity.kernel == kernel);
            let outputs = &quantity.expect("a quantity of all models").outputs;
            let found = m.graph.evaluate(outputs, |s| value(&numbers, s.set, s.index));
            let expected = m.graph.evaluate(&direct, |s| value(&fields, s.set, s.index));
            close(kernel, &found, &expected, 1e-14);
        }
    });
}
