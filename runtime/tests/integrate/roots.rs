//! Roots of guards.

use std::f64::consts::PI;

use jourdain::integrate::{
    Adaptive, At, Crossing, CrossingKind, Error, Phase, Space, Tolerance, first_crossing,
};

fn ulps(a: f64, b: f64) -> f64 {
    (a - b).abs() / (b.abs().next_up() - b.abs())
}

/// Within four units in the last place, from an interval that begins anywhere.
fn falls_at(g: impl Fn(f64) -> f64, span: (f64, f64), root: f64) -> Result<Crossing, Error> {
    let mut count = 0;
    let mut counted = |t| {
        count += 1;
        g(t)
    };
    let found = first_crossing(&mut counted, span.0, span.1)?.unwrap();
    let Crossing { before, after, .. } = found;
    assert!(g(before) > 0.0 && g(after) <= 0.0, "{found:?}");
    assert!(ulps(before, after) <= 4.0, "{found:?}");
    assert!(ulps(after, root) <= 4.0 || ulps(before, root) <= 4.0, "{found:?} {root}");
    assert!(count < 200, "{count} values");
    Ok(found)
}

#[test]
fn roots_in_closed_form() -> Result<(), Error> {
    let crossings = [
        falls_at(|t| 2.0 - t * t, (0.0, 3.0), 2f64.sqrt())?,
        falls_at(|t| 0.5 - t.sin(), (0.0, 1.0), PI / 6.0)?,
        // The second zero of a cosine is a rise, the third a fall again.
        falls_at(f64::cos, (2.0, 9.0), 2.5 * PI)?,
        falls_at(|t| 1.0 - t.exp() * 1e-3, (0.0, 20.0), 1000f64.ln())?,
        // Flat, but not at its zero.
        falls_at(|t| 1e-3 - t.powi(7), (0.0, 1.0), 1e-3f64.powf(1.0 / 7.0))?,
    ];
    assert!(crossings.iter().all(|crossing| crossing.kind == CrossingKind::Transversal));
    assert_eq!(first_crossing(&mut |t: f64| t.exp(), 0.0, 3.0)?, None);
    assert_eq!(first_crossing(&mut |t: f64| -t.cos() - 1.5, 0.0, 30.0)?, None);
    assert_eq!(first_crossing(&mut |t| t, -1.0, 1.0)?, None);
    assert_eq!(first_crossing(&mut |_| 0.0, -1.0, 1.0)?, None);
    // What is not smooth costs more values, but is not taken for a crossing.
    assert_eq!(first_crossing(&mut |t: f64| 0.1 + (t - 0.3).abs(), -1.0, 1.0)?, None);
    assert_eq!(first_crossing(&mut |t: f64| 0.2 + 0.1 * (1e6 * t).sin(), -1.0, 1.0)?, None);
    Ok(())
}

/// Both ends are positive, and between them are two zeros that are ever closer.
#[test]
fn pairs_of_crossings() -> Result<(), Error> {
    for depth in [1e-1, 1e-3, 1e-6, 1e-9, 1e-12] {
        let g = |t: f64| (t - 0.37).powi(2) - depth;
        let found = first_crossing(&mut { g }, 0.0, 1.0)?.unwrap();
        assert!(g(found.before) > 0.0 && g(found.after) <= 0.0, "{depth:e} {found:?}");
        assert!((found.after - (0.37 - depth.sqrt())).abs() < 1e-16 / depth.sqrt(), "{depth:e}");
        assert_eq!(first_crossing(&mut |t| g(t) + 2.0 * depth, 0.0, 1.0)?, None);
    }
    Ok(())
}

/// A dip of which the first samples see no more than its shoulder.
#[test]
fn narrow_dips() -> Result<(), Error> {
    for place in [0.05, 0.17, 0.45, 0.55, 0.75, 0.97] {
        let g = |t: f64| 1.0 - 1.2 * (-((t - place) / 0.04f64).powi(2)).exp();
        let exact = place - 0.04 * 1.2f64.ln().sqrt();
        let found = first_crossing(&mut { g }, 0.0, 1.0)?;
        let found = found.unwrap_or_else(|| panic!("{place}"));
        assert!((found.after - exact).abs() < 1e-15, "{found:?} {exact}");
    }
    Ok(())
}

#[test]
fn grazing_is_told() -> Result<(), Error> {
    let found = first_crossing(&mut |t: f64| (t - 0.3).powi(2), 0.0, 1.0)?.unwrap();
    assert_eq!(found.kind, CrossingKind::Grazing);
    assert!((found.after - 0.3).abs() < 1e-7, "{found:?}");
    let found = first_crossing(&mut |t: f64| 1.0 + t.cos(), 0.0, 6.0)?.unwrap();
    assert_eq!(found.kind, CrossingKind::Grazing);
    assert!((found.after - PI).abs() < 1e-6, "{found:?}");
    // Rounding about zero, from below or on both sides, is no crossing with a slope, and found to be so in finite time.
    let noise = |t: f64| (1e9 * t).sin() * 1e-17;
    let found = first_crossing(&mut |t| noise(t) - 1e-17, 0.0, 1.0)?;
    assert!(found.is_none_or(|found| found.kind == CrossingKind::Grazing), "{found:?}");
    let found = first_crossing(&mut { noise }, 0.1, 1.0)?;
    assert!(found.is_none_or(|found| found.kind == CrossingKind::Grazing), "{found:?}");
    // What leaves zero, however slowly, does not fall.
    assert_eq!(first_crossing(&mut |t: f64| t * t, 0.0, 1.0)?, None);
    Ok(())
}

#[test]
fn nan_is_an_error() {
    let found = first_crossing(&mut |t: f64| (0.5 - t).sqrt() - 0.1, 0.0, 1.0);
    assert!(matches!(found, Err(Error::Guard { time, .. }) if time > 0.5), "{found:?}");
}

/// The first impact of the bouncing point, h = 1 m, g = 9.81 m/s².
#[test]
fn bouncing_point() -> Result<(), Error> {
    let space = Space::flat(1, 0);
    let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
    let mut fall = |_: At<'_>, v_dot: &mut [f64], _: &mut [f64]| v_dot[0] = -9.81;
    let mut motion = Adaptive::new(&space, start.clone(), Tolerance::new(1e-12, 1e-12)?)?;
    let (mut room, exact) = (start, (2.0f64 / 9.81).sqrt());
    let impact = loop {
        motion.step(&mut fall, 1.0)?;
        let dense = motion.dense().unwrap();
        let found = dense.first_crossing(&mut |at| at.q[0], dense.start(), &mut room)?;
        if let Some(found) = found {
            break found;
        }
    };
    assert!(ulps(impact.after, exact) <= 4.0, "{impact:?} {exact}");
    assert!((impact.after - 0.451523641).abs() < 1e-9);
    let phase = motion.dense().unwrap().at(impact.after);
    assert!((phase.v[0] + (2.0f64 * 9.81).sqrt()).abs() < 4e-15, "{phase:?}");
    Ok(())
}
