//! What a robot says of its shapes, pairs and limits.

use jourdain::description::ShapeKind;
use jourdain::prelude::*;
use nalgebra::{Vector2, Vector3};

use crate::close;

/// Shapes of all kinds, of which some depend on fields.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(arm, mass = 1), joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(bob, mass = 1), joint(slide, prismatic(arm -> bob), axis = [0, 0, 1]),
    link(free, mass = 1, inertia = [1, 1, 1]), joint(base, floating(world -> free)),
    shape(bone, on = arm, at = [0, 0, -l], capsule = [r, 2 * l], friction = 0.5),
    shape(cap, on = bob, rpy = [0, 0, 1.5], box = [1, 2, l]),
    contact(tip, on = free, at = [0.1, 0, 0], friction = 0.5),
    pair(bone, tip, restitution = 0.2), pair(cap, tip),
)]
struct Shapes {
    l: f64,
    r: f64,
}

#[test]
fn shapes_say_where_and_how_large_they_are() {
    let robot = Shapes { l: 0.5, r: 0.1 };
    let kinds: Vec<_> =
        Shapes::SHAPES.iter().map(|shape| (shape.name, shape.link, shape.kind)).collect();
    assert_eq!(
        kinds,
        [("bone", 0, ShapeKind::Capsule), ("cap", 1, ShapeKind::Box), ("tip", 2, ShapeKind::Point)]
    );
    let shapes = robot.shape_parameters();
    assert_eq!(shapes[0].sizes, [0.1, 1.0]);
    assert_eq!(shapes[0].pose.position, Vector3::new(0.0, 0.0, -0.5));
    assert_eq!(shapes[1].sizes, [1.0, 2.0, 0.5]);
    assert!((shapes[1].pose.rotation[(1, 0)] - 1.5_f64.sin()).abs() < 1e-15);
    assert!(shapes[2].sizes.is_empty());
    let pairs: Vec<_> = Shapes::PAIRS.iter().map(|pair| (pair.name, pair.shapes)).collect();
    assert_eq!(pairs, [("bone_tip", [0, 2]), ("cap_tip", [1, 2])]);
    let numbers = robot.pair_parameters();
    assert_eq!([numbers[0].friction, numbers[0].restitution], [0.5, 0.2]);
    assert_eq!([numbers[1].friction, numbers[1].restitution], [0.0, 0.0]);
    assert_eq!(Shapes::COLUMNS, [0, 1, 2, 3, 4, 5, 6, 7]);
    let supports: [&[usize]; 3] = [&[0], &[0, 1], &[2, 3, 4, 5, 6, 7]];
    assert_eq!(Shapes::SUPPORTS, supports);
}

/// Rows of points by the joints' columns are those that are generated of contacts.
#[test]
fn points_move_as_the_columns_say() {
    let robot = Shapes { l: 0.5, r: 0.1 };
    let q = nalgebra::SVector::<f64, 9>::from_row_slice(&[
        0.3, 0.4, 0.1, -0.2, 0.5, 0.1, -0.5, 0.7, 0.5,
    ]);
    let mut columns = vec![0.0; 6 * Shapes::COLUMNS.len()];
    robot.joint_columns_into(&q, &mut columns);
    let mut point = [0.0; 3];
    robot.contact_points_into(&q, &mut point);
    let expected = robot.contact_jacobian(&q);
    let contact = robot.contact_parameters()[0];
    let axes = [contact.normal, contact.tangents[0], contact.tangents[1]];
    for (k, axis) in axes.into_iter().enumerate() {
        let mut row = [0.0; 8];
        Shapes::add_point_row(&columns, 2, &Vector3::from(point), &axis, &mut row);
        close("row", &row, expected.row(k).transpose().as_slice(), 1e-12);
    }
}

#[test]
#[should_panic(expected = "`link` is 7, of 3")]
fn a_link_that_there_is_not_has_no_row() {
    let columns = vec![0.0; 6 * Shapes::COLUMNS.len()];
    Shapes::add_point_row(&columns, 7, &Vector3::zeros(), &Vector3::x(), &mut [0.0; 8]);
}

/// A slider that may not reach the height at which it would meet the pendulum.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]), joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(bob, mass = 1), joint(slide, prismatic(world -> bob), axis = [0, 0, 1]),
    limit(apart, c = reach - cos(pivot) - slide * slide),
)]
struct Limited {
    reach: f64,
}

#[test]
fn limits_are_functions_of_the_configuration() -> Result<(), SimulationError> {
    let (robot, q, v) = (Limited { reach: 2.0 }, Vector2::new(0.3, 0.4), Vector2::new(-1.0, 0.5));
    assert_eq!(Limited::LIMITS[0].name, "apart");
    close("C", robot.limit(&q).as_slice(), &[2.0 - q.x.cos() - 0.16], 1e-15);
    close("∂C", robot.limit_jacobian(&q).as_slice(), &[q.x.sin(), -0.8], 1e-15);
    close("bias", robot.limit_bias(&q, &v).as_slice(), &[q.x.cos() - 0.5], 1e-15);
    assert!(Simulation::new(Limited { reach: f64::INFINITY }).is_err());
    Ok(())
}
