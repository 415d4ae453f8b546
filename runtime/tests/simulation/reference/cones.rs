//! What impulses a law allows, as sets with projections.
//!
//! > P(x) = argmin ‖y − x‖ over y ∈ K
//!
//! K is an interval, the round cone ‖y_t‖ ≤ μ y_n, or the cone over the regular polygon with the corners μ y_n d_k. The polygon
//! is symmetric about each corner and each middle of an edge, so that P(x) is in the same sector as x.

use std::f64::consts::{PI, TAU};

/// What impulses of a block may be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Law {
    /// From `lower` to `upper`.
    Row { lower: f64, upper: f64 },
    /// ‖y_t‖ ≤ μ y_n.
    Round { friction: f64 },
    /// y_t in the polygon with so many corners at the radius μ y_n.
    Polygon { friction: f64, corners: usize },
}

/// A projection with a generalised derivative, row by row.
pub(super) struct Projection {
    pub(super) point: [f64; 3],
    pub(super) slope: [[f64; 3]; 3],
}

const NOTHING: Projection = Projection { point: [0.0; 3], slope: [[0.0; 3]; 3] };
const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Law {
    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        if let Self::Row { .. } = self { 1 } else { 3 }
    }

    pub(super) fn project(&self, x: [f64; 3]) -> Projection {
        match *self {
            Self::Row { lower, upper } => {
                let mut nearest = NOTHING;
                nearest.point[0] = x[0].clamp(lower, upper);
                nearest.slope[0][0] = if nearest.point[0] == x[0] { 1.0 } else { 0.0 };
                nearest
            }
            Self::Polygon { friction, corners } if friction > 0.0 => {
                onto_pyramid(x, friction, corners)
            }
            Self::Round { friction } | Self::Polygon { friction, .. } => onto_cone(x, friction),
        }
    }

    /// μ times what friction of one dissipates at most against a slip, with its derivatives by the slip.
    pub(super) fn dissipation(&self, slip: [f64; 2]) -> (f64, [f64; 2]) {
        match *self {
            Self::Row { .. } => (0.0, [0.0; 2]),
            Self::Round { friction } => {
                let speed = slip[0].hypot(slip[1]);
                let along = if speed > 0.0 { slip.map(|x| friction * x / speed) } else { [0.0; 2] };
                (friction * speed, along)
            }
            Self::Polygon { friction, corners } => {
                let all = (0..corners).map(|k| corner(k, corners));
                let most = all.map(|d| (-d[0] * slip[0] - d[1] * slip[1], d));
                let (speed, d) = most.max_by(|x, y| x.0.total_cmp(&y.0)).unwrap();
                (friction * speed, d.map(|x| -friction * x))
            }
        }
    }
}

/// d_k.
fn corner(k: usize, count: usize) -> [f64; 2] {
    let (sine, cosine) = (TAU * k as f64 / count as f64).sin_cos();
    [cosine, sine]
}

fn onto_cone(x: [f64; 3], friction: f64) -> Projection {
    let length = x[1].hypot(x[2]);
    if length <= friction * x[0] {
        return Projection { point: x, slope: IDENTITY };
    }
    if friction * length <= -x[0] {
        return NOTHING;
    }
    let square = 1.0 + friction * friction;
    let normal = (x[0] + friction * length) / square;
    let along = [x[1] / length, x[2] / length];
    let kept = friction * normal / length;
    let ray = [1.0, friction * along[0], friction * along[1]];
    let across = [0.0, -along[1], along[0]];
    let slope = [0, 1, 2]
        .map(|i| [0, 1, 2].map(|j| ray[i] * ray[j] / square + kept * across[i] * across[j]));
    Projection { point: ray.map(|r| normal * r), slope }
}

fn onto_pyramid(x: [f64; 3], friction: f64, count: usize) -> Projection {
    let sector = (x[2].atan2(x[1]).rem_euclid(TAU) * count as f64 / TAU) as usize % count;
    let ends = [corner(sector, count), corner((sector + 1) % count, count)];
    let inner = (PI / count as f64).cos();
    let size = (x[1] * (ends[0][0] + ends[1][0]) + x[2] * (ends[0][1] + ends[1][1])) / 2.0;
    // Middles of edges are at the radius cos(π/η), as this sum is long.
    if size <= friction * x[0] * inner * inner {
        return Projection { point: x, slope: IDENTITY };
    }
    let rays = ends.map(|d| [1.0, friction * d[0], friction * d[1]]);
    let along = rays.map(|ray| dot(&ray, &x));
    if along[0] <= 0.0 && along[1] <= 0.0 {
        return NOTHING;
    }
    let (square, mixed) = (dot(&rays[0], &rays[0]), dot(&rays[0], &rays[1]));
    let shares = [square * along[0] - mixed * along[1], square * along[1] - mixed * along[0]];
    if shares[0] <= 0.0 {
        return onto_line(x, &rays[1]);
    }
    if shares[1] <= 0.0 {
        return onto_line(x, &rays[0]);
    }
    let middle = [0, 1].map(|k| (ends[0][k] + ends[1][k]) / 2.0);
    onto_plane(x, &[-friction * inner * inner, middle[0], middle[1]])
}

fn onto_line(x: [f64; 3], ray: &[f64; 3]) -> Projection {
    let square = dot(ray, ray);
    let slope = [0, 1, 2].map(|i| [0, 1, 2].map(|j| ray[i] * ray[j] / square));
    let share = dot(ray, &x) / square;
    Projection { point: ray.map(|r| share * r), slope }
}

fn onto_plane(x: [f64; 3], normal: &[f64; 3]) -> Projection {
    let square = dot(normal, normal);
    let beyond = dot(normal, &x) / square;
    let slope =
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| IDENTITY[i][j] - normal[i] * normal[j] / square));
    Projection { point: [0, 1, 2].map(|i| x[i] - beyond * normal[i]), slope }
}

fn dot(x: &[f64; 3], y: &[f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}
