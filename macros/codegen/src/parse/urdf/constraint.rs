//! `<constraint>`: a joint or a link at which a loop of the mechanism was cut.
//!
//! ```xml
//! <constraint name="pin" type="revolute">
//!   <parent link="rod"/>     <parent_origin xyz="1 0 0" rpy="0 0 0"/>  <parent_axis xyz="0 1 0"/>
//!   <child link="crank"/>    <child_origin xyz="0 0 2" rpy="0 0 0"/>   <child_axis xyz="0 1 0"/>
//! </constraint>
//! ```
//!
//! Two frames, one on either side of the cut, move relative to each other as what was cut lets them:
//!
//! | type | what it leaves free |
//! |---|---|
//! | `revolute` | turning about the axis |
//! | `prismatic` | sliding along the axis |
//! | `universal` | turning about either axis, which are at right angles |
//! | `spherical` | turning |
//! | `link` | nothing: both halves are one link |
//!
//! Origins are in the link's axes and axes in those of the origin, as in `<joint>`; the parent's axis is
//! x if none is given, the child's that of the parent. Those of a prismatic joint are parallel, in either
//! sense.
//!
//! Source: F. Finkbeiner, "Add constraints to describe closed loops", pull requests 264 of ros/urdfdom
//! and 108 of ros/urdfdom_headers (2026), `urdf_model/constraint.h`.

use super::super::draft::{Closure, End};
use super::super::reader::{At, Reader};
use super::super::suggest::{did_you_mean, list};
use super::frame::{angles_of, turned};
use super::origin;
use super::source::Element;
use crate::description::{Axis, Bound, Placement, Rotation};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// What can be cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Revolute,
    Prismatic,
    Universal,
    Spherical,
    Link,
}

const TYPES: [(&str, Cut); 5] = [
    ("revolute", Cut::Revolute),
    ("prismatic", Cut::Prismatic),
    ("universal", Cut::Universal),
    ("spherical", Cut::Spherical),
    ("link", Cut::Link),
];

/// The sine of the angle between axes that are written with a few digits.
const ROUNDING: f64 = 1e-6;

/// Reads a constraint.
pub(super) fn read(reader: &mut Reader<'_>, element: Element<'_, '_>) -> Option<Closure> {
    let name = element.name(reader, "name")?;
    let cut = kind(reader, element);
    let links = ["parent", "child"].map(|end| element.required(reader, end));
    let links = links.map(|end| end.and_then(|end| end.name(reader, "link")));
    let axes = match cut {
        Some(cut) => directions(reader, element, cut, &name),
        None => None,
    };
    let origins = ["parent_origin", "child_origin"].map(|key| origin(reader, element, key));
    let (cut, [parent, child], [first, second]) = (cut?, links, axes?);
    let (a, b) = (origins[0].clone(), origins[1].clone());
    let along = match cut {
        // The row of one angle asks for right angles between z of the first and y of the second.
        Cut::Universal => [Some((first, 2)), Some((second, 1))],
        Cut::Revolute | Cut::Prismatic => [Some((first, 2)), Some((second, 2))],
        Cut::Spherical | Cut::Link => [None, None],
    };
    let ends = [
        End { link: parent?, placement: placed(a, along[0]) },
        End { link: child?, placement: placed(b, along[1]) },
    ];
    Some(Closure { name, ends, axes: cut.axes() })
}

impl Cut {
    /// Along and about which axes of the turned frames nothing moves.
    fn axes(self) -> Vec<Axis> {
        let [x, y, z] = [0, 1, 2].map(Axis::Along);
        let [rx, ry, rz] = [0, 1, 2].map(Axis::About);
        match self {
            Cut::Revolute => vec![x, y, z, rx, ry],
            Cut::Prismatic => vec![x, y, rx, ry, rz],
            Cut::Universal => vec![x, y, z, rx],
            Cut::Spherical => vec![x, y, z],
            Cut::Link => vec![x, y, z, rx, ry, rz],
        }
    }
}

fn kind(reader: &mut Reader<'_>, element: Element<'_, '_>) -> Option<Cut> {
    let Name { text, at } = element.name(reader, "type")?;
    let found = TYPES.iter().find(|(word, _)| *word == text);
    if found.is_none() {
        let words = TYPES.map(|(word, _)| word);
        let (hint, types) = (did_you_mean(&text, words), list(words));
        reader.error(&at, format!("`{text}` is no type of constraint; there are {types}{hint}"));
    }
    found.map(|(_, cut)| *cut)
}

/// The axes of the parent and of the child.
fn directions(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    cut: Cut,
    name: &Name,
) -> Option<[[f64; 3]; 2]> {
    let mut axis = |key: &'static str| {
        let At { value, at } = element.child(key)?.numbers(reader, "xyz")?;
        let quantity = format!("the axis of constraint `{name}`");
        reader.require(quantity, Bound::Direction, &value.map(Scalar::Number), &at);
        Some(At { value, at })
    };
    let (parent, child) = (axis("parent_axis"), axis("child_axis"));
    let first = parent.map_or([1.0, 0.0, 0.0], |axis: At<[f64; 3]>| axis.value);
    let Some(child) = child else {
        if cut == Cut::Universal {
            let message = format!("universal constraint `{name}` needs a `<child_axis>`");
            reader.error(&element.at(), message);
            return None;
        }
        return Some([first, first]);
    };
    if cut != Cut::Prismatic {
        return Some([first, child.value]);
    }
    if !are_parallel(first, child.value) {
        let message = "expected the axis of the parent, since prismatic frames do not turn";
        reader.error(&child.at, message);
    }
    Some([first, first])
}

/// Whether two directions are the same or opposite, but for rounding: sliding is along both.
fn are_parallel(a: [f64; 3], b: [f64; 3]) -> bool {
    let length = |x: [f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let cross = [[1, 2], [2, 0], [0, 1]].map(|[i, j]| a[i] * b[j] - a[j] * b[i]);
    length(cross) <= ROUNDING * length(a) * length(b)
}

/// Position, and roll, pitch and yaw.
fn origin(
    reader: &mut Reader<'_>,
    element: Element<'_, '_>,
    key: &'static str,
) -> ([Scalar; 3], [f64; 3]) {
    let read = element.child(key).map(|origin| origin::read(reader, origin));
    let (position, rotation) = read.unwrap_or_default();
    let numbers = |part: &Scalar| part.constant().unwrap_or(0.0);
    let angles = match rotation.map(|at| at.value) {
        Some(Rotation::Rpy(angles)) => angles.each_ref().map(numbers),
        Some(Rotation::Quaternion(parts)) => angles_of(parts.each_ref().map(numbers)),
        Some(Rotation::Identity) | None => [0.0; 3],
    };
    (position.map_or([Scalar::ZERO; 3], |at| at.value), angles)
}

/// The frame there, turned so that one of its coordinate axes is along a direction.
fn placed(
    (position, angles): ([Scalar; 3], [f64; 3]),
    along: Option<([f64; 3], usize)>,
) -> Placement {
    let angles = along.map_or(angles, |(direction, k)| turned(angles, direction, k));
    Placement { position, rotation: Rotation::Rpy(angles.map(Scalar::Number)) }
}
