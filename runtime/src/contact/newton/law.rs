//! The laws of what acts, each by one projection.
//!
//! > Λ = P(Λ − ρ (w + σ Λ))
//!
//! With P' at this point, and κ ρ as the largest stiffness, the law is linear about an iterate:
//!
//! > Λ⁺ = Λ + δ − K Δw,  B = I − P' (I − ρ max(σ, 1/(κ ρ))),  δ = B⁻¹ (P − Λ),  K = B⁻¹ ρ P'
//!
//! # Source
//!
//! Alart, Curnier: A Mixed Formulation for Frictional Contact Problems Prone to Newton Like Solution Methods (1991).

use super::polygon::{self, Sides};
use super::projection::Projection;
use crate::contact::formulation::Formulation;
use crate::contact::friction::FrictionLaw;
use crate::contact::todorov::Cone;
use crate::slices::sqrt;

/// By what ρ of a projection becomes smaller where iterates jump from one bound to the other, or friction turns round.
pub(super) const LESS: f64 = 0.25;

/// What law three rows of a contact obey, normal first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Friction {
    /// Λ_t in the disc of μ times the normal impulse, against w_t.
    Coulomb,
    /// The same in a polygon.
    Polygon(Sides),
    /// K ∋ Λ ⟂ w ∈ K* with the round cone.
    Convex,
    /// The same with a pyramid.
    Pyramid(Sides),
    /// w = 0 where it presses.
    Sticking,
}

impl Friction {
    /// That of a formulation, with polygons of these sides.
    #[inline(always)]
    pub(super) fn of(formulation: &Formulation, sides: Sides) -> Self {
        match formulation.friction() {
            FrictionLaw::Dissipating(Cone::Round) | FrictionLaw::Frictionless => Self::Coulomb,
            FrictionLaw::Dissipating(Cone::Pyramid) => Self::Polygon(sides),
            FrictionLaw::Convex(Cone::Round) => Self::Convex,
            FrictionLaw::Convex(Cone::Pyramid) => Self::Pyramid(sides),
            FrictionLaw::Infinite => Self::Sticking,
        }
    }

    /// How many corners its polygon has, if it has one.
    pub(super) fn corners(self) -> Option<usize> {
        match self {
            Self::Polygon(sides) | Self::Pyramid(sides) => Some(sides.count()),
            _ => None,
        }
    }

    /// Whether P' is symmetric anywhere.
    #[inline(always)]
    pub(super) fn is_symmetric(self) -> bool {
        matches!(self, Self::Convex | Self::Pyramid(_) | Self::Sticking)
    }

    /// P at x, with the coefficient of friction μ > 0.
    #[inline(always)]
    pub(super) fn project(self, x: [f64; 3], friction: f64) -> Projection {
        match self {
            Self::Convex => onto_cone(x, friction),
            Self::Pyramid(sides) => polygon::onto_pyramid(x, friction, sides),
            _ if x[0] <= 0.0 => Projection::NOTHING,
            Self::Coulomb => onto_disc(x, friction),
            Self::Polygon(sides) => polygon::onto_polygon(x, friction, sides),
            Self::Sticking => Projection::identity(x),
        }
    }
}

/// The tangential part of x onto the disc of μ x₀.
#[inline(always)]
fn onto_disc(x: [f64; 3], friction: f64) -> Projection {
    let [normal, a, b] = x;
    let (radius, length) = (friction * normal, sqrt(a * a + b * b));
    if length <= radius {
        return Projection::identity(x);
    }
    let ([a, b], scale) = ([a / length, b / length], radius / length);
    let by = [
        [friction * a, friction * b],
        [scale * (1.0 - a * a), -scale * a * b],
        [-scale * a * b, scale * (1.0 - b * b)],
    ];
    Projection::pressing(normal, [radius * a, radius * b], by)
}

/// x onto the round cone.
#[inline(always)]
fn onto_cone(x: [f64; 3], friction: f64) -> Projection {
    let [normal, a, b] = x;
    let length = sqrt(a * a + b * b);
    if length <= friction * normal {
        return Projection::identity(x);
    }
    if friction * length <= -normal {
        return Projection::NOTHING;
    }
    let [a, b] = [a / length, b / length];
    let share = 1.0 / (1.0 + friction * friction);
    let pressing = share * (normal + friction * length);
    // ∂P₀/∂x.
    let slope = [share, share * friction * a, share * friction * b];
    let scale = friction * pressing / length;
    let across = [[0.0, 0.0], [1.0 - a * a, -a * b], [-a * b, 1.0 - b * b]];
    let column = |k: usize| {
        let along = friction * slope[k];
        [slope[k], along * a + scale * across[k][0], along * b + scale * across[k][1]]
    };
    let value = [pressing, friction * pressing * a, friction * pressing * b];
    Projection { value, derivative: [column(0), column(1), column(2)] }
}

/// What a law is made linear with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// ρ: the inertia along the rows, by which errors are judged.
    pub(super) rho: f64,
    /// The ρ of the projection, which may be less.
    pub(super) reach: f64,
    /// κ.
    pub(super) holding: f64,
}

impl Scale {
    /// ρ max(σ, 1/(κ ρ)).
    #[inline(always)]
    pub(super) fn given(self, softness: f64) -> f64 {
        self.reach * softness.max(1.0 / (self.holding * self.rho))
    }
}

/// A law that is linear about an iterate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    /// δ.
    pub(super) change: [f64; 3],
    /// K, column by column.
    pub(super) stiffness: [[f64; 3]; 3],
}

impl Linear {
    /// Of a contact with friction, from Λ to its projection.
    #[inline(always)]
    pub(super) fn of_contact(
        lambda: [f64; 3],
        projection: &Projection,
        softness: [f64; 3],
        scale: Scale,
    ) -> Self {
        let missing = core::array::from_fn(|k| projection.value[k] - lambda[k]);
        Self::new(missing, &projection.derivative, softness, scale)
    }

    /// Of P − Λ and P'.
    #[inline(always)]
    pub(super) fn new(
        missing: [f64; 3],
        derivative: &[[f64; 3]; 3],
        softness: [f64; 3],
        scale: Scale,
    ) -> Self {
        // Columns of B, as (I − P') + P' ρ max(σ, 1/(κ ρ)): the first part is exactly zero of what holds.
        let (mut b, mut stiffness) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        for j in 0..3 {
            let given = scale.given(softness[j]);
            for i in 0..3 {
                let of_unit = if i == j { 1.0 } else { 0.0 };
                b[j][i] = (of_unit - derivative[j][i]) + derivative[j][i] * given;
                stiffness[j][i] = scale.reach * derivative[j][i];
            }
        }
        let inverse = inverse(&b);
        for column in &mut stiffness {
            *column = times(&inverse, column);
        }
        Self { change: times(&inverse, &missing), stiffness }
    }
}

/// M x, by the columns of M.
#[inline(always)]
pub(super) fn times([a, b, c]: &[[f64; 3]; 3], [x, y, z]: &[f64; 3]) -> [f64; 3] {
    [a[0] * x + b[0] * y + c[0] * z, a[1] * x + b[1] * y + c[1] * z, a[2] * x + b[2] * y + c[2] * z]
}

#[inline(always)]
fn cross(x: &[f64; 3], y: &[f64; 3]) -> [f64; 3] {
    [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
}

/// B⁻¹, column by column.
#[inline(always)]
fn inverse([a, b, c]: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let [x, y, z] = [cross(b, c), cross(c, a), cross(a, b)];
    let by = 1.0 / (a[0] * x[0] + a[1] * x[1] + a[2] * x[2]);
    [
        [by * x[0], by * y[0], by * z[0]],
        [by * x[1], by * y[1], by * z[1]],
        [by * x[2], by * y[2], by * z[2]],
    ]
}
