//! What files in use are like, beyond XML and URDF to the letter.

use super::values;
use crate::description::{Description, Parent, Rotation};
use crate::diagnostic::Errors;
use crate::parse::{Base, UrdfOptions, urdf};
use crate::validate::validate;

const HEAD: &str = r#"<robot name="t"><link name="base"/>
<link name="arm"><inertial><origin xyz="0 0 1"/><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>"#;

const HINGE: &str = r#"<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/>
<origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="5"/></joint>"#;

fn arm() -> String {
    format!("{HEAD}{HINGE}</robot>")
}

fn raw(text: &str) -> (Description, Vec<String>) {
    let mut errors = Errors::default();
    let parsed = urdf(text, "r.urdf", &UrdfOptions::default(), &mut errors);
    validate(&parsed, &mut errors);
    (parsed.description, errors.messages())
}

fn sound(text: &str) -> Description {
    let (description, messages) = raw(text);
    assert!(messages.is_empty(), "{text}\n{messages:?}");
    description
}

#[test]
fn orientations_are_quaternions_from_version_1_1_on() {
    let quat = "quat_xyzw=\"0 0.6 0 0.8\"";
    let with = |version: &str, origin: &str| {
        let head = HEAD.replace("name=\"t\"", &format!("name=\"t\" version=\"{version}\""));
        format!("{head}{HINGE}</robot>")
            .replace("xyz=\"0 0 1\"/", &format!("xyz=\"0 0 1\" {origin}/"))
    };
    for version in ["1.1", "1.2"] {
        let robot = sound(&with(version, quat));
        for rotation in [&robot.joints[1].origin.rotation, &robot.links[1].inertial.axes] {
            let Rotation::Quaternion(parts) = rotation else { panic!("{rotation:?}") };
            assert_eq!(values(parts), [0.0, 0.6, 0.0, 0.8]);
        }
    }
    let (_, messages) = raw(&with("1.1", &format!("{quat} rpy=\"0 0 0\"")));
    assert!(messages.iter().all(|m| m.contains("both")) && messages.len() == 2, "{messages:?}");
    let (_, messages) = raw(&with("1.1", "quat_xyzw=\"0 0 0 0\""));
    assert_eq!(messages.len(), 2, "{messages:?}");
    for old in [with("1.0", quat), with("1.0", quat).replace(" version=\"1.0\"", "")] {
        assert!(matches!(sound(&old).joints[1].origin.rotation, Rotation::Identity));
    }
}

#[test]
fn what_both_common_parsers_accept() {
    let arm = arm();
    let within = |text: &str| arm.replace("</robot>", &format!("{text}</robot>"));
    for text in [
        format!("\n \t\n<?xml version=\"1.0\"?>\n{arm}"),
        format!("{arm}\n\0"),
        within("<gazebo><a:b c:d=\"e\"/><sensor:x>f</sensor:x></gazebo>"),
        within("<!-- a & b < c -- d --->"),
        format!(
            "<!-- before --><?xml version='1.0'?><!DOCTYPE robot>\r\n{}",
            arm.replace('\n', "\r\n")
        ),
        format!("\u{feff} \n<?xml version='1.0'?>{arm}"),
        arm.replace("\" ", "\""),
        arm.replace("<robot ", "<robot xmlns=\"a:b\" xmlns:c='d' "),
        within("<gazebo>1 & 2 ]]> &unknown; <![CDATA[ <a> & ]]></gazebo>"),
        arm.replace("name=\"t\"", "name=\"a & b\" xsi:schemaLocation=\"a b\""),
        arm.replace("name=\"t\"", "name=\"a < b\""),
    ] {
        let robot = sound(&text);
        assert_eq!(robot.joints.len(), 2, "{text}");
    }
    let robot = sound(&arm.replace("name=\"t\"", "name=\"a & b < c\""));
    assert_eq!(robot.name, "a & b < c");
}

#[test]
fn numbers_are_as_c_reads_them() {
    let with = |lower: &str, upper: &str| {
        arm().replace("lower=\"-2\" upper=\"2\"", &format!("lower=\"{lower}\" upper=\"{upper}\""))
    };
    for (lower, upper, expected) in [
        ("-.5", "+1", [-0.5, 1.0]),
        ("1e-3", "2.", [1e-3, 2.0]),
        ("-inf", "INF", [f64::NEG_INFINITY, f64::INFINITY]),
        (" -1 ", "infinity", [-1.0, f64::INFINITY]),
    ] {
        let robot = sound(&with(lower, upper));
        let limits = robot.joints[1].coordinates[0].limits.as_ref();
        assert_eq!(limits.map(values), Some(expected), "{lower} {upper}");
    }
    for bad in ["0,5", "1,2,3", "nan", "1 2", "", "0x"] {
        let (_, messages) = raw(&with("-1", bad));
        assert!(messages.len() == 1 && messages[0].contains("expected a number"), "{messages:?}");
        assert_eq!(bad.contains(','), messages[0].contains("decimal point"), "{messages:?}");
    }
    let robot =
        sound(&arm().replace("effort=\"10\" velocity=\"5\"", "effort=\"inf\" velocity=\"Inf\""));
    let coordinate = &robot.joints[1].coordinates[0];
    assert!(coordinate.effort_limit.is_none() && coordinate.velocity_limit.is_none());
    for (what, with) in [("value=\"2\"", "value=\"inf\""), ("ixx=\"1\"", "ixx=\"inf\"")] {
        assert_eq!(raw(&arm().replace(what, with)).1.len(), 1, "{with}");
    }
}

#[test]
fn the_world_need_not_be_a_link() {
    let text =
        arm().replace("<link name=\"base\"/>", "").replace("link=\"base\"", "link=\"world\"");
    let robot = sound(&text);
    assert_eq!((robot.links.len(), robot.joints.len()), (1, 1));
    assert_eq!(robot.joints[0].parent, Parent::World);
    let loops = "<constraint name=\"c\" type=\"spherical\"><parent link=\"world\"/><child link=\"arm\"/>\
        <parent_origin quat_xyzw=\"0 0 0 1\"/></constraint></robot>";
    let closed =
        text.replace("</robot>", loops).replace("name=\"t\"", "name=\"t\" version=\"1.1\"");
    let [a, b] = sound(&closed).constraints[0].law.places().unwrap().clone();
    assert_eq!((a.parent, b.parent), (Parent::World, Parent::Link(0)));
    let mut errors = Errors::default();
    let floating = UrdfOptions { base: Base::Floating, ..UrdfOptions::default() };
    urdf(&text, "r.urdf", &floating, &mut errors);
    let messages = errors.messages();
    assert!(messages.len() == 1 && messages[0].contains("`hinge` ties the robot"), "{messages:?}");
}

#[test]
fn columns_are_those_of_the_file() {
    let joint = "\n<!-- ä & --><joint a:b=\"&\"name=\"j\" type=\"fixed\"><parent link=\"base\"/><child link=\"c\"/></joint></robot>";
    let text = arm().replace("</robot>", joint);
    let line = text.lines().last().unwrap();
    let column = line.chars().count() - "c\"/></joint></robot>".len() + 1;
    let (_, messages) = raw(&text);
    assert_eq!(messages, [format!("r.urdf:5:{column}: there is no link `c`")]);
}

/// Whatever stands where a number is expected, nothing of it is read as another one.
#[test]
fn what_is_no_number() {
    for bad in ["1f", "1d0", "--1", "0x10", "1.2.3", "1_000", "1e", "NaN", "1;2", "٣", "1\u{a0}"] {
        let (_, messages) = raw(&arm().replace("value=\"2\"", &format!("value=\"{bad}\"")));
        assert!(
            messages.len() == 1 && messages[0].contains("expected a number"),
            "{bad} {messages:?}"
        );
    }
    for huge in ["1e400", "inf"] {
        assert_eq!(raw(&arm().replace("value=\"2\"", &format!("value=\"{huge}\""))).1.len(), 1);
    }
}
