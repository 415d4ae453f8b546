//! Files.

use super::values;
use crate::description::{About, Description, Parent, Rotation};
use crate::diagnostic::Errors;
use crate::parse::{Base, Followers, UrdfOptions, urdf};
use crate::validate::validate;

const LINK: &str = r#"<inertial><origin xyz="0 0 1" rpy="0 0.5 0"/><mass value="2"/>
    <inertia ixx="1" ixy="0.1" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>"#;

fn link(name: &str) -> String {
    format!("<link name=\"{name}\">{LINK}</link>")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/>\
         <child link=\"{child}\"/>{more}</joint>"
    )
}

fn read(parts: &[String], options: UrdfOptions) -> (Option<Description>, Vec<String>) {
    let text = format!("<robot name=\"test\">\n{}\n</robot>", parts.join("\n"));
    raw(&text, options)
}

fn raw(text: &str, options: UrdfOptions) -> (Option<Description>, Vec<String>) {
    let mut errors = Errors::default();
    let parsed = urdf(text, "r.urdf", &options, &mut errors);
    validate(&parsed, &mut errors);
    (errors.is_empty().then_some(parsed.description), errors.messages())
}

fn sound(parts: &[String], options: UrdfOptions) -> Description {
    let (description, messages) = read(parts, options);
    description.unwrap_or_else(|| panic!("{messages:?}"))
}

fn names(description: &Description) -> Vec<&str> {
    description.joints.iter().map(|joint| joint.name.text.as_str()).collect()
}

#[test]
fn joints_come_depth_first_in_the_order_of_the_file() {
    let parts = [
        joint("z2", "fixed", "z", "z-tip", ""),
        joint("z", "revolute", "base", "z", "<limit effort=\"0\" velocity=\"3\"/>"),
        joint("a", "continuous", "base", "a", "<axis xyz=\"0 0 2\"/>"),
        joint("a2", "prismatic", "a", "a-tip", ""),
        ["a-tip", "z-tip", "a", "base", "z"].map(link).concat(),
    ];
    let robot = sound(&parts, UrdfOptions { base: Base::Floating, ..Default::default() });
    assert_eq!(names(&robot), ["root_joint", "z", "z2", "a", "a2"]);
    assert_eq!(robot.joints[0].family.keyword(), "floating");
    assert_eq!(robot.joints[0].parent, Parent::World);
    assert_eq!(values(&robot.joints[1].axes[0]), [1.0, 0.0, 0.0], "the default axis");
    assert_eq!(values(&robot.joints[3].axes[0]), [0.0, 0.0, 2.0], "as it is written");
    let limits = &robot.joints[1].coordinates[0];
    assert!(limits.limits.is_none() && limits.effort_limit.is_none());
    assert_eq!(limits.velocity_limit.as_ref().and_then(|x| x.constant()), Some(3.0));
    let driven: Vec<_> = robot.actuators.iter().map(|a| a.name.text.as_str()).collect();
    assert_eq!(driven, ["z", "a", "a2"]);
    assert_eq!(robot.name, "test");
}

#[test]
fn links_are_taken_as_they_are() {
    let parts = [
        link("world"),
        "<link name=\"bare\"/>".to_owned(),
        joint("j", "planar", "world", "bare", "<origin xyz=\"1 2 3\"/>"),
    ];
    let robot = sound(&parts, UrdfOptions::default());
    assert_eq!(names(&robot), ["root_joint", "j"]);
    assert_eq!(robot.joints[0].family.keyword(), "fixed");
    let inertial = &robot.links[0].inertial;
    assert_eq!(values(&inertial.com), [0.0, 0.0, 1.0]);
    assert_eq!(values(&inertial.inertia), [1.0, 1.0, 9.0, 0.1, 0.0, 0.0], "though no body has it");
    assert_eq!(inertial.about, About::CenterOfMass);
    assert!(matches!(inertial.axes, Rotation::Rpy(_)));
    assert_eq!(robot.links[1].inertial.mass.constant(), Some(0.0));
    assert_eq!(values(&robot.joints[1].origin.position), [1.0, 2.0, 3.0]);
    assert!(robot.actuators.is_empty(), "a planar joint is not driven");
}

#[test]
fn followers_follow_unless_told_otherwise() {
    let parts = [
        ["a", "b", "c", "d"].map(link).concat(),
        joint("first", "revolute", "a", "b", "<mimic joint=\"second\" multiplier=\"-2\"/>"),
        joint("second", "revolute", "b", "c", "<mimic joint=\"third\" offset=\"0.5\"/>"),
        joint("third", "revolute", "c", "d", ""),
    ];
    let robot = sound(&parts, UrdfOptions::default());
    let mimic = robot.joints[1].mimic.as_ref().unwrap();
    let numbers = (mimic.joint, mimic.multiplier.constant(), mimic.offset.constant());
    assert_eq!(numbers, (3, Some(-2.0), Some(-1.0)));
    assert_eq!(robot.actuators.len(), 1);
    let ignore = UrdfOptions { followers: Followers::Ignore, ..Default::default() };
    let robot = sound(&parts, ignore);
    assert!(robot.joints.iter().all(|joint| joint.mimic.is_none()));
    assert_eq!(robot.actuators.len(), 3);
}

#[test]
fn constraints_close_loops() {
    let ends = "<parent link=\"b\"/><child link=\"a\"/>";
    let origin = "<child_origin xyz=\"1 2 3\" rpy=\"0 0 0.5\"/>";
    let axis = "<parent_axis xyz=\"0 0 1\"/>";
    let cut = |kind: &str, more: &str| {
        format!("<constraint name=\"{kind}\" type=\"{kind}\">{ends}{origin}{more}</constraint>")
    };
    let parts = [
        ["a", "b"].map(link).concat(),
        joint("j", "revolute", "a", "b", ""),
        cut("revolute", axis),
        cut("universal", &format!("{axis}<child_axis xyz=\"0 1 0\"/>")),
        cut("prismatic", axis) + &cut("spherical", "") + &cut("link", ""),
    ];
    let robot = sound(&parts, UrdfOptions::default());
    let rows: Vec<_> = robot.constraints.iter().map(|c| c.law.levels().len()).collect();
    assert_eq!(rows, [5, 4, 5, 3, 6]);
    for constraint in &robot.constraints {
        let [first, second] = constraint.law.places().unwrap();
        assert_eq!((first.parent, second.parent), (Parent::Link(1), Parent::Link(0)));
        assert_eq!(values(&second.placement.position), [1.0, 2.0, 3.0]);
        let Rotation::Rpy(angles) = &second.placement.rotation else { panic!("angles") };
        let error = values(angles).into_iter().zip([0.0, 0.0, 0.5]).map(|(a, b)| (a - b).abs());
        assert!(error.sum::<f64>() < 1e-15, "frames whose axes are along coordinates keep them");
    }
}

/// The axes of a prismatic joint are directions: of any length, rounded, and in either sense.
#[test]
fn a_cut_slide_has_parallel_axes() {
    let frames = |axes: &str| {
        let ends = "<parent link=\"b\"/><child link=\"a\"/>";
        let cut = format!("<constraint name=\"c\" type=\"prismatic\">{ends}{axes}</constraint>");
        let parts = [["a", "b"].map(link).concat(), joint("j", "revolute", "a", "b", ""), cut];
        let robot = sound(&parts, UrdfOptions::default());
        let places = robot.constraints[0].law.places().unwrap();
        places.clone().map(|place| {
            let Rotation::Rpy(angles) = place.placement.rotation else { panic!("angles") };
            values(&angles)
        })
    };
    let parent = "<parent_axis xyz=\"0.6 0 0.8\"/>";
    let expected = frames(parent);
    assert_eq!(expected[0], expected[1]);
    for child in
        ["0.6 0 0.8", "3 0 4", "-0.6 0 -0.8", "0.60000001 0 0.79999999", "-6e-3 1e-9 -8e-3"]
    {
        let found = frames(&format!("{parent}<child_axis xyz=\"{child}\"/>"));
        assert_eq!(found, expected, "{child}");
    }
}

#[test]
fn what_is_not_understood_is_passed_over() {
    let text = format!(
        "\u{feff}<?xml version=\"1.0\"?><!DOCTYPE robot [<!ENTITY m \"3\">]>
         <!-- a comment --><robot xmlns:xacro=\"x\" xmlns:drake=\"y\" name=\"ü\">
         <xacro:property name=\"p\" value=\"${{q}}\"/><drake:link name=\"no\"/>
         <material name=\"red\"/><gazebo><link name=\"no\"/></gazebo>
         <transmission><joint name=\"no\"/></transmission>
         <link name=\"base\" xacro:kind=\"k\"><visual/>{}</link></robot>",
        LINK.replace("value=\"2\"", "value=\"&m;\"")
    );
    let (robot, messages) = raw(&text, UrdfOptions::default());
    let robot = robot.unwrap_or_else(|| panic!("{messages:?}"));
    assert_eq!((robot.name.as_str(), robot.links.len()), ("ü", 1));
    assert_eq!(robot.links[0].inertial.mass.constant(), Some(3.0));
}

#[test]
fn a_name_that_is_taken_makes_way() {
    let parts = [["a", "b"].map(link).concat(), joint("root_joint", "fixed", "a", "b", "")];
    let robot = sound(&parts, UrdfOptions::default());
    assert_eq!(names(&robot), ["root_joint_", "root_joint"]);
}

#[test]
fn a_long_chain_needs_no_deep_stack() {
    let count = 3000;
    let links = (0..=count).map(|k| format!("<link name=\"l{k}\"/>"));
    let joints = (0..count)
        .rev()
        .map(|k| joint(&format!("j{k}"), "fixed", &format!("l{k}"), &format!("l{}", k + 1), ""));
    let robot = sound(&links.chain(joints).collect::<Vec<_>>(), UrdfOptions::default());
    assert_eq!(robot.joints[1].name.text, "j0");
    assert_eq!(robot.joints[count].name.text, format!("j{}", count - 1));
}

#[test]
fn errors_have_lines_and_columns() {
    let two = ["a", "b"].map(|name| format!("<link name=\"{name}\"/>")).concat();
    let cut = |kind: &str, child: &str, more: &str| {
        let ends = format!("<parent link=\"a\"/><child link=\"{child}\"/>");
        let tree = joint("j", "revolute", "a", "b", "");
        format!("{tree}\n<constraint name=\"c\" type=\"{kind}\">{ends}{more}</constraint>")
    };
    for (more, expected) in [
        (joint("j", "fixed", "a", "c", ""), "r.urdf:3:61: there is no link `c`"),
        (joint("j", "ball", "a", "b", ""), "r.urdf:3:23: `ball` is no type of joint"),
        (joint("j", "revolute", "a", "b", "<axis xyz=\"0 0 0\"/>"), "r.urdf:3:79: the axis of"),
        (
            joint("j", "revolute", "a", "b", "<axis xyz=\"1 0\"/>"),
            "r.urdf:3:79: expected 3 numbers",
        ),
        (
            joint("j", "revolute", "a", "b", "\n<dynamics damping=\"-1\"/>"),
            "r.urdf:4:20: the damping of joint `j` is -1",
        ),
        (
            joint("j", "revolute", "a", "b", "\n<limit velocity=\"nan\"/>"),
            "r.urdf:4:18: expected a number for `velocity`, found `nan`",
        ),
        (
            joint("j", "revolute", "a", "b", "<mimic joint=\"k\"/>"),
            "r.urdf:3:82: there is no joint `k`; `mimic = ignore` lets",
        ),
        (cut("hinge", "b", ""), "r.urdf:4:28: `hinge` is no type of constraint; there are"),
        (cut("link", "c", ""), "r.urdf:4:65: there is no link `c`"),
        (cut("link", "a", ""), "r.urdf:4:19: both ends of constraint `c` are on the same link"),
        (
            cut("revolute", "b", "<parent_axis xyz=\"0 0 0\"/>"),
            "r.urdf:4:91: the axis of constraint `c` is [0, 0, 0], expected a direction",
        ),
        (
            cut("prismatic", "b", "<child_axis xyz=\"0 1 0\"/>"),
            "r.urdf:4:91: expected the axis of the parent",
        ),
        (cut("universal", "b", ""), "r.urdf:4:1: universal constraint `c` needs a `<child_axis>`"),
        ("<joint type=\"fixed\"/>".to_owned(), "r.urdf:3:1: `<joint>` has no `name`"),
        (
            "<joint name=\"j\" type=\"fixed\"><child link=\"b\"/></joint>".to_owned(),
            "r.urdf:3:1: `<joint>` has no `<parent>`",
        ),
    ] {
        let (_, messages) = read(&[two.clone(), more.clone()], UrdfOptions::default());
        let same = messages.len() == 1 && messages[0].starts_with(expected);
        assert!(same, "{more}\nfound    {messages:#?}\nexpected {expected}");
    }
}

#[test]
fn what_is_no_robot() {
    for (text, expected) in [
        ("", "r.urdf:1:1: this is not XML: "),
        ("<robot>\n <a></b></robot>", "r.urdf:2:5: this is not XML: expected 'a' tag, not 'b'"),
        (
            "<robot xmlns:a=\"b\">\n <c:d></e:d></robot>",
            "r.urdf:2:7: this is not XML: expected 'c:d'",
        ),
        ("<sdf/>", "r.urdf:1:1: expected `<robot>`, found `<sdf>`"),
        ("\n<robot/>", "r.urdf:2:1: the robot has no link"),
        (
            "<robot><xacro:include filename='a'/></robot>",
            "r.urdf:1:1: the robot has no link; expand the file with xacro first",
        ),
        ("<robot><link/></robot>", "r.urdf:1:8: `<link>` has no `name`"),
    ] {
        let (_, messages) = raw(text, UrdfOptions::default());
        let same = messages.len() == 1 && messages[0].starts_with(expected);
        assert!(same, "{text}\nfound    {messages:#?}\nexpected {expected}");
    }
}
