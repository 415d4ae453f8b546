//! Guards that fire together, graze, mark, or lead elsewhere.

use std::f64::consts::TAU;

use jourdain::hybrid::{Cause, Closures, Hybrid};
use jourdain::integrate::{CrossingKind, Phase, Space, Tolerance};

use crate::automata::G;

type Done = Result<(), Box<dyn std::error::Error>>;

/// Two points that fall and bounce.
fn two() -> Closures<()> {
    let bounce = |k: usize| move |phase: &mut Phase| phase.v[k] *= -0.5;
    Closures::new()
        .mode((), |_, v_dot, _| v_dot.fill(-G))
        .guard((), "first", |at| at.q[0], bounce(0))
        .guard((), "second", |at| (3.0 + at.q[1]).powi(2) - 9.0, bounce(1))
}

#[test]
fn together_or_one_after_the_other() -> Done {
    let space = Space::flat(2, 0);
    let start = Phase { q: vec![1.0, 1.0], ..Phase::neutral(&space) };
    let mut motion = Hybrid::new(two(), &space, (), start.clone(), Tolerance::default())?;
    let event = motion.advance(1.0)?.unwrap();
    assert_eq!(event.guards(), [0, 1]);
    assert!(event.phase_after.v.iter().all(|v| (v - (0.5 * G).sqrt()).abs() < 1e-12), "{event:?}");
    for gap in [1e-3, 1e-6, 1e-10, 1e-12] {
        let start = Phase { q: vec![1.0 + gap, 1.0], ..start.clone() };
        let mut motion = Hybrid::new(two(), &space, (), start, Tolerance::default())?;
        let first = motion.advance(1.0)?.cloned().unwrap();
        let second = motion.advance(1.0)?.cloned().unwrap();
        assert_eq!((first.guards(), second.guards()), (vec![1], vec![0]));
        let between = (2.0 / G).sqrt() * ((1.0 + gap).sqrt() - 1.0);
        assert!((second.time() - first.time() - between).abs() < 1e-15 + 1e-3 * between, "{gap}");
        // Neither falls through.
        motion.run_to(1.0)?;
        assert!(motion.phase().q.iter().all(|z| *z > 0.0));
    }
    Ok(())
}

/// A guard that touches zero, and one that stays just above.
#[test]
fn grazing_is_reported() -> Done {
    let space = Space::flat(1, 0);
    let resting = || Closures::new().mode((), |_, v_dot, _| v_dot[0] = 0.0);
    let touching = resting().mark((), "touch", |at| (at.time - 0.3).powi(2));
    let start = Phase::neutral(&space);
    let mut motion = Hybrid::new(touching, &space, (), start.clone(), Tolerance::default())?;
    let event = motion.advance(1.0)?.unwrap();
    let Cause::Guards(fired) = &event.cause else { panic!("{event:?}") };
    assert_eq!(fired[0].kind, CrossingKind::Grazing);
    assert!((event.time() - 0.3).abs() < 1e-7, "{event:?}");
    assert!(motion.advance(1.0)?.is_none());
    let missing = resting().mark((), "miss", |at| (at.time - 0.3).powi(2) + 1e-12);
    let mut motion = Hybrid::new(missing, &space, (), start, Tolerance::default())?;
    assert!(motion.advance(1.0)?.is_none());
    Ok(())
}

/// A mark is armed again in every period, and nothing jumps there.
#[test]
fn section_of_an_oscillation() -> Done {
    let space = Space::flat(1, 0);
    let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
    let oscillator =
        Closures::new().mode((), |at, v_dot, _| v_dot[0] = -at.q[0]).mark((), "top", |at| at.v[0]);
    let tolerance = Tolerance::new(1e-12, 1e-12)?;
    let mut motion = Hybrid::new(oscillator, &space, (), start, tolerance)?;
    motion.run_to(100.5 * TAU)?;
    assert_eq!(motion.history().events().len(), 100);
    for (event, n) in motion.history().events().iter().zip(1..) {
        assert!((event.time() - f64::from(n) * TAU).abs() < 1e-9, "{event:?}");
        assert_eq!(event.phase_before, event.phase_after);
    }
    Ok(())
}

/// A guard that a reset takes near zero is armed only when it is clearly positive again, and one that the reset leaves
/// where it is stays armed.
#[test]
fn arming_is_by_identifier() -> Done {
    let ramp = Closures::new()
        .mode("up", |_, _, z_dot| z_dot[0] = 1.0)
        .mode("down", |_, _, z_dot| z_dot[0] = -1.0)
        .guard("up", "high", |at| 1.0 - at.z[0], |_| "down")
        .guard("up", "low", |at| at.z[0], |_| "up")
        .guard("down", "high", |at| 1.0 - at.z[0], |_| "up")
        .guard("down", "low", |at| at.z[0], |_| "up");
    let space = Space::flat(0, 1);
    let mut motion = Hybrid::new(ramp, &space, "up", Phase::neutral(&space), Tolerance::default())?;
    motion.run_to(9.5)?;
    let times: Vec<_> = motion.history().events().iter().map(|e| (e.time(), e.guards())).collect();
    assert_eq!(times.len(), 9);
    for (k, (time, guards)) in times.iter().enumerate() {
        assert!((time - (k + 1) as f64).abs() < 1e-12);
        assert_eq!(*guards, [k % 2]);
    }
    Ok(())
}
