//! The compass gait of the textbook: m_h = 10, m = 5, a = b = ½, on a slope of 0.0525.

use jourdain::hybrid::{Automaton, Cause, Cycle, Error, Event, Hybrid, ReturnMap};
use jourdain::integrate::{CrossingKind, Phase, Space, Tolerance};
use jourdain::prelude::*;
use jourdain_models::compass_gait::{Fallen, Swing};
use jourdain_models::{CompassGait, CompassWalk};
use nalgebra::{Complex, Matrix2, Matrix3, SVector, Vector2, Vector3, matrix, vector};

type Done = Result<(), Box<dyn std::error::Error>>;

const SLOPE: f64 = 0.0525;
const G: f64 = 9.81;

/// A phase right after a step: both feet on the slope.
fn stepped(stance: f64, v: [f64; 2]) -> (Space, Phase) {
    let space = Space::of::<CompassGait>(0);
    let phase =
        Phase { q: vec![stance, 2.0 * (SLOPE - stance)], v: v.to_vec(), ..Phase::neutral(&space) };
    (space, phase)
}

/// Near the cycle that is published for 3°.
fn start() -> (Space, Phase) {
    stepped(SLOPE - 0.271, [1.0918, 0.3772 - 1.0918])
}

fn walker() -> CompassWalk {
    CompassWalk::new(CompassGait::TEXTBOOK, SLOPE)
}

fn walk(from: Phase, tolerance: f64) -> Result<Hybrid<CompassWalk>, Box<dyn std::error::Error>> {
    let (space, tolerance) = (start().0, Tolerance::new(tolerance, tolerance)?);
    Ok(Hybrid::new(walker(), &space, Swing::Early, from, tolerance)?)
}

fn cycle() -> Result<Cycle, Box<dyn std::error::Error>> {
    let (space, start) = start();
    let (touchdown, tolerance) = (CompassWalk::TOUCHDOWN, Tolerance::new(1e-14, 1e-14)?);
    let mut map = ReturnMap::new(walker(), &space, Swing::Early, touchdown, tolerance);
    Ok(map.cycle(&start, 1e-12)?)
}

/// The next step, without derivatives.
fn next_step(from: &Phase, tolerance: f64) -> Result<Event<Swing>, Box<dyn std::error::Error>> {
    let mut walk = walk(from.clone(), tolerance)?;
    loop {
        match walk.advance(from.time + 10.0)? {
            Some(event) if event.has_fired(CompassWalk::TOUCHDOWN) => return Ok(event.clone()),
            Some(_) => {}
            None => return Err("no step".into()),
        }
    }
}

fn largest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The cycle returns to itself, also without derivatives along, and a long walk comes to it.
#[test]
fn limit_cycle() -> Done {
    let cycle = cycle()?;
    assert!(cycle.residual <= 1e-12, "{cycle:?}");
    assert!((cycle.period.duration - 0.734460621).abs() < 1e-9, "{}", cycle.period.duration);
    let again = next_step(&cycle.start, 1e-14)?.phase_after;
    assert!(largest(&again.q, &cycle.start.q) < 1e-11, "{again:?}");
    assert!(largest(&again.v, &cycle.start.v) < 1e-11, "{again:?}");
    let mut walk = walk(start().1, 1e-12)?;
    walk.run_to(60.0)?;
    let events = walk.history().events();
    let last = events.iter().rfind(|event| event.has_fired(CompassWalk::TOUCHDOWN));
    let last = last.ok_or("no step")?;
    assert!(largest(&last.phase_after.q, &cycle.start.q) < 1e-10, "{last:?}");
    assert!(largest(&last.phase_after.v, &cycle.start.v) < 1e-10, "{last:?}");
    // Every event is transversal, and the modes take turns.
    for (event, guard) in events.iter().zip([0, 1].iter().cycle()) {
        assert_eq!(event.guards(), [*guard]);
        let Cause::Guards(fired) = &event.cause else { panic!("{event:?}") };
        assert_eq!(fired[0].kind, CrossingKind::Transversal);
    }
    Ok(())
}

/// The return map in (stance, v₁, v₂), since both feet are on the slope right after a step.
#[test]
fn eigenvalues_are_those_of_differences() -> Done {
    let cycle = cycle()?;
    let (q, v) = (&cycle.start.q, &cycle.start.v);
    let mut derivative = Matrix3::<f64>::zeros();
    for (k, mut column) in derivative.column_iter_mut().enumerate() {
        let h = 1.0 / 4096.0;
        for (steps, weight) in
            [(1.0, 45.0), (-1.0, -45.0), (2.0, -9.0), (-2.0, 9.0), (3.0, 1.0), (-3.0, -1.0)]
        {
            let mut x = vector![q[0], v[0], v[1]];
            x[k] += steps * h;
            let end = next_step(&stepped(x[0], [x[1], x[2]]).1, 1e-14)?.phase_after;
            let change = vector![end.q[0], end.v[0], end.v[1]] - vector![q[0], v[0], v[1]];
            column += weight / (60.0 * h) * change;
        }
    }
    let mut expected: Vec<Complex<f64>> =
        derivative.complex_eigenvalues().iter().copied().collect();
    expected.sort_by(|a, b| b.norm_sqr().total_cmp(&a.norm_sqr()).then(b.im.total_cmp(&a.im)));
    let found = cycle.period.eigenvalues();
    let published = [
        Complex::new(-0.202216100, 0.543414971),
        Complex::new(-0.202216100, -0.543414971),
        Complex::new(0.131386707, 0.0),
    ];
    for (k, value) in expected.iter().enumerate() {
        assert!((found[k] - value).norm_sqr().sqrt() < 1e-9, "{found:?} {expected:?}");
        assert!((found[k] - published[k]).norm_sqr().sqrt() < 1e-9, "{found:?}");
    }
    assert!(found[3].norm_sqr().sqrt() < 1e-12, "{found:?}");
    let multipliers = cycle.period.multipliers();
    assert!((multipliers[0] - Complex::new(1.0, 0.0)).norm_sqr().sqrt() < 1e-10);
    assert!((1..4).all(|k| (multipliers[k] - found[k - 1]).norm_sqr().sqrt() < 1e-10));
    Ok(())
}

/// From a faster start Newton's method finds the other cycle, with shorter steps, which a walk leaves.
#[test]
fn another_cycle_is_unstable() -> Done {
    let (space, tolerance) = (start().0, Tolerance::new(1e-14, 1e-14)?);
    let touchdown = CompassWalk::TOUCHDOWN;
    let mut map = ReturnMap::new(walker(), &space, Swing::Early, touchdown, tolerance);
    let cycle = map.cycle(&stepped(SLOPE - 0.271, [1.2, -1.0]).1, 1e-12)?;
    assert!((cycle.period.duration - 0.581799550).abs() < 1e-9, "{}", cycle.period.duration);
    let away = cycle.period.eigenvalues()[0];
    assert!((away.re - 4.299180252).abs() < 1e-8 && away.im == 0.0, "{away}");
    Ok(())
}

/// Point masses with their places and velocities, legs of the absolute angles and rates (stands, swings); about the foot
/// that stands.
fn masses([a, b]: [f64; 2], [da, db]: [f64; 2]) -> [(f64, Vector3<f64>, Vector3<f64>); 3] {
    let CompassGait { m_h, m, a: low, b: high } = CompassGait::TEXTBOOK;
    let along = |angle: f64| Vector3::new(angle.sin(), 0.0, angle.cos());
    let across = |angle: f64| Vector3::new(angle.cos(), 0.0, -angle.sin());
    let (hip, hip_rate) = ((low + high) * along(a), (low + high) * da * across(a));
    [
        (m, low * along(a), low * da * across(a)),
        (m_h, hip, hip_rate),
        (m, hip - high * along(b), hip_rate - high * db * across(b)),
    ]
}

fn momentum(masses: &[(f64, Vector3<f64>, Vector3<f64>)], about: Vector3<f64>) -> f64 {
    masses.iter().map(|(m, x, v)| m * (x - about).cross(v).y).sum()
}

/// The impulse on the new foot changes neither the angular momentum of all about it, nor that of the lifted leg about the
/// hip.
#[test]
fn angular_momentum_is_kept() -> Done {
    for stance in [0.2, 0.35, 0.5] {
        for v in [[1.5, -1.2], [0.7, 0.4], [2.0, -3.0]] {
            let (_, mut phase) = stepped(stance, v);
            let before = masses(
                [phase.q[0], phase.q[0] + phase.q[1]],
                [phase.v[0], phase.v[0] + phase.v[1]],
            );
            let mode = walker().transit(&Swing::Late, &[CompassWalk::TOUCHDOWN], &mut phase)?;
            assert_eq!(mode, Swing::Early);
            let after = masses(
                [phase.q[0], phase.q[0] + phase.q[1]],
                [phase.v[0], phase.v[0] + phase.v[1]],
            );
            // The new foot is where the swinging leg ends.
            let foot = before[1].1 - after[1].1;
            let (kept, is) = (momentum(&before, foot), momentum(&after, Vector3::zeros()));
            assert!((kept - is).abs() < 1e-12, "{kept} {is}");
            let hip = (momentum(&before[..1], before[1].1), momentum(&after[2..], after[1].1));
            assert!((hip.0 - hip.1).abs() < 1e-12, "{hip:?}");
            let energy = |of: &[(f64, Vector3<f64>, Vector3<f64>)]| {
                of.iter().map(|(m, _, v)| m * v.norm_squared()).sum::<f64>()
            };
            assert!(energy(&after) < energy(&before));
        }
    }
    Ok(())
}

/// Goswami, Thuilot, Espiau (1998), equation 1: M θ̈ + N θ̇ + g = 0 of the absolute angles (swings, stands), which there
/// grow the other way.
#[test]
fn swing_is_the_published_one() {
    let CompassGait { m_h, m, a, b } = CompassGait::TEXTBOOK;
    let l = a + b;
    let mut walker = walker();
    for (stands, swings, rates) in [(0.2, -0.3, [1.1, -0.4]), (-0.4, 0.7, [-0.3, 2.2])] {
        let (ns, s): (f64, f64) = (-swings, -stands);
        let (ns_dot, s_dot): (f64, f64) = (-rates[1], -rates[0]);
        let c = -m * l * b * (s - ns).cos();
        let mass = matrix![m * b * b, c; c, (m_h + m) * l * l + m * a * a];
        let turn = m * l * b * (s - ns).sin();
        let centrifugal: Matrix2<f64> = matrix![0.0, turn * s_dot; -turn * ns_dot, 0.0];
        let gravity: Vector2<f64> =
            G * vector![m * b * ns.sin(), -(m_h * l + m * a + m * l) * s.sin()];
        let force: Vector2<f64> = -centrifugal * vector![ns_dot, s_dot] - gravity;
        let expected = mass.lu().solve(&force).unwrap();
        let phase = Phase {
            q: vec![stands, swings - stands],
            v: vec![rates[0], rates[1] - rates[0]],
            ..start().1
        };
        let mut found = [0.0; 2];
        walker.rates(&Swing::Early, phase.at(), &mut found, &mut []);
        assert!((found[0] + expected[1]).abs() < 1e-11, "{found:?} {expected}");
        assert!((found[0] + found[1] + expected[0]).abs() < 1e-11, "{found:?} {expected}");
    }
}

/// Who starts too slowly falls, and says when.
#[test]
fn falls() -> Done {
    let mut walk = walk(stepped(SLOPE - 0.271, [0.3, 0.0]).1, 1e-9)?;
    let error = walk.run_to(20.0).unwrap_err();
    let Error::Impossible { guards, phase, reason: Fallen { time }, .. } = &error else {
        panic!("{error}")
    };
    assert!(guards == &["fall"] && phase.time == *time && *time > 0.1, "{error}");
    Ok(())
}

/// Samples at equal times through all events, as any robot's recording has them.
#[test]
fn is_recorded() -> Done {
    let robot = CompassGait::TEXTBOOK.prepare();
    let mut recording = Recording::new(60.0)?;
    let mut walk = walk(start().1, 1e-9)?;
    walk.run_observed(5.0, |_, _, stretch| {
        stretch.record(&robot, |_| SVector::zeros(), &mut recording);
    })?;
    assert_eq!(recording.samples().len(), 301);
    for (sample, k) in recording.samples().iter().zip(0..) {
        assert!((sample.state.time - f64::from(k) / 60.0).abs() < 1e-12);
        let energy = sample.kinetic_energy + sample.potential_energy;
        assert!((100.0..220.0).contains(&energy), "{energy}");
    }
    Ok(())
}
