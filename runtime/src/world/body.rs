//! Bodies of solids: what they are made of, and how they resist motion.

use alloc::vec;
use alloc::vec::Vec;

use jourdain_macros::Robot;
use nalgebra::{Matrix3, Vector3};

use super::WorldError;
use super::surface::{Surface, check};
use crate::bound::Bound;
use crate::description::ShapeKind;
use crate::frame::Pose;
use crate::geometry::{self, Solid};

/// Of water, kg/m³.
const DENSITY: f64 = 1000.0;

/// A rigid body made of convex solids. If nothing else is said it is as dense as water, 1000 kg/m³, and has no friction.
///
/// ```
/// use jourdain::world::Body;
///
/// let cube = Body::cuboid([0.1; 3])?.mass(0.5)?.friction(0.8)?;
/// assert_eq!(cube.total_mass(), 0.5);
/// # Ok::<(), jourdain::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) parts: Vec<Part>,
    moments: Moments,
}

/// A solid of a body.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) kind: ShapeKind,
    pub(super) sizes: Vec<f64>,
    /// In the body's frame.
    pub(super) pose: Pose,
    pub(super) surface: Surface,
}

/// A mass, m c, and ∫ r rᵀ dm about the origin of a frame.
#[derive(Clone, Copy, Debug)]
struct Moments {
    mass: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

/// A body alone, whose frame need not be at its centre of mass.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [gx, gy, gz],
    link(body, mass = mass, com = [x, y, z], inertia = [ixx, iyy, izz, ixy, ixz, iyz]),
    joint(base, floating(world -> body)),
)]
pub struct FreeBody {
    /// kg.
    pub mass: f64,
    /// The centre of mass in the body's frame, m.
    pub x: f64,
    /// The same.
    pub y: f64,
    /// The same.
    pub z: f64,
    /// Moments of inertia about the centre of mass, kg m².
    pub ixx: f64,
    /// The same.
    pub iyy: f64,
    /// The same.
    pub izz: f64,
    /// Products of inertia, entries of the matrix.
    pub ixy: f64,
    /// The same.
    pub ixz: f64,
    /// The same.
    pub iyz: f64,
    /// Gravity, m/s².
    pub gx: f64,
    /// The same.
    pub gy: f64,
    /// The same.
    pub gz: f64,
}

impl Body {
    /// A box with these whole edges in m about the origin of its frame.
    ///
    /// # Errors
    ///
    /// [`WorldError::Solid`] unless they are finite and greater than zero.
    pub fn cuboid(edges: [f64; 3]) -> Result<Self, WorldError> {
        Self::of(ShapeKind::Box, edges.to_vec())
    }

    /// A ball about the origin of its frame.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless the radius in m is finite and greater than zero.
    pub fn ball(radius: f64) -> Result<Self, WorldError> {
        let radius = check("radius", radius, Bound::Positive)?;
        Self::of(ShapeKind::Sphere, vec![radius])
    }

    /// All that is nearer than `radius` to a line of a `length` along z, whose middle is the origin of its frame, in m.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] and [`WorldError::Solid`] unless they are finite, the radius is greater than zero and the length not
    /// negative.
    pub fn capsule(radius: f64, length: f64) -> Result<Self, WorldError> {
        let radius = check("radius", radius, Bound::Positive)?;
        Self::of(ShapeKind::Capsule, vec![radius, length])
    }

    /// A cylinder of a whole `length` along z about the origin of its frame, in m.
    ///
    /// # Errors
    ///
    /// [`WorldError::Solid`] unless both are finite and greater than zero.
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, WorldError> {
        Self::of(ShapeKind::Cylinder, vec![radius, length])
    }

    /// The convex hull of points in its frame, in m.
    ///
    /// # Errors
    ///
    /// [`WorldError::Solid`] unless they are finite and the hull has a volume.
    pub fn hull(points: &[[f64; 3]]) -> Result<Self, WorldError> {
        Self::of(ShapeKind::Hull { points: points.len() }, points.concat())
    }

    /// Bodies that move as one, each where its pose in the frame of the whole says. Solids may overlap; their masses add.
    ///
    /// # Errors
    ///
    /// [`WorldError::Pose`] of a pose that is not finite or whose matrix is no rotation, [`WorldError::Empty`] of none at all.
    pub fn compound(bodies: &[(Self, Pose)]) -> Result<Self, WorldError> {
        let mut whole = Self { parts: Vec::new(), moments: Moments::NONE };
        for (body, pose) in bodies {
            super::check_pose(pose)?;
            whole.moments = whole.moments.and(&body.moments.seen_from(pose));
            whole.parts.extend(
                body.parts
                    .iter()
                    .map(|part| Part { pose: super::product(pose, &part.pose), ..part.clone() }),
            );
        }
        if whole.parts.is_empty() { Err(WorldError::Empty) } else { Ok(whole) }
    }

    /// With another mass in kg, of the same distribution.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and greater than zero.
    pub fn mass(mut self, mass: f64) -> Result<Self, WorldError> {
        let mass = check("mass", mass, Bound::Positive)?;
        self.moments = self.moments.times(mass / self.moments.mass);
        Ok(self)
    }

    /// With this coefficient of friction μ on all of its solids.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and not negative.
    pub fn friction(self, friction: f64) -> Result<Self, WorldError> {
        self.on_all(|surface| surface.friction(friction))
    }

    /// With this coefficient of restitution e on all of its solids.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is from 0 to 1.
    pub fn restitution(self, restitution: f64) -> Result<Self, WorldError> {
        self.on_all(|surface| surface.restitution(restitution))
    }

    /// With this coefficient of torsional friction in m on all of its solids. It acts where the other solid has one too; shapes of robots
    /// have none, but their contacts may. With the ground of the world, that of the ground counts alone.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and not negative.
    pub fn torsion(self, torsion: f64) -> Result<Self, WorldError> {
        self.on_all(|surface| surface.torsion(torsion))
    }

    /// With this coefficient of rolling resistance in m on all of its solids. It acts where the other solid has one too; shapes of robots
    /// have none, but their contacts may. With the ground of the world, that of the ground counts alone. What is solved as one with it may
    /// have 1500 rows, of which a point has six.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and not negative.
    pub fn rolling(self, rolling: f64) -> Result<Self, WorldError> {
        self.on_all(|surface| surface.rolling(rolling))
    }

    /// Its mass in kg.
    pub fn total_mass(&self) -> f64 {
        self.moments.mass
    }

    fn on_all(
        mut self,
        change: impl Fn(Surface) -> Result<Surface, WorldError>,
    ) -> Result<Self, WorldError> {
        for part in &mut self.parts {
            part.surface = change(part.surface)?;
        }
        Ok(self)
    }

    fn of(kind: ShapeKind, sizes: Vec<f64>) -> Result<Self, WorldError> {
        let solid = Solid::new(kind, &sizes).map_err(WorldError::Solid)?;
        let moments = Moments::of(kind, &sizes, &solid).times(DENSITY);
        if !(moments.mass.is_normal() && moments.second.iter().all(|x| x.is_finite())) {
            return Err(WorldError::Solid(geometry::Error::Flat { points: 0 }));
        }
        let pose = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
        let part = Part { kind, sizes, pose, surface: Surface::default() };
        Ok(Self { parts: vec![part], moments })
    }

    /// As a robot that floats under this gravity.
    pub(super) fn alone(&self, gravity: &Vector3<f64>) -> FreeBody {
        let Moments { mass, first, second } = self.moments;
        let com = first / mass;
        let central = second - first * com.transpose();
        let inertia = Matrix3::identity() * central.trace() - central;
        FreeBody {
            mass,
            x: com.x,
            y: com.y,
            z: com.z,
            ixx: inertia[(0, 0)],
            iyy: inertia[(1, 1)],
            izz: inertia[(2, 2)],
            ixy: inertia[(0, 1)],
            ixz: inertia[(0, 2)],
            iyz: inertia[(1, 2)],
            gx: gravity.x,
            gy: gravity.y,
            gz: gravity.z,
        }
    }
}

impl Moments {
    const NONE: Self = Self { mass: 0.0, first: Vector3::new(0.0, 0.0, 0.0), second: ZERO };

    /// Of a solid as dense as one, in its frame.
    fn of(kind: ShapeKind, sizes: &[f64], solid: &Solid) -> Self {
        use core::f64::consts::PI;
        let round = |volume: f64, across: f64, along: f64| Self {
            mass: volume,
            first: Vector3::zeros(),
            second: Matrix3::from_diagonal(&Vector3::new(across, across, along)),
        };
        match (kind, sizes) {
            (ShapeKind::Box, &[x, y, z]) => {
                let volume = x * y * z;
                let second = Vector3::new(x * x, y * y, z * z) * (volume / 12.0);
                Self { second: Matrix3::from_diagonal(&second), ..round(volume, 0.0, 0.0) }
            }
            (ShapeKind::Sphere, &[r]) => {
                let volume = 4.0 / 3.0 * PI * r * r * r;
                round(volume, volume * r * r / 5.0, volume * r * r / 5.0)
            }
            (ShapeKind::Cylinder, &[r, l]) => {
                let volume = PI * r * r * l;
                round(volume, volume * r * r / 4.0, volume * l * l / 12.0)
            }
            (ShapeKind::Capsule, &[r, l]) => {
                // A cylinder, and two half balls whose centroids are 3 r/8 beyond its ends.
                let (middle, ends) = (PI * r * r * l, 4.0 / 3.0 * PI * r * r * r);
                let across = middle * r * r / 4.0 + ends * r * r / 5.0;
                let shift = 0.5 * l;
                let along = middle * l * l / 12.0
                    + ends * (r * r / 5.0 + shift * shift + 2.0 * shift * (3.0 / 8.0) * r);
                round(middle + ends, across, along)
            }
            (ShapeKind::Hull { .. }, _) => Self::of_hull(solid),
            _ => Self::NONE,
        }
    }

    /// The sum over the tetrahedra of the origin and three corners of a face each.
    fn of_hull(solid: &Solid) -> Self {
        let mut whole = Self::NONE;
        for face in solid.faces() {
            let Some((a, others)) = face.split_first() else { continue };
            for pair in others.windows(2) {
                let [b, c] = [&pair[0], &pair[1]];
                let (volume, sum) = (a.dot(&b.cross(c)) / 6.0, a + b + c);
                let squares = [&sum, a, b, c].map(|x| x * x.transpose());
                let second: Matrix3<f64> = squares.iter().sum();
                let (first, second) = (sum * (volume / 4.0), second * (volume / 20.0));
                whole = whole.and(&Self { mass: volume, first, second });
            }
        }
        whole
    }

    fn and(&self, other: &Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }

    fn times(&self, by: f64) -> Self {
        Self { mass: by * self.mass, first: by * self.first, second: by * self.second }
    }

    /// The same in a frame in which its own has this pose.
    fn seen_from(&self, Pose { rotation, position }: &Pose) -> Self {
        let first = rotation * self.first;
        let crossed = first * position.transpose();
        Self {
            mass: self.mass,
            first: first + self.mass * position,
            second: rotation * self.second * rotation.transpose()
                + crossed
                + crossed.transpose()
                + self.mass * position * position.transpose(),
        }
    }
}

const ZERO: Matrix3<f64> = Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a solid at random, of which means are moments.
    #[test]
    fn moments_are_integrals() {
        let bodies = [
            Body::cuboid([0.3, 0.5, 0.2]).unwrap(),
            Body::ball(0.4).unwrap(),
            Body::capsule(0.2, 0.5).unwrap(),
            Body::cylinder(0.3, 0.4).unwrap(),
            Body::hull(&[[0.0; 3], [0.5, 0.0, 0.1], [0.0, 0.4, 0.0], [0.1, 0.1, 0.6]]).unwrap(),
        ];
        let (mut random, cell) = (fastrand::Rng::with_seed(7), 1.3_f64);
        for body in bodies {
            let part = &body.parts[0];
            let [mut count, samples] = [0_u32, 1_000_000];
            let (mut first, mut second) = (Vector3::zeros(), Matrix3::zeros());
            for _ in 0..samples {
                let x = Vector3::from_fn(|_, _| cell * (random.f64() - 0.5));
                if is_within(part, &x) {
                    count += 1;
                    first += x;
                    second += x * x.transpose();
                }
            }
            let by = DENSITY * cell.powi(3) / f64::from(samples);
            let Moments { mass, first: h, second: s } = body.moments;
            assert!((by * f64::from(count) - mass).abs() < 0.03 * mass, "{:?}", part.kind);
            assert!((by * first - h).amax() < 0.02 * mass, "{:?}", part.kind);
            assert!((by * second - s).amax() < 0.05 * s.amax(), "{:?}: {s}", part.kind);
        }
    }

    fn is_within(part: &Part, x: &Vector3<f64>) -> bool {
        match (part.kind, &part.sizes[..]) {
            (ShapeKind::Box, edges) => (0..3).all(|k| 2.0 * x[k].abs() <= edges[k]),
            (ShapeKind::Sphere, &[r]) => x.norm() <= r,
            (ShapeKind::Cylinder, &[r, l]) => 2.0 * x.z.abs() <= l && x.xy().norm() <= r,
            (ShapeKind::Capsule, &[r, l]) => {
                let z = x.z.clamp(-0.5 * l, 0.5 * l);
                (x - Vector3::new(0.0, 0.0, z)).norm() <= r
            }
            _ => Solid::new(part.kind, &part.sizes).unwrap().faces().iter().all(|face| {
                let normal = (face[1] - face[0]).cross(&(face[2] - face[0]));
                normal.dot(&(x - face[0])) <= 0.0
            }),
        }
    }

    /// A bar of two cubes is the bar.
    #[test]
    fn compounds_are_sums() {
        let cube = Body::cuboid([0.2; 3]).unwrap();
        let at = |x: f64| Pose { rotation: Matrix3::identity(), position: Vector3::x() * x };
        let two = Body::compound(&[(cube.clone(), at(-0.1)), (cube, at(0.1))]).unwrap();
        let bar = Body::cuboid([0.4, 0.2, 0.2]).unwrap();
        assert!((two.moments.second - bar.moments.second).amax() < 1e-14);
        assert!((two.total_mass() - bar.total_mass()).abs() < 1e-12);
    }
}
