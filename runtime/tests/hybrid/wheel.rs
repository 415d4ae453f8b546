//! The rimless wheel: rolling, rocking back and standing.

use jourdain::hybrid::{Cause, Hybrid};
use jourdain::integrate::Tolerance;

use crate::automata::{ALPHA, G, SLOPE, Wheel, rimless_wheel, stepped};

type Done = Result<(), Box<dyn std::error::Error>>;

fn fixed_point() -> f64 {
    (4.0 * G * ALPHA.sin() * SLOPE.sin()).sqrt() / (2.0 * ALPHA).tan()
}

/// The speed from which a wheel just comes to the top.
fn least_speed() -> f64 {
    (2.0 * G * (1.0 - (SLOPE - ALPHA).cos())).sqrt()
}

#[test]
fn rolls_to_its_fixed_point() -> Done {
    assert!((fixed_point() - 1.0954628396).abs() < 1e-10);
    let (space, start) = stepped(1.0);
    let mut wheel = Hybrid::new(
        rimless_wheel(),
        &space,
        Wheel::Pivoting,
        start,
        Tolerance::new(1e-12, 1e-12)?,
    )?;
    let mut error = 1.0 - fixed_point().powi(2);
    for _ in 0..60 {
        let event = wheel.advance(100.0)?.unwrap();
        assert_eq!(event.guards(), [0]);
        error *= 0.5;
        let found = event.phase_after.v[0].powi(2) - fixed_point().powi(2);
        assert!((found - error).abs() < 1e-11, "{found} {error}");
    }
    assert!((wheel.phase().v[0] - fixed_point()).abs() < 1e-11);
    Ok(())
}

/// Just above the least speed it rolls, just below it rocks back.
#[test]
fn rocks_back_below_the_least_speed() -> Done {
    assert!((least_speed() - 0.975417).abs() < 1e-6);
    for (factor, guard) in [(1.0 + 1e-6, 0), (1.0 - 1e-6, 1)] {
        let (space, start) = stepped(factor * least_speed());
        let mut wheel =
            Hybrid::new(rimless_wheel(), &space, Wheel::Pivoting, start, Tolerance::default())?;
        let event = wheel.advance(100.0)?.unwrap();
        assert_eq!(event.guards(), [guard]);
    }
    Ok(())
}

/// A slow wheel rocks between two spokes for ever shorter times, and stands; the limit of a coarse run is that of a fine
/// one.
#[test]
fn comes_to_stand() -> Done {
    let mut ends = Vec::new();
    for accuracy in [1e-9, 1e-11] {
        let (space, start) = stepped(0.5);
        let tolerance = Tolerance::new(accuracy, accuracy)?;
        let mut wheel = Hybrid::new(rimless_wheel(), &space, Wheel::Pivoting, start, tolerance)?;
        wheel.run_to(100.0)?;
        assert_eq!(*wheel.mode(), Wheel::Standing);
        let (last, rocking) = wheel.history().events().split_last().unwrap();
        // Back, forward, back, … all of them transversal.
        assert!(rocking.iter().zip([1, 0].iter().cycle()).all(|(e, g)| e.guards() == [*g]));
        let Cause::Accumulation(end) = &last.cause else { panic!("{last:?}") };
        assert_eq!(end.guards, [0, 1]);
        // Each guard's intervals shrink by two impacts.
        let ratio = (2.0 * ALPHA).cos().powi(2);
        assert!(end.ratio.is_some_and(|r| (r - ratio).abs() < 1e-4), "{end:?}");
        // It stands from where swings are not told from rest: ½ v² is what raises the wheel by g × a few tolerances.
        let slowest = (20.0 * G * accuracy).sqrt();
        assert!(last.phase_before.v[0].abs() < slowest, "{last:?}");
        ends.push((end.time, end.error));
    }
    let [(coarse, error), (fine, _)] = ends[..] else { panic!() };
    assert!((coarse - fine).abs() < 1e-9 && error < 1e-9, "{ends:?}");
    Ok(())
}

#[test]
fn is_drawn_as_it_was_seen() -> Done {
    let (space, start) = stepped(0.5);
    let mut wheel =
        Hybrid::new(rimless_wheel(), &space, Wheel::Pivoting, start, Tolerance::new(1e-4, 1e-4)?)?;
    wheel.run_to(100.0)?;
    let text = wheel.history().graphviz(wheel.automaton());
    let count = |guard| wheel.history().events().iter().filter(|e| e.has_fired(guard)).count();
    let expected = format!(
        "digraph automaton {{\n    node [shape = box];\n    m0 [label = \"Pivoting\", style = bold];\n    \
         m1 [label = \"Standing\"];\n    m0 -> m0 [label = \"back ×{}\"];\n    \
         m0 -> m0 [label = \"forward ×{}\"];\n    \
         m0 -> m1 [label = \"forward, back ×1\", style = dashed];\n}}\n",
        count(1),
        count(0)
    );
    assert_eq!(text, expected);
    Ok(())
}
