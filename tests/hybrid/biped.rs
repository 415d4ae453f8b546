//! The compass gait of the textbook as a robot in contact, against the one with modes and jumps of its own.

use jourdain::hybrid::contact::{Guard, Touch};
use jourdain::hybrid::{Automaton, Cycle, ReturnMap};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::prelude::*;
use jourdain_models::compass_gait::Swing;
use jourdain_models::{CompassBiped, CompassGait, CompassWalk};
use nalgebra::{Complex, SVector};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const BIPED: CompassBiped = CompassBiped::TEXTBOOK;

fn idle(_: &State<CompassBiped>) -> SVector<f64, 0> {
    SVector::zeros()
}

/// Near the cycle, as legs exchange their names.
fn start() -> [SVector<f64, 4>; 2] {
    BIPED.ahead(-0.032, [0.46, -1.78])
}

/// The limit cycle by contacts.
fn by_contacts() -> Fallible<Cycle> {
    let ([q, v], space) = (start(), Space::of::<CompassBiped>(0));
    let mut walk = BIPED.walk()?.tolerance(1e-11)?;
    let mut automaton = walk.automaton(idle);
    let phase = Phase { q: q.as_slice().into(), v: v.as_slice().into(), ..Phase::neutral(&space) };
    let mode = automaton.start(&mut phase.clone())?;
    assert_eq!(automaton.mode_name(&mode), "first_foot open, second_foot stick");
    let (guard, tolerance) = (automaton.id(Guard::Mark(0)), Tolerance::new(1e-11, 1e-11)?);
    let mut map = ReturnMap::new(automaton, &space, mode, guard, tolerance).free(&[0])?;
    Ok(map.cycle(&phase, 1e-9)?)
}

/// The same by modes and a jump that are written down.
fn by_modes() -> Fallible<Cycle> {
    let (space, slope) = (Space::of::<CompassGait>(0), BIPED.slope);
    let start =
        Phase { q: vec![slope - 0.271, 0.542], v: vec![1.09, -0.71], ..Phase::neutral(&space) };
    let (walk, tolerance) =
        (CompassWalk::new(CompassGait::TEXTBOOK, slope), Tolerance::new(1e-13, 1e-13)?);
    let mut map = ReturnMap::new(walk, &space, Swing::Early, CompassWalk::TOUCHDOWN, tolerance);
    Ok(map.cycle(&start, 1e-12)?)
}

#[test]
fn walks_as_by_its_own_modes() -> Fallible<()> {
    let (contacts, modes) = (by_contacts()?.period, by_modes()?.period);
    for duration in [modes.duration, 0.734460621] {
        assert!((contacts.duration - duration).abs() < 1e-9, "{}", contacts.duration);
    }
    let (found, expected) = (contacts.eigenvalues(), modes.eigenvalues());
    let published = [
        Complex::new(-0.202216100, 0.543414971),
        Complex::new(-0.202216100, -0.543414971),
        Complex::new(0.131386707, 0.0),
    ];
    // Along the slope nothing changes.
    assert!((found[0] - 1.0).norm() < 1e-12, "{found:?}");
    for k in 0..3 {
        assert!((found[k + 1] - expected[k]).norm() < 1e-9, "{found:?} {expected:?}");
        assert!((found[k + 1] - published[k]).norm() < 1e-9, "{found:?}");
    }
    assert!(found[4..].iter().all(|value| value.norm() < 1e-9), "{found:?}");
    assert!(contacts.error < 1e-9 && !contacts.is_timed, "{contacts:?}");
    Ok(())
}

/// A long walk comes to the cycle, through the same modes in every step: the foot that stands sticks, the other one leaves
/// the ground, passes through it, and strikes it.
#[test]
fn comes_to_its_cycle() -> Fallible<()> {
    let [q, v] = start();
    let mut walk = BIPED.walk()?.tolerance(1e-10)?.state(q, v)?;
    walk.run(30.0, idle)?;
    let expected = [
        "first_foot open, second_foot stick",
        "first_foot stick, second_foot open",
        "first_foot stick, second_foot passing",
        "first_foot stick, second_foot open",
    ];
    let modes = walk.modes();
    assert!(modes.len() > 160);
    for ((time, mode), expected) in modes.iter().zip(expected.iter().cycle()) {
        assert_eq!(mode, expected, "{time}");
    }
    // Only what comes down ahead strikes.
    let mut steps = walk.events().iter().filter(|event| walk.guards(event) == [Guard::Gap(0)]);
    assert_eq!(walk.impacts().len(), steps.clone().count());
    let (last, cycle) = (steps.next_back().ok_or("no step")?, by_modes()?.start);
    let [stance, swing] = [cycle.q[0], cycle.q[0] + cycle.q[1]].map(|angle| angle - BIPED.slope);
    let [found, rates] = [&last.phase_after.q[2..], &last.phase_after.v[2..]];
    assert!((found[0] - stance).abs() < 1e-9 && (found[1] - swing).abs() < 1e-9, "{found:?}");
    let expected = [cycle.v[0], cycle.v[0] + cycle.v[1]];
    assert!(rates.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{rates:?}");
    Ok(())
}

/// Without being let through, the foot scuffs in mid-swing.
#[test]
fn scuffs_otherwise() -> Fallible<()> {
    let [q, v] = start();
    let mut walk = HybridSimulation::new(BIPED)?.tolerance(1e-10)?.state(q, v)?;
    walk.run(1.0, idle)?;
    let scuff = walk.events().iter().find(|event| walk.guards(event) == [Guard::Gap(1)]);
    let touch = scuff.map(|event| event.mode_after.contacts()[1]);
    assert!(touch.is_some_and(|touch| touch.is_closed()), "{touch:?}");
    assert!(
        !walk.events().iter().any(|event| event.mode_after.contacts().contains(&Touch::Passing))
    );
    let unknown = HybridSimulation::new(BIPED)?.passing("feet", |_| true).map(|_| ()).unwrap_err();
    assert!(unknown.to_string().starts_with("the robot has no contact `feet`"), "{unknown}");
    Ok(())
}
