//! How well a step satisfies its equations, from its configurations, momenta and impulses alone.
//!
//! > pₙ + Hᵀ λ + Jᵀ Λ + D₁L_d,  M vₙ₊₁ − pₙ₊₁,  h(qₙ₊₁) / ρ,  ḣ(qₙ₊₁, vₙ₊₁) / ρ,
//! > min(Λₙ, w),  Λₜ − P(Λₜ − wₜ) with P onto the disc of radius μ Λₙ,  Λ − mid(lower, Λ − w, upper),
//! > Λ − P(Λ − w) with P onto the ball of a joint's dry friction
//!
//! at both ends of the chord, the natural residuals of the laws: zero exactly where they hold. Each is divided by its
//! largest term, if that is above one.

use super::arrival::Arrival;
use super::motion::{Motion, Start};
use super::one_sided::Acting;
use super::phase::Phase;
use crate::cone::Block;
use crate::contact::Residual;
use crate::description::Level;
use crate::slices::{largest, sqrt, worse};
use crate::unilateral::Unilateral;

/// The residual of a step from its motion and its arrival.
pub(super) fn residual(start: &Start<'_>, motion: &Motion, arrival: &Arrival) -> Residual {
    let of_start = momentum(&motion.missing, start.p);
    let of_end = momentum(&arrival.imbalance, &arrival.momentum);
    let mut all = Residual {
        momentum: worse(of_start, of_end),
        constraints: constraints(start.h, motion, arrival),
        ..Residual::default()
    };
    add_laws(&motion.phase, &mut all);
    add_laws(&arrival.phase, &mut all);
    all
}

/// What is missing of a momentum, coordinate by coordinate.
fn momentum(missing: &[f64], p: &[f64]) -> f64 {
    let parts = missing.iter().zip(p).map(|(missing, p)| missing.abs() / p.abs().max(1.0));
    parts.fold(0.0, worse)
}

/// Errors of places at the end of the motion, and of rates in its middle and at its end.
fn constraints(h: f64, motion: &Motion, arrival: &Arrival) -> f64 {
    let fastest = largest(&motion.chord.middle.1).max(1.0);
    let levels = motion.phase.table.constraints.iter().flat_map(|constraint| constraint.levels);
    let rows = levels.zip(&motion.errors).zip(&motion.phase.reaches);
    let of_motion = rows.map(|((level, error), reach)| match level {
        Level::Position => (error * h / reach).abs(),
        Level::Velocity => (error / reach).abs() / fastest,
    });
    let rates = arrival.rates.iter().zip(&arrival.phase.reaches);
    let of_arrival = rates.map(|(rate, reach)| (rate / reach).abs() / fastest);
    of_motion.chain(of_arrival).fold(0.0, worse)
}

/// Adds what the laws of a phase leave.
fn add_laws(phase: &Phase, to: &mut Residual) {
    for (one, block, rows) in phase.parts() {
        let (impulse, w) = (&phase.impulses[rows.clone()], &phase.w[rows]);
        let [first, second] = law(block, impulse, w);
        match one {
            Acting::Unilateral(Unilateral::Contact(_)) => {
                to.normal = worse(to.normal, first);
                to.friction = worse(to.friction, second);
            }
            Acting::Unilateral(_) => to.limits = worse(to.limits, first),
            Acting::Servo(_) => to.motors = worse(to.motors, first),
            Acting::Dry(_) => to.dry_friction = worse(to.dry_friction, first),
        }
    }
}

/// What a law leaves, and its friction.
fn law(block: &Block, impulse: &[f64], w: &[f64]) -> [f64; 2] {
    let scale = largest(impulse).max(1.0);
    match (*block, impulse, w) {
        (Block::Row { lower, upper }, &[impulse], &[w]) => {
            [(impulse - (impulse - w).max(lower).min(upper)).abs() / scale, 0.0]
        }
        (Block::Ball { radius }, &[a, b, c], &[u, v, w]) => {
            let moved = [a - u, b - v, c - w];
            let length = sqrt(moved.iter().map(|x| x * x).sum());
            let kept = if length > radius { radius / length } else { 1.0 };
            let left = impulse.iter().zip(moved).map(|(p, z)| (p - kept * z).abs() / scale);
            [left.fold(0.0, worse), 0.0]
        }
        (Block::Contact { friction, .. }, &[n, x, y], &[open, u, v]) => {
            let (p, q) = (x - u, y - v);
            let (radius, length) = ((friction * n).max(0.0), sqrt(p * p + q * q));
            let kept = if length > radius { radius / length } else { 1.0 };
            let left = worse((x - kept * p).abs(), (y - kept * q).abs());
            // A minimum with NaN is NaN.
            let normal = if n < open { n } else { open + 0.0 * n };
            [normal.abs() / scale, left / scale]
        }
        _ => [f64::NAN; 2],
    }
}
