//! Small automata whose motion is known.

use jourdain::hybrid::Closures;
use jourdain::integrate::{Phase, Space};

pub(crate) const G: f64 = 9.81;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Point {
    Flying,
    Resting,
}

/// A point (x, z) above the ground z = 0 without friction.
pub(crate) fn bouncing(e: f64) -> Closures<Point> {
    use Point::{Flying, Resting};
    Closures::new()
        .mode(Flying, |_, v_dot, _| v_dot.copy_from_slice(&[0.0, -G]))
        .mode(Resting, |_, v_dot, _| v_dot.fill(0.0))
        .guard(
            Flying,
            "impact",
            |at| at.q[1],
            move |phase| {
                phase.v[1] *= -e;
                Flying
            },
        )
        .limit(Flying, "impact", |phase| {
            (phase.q[1], phase.v[1]) = (0.0, 0.0);
            Resting
        })
}

pub(crate) fn thrown(height: f64, v: [f64; 2]) -> (Space, Phase) {
    let space = Space::flat(2, 0);
    let phase = Phase { q: vec![0.0, height], v: v.to_vec(), ..Phase::neutral(&space) };
    (space, phase)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wheel {
    Pivoting,
    Standing,
}

/// Half the angle between spokes.
pub(crate) const ALPHA: f64 = std::f64::consts::PI / 8.0;
pub(crate) const SLOPE: f64 = 0.08;

/// A rimless wheel of eight spokes of one metre, its mass at the hub; θ is the angle of the spoke that stands, from the
/// vertical and down the slope.
pub(crate) fn rimless_wheel() -> Closures<Wheel> {
    use Wheel::{Pivoting, Standing};
    let step = |by: f64| {
        move |phase: &mut Phase| {
            phase.q[0] += by;
            phase.v[0] *= (2.0 * ALPHA).cos();
            Pivoting
        }
    };
    Closures::new()
        .mode(Pivoting, |at, v_dot, _| v_dot[0] = G * at.q[0].sin())
        .mode(Standing, |_, v_dot, _| v_dot[0] = 0.0)
        .guard(Pivoting, "forward", |at| SLOPE + ALPHA - at.q[0], step(-2.0 * ALPHA))
        .guard(Pivoting, "back", |at| at.q[0] - (SLOPE - ALPHA), step(2.0 * ALPHA))
        .limit(Pivoting, "forward", |phase| {
            phase.v[0] = 0.0;
            Standing
        })
        .limit(Pivoting, "back", |phase| {
            phase.v[0] = 0.0;
            Standing
        })
}

/// Right after a step down the slope.
pub(crate) fn stepped(speed: f64) -> (Space, Phase) {
    let space = Space::flat(1, 0);
    let phase = Phase { q: vec![SLOPE - ALPHA], v: vec![speed], ..Phase::neutral(&space) };
    (space, phase)
}
