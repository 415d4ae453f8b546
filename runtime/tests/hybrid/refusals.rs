//! What does not go on, and says why.

use jourdain::hybrid::{Closures, ClosuresError, Error, Hybrid};
use jourdain::integrate::{self, Phase, Space, Tolerance};

use crate::automata::{Point, bouncing, thrown};

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn negative_at_the_start() {
    let (space, start) = thrown(-0.1, [0.0; 2]);
    let motion =
        Hybrid::new(bouncing(0.9), &space, Point::Flying, start.clone(), Tolerance::default());
    let error = motion.err().unwrap();
    let Error::Negative { guard, value, mode, phase, .. } = &error else { panic!("{error}") };
    assert_eq!((guard.as_str(), *value, *mode), ("impact", -0.1, Point::Flying));
    assert_eq!(**phase, start);
    let text = error.to_string();
    let expected = "at 0 s: impact is -1e-1 in mode Flying, expected no less than -1.09999";
    assert!(text.starts_with(expected), "{text}");
}

/// Without a mode to rest in, the bounces end in an error, which knows when.
#[test]
fn accumulation_without_an_end() -> Done {
    let point = Closures::new().mode((), |_, v_dot, _| v_dot[0] = -9.81).guard(
        (),
        "impact",
        |at| at.q[0],
        |phase| phase.v[0] *= -0.9,
    );
    let space = Space::flat(1, 0);
    let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
    let mut motion = Hybrid::new(point, &space, (), start, Tolerance::default())?;
    let error = motion.run_to(10.0).unwrap_err();
    let Error::Unresolved { guard, accumulation: Some(end), .. } = &error else {
        panic!("{error}")
    };
    assert!(guard == "impact" && (end.time - 8.578949179).abs() < 1e-9, "{end:?}");
    // What happened stays, and so does the error.
    let events = motion.history().events().len();
    assert!(events > 50);
    assert_eq!(motion.run_to(10.0).unwrap_err(), error);
    assert_eq!(motion.history().events().len(), events);
    Ok(())
}

/// A relay that switches back and forth in a band of 1e-7.
#[test]
fn storm() -> Done {
    let band = 1e-7;
    let relay = Closures::new()
        .mode(true, |_, _, z_dot| z_dot[0] = 1.0)
        .mode(false, |_, _, z_dot| z_dot[0] = -1.0)
        .guard(true, "high", move |at| band - at.z[0], |_| false)
        .guard(false, "low", move |at| at.z[0] + band, |_| true);
    let space = Space::flat(0, 1);
    let mut motion =
        Hybrid::new(relay, &space, true, Phase::neutral(&space), Tolerance::default())?;
    let error = motion.run_to(1.0).unwrap_err();
    let Error::Storm { events: 1000, since, guards, phase, .. } = &error else { panic!("{error}") };
    assert!(phase.time - since < 1e-3 && guards.len() == 1, "{error}");
    assert_eq!(motion.history().events().len(), 1000);
    Ok(())
}

/// A ball between a wall and a piston that closes: hits come the faster the narrower it is, ever more of them, and no
/// end of them is reached.
#[test]
fn storm_between_closing_walls() -> Done {
    let box_ = Closures::new()
        .mode((), |_, _, _| {})
        .guard((), "wall", |at| at.q[0], |phase| phase.v[0] = -phase.v[0])
        .guard((), "piston", |at| 1.0 - at.time - at.q[0], |phase| phase.v[0] = -2.0 - phase.v[0]);
    let space = Space::flat(1, 0);
    let start = Phase { q: vec![0.5], v: vec![1.0], ..Phase::neutral(&space) };
    let mut motion = Hybrid::new(box_, &space, (), start, Tolerance::default())?;
    let error = motion.run_to(2.0).unwrap_err();
    let Error::Storm { since, phase, .. } = &error else { panic!("{error}") };
    assert!(phase.time < 1.0 && *since > 0.9 && phase.v[0].abs() > 1e3, "{error}");
    assert!(motion.history().events().len() < 50_000);
    Ok(())
}

#[test]
fn storms_have_events() -> Done {
    let space = Space::flat(1, 0);
    for (events, seconds, quantity) in [
        (0, 1.0, "events of a storm"),
        (1, f64::NAN, "seconds of a storm"),
        (1, 0.0, "seconds of a storm"),
    ] {
        let point = Closures::new().mode((), |_, _, v_dot| v_dot[0] = -9.81);
        let motion = Hybrid::new(point, &space, (), Phase::neutral(&space), Tolerance::default())?;
        let error = motion.storm(events, seconds).err().unwrap();
        let integrate::Error::Setting { quantity: found, .. } = error else { panic!("{error}") };
        assert_eq!(found, quantity);
    }
    Ok(())
}

#[test]
fn mode_that_is_not_declared() -> Done {
    let point = Closures::new().mode("up", |_, _, z_dot| z_dot[0] = 1.0).guard(
        "up",
        "top",
        |at| 0.5 - at.z[0],
        |_| "down",
    );
    let space = Space::flat(0, 1);
    let mut motion =
        Hybrid::new(point, &space, "up", Phase::neutral(&space), Tolerance::default())?;
    let error = motion.run_to(1.0).unwrap_err();
    let Error::Impossible { guards, mode: "up", reason, phase, .. } = &error else {
        panic!("{error}")
    };
    let ClosuresError::UnknownMode { mode, .. } = reason else { panic!("{reason}") };
    assert_eq!((guards[0].as_str(), *mode), ("top", "down"));
    assert!((phase.time - 0.5).abs() < 1e-15);
    assert_eq!(motion.phase().time, phase.time);
    assert_eq!(motion.run_to(1.0).unwrap_err(), error);
    Ok(())
}

/// A reset to where the next mode is impossible: the transition is not made, however often it is tried.
#[test]
fn negative_after_a_transition() -> Done {
    let point = Closures::new().mode((), |_, _, z_dot| z_dot[0] = -1.0).guard(
        (),
        "floor",
        |at| at.z[0],
        |phase| phase.z[0] = -0.5,
    );
    let space = Space::flat(0, 1);
    let start = Phase { z: vec![1.0], ..Phase::neutral(&space) };
    let mut motion = Hybrid::new(point, &space, (), start, Tolerance::default())?;
    let error = motion.run_to(3.0).unwrap_err();
    let Error::Negative { value: -0.5, phase, .. } = &error else { panic!("{error}") };
    assert!(phase.time == motion.phase().time && (phase.time - 1.0).abs() < 1e-15, "{error}");
    assert!(motion.history().events().is_empty());
    assert_eq!(motion.run_to(3.0).unwrap_err(), error);
    Ok(())
}

/// What was declared wrongly is said before anything moves.
#[test]
fn declarations_that_contradict_one_another() {
    let still = || Closures::new().mode("up", |_, _, _| {});
    let guarded = || still().guard("up", "top", |_| 1.0, |_| "up");
    let refused = |closures, mode| {
        let space = Space::flat(0, 0);
        let start = Phase::neutral(&space);
        match Hybrid::new(closures, &space, mode, start, Tolerance::default()).err() {
            Some(Error::Declaration { reason, .. }) => reason,
            error => panic!("{error:?}"),
        }
    };
    let unknown = ClosuresError::UnknownMode { mode: "down", declared: vec!["up"] };
    assert_eq!(refused(still(), "down"), unknown);
    assert_eq!(refused(still().mark("down", "top", |_| 1.0), "up"), unknown);
    assert_eq!(refused(guarded().limit("down", "top", |_| "up"), "up"), unknown);
    let repeated = ClosuresError::RepeatedMode { mode: "up" };
    assert_eq!(refused(still().mode("up", |_, _, _| {}), "up"), repeated);
    let repeated = ClosuresError::RepeatedGuard { mode: "up", guard: "top".into() };
    assert_eq!(refused(guarded().mark("up", "top", |_| 1.0), "up"), repeated);
    let limits = guarded().limit("up", "top", |_| "up").limit("up", "top", |_| "up");
    assert_eq!(refused(limits, "up"), repeated);
}

/// Where a limit leads to a mode that there is not.
#[test]
fn limit_of_no_mode() -> Done {
    let point = Closures::new()
        .mode("flies", |_, v_dot, _| v_dot[0] = -9.81)
        .guard(
            "flies",
            "impact",
            |at| at.q[0],
            |phase| {
                phase.v[0] *= -0.5;
                "flies"
            },
        )
        .limit("flies", "impact", |_| "rests");
    let space = Space::flat(1, 0);
    let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
    let mut motion = Hybrid::new(point, &space, "flies", start, Tolerance::default())?;
    let error = motion.run_to(10.0).unwrap_err();
    let Error::Impossible { reason: ClosuresError::UnknownMode { mode, .. }, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(*mode, "rests");
    Ok(())
}
