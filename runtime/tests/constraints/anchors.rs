//! What is held returns to its anchor.

use jourdain::constrained::{Anchor, Assembly, Constrained, Error, Hold};
use jourdain::frame::Pose;
use jourdain::prelude::*;
use nalgebra::{Matrix3, Rotation3, SVector, UnitQuaternion, Vector3, vector};

/// A body with an arm, a foot and a ball.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 2, com = [0.1, -0.05, 0.02], inertia = [0.1, 0.2, 0.15, 0.01, 0, -0.02]),
    joint(free, floating(world -> body)),
    link(arm, mass = 0.5, com = [0.2, 0, 0], inertia = [0.01, 0.02, 0.02]),
    joint(elbow, revolute(body -> arm), at = [0.2, 0, 0.1], axis = [0, 1, 0.3]),
    frame(hand, on = arm, at = [0.4, 0.1, 0], rpy = [0.3, 0.2, -0.5]),
    contact(foot, on = body, at = [0, 0.1, -0.5]),
    contact(ball, on = body, at = [0, -0.1, -0.5], sphere = 0.1),
)]
struct Toy;

type Q = SVector<f64, 8>;
type V = SVector<f64, 7>;

const ALPHA: f64 = 8.0;
const STEP: f64 = 1e-4;

fn start() -> Q {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.3, 0.8));
    let mut q = vector![0.3, -0.2, 0.6, 0.0, 0.0, 0.0, 0.0, 0.5];
    q.fixed_rows_mut::<4>(3).copy_from(&turn.coords);
    q
}

/// Where a contact touches.
fn touching(q: &Q, contact: usize) -> Vector3<f64> {
    let mut points = [0.0; 6];
    Toy.contact_points_into(q, &mut points);
    Vector3::from_column_slice(&points[3 * contact..3 * contact + 3])
}

/// The motion from rest for a time, by Heun's method.
fn moved(held: &mut Constrained<Toy>, mut q: Q, time: f64) -> Result<Q, Error> {
    let mut v = V::zeros();
    for _ in 0..(time / STEP).round() as usize {
        let tau = V::zeros();
        let first = held.forward_dynamics(&q, &v, &tau, 0.0)?;
        let (there, then) = (Toy.integrate(&q, &(v * STEP)), v + first * STEP);
        let second = held.forward_dynamics(&there, &then, &tau, 0.0)?;
        q = Toy.integrate(&q, &((v + then) * (0.5 * STEP)));
        v += (first + second) * (0.5 * STEP);
    }
    Ok(q)
}

/// h of ḧ = −2α ḣ − α² h from 1 and rest.
fn decayed(time: f64) -> f64 {
    (1.0 + ALPHA * time) * (-ALPHA * time).exp()
}

#[test]
fn a_frame_returns_to_its_anchor_as_a_damped_oscillator() {
    let (q, time) = (start(), 0.3);
    let here = Toy.frame_pose(Toy::HAND, &q);
    let (away, turn) = (Vector3::new(0.05, -0.02, 0.03), Vector3::new(0.6, 0.9, -0.4));
    let back = Rotation3::from_scaled_axis(-turn).into_inner();
    let place = Pose { position: here.position - away, rotation: back * here.rotation };
    let mut held = Constrained::new(Toy);
    held.hold_frame(Toy::HAND, true);
    held.anchor_frame(Toy::HAND, Some(Anchor { place, stabilization: ALPHA })).unwrap();
    let end = moved(&mut held, q, time).unwrap();
    let there = Toy.frame_pose(Toy::HAND, &end);
    let left = there.position - place.position;
    assert!((left - away * decayed(time)).amax() < 1e-6, "{left}");
    let left = Rotation3::from_matrix(&(there.rotation * place.rotation.transpose())).scaled_axis();
    assert!((left - turn * decayed(time)).amax() < 1e-6, "{left}");
}

#[test]
fn a_foot_returns_and_without_an_anchor_does_not() {
    let (q, time) = (start(), 0.4);
    let point = |q: &Q| touching(q, 0);
    let away = Vector3::new(0.01, -0.02, 0.03);
    let place = point(&q) - away;
    for (hold, factors) in [
        (Hold::Point, [1.0, 1.0, 1.0]),
        (Hold::Normal, [0.0, 0.0, 1.0]),
        (Hold::Along(Vector3::new(0.0, 2.0, 0.0)), [0.0, 1.0, 0.0]),
    ] {
        let mut held = Constrained::new(Toy);
        held.hold_contact("foot", Some(hold)).unwrap();
        let end = moved(&mut held, q, time).unwrap();
        let drifted = (point(&end) - place - away).component_mul(&Vector3::from(factors));
        assert!(drifted.amax() < 1e-6, "what is held stays where it is: {drifted}");
        held.anchor_contact("foot", Some(Anchor { place, stabilization: ALPHA })).unwrap();
        let end = moved(&mut held, q, time).unwrap();
        let left = point(&end) - place - away * decayed(time);
        assert!(left.component_mul(&Vector3::from(factors)).amax() < 1e-6, "{hold:?} {left}");
    }
}

/// A sphere that rolls is not pulled back, but keeps to the height of its anchor.
#[test]
fn a_sphere_rolls_on() {
    let q = start();
    let point = |q: &Q| touching(q, 1);
    let mut held = Constrained::new(Toy);
    held.hold_contact("ball", Some(Hold::Point)).unwrap();
    let place = point(&q) - Vector3::new(0.0, 0.0, 0.02);
    held.anchor_contact("ball", Some(Anchor { place, stabilization: ALPHA })).unwrap();
    let end = moved(&mut held, q, 0.5).unwrap();
    let height = point(&end).z - place.z;
    assert!((height - 0.02 * decayed(0.5)).abs() < 1e-6, "{height}");
    let rolled = (point(&end) - point(&q)).xy().norm();
    assert!(rolled > 0.01, "{rolled}");
}

/// Whether its direction is called the normal, or is that.
#[test]
fn a_sphere_along_its_normal_returns_to_its_height() {
    let q = start();
    let place = touching(&q, 1) - Vector3::new(0.0, 0.0, 0.02);
    let up = Vector3::z();
    for hold in [Hold::Normal, Hold::Along(up), Hold::Along(-3.0 * up)] {
        let mut held = Constrained::new(Toy);
        held.hold_contact("ball", Some(hold)).unwrap();
        held.anchor_contact("ball", Some(Anchor { place, stabilization: ALPHA })).unwrap();
        let end = moved(&mut held, q, 0.5).unwrap();
        let height = touching(&end, 1).z - place.z;
        assert!((height - 0.02 * decayed(0.5)).abs() < 1e-6, "{hold:?}: {height}");
    }
}

#[test]
fn an_assembly_comes_to_the_anchors() {
    let q = start();
    let mut place = Toy.frame_pose(Toy::HAND, &q);
    place.position += Vector3::new(0.4, 0.3, -0.6);
    place.rotation = Rotation3::from_scaled_axis(Vector3::new(2.0, -1.0, 1.5)).into_inner();
    let foot = Vector3::new(1.0, 0.2, 0.0);
    let mut held = Constrained::new(Toy);
    held.hold_frame(Toy::HAND, true);
    held.anchor_frame(Toy::HAND, Some(Anchor { place, stabilization: 0.0 })).unwrap();
    held.hold_contact("foot", Some(Hold::Normal)).unwrap();
    held.anchor_contact("foot", Some(Anchor { place: foot, stabilization: 0.0 })).unwrap();
    let found = held.assemble(&q, Assembly::Weights(&[1.0; 7]), 0.0).unwrap().value;
    let there = Toy.frame_pose(Toy::HAND, &found);
    assert!((there.position - place.position).amax() < 1e-11);
    assert!((there.rotation - place.rotation).amax() < 1e-11);
    assert!(touching(&found, 0).z.abs() < 1e-11);
}

#[test]
fn only_what_is_held_has_an_anchor() {
    let mut held = Constrained::new(Toy);
    let anchor = |stabilization| Some(Anchor { place: Vector3::zeros(), stabilization });
    let free = held.anchor_contact("foot", anchor(1.0));
    assert_eq!(free, Err(Error::NotHeld { name: "foot" }));
    held.hold_contact("foot", Some(Hold::Point)).unwrap();
    assert!(matches!(
        held.anchor_contact("foot", anchor(-1.0)),
        Err(Error::Stabilization { name: "foot", value: -1.0 })
    ));
    assert_eq!(held.anchor_contact("foot", anchor(1.0)), Ok(()));
    let nowhere = Pose { position: Vector3::repeat(f64::NAN), rotation: Matrix3::identity() };
    held.hold_frame(Toy::HAND, true);
    let refused = held.anchor_frame(Toy::HAND, Some(Anchor { place: nowhere, stabilization: 1.0 }));
    assert!(matches!(refused, Err(Error::Model(_))), "{refused:?}");
}

#[test]
fn an_anchor_is_turned_by_a_rotation() {
    let mut held = Constrained::new(Toy);
    held.hold_frame(Toy::HAND, true);
    let turn = Rotation3::from_scaled_axis(Vector3::new(0.4, -0.3, 0.8)).into_inner();
    let mut anchor = |rotation: Matrix3<f64>| {
        let place = Pose { position: Vector3::zeros(), rotation };
        held.anchor_frame(Toy::HAND, Some(Anchor { place, stabilization: 1.0 }))
    };
    assert_eq!(anchor(turn), Ok(()));
    assert_eq!(
        anchor(turn + Matrix3::repeat(1e-8)),
        Ok(()),
        "rounding of what was read from a file"
    );
    let sheared = turn * Matrix3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    for wrong in [2.0 * turn, -turn, Matrix3::zeros(), sheared, turn * 1e200] {
        let refused = anchor(wrong).unwrap_err();
        let Error::Rotation { frame: "hand", rotation, .. } = refused else { panic!("{refused}") };
        assert_eq!(rotation[0][1], wrong[(0, 1)]);
    }
    let text = anchor(-turn).unwrap_err().to_string();
    assert!(text.contains("the anchor of frame `hand`") && text.contains("det R = 1"), "{text}");
    let refused = anchor(turn.map(|x| x + f64::NAN));
    assert!(matches!(refused, Err(Error::Model(_))), "{refused:?}");
}
