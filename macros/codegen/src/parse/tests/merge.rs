//! Files and what the attribute adds to them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

use super::{messages, sound, values};
use crate::description::About;

const FILE: &str = r#"<robot name="file">
<link name="base"><inertial><origin xyz="0 0 1"/><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial></link>
<link name="shank-1"/><link name="foot"/>
<joint name="knee" type="revolute"><parent link="base"/><child link="shank-1"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="6"/>
<dynamics damping="0.5" friction="0.25"/></joint>
<joint name="ankle" type="revolute"><parent link="shank-1"/><child link="foot"/>
<mimic joint="knee" multiplier="2"/></joint></robot>"#;

/// A file that is gone at the end of the test.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Self {
        Self::with(FILE.as_bytes())
    }

    fn with(content: &[u8]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("jourdain-{}-{number}.urdf", process::id()));
        fs::write(&path, content).unwrap();
        Self(path)
    }

    fn attribute(&self, more: &str) -> String {
        format!("urdf = {:?}, {more}", self.0)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn the_attribute_overrides_key_by_key() {
    let file = Temporary::new();
    let parsed = sound(
        &file.attribute(
            "base = floating, link(base, mass = m), joint(knee, damping = 0.75, limits = [-2, 2]),
             joint(ankle, mimic(knee, multiplier = 3)),
             link(\"shank-1\", mass = 1, sphere(radius = 0.5)),
             contact(sole, on = foot, sphere = 0.02), frame(tip, on = \"shank-1\"),
             link(hat, mass = 1), joint(brim, revolute(base -> hat), axis = [0, 0, 1], actuated)",
        ),
        "m: f64",
    );
    let robot = &parsed.description;
    assert_eq!(parsed.files, [fs::canonicalize(&file.0).unwrap()]);
    assert_eq!(robot.name, "R");
    let names: Vec<_> = robot.joints.iter().map(|joint| joint.name.text.as_str()).collect();
    assert_eq!(names, ["root_joint", "knee", "ankle", "brim"]);
    let base = &robot.links[0].inertial;
    assert_eq!(base.mass, crate::scalar::Scalar::Field(0));
    assert_eq!(values(&base.com), [0.0, 0.0, 1.0], "from the file");
    assert_eq!(values(&base.inertia)[2], 9.0, "from the file");
    assert_eq!(base.about, About::CenterOfMass);
    let shank = &robot.links[1].inertial;
    assert_eq!(shank.mass.constant(), Some(1.0), "no longer massless");
    assert_eq!(values(&shank.inertia)[0], 0.1);
    let knee = &robot.joints[1].coordinates[0];
    assert_eq!(knee.damping.constant(), Some(0.75));
    assert_eq!(knee.friction.constant(), Some(0.25), "from the file");
    assert_eq!(values(knee.limits.as_ref().unwrap()), [-2.0, 2.0]);
    let mimic = robot.joints[2].mimic.as_ref().unwrap();
    assert_eq!((mimic.joint, mimic.multiplier.constant()), (1, Some(3.0)));
    let driven: Vec<_> = robot.actuators.iter().map(|a| a.name.text.as_str()).collect();
    assert_eq!(driven, ["knee", "brim"]);
}

#[test]
fn a_driven_joint_can_be_let_go_or_geared() {
    let file = Temporary::new();
    let parsed = sound(&file.attribute("joint(knee, passive), mimic = ignore"), "");
    let driven: Vec<_> =
        parsed.description.actuators.iter().map(|a| a.name.text.as_str()).collect();
    assert_eq!(driven, ["ankle"]);
    let parsed = sound(&file.attribute("joint(knee, gear = 2, rotor_inertia = 3)"), "");
    assert_eq!(parsed.description.actuators[0].gear.constant(), Some(2.0));
    assert_eq!(parsed.description.joints[1].coordinates[0].armature.constant(), Some(12.0));
    let parsed = sound(&file.attribute("joint(ankle, revolute(base -> foot))"), "");
    assert_eq!(parsed.description.joints[2].parent, crate::description::Parent::Link(0));
    let parsed = sound(&file.attribute("link(base, massless)"), "");
    assert_eq!(parsed.description.links[0].inertial.mass.constant(), Some(0.0));
}

#[test]
fn errors_point_at_the_attribute_or_into_the_file() {
    let file = Temporary::new();
    for (more, expected) in [
        ("link(base, mass = -1)", "the mass of link `base` is -1, expected a number greater"),
        ("link(bsae, mass = 1)", "no joint carries link `bsae`"),
        ("joint(kene, damping = 1)", "joint `kene` does not say what it joins"),
        (
            "joint(knee, damping = 1), joint(knee, damping = 2)",
            "joint `knee` is described on line 1",
        ),
        ("joint(knee, axis = [0, 0, 0])", "the axis of joint `knee` is [0, 0, 0]"),
        ("link(base, inertia = [1, 1, 9])", "the inertia of link `base` has the principal"),
        ("base = free", "expected `floating` or `fixed`"),
        ("mimic = free", "expected `follow` or `ignore`"),
        ("actuator(knee, joint = knee)", "actuator `knee` is described twice"),
    ] {
        let found = messages(&file.attribute(more), "");
        let same = found.len() == 1 && found[0].starts_with(expected);
        assert!(same, "{more}\nfound    {found:#?}\nexpected {expected}");
    }
}

/// Where the type is none of URDF's, an entry says what the joint is, and takes the rest from the file.
#[test]
fn an_entry_says_what_a_joint_is() {
    let file = Temporary::with(FILE.replacen("revolute", "screw", 1).as_bytes());
    let without = messages(&file.attribute(""), "");
    assert!(without.len() == 1 && without[0].contains("`screw` is no type"), "{without:?}");
    let given = |entry: &str| {
        let entry = format!("joint(knee, {entry}), joint(ankle, fixed(\"shank-1\" -> foot))");
        sound(&file.attribute(&entry), "").description
    };
    let screw = given("helical(base -> \"shank-1\"), pitch = 0.1");
    let knee = &screw.joints[1];
    assert_eq!((knee.family.keyword(), screw.actuators.len()), ("helical", 1));
    assert_eq!(values(&knee.axes[0]), [0.0, 1.0, 0.0]);
    assert_eq!(knee.coordinates[0].limits.as_ref().map(values), Some([-1.0, 1.0]));
    assert_eq!(knee.coordinates[0].damping.constant(), Some(0.5));
    let ball = given("spherical(base -> \"shank-1\")");
    let knee = &ball.joints[1];
    assert_eq!((knee.family.keyword(), ball.actuators.len()), ("spherical", 0));
    assert!(knee.coordinates.iter().all(|c| c.damping.constant() == Some(0.5)));
    let cross = given("universal(base -> \"shank-1\"), axes = [[1, 0, 0], [0, 1, 0]]");
    assert_eq!(cross.joints[1].coordinates.len(), 2);
    assert_eq!(given("fixed(base -> \"shank-1\")").joints[1].coordinates.len(), 0);
}

#[test]
fn a_file_has_the_encoding_that_it_declares() {
    let declared = |name: &str| {
        format!("<?xml version='1.0' encoding='{name}'?>{FILE}").replace("file", "für")
    };
    let latin: Vec<u8> =
        declared("ISO-8859-1").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let wide: Vec<u8> = declared("UTF-16").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xff, 0xfe], &wide[..]].concat();
    for content in [latin, marked, declared("UTF-8").into_bytes()] {
        let file = Temporary::with(&content);
        assert_eq!(sound(&file.attribute(""), "").description.joints.len(), 3);
    }
}
