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

/// Compares the kernels of a robot with the plainest derivation at a random state; returns how many
/// have limbs in lanes.
fn in_lanes<M: Model>(model: &M) -> usize {
    let mut descriptions = robots::descriptions().into_iter();
    let description = descriptions.find(|robot| robot.name == M::NAME).expect("a robot");
    let graph = Graph::new();
    let mechanism = Mechanism::new(&graph, &description).expect("nothing runs backwards");
    let equations = Equations::derive(&mechanism, &[], &[], &PLAIN);
    let state = State::<M>::random(7);
    for quantity in &equations.quantities {
        if matches!(quantity.kernel.as_str(), "Requirements" | "CoordinateParameters") {
            continue;
        }
        let expected = graph.evaluate(&quantity.outputs, |symbol| state.value(symbol));
        let found = state.compute(model, &quantity.kernel, expected.len());
        compare(&format!("{} {}", M::NAME, quantity.kernel), &found, &expected);
    }
    let forms = M::OPERATIONS.iter().map(|(_, operations)| operations.form);
    forms.filter(|form| form.contains("in lanes")).count()
}

#[test]
fn limbs_in_lanes_compute_what_limbs_one_by_one_do() {
    for count in [in_lanes(&Solo12), in_lanes(&Go2), in_lanes(&G1)] {
        assert!(count >= 8, "{count} kernels have limbs in lanes");
    }
}
