//! The `<constraint>` of a file leaves the motion free that its type names.

use super::{Numbers, close, with};
use crate::description::Description;
use crate::diagnostic::Errors;
use crate::parse::{UrdfOptions, urdf};
use crate::validate::validate;

const PARENT: &str = "<parent_origin xyz=\"0.3 -0.2 1\" rpy=\"0.4 -0.7 1.1\"/>";

/// A body that floats, tied to the base by a constraint.
fn tied(kind: &str, axes: &str) -> Description {
    let body = "<inertial><mass value=\"1\"/>\
                <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
    let text = format!(
        "<robot name=\"tied\"><link name=\"base\"/><link name=\"body\">{body}</link>
         <joint name=\"free\" type=\"floating\"><parent link=\"base\"/><child link=\"body\"/></joint>
         <constraint name=\"c\" type=\"{kind}\"><parent link=\"base\"/>{PARENT}
         <child link=\"body\"/>{axes}</constraint></robot>"
    );
    let mut errors = Errors::default();
    let parsed = urdf(&text, "tied.urdf", &UrdfOptions::default(), &mut errors);
    validate(&parsed, &mut errors);
    assert!(errors.is_empty(), "{:?}", errors.messages());
    parsed.description
}

/// The body at the parent's frame, moved along and turned about a direction in that frame.
fn moved(along: f64, about: f64, direction: [f64; 3]) -> Numbers {
    let frame = quaternion([0.4, -0.7, 1.1]);
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit = direction.map(|x| x / length);
    let (sine, cosine) = (0.5 * about).sin_cos();
    let turn = [unit[0] * sine, unit[1] * sine, unit[2] * sine, cosine];
    let slide = rotate(frame, unit.map(|x| along * x));
    let position = [0.3 + slide[0], -0.2 + slide[1], 1.0 + slide[2]];
    let q = [position.to_vec(), product(frame, turn).to_vec()].concat();
    Numbers { q, v: vec![0.0; 6], a: vec![0.0; 6] }
}

fn quaternion([roll, pitch, yaw]: [f64; 3]) -> [f64; 4] {
    let about = |k: usize, angle: f64| {
        let mut q = [0.0, 0.0, 0.0, (0.5 * angle).cos()];
        q[k] = (0.5 * angle).sin();
        q
    };
    product(about(2, yaw), product(about(1, pitch), about(0, roll)))
}

fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn rotate(q: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let inverse = [-q[0], -q[1], -q[2], q[3]];
    let [x, y, z, _] = product(product(q, [x, y, z, 0.0]), inverse);
    [x, y, z]
}

#[test]
fn what_was_cut_moves_as_it_did() {
    const AXIS: [f64; 3] = [0.6, 0.0, -2.0];
    const ACROSS: [f64; 3] = [4.0, 7.0, 1.2];
    let axis = "<parent_axis xyz=\"0.6 0 -2\"/>";
    let cross = "<parent_axis xyz=\"0.6 0 -2\"/><child_axis xyz=\"4 7 1.2\"/>";
    for (kind, axes, freedoms, free) in [
        ("revolute", axis, 1, vec![moved(0.0, 2.5, AXIS)]),
        ("prismatic", axis, 1, vec![moved(3.0, 0.0, AXIS)]),
        ("universal", cross, 2, vec![moved(0.0, 1.5, AXIS), moved(0.0, -0.8, ACROSS)]),
        ("spherical", "", 3, vec![moved(0.0, 1.5, AXIS), moved(0.0, 3.0, ACROSS)]),
        ("link", "", 0, vec![moved(0.0, 0.0, AXIS)]),
    ] {
        with(&tied(kind, axes), |m| {
            let rows = m.constraints();
            assert_eq!(m.mobility(&rows, &[]).map(|m| m.freedoms), Some(freedoms), "{kind}");
            for numbers in free {
                let errors = numbers.of(&rows.errors(), m.graph);
                close(kind, &errors, &vec![0.0; errors.len()], 1e-12);
            }
            let away = moved(0.1, 0.1, [1.0, 2.0, 3.0]).of(&rows.errors(), m.graph);
            assert!(away.iter().any(|x| x.abs() > 1e-3), "{kind} holds something");
        });
    }
}
