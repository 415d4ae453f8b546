//! The natural map of a block: by how much it is not solved.
//!
//! > Coulomb:  eₙ = ℓₙ − (ℓₙ − wₙ)⁺,  eₜ = ℓₜ − P(ℓₜ − wₜ), P onto the disc of radius μ ℓₙ⁺
//! > convex:   e = ℓ − P(ℓ − w), P onto K in the metric of 1 / s
//! > row:      e = ℓ − min(max(ℓ − w, s·lower), s·upper)
//! > ball:     e = ℓ − P(ℓ − w), P onto the ball of radius s r
//!
//! in velocities: ℓ = s λ, s being the block's mobility, a mean diagonal entry of A. A torsional row has a
//! mobility of its own.
//!
//! # Source
//!
//! Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton like Solution Methods
//! (1991). Acary, Brémond, Huber: On Solving Contact Problems with Coulomb Friction (2018), section 4.

use super::vector::length;
use super::{Block, Law};
use crate::kernel::Real;

/// A block's rows in velocities: of ℓ, of w, or of e.
pub(super) type Rows = [f64; 4];

/// e of a contact, from ℓ and w. Rows that it has not are zero.
#[inline(always)]
pub(super) fn contact<A: Real>(cone: &Cone, law: Law, l: &Rows, w: &Rows) -> Rows {
    let z = [l[0] - w[0], l[1] - w[1], l[2] - w[2], l[3] - w[3]];
    let slip = length::<A>(z[1], z[2]);
    let normal = match law {
        Law::Coulomb => positive(l[0]),
        Law::Convex => cone.project(z[0], slip, z[3].abs()),
    };
    let first = match law {
        Law::Coulomb if z[0] <= 0.0 => l[0],
        Law::Coulomb => w[0],
        Law::Convex => l[0] - normal,
    };
    let radius = cone.friction * normal;
    let kept = if slip > radius { radius / slip } else { 1.0 };
    let bound = cone.torsion * normal;
    [first, l[1] - kept * z[1], l[2] - kept * z[2], row(l[3], w[3], (-bound, bound))]
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

/// The cone of ℓ: ‖ℓₜ‖ ≤ μ ℓₙ, |ℓ_τ| ≤ ν′ ℓₙ with ν′ = ν s_τ / s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// μ.
    pub(super) friction: f64,
    /// ν′; zero if there is no torsional row.
    pub(super) torsion: f64,
    /// ν.
    lever: f64,
}

impl Cone {
    /// Of a contact with the mobilities of its first and its last row.
    #[inline(always)]
    pub(super) fn new(friction: f64, torsion: Option<f64>, (first, last): (f64, f64)) -> Self {
        match torsion {
            None => Self { friction, torsion: 0.0, lever: 0.0 },
            Some(lever) => Self { friction, torsion: lever * last / first, lever },
        }
    }

    /// ℓₙ of the projection of z onto the cone, in the metric of 1 / s, from zₙ, ‖zₜ‖ and |z_τ|: the root of
    ///
    /// > n − zₙ − μ (‖zₜ‖ − μ n)⁺ − ν (|z_τ| − ν′ n)⁺
    ///
    /// which increases with n, or zero.
    #[inline(always)]
    pub(super) fn project(&self, normal: f64, tangent: f64, about: f64) -> f64 {
        let (mu, nu, lever) = (self.friction, self.torsion, self.lever);
        // Without torsional friction z_τ is no part of the root.
        let (held, spun) = (tangent <= mu * normal, lever == 0.0 || about <= nu * normal);
        if held && spun {
            return positive(normal);
        }
        let only_slides = (normal + mu * tangent) / (1.0 + mu * mu);
        if !held && (lever == 0.0 || about <= nu * only_slides) {
            return positive(only_slides);
        }
        let only_spins = (normal + lever * about) / (1.0 + lever * nu);
        if tangent <= mu * only_spins {
            return positive(only_spins);
        }
        let both = (normal + mu * tangent + lever * about) / (1.0 + mu * mu + lever * nu);
        positive(both)
    }
}

/// The block's rows from `first` on; rows that it has not are zero.
#[inline(always)]
pub(super) fn rows(x: &[f64], first: usize, block: &Block) -> Rows {
    match (block, &x[first..]) {
        (Block::Contact { torsion: Some(_), .. }, &[n, t, u, about, ..]) => [n, t, u, about],
        (Block::Contact { .. } | Block::Ball { .. }, &[n, t, u, ..]) => [n, t, u, 0.0],
        (Block::Planar { .. }, &[n, t, ..]) => [n, t, 0.0, 0.0],
        (Block::Row { .. }, &[x, ..]) => [x, 0.0, 0.0, 0.0],
        _ => [0.0; 4],
    }
}
