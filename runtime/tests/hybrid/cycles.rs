//! Periodic motions with known multipliers.

use std::cell::Cell;
use std::rc::Rc;

use jourdain::hybrid::{Closures, Error, LinearError, ReturnError, ReturnMap};
use jourdain::integrate::{self, Phase, Space, Tolerance};

use crate::automata::{ALPHA, G, Point, SLOPE, Wheel, bouncing, rimless_wheel, stepped, thrown};

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn rimless_wheel_rolls() -> Done {
    let (space, start) = stepped(1.4);
    let tolerance = Tolerance::new(1e-13, 1e-13)?;
    let mut map = ReturnMap::new(rimless_wheel(), &space, Wheel::Pivoting, 0, tolerance);
    let cycle = map.cycle(&start, 1e-12)?;
    let speed = (4.0 * G * ALPHA.sin() * SLOPE.sin()).sqrt() / (2.0 * ALPHA).tan();
    assert!((cycle.start.v[0] - speed).abs() < 1e-11, "{cycle:?}");
    assert!(cycle.residual <= 1e-12 && cycle.iterations < 8, "{cycle:?}");
    let [contraction, along] = cycle.period.eigenvalues()[..] else { panic!() };
    assert!((contraction.re - (2.0 * ALPHA).cos().powi(2)).abs() < 1e-10, "{contraction}");
    assert!(along.re.hypot(along.im) < 1e-10, "{along}");
    let [along, contraction] = cycle.period.multipliers()[..] else { panic!() };
    assert!((along.re - 1.0).abs() < 1e-10, "{along}");
    assert!((contraction.re - (2.0 * ALPHA).cos().powi(2)).abs() < 1e-10, "{contraction}");
    Ok(())
}

/// Van der Pol's oscillator has no events but a mark. Its multiplier is exp ∫ μ (1 − x²) dt, which is integrated along.
#[test]
fn van_der_pol() -> Done {
    let oscillator = Closures::new()
        .mode((), |at, v_dot, z_dot| {
            v_dot[0] = (1.0 - at.q[0] * at.q[0]) * at.v[0] - at.q[0];
            z_dot[0] = 1.0 - at.q[0] * at.q[0];
        })
        .mark((), "turn", |at| at.v[0]);
    let space = Space::flat(1, 1);
    let start = Phase { q: vec![1.5], ..Phase::neutral(&space) };
    let tolerance = Tolerance::new(1e-13, 1e-13)?;
    let mut map = ReturnMap::new(oscillator, &space, (), 0, tolerance).free(&[2])?;
    let cycle = map.cycle(&start, 1e-12)?;
    // Period and amplitude for μ = 1: Andersen, Geer: Power series expansions for the frequency and period of the limit
    // cycle of the van der Pol equation, SIAM Journal on Applied Mathematics 42 (1982), to their digits.
    assert!((cycle.period.duration - 6.663286859).abs() < 1e-8, "{}", cycle.period.duration);
    assert!((cycle.start.q[0] - 2.008619861).abs() < 1e-8, "{}", cycle.start.q[0]);
    let exponent = cycle.period.phase.z[0] - cycle.start.z[0];
    let multipliers = cycle.period.multipliers();
    // z itself is free, and has a multiplier of one too.
    assert!((multipliers[0].re - 1.0).abs() < 1e-6 && (multipliers[1].re - 1.0).abs() < 1e-6);
    assert!((multipliers[2].re - exponent.exp()).abs() < 1e-10, "{multipliers:?} {exponent}");
    Ok(())
}

#[test]
fn no_cycle() -> Done {
    let tolerance = Tolerance::new(1e-12, 1e-12)?;
    // A wheel that rocks back never steps down the slope.
    let (space, start) = stepped(0.97);
    let mut map =
        ReturnMap::new(rimless_wheel(), &space, Wheel::Pivoting, 0, tolerance).firings(50)?;
    let error = map.cycle(&start, 1e-12).unwrap_err();
    assert!(matches!(error, ReturnError::Run(_)), "{error}");
    // What moves along does not return, unless its place is left free.
    let (space, start) = thrown(0.0, [1.0, 3.0]);
    let mut map = ReturnMap::new(bouncing(1.0), &space, Point::Flying, 0, tolerance);
    let error = map.cycle(&start, 1e-12).unwrap_err();
    assert!(matches!(error, ReturnError::Singular { .. }), "{error}");
    let cycle = map.free(&[0])?.cycle(&start, 1e-12)?;
    assert!((cycle.period.duration - 6.0 / G).abs() < 1e-14, "{cycle:?}");
    // What comes to rest returns no more.
    let (space, start) = thrown(1.0, [0.0; 2]);
    let mut map = ReturnMap::new(bouncing(0.5), &space, Point::Flying, 0, tolerance)
        .firings(100)?
        .longest(5.0)?;
    let error = map.apply(&start).unwrap_err();
    assert!(matches!(error, ReturnError::NoReturn { firings: 1.., .. }), "{error}");
    // A sequence without end has no derivatives.
    let error = map.linearise(&start).unwrap_err();
    assert!(matches!(error, ReturnError::Run(Error::Unresolved { .. })), "{error}");
    Ok(())
}

#[test]
fn settings_that_are_not_possible() -> Done {
    let (space, start) = stepped(1.4);
    let map = || {
        let tolerance = Tolerance::new(1e-9, 1e-9).unwrap();
        ReturnMap::new(rimless_wheel(), &space, Wheel::Pivoting, 0, tolerance)
    };
    let setting = |error: ReturnError<_, _>| match error {
        ReturnError::Run(Error::Motion(integrate::Error::Setting { quantity, .. })) => quantity,
        error => panic!("{error}"),
    };
    assert_eq!(setting(map().firings(0).unwrap_err()), "number of firings");
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(setting(map().longest(seconds).unwrap_err()), "longest return");
        assert_eq!(setting(map().cycle(&start, seconds).unwrap_err()), "precision");
    }
    let error = map().free(&[1, 2]).unwrap_err();
    assert_eq!(error, ReturnError::Coordinate { coordinate: 2, count: 2 });
    Ok(())
}

/// A swing that is pushed by cos 2t.
fn pushed() -> Closures<()> {
    Closures::new()
        .mode((), |at, v_dot, _| v_dot[0] = (2.0 * at.time).cos() - at.q[0] - 0.4 * at.v[0])
        .mark((), "period", |at| -(2.0 * at.time).sin())
        .mark((), "turn", |at| at.v[0])
}

/// From push to push it swings as the closed form says: (1 − ω²) a − c ω i a = 1 with ω = 2. From turn to turn a phase
/// returns as well, but not when the push does.
#[test]
fn explicit_time() -> Done {
    let (space, tolerance) = (Space::flat(1, 0), Tolerance::new(1e-13, 1e-13)?);
    let start = Phase { q: vec![0.3], v: vec![0.1], ..Phase::neutral(&space) };
    let mut map = ReturnMap::new(pushed(), &space, (), 0, tolerance);
    let cycle = map.cycle(&start, 1e-12)?;
    let size = 3.0f64 * 3.0 + 0.8 * 0.8;
    let expected = [-3.0 / size, 2.0 * 0.8 / size];
    let found = [cycle.start.q[0], cycle.start.v[0]];
    assert!((found[0] - expected[0]).abs() < 1e-11, "{found:?} {expected:?}");
    assert!((found[1] - expected[1]).abs() < 1e-11, "{found:?} {expected:?}");
    assert!(cycle.period.is_timed && (cycle.period.duration - std::f64::consts::PI).abs() < 1e-13);
    // The swing alone turns after another time.
    let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
    let mut map = ReturnMap::new(pushed(), &space, (), 1, tolerance);
    let error = map.cycle(&start, 1e-12).unwrap_err();
    assert!(
        matches!(error, ReturnError::Timed { .. } | ReturnError::NotConverged { .. }),
        "{error}"
    );
    // A clock that drives it all the same, and whatever it says the pushed returns to.
    let clocked = Closures::new()
        .mode((), |_, v_dot, _| v_dot[0] = 0.0)
        .mark((), "late", |at| 1.0 + 0.1 * at.time - at.q[0]);
    let start = Phase { v: vec![1.0], ..Phase::neutral(&space) };
    let mut map = ReturnMap::new(clocked, &space, (), 0, tolerance).free(&[0])?;
    let error = map.cycle(&start, 1e-12).unwrap_err();
    assert!(matches!(error, ReturnError::Timed { .. } | ReturnError::Singular { .. }), "{error}");
    Ok(())
}

/// Without coordinates there are periods still: those of a clock.
#[test]
fn no_coordinates() -> Done {
    let space = Space::flat(0, 0);
    let clock = || Closures::new().mode((), |_, _, _| {}).mark((), "hour", |at| 1.0 - at.time);
    let start = Phase::neutral(&space);
    let mut map = ReturnMap::new(clock(), &space, (), 0, Tolerance::default());
    let found = map.linearise(&start)?;
    assert!((found.duration - 1.0).abs() < 1e-15 && found.is_timed, "{found:?}");
    assert_eq!(map.apply(&start)?.duration, found.duration);
    assert!(found.derivative.is_empty() && found.eigenvalues().is_empty());
    // It strikes once.
    let error = map.longest(10.0)?.cycle(&start, 1e-12).unwrap_err();
    assert!(matches!(error, ReturnError::NoReturn { firings: 0, .. }), "{error}");
    // One that strikes every second goes on for ever.
    let clock = Closures::new()
        .mode((), |_, _, _| {})
        .mark((), "second", |at| -(2.0 * std::f64::consts::PI * at.time).sin());
    let mut map = ReturnMap::new(clock, &space, (), 0, Tolerance::default());
    let cycle = map.cycle(&start, 1e-12)?;
    assert!((cycle.period.duration - 1.0).abs() < 1e-12 && cycle.residual == 0.0, "{cycle:?}");
    Ok(())
}

/// The motion alone comes to where it comes with its derivatives, and asks for a tenth of the rates, or less.
#[test]
fn state_alone() -> Done {
    let (space, start) = stepped(1.4);
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let wheel = Closures::new().mode((), move |at, v_dot, _| {
        count.set(count.get() + 1);
        v_dot[0] = G * at.q[0].sin();
    });
    let wheel = wheel.guard(
        (),
        "forward",
        |at| SLOPE + ALPHA - at.q[0],
        |phase| {
            phase.q[0] -= 2.0 * ALPHA;
            phase.v[0] *= (2.0 * ALPHA).cos();
        },
    );
    let mut map = ReturnMap::new(wheel, &space, (), 0, Tolerance::new(1e-12, 1e-12)?);
    let alone = map.apply(&start)?;
    let of_one = asked.replace(0);
    let linear = map.linearise(&start)?;
    assert!((alone.phase.v[0] - linear.phase.v[0]).abs() < 1e-11, "{alone:?} {linear:?}");
    assert!((alone.duration - linear.duration).abs() < 1e-11, "{alone:?} {linear:?}");
    assert!(10 * of_one < asked.get(), "{of_one} {}", asked.get());
    Ok(())
}

/// Rates with steps of 10⁻⁵ have no derivatives that differences could find, and a guard that has none says so, too.
#[test]
fn rates_that_are_not_smooth() -> Done {
    let rough = |size: f64| {
        let grain = move |x: f64| x + size * (x / size).floor();
        Closures::new()
            .mode((), move |at, v_dot, _| v_dot[0] = grain(at.q[0]))
            .mark((), "there", |at| 2.0 - at.q[0])
            .guard((), "back", |at| 3.0 - at.q[0], |phase| phase.q[0] = 1.0)
    };
    let space = Space::flat(1, 0);
    let start = Phase { q: vec![1.0], v: vec![1.0], ..Phase::neutral(&space) };
    let mut map = ReturnMap::new(rough(1e-5), &space, (), 1, Tolerance::new(1e-3, 1e-3)?);
    map.apply(&start)?;
    let error = map.linearise(&start).unwrap_err();
    let ReturnError::Derivatives(LinearError::NotDifferentiable { mode, error, time }) = &error
    else {
        panic!("{error}")
    };
    assert!(mode == "()" && *error > 1e-4 && *time > 0.0, "{error:e}");
    Ok(())
}
