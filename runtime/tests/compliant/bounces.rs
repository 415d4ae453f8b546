//! Bounces of a mass on each spring, without gravity, against their closed forms.

use jourdain::compliant::Material;
use nalgebra::vector;

use super::robots::Point;
use super::*;

/// Speed with which a point arrives, m/s.
const SPEED: f64 = 0.7;

/// How a weightless point bounces that arrives after a second: for how long it is pushed, and e.
fn bounce(mass: f64, spring: Spring, speed: f64) -> (f64, f64) {
    let simulation = CompliantSimulation::new(Point { m: mass, g: 0.0 }).unwrap().springs(spring);
    let simulation = simulation.tolerance(1e-12).unwrap();
    let mut simulation = simulation.state(vector![speed], vector![-speed]).unwrap();
    let mut recording = Recording::new(f64::INFINITY).unwrap();
    simulation.run_recorded(5.0, idle, &mut recording).unwrap();
    // Steps end where the point touches, and where it is pushed no more.
    let forces: Vec<_> =
        recording.samples().iter().map(|s| (s.state.time, s.forces[0].z)).collect();
    let is_pushed = |&(_, force): &(f64, f64)| force > 1e-6;
    let first = forces.iter().position(is_pushed).unwrap();
    let last = forces.iter().rposition(is_pushed).unwrap();
    assert!((forces[first - 1].0 - 1.0).abs() < 1e-11, "{:?}", forces[first - 1]);
    (forces[last + 1].0 - forces[first - 1].0, simulation.current().v[0] / speed)
}

/// Where a linear spring would pull, contact ends: after 2 acos ζ / ω√(1−ζ²), with e = exp(−2 ζ acos ζ / √(1−ζ²)).
#[test]
fn a_linear_spring_bounces_as_its_closed_form_says() {
    let (m, k) = (2.0, 1e4);
    for ratio in [0.0, 0.1, 0.4, 0.7, 0.9] {
        let spring = Spring::linear(k, 2.0 * ratio * f64::sqrt(k * m)).unwrap();
        let (time, e) = bounce(m, spring, SPEED);
        let angle = ratio.acos() / f64::sqrt(1.0 - ratio * ratio);
        let expected = (2.0 * angle * f64::sqrt(m / k), f64::exp(-2.0 * ratio * angle));
        assert!((time / expected.0 - 1.0).abs() < 1e-9, "{ratio}: {time} {expected:?}");
        assert!((e - expected.1).abs() < 1e-10, "{ratio}: {e} {expected:?}");
    }
}

#[test]
fn a_linear_spring_has_the_restitution_that_was_asked_for() {
    for e in [1.0, 0.9, 0.5, 0.1, 0.01] {
        let spring = Spring::linear_rebounding(3e3, 0.4, e).unwrap();
        let (_, found) = bounce(0.4, spring, SPEED);
        assert!((found - e).abs() < 1e-10, "{e}: {found}");
    }
}

/// e = 1 − a v for small a v, whatever n, with an error in proportion to its square.
#[test]
fn hunt_and_crossley_lose_in_proportion_to_speed() {
    for exponent in [1.0, 1.5, 2.2] {
        let error = |speed: f64| {
            let spring = Spring::hunt_crossley(2e5, exponent, 0.1).unwrap();
            bounce(1.0, spring, speed).1 - (1.0 - 0.1 * speed)
        };
        let [slow, fast] = [0.1, 0.2].map(error);
        assert!(
            slow.abs() < 2e-4 && (fast / slow - 4.0).abs() < 0.1,
            "{exponent}: {slow:e} {fast:e}"
        );
    }
}

/// x + e x = ln (1 + x) − ln (1 − e x) with x = 3/2 a v: the same integral of the force on the way in and out.
#[test]
fn hunt_and_crossley_keep_the_integral_of_energy() {
    for (exponent, dissipation) in [(1.0, 0.5), (1.5, 0.5), (1.5, 3.0), (2.5, 10.0)] {
        let spring = Spring::hunt_crossley(2e5, exponent, dissipation).unwrap();
        let (_, e) = bounce(1.0, spring, SPEED);
        let x = 1.5 * dissipation * SPEED;
        let difference = (1.0 + e) * x - (x.ln_1p() - (-e * x).ln_1p());
        let by_e = x - x / (1.0 - e * x);
        let error = difference / by_e;
        assert!(error.abs() < 1e-10, "{exponent} {dissipation}: {error:e}");
    }
}

#[test]
fn hunt_and_crossley_have_the_restitution_that_was_asked_for() {
    for e in [1.0, 0.999, 0.8, 0.3, 0.05] {
        let spring = Spring::hunt_crossley_rebounding(1e5, 1.5, (e, SPEED)).unwrap();
        let (_, found) = bounce(0.3, spring, SPEED);
        assert!((found - e).abs() < 1e-9, "{e}: {found}");
    }
}

/// Elastic spheres touch for 2.9432 δ/v, δ being the deepest, where 5 m v² = 4 K δ^{5/2}: 3.2181 (m²/K²v)^{1/5}
/// (Landau, Lifshitz: Theory of Elasticity, section 9).
#[test]
fn spheres_of_hertz_touch_for_the_published_time() {
    let steel = Material::new(210e9, 0.3).unwrap();
    let spring = Spring::hertz([steel; 2], [0.02, 0.03], None).unwrap();
    let (m, k) = (0.05, spring.stiffness());
    let modulus = 210e9 / (2.0 * (1.0 - 0.09));
    assert!((k / (4.0 / 3.0 * modulus * f64::sqrt(0.012)) - 1.0).abs() < 1e-14);
    let (time, e) = bounce(m, spring, 0.1);
    // ∫₀¹ dx/√(1−x^{5/2}) = √π Γ(7/5) / Γ(9/10).
    let integral = std::f64::consts::PI.sqrt() * 0.887_263_817_503_075 / 1.068_628_702_119_319;
    let deepest = (1.25 * m * 0.1 * 0.1 / k).powf(0.4);
    assert!((time / (2.0 * integral * deepest / 0.1) - 1.0).abs() < 1e-8, "{time}");
    assert!((time / (3.2181 * (m * m / (k * k * 0.1)).powf(0.2)) - 1.0).abs() < 1e-4, "{time}");
    assert!((e - 1.0).abs() < 1e-9, "{e}");
}

/// With weight and without loss a point bounces for ever to its first height.
#[test]
fn an_elastic_point_keeps_its_energy() {
    for spring in [Spring::linear(1e4, 0.0).unwrap(), Spring::hunt_crossley(1e6, 1.5, 0.0).unwrap()]
    {
        let simulation = CompliantSimulation::new(Point { m: 1.0, g: G }).unwrap().springs(spring);
        let mut simulation = simulation.state(vector![0.1], vector![0.0]).unwrap();
        for _ in 0..10 {
            simulation.run(0.37, idle).unwrap();
            let State { q, v, .. } = simulation.current();
            let energy = 0.5 * v[0] * v[0] + G * q[0] + spring.energy(-q[0]);
            assert!((energy / (0.1 * G) - 1.0).abs() < 1e-6, "{energy}");
        }
        assert!(simulation.event_count() > 15);
    }
}

/// A point that touches without pressing is carried from the first moment on: −q = (1 − cos ωt) m g/k.
#[test]
fn what_only_touches_is_carried() {
    let (k, time) = (1e3, 0.1);
    for height in [0.0, 1e-17, -1e-17] {
        let simulation = CompliantSimulation::new(Point { m: 1.0, g: G }).unwrap();
        let simulation = simulation.springs(Spring::linear(k, 0.0).unwrap());
        let mut simulation = simulation.state(vector![height], vector![0.0]).unwrap();
        simulation.run(time, idle).unwrap();
        let expected = -(1.0 - f64::cos(f64::sqrt(k) * time)) * G / k;
        let error = simulation.current().q[0] - expected;
        assert!(error.abs() < 1e-9, "{height:e}: {error:e}");
    }
}

/// One that touches without weight stays where it is, in few steps.
#[test]
fn what_touches_without_weight_stays() {
    let simulation = CompliantSimulation::new(Point { m: 1.0, g: 0.0 }).unwrap();
    let mut simulation = simulation.state(vector![0.0], vector![0.0]).unwrap();
    simulation.run(10.0, idle).unwrap();
    assert_eq!(simulation.current().q[0], 0.0);
    assert!(simulation.effort().steps < 100, "{:?}", simulation.effort());
}

/// Where a spring with its damper would pull, a body is let go, and caught again if it comes back before it parts.
#[test]
fn a_body_that_comes_back_before_it_parts_is_caught() {
    let spring = Spring::linear(1e3, 200.0).unwrap();
    let simulation = CompliantSimulation::new(Point { m: 1.0, g: G }).unwrap().springs(spring);
    // So deep that it rises under no force, and so slowly that it never parts.
    let start = (vector![-0.05], vector![0.3]);
    let mut simulation = simulation.tolerance(1e-11).unwrap().state(start.0, start.1).unwrap();
    assert!(simulation.contact_forces().is_empty());
    let time = {
        // k δ = c v: 50 − 300 t + 4905 t² = 60 − 1962 t.
        let (a, b, c) = (500.0 * G, 1e3 * -0.3 + 200.0 * G, 1e3 * 0.05 - 200.0 * 0.3);
        (-b + f64::sqrt(b * b - 4.0 * a * c)) / (2.0 * a)
    };
    simulation.run(0.999 * time, idle).unwrap();
    let State { q, v, .. } = simulation.current();
    assert!((q[0] - (-0.05 + 0.3 * 0.999 * time - 0.5 * G * (0.999 * time).powi(2))).abs() < 1e-12);
    assert_eq!((simulation.event_count(), v[0] > 0.0), (0, true));
    simulation.run(0.002 * time, idle).unwrap();
    assert_eq!(simulation.event_count(), 1);
    simulation.run(5.0, idle).unwrap();
    assert!((simulation.current().q[0] + G / 1e3).abs() < 1e-9);
}
