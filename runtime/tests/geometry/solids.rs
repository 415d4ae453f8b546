//! Random solids and poses.

use fastrand::Rng;
use jourdain::Pose;
use jourdain::description::ShapeKind;
use jourdain::geometry::{Narrow, Solid, Touch};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

pub(crate) const KINDS: [&str; 6] = ["point", "sphere", "capsule", "box", "cylinder", "hull"];

/// A solid as it is described.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    pub(crate) kind: ShapeKind,
    pub(crate) sizes: Vec<f64>,
}

impl Described {
    pub(crate) fn solid(&self) -> Solid {
        Solid::new(self.kind, &self.sizes).unwrap()
    }

    /// How far it reaches along the unit vector `d`, at this pose.
    pub(crate) fn reach(&self, pose: &Pose, d: &Vector3<f64>) -> f64 {
        let (s, x) = (&self.sizes, pose.rotation.tr_mul(d));
        let across = x.xy().norm();
        let own = match self.kind {
            ShapeKind::Point => 0.0,
            ShapeKind::Sphere => s[0],
            ShapeKind::Capsule => s[0] + 0.5 * s[1] * x.z.abs(),
            ShapeKind::Box => 0.5 * (0..3).map(|k| s[k] * x[k].abs()).sum::<f64>(),
            ShapeKind::Cylinder => s[0] * across + 0.5 * s[1] * x.z.abs(),
            ShapeKind::Hull { .. } => {
                let along = s.chunks_exact(3).map(|p| x.dot(&Vector3::from_column_slice(p)));
                along.fold(f64::NEG_INFINITY, f64::max)
            }
        };
        own + pose.position.dot(d)
    }

    /// Of this kind, with sizes from 0.1 to 1 m.
    pub(crate) fn random(kind: &str, rng: &mut Rng) -> Self {
        let points = 4 + rng.usize(..12);
        let kind = match kind {
            "point" => ShapeKind::Point,
            "sphere" => ShapeKind::Sphere,
            "capsule" => ShapeKind::Capsule,
            "box" => ShapeKind::Box,
            "cylinder" => ShapeKind::Cylinder,
            _ => ShapeKind::Hull { points },
        };
        let size = |rng: &mut Rng| 0.1 + 0.9 * rng.f64();
        let coordinate = |rng: &mut Rng| rng.f64() - 0.5;
        let hull = matches!(kind, ShapeKind::Hull { .. });
        let one = |_| if hull { coordinate(rng) } else { size(rng) };
        Self { kind, sizes: (0..kind.sizes()).map(one).collect() }
    }
}

pub(crate) fn direction(rng: &mut Rng) -> Vector3<f64> {
    let one = |rng: &mut Rng| 2.0 * rng.f64() - 1.0;
    loop {
        let x = Vector3::new(one(rng), one(rng), one(rng));
        if (0.1..1.0).contains(&x.norm()) {
            return x.normalize();
        }
    }
}

pub(crate) fn quaternion(rng: &mut Rng) -> UnitQuaternion<f64> {
    let [a, b] = [direction(rng), direction(rng)];
    UnitQuaternion::from_quaternion(Quaternion::new(a.x, a.y, b.x, b.z + 2.0))
}

pub(crate) fn pose(position: Vector3<f64>, rotation: &UnitQuaternion<f64>) -> Pose {
    Pose { rotation: rotation.to_rotation_matrix().into_inner(), position }
}

/// At a random place not further than `reach`.
pub(crate) fn random_pose(reach: f64, rng: &mut Rng) -> Pose {
    pose(direction(rng) * (reach * rng.f64()), &quaternion(rng))
}

pub(crate) fn touches(first: (&Solid, &Pose), second: (&Solid, &Pose), margin: f64) -> Vec<Touch> {
    Narrow::default().touches(first, second, margin).to_vec()
}

/// The smallest gap; infinite if there is no point.
pub(crate) fn least(touches: &[Touch]) -> f64 {
    touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min)
}

/// Calls `check` for pairs of all kinds, so many of each, near each other.
pub(crate) fn for_pairs(
    count: usize,
    seed: u64,
    mut check: impl FnMut(&mut Rng, [&Described; 2], [&Pose; 2]),
) {
    let rng = &mut Rng::with_seed(seed);
    for (i, one) in KINDS.iter().enumerate() {
        for other in &KINDS[i..] {
            for _ in 0..count {
                let [a, b] = [one, other].map(|kind| Described::random(kind, rng));
                let reach = a.solid().extent() + b.solid().extent();
                let [p, q] = [random_pose(0.0, rng), random_pose(1.2 * reach, rng)];
                check(rng, [&a, &b], [&p, &q]);
            }
        }
    }
}
