//! What a robot under constraints refuses, and what it leaves as it was.

use jourdain::constrained::{Actuation, Assembly, Constrained, Error, Hold};
use jourdain::kkt;
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

/// Two slides under rows that are no numbers everywhere, and that no velocity satisfies.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(one, mass = 1),
    joint(x, prismatic(world -> one), axis = [1, 0, 0]),
    link(two, mass = 1),
    joint(y, prismatic(world -> two), axis = [0, 1, 0]),
    constraint(root, h = sqrt(x) - 1),
    constraint(never, h_v = rate(y) * rate(y) + 1),
)]
struct Rooted;

#[test]
fn a_search_goes_on_from_where_rows_are_numbers() {
    let mut robot = Constrained::new(Rooted);
    for x in [0.0, -0.01, -0.1] {
        let found = robot.assemble(&vector![x, 0.4], Assembly::Mass, 0.0).unwrap();
        assert!((found.value - vector![1.0, 0.4]).amax() < 1e-11, "{x}: {found:?}");
    }
    let nowhere = robot.assemble(&vector![-1e3, 0.4], Assembly::Mass, 0.0);
    assert!(matches!(nowhere, Err(Error::Unsolved(kkt::Error::NotFinite { .. }))), "{nowhere:?}");
}

#[test]
fn rows_of_velocities_that_no_velocity_satisfies_are_not_called_singular() {
    let found = Constrained::new(Rooted).assemble_velocity(
        &vector![1.0, 0.0],
        &vector![0.0, 0.7],
        Assembly::Mass,
        0.0,
    );
    assert!(
        matches!(found, Err(Error::Unsolved(kkt::Error::NotConverged { iterations: 100, .. }))),
        "{found:?}"
    );
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

/// A linkage in free fall that nothing drives has multipliers of its own.
#[test]
fn multipliers_that_no_motion_has_are_refused() {
    let mut robot = Constrained::new(Overstretched);
    robot.set_active("far", false).unwrap();
    let still = SVector::<f64, 2>::zeros();
    let weights = Assembly::Weights(&[1.0, 1.0]);
    let q = robot.assemble(&vector![0.3, 0.2], weights, 0.0).unwrap().value;
    let v_dot = robot.forward_dynamics(&q, &still, &still, 0.0).unwrap();
    let own = robot.multipliers().to_vec();
    let mut with = |multipliers: Vec<f64>| {
        let undriven = Actuation {
            driven: vec![false; 2],
            multipliers: Some(multipliers),
            ..Actuation::full::<Overstretched>()
        };
        robot.inverse_dynamics(&q, &still, &v_dot, 0.0, &undriven)
    };
    assert!(with(own.clone()).is_ok_and(|support| support.miss < 1e-9));
    for wrong in [1e6, -1.0, 1e-3] {
        let found = with(own.iter().map(|x| x + wrong).collect());
        assert!(matches!(found, Err(Error::Singular { .. })), "{wrong}: {found:?}");
    }
}

/// A slide of any size along an incline, as one of the least floating-point number is.
#[test]
fn a_direction_is_of_any_length_but_zero() {
    let mut robot = Constrained::new(Overstretched);
    for name in ["near", "far"] {
        robot.set_active(name, false).unwrap();
    }
    let (q, v) = (vector![0.3, 0.2], SVector::<f64, 2>::zeros());
    let along = |size: f64| Hold::Along(Vector3::new(3.0, 0.0, 4.0) * size);
    for size in [1e-320, 1e-160, 1e-8, 1.0, 1e200, 4e307] {
        robot.hold_contact("tip", Some(along(size))).unwrap();
        let v_dot = robot.forward_dynamics(&q, &v, &v, 0.0).unwrap();
        // What gravity is along (4, −3) / 5.
        let expected: SVector<f64, 2> = vector![0.8, -0.6] * (9.81 * 0.6);
        let tolerance = if size < 1e-300 { 1e-2 } else { 1e-12 };
        assert!((v_dot - expected).amax() < tolerance, "{size:e}: {v_dot}");
    }
    for size in [0.0, f64::NAN, f64::INFINITY] {
        let nowhere = robot.hold_contact("tip", Some(along(size)));
        assert!(matches!(nowhere, Err(Error::Direction { contact: "tip", .. })), "{size}");
    }
}
