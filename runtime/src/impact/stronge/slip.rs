//! Slip that turns, as an ordinary differential equation.
//!
//! z = (θ, ln s, w_n, Λ_n, Λ_t, W) is a function of τ with dτ = dp/s. Where slip ends, τ goes to infinity: s vanishes
//! exponentially, and θ comes to the direction in which it ends as fast, so that the last stretch is straight to rounding.

use super::path::{Path, product};
use super::single::Failure;
use crate::integrate::{Adaptive, At, Phase, Space, Tolerance};

/// Of every coordinate.
const TOLERANCE: f64 = 1e-12;
/// Steps after which a path is given up.
const STEPS: usize = 10_000;
/// A τ that no path comes to.
const FOREVER: f64 = 1e9;
/// ln of the share of its speed below which slip has ended.
const ENDED: f64 = -32.0;

/// Moves on until slip is straight or has ended, w_n changes its sign, or the impact is over.
pub(super) fn go_on(path: &mut Path<'_>) -> Result<(), Failure> {
    let start = *path;
    let speed = libm::hypot(path.w[1], path.w[2]);
    let scale = start.of.a[0][0];
    let mut rates = |at: At<'_>, _: &mut [f64], z_dot: &mut [f64]| {
        z_dot.copy_from_slice(&rates_of(&start, at.z, scale));
    };
    let space = Space::flat(0, 7);
    let theta = libm::atan2(path.w[2], path.w[1]);
    let z = [theta, libm::log(speed), path.w[0], 0.0, 0.0, 0.0, 0.0];
    let phase = Phase { z: z.into(), ..Phase::neutral(&space) };
    let tolerance = Tolerance::new(TOLERANCE, TOLERANCE).map_err(Failure::Slip)?;
    let mut motion = Adaptive::new(&space, phase, tolerance).map_err(Failure::Slip)?;
    let compresses = path.w[0] < 0.0 || path.w[0] == 0.0 && normal_rate(&start, theta) < 0.0;
    // Positive until w_n changes its sign, or all is returned.
    let mut normal = move |at: At<'_>| if compresses { -at.z[2] } else { at.z[2] };
    let mut owed = move |at: At<'_>| if compresses { 1.0 } else { start.owed() - at.z[6] };
    let mut room = Phase::neutral(&space);
    for _ in 0..STEPS {
        motion.step(&mut rates, FOREVER).map_err(Failure::Slip)?;
        let Some(dense) = motion.dense() else { return Err(Failure::Unending) };
        let from = dense.start();
        let found = [
            dense.first_crossing(&mut normal, from, &mut room).map_err(Failure::Slip)?,
            dense.first_crossing(&mut owed, from, &mut room).map_err(Failure::Slip)?,
        ];
        let first = found.iter().flatten().map(|crossing| crossing.after).reduce(f64::min);
        if let Some(time) = first {
            dense.write(time, &mut room);
            take(path, &room.z);
            if found[0].is_some_and(|crossing| crossing.after == time) {
                path.w[0] = 0.0;
            } else {
                path.returned += path.owed();
            }
            return Ok(());
        }
        let z = &motion.phase().z;
        let (sine, cosine) = libm::sincos(z[0]);
        let has_ended = z[1] < ENDED;
        if has_ended || start.is_straight([cosine, sine]) {
            take(path, z);
            if has_ended {
                (path.w[1], path.w[2]) = (0.0, 0.0);
            }
            return Ok(());
        }
    }
    Err(Failure::Unending)
}

/// dw_n/dp where slip is along θ.
fn normal_rate(path: &Path<'_>, theta: f64) -> f64 {
    let (sine, cosine) = libm::sincos(theta);
    product(&path.of.a, path.sliding([cosine, sine]))[0]
}

/// Takes the state z over.
fn take(path: &mut Path<'_>, z: &[f64]) {
    let (sine, cosine) = libm::sincos(z[0]);
    let speed = libm::exp(z[1]);
    path.w = [z[2], speed * cosine, speed * sine];
    (0..3).for_each(|k| path.impulse[k] += z[3 + k]);
    path.settle(z[6]);
}

/// z', by A_nn.
fn rates_of(path: &Path<'_>, z: &[f64], scale: f64) -> [f64; 7] {
    let (sine, cosine) = libm::sincos(z[0]);
    let ratio = path.sliding([cosine, sine]);
    let [normal, x, y] = product(&path.of.a, ratio).map(|rate| rate / scale);
    let speed = libm::exp(z[1]);
    let p = speed / scale;
    [
        cosine * y - sine * x,
        cosine * x + sine * y,
        speed * normal,
        p,
        p * ratio[1],
        p * ratio[2],
        p * z[2],
    ]
}
