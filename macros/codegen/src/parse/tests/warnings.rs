//! What is no error in a file, and that its user should know.

use crate::description::Description;
use crate::diagnostic::Errors;
use crate::parse::{Followers, UrdfOptions, urdf};
use crate::validate::validate;

const HEAD: &str = r#"<robot name="t">
<link name="a"/>
<link name="b"><inertial><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="5"/></joint>"#;

fn arm() -> String {
    format!("{HEAD}\n</robot>")
}

fn read(text: &str, options: UrdfOptions) -> (Description, Vec<String>, Vec<String>) {
    let mut errors = Errors::default();
    let parsed = urdf(text, "r.urdf", &options, &mut errors);
    validate(&parsed, &mut errors);
    (parsed.description, errors.messages(), errors.warnings())
}

/// Each text has no error and exactly the warnings that start as given.
fn assert_warnings(text: &str, expected: &[&str]) -> Description {
    let (description, messages, found) = read(text, UrdfOptions::default());
    assert!(messages.is_empty(), "{text}\n{messages:#?}");
    let same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected));
    assert!(same, "{text}\nfound    {found:#?}\nexpected {expected:#?}");
    description
}

#[test]
fn what_is_known_is_no_warning() {
    let more = r#"<material name="m"><color rgba="0 0 0 1"/></material><gazebo reference="a"><x y="z"/></gazebo>
        <transmission name="t"><joint name="j"/></transmission><mujoco><compiler/></mujoco>
        <link name="c" type="t" other:x="y"><visual k="l"><m/></visual><collision name="n"/></link>
        <joint name="k" type="fixed"><parent link="b"/><child link="c"/><calibration rising="0"/>
        <safety_controller k_velocity="1"/></joint><other:link name="p"/>"#;
    let text = arm().replace("</robot>", &format!("{more}</robot>"));
    assert_warnings(
        &text.replace("velocity=\"5\"", "velocity=\"5\" jerk=\"1\" acceleration=\"2\""),
        &[],
    );
}

#[test]
fn what_is_not_read_has_a_place() {
    for (old, new, expected) in [
        (
            "lower=",
            "loewr=",
            "r.urdf:6:27: `<limit>` has no attribute `loewr` that is known; did you mean `lower`?",
        ),
        (
            "<axis xyz=\"0 1 0\"/>",
            "<axsi xyz=\"1 0 0\"/>",
            "r.urdf:6:1: `<joint>` has no `<axsi>` that is known; did you mean `axis`?",
        ),
        (
            "\n</robot>",
            "\n<loop_joint/></robot>",
            "r.urdf:7:1: `<robot>` has no `<loop_joint>` that is known",
        ),
        (
            "\n</robot>",
            "\n<drake:ball_constraint/></robot>",
            "r.urdf:7:1: `<robot>` has no `<drake:ball_constraint>`",
        ),
        (
            "</joint>",
            "<axis xyz=\"1 0 0\"/></joint>",
            "r.urdf:6:74: a second `<axis>` of one `<joint>` is not read",
        ),
        (
            "\n</robot>",
            "\n<xacro:x/><xacro:y/></robot>",
            "r.urdf:7:1: `<xacro:x>` is left over from xacro",
        ),
        (
            "name=\"t\"",
            "name=\"t\" version=\"2.0\"",
            "r.urdf:1:26: `2.0` is none of the versions 1.0, 1.1 and 1.2",
        ),
        ("name=\"j\"", "name=\"${x}j\"", "r.urdf:5:14: `${x}j` is left over from xacro"),
        ("name=\"j\"", "name=\"$(arg j)\"", "r.urdf:5:14: `$(arg j)` is left over from xacro"),
    ] {
        let text = arm().replacen(old, new, 1);
        assert_ne!(text, arm());
        assert_warnings(&text, &[expected]);
    }
}

#[test]
fn orientations_that_the_version_does_not_know() {
    let origin = |version: &str, quaternion: &str| {
        let origin = format!("<origin quat_xyzw=\"{quaternion}\"/><axis");
        arm().replace("<axis", &origin).replace("name=\"t\"", &format!("name=\"t\"{version}"))
    };
    assert_warnings(&origin("", "0 0 0 1"), &["r.urdf:6:20: `quat_xyzw` is of version 1.1"]);
    assert_warnings(&origin(" version=\"1.1\"", "0 0 0 1"), &[]);
    assert_warnings(&origin(" version=\"1.1\"", "0 0 0.7071 0.7071"), &[]);
    let expected = "r.urdf:6:20: a quaternion of length 2 is brought to length 1";
    assert_warnings(&origin(" version=\"1.2\"", "0 0 0 2"), &[expected]);
}

#[test]
fn numbers_that_are_hardly_meant() {
    for (old, new, expected) in [
        (
            "ixx=\"1\"",
            "ixx=\"-1\"",
            "r.urdf:4:1: the inertia of link `b` has the principal moments -1, 1 and 1",
        ),
        (
            "ixx=\"1\"",
            "ixx=\"3\"",
            "r.urdf:4:1: the inertia of link `b` has the principal moments 1, 1 and 3",
        ),
        (
            "lower=\"-2\"",
            "lower=\"3\"",
            "r.urdf:6:20: joint `j` has its lower limit above the upper one",
        ),
        (
            "effort=\"10\"",
            "effort=\"0\"",
            "r.urdf:6:56: the effort of joint `j` is 0, and is not limited",
        ),
        ("velocity=\"5\"", "velocity=\"0\"", "r.urdf:6:70: the velocity of joint `j` is 0, and is"),
        (
            r#"ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1""#,
            r#"ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0""#,
            "r.urdf:3:13: link `b` moves and has a mass, but no inertia",
        ),
    ] {
        let text = arm().replacen(old, new, 1);
        assert_ne!(text, arm());
        let robot = assert_warnings(&text, &[expected]);
        let coordinate = &robot.joints[1].coordinates[0];
        assert_eq!(coordinate.limits.is_none(), new.starts_with("lower"), "{new}");
        assert_eq!(coordinate.effort_limit.is_none(), new.starts_with("effort"), "{new}");
        assert_eq!(coordinate.velocity_limit.is_none(), new.starts_with("velocity"), "{new}");
    }
    let rod = arm().replace("iyy=\"1\"", "iyy=\"0\"");
    assert_warnings(&rod, &[]);
}

#[test]
fn joints_of_several_coordinates() {
    let dynamics = "<dynamics damping=\"3\"/></joint>";
    let text = |kind: &str| arm().replace("revolute", kind).replace("</joint>", dynamics);
    let limits = "r.urdf:6:20: the limits of a spherical joint are not read";
    let robot = assert_warnings(&text("spherical"), &[limits]);
    let damping = robot.joints[1].coordinates.iter().map(|c| c.damping.constant());
    assert_eq!(damping.collect::<Vec<_>>(), [Some(3.0); 3]);
    let expected =
        ["r.urdf:6:93: the damping of a floating joint", "r.urdf:6:20: the limits of a float"];
    assert_warnings(&text("floating"), &expected);
    let text =
        arm().replace("revolute", "fixed").replace("</joint>", "<mimic joint=\"j\"/></joint>");
    assert_warnings(&text, &["r.urdf:6:74: a fixed joint follows none"]);
    let ignore = UrdfOptions { followers: Followers::Ignore, ..UrdfOptions::default() };
    assert!(read(&text, ignore).2.is_empty());
}

#[test]
fn joints_of_drake() {
    let text = |kind: &str, more: &str| {
        let joint = arm()
            .replace("<joint", "<drake:joint")
            .replace("</joint>", &format!("{more}</drake:joint>"));
        joint.replace("revolute", kind)
    };
    let limits = "r.urdf:6:20: the limits of a";
    let ball = assert_warnings(&text("ball", ""), &[limits]);
    assert_eq!(ball.joints[1].family.keyword(), "spherical");
    let universal = assert_warnings(&text("universal", ""), &[limits]);
    assert_eq!(universal.joints[1].axes.len(), 2);
    let pitch = "<drake:screw_thread_pitch value=\"0.5\"/>";
    let screw = assert_warnings(&text("screw", pitch), &[]);
    assert_eq!(screw.joints[1].pitch.constant(), Some(0.5 / std::f64::consts::TAU));
    assert_eq!(screw.actuators.len(), 1);
    let (_, messages, _) = read(&text("screw", ""), UrdfOptions::default());
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[test]
fn hints_at_types() {
    for (kind, hint) in [
        ("Revolute", "did you mean `revolute`, in small letters and without blanks?"),
        (" fixed ", "did you mean `fixed`, in small letters"),
        ("ball", "an entry `joint(…, spherical(parent -> child))` can say what it is"),
        ("screw", "an entry `joint(…, helical(parent -> child))`"),
        ("revolut", "did you mean `revolute`?"),
    ] {
        let (_, messages, _) = read(&arm().replace("revolute", kind), UrdfOptions::default());
        assert!(messages.len() == 1 && messages[0].contains(hint), "{messages:?}");
    }
    let follower = r#"<link name="c"/><joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint>
        <link name="d"/><joint name="l" type="continuous"><parent link="b"/><child link="d"/><mimic joint="k"/></joint>"#;
    let text = arm().replace("</robot>", &format!("{follower}</robot>"));
    let (_, messages, _) = read(&text, UrdfOptions::default());
    assert!(messages.len() == 1 && messages[0].contains("`mimic = ignore` lets"), "{messages:?}");
}
