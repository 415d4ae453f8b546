//! What a robot under constraints refuses, and what it leaves as it was.

use jourdain::constrained::{Actuation, Assembly, Constrained, Error, Hold};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

/// A point on two rods that are too short for each other, one of which can be released.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(point, mass = 1),
    joint(z, prismatic(slide -> point), axis = [0, 0, 1]),
    rod(near, a = world, b = point, length = 1),
    rod(far, a = world @ [3, 0, 0], b = point, length = 1),
    contact(tip, on = point, friction = 1),
)]
struct Overstretched;

#[test]
fn constraints_that_fight_are_named() {
    let mut robot = Constrained::new(Overstretched);
    let weights = Assembly::Weights(&[1.0, 1.0]);
    let guess = vector![1.4, 0.3];
    match robot.assemble(&guess, weights, 0.0) {
        Err(Error::NotAssemblable { residual, constraints }) => {
            // Between both: (1.5² − 1) / 2 is left of each, where its row is 1.5 long.
            assert!((residual - 0.625 / 1.5).abs() < 1e-2, "{residual}");
            assert_eq!(constraints.len(), 2);
        }
        other => panic!("{other:?}"),
    }
    robot.set_active("far", false).unwrap();
    let found = robot.assemble(&guess, weights, 0.0).unwrap();
    assert!((found.value.norm() - 1.0).abs() < 1e-12, "{found:?}");
}

#[test]
fn velocities_that_contradict_one_another_are_singular() {
    // Both rods along x: at the dead centre, which (1, 0) is for a rod that ends at (3, 0) by 1 m short.
    let mut robot = Constrained::new(Overstretched);
    let q = vector![1.0, 0.0];
    let still = robot.assemble_velocity(&q, &vector![0.0, 2.0], Assembly::Mass, 0.0).unwrap();
    assert_eq!(still.rank, 1);
    assert!((still.value - vector![0.0, 2.0]).norm() < 1e-12);
}

#[test]
fn names_weights_and_numbers_are_checked() {
    let mut robot = Constrained::new(Overstretched);
    let (q, v) = (vector![1.0, 0.0], SVector::<f64, 2>::zeros());
    let unknown = robot.set_active("fur", true);
    assert!(matches!(unknown, Err(Error::NotDeclared { kind: "constraint", .. })));
    assert!(matches!(robot.hold_contact("top", None), Err(Error::NotDeclared { .. })));
    let nowhere = robot.hold_contact("tip", Some(Hold::Along(Vector3::zeros())));
    assert!(matches!(nowhere, Err(Error::Direction { contact: "tip", .. })));
    let negative = robot.assemble(&q, Assembly::Weights(&[1.0, -1.0]), 0.0);
    assert!(matches!(negative, Err(Error::Weight { index: 1, .. })));
    let few = robot.assemble(&q, Assembly::Weights(&[1.0]), 0.0);
    assert!(matches!(few, Err(Error::Length { length: 1, expected: 2, .. })));
    let bad = robot.forward_dynamics(&vector![f64::NAN, 0.0], &v, &v, 0.0);
    assert!(matches!(bad, Err(Error::Model(ModelError::NotFinite { quantity: "q", .. }))));
    let late = robot.forward_dynamics(&q, &v, &v, f64::INFINITY);
    assert!(matches!(late, Err(Error::Model(ModelError::NotFinite { quantity: "t", .. }))));
    let short = Actuation { driven: vec![true], ..Actuation::full::<Overstretched>() };
    assert!(matches!(robot.inverse_dynamics(&q, &v, &v, 0.0, &short), Err(Error::Length { .. })));
    assert!(robot.multipliers().is_empty() && robot.report().is_none());
}
