//! The compass gait of the textbook as a robot in contact, against the one with modes and jumps of its own.

use jourdain::hybrid::contact::{Guard, Touch};
use jourdain::hybrid::{Automaton, Cycle, ReturnMap};
use jourdain::impact::{Among, Friction, Impacts, Law, Part};
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain::prelude::*;
use jourdain_models::compass_gait::Swing;
use jourdain_models::{CompassBiped, CompassGait, CompassWalk};
use nalgebra::{Complex, SVector, Vector3, vector};

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
    assert!(contacts.error < 1e-11 && !contacts.is_timed, "{contacts:?}");
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

/// Angular momentum about the point of a contact across the plane.
fn momentum_about(contact: usize, q: &SVector<f64, 4>, v: &SVector<f64, 4>) -> f64 {
    let mut points = [0.0; 6];
    BIPED.contact_points_into(q, &mut points);
    let point = Vector3::from_column_slice(&points[3 * contact..][..3]);
    let all = BIPED.momentum(q, v);
    let (linear, angular) = (all.fixed_rows::<3>(0), all.fixed_rows::<3>(3));
    (angular - point.cross(&linear)).y
}

/// The impulse on the foot that comes down changes no angular momentum about it.
#[test]
fn impact_keeps_angular_momentum() -> Fallible<()> {
    let law = Law { friction: Friction::Sticking, ..Law::default() };
    let mut impacts = Impacts::new(&BIPED, law)?;
    for stance in [0.1, 0.2, 0.35, 0.5] {
        let (l, height) = (BIPED.a + BIPED.b, (BIPED.a + BIPED.b) * f64::cos(stance));
        let q = vector![l * f64::sin(stance), height, -stance, stance];
        for [first, second] in [[1.5, -1.2], [0.7, 0.4], [-2.0, 3.0]] {
            let v = vector![height * second, -q[0] * second - 0.5, first, second];
            let (mut v_plus, struck) = (v, Among::Listed(&[Part::Contact(0)]));
            impacts.resolve(&BIPED, 0.0, &q, &v, struck, &mut v_plus)?;
            let [before, after] = [v, v_plus].map(|v| momentum_about(0, &q, &v));
            assert!((before - after).abs() < 1e-12, "{before} {after}");
            assert!((v - v_plus).amax() > 0.1);
        }
    }
    Ok(())
}

/// The same at the steps of a walk, whose events put right what integration has left.
#[test]
fn walk_keeps_angular_momentum_at_steps() -> Fallible<()> {
    let [q, v] = start();
    let mut walk = BIPED.walk()?.tolerance(1e-12)?.state(q, v)?;
    walk.run(8.0, idle)?;
    let steps = walk.events().iter().filter(|event| walk.guards(event) == [Guard::Gap(0)]);
    let mut count = 0;
    for event in steps {
        let [before, after] = [&event.phase_before, &event.phase_after].map(|phase| {
            let [q, v] = [&phase.q, &phase.v].map(|x| SVector::from_column_slice(x));
            momentum_about(0, &q, &v)
        });
        assert!((before - after).abs() < 1e-12, "{before} {after}");
        count += 1;
    }
    assert!(count > 8, "{count}");
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
