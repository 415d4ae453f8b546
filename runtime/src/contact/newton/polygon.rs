//! Projections onto regular polygons and onto pyramids over them.

use core::f64::consts::{PI, TAU};

use super::projection::Projection;
use crate::contact::direction;
use crate::slices::sqrt;

/// Regular polygons of so many corners, as [`direction`] has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    count: usize,
    /// Cosine and sine of half the angle between corners.
    half: [f64; 2],
}

impl Sides {
    pub(super) fn new(count: usize) -> Self {
        let (sine, cosine) = libm::sincos(PI / count as f64);
        Self { count, half: [cosine, sine] }
    }

    pub(super) fn count(self) -> usize {
        self.count
    }

    /// The largest product of a point with a corner.
    #[inline(always)]
    pub(super) fn support(self, p: [f64; 2]) -> f64 {
        let ([n, t], [cosine, sine]) = (Self::edge(p, self), self.half);
        let [out, along] = [n, t].map(|axis| p[0] * axis[0] + p[1] * axis[1]);
        cosine * out + sine * along.abs()
    }

    /// The outward normal of the edge that lies towards a point, and the direction along it, counter-clockwise.
    #[inline(always)]
    fn edge([a, b]: [f64; 2], Self { count, half: [cosine, sine] }: Self) -> [[f64; 2]; 2] {
        let [x, y] = if count == 4 {
            [cosine.copysign(a), sine.copysign(b)]
        } else {
            let turns = libm::atan2(b, a) / TAU;
            let k = libm::floor(turns * count as f64) as isize;
            let [x, y] = direction(k.rem_euclid(count as isize) as usize, count);
            [cosine * x - sine * y, sine * x + cosine * y]
        };
        [[x, y], [-y, x]]
    }
}

/// Where a point with a coordinate along an edge of a half length is: at the corner to its left or right, or between.
fn end(along: f64, half: f64) -> Option<f64> {
    if along > half {
        Some(1.0)
    } else if along < -half {
        Some(-1.0)
    } else {
        None
    }
}

/// The tangential part of x onto the polygon with corners at μ x₀ > 0.
#[inline(always)]
pub(super) fn onto_polygon(x: [f64; 3], friction: f64, sides: Sides) -> Projection {
    let ([normal, a, b], [cosine, sine]) = (x, sides.half);
    let [n, t] = Sides::edge([a, b], sides);
    let radius = friction * normal;
    let (out, along) = (a * n[0] + b * n[1], a * t[0] + b * t[1]);
    if out <= radius * cosine {
        return Projection::identity(x);
    }
    match end(along, radius * sine) {
        None => {
            let p = [0, 1].map(|k| radius * cosine * n[k] + along * t[k]);
            let by = [
                [0, 1].map(|k| friction * cosine * n[k]),
                t.map(|x| t[0] * x),
                t.map(|x| t[1] * x),
            ];
            Projection::pressing(normal, p, by)
        }
        Some(side) => {
            let corner = [0, 1].map(|k| cosine * n[k] + side * sine * t[k]);
            let by = [corner.map(|d| friction * d), [0.0; 2], [0.0; 2]];
            Projection::pressing(normal, corner.map(|d| radius * d), by)
        }
    }
}

/// x onto the pyramid whose edges are along the normal and μ times a corner.
#[inline(always)]
pub(super) fn onto_pyramid(x: [f64; 3], friction: f64, sides: Sides) -> Projection {
    let ([normal, a, b], [cosine, sine]) = (x, sides.half);
    let [n, t] = Sides::edge([a, b], sides);
    let (out, along) = (a * n[0] + b * n[1], a * t[0] + b * t[1]);
    let inner = friction * cosine;
    let outside = out - inner * normal;
    if outside <= 0.0 {
        return Projection::identity(x);
    }
    // The normal of the side.
    let share = 1.0 / (1.0 + inner * inner);
    let facet = [-inner, n[0], n[1]];
    let on_side: [f64; 3] = core::array::from_fn(|k| x[k] - share * outside * facet[k]);
    if on_side[0] >= 0.0 && end(along, friction * sine * on_side[0]).is_none() {
        let column =
            |k: usize| core::array::from_fn(|i| f64::from(i == k) - share * facet[k] * facet[i]);
        return Projection { value: on_side, derivative: [column(0), column(1), column(2)] };
    }
    let side = if along < 0.0 { -sine } else { sine };
    let scale = 1.0 / sqrt(1.0 + friction * friction);
    let corner = [0, 1].map(|k| scale * friction * (cosine * n[k] + side * t[k]));
    let ray = [scale, corner[0], corner[1]];
    let length = ray[0] * normal + ray[1] * a + ray[2] * b;
    if length > 0.0 { Projection::on_ray(ray, length) } else { Projection::NOTHING }
}
