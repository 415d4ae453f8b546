//! Rows of a closure.
//!
//! R leads from the axes of b to those of a. How far b is turned is measured such that it is zero, and
//! regular, wherever the closure holds, and near R = 1 the angle about the axis:
//!
//! - with all three rotations held, by twice the Gibbs vector
//!   g = tan(θ/2) n = vee(R − Rᵀ) / (1 + tr R), ġ = ½ (1 − [g]× + g gᵀ) ω;
//! - with two held and the axis f free, by 2 tan(ψ/2) for the angle ψ between that axis of a and
//!   of b, along the two other axes of a: f × R f · 2 / (1 + f · R f);
//! - with one held, by the cosine between two axes, one of a and one of b, which are at right angles
//!   as long as the closure holds; it vanishes half a turn away too.

use crate::description::Axis;
use crate::expr::{Expr, Matrix3, Vector3};
use crate::scalar::Scalar;

use super::super::lower;
use super::relative::{Gradient, Relative};

/// A row for each of `axes`.
pub(super) fn gradients<'g>(relative: &Relative<'g>, axes: &[Axis]) -> Vec<Gradient<'g>> {
    let graph = relative.position[0].graph();
    let held: Vec<usize> = axes
        .iter()
        .filter_map(|axis| if let Axis::About(k) = axis { Some(*k) } else { None })
        .collect();
    let gibbs = Gibbs::new(relative);
    let row = |axis: &Axis| match axis {
        Axis::Along(k) => relative.along(Vector3::unit(graph, *k)),
        Axis::About(k) => match held[..] {
            [_, _, _] => gibbs.row(*k),
            [i, j] => {
                let free = 3 - i - j;
                tilt(relative, 3 - k - free, free)
            }
            _ => right_angle(relative, (k + 2) % 3, (k + 1) % 3),
        },
        Axis::Screw(screw) => screwed(relative, &gibbs, screw),
    };
    axes.iter().map(row).collect()
}

/// ± e_fixed · R e_moving, the angle about the third axis near R = 1.
fn right_angle<'g>(relative: &Relative<'g>, fixed: usize, moving: usize) -> Gradient<'g> {
    let graph = relative.position[0].graph();
    let unit = |k| Vector3::unit(graph, k);
    let sign = if (moving + 1) % 3 == fixed { graph.one() } else { -graph.one() };
    let axis = relative.rotation * unit(moving);
    let turning = relative.velocity.angular.cross(axis);
    let zero = Vector3::zero(graph);
    Gradient {
        error: axis[fixed] * sign,
        linear: zero,
        linear_rate: zero,
        angular: axis.cross(unit(fixed)) * sign,
        angular_rate: turning.cross(unit(fixed)) * sign,
    }
}

/// The same for the axis about which b is free, by w = 2 / (1 + f · R f), which is 1 where the closure
/// holds and infinite half a turn away: d(w c) = w dc − ½ w² c d(f · R f).
fn tilt<'g>(relative: &Relative<'g>, fixed: usize, free: usize) -> Gradient<'g> {
    let graph = relative.position[0].graph();
    let spin = relative.velocity.angular;
    let cosine = right_angle(relative, fixed, free);
    let axis = relative.rotation * Vector3::unit(graph, free);
    let (along, along_rate) = {
        let unit = Vector3::unit(graph, free);
        (axis.cross(unit), spin.cross(axis).cross(unit))
    };
    let w = graph.constant(2.0) / (graph.one() + axis[free]);
    let half = 0.5 * (w * w);
    let w_rate = -(half * spin.dot(along));
    let error_rate = spin.dot(cosine.angular);
    let steep = half * cosine.error;
    let steep_rate = w * w_rate * cosine.error + half * error_rate;
    Gradient {
        error: w * cosine.error,
        angular: cosine.angular * w - along * steep,
        angular_rate: cosine.angular * w_rate + cosine.angular_rate * w
            - along * steep_rate
            - along_rate * steep,
        ..cosine
    }
}

/// g and ġ.
struct Gibbs<'g> {
    vector: Vector3<'g>,
    rate: Vector3<'g>,
}

impl<'g> Gibbs<'g> {
    fn new(relative: &Relative<'g>) -> Self {
        let graph = relative.position[0].graph();
        let Matrix3(r) = relative.rotation;
        let scale = graph.one() / (graph.one() + (r[0][0] + r[1][1] + r[2][2]));
        let vector =
            Vector3([r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]].map(|x| x * scale));
        let spin = relative.velocity.angular;
        let rate = (spin + spin.cross(vector) + vector * vector.dot(spin)) * graph.constant(0.5);
        Self { vector, rate }
    }

    /// 2 g along axis `k`.
    fn row(&self, k: usize) -> Gradient<'g> {
        let (g, rate) = (self.vector, self.rate);
        let graph = g[0].graph();
        let unit = Vector3::unit(graph, k);
        let zero = Vector3::zero(graph);
        Gradient {
            error: 2.0 * g[k],
            linear: zero,
            linear_rate: zero,
            angular: unit + g.cross(unit) + g * g[k],
            angular_rate: rate.cross(unit) + g * rate[k] + rate * g[k],
        }
    }
}

/// A row along and about all axes at once.
fn screwed<'g>(relative: &Relative<'g>, gibbs: &Gibbs<'g>, screw: &[Scalar; 6]) -> Gradient<'g> {
    let graph = relative.position[0].graph();
    let numbers: Vec<Expr<'g>> = screw.iter().map(|x| lower::scalar(graph, x)).collect();
    let linear = Vector3([numbers[0], numbers[1], numbers[2]]);
    let about = (0..3).map(|k| (gibbs.row(k), numbers[3 + k]));
    about.fold(relative.along(linear), |sum, (row, weight)| Gradient {
        error: sum.error + row.error * weight,
        angular: sum.angular + row.angular * weight,
        angular_rate: sum.angular_rate + row.angular_rate * weight,
        ..sum
    })
}
