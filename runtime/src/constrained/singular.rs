//! Singular positions of declared constraints: where branches of their manifold meet.
//!
//! > H(q) = U Σ Vᵀ,  P = 1 − V₊ V₊ᵀ,  B(x) = uᵀ ∂H[P x] P
//!
//! with rows of unit size, a left singular vector u of a small singular value σ, and those values Σ₊ that are larger. Where
//! rows depend on one another all along the manifold, uᵀ H stays zero there: B vanishes. Where it does not, uᵀ H changes
//! along the motions that the other rows leave, and is zero at a distance of
//!
//! > δ = σ / |B|
//!
//! about: at a singular position, such as the dead centre of a parallelogram, where the constraint is quadratic in these
//! motions to the first order that counts, uᵀ h = ½ xᵀ B x, and leaves several branches to them. A velocity v says which of
//! them is gone along if B(v) has a part for each u; rest says nothing. A velocity that all rows let be, H v = 0, is in none of
//! them where uᵀ ḧ is not zero without v̇, which no acceleration makes zero.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

use super::reaches;
use crate::manifold;
use crate::model::{Robot, Table};
use crate::slices::worse;

/// Singular values that are not small.
const NEAR: f64 = 0.05;
/// Those of rows that depend on one another all along, beside the manifold.
const DEPENDENT: f64 = 1e-6;
/// Those that are rounding.
const NOTHING: f64 = 1e-9;
/// By how much coordinates are moved for differences, in m or rad.
const STEP: f64 = 1e-4;
/// How far rows are looked at for their size besides.
const AWAY: f64 = 0.2;
/// |B| in 1/m or 1/rad that is rounding.
const FLAT: f64 = 1e-5;

/// A distance to a singular position that is none, in m or rad.
pub(crate) const AT: f64 = 1e-7;
/// Speeds that are rest, in m/s or rad/s.
pub(crate) const REST: f64 = 1e-6;
/// uᵀ ḧ by |B| and the square of the speed that is of no branch; what a distance makes of it, in 1/m or 1/rad.
const ASIDE: f64 = 1e-5;
const CURVED: f64 = 10.0;

/// A singular position nearby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Singular {
    /// The constraint whose rows have most part in it.
    pub(crate) constraint: &'static str,
    /// δ, in m or rad.
    pub(crate) distance: f64,
    /// |B|, in 1/m or 1/rad.
    pub(crate) curvature: f64,
    /// How fast the motion comes by, |B(v)| / |B| of the slowest u, in m/s or rad/s.
    pub(crate) speed: f64,
    /// |uᵀ ḧ| / |B| without v̇ of the worst u, by the square of the velocity in the coordinates of B.
    aside: f64,
}

impl Singular {
    /// Whether the velocity is along no branch.
    pub(crate) fn is_aside(&self) -> bool {
        self.aside > ASIDE + CURVED * self.distance
    }
}

/// The singular position that is next, if one is near.
pub(crate) fn nearest_singular(
    robot: Robot<'_>,
    (q, v): (&[f64], &[f64]),
    t: f64,
) -> Option<Singular> {
    let weights = weights(robot, (q, v), t);
    let rows = |q: &[f64]| scaled(robot, (q, v), t, &weights);
    let mut bias = DVector::repeat(robot.nc, f64::NAN);
    robot.constraint_bias_into(q, v, t, bias.as_mut_slice());
    bias.iter_mut().zip(&weights).for_each(|(bias, weight)| *bias *= weight);
    let here = rows(q);
    if here.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let decomposed = here.svd(true, true);
    let (u, v_transposed) = (decomposed.u?, decomposed.v_t?);
    let values = &decomposed.singular_values;
    let moved = |way: &DVector<f64>, by: f64| {
        let mut to = q.to_vec();
        manifold::integrate(robot.joints, way.as_slice(), by, &mut to);
        rows(&to)
    };
    let small = (0..values.len()).filter(|k| values[*k] < NEAR);
    let found = small.filter_map(|k| {
        let free = free(robot.nv, &v_transposed, |other| values[other] > 3.0 * values[k] + NOTHING);
        let along = u.column(k).transpose();
        let slope = |way: &DVector<f64>| {
            &along * (moved(way, STEP) - moved(way, -STEP)) * &free * (0.5 / STEP)
        };
        let slopes: Vec<f64> =
            (0..robot.nv).map(|j| slope(&free.column(j).into()).norm()).collect();
        let curvature = slopes.iter().copied().fold(0.0, worse);
        if curvature <= FLAT {
            return None;
        }
        let passing = slope(&(&free * DVector::from_column_slice(v)));
        Some(Singular {
            constraint: most(&robot, u.column(k).as_slice()),
            distance: values[k] / curvature,
            curvature,
            speed: passing.norm() / curvature,
            aside: aside(u.column(k).dot(&bias).abs(), (&slopes, curvature), v),
        })
    });
    // What is beside one part of a place must lead out of all.
    found.reduce(|a, b| {
        let (speed, aside) = (a.speed.min(b.speed), worse(a.aside, b.aside));
        Singular { speed, aside, ..if a.distance <= b.distance { a } else { b } }
    })
}

/// Whether rows depend on one another all along, and not in a singular position alone.
pub(crate) fn is_redundant(robot: Robot<'_>, (q, v): (&[f64], &[f64]), t: f64) -> bool {
    let rows = scaled(robot, (q, v), t, &weights(robot, (q, v), t));
    if rows.iter().any(|entry| !entry.is_finite()) {
        return true;
    }
    let values = rows.svd(false, false).singular_values;
    let small = values.iter().filter(|value| **value < DEPENDENT).count();
    let is_singular =
        nearest_singular(robot, (q, v), t).is_some_and(|near| near.distance < DEPENDENT);
    robot.nc > robot.nv || small > usize::from(is_singular)
}

/// The singular position at `q`, to rounding, if it is one; and whether the velocity says which branch the motion goes on along.
/// It does if it is along one, and leads through faster than `gained`, the largest change of a velocity in the step.
pub(crate) fn singular_at(
    robot: Robot<'_>,
    (q, v): (&[f64], &[f64]),
    t: f64,
    gained: impl FnOnce() -> f64,
) -> Option<(Singular, bool)> {
    let near = nearest_singular(robot, (q, v), t).filter(|near| near.distance < AT)?;
    let leads = !near.is_aside() && near.speed >= REST && near.speed >= gained();
    Some((near, leads))
}

/// Whether a motion from one configuration to another that is near has come through a singular position: whether
///
/// > det [Uᵣᵀ H(q₁); Nᵀ],  N of ker H(q₀)
///
/// has another sign than at q₀.
pub(crate) fn comes_through(
    robot: Robot<'_>,
    (from, to, v): (&[f64], &[f64], &[f64]),
    t: f64,
) -> bool {
    let weights = weights(robot, (from, v), t);
    let [here, there] = [from, to].map(|q| scaled(robot, (q, v), t, &weights));
    // Zero rows make all right singular vectors known.
    let mut padded = here.clone().resize_vertically(robot.nc.max(robot.nv), 0.0);
    padded.iter_mut().filter(|entry| !entry.is_finite()).for_each(|entry| *entry = 0.0);
    let decomposed = padded.svd(true, true);
    let (Some(u), Some(v_transposed)) = (decomposed.u, decomposed.v_t) else { return false };
    let values = &decomposed.singular_values;
    let sign = |rows: &DMatrix<f64>| {
        let stacked = DMatrix::from_fn(robot.nv, robot.nv, |k, j| match values.get(k) {
            Some(value) if *value > DEPENDENT => {
                (0..robot.nc).map(|i| u[(i, k)] * rows[(i, j)]).sum::<f64>()
            }
            _ => v_transposed[(k, j)],
        });
        stacked.determinant()
    };
    sign(&here) * sign(&there) < 0.0
}

/// |uᵀ ḧ| by |B| and the square of the velocity, each coordinate as it counts in B.
fn aside(left: f64, (slopes, curvature): (&[f64], f64), v: &[f64]) -> f64 {
    let square: f64 = slopes.iter().zip(v).map(|(slope, v)| (slope * v) * (slope * v)).sum();
    if left > 0.0 { left * curvature / square } else { 0.0 }
}

/// The projector on the motions that rows leave, of which those with these singular values hold.
fn free(nv: usize, v_transposed: &DMatrix<f64>, holds: impl Fn(usize) -> bool) -> DMatrix<f64> {
    let mut free = DMatrix::identity(nv, nv);
    for k in (0..v_transposed.nrows()).filter(|k| holds(*k)) {
        let along = v_transposed.row(k).transpose();
        free -= &along * along.transpose();
    }
    free
}

/// 1 / ρ of the rows, also of those that vanish here.
fn weights(robot: Robot<'_>, (q, v): (&[f64], &[f64]), t: f64) -> Vec<f64> {
    let (nv, nc) = (robot.nv, robot.nc);
    let way: Vec<f64> = (0..nv).map(|k| AWAY * (1.0 - 1.6 * (0.618 * k as f64 % 1.0))).collect();
    let mut away = q.to_vec();
    manifold::integrate(robot.joints, &way, 1.0, &mut away);
    let (mut jacobian, mut lengths) = (vec![f64::NAN; nc * nv], [Vec::new(), Vec::new()]);
    for (lengths, q) in lengths.iter_mut().zip([q, &away[..]]) {
        robot.constraint_jacobian_into(q, v, t, &mut jacobian);
        let counts = robot.constraints.iter().map(|constraint| constraint.levels.len());
        reaches(counts, (nc, &jacobian), lengths);
    }
    let [here, there] = lengths;
    here.into_iter().zip(there).map(|(a, b)| 1.0 / worse(a, b)).collect()
}

/// H by these weights.
fn scaled(robot: Robot<'_>, (q, v): (&[f64], &[f64]), t: f64, weights: &[f64]) -> DMatrix<f64> {
    let mut rows = DMatrix::repeat(robot.nc, robot.nv, f64::NAN);
    robot.constraint_jacobian_into(q, v, t, rows.as_mut_slice());
    for mut column in rows.column_iter_mut() {
        column.iter_mut().zip(weights).for_each(|(entry, weight)| *entry *= weight);
    }
    rows
}

/// The constraint whose rows have the largest part in a combination of all.
fn most(table: &Table, u: &[f64]) -> &'static str {
    let mut best = ("", 0.0);
    for constraint in table.constraints {
        let own = &u[constraint.first..constraint.first + constraint.levels.len()];
        let size: f64 = own.iter().map(|x| x * x).sum();
        if size > best.1 {
            best = (constraint.name, size);
        }
    }
    best.0
}
