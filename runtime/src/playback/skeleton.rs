//! A stick figure of a robot whose links have no described shape.
//!
//! A link is drawn as capsules from its origin to the origins of its children and to its tips,
//! with a ball at its joint, if that moves; the thickness follows from the size of the whole.

use nalgebra::Vector3;

use super::{Body, Color, Scene, Shape};
use crate::Pose;

/// A link to be drawn as a stick.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name of the link.
    pub name: String,
    /// Index of the link that it hangs on; `None` for one that hangs on the world.
    pub parent: Option<usize>,
    /// Whether a joint moves it, where it then has a ball; others are fixed to what they hang on.
    pub moves: bool,
    /// Link to world in some reference configuration.
    pub pose: Pose,
    /// Further points to which the link extends, in its own coordinates, in metres: contact
    /// points, say.
    pub tips: Vec<Vector3<f64>>,
}

impl Scene {
    /// A scene with one body for each bone, in order, and nothing else: no ground and no motion.
    ///
    /// The figure is right in every configuration if joints only turn; what slides is drawn where
    /// it is in the reference configuration.
    ///
    /// ```
    /// use jourdain::Pose;
    /// use jourdain::playback::{Bone, Scene};
    /// use nalgebra::{Matrix3, Vector3};
    ///
    /// let down = |length: f64| Vector3::new(0.0, 0.0, -length);
    /// let bone = |name: &str, parent, z| Bone {
    ///     name: name.into(),
    ///     parent,
    ///     moves: true,
    ///     pose: Pose { rotation: Matrix3::identity(), position: down(z) },
    ///     tips: vec![],
    /// };
    /// let upper = bone("upper", None, 0.0);
    /// let lower = Bone { tips: vec![down(0.5)], ..bone("lower", Some(0), 1.0) };
    /// let scene = Scene::skeleton(&[upper, lower]);
    /// assert_eq!(scene.bodies.len(), 2);
    /// ```
    pub fn skeleton(bones: &[Bone]) -> Self {
        let radius = thickness(bones);
        let bodies = (0..bones.len()).map(|k| draw(bones, k, radius)).collect();
        Self { bodies, ..Self::default() }
    }
}

/// The points of bone `k`, in its own coordinates, to which it extends.
fn ends(bones: &[Bone], k: usize) -> impl Iterator<Item = Vector3<f64>> + '_ {
    let Pose { rotation, position } = bones[k].pose;
    let children = bones.iter().filter(move |bone| bone.parent == Some(k));
    let joints = children.map(move |child| rotation.transpose() * (child.pose.position - position));
    joints.chain(bones[k].tips.iter().copied())
}

/// The radius of all sticks: a small part of the longest one, 10 mm if there is none.
pub(super) fn thickness(bones: &[Bone]) -> f64 {
    let longest = (0..bones.len())
        .flat_map(|k| ends(bones, k))
        .map(|end| end.norm())
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max);
    if longest > 0.0 { 0.06 * longest } else { 0.01 }
}

fn draw(bones: &[Bone], k: usize, radius: f64) -> Body {
    let mut shapes: Vec<Shape> = ends(bones, k)
        .filter(|end| end.norm() > 0.5 * radius)
        .map(|end| Shape::capsule(Vector3::zeros(), end, radius, Color::CHALK))
        .collect();
    if bones[k].moves {
        shapes.push(Shape::sphere(1.5 * radius, Color::ORANGE));
    }
    let tips = bones[k].tips.iter();
    shapes.extend(tips.map(|&tip| Shape::sphere(1.15 * radius, Color::GRAPHITE).at(tip)));
    Body { name: bones[k].name.clone(), shapes }
}
