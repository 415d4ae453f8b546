//! A point that bounces, in closed form.

use std::cell::Cell;
use std::rc::Rc;

use jourdain::hybrid::{Accumulation, Cause, Closures, Hybrid};
use jourdain::integrate::{CrossingKind, Phase, Space, Tolerance};

use crate::automata::{G, Point, bouncing, thrown};

type Done = Result<(), Box<dyn std::error::Error>>;

/// The time of impact n = 0, 1 … of a point that falls from h, and of the end of all impacts.
fn impact(h: f64, e: f64, n: i32) -> f64 {
    let fall = (2.0 * h / G).sqrt();
    fall * (1.0 + 2.0 * e * (1.0 - e.powi(n)) / (1.0 - e))
}

fn rest(h: f64, e: f64) -> f64 {
    (2.0 * h / G).sqrt() * (1.0 + e) / (1.0 - e)
}

#[test]
fn first_impact_and_end_of_all() -> Done {
    let (space, start) = thrown(1.0, [0.0; 2]);
    let mut motion =
        Hybrid::new(bouncing(0.9), &space, Point::Flying, start, Tolerance::default())?;
    let first = motion.advance(1.0)?.map(|event| event.time());
    assert!(first.is_some_and(|time| (time - 0.451523641).abs() < 5e-10), "{first:?}");
    motion.run_to(10.0)?;
    assert_eq!(*motion.mode(), Point::Resting);
    let Cause::Accumulation(Accumulation { time, .. }) =
        &motion.history().events().last().unwrap().cause
    else {
        panic!()
    };
    assert!((time - 8.578949179).abs() < 1e-9, "{time}");
    assert!((time - rest(1.0, 0.9)).abs() < 1e-11, "{time}");
    assert_eq!((motion.phase().time, motion.phase().q[1], motion.phase().v[1]), (10.0, 0.0, 0.0));
    Ok(())
}

/// Impacts, speeds and places of all bounces that the tolerance resolves; the error of the limit is what is said of it.
#[test]
fn all_impacts() -> Done {
    for e in [0.9, 0.7, 0.5, 0.3, 0.1] {
        let (space, start) = thrown(1.0, [2.0, 0.0]);
        let mut motion =
            Hybrid::new(bouncing(e), &space, Point::Flying, start, Tolerance::default())?;
        motion.run_to(10.0)?;
        let events = motion.history().events();
        let (last, impacts) = events.split_last().unwrap();
        for (event, n) in impacts.iter().zip(0..) {
            let (time, fall) = (impact(1.0, e, n), (2.0 * G).sqrt());
            assert!((event.time() - time).abs() < 1e-11, "e = {e}, impact {n}: {event:?}");
            assert!((event.phase_after.v[1] - fall * e.powi(n + 1)).abs() < 1e-11);
            assert!((event.phase_after.q[0] - 2.0 * time).abs() < 1e-11);
            assert!(event.phase_after.q[1].abs() < 1e-14, "{event:?}");
            let Cause::Guards(fired) = &event.cause else { panic!("{event:?}") };
            assert_eq!(fired[0].kind, CrossingKind::Transversal);
        }
        // Bounces up to 2e-9 m are not resolved.
        let height = e.powi(2 * impacts.len() as i32);
        assert!((1e-10 * e * e..3e-9).contains(&height), "e = {e}: {height}");
        let Cause::Accumulation(end) = &last.cause else { panic!("{last:?}") };
        let error = (end.time - rest(1.0, e)).abs();
        assert!(error <= end.error + 1e-12 && error < 1e-9, "e = {e}: {error:e}, {end:?}");
        // It goes on from where bounces are lost, which last less than 1e-4 s by then.
        assert!((last.phase_after.q[0] - 2.0 * last.time()).abs() < 1e-11, "{last:?}");
        assert!((last.time() - end.time).abs() < 1e-3, "{last:?}");
    }
    Ok(())
}

/// Three evaluations' worth of steps locate an event, restart included.
#[test]
fn events_cost_less_than_three_steps() -> Done {
    let (space, start) = thrown(1.0, [0.0; 2]);
    let mut motion =
        Hybrid::new(bouncing(0.9), &space, Point::Flying, start, Tolerance::default())?;
    motion.advance(10.0)?;
    for _ in 0..50 {
        let before = motion.effort();
        motion.advance(10.0)?;
        let after = motion.effort();
        // One step leads to the event; what is more than its fifteen evaluations is due to the event.
        let evaluations = after.evaluations - before.evaluations;
        assert!(evaluations <= 15 * (after.steps - before.steps) + 15, "{evaluations}");
    }
    Ok(())
}

/// All evaluations are counted by those who make them, and locating an event asks for no more than one: that with which the
/// next step begins.
#[test]
fn events_cost_one_evaluation() -> Done {
    let count = Rc::new(Cell::new(0));
    let counted = Rc::clone(&count);
    let ball = Closures::new()
        .mode((), move |_, v_dot, _| {
            counted.set(counted.get() + 1);
            v_dot[0] = -G;
        })
        .guard((), "impact", |at| at.q[0], |phase| phase.v[0] *= -0.9);
    let space = Space::flat(1, 0);
    let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
    let mut motion = Hybrid::new(ball, &space, (), start, Tolerance::default())?;
    motion.advance(10.0)?;
    for _ in 0..50 {
        let (before, evaluations) = (motion.effort(), count.get());
        motion.advance(10.0)?;
        let (after, evaluations) = (motion.effort(), count.get() - evaluations);
        assert_eq!(evaluations, after.evaluations - before.evaluations);
        let steps = after.steps + after.rejections - before.steps - before.rejections;
        assert!(evaluations <= 15 * steps + 1, "{evaluations} in {steps} steps");
    }
    Ok(())
}

/// What is shown of the motion is continuous in time, and not below the ground but for the tolerance.
#[test]
fn stretches_cover_the_motion() -> Done {
    let (space, start) = thrown(1.0, [0.0; 2]);
    let mut motion =
        Hybrid::new(bouncing(0.9), &space, Point::Flying, start, Tolerance::default())?;
    let (mut shown, mut lowest) = (0.0, f64::INFINITY);
    motion.run_observed(10.0, |_, mode, stretch| {
        assert_eq!(stretch.start(), shown, "{mode:?}");
        for k in 0..=20 {
            let time = stretch.start() + f64::from(k) / 20.0 * (stretch.end() - stretch.start());
            lowest = f64::min(lowest, stretch.at(time).q[1]);
        }
        shown = stretch.end();
    })?;
    // Where bounces are lost it is below the ground by what the tolerance lets it err.
    assert!(shown == 10.0 && lowest > -3e-9, "{lowest:e}");
    Ok(())
}

/// What lies for a while and is let go again rests at once; bounces of long ago say nothing about that.
#[test]
fn bounces_of_long_ago() -> Done {
    // Whether it has been let go is in its place x.
    let point = bouncing(0.5)
        .guard(
            Point::Flying,
            "catch",
            |at| if at.q[0] < 0.5 { 1.2 - at.time } else { 1.0 },
            |phase| {
                phase.v.fill(0.0);
                phase.q[1] = 0.0;
                Point::Resting
            },
        )
        .guard(
            Point::Resting,
            "let go",
            |at| if at.q[0] < 0.5 { 2.0 - at.time } else { 1.0 },
            |phase| {
                phase.q[0] = 1.0;
                Point::Flying
            },
        );
    let (space, start) = thrown(1.0, [0.0; 2]);
    let mut motion = Hybrid::new(point, &space, Point::Flying, start, Tolerance::default())?;
    motion.run_to(2.4)?;
    let [.., let_go, rests] = motion.history().events() else { panic!() };
    assert!((let_go.time() - 2.0).abs() < 1e-14 && let_go.mode_after == Point::Flying);
    let Cause::Accumulation(end) = &rests.cause else { panic!("{rests:?}") };
    assert!(end.ratio.is_none() && (end.time - 2.0) < 1e-4 && end.error < 1e-4, "{end:?}");
    assert_eq!((motion.phase().q[1], motion.mode()), (0.0, &Point::Resting));
    Ok(())
}

/// At a tolerance that resolves more than a thousand bounces in a thousandth of a second, they are followed to their end. In
/// four units in the last place of the time of an impact the point falls by more than that.
#[test]
fn bounces_are_no_storm() -> Done {
    let (space, start) = thrown(1e-6, [0.0; 2]);
    let tolerance = Tolerance::new(1e-20, 1e-13)?;
    let mut motion = Hybrid::new(bouncing(0.99), &space, Point::Flying, start, tolerance)?;
    motion.run_to(1.0)?;
    let events = motion.history().events();
    let Cause::Accumulation(end) = &events.last().unwrap().cause else { panic!() };
    let thousandth = events[events.len() - 1001].time();
    assert!(events.len() > 1100 && end.time - thousandth < 1e-3, "{}", events.len());
    assert!((end.time - rest(1e-6, 0.99)).abs() < 1e-11, "{end:?}");
    Ok(())
}

#[test]
fn by_the_stiff_method_too() -> Done {
    let (space, start) = thrown(1.0, [2.0, 0.0]);
    let tolerance = Tolerance::new(1e-8, 1e-8)?;
    let mut motion = Hybrid::stiff(bouncing(0.9), &space, Point::Flying, start, tolerance)?;
    motion.run_to(10.0)?;
    let Cause::Accumulation(end) = &motion.history().events().last().unwrap().cause else {
        panic!()
    };
    assert!(
        *motion.mode() == Point::Resting && (end.time - rest(1.0, 0.9)).abs() < 1e-6,
        "{end:?}"
    );
    Ok(())
}
