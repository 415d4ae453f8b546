//! Playback: a recorded motion as one self-contained HTML page.
//!
//! A [`Scene`] is plain data: bodies made of solids, and for every recorded time their
//! poses and the contact forces, with curves to plot beside them. [`Scene::save`] writes a page
//! that draws it in 3-D with a WebGL2 script of its own; it needs no network and no other file.
//! Numbers are embedded as little-endian binary in base64: poses and forces in single precision,
//! times and curves in double, so that 5 s of a quadruped at 100 Hz take about 0.4 MB.
//!
//! The page opens playing. Its address takes a fragment: `#t=2.5` opens paused at 2.5 s,
//! `#dark` and `#light` choose the colours, and `&` joins them.
//!
//! ```
//! use jourdain::Pose;
//! use jourdain::playback::{
//!     Body, Color, ForceArrow, Plane, Plot, Scene, Series, Shape, Snapshot,
//! };
//! use nalgebra::{Matrix3, Vector3};
//!
//! let at = |z| Pose { rotation: Matrix3::identity(), position: Vector3::new(0.0, 0.0, z) };
//! let times = [0.0, 0.1, 0.2];
//! let heights = [0.149, 0.100, 0.051];
//! let scene = Scene {
//!     title: "Falling ball".into(),
//!     subtitle: "50 mm radius, no drag".into(),
//!     bodies: vec![Body {
//!         name: "ball".into(),
//!         shapes: vec![Shape::sphere(0.05, Color::ORANGE)],
//!     }],
//!     ground: vec![Plane::HORIZONTAL],
//!     frames: (0..3)
//!         .map(|k| Snapshot {
//!             time: times[k],
//!             poses: vec![at(heights[k])],
//!             forces: vec![ForceArrow {
//!                 point: Vector3::zeros(),
//!                 force: Vector3::new(0.0, 0.0, if k == 2 { 4.9 } else { 0.0 }),
//!             }],
//!         })
//!         .collect(),
//!     plots: vec![Plot {
//!         title: "Height".into(),
//!         unit: "m".into(),
//!         series: vec![Series { name: "ball".into(), values: heights.to_vec() }],
//!     }],
//!     ..Scene::default()
//! };
//! let mut page = Vec::new();
//! scene.write(&mut page)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Where no shapes are known, [`Scene::skeleton`] draws the links as a stick figure.

use nalgebra::Vector3;

mod data;
mod film;
mod rods;
mod shape;
mod skeleton;
mod solids;
mod write;

pub use film::UnknownBody;
pub use shape::{Color, Geometry, Shape};
pub use skeleton::Bone;
pub(crate) use solids::geometry;

use crate::Pose;
use crate::geometry::Grid;

/// A motion and what is drawn with it. Lengths in metres, z up.
///
/// The page survives any content: a body without a finite pose is not drawn at that time, a value
/// that is missing or not finite leaves a gap in its curve, and a snapshot whose time is not finite
/// or lies before that of its predecessor is left out with its values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Heading of the page.
    pub title: String,
    /// One sentence under the heading; may be empty.
    pub subtitle: String,
    /// Figures to state beside the heading, such as the speed of the simulation.
    pub facts: Vec<Fact>,
    /// What moves.
    pub bodies: Vec<Body>,
    /// Fixed planes with a grid, each cut off where another one begins; one that is named twice is
    /// drawn once.
    pub ground: Vec<Plane>,
    /// Ground by heights.
    pub heights: Vec<Grid>,
    /// The motion, in order of time.
    pub frames: Vec<Snapshot>,
    /// Curves over the same times.
    pub plots: Vec<Plot>,
}

/// A figure with its name, such as "largest penetration" and "0.2 µm".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value, with the unit.
    pub value: String,
}

/// A rigid body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Its name, shown when the pointer rests on it.
    pub name: String,
    /// What it is made of; may be empty.
    pub shapes: Vec<Shape>,
}

/// The half-space boundary {x : normal · x = offset}, seen from the side of the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Direction out of the ground; any length but zero.
    pub normal: Vector3<f64>,
    /// normal · x on the plane, in metres for a unit normal.
    pub offset: f64,
}

impl Plane {
    /// The plane z = 0.
    pub const HORIZONTAL: Self = Self { normal: Vector3::new(0.0, 0.0, 1.0), offset: 0.0 };
}

/// Everything at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// In seconds.
    pub time: f64,
    /// Body to world, one for each of the scene's bodies.
    pub poses: Vec<Pose>,
    /// Contact forces, as many as there are.
    pub forces: Vec<ForceArrow>,
}

/// A force, drawn as an arrow from the point where it acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceArrow {
    /// Where it acts, in the world, in metres.
    pub point: Vector3<f64>,
    /// Its value on the body, in world axes, in newtons; zero is not drawn.
    pub force: Vector3<f64>,
}

/// Curves that share an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Heading.
    pub title: String,
    /// Unit of all values.
    pub unit: String,
    /// The curves.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// One value for each snapshot.
    pub values: Vec<f64>,
}
