//! The natural map of a block: by how much it is not solved.
//!
//! > Coulomb:  eₙ = ℓₙ − (ℓₙ − wₙ)⁺,  eₜ = ℓₜ − P(ℓₜ − wₜ), P onto the disc of radius μ ℓₙ⁺, and likewise of rolling
//! > convex:   e = ℓ − P(ℓ − w), P onto K in the metric of 1 / s
//! > row:      e = ℓ − min(max(ℓ − w, s·lower), s·upper)
//! > ball:     e = ℓ − P(ℓ − w), P onto the ball of radius s r
//!
//! in velocities: ℓ = s λ, s being the block's mobility, a mean diagonal entry of A. A torsional row has a
//! mobility of its own, and so have both rows of rolling.
//!
//! # Source
//!
//! Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton like Solution Methods
//! (1991). Acary, Brémond, Huber: On Solving Contact Problems with Coulomb Friction (2018), section 4.

use super::problem::{BLOCK_ROWS, Coefficients};
use super::vector::length;
use super::{Block, Law};
use crate::kernel::Real;

/// A block's rows in velocities: of ℓ, of w, or of e.
pub(super) type Rows = [f64; BLOCK_ROWS];

/// e of a contact, from ℓ and w. Rows that it has not are zero.
#[inline(always)]
pub(super) fn contact<A: Real>(cone: &Cone, law: Law, l: &Rows, w: &Rows) -> Rows {
    let z: Rows = core::array::from_fn(|k| l[k] - w[k]);
    let sizes = sizes::<A>(&z);
    let [slip, _, roll] = sizes;
    let normal = match law {
        Law::Coulomb => positive(l[0]),
        Law::Convex => cone.project(z[0], sizes),
    };
    let first = match law {
        Law::Coulomb if z[0] <= 0.0 => l[0],
        Law::Coulomb => w[0],
        Law::Convex => l[0] - normal,
    };
    let kept = |size: f64, radius: f64| if size > radius { radius / size } else { 1.0 };
    let (slides, rolls) = (kept(slip, cone.friction * normal), kept(roll, cone.rolling * normal));
    let bound = cone.torsion * normal;
    [
        first,
        l[1] - slides * z[1],
        l[2] - slides * z[2],
        row(l[3], w[3], (-bound, bound)),
        l[4] - rolls * z[4],
        l[5] - rolls * z[5],
    ]
}

/// The sizes of what of z is in the tangents, about the normal, and about the tangents.
#[inline(always)]
pub(super) fn sizes<A: Real>(z: &Rows) -> [f64; 3] {
    [length::<A>(z[1], z[2]), z[3].abs(), length::<A>(z[4], z[5])]
}

/// e of a row, from ℓ, w and the bounds of ℓ.
#[inline(always)]
pub(super) fn row(l: f64, w: f64, (lower, upper): (f64, f64)) -> f64 {
    let z = l - w;
    if z < lower {
        l - lower
    } else if z > upper {
        l - upper
    } else {
        w
    }
}

/// e of a ball, from ℓ, w and the radius of ℓ.
#[inline(always)]
pub(super) fn ball<A: Real>(l: &Rows, w: &Rows, radius: f64) -> [f64; 3] {
    let z = [l[0] - w[0], l[1] - w[1], l[2] - w[2]];
    let size = A::sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
    let kept = if size > radius { radius / size } else { 1.0 };
    core::array::from_fn(|k| if size > radius { l[k] - kept * z[k] } else { w[k] })
}

/// x⁺; NaN if x is.
#[inline(always)]
pub(super) fn positive(x: f64) -> f64 {
    if x < 0.0 { 0.0 } else { x }
}

/// The cone of ℓ: ‖ℓₜ‖ ≤ μ ℓₙ, |ℓ_τ| ≤ ν′ ℓₙ with ν′ = ν s_τ / s, ‖ℓ_ϱ‖ ≤ ϱ′ ℓₙ with ϱ′ = ϱ s_ϱ / s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// μ.
    pub(super) friction: f64,
    /// ν′ and ϱ′; zero if there are no such rows.
    pub(super) torsion: f64,
    pub(super) rolling: f64,
    /// ν and ϱ.
    pub(super) levers: [f64; 2],
}

impl Cone {
    /// Of a contact with the mobilities of its tangents, its torsional row, and those of rolling.
    #[inline(always)]
    pub(super) fn new(of: Coefficients, [first, about, rolling]: [f64; 3]) -> Self {
        let Coefficients { friction, torsion, rolling: arm } = of;
        let scaled = |lever: f64, s: f64| if lever == 0.0 { 0.0 } else { lever * s / first };
        let levers = [torsion, arm];
        Self { friction, torsion: scaled(torsion, about), rolling: scaled(arm, rolling), levers }
    }

    /// ℓₙ of the projection of z onto the cone, in the metric of 1 / s, from zₙ, and ‖zₜ‖, |z_τ| and ‖z_ϱ‖: the root of
    ///
    /// > n − zₙ − μ (‖zₜ‖ − μ n)⁺ − ν (|z_τ| − ν′ n)⁺ − ϱ (‖z_ϱ‖ − ϱ′ n)⁺
    ///
    /// which increases with n, or zero. It is concave, so that Newton's method rises to the root from zₙ, and leaves one term after
    /// the other behind.
    #[inline(always)]
    pub(super) fn project(&self, normal: f64, sizes: [f64; 3]) -> f64 {
        let by = [self.friction, self.levers[0], self.levers[1]];
        let bounds = [self.friction, self.torsion, self.rolling];
        let acts = |n: f64| -> [bool; 3] {
            core::array::from_fn(|k| by[k] > 0.0 && sizes[k] > bounds[k] * n)
        };
        let (mut n, mut acting) = (normal, acts(normal));
        while acting.contains(&true) {
            let (mut sum, mut slope) = (normal, 1.0);
            for k in (0..3).filter(|&k| acting[k]) {
                sum += by[k] * sizes[k];
                slope += by[k] * bounds[k];
            }
            n = sum / slope;
            let left = acts(n);
            // None begins to act again, but for rounding.
            let remaining = core::array::from_fn(|k| acting[k] && left[k]);
            if remaining == acting {
                break;
            }
            acting = remaining;
            if acting == [false; 3] {
                n = normal;
            }
        }
        positive(n)
    }
}

/// The block's rows from `first` on; rows that it has not are zero.
#[inline(always)]
pub(super) fn rows(x: &[f64], first: usize, block: &Block) -> Rows {
    match (block, &x[first..]) {
        (Block::Rolling { .. }, &[n, t, u, about, x, y, ..]) => [n, t, u, about, x, y],
        (Block::Contact { torsion: Some(_), .. }, &[n, t, u, about, ..]) => {
            [n, t, u, about, 0.0, 0.0]
        }
        (Block::Contact { .. } | Block::Ball { .. }, &[n, t, u, ..]) => [n, t, u, 0.0, 0.0, 0.0],
        (Block::Planar { .. }, &[n, t, ..]) => [n, t, 0.0, 0.0, 0.0, 0.0],
        (Block::Row { .. }, &[x, ..]) => [x, 0.0, 0.0, 0.0, 0.0, 0.0],
        _ => [0.0; BLOCK_ROWS],
    }
}
