//! Compiled kernels whose alike limbs are lanes, against the graph of the limbs one by one.

use jourdain::prelude::*;
use jourdain_codegen::derive::{Axes, Equations, Forms, Limbs, Masses, Mechanism, Solver};
use jourdain_codegen::expr::Graph;
use jourdain_models::{G1, Go2, Solo12};

use crate::{State, compare, robots};

/// Nothing that the generator could choose.
const PLAIN: Forms = Forms {
    masses: Some(Masses::Described),
    axes: Some(Axes::Own),
    solver: Some(Solver::Factorization),
    limbs: Some(Limbs::OneByOne),
};

/// Compares the kernels of a robot that have forms with the plainest derivation of its file at a
/// random state; returns how many have limbs in lanes.
fn in_lanes<M: Model>(model: &M, name: &str) -> usize {
    let mut descriptions = robots::descriptions().into_iter();
    let description = descriptions.find(|robot| robot.name == name).expect("a robot");
    let graph = Graph::new();
    let mechanism = Mechanism::new(&graph, &description).expect("nothing runs backwards");
    let equations = Equations::derive(&mechanism, &[], &[], &PLAIN);
    let state = State::<M>::random(7);
    // What has forms follows from the file alone, to which the model adds contacts.
    for quantity in equations.quantities.iter().filter(|quantity| !quantity.form.is_empty()) {
        let expected = graph.evaluate(&quantity.outputs, |symbol| state.value(symbol));
        let found = state.compute(model, &quantity.kernel, expected.len());
        compare(&format!("{} {}", M::NAME, quantity.kernel), &found, &expected);
    }
    let forms = M::OPERATIONS.iter().map(|(_, operations)| operations.form);
    forms.filter(|form| form.contains("in lanes")).count()
}

#[test]
fn limbs_in_lanes_compute_what_limbs_one_by_one_do() {
    for count in [
        in_lanes(&Solo12, "solo"),
        in_lanes(&Go2, "go2_description"),
        in_lanes(&G1, "g1_29dof_rev_1_0"),
    ] {
        assert!(count >= 7, "{count} kernels have limbs in lanes");
    }
}
