//! Gaps that are a law's margin but for rounding, which a step and its audit read from different kernels.

use jourdain::contact::{Anitescu, Conditions, Cone, Formulation, Stepper, Todorov};
use jourdain::prelude::*;

use super::cases::{Tree, tree, tree_state};
use super::problem::Start;
use super::{Case, SOLVED};
use crate::numbers::Numbers;

const MARGIN: f64 = 1e-4;
const TREES: usize = 40;

/// Laws that act from a margin on, and what is within slides.
fn formulations() -> [Formulation; 3] {
    let todorov = Todorov::new(1e-3, 0.2).unwrap().margin(MARGIN).unwrap();
    [
        Formulation::Anitescu(Anitescu::new(MARGIN).unwrap()),
        Formulation::Todorov(todorov),
        Formulation::Todorov(todorov.cone(Cone::Pyramid)),
    ]
}

/// The residual of a step from outside, if it is solved.
fn audit(tree: &Tree, q: &<Tree as Model>::Q, formulation: Formulation) -> Option<f64> {
    let (mut v, force) = (<Tree as Model>::V::zeros(), <Tree as Model>::V::zeros());
    v[0] = 3.0;
    let start = Start { q, v: &v, force: &force, h: 1e-2 };
    let conditions = &Conditions { free_rotation: false, ..Conditions::of(formulation) };
    let mut stepper = Stepper::new(tree).unwrap();
    stepper.step(tree, (q, &v), &force, (0.0, start.h), conditions).ok()?;
    let case = Case { model: tree, start, conditions };
    Some(case.audit(stepper.velocity().as_slice(), stepper.impulse()))
}

#[test]
fn an_audit_agrees_with_a_step_at_a_margin() {
    let (numbers, mut steps) = (&mut Numbers(23), 0);
    for contact in (0..TREES).map(|k| k % 6) {
        let tree = Tree { mu: 0.8, ..tree(numbers) };
        let (mut q, _) = tree_state(&tree, numbers);
        let mut gaps = [0.0; 6];
        tree.gap_into(&q, &mut gaps);
        let height = q[1] + (MARGIN - gaps[contact]);
        for units in -2..=2 {
            q[1] = height + f64::from(units) * f64::EPSILON * height;
            for formulation in formulations() {
                let Some(residual) = audit(&tree, &q, formulation) else { continue };
                assert!(residual <= SOLVED, "{residual:e} of {tree:?} at {q:?}, {formulation:?}");
                steps += 1;
            }
        }
    }
    assert!(steps > 10 * TREES, "{steps}");
}
