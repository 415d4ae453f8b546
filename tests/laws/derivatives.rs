//! Derivatives by recursion against differentiation on the graph.

use jourdain_codegen::derive::Derivatives;

use crate::check;
use crate::law::{self, Case};

#[test]
fn analytical_derivatives_equal_differentiation_on_the_graph() {
    check("∂ID/∂q and ∂ID/∂v", 1e-10, |case| {
        let a = &case.mechanism.state.a;
        let analytical = case.mechanism.analytical_derivatives(a);
        pairs(case, &analytical, &case.mechanism.automatic_derivatives(a))
    });
}

fn pairs<'g>(case: &Case<'g>, a: &Derivatives<'g>, b: &Derivatives<'g>) -> Vec<(f64, f64)> {
    let values = |x: &Derivatives<'g>| case.vector(&[x.by_q.concat(), x.by_v.concat()].concat());
    law::pairs(&values(a), &values(b))
}
