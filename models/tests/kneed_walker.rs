//! Impacts of the kneed walker, by point masses.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use jourdain::hybrid::Automaton;
use jourdain::integrate::{Phase, Space};
use jourdain_models::kneed_walker::Knee;
use jourdain_models::{KneedWalk, KneedWalker};
use nalgebra::Vector3;

const CHEN: KneedWalker = KneedWalker::CHEN;

type Mass = (f64, Vector3<f64>, Vector3<f64>);

/// Masses with their places and velocities, of the leg that stands, the hip and the leg that swings.
fn masses(Phase { q, v, .. }: &Phase) -> Vec<Mass> {
    let KneedWalker { m_h, m_t, m_s, a1, a2, b1, b2 } = CHEN;
    let (q, v) = ([q[0], q[0] + q[1], q[0] + q[1] + q[2]], [v[0], v[0] + v[1], v.iter().sum()]);
    let across = |k: usize| v[k] * Vector3::new(q[k].cos(), 0.0, -q[k].sin());
    let on = |m: f64, k: usize, far: f64| (m, far * up(q[k]), far * across(k));
    let from = |a: Mass, b: Mass| (b.0, a.1 + b.1, a.2 + b.2);
    let hip = on(m_h, 0, CHEN.leg());
    let knee = from(hip, on(0.0, 1, CHEN.shank() - CHEN.leg()));
    let (thigh, shank) = (from(hip, on(m_t, 1, -b2)), from(knee, on(m_s, 2, -b1)));
    vec![on(m_s, 0, a1), on(m_t, 0, CHEN.shank() + a2), hip, thigh, shank]
}

/// From a leg's lower end to its upper one.
fn up(angle: f64) -> Vector3<f64> {
    Vector3::new(angle.sin(), 0.0, angle.cos())
}

fn momentum(masses: &[Mass], about: Vector3<f64>) -> f64 {
    masses.iter().map(|(m, x, v)| m * (x - about).cross(v).y).sum()
}

/// A knee that strikes changes neither the angular momentum of all about the foot nor that of its leg about the hip,
/// a foot that comes down neither that of all about it nor that of the other leg about the hip.
#[test]
fn impacts_keep_angular_momentum() {
    let mut walker = KneedWalk::new(CHEN, 0.05);
    let state = |v: [f64; 3]| Phase {
        q: vec![0.3, -0.5, 0.0],
        v: v.into(),
        ..Phase::neutral(&Space::of::<KneedWalker>(0))
    };
    for [a, b, c] in [[1.1, -2.0, -3.0], [0.4, 1.3, -0.7]] {
        let mut phase = state([a, b, c]);
        let before = masses(&phase);
        walker.transit(&Knee::Free, &[KneedWalk::KNEE_STRIKE], &mut phase).unwrap();
        let after = masses(&phase);
        let hip = before[2].1;
        let kept = momentum(&before, Vector3::zeros()) - momentum(&after, Vector3::zeros());
        assert!(kept.abs() < 1e-12, "{kept}");
        let kept = momentum(&before[3..], hip) - momentum(&after[3..], hip);
        assert!(kept.abs() < 1e-12, "{kept}");

        let mut phase = state([a, b, 0.0]);
        let before = masses(&phase);
        walker.transit(&Knee::Locked, &[KneedWalk::TOUCHDOWN], &mut phase).unwrap();
        let after = masses(&phase);
        let foot = hip - after[2].1;
        let kept = momentum(&before, foot) - momentum(&after, Vector3::zeros());
        assert!(kept.abs() < 1e-12, "{kept}");
        let kept = momentum(&before[..2], hip) - momentum(&after[3..], after[2].1);
        assert!(kept.abs() < 1e-12, "{kept}");
    }
}
