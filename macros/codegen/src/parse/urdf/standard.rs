//! The elements and attributes of URDF 1.0 to 1.2, and what becomes of each.
//!
//! One table says what is read, and what is known and passed over for a reason. All else of these elements is
//! a warning, since it may be a misspelt word or say something of the motion. What is inside an element that is
//! passed over is nobody's business here, and neither are attributes with a prefix.
//!
//! Source: the specification, <http://wiki.ros.org/urdf/XML>; what urdfdom's documentation says of the
//! versions 1.1 (`quat_xyzw`) and 1.2 (capsules, limits of acceleration, deceleration and jerk); Drake's
//! documentation of `drake:joint` and what belongs to it.

use super::super::reader::Reader;
use super::super::suggest::did_you_mean;
use super::dialect::{COLON, restored};
use super::source::Element;

/// What becomes of an attribute.
#[derive(Clone, Copy)]
enum Attribute {
    Read,
    /// Passed over, for the reason that stands above it.
    Ignored,
}

/// What becomes of an element.
#[derive(Clone, Copy)]
enum Child {
    /// Read once; a second one is not.
    One(&'static Kind),
    /// Each one is read.
    Many(&'static Kind),
    /// Passed over, for the reason that stands above it.
    Ignored,
}

/// What an element may have.
struct Kind {
    attributes: &'static [(&'static str, Attribute)],
    children: &'static [(&'static str, Child)],
}

use Attribute::{Ignored as Unused, Read};
use Child::{Ignored, Many, One};

const fn leaf(attributes: &'static [(&'static str, Attribute)]) -> Kind {
    Kind { attributes, children: &[] }
}

static ROBOT: Kind = Kind {
    attributes: &[
        ("name", Read),
        ("version", Read),
        // Names are compared without it.
        ("xmlns", Unused),
    ],
    children: &[
        ("link", Many(&LINK)),
        ("joint", Many(&JOINT)),
        ("drake꞉joint", Many(&JOINT)),
        ("constraint", Many(&CONSTRAINT)),
        // For the eye.
        ("material", Ignored),
        // Every joint of one coordinate has an actuator; an entry gives its gear.
        ("transmission", Ignored),
        // For other programs.
        ("gazebo", Ignored),
        ("mujoco", Ignored),
        ("ros2_control", Ignored),
        // What sensors measure follows from the motion.
        ("sensor", Ignored),
    ],
};

static LINK: Kind = Kind {
    attributes: &[
        ("name", Read),
        // No version of the standard gives it a meaning.
        ("type", Unused),
    ],
    children: &[
        ("inertial", One(&INERTIAL)),
        // For the eye.
        ("visual", Ignored),
        // Only declared contacts touch anything.
        ("collision", Ignored),
        ("contact", Ignored),
        ("self_collision_checking", Ignored),
    ],
};

static INERTIAL: Kind = Kind {
    attributes: &[],
    children: &[("origin", One(&ORIGIN)), ("mass", One(&MASS)), ("inertia", One(&INERTIA))],
};

static ORIGIN: Kind = leaf(&[("xyz", Read), ("rpy", Read), ("quat_xyzw", Read)]);

static MASS: Kind = leaf(&[("value", Read)]);

static INERTIA: Kind = leaf(&[
    ("ixx", Read),
    ("ixy", Read),
    ("ixz", Read),
    ("iyy", Read),
    ("iyz", Read),
    ("izz", Read),
]);

static JOINT: Kind = Kind {
    attributes: &[("name", Read), ("type", Read)],
    children: &[
        ("parent", One(&END)),
        ("child", One(&END)),
        ("origin", One(&ORIGIN)),
        ("axis", One(&AXIS)),
        ("limit", One(&LIMIT)),
        ("dynamics", One(&DYNAMICS)),
        ("mimic", One(&MIMIC)),
        ("drake꞉mimic", One(&MIMIC)),
        ("drake꞉screw_thread_pitch", One(&MASS)),
        // Where a sensor switches.
        ("calibration", Ignored),
        // For a controller.
        ("safety_controller", Ignored),
    ],
};

static END: Kind = leaf(&[("link", Read)]);

static AXIS: Kind = leaf(&[("xyz", Read)]);

static LIMIT: Kind = leaf(&[
    ("lower", Read),
    ("upper", Read),
    ("effort", Read),
    ("velocity", Read),
    // For those who plan a motion; no force keeps to them.
    ("acceleration", Unused),
    ("deceleration", Unused),
    ("jerk", Unused),
]);

static DYNAMICS: Kind = leaf(&[("damping", Read), ("friction", Read)]);

static MIMIC: Kind = leaf(&[("joint", Read), ("multiplier", Read), ("offset", Read)]);

static CONSTRAINT: Kind = Kind {
    attributes: &[("name", Read), ("type", Read)],
    children: &[
        ("parent", One(&END)),
        ("child", One(&END)),
        ("parent_origin", One(&ORIGIN)),
        ("child_origin", One(&ORIGIN)),
        ("parent_axis", One(&AXIS)),
        ("child_axis", One(&AXIS)),
    ],
};

/// Warns of what is neither read nor passed over for a reason.
pub(super) fn check(reader: &mut Reader<'_>, robot: Element<'_, '_>) {
    check_element(reader, robot, &ROBOT);
}

/// Whether something is left of what xacro replaces.
pub(super) fn has_xacro(robot: Element<'_, '_>) -> bool {
    robot.elements().any(|element| element.tag().starts_with(XACRO))
}

fn check_element(reader: &mut Reader<'_>, element: Element<'_, '_>, kind: &'static Kind) {
    check_attributes(reader, element, kind);
    let tag = element.tag();
    let mut seen: Vec<&str> = Vec::new();
    for child in element.elements() {
        let name = child.node.tag_name().name();
        let known = kind.children.iter().find(|(known, _)| *known == name).map(|(_, child)| *child);
        match known {
            Some(One(_)) if seen.contains(&name) => {
                let message = format!("a second `<{name}>` of one `<{tag}>` is not read");
                reader.warn(&child.at(), restored(&message));
            }
            Some(One(kind) | Many(kind)) => check_element(reader, child, kind),
            Some(Ignored) => {}
            None => unknown(reader, child, kind, &tag, &seen),
        }
        seen.push(name);
    }
}

fn check_attributes(reader: &mut Reader<'_>, element: Element<'_, '_>, kind: &'static Kind) {
    for attribute in element.node.attributes().filter(|a| !a.name().contains(COLON)) {
        let (tag, key) = (element.tag(), attribute.name());
        match kind.attributes.iter().find(|(name, _)| *name == key) {
            Some((_, Read | Unused)) => {}
            None => {
                let hint = did_you_mean(key, kind.attributes.iter().map(|(name, _)| *name));
                let message = format!("`<{tag}>` has no attribute `{key}` that is known{hint}");
                reader.warn(&element.source.at(attribute.range().start), message);
            }
        }
    }
}

/// Warns of an element that is not in the table, but of xacro's only once, and of other prefixes never: they
/// are words of other programs. Drake's are known here.
fn unknown(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    beside: &'static Kind,
    parent: &str,
    seen: &[&str],
) {
    let tag = element.tag();
    if tag.starts_with(XACRO) {
        if !seen.iter().any(|name| restored(name).starts_with(XACRO)) {
            let message = "is left over from xacro; expand the file with it first";
            reader.warn(&element.at(), format!("`<{tag}>` {message}"));
        }
    } else if !tag.contains(':') || tag.starts_with("drake:") {
        let hint = did_you_mean(&tag, beside.children.iter().map(|(name, _)| *name));
        let message = format!("`<{parent}>` has no `<{tag}>` that is known{hint}");
        reader.warn(&element.at(), restored(&message));
    }
}

/// Elements that xacro replaces.
const XACRO: &str = "xacro:";
