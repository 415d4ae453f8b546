//! A slice that is too short for what is to be written is a panic with both lengths, and nothing that is left as it was.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use jourdain::kkt;
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3};

/// An arm on a cart that may touch the ground twice, with a loop, a limit and a frame.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(cart, mass = 2),
    joint(rail, prismatic(world -> cart), axis = [1, 0, 0]),
    link(arm, mass = 1, com = [0, 0, -0.5], inertia = [0.1, 0.1, 0.01]),
    joint(shoulder, revolute(cart -> arm), axis = [0, 1, 0]),
    link(hand, mass = 0.5, com = [0, 0, -0.2], inertia = [0.1, 0.1, 0.01]),
    joint(elbow, revolute(arm -> hand), at = [0, 0, -1], axis = [0, 1, 0]),
    contact(tip, on = hand, at = [0, 0, -0.4], friction = 0.5),
    contact(heel, on = arm, at = [0, 0, -1], friction = 0.5),
    closure(bar, a = hand @ [0, 0, -0.4], b = cart, axes = [x]),
    frame(tool, on = hand, at = [0, 0, -0.4]),
)]
struct Crane;

/// What a call panics with.
fn panic_of(call: impl FnOnce()) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(call)).err()?;
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
}

/// Of a slice of each length up to three more than it takes.
fn check(name: &str, needed: usize, write: impl Fn(&mut [f64])) {
    for length in 0..needed {
        let mut out = vec![7.0; length];
        let message = panic_of(|| write(&mut out)).unwrap_or_else(|| panic!("{name} {length}"));
        let expected = format!("{name}: `out` has {length} numbers, needed are {needed}");
        assert_eq!(message, expected);
    }
    let mut exact = vec![f64::NAN; needed];
    write(&mut exact);
    assert!(exact.iter().all(|x| x.is_finite()), "{name}: {exact:?}");
    let mut longer = vec![7.0; needed + 3];
    write(&mut longer);
    assert_eq!(longer[..needed], exact, "{name}");
    assert_eq!(longer[needed..], [7.0; 3], "{name}");
}

#[test]
fn every_slice_of_a_model() {
    let (q, v) = (SVector::from([0.1, 0.4, -0.7]), SVector::from([1.0, -2.0, 0.5]));
    let robot = Crane;
    let columns = Crane::COLUMNS.len();
    check("gap_into", 2, |out| robot.gap_into(&q, out));
    check("contact_jacobian_into", 18, |out| robot.contact_jacobian_into(&q, out));
    check("contact_bias_into", 6, |out| robot.contact_bias_into(&q, &v, out));
    check("contact_points_into", 6, |out| robot.contact_points_into(&q, out));
    check("contact_frames_into", 0, |out| robot.contact_frames_into(&q, out));
    check("limit_into", 0, |out| robot.limit_into(&q, out));
    check("joint_columns_into", 6 * columns, |out| robot.joint_columns_into(&q, out));
    check("constraint_into", 1, |out| robot.constraint_into(&q, 0.0, out));
    check("constraint_rate_into", 1, |out| robot.constraint_rate_into(&q, &v, 0.0, out));
    check("constraint_jacobian_into", 3, |out| robot.constraint_jacobian_into(&q, &v, 0.0, out));
    check("constraint_bias_into", 1, |out| robot.constraint_bias_into(&q, &v, 0.0, out));
    check("constraint_points_into", 6, |out| robot.constraint_points_into(&q, out));
    let prepared = robot.prepare();
    check("gap_into", 2, |out| prepared.gap_into(&q, out));
    let tool = Crane::TOOL;
    for reference in
        [ReferenceFrame::World, ReferenceFrame::Local, ReferenceFrame::LocalWorldAligned]
    {
        check("frame_jacobian_into", 18, |out| {
            Model::frame_jacobian_into(&robot, tool, reference, &q, out);
        });
    }
}

#[test]
fn rows_of_points() {
    let q = SVector::from([0.1, 0.4, -0.7]);
    let mut columns = vec![0.0; 6 * Crane::COLUMNS.len()];
    Crane.joint_columns_into(&q, &mut columns);
    let (x, up) = (Vector3::x(), Vector3::z());
    let add = |columns: &[f64], link, row: &mut [f64]| {
        panic_of(|| Crane::add_point_row(columns, link, &x, &up, row))
    };
    assert_eq!(add(&columns, 1, &mut [0.0; 3]), None);
    let says = |message: Option<String>, part: &str| {
        assert!(message.as_ref().is_some_and(|text| text.contains(part)), "{message:?}");
    };
    says(add(&columns, 1, &mut [0.0; 2]), "`row` has 2 numbers, needed are 3");
    says(add(&columns[1..], 1, &mut [0.0; 3]), "`columns` has");
    says(add(&columns, 9, &mut [0.0; 3]), "`link` is 9, of 3");
}

#[test]
fn projections() {
    let unit = [1.0, 0.0, 0.0, 1.0];
    let mut two = [0.0; 2];
    assert_eq!(panic_of(|| kkt::projected_force(&unit, &[1.0, 2.0], &mut two)), None);
    assert_eq!(two, [1.0, 2.0]);
    for (message, part) in [
        (
            panic_of(|| kkt::projected_force(&unit[1..], &[1.0; 2], &mut [0.0; 2])),
            "has 3 numbers, expected 4",
        ),
        (
            panic_of(|| kkt::projected_force(&unit, &[1.0; 2], &mut [0.0; 3])),
            "has 3 numbers, expected 2",
        ),
        (
            panic_of(|| kkt::constraint_force(&[1.0; 3], &unit, &[1.0; 2], &mut [0.0; 2])),
            "has 3 numbers, expected 4",
        ),
        (
            panic_of(|| kkt::constraint_force(&unit, &[1.0], &[1.0; 2], &mut [0.0; 2])),
            "has 1 numbers, expected 4",
        ),
        (panic_of(|| _ = kkt::impact_loss(&unit, &[1.0])), "has 4 numbers, expected 1"),
    ] {
        assert!(message.as_ref().is_some_and(|text| text.contains(part)), "{message:?}");
    }
}

/// The impulse of a contact that there is not.
#[test]
fn impulses_of_no_contact() {
    let impulse = jourdain::contact::Impulse::zeros::<Crane>();
    assert_eq!(impulse.local(1), Vector3::zeros());
    assert_eq!(panic_of(|| _ = impulse.local(2)).unwrap(), "local: `contact` is 2, of 2");
}
