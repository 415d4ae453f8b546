//! Every row is ∂Φ/∂s S, and its impulses have neither force nor moment together, also where Φ is not zero.

use std::sync::Arc;

use jourdain::maximal::{Body, Joint, Kind, Limit, Orientation, Row, Shape, Solid, World};
use nalgebra::{DMatrix, Vector3, Vector6};

use crate::numbers::Numbers;
use crate::{body, frame, resultant, vector};

const KINDS: [Kind; 9] = [
    Kind::Ball,
    Kind::Hinge,
    Kind::Slider,
    Kind::Helical { pitch: 0.3 },
    Kind::Cylindrical,
    Kind::Planar,
    Kind::Wheel { angle: 1.1 },
    Kind::Universal,
    Kind::Fixed,
];
const STEP: f64 = 1e-5;

/// A joint between two bodies that is misaligned, by little or by much.
fn joint(kind: Kind, amount: f64, numbers: &mut Numbers) -> (Joint, Vec<Body>) {
    let mut bodies = vec![body(numbers), body(numbers)];
    let here = frame(vector(numbers), vector(numbers).normalize());
    let joint = Joint::here(kind, [Some(0), Some(1)], &here, &bodies).unwrap();
    displace(&mut bodies[1], &(amount * Vector6::from_fn(|_, _| numbers.next())));
    (joint, bodies)
}

fn displace(body: &mut Body, by: &Vector6<f64>) {
    body.position += by.fixed_rows::<3>(0);
    body.rotation = Orientation::Finite.turned(&body.rotation, &by.fixed_rows::<3>(3).into());
}

/// The largest difference of Φ's derivatives by differences and the rows.
fn error(bodies: &[Body], rows: impl Fn(&[Body]) -> Vec<Row>) -> f64 {
    let exact = rows(bodies);
    let mut largest: f64 = 0.0;
    for (side, k) in (0..2).flat_map(|side| (0..6).map(move |k| (side, k))) {
        let [above, below] = [STEP, -STEP].map(|step| {
            let mut moved = bodies.to_vec();
            displace(&mut moved[side], &(step * Vector6::ith(k, 1.0)));
            rows(&moved)
        });
        for ((above, below), exact) in above.iter().zip(&below).zip(&exact) {
            let rate = (above.value - below.value) / (2.0 * STEP);
            largest = largest.max((rate - exact.jacobian[side][k]).abs());
        }
    }
    largest
}

fn rows(joint: &Joint, bodies: &[Body]) -> Vec<Row> {
    let mut rows = Vec::new();
    joint.rows_into(bodies, &mut rows);
    rows
}

#[test]
fn rows_of_joints_are_derivatives_without_a_resultant() {
    let numbers = &mut Numbers(1);
    for (kind, count) in KINDS.into_iter().zip([3, 5, 5, 5, 4, 3, 4, 4, 6]) {
        for amount in [0.0, 0.01, 0.3, 1.0] {
            let (joint, bodies) = joint(kind, amount, numbers);
            let error = error(&bodies, |bodies| rows(&joint, bodies));
            assert!(error < 1e-8, "{kind:?} misaligned by {amount}: {error:e}");
            let rows = rows(&joint, &bodies);
            assert_eq!(rows.len(), count, "{kind:?}");
            for row in rows {
                assert!(amount > 0.0 || row.value.abs() < 1e-14, "{kind:?}: {:e}", row.value);
                let sum = resultant(bodies.iter().zip(row.jacobian)).amax();
                assert!(sum < 1e-13, "{kind:?} misaligned by {amount}: resultant {sum:e}");
            }
        }
    }
}

#[test]
fn coordinates_are_those_of_their_rows() {
    let numbers = &mut Numbers(2);
    for (kind, count) in KINDS.into_iter().zip([0, 1, 1, 1, 2, 3, 2, 2, 0]) {
        for amount in [0.0, 0.3, 1.0] {
            let (joint, bodies) = joint(kind, amount, numbers);
            let coordinates = |bodies: &[Body]| {
                let mut rows = Vec::new();
                joint.coordinates_into(bodies, &mut rows);
                rows
            };
            let rows = coordinates(&bodies);
            assert_eq!(rows.len(), count, "{kind:?}");
            assert!(error(&bodies, coordinates) < 1e-8, "{kind:?}");
            for row in rows {
                assert!(amount > 0.0 || row.value.abs() < 1e-14, "{kind:?}: {:e}", row.value);
                let sum = resultant(bodies.iter().zip(row.jacobian)).amax();
                assert!(sum < 1e-13, "{kind:?}: resultant {sum:e}");
            }
        }
    }
}

/// Φ = 0 leaves as many motions as there are coordinates, and these are independent on them.
#[test]
fn coordinates_are_what_a_joint_leaves() {
    let numbers = &mut Numbers(6);
    for kind in KINDS {
        let (joint, bodies) = joint(kind, 0.0, numbers);
        let mut all = rows(&joint, &bodies);
        joint.coordinates_into(&bodies, &mut all);
        let count = if kind == Kind::Ball { 3 } else { 6 };
        assert_eq!(all.len(), count, "{kind:?}");
        let jacobian = DMatrix::from_fn(count, 6, |i, k| all[i].jacobian[1][k]);
        assert_eq!(jacobian.rank(1e-6), count, "{kind:?}");
    }
}

/// The motion that a joint leaves does not change its rows, and changes its coordinate at its rate.
#[test]
fn rows_are_independent_of_what_a_joint_leaves() {
    let numbers = &mut Numbers(3);
    for kind in [Kind::Hinge, Kind::Slider] {
        let (joint, bodies) = joint(kind, 0.0, numbers);
        let coordinate = joint.coordinate(&bodies).unwrap();
        for row in rows(&joint, &bodies) {
            // A turn of b about the hinge, or a slide of it, with a at rest.
            let moved = match kind {
                Kind::Hinge => {
                    let axis: Vector3<f64> = coordinate.jacobian[1].fixed_rows::<3>(3).into();
                    let anchor = bodies[0].pose().point(&joint.frames[0].position);
                    let arm = bodies[1].position - anchor;
                    let linear = axis.cross(&arm);
                    Vector6::new(linear.x, linear.y, linear.z, axis.x, axis.y, axis.z)
                }
                _ => {
                    let axis = coordinate.jacobian[1].fixed_rows::<3>(0);
                    Vector6::new(axis[0], axis[1], axis[2], 0.0, 0.0, 0.0)
                }
            };
            assert!(row.jacobian[1].dot(&moved).abs() < 1e-13, "{kind:?}");
            assert!((coordinate.jacobian[1].dot(&moved) - 1.0).abs() < 1e-13, "{kind:?}");
        }
    }
}

#[test]
fn limits_of_several_joints_are_derivatives_without_a_resultant() {
    let numbers = &mut Numbers(4);
    let (hinge, mut bodies) = joint(Kind::Hinge, 0.2, numbers);
    bodies.push(body(numbers));
    let here = frame(vector(numbers), vector(numbers).normalize());
    let slider = Joint::here(Kind::Slider, [Some(1), Some(2)], &here, &bodies).unwrap();
    let joints = [hinge, slider];
    // An ellipse with a coupling.
    let function = Arc::new(|x: &[f64], gradient: &mut [f64]| {
        gradient.copy_from_slice(&[-2.0 * x[0] + x[1], -6.0 * x[1] + x[0]]);
        1.0 - x[0] * x[0] - 3.0 * x[1] * x[1] + x[0] * x[1]
    });
    let region = Limit::Region { joints: vec![0, 1], function };
    let ranges = [0, 1].map(|joint| Limit::Range { joint, coordinate: 0, ends: [-0.5, 0.7] });
    for limit in [region].into_iter().chain(ranges) {
        for (which, gap) in limit.gaps(&joints, &bodies).into_iter().enumerate() {
            for (place, k) in (0..3).flat_map(|place| (0..6).map(move |k| (place, k))) {
                let [above, below] = [STEP, -STEP].map(|step| {
                    let mut moved = bodies.clone();
                    displace(&mut moved[place], &(step * Vector6::ith(k, 1.0)));
                    limit.gaps(&joints, &moved)[which].value
                });
                let own = gap.entries.iter().filter(|(body, _)| *body == place);
                let exact: f64 = own.map(|(_, part)| part[k]).sum();
                assert!(((above - below) / (2.0 * STEP) - exact).abs() < 1e-8, "{limit:?}");
            }
            let parts = gap.entries.iter().map(|(body, part)| (&bodies[*body], *part));
            assert!(resultant(parts).amax() < 1e-13, "{limit:?}");
        }
    }
}

#[test]
fn rows_of_contacts_are_derivatives_without_a_resultant() {
    let numbers = &mut Numbers(5);
    let shapes = [
        [Shape::Ball { radius: 0.3 }, Shape::Ball { radius: 0.2 }],
        [Shape::HalfSpace, Shape::Ball { radius: 0.2 }],
        [Shape::HalfSpace, Shape::Box { size: Vector3::new(0.3, 0.5, 0.7) }],
        [Shape::Box { size: Vector3::new(0.3, 0.5, 0.7) }, Shape::HalfSpace],
    ];
    for shapes in shapes {
        let mut world = World::new(Vector3::zeros());
        for (place, shape) in shapes.into_iter().enumerate() {
            world.add_body(body(numbers)).unwrap();
            let frame = frame(0.1 * vector(numbers), vector(numbers).normalize());
            let (body, friction, restitution) = (Some(place), 0.5, 0.0);
            world
                .add_solid(Solid { body, frame, shape, friction, restitution, only: None })
                .unwrap();
        }
        let bodies = world.bodies().to_vec();
        let contacts = world.contacts(10.0);
        assert!(!contacts.is_empty());
        for (which, contact) in contacts.iter().enumerate() {
            let order = contact.bodies.map(|body| body.unwrap());
            for (side, k) in (0..2).flat_map(|side| (0..6).map(move |k| (side, k))) {
                let [above, below] = [STEP, -STEP].map(|step| {
                    world.bodies_mut().clone_from_slice(&bodies);
                    displace(&mut world.bodies_mut()[order[side]], &(step * Vector6::ith(k, 1.0)));
                    world.contacts(10.0)[which].gap()
                });
                let rate = (above - below) / (2.0 * STEP);
                let exact = contact.rows[0].jacobian[side][k];
                assert!((rate - exact).abs() < 1e-8, "{shapes:?}: {rate} is not {exact}");
            }
            for row in contact.rows {
                let parts = order.into_iter().zip(row.jacobian);
                let sum = resultant(parts.map(|(body, part)| (&bodies[body], part))).amax();
                assert!(sum < 1e-13, "{shapes:?}: resultant {sum:e}");
            }
        }
    }
}
