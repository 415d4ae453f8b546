//! What may touch: points and solids on links, and the grounds of the world.

use super::{Placement, Rotation, Triple};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// A point or a solid in a frame of its own.
#[derive(Clone, Debug)]
pub enum Geometry {
    /// The frame's origin.
    Point,
    /// A ball about the origin.
    Sphere {
        /// m.
        radius: Scalar,
    },
    /// All that is nearer than the radius to a line along z, whose middle is the origin.
    Capsule {
        /// m.
        radius: Scalar,
        /// Of the line, m.
        length: Scalar,
    },
    /// A box about the origin.
    Box {
        /// Its whole edges, m.
        size: Triple,
    },
    /// A cylinder along z about the origin.
    Cylinder {
        /// m.
        radius: Scalar,
        /// m.
        length: Scalar,
    },
    /// The convex hull of points.
    Hull {
        /// In any order, m.
        points: Vec<Triple>,
    },
}

/// A point or a solid on a link.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Its name.
    pub name: Name,
    /// Index of the link.
    pub link: usize,
    /// Its frame in the link's.
    pub placement: Placement,
    /// What it is there.
    pub geometry: Geometry,
    /// Coefficient of friction μ.
    pub friction: Scalar,
    /// Coefficient of restitution e.
    pub restitution: Scalar,
}

/// Two shapes that may touch each other.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The names of both.
    pub name: Name,
    /// Their indices.
    pub shapes: [usize; 2],
    /// Coefficient of friction μ.
    pub friction: Scalar,
    /// Coefficient of restitution e.
    pub restitution: Scalar,
    /// Coefficient of torsional friction, m.
    pub torsion: Scalar,
    /// Coefficient of rolling resistance, m.
    pub rolling: Scalar,
    /// Directions of a polyhedral friction cone: even, at least 4.
    pub directions: usize,
}

/// What a contact touches.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// The plane n · x = d of the world.
    Plane {
        /// n in the world, out of the ground, of any length but zero.
        normal: Triple,
        /// d for n of unit length, m.
        offset: Scalar,
    },
    /// The ground z = f(x, y) of the world.
    Height(Scalar),
    /// A point or a sphere of another link.
    Sphere {
        /// Index of the link.
        link: usize,
        /// Its centre in the link's frame, m.
        position: Triple,
        /// m; zero for a point.
        radius: Scalar,
    },
}

impl Surface {
    /// The ground z = 0.
    pub fn level() -> Self {
        let normal = [Scalar::ZERO, Scalar::ZERO, Scalar::ONE];
        Surface::Plane { normal, offset: Scalar::ZERO }
    }

    /// Whether normal and tangents depend on where it is touched.
    pub fn turns(&self) -> bool {
        !matches!(self, Surface::Plane { .. })
    }

    /// The link that carries it; `None` for the world.
    pub fn link(&self) -> Option<usize> {
        match self {
            Surface::Sphere { link, .. } => Some(*link),
            Surface::Plane { .. } | Surface::Height(_) => None,
        }
    }
}

impl Geometry {
    /// Its numbers, in the order in which a description gives them.
    pub fn sizes(&self) -> Vec<&Scalar> {
        match self {
            Geometry::Point => Vec::new(),
            Geometry::Sphere { radius } => vec![radius],
            Geometry::Capsule { radius, length } | Geometry::Cylinder { radius, length } => {
                vec![radius, length]
            }
            Geometry::Box { size } => size.iter().collect(),
            Geometry::Hull { points } => points.iter().flatten().collect(),
        }
    }

    /// The points of its own frame that balls of one radius are about, of which it is the convex
    /// hull, and that radius: the eight vertices of a box in the order of x, y, z counted in binary
    /// with x first; the lower and the upper end of a capsule. A cylinder has none.
    pub fn vertices(&self) -> Option<(Vec<Triple>, Scalar)> {
        let zero = || Scalar::ZERO;
        let half = |x: &Scalar| x.clone() * Scalar::Number(0.5);
        match self {
            Geometry::Point => Some((vec![[zero(), zero(), zero()]], zero())),
            Geometry::Sphere { radius } => Some((vec![[zero(), zero(), zero()]], radius.clone())),
            Geometry::Capsule { radius, length } => {
                let end = |z| [zero(), zero(), z];
                Some((vec![end(-half(length)), end(half(length))], radius.clone()))
            }
            Geometry::Box { size } => {
                let side = |vertex: usize, k: usize| match vertex >> k & 1 {
                    0 => -half(&size[k]),
                    _ => half(&size[k]),
                };
                let vertex = |vertex| [0, 1, 2].map(|k| side(vertex, k));
                Some(((0..8).map(vertex).collect(), zero()))
            }
            Geometry::Cylinder { .. } => None,
            Geometry::Hull { points } => Some((points.clone(), zero())),
        }
    }

    /// Whether a contact of it is one point, which has its name.
    pub fn is_round(&self) -> bool {
        matches!(self, Geometry::Point | Geometry::Sphere { .. })
    }
}

impl Placement {
    /// A point of the frame, in the frame that it is relative to.
    pub fn of(&self, point: &Triple) -> Triple {
        add(&self.position, &self.rotation.times(point))
    }
}

impl Rotation {
    /// R x.
    fn times(&self, x: &Triple) -> Triple {
        match self {
            Rotation::Identity => x.clone(),
            Rotation::Rpy([roll, pitch, yaw]) => turn(2, yaw, &turn(1, pitch, &turn(0, roll, x))),
            Rotation::Quaternion([a, b, c, w]) => {
                let axis = [a.clone(), b.clone(), c.clone()];
                let square = dot(&axis, &axis) + w.clone() * w.clone();
                let across = cross(&axis, x);
                let sum = add(&scale(w, &across), &cross(&axis, &across));
                add(x, &scale(&(Scalar::Number(2.0) / square), &sum))
            }
        }
    }
}

/// By an angle about a coordinate axis.
fn turn(axis: usize, angle: &Scalar, x: &Triple) -> Triple {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let sin = || Scalar::Sin(Box::new(angle.clone()));
    let cos = || Scalar::Cos(Box::new(angle.clone()));
    let mut turned = x.clone();
    turned[i] = cos() * x[i].clone() - sin() * x[j].clone();
    turned[j] = sin() * x[i].clone() + cos() * x[j].clone();
    turned
}

fn add(a: &Triple, b: &Triple) -> Triple {
    [0, 1, 2].map(|k| a[k].clone() + b[k].clone())
}

fn scale(s: &Scalar, x: &Triple) -> Triple {
    [0, 1, 2].map(|k| s.clone() * x[k].clone())
}

fn dot(a: &Triple, b: &Triple) -> Scalar {
    let product = |k: usize| a[k].clone() * b[k].clone();
    product(0) + product(1) + product(2)
}

fn cross(a: &Triple, b: &Triple) -> Triple {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone())
}
